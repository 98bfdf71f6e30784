"""The live client: cache first, then a budgeted, retried call; one request or many, order kept.

A failure of one request is a value in the list of results and never ends the others. What ends a run is
only what a person has to mend first: a model without a price while a cost limit is set.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.base import cache
from pipeline.base.types import FailureCause, Usage
from pipeline.llm.api import AnthropicApi
from pipeline.llm.batch import BatchRunner
from pipeline.llm.batch_book import BatchBook
from pipeline.llm.budget import Budget
from pipeline.llm.failures import ApiFault, Fault
from pipeline.llm.prices import Prices, load_prices
from pipeline.llm.reply import read_message
from pipeline.llm.request import Completion, CompletionRequest, LlmFailure, Result
from pipeline.llm.retry import retrying
from pipeline.llm.store import AnswerStore

if TYPE_CHECKING:
    from pipeline.base import params

LOG = logging.getLogger(__name__)


class LlmClient:
    """Answers requests; safe to share between threads. ``budget`` is for the life of the client."""

    def __init__(
        self, llm: params.Llm, store: AnswerStore, api: AnthropicApi, prices: Prices, batches: BatchBook
    ) -> None:
        self.llm = llm
        self.store = store
        self.api = api
        self.prices = prices
        self.budget = Budget(llm.max_cost_usd)
        self.batches = BatchRunner(llm, api, store, batches, prices, self.budget)
        self._unpriced: set[str] = set()
        self._locks: dict[str, threading.Lock] = {}
        self._locks_lock = threading.Lock()

    def __repr__(self) -> str:
        return f"LlmClient(transport={self.llm.transport!r})"

    def complete(self, request: CompletionRequest) -> Completion:
        """The kept answer, or a new one; raises ``LlmFailure``."""
        return self._complete(request, threading.Event())

    def _complete(self, request: CompletionRequest, stop: threading.Event) -> Completion:
        with self._lock_for(request.key):  # two threads with the same question: one pays, the other reads
            kept = self.store.get(request)
            if kept is not None:
                return kept
            self._require_price(request.model)
            completion = self._ask(request, stop)
            self.store.put(request, completion)
            return completion

    def complete_many(self, requests: Sequence[CompletionRequest], progress: str | None = None) -> list[Result]:
        """One result for each request, in order; the same question twice is asked once. By ``llm.transport``
        the missing ones are asked in parallel, or in batches (see ``batch``).

        ``progress`` is the label of a progress bar on stderr (None: no bar).
        """
        distinct = {request.key: request for request in requests}
        results: dict[str, Result] = {}
        missing: list[CompletionRequest] = []
        for key, request in distinct.items():
            kept = self.store.get(request)
            if kept is None:
                missing.append(request)
            else:
                results[key] = kept
        for model in sorted({request.model for request in missing}):
            self._require_price(model)
        if missing and self.llm.transport == "batch":
            results.update(self.batches.run({request.key: request for request in missing}, progress))
        elif missing:
            results.update(self._many(missing, progress))
        return in_order(requests, results)

    def _many(self, missing: list[CompletionRequest], progress: str | None) -> dict[str, Result]:
        from tqdm import tqdm

        stop = threading.Event()

        def result(request: CompletionRequest) -> Result:
            try:
                return self._complete(request, stop)
            except LlmFailure as failure:
                return failure

        with ThreadPoolExecutor(self.llm.concurrency) as pool:
            try:
                answers = pool.map(result, missing)
                bar = tqdm(answers, desc=progress, total=len(missing), unit="call", disable=progress is None)
                return {request.key: answer for request, answer in zip(missing, bar, strict=True)}
            except BaseException:
                # Ctrl-C: calls in flight may end (and are kept), nothing waits and nothing new is sent.
                stop.set()
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _ask(self, request: CompletionRequest, stop: threading.Event) -> Completion:
        spent = Usage()

        def attempt() -> Completion:
            nonlocal spent
            reserved = self.prices.worst_case(request)
            self.budget.reserve(reserved)
            charged = reserved  # until the opposite is known, also if this thread is interrupted
            try:
                started = time.monotonic()
                reply = read_message(self.api.create(request), request)
                latency_s = round(time.monotonic() - started, 6)
                if reply.tokens is not None:
                    usage = self.prices.usage(request.model, reply.tokens)
                    charged = usage.cost_usd
                    spent += usage
                else:
                    spent += Usage(calls=1)
            except ApiFault as error:
                spent += Usage(calls=int(error.fault.sent))
                if not error.fault.worked:
                    charged = 0.0
                raise
            finally:
                self.budget.settle(reserved, charged)
            if reply.cause is not None:
                again = reply.cause is FailureCause.INFRA_MALFORMED
                raise ApiFault(Fault(reply.cause, reply.detail, retry=again, worked=True))
            return Completion(reply.value, reply.text, spent, False, latency_s, spent)

        try:
            return retrying(attempt, self.llm.max_retries, self.llm.retry_after_cap_s, stop=stop)
        except ApiFault as error:
            failure = LlmFailure(error.fault.cause, error.fault.detail, spent)
        except LlmFailure as error:  # the budget, perhaps after an attempt that was paid
            failure = LlmFailure(error.cause, error.detail, spent)
        raise failure

    def _require_price(self, model: str) -> None:
        self.prices.require(model, self.llm.max_cost_usd)
        if model not in self.prices.models and model not in self._unpriced:
            self._unpriced.add(model)
            LOG.warning("%s has no price for %s: its cost is counted as zero", self.prices.source, model)

    def _lock_for(self, key: str) -> threading.Lock:
        with self._locks_lock:
            return self._locks.setdefault(key, threading.Lock())


def in_order(requests: Sequence[CompletionRequest], results: dict[str, Result]) -> list[Result]:
    """A result for each request; a question asked twice is paid once, so its repeats count as cached."""
    ordered: list[Result] = []
    seen: set[str] = set()
    for request in requests:
        result = results[request.key]
        if request.key in seen and isinstance(result, LlmFailure):
            result = LlmFailure(result.cause, result.detail)
        elif request.key in seen and isinstance(result, Completion):
            repeat = Usage(calls=0, cached_calls=1)
            result = Completion(result.value, result.text, repeat, True, result.latency_s, result.first_usage)
        seen.add(request.key)
        ordered.append(result)
    return ordered


def open_client(
    llm: params.Llm,
    folder: Path | None = None,
    base_url: str | None = None,
    prices: Prices | None = None,
) -> LlmClient:
    """The client that params.yaml's ``llm`` section asks for; makes no call and needs no key yet.

    ``folder`` holds the answers and the batches under way (default: ``.cache/llm`` of the repository);
    ``base_url`` is the SDK's ANTHROPIC_BASE_URL.
    """
    store = AnswerStore(cache.cache_dir() / "llm" if folder is None else Path(folder))
    api = AnthropicApi(llm.timeout_s, base_url)
    return LlmClient(llm, store, api, load_prices() if prices is None else prices, BatchBook(store.folder))
