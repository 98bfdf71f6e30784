"""What goes into a completion and what comes out: a request, an answer or a typed failure.

Conventions: tokens are the provider's; money is US dollars; time is seconds. A request's ``key`` is
the sha256 of everything that decides the answer and of nothing else: it names the answer in the
cache, in a cassette and in a batch.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, Protocol

from pipeline.base.records import sha256
from pipeline.base.types import FailureCause, Usage

#: Raise it when the way a request is put to the model changes, so that old answers are not taken for new ones.
REQUEST_FORM = 1


@cache
def json_schema(schema: type) -> dict[str, Any]:
    """The JSON schema of a type that pydantic understands: a model, a dataclass, a TypedDict.

    Raises TypeError for an open mapping (``dict[str, ...]``) anywhere in it: structured output knows
    objects with named keys only, and the model would be held to an empty one without a word.
    """
    from pydantic import TypeAdapter  # lazy: costs a quarter of a second

    found = TypeAdapter(schema).json_schema()
    _refuse_open_mappings(found)
    return found


def _refuse_open_mappings(schema: Any) -> None:
    if isinstance(schema, dict):
        if schema.get("type") == "object" and schema.get("additionalProperties", "properties" not in schema):
            raise TypeError("a mapping without named keys cannot be asked for; use a list of named pairs")
        for part in schema.values():
            _refuse_open_mappings(part)
    elif isinstance(schema, list):
        for part in schema:
            _refuse_open_mappings(part)


@dataclass(frozen=True)
class CompletionRequest:
    """One question to one model.

    ``schema`` is the type of the answer (None: plain text). ``effort`` is the provider's setting of how
    hard to think (empty: its default). The texts stay out of ``repr``: they carry contract text.
    """

    model: str
    system: str = field(repr=False)
    user: str = field(repr=False)
    schema: type | None
    max_tokens: int
    prompt_sha256: str = ""
    effort: str = ""

    @cached_property
    def key(self) -> str:
        decides = {
            "form": REQUEST_FORM,
            "model": self.model,
            "system": self.system,
            "user": self.user,
            "schema": json_schema(self.schema) if self.schema else None,
            "max_tokens": self.max_tokens,
            "prompt_sha256": self.prompt_sha256,
            "effort": self.effort,
        }
        # ASCII escapes keep lone surrogates (a clause may hold any characters) encodable.
        return sha256(json.dumps(decides, sort_keys=True))


@dataclass(frozen=True, slots=True)
class Completion:
    """An answer.

    ``value`` is an instance of the request's schema (plain text without one) and ``text`` what the model
    wrote. ``usage`` is what this call spent: nothing if ``cached``. ``first_usage`` and ``latency_s`` belong
    to the call that made the answer, so they are the same on every rerun: use them for cost and latency
    per item. An answer that came in a batch has no latency of its own: None.
    """

    value: Any
    text: str = field(repr=False)
    usage: Usage
    cached: bool
    latency_s: float | None
    first_usage: Usage


class LlmFailure(Exception):
    """A call that gave no answer: one infra ``cause``, one line of ``detail``, and what was spent on it.

    Holds no header, no request and no provider exception, so it can be printed and stored.
    """

    def __init__(self, cause: FailureCause, detail: str, usage: Usage | None = None) -> None:
        usage = usage or Usage()
        super().__init__(cause, detail, usage)
        self.cause = cause
        self.detail = detail
        self.usage = usage

    def __str__(self) -> str:
        return f"{self.cause.value}: {self.detail}"


#: Answers a request or raises ``LlmFailure``.
Complete = Callable[[CompletionRequest], Completion]

#: A failure of one request among many is a value.
Result = Completion | LlmFailure


class Llm(Protocol):
    """What auditors and judges are given: the live client, a cassette or a scripted fake."""

    def complete(self, request: CompletionRequest) -> Completion:
        """One answer; raises ``LlmFailure``."""
        ...

    def complete_many(self, requests: Sequence[CompletionRequest], progress: str | None = None) -> list[Result]:
        """One result for each request, in order; ``progress`` labels a bar on stderr."""
        ...


def from_results(requests: Sequence[CompletionRequest], results: Sequence[Result]) -> Complete:
    """A ``Complete`` that gives the results already in hand, failures included, and makes no call.

    For two passes over many items: ``complete_many`` first, then the path that asks one at a time. A
    request that was not among ``requests`` is a programming error (KeyError).
    """
    by_key: dict[str, list[Result]] = {}
    for request, result in zip(requests, results, strict=True):
        by_key.setdefault(request.key, []).append(result)

    def complete(request: CompletionRequest) -> Completion:
        # A question asked twice has the paid result first and the repeat, which cost nothing, after it.
        left = by_key[request.key]
        result = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(result, LlmFailure):
            # A fresh one: raising the same exception again and again would chain its tracebacks.
            raise LlmFailure(result.cause, result.detail, result.usage)
        return result

    return complete
