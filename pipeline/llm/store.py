"""Answers kept by content: one small JSON file an answer, named by the request's key.

It holds answers only, never a failure, a refusal or a cut answer, and no request text. Files are written
whole or not at all, so writers may race; a file that cannot be read, was altered, or no longer fits the
schema is a miss. The folder is no DVC out, so it outlives an interrupted stage.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pipeline.base import records
from pipeline.base.types import Usage
from pipeline.llm.reply import read_text
from pipeline.llm.request import Completion, CompletionRequest


class AnswerStore:
    """The answers under ``folder``; safe for many threads and processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = Path(folder)

    def path(self, key: str) -> Path:
        return self.folder / "answers" / key[:2] / f"{key}.json"

    def get(self, request: CompletionRequest) -> Completion | None:
        """The kept answer, or None."""
        try:
            row = json.loads(self.path(request.key).read_text(encoding="utf-8"))
            answer = row["answer"]
            if row["key"] != request.key or row["sha256"] != _digest(answer):
                return None
            return from_row(answer, request)
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def put(self, request: CompletionRequest, completion: Completion) -> None:
        answer = to_row(request, completion)
        row = {"key": request.key, "answer": answer, "sha256": _digest(answer)}
        records.write_text(self.path(request.key), json.dumps(row, sort_keys=True, indent=1) + "\n")


def to_row(request: CompletionRequest, completion: Completion) -> dict[str, Any]:
    """An answer as JSON values: what the model wrote and what it cost, and of the request no text."""
    return {
        "model": request.model,
        "prompt_sha256": request.prompt_sha256,
        "text": completion.text,
        "usage": records.to_dict(completion.first_usage),
        "latency_s": completion.latency_s,
    }


def from_row(answer: dict[str, Any], request: CompletionRequest) -> Completion | None:
    """The answer again, read against the request's schema; None where it does not fit.

    Raises KeyError, TypeError or ValueError for a row that ``to_row`` did not make."""
    if not isinstance(answer["text"], str):
        raise TypeError("the answer's text is not text")
    value, problem = read_text(answer["text"], request.schema)
    if problem:
        return None
    first = records.from_dict(Usage, answer["usage"])
    latency_s = answer["latency_s"]
    return Completion(
        value=value,
        text=answer["text"],
        usage=Usage(calls=0, cached_calls=1),
        cached=True,
        latency_s=None if latency_s is None else float(latency_s),
        first_usage=first,
    )


def _digest(answer: dict[str, Any]) -> str:
    return records.sha256(json.dumps(answer, sort_keys=True))
