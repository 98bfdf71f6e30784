"""The Messages API through the official SDK: one attempt a call, decoded JSON out, ``ApiFault`` otherwise.

The SDK's own retries are off (it obeys ``retry-after`` without a cap); ``retry.py`` has ours. The SDK is
imported at the first call: it takes seconds, and a run that the cache answers never needs it. The key is
read by the SDK from the environment and kept nowhere else.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

from pipeline.base.types import FailureCause
from pipeline.llm.failures import NO_KEY, ApiFault, Fault, fault_of
from pipeline.llm.request import CompletionRequest, json_schema


def body_of(request: CompletionRequest) -> dict[str, Any]:
    """The request as parameters of ``messages.create``. The system text, the same for many requests, is
    marked for the provider's prompt cache."""
    from anthropic import transform_schema

    body: dict[str, Any] = {
        "model": request.model,
        "max_tokens": request.max_tokens,
        "messages": [{"role": "user", "content": _encodable(request.user)}],
    }
    if request.system:
        text = {"type": "text", "text": _encodable(request.system), "cache_control": {"type": "ephemeral"}}
        body["system"] = [text]
    output: dict[str, Any] = {}
    if request.schema is not None:
        output["format"] = {"type": "json_schema", "schema": transform_schema(json_schema(request.schema))}
    if request.effort:
        output["effort"] = request.effort
    if output:
        body["output_config"] = output
    return body


class AnthropicApi:
    """One SDK client, made at the first call and shared by threads."""

    def __init__(self, timeout_s: float, base_url: str | None = None) -> None:
        self._timeout_s = timeout_s
        self._base_url = base_url
        self._sdk: Any = None
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return "AnthropicApi()"

    def create(self, request: CompletionRequest) -> Any:
        """One message, as decoded JSON of any shape: see ``reply.read_message``."""
        body = body_of(request)
        return self._json(lambda sdk: sdk.messages.with_raw_response.create(**body))

    def create_batch(self, requests: dict[str, CompletionRequest]) -> Any:
        """A new batch, its requests named by the mapping's keys."""
        rows = [{"custom_id": name, "params": body_of(request)} for name, request in requests.items()]
        return self._json(lambda sdk: sdk.messages.batches.with_raw_response.create(requests=rows))

    def retrieve_batch(self, batch_id: str) -> Any:
        return self._json(lambda sdk: sdk.messages.batches.with_raw_response.retrieve(batch_id))

    def list_batches(self, after_id: str | None = None, limit: int = 100) -> Any:
        """A page of batches, newest first, from the one after ``after_id`` on."""
        page = {"limit": limit, **({"after_id": after_id} if after_id else {})}
        return self._json(lambda sdk: sdk.messages.batches.with_raw_response.list(**page))

    def batch_results(self, batch_id: str) -> list[Any]:
        """Every readable line of an ended batch's results, as decoded JSON; an unreadable line is left out,
        so that its request counts as unanswered and the others still count."""

        def read(sdk: Any) -> str:
            with sdk.messages.batches.with_streaming_response.results(batch_id) as response:
                return response.http_response.read().decode("utf-8", "replace")

        rows = []
        for line in self._attempt(read).split("\n"):
            try:
                rows.append(json.loads(line))
            except ValueError:
                continue
        return rows

    def _json(self, call: Callable[[Any], Any]) -> Any:
        content = self._attempt(lambda sdk: call(sdk).http_response.content)
        try:
            return json.loads(content)
        except (ValueError, RecursionError):
            pass
        raise ApiFault(Fault(FailureCause.INFRA_MALFORMED, "the response is not JSON", retry=True, worked=True))

    def _attempt(self, call: Callable[[Any], Any]) -> Any:
        fault: Fault | None = None
        try:
            sdk = self._client()
            if sdk is not None:
                return call(sdk)
        except Exception as error:
            fault = fault_of(error)
            if fault is None:
                raise
        # Raised out here, so that the SDK's exception (it carries the headers) is no context of it.
        raise ApiFault(fault or NO_KEY)

    def _client(self) -> Any:
        """The SDK's client, or None where no credential is to be found."""
        with self._lock:
            if self._sdk is None:
                import anthropic

                sdk = anthropic.Anthropic(base_url=self._base_url, timeout=self._timeout_s, max_retries=0)
                if sdk.api_key is None and sdk.auth_token is None and sdk.credentials is None:
                    return None
                self._sdk = sdk
        return self._sdk


def _encodable(text: str) -> str:
    """``text`` with lone surrogates, which no JSON request can carry, as U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
