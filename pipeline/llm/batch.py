"""Many requests through the Message Batches API: half the price, hours instead of seconds, never paid twice.

A batch is paid once the provider has taken it in, whatever becomes of the process that asked for it. So:

1. The intent is on disk before the batch is asked for, and the id before anything waits for it.
2. A run that finds an open record waits for that batch instead of making one.
3. Where it is not known whether a batch was made (the process died, or the answer to ``create`` was lost),
   the account's newer batches of the same size are looked through, and the one whose requests carry our
   keys is ours. Only results name their requests, so a candidate is waited for. A new batch is made only
   when none is ours.

Requests are named (``custom_id``) by their key: an answer is an answer to that request, whoever asked.
Results stay with the provider for weeks, so reading them again costs nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pipeline.base.types import FailureCause, Usage
from pipeline.llm.api import AnthropicApi
from pipeline.llm.batch_book import BatchBook, BatchRecord, intent
from pipeline.llm.budget import Budget
from pipeline.llm.failures import ERROR_TYPES, ApiFault, Fault, redact
from pipeline.llm.prices import Prices
from pipeline.llm.reply import read_message
from pipeline.llm.request import Completion, CompletionRequest, LlmFailure, Result
from pipeline.llm.retry import retrying
from pipeline.llm.store import AnswerStore

if TYPE_CHECKING:
    from pipeline.base import params

#: The API takes 100,000 requests or 256 MB in a batch; smaller ones answer sooner and lose less.
MAX_REQUESTS = 10_000
MAX_BYTES = 100_000_000
POLL_FIRST_S = 2.0
POLL_MAX_S = 60.0

#: How many time-outs after it was sent a request is taken to have arrived or to be lost.
SETTLE_TIMEOUTS = 2

#: An explicit end of a request that the API did not answer.
ENDS = {
    "expired": (FailureCause.INFRA_TIMEOUT, "the batch expired before this request was answered"),
    "canceled": (FailureCause.INFRA_SERVER_ERROR, "the batch was canceled before this request was answered"),
}


class BatchRunner:
    """Answers requests through batches; one runner a client."""

    def __init__(
        self,
        llm: params.Llm,
        api: AnthropicApi,
        store: AnswerStore,
        book: BatchBook,
        prices: Prices,
        budget: Budget,
        poll_first_s: float = POLL_FIRST_S,
    ) -> None:
        self.llm = llm
        self.api = api
        self.store = store
        self.book = book
        self.prices = prices
        self.budget = budget
        self.poll_first_s = poll_first_s

    def run(self, missing: Mapping[str, CompletionRequest], progress: str | None = None) -> dict[str, Result]:
        """A result for every request of ``missing`` (by key)."""
        results: dict[str, Result] = {}
        reserved: dict[str, float] = {}
        with self.book.lock():
            # Another process may have answered some while this one waited for the lock.
            for key, request in missing.items():
                if (kept := self.store.get(request)) is not None:
                    results[key] = kept
            open_keys = missing.keys() - results.keys()
            under_way, unknown = self._resume(open_keys)
            results.update(unknown)
            covered = {key for record in under_way for key in record.keys}
            new = {key: missing[key] for key in missing if key in open_keys and key not in covered | results.keys()}
            for key, request in new.items():
                try:
                    worst = self.prices.worst_case(request, batch=True)
                    self.budget.reserve(worst)
                    reserved[key] = worst
                except LlmFailure as failure:
                    results[key] = failure
            for group in groups({key: new[key] for key in reserved}):
                try:
                    under_way.append(self._create(group))
                except ApiFault as error:
                    results.update({key: _failure(error.fault) for key in group})
                    for key in group:
                        worst = reserved.pop(key)
                        self.budget.settle(worst, worst if error.fault.worked else 0.0)
        for record in under_way:
            wanted = {key: missing[key] for key in record.keys if key in missing and key not in results}
            results.update(self._collect(record, wanted, reserved, progress))
        return results

    def _resume(self, keys: Iterable[str]) -> tuple[list[BatchRecord], dict[str, Result]]:
        """The batches under way that hold any of ``keys``, and failures for keys of which it cannot be told
        now whether they are in a batch."""
        keys = set(keys)
        under_way: list[BatchRecord] = []
        unknown: dict[str, Result] = {}
        for record in self.book.records():
            if not keys & set(record.keys):
                continue
            try:
                found = record if record.batch_id else self._find(record)
            except ApiFault as error:
                unknown.update({key: _failure(error.fault) for key in keys & set(record.keys)})
                continue
            if found is None:
                self.book.close(record)
            else:
                under_way.append(found)
        return under_way, unknown

    def _create(self, group: Mapping[str, CompletionRequest]) -> BatchRecord:
        """Make a batch of ``group``, exactly once. In the ``ApiFault`` that says it could not be done,
        ``worked`` says that a batch may exist for all that: its record stays, and the next run looks again.
        """
        try:
            rows, _ = self._retrying(lambda: _page(self.api.list_batches(limit=1)))
        except ApiFault as error:
            fault = error.fault
        else:
            record = intent(group, rows[0]["id"] if rows else None)

            def attempt() -> dict[str, Any]:
                nonlocal record
                record = self.book.open(record, time.time())
                return _made(self.api.create_batch(dict(group)))

            for _ in range(self.llm.max_retries + 1):
                try:
                    body = self._retrying(attempt, unless=_maybe_made)
                    return self.book.name_batch(record, body["id"])
                except ApiFault as error:
                    fault = error.fault
                if not _maybe_made(fault):
                    break
                try:
                    found = self._find(record)
                except ApiFault as error:
                    raise ApiFault(replace(error.fault, worked=True)) from None
                if found is not None:
                    return found
            self.book.close(record)
        raise ApiFault(replace(fault, worked=False))

    def _find(self, record: BatchRecord) -> BatchRecord | None:
        """The batch that was made from an intent, named in its record; None if there is none."""
        # A create that its client gave up, or died over, may still be taken in. The clock may have been set.
        settled_s = SETTLE_TIMEOUTS * self.llm.timeout_s
        time.sleep(min(max(record.opened_at + settled_s - time.time(), 0.0), settled_s))
        taken = {other.batch_id for other in self.book.records()}
        candidates = [
            batch["id"]
            for batch in self._newer_than(record.newest_before)
            if _size(batch) == record.size and batch["id"] not in taken
        ]
        for batch_id in candidates:
            self._wait(batch_id, None)
            named = {_name(row) for row in self._retrying(lambda name=batch_id: self.api.batch_results(name))}
            if named & set(record.keys):
                return self.book.name_batch(record, batch_id)
        return None

    def _newer_than(self, batch_id: str | None) -> Iterator[dict[str, Any]]:
        """The account's batches, newest first, up to and without ``batch_id``."""
        after: str | None = None
        while True:
            rows, more = self._retrying(lambda cursor=after: _page(self.api.list_batches(cursor)))
            for row in rows:
                if row["id"] == batch_id:
                    return
                yield row
            if not rows or not more:
                return
            after = rows[-1]["id"]

    def _collect(
        self,
        record: BatchRecord,
        wanted: Mapping[str, CompletionRequest],
        reserved: Mapping[str, float],
        progress: str | None,
    ) -> dict[str, Result]:
        """Wait for a batch, keep its answers, and settle the keys that were wanted."""
        try:
            batch = self._wait(str(record.batch_id), progress, len(wanted))
            gone = batch.get("results_url") is None
            rows = {} if gone else self._results(record, wanted)
        except ApiFault as error:
            fault = error.fault
            if fault.status == 404:
                detail = (
                    f"batch {record.batch_id} is unknown to this API key: use the key that made it, "
                    f"or delete {self.book.path(record)} to pay for it anew"
                )
                fault = Fault(FailureCause.INFRA_REQUEST, detail)
            for key in wanted:  # the batch goes on and will be charged
                self.budget.settle(reserved.get(key, 0.0), reserved.get(key, 0.0))
            return {key: _failure(fault) for key in wanted}
        results: dict[str, Result] = {}
        for key, request in wanted.items():
            result = self._result(rows.get(key), request, gone)
            if isinstance(result, Completion):
                self.store.put(request, result)
            self.budget.settle(reserved.get(key, 0.0), result.usage.cost_usd)
            results[key] = result
        with self.book.lock():
            self.book.settle(record, wanted)
        return results

    def _results(self, record: BatchRecord, wanted: Mapping[str, CompletionRequest]) -> dict[str, Any]:
        """The results by request. If they come short they are fetched once more, before the requests that
        lack one count as unanswered."""
        for _ in range(2):
            rows = self._retrying(lambda: self.api.batch_results(str(record.batch_id)))
            results = {_name(row): row.get("result") for row in rows if _name(row)}
            if wanted.keys() <= results.keys():
                break
        return results

    def _result(self, row: Any, request: CompletionRequest, gone: bool) -> Result:
        kind = row.get("type") if isinstance(row, Mapping) else None
        if gone:
            detail = "the provider no longer holds the batch's results; the next run asks again"
            return LlmFailure(FailureCause.INFRA_SERVER_ERROR, detail)
        if kind in ENDS:
            return LlmFailure(*ENDS[kind])
        if kind == "errored":
            error = row.get("error")
            error = error.get("error", error) if isinstance(error, Mapping) else None
            name, said = (error.get("type"), error.get("message")) if isinstance(error, Mapping) else (None, "")
            cause = ERROR_TYPES.get(str(name), FailureCause.INFRA_SERVER_ERROR)
            return LlmFailure(cause, redact(f"the API answered {name} {said}"), Usage(calls=1))
        if kind != "succeeded":
            return LlmFailure(FailureCause.INFRA_MALFORMED, "the batch's results hold no answer", Usage(calls=1))
        reply = read_message(row.get("message"), request)
        known = reply.tokens is not None
        usage = self.prices.usage(request.model, reply.tokens, batch=True) if known else Usage(calls=1)
        if reply.cause is not None:
            return LlmFailure(reply.cause, reply.detail, usage)
        return Completion(reply.value, reply.text, usage, False, None, usage)

    def _wait(self, batch_id: str, progress: str | None, total: int = 0) -> dict[str, Any]:
        """Poll, ever more rarely, until the batch has ended; the batch as last seen."""
        from tqdm import tqdm

        wait_s = self.poll_first_s
        with tqdm(desc=progress, total=total, unit="call", disable=progress is None) as bar:
            while True:
                batch = self._retrying(lambda: _batch(self.api.retrieve_batch(batch_id)))
                if batch["processing_status"] == "ended":
                    bar.update(total)
                    return batch
                bar.set_postfix_str(f"batch {batch_id} {batch['processing_status']}")
                time.sleep(wait_s)
                wait_s = min(wait_s * 1.5, POLL_MAX_S)

    def _retrying(self, call: Callable[[], Any], unless: Callable[[Fault], bool] | None = None) -> Any:
        return retrying(call, self.llm.max_retries, self.llm.retry_after_cap_s, unless)


def groups(requests: Mapping[str, CompletionRequest]) -> Iterator[dict[str, CompletionRequest]]:
    """``requests`` in batches that the API takes."""
    group: dict[str, CompletionRequest] = {}
    size = 0
    for key, request in requests.items():
        # Escaped as JSON a character is six bytes at most (twelve for a pair); the schema is small.
        length = 6 * (len(request.system) + len(request.user)) + 10_000
        if group and (len(group) == MAX_REQUESTS or size + length > MAX_BYTES):
            yield group
            group, size = {}, 0
        group[key] = request
        size += length
    if group:
        yield group


def _maybe_made(fault: Fault) -> bool:
    """May a batch exist after this fault of ``create``? Only a plain no, or never having asked, says no."""
    doubtful = (FailureCause.INFRA_SERVER_ERROR, FailureCause.INFRA_MALFORMED)
    return fault.worked or (fault.cause in doubtful and fault.status != 409)


def _made(body: Any) -> dict[str, Any]:
    if isinstance(body, Mapping) and isinstance(body.get("id"), str) and body["id"]:
        return dict(body)
    raise ApiFault(Fault(FailureCause.INFRA_MALFORMED, "the response names no batch", retry=True, worked=True))


def _batch(body: Any) -> dict[str, Any]:
    if isinstance(body, Mapping) and isinstance(body.get("processing_status"), str):
        return dict(body)
    raise ApiFault(Fault(FailureCause.INFRA_MALFORMED, "the response is not a batch", retry=True))


def _page(body: Any) -> tuple[list[dict[str, Any]], bool]:
    rows = body.get("data") if isinstance(body, Mapping) else None
    if isinstance(rows, list) and all(isinstance(row, Mapping) and isinstance(row.get("id"), str) for row in rows):
        return [dict(row) for row in rows], bool(body.get("has_more"))
    raise ApiFault(Fault(FailureCause.INFRA_MALFORMED, "the response is not a list of batches", retry=True))


def _size(batch: Mapping[str, Any]) -> int:
    counts = batch.get("request_counts")
    return sum(n for n in counts.values() if type(n) is int) if isinstance(counts, Mapping) else -1


def _name(row: Any) -> str:
    name = row.get("custom_id") if isinstance(row, Mapping) else None
    return name if isinstance(name, str) else ""


def _failure(fault: Fault) -> LlmFailure:
    return LlmFailure(fault.cause, fault.detail)
