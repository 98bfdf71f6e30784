"""A scripted model for tests and demonstrations: no network, no key, the same checks as a real answer."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from pipeline.base.types import FailureCause, Usage
from pipeline.llm.reply import Tokens, read_message
from pipeline.llm.request import Completion, CompletionRequest, LlmFailure, Result, json_schema

#: What a script may say: text as the model would write it, anything JSON-like, a failure, or its cause.
Said = Any


class ScriptedLlm:
    """Answers by ``script``: a function of the request, or a sequence played in order (then IndexError).

    A string is taken as what the model wrote, and read against the request's schema as a real answer is;
    a ``FailureCause`` or ``LlmFailure`` is raised; anything else is written as JSON first. ``requests``
    keeps what was asked, in order. Tokens are a quarter of the characters, dollars zero.
    """

    def __init__(self, script: Callable[[CompletionRequest], Said] | Sequence[Said]) -> None:
        self.requests: list[CompletionRequest] = []
        self._script = script
        self._lock = threading.Lock()

    def complete(self, request: CompletionRequest) -> Completion:
        if request.schema is not None:
            json_schema(request.schema)  # what cannot be asked of a real model cannot be asked here
        with self._lock:
            position = len(self.requests)
            self.requests.append(request)
        said = self._script(request) if callable(self._script) else self._script[position]
        if isinstance(said, LlmFailure):
            raise said
        if isinstance(said, FailureCause):
            raise LlmFailure(said, "scripted")
        text = said if isinstance(said, str) else _json(said)
        tokens = Tokens(input=(len(request.system) + len(request.user)) // 4, output=len(text) // 4)
        usage = Usage(1, 0, tokens.prompt, tokens.output, 0.0)
        body = {
            "content": [{"type": "text", "text": text}],
            "stop_reason": "end_turn",
            "usage": {"input_tokens": tokens.input, "output_tokens": tokens.output},
        }
        reply = read_message(body, request)
        if reply.cause is not None:
            raise LlmFailure(reply.cause, reply.detail, usage)
        return Completion(reply.value, text, usage, False, 0.0, usage)

    def complete_many(self, requests: Sequence[CompletionRequest], progress: str | None = None) -> list[Result]:  # noqa: ARG002
        return [self._result(request) for request in requests]

    def _result(self, request: CompletionRequest) -> Result:
        try:
            return self.complete(request)
        except LlmFailure as failure:
            return failure


def _json(said: Said) -> str:
    from pydantic_core import to_json

    return to_json(said).decode()
