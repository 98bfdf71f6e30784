"""Cassettes: recorded calls, played back for tests and to reproduce a published run.

A cassette is JSONL, one request a line, sorted by key: ``key``, then ``answer`` (what the model wrote and
what it cost) or ``failure`` (``cause``, ``detail``). Of a request it holds hashes only; an answer may quote
the clause it is about, so a cassette of real contracts belongs under the cache folder and not in git.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from pipeline.base import cache, records
from pipeline.base.errors import CuadAuditError
from pipeline.base.types import FailureCause
from pipeline.llm.client import in_order
from pipeline.llm.request import Completion, CompletionRequest, Llm, LlmFailure, Result
from pipeline.llm.store import from_row, to_row

#: Failures that are the model's answer to the request; the others say something about that day's network.
RECORDED = (FailureCause.INFRA_REFUSAL, FailureCause.INFRA_TRUNCATED, FailureCause.INFRA_MALFORMED)


def cassette_path(name: str) -> Path:
    """Where a cassette recorded from real contracts goes: outside git."""
    return cache.cache_dir() / "cassettes" / f"{name}.jsonl"


def read_cassette(path: Path) -> dict[str, dict[str, Any]]:
    """The cassette's rows by key."""
    if not Path(path).exists():
        raise CuadAuditError(f"{path}: no such cassette", "record one from live calls with `make record`")
    rows: dict[str, dict[str, Any]] = {}
    for row in records.read_jsonl(path):
        key = row.get("key")
        if not isinstance(key, str) or key in rows or ("answer" in row) == ("failure" in row):
            raise CuadAuditError(f"{path}: not a cassette (row {len(rows) + 1})", "record it again with `make record`")
        rows[key] = row
    return rows


class ReplayClient:
    """Plays a cassette. A request that is not on it fails with INFRA_NOT_RECORDED; nothing is ever sent."""

    def __init__(self, cassette: Path) -> None:
        self.cassette = Path(cassette)
        self._rows = read_cassette(self.cassette)

    def __repr__(self) -> str:
        return f"ReplayClient({self.cassette.name!r}, {len(self._rows)} calls)"

    def complete(self, request: CompletionRequest) -> Completion:
        row = self._rows.get(request.key)
        if row is None:
            detail = f"{self.cassette.name} holds no answer of {request.model} to this request"
            raise LlmFailure(FailureCause.INFRA_NOT_RECORDED, f"{detail}; record it with `make record`")
        try:
            if "failure" in row:
                failure = row["failure"]
                raise LlmFailure(FailureCause(failure["cause"]), str(failure["detail"]))
            completion = from_row(row["answer"], request)
        except (KeyError, TypeError, ValueError) as error:
            raise CuadAuditError(f"{self.cassette}: {row['key'][:12]}: {error!r}", "record it again") from None
        if completion is None:
            raise LlmFailure(FailureCause.INFRA_MALFORMED, "the recorded answer does not fit the schema")
        return completion

    def complete_many(self, requests: Sequence[CompletionRequest], progress: str | None = None) -> list[Result]:  # noqa: ARG002
        return in_order(requests, {request.key: _result(self, request) for request in requests})


class Recorder:
    """Passes requests on to a client and keeps what comes back; used as a context manager, it writes the
    cassette at the end, an interrupted one too. Rows that the cassette already has stay."""

    def __init__(self, llm: Llm, cassette: Path) -> None:
        self.llm = llm
        self.cassette = Path(cassette)
        self._rows = read_cassette(self.cassette) if self.cassette.exists() else {}
        self._lock = threading.Lock()

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.save()

    def complete(self, request: CompletionRequest) -> Completion:
        result = _result(self.llm, request)
        self._keep(request, result)
        if isinstance(result, LlmFailure):
            raise result
        return result

    def complete_many(self, requests: Sequence[CompletionRequest], progress: str | None = None) -> list[Result]:
        results = self.llm.complete_many(requests, progress)
        for request, result in zip(requests, results, strict=True):
            self._keep(request, result)
        return results

    def save(self) -> Path:
        """Write the cassette, whole, sorted by key."""
        with self._lock:
            records.write_jsonl(self.cassette, [self._rows[key] for key in sorted(self._rows)])
        return self.cassette

    def _keep(self, request: CompletionRequest, result: Result) -> None:
        with self._lock:
            if isinstance(result, Completion):
                self._rows[request.key] = {"key": request.key, "answer": to_row(request, result)}
            elif result.cause in RECORDED:
                failure = {"cause": result.cause.value, "detail": result.detail}
                self._rows[request.key] = {"key": request.key, "failure": failure}


def _result(llm: Llm, request: CompletionRequest) -> Result:
    try:
        return llm.complete(request)
    except LlmFailure as failure:
        return failure
