"""Reading a message of the Messages API: pure, from the decoded JSON to a checked answer.

It works on plain JSON, not on the SDK's objects, so that a 200 of the wrong shape is noticed (the SDK
builds an object full of None from it) and the tokens of a failed answer are still counted. Source for
fields and stop reasons: the API's reference of the message object.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from pipeline.base.types import FailureCause
from pipeline.llm.failures import without_keys
from pipeline.llm.request import CompletionRequest

if TYPE_CHECKING:
    from pydantic import TypeAdapter


@dataclass(frozen=True, slots=True)
class Tokens:
    """Charged tokens. The prompt is ``input + cache_write + cache_read``: the three do not overlap."""

    input: int = 0
    output: int = 0
    cache_write: int = 0
    cache_read: int = 0

    @property
    def prompt(self) -> int:
        return self.input + self.cache_write + self.cache_read


@dataclass(frozen=True, slots=True)
class Reply:
    """A message as read. Without ``cause`` it is an answer; ``tokens`` is None where none are stated."""

    tokens: Tokens | None
    text: str = ""
    value: Any = None
    cause: FailureCause | None = None
    detail: str = ""


def read_message(body: Any, request: CompletionRequest) -> Reply:
    """The answer in ``body`` (decoded JSON of any shape), checked against the request's schema."""
    malformed = FailureCause.INFRA_MALFORMED
    if not isinstance(body, Mapping):
        return Reply(None, cause=malformed, detail="the response is not a JSON object")
    tokens = _tokens(body.get("usage"))
    content, stop = body.get("content"), body.get("stop_reason")
    if tokens is None or not isinstance(content, list) or not all(isinstance(block, Mapping) for block in content):
        return Reply(tokens, cause=malformed, detail="the response is not a message")
    # Refusal and truncation first: their content may be empty or half an answer.
    if stop == "refusal":
        return Reply(tokens, cause=FailureCause.INFRA_REFUSAL, detail="the model refused to answer")
    if stop == "max_tokens":
        detail = f"the answer was cut at max_tokens = {request.max_tokens} (thinking counts)"
        return Reply(tokens, cause=FailureCause.INFRA_TRUNCATED, detail=detail)
    if stop == "model_context_window_exceeded":
        detail = "the answer was cut at the end of the model's context window"
        return Reply(tokens, cause=FailureCause.INFRA_TRUNCATED, detail=detail)
    if stop != "end_turn":
        detail = f"the answer stopped for an unexpected reason ({without_keys(repr(stop)):.40})"
        return Reply(tokens, cause=malformed, detail=detail)
    texts = [block.get("text") for block in content if block.get("type") == "text"]
    if not all(isinstance(text, str) for text in texts):
        return Reply(tokens, cause=malformed, detail="the response is not a message")
    text = without_keys("".join(texts))  # here, before anything is kept, logged or made of it
    if not text.strip():
        return Reply(tokens, cause=malformed, detail="the answer is empty")
    value, problem = read_text(text, request.schema)
    if problem:
        return Reply(tokens, text=text, cause=malformed, detail=problem)
    return Reply(tokens, text=text, value=value)


def read_text(text: str, schema: type | None) -> tuple[Any, str]:
    """``(value, "")``, or ``(None, problem)`` where the text does not fit the schema.

    The problem names the place and the kind of error and never quotes the text."""
    if schema is None:
        return text, ""
    from pydantic import ValidationError

    try:
        return _adapter(schema).validate_json(text), ""
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])[:80] or "the answer"
        return None, f"the answer does not fit the schema ({place}: {first['type']})"
    except (ValueError, RecursionError) as error:  # lone surrogates; a validator that raises
        return None, f"the answer cannot be read ({type(error).__name__})"


@cache
def _adapter(schema: type) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(schema)


def _tokens(usage: Any) -> Tokens | None:
    if not isinstance(usage, Mapping):
        return None
    counts = {
        "input": usage.get("input_tokens"),
        "output": usage.get("output_tokens"),
        "cache_write": usage.get("cache_creation_input_tokens") or 0,
        "cache_read": usage.get("cache_read_input_tokens") or 0,
    }
    if not all(type(count) is int and count >= 0 for count in counts.values()):
        return None
    return Tokens(**counts)
