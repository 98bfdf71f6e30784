"""A scripted fake of the Anthropic HTTP API on loopback: messages and batches, for the real SDK.

    with FakeAnthropic(lambda body: say({"verdict": "risky"})) as server:
        client = open_client(llm, folder, base_url=server.url)

A script answers each message (a function of the request's body, or a list of steps whose last one repeats);
the same script answers the requests inside a batch. ``before`` and ``after`` put steps in the place of an
endpoint's answer, before or after it has done its work. Everything received is kept in ``calls``; ``paid``
counts what would be charged.
"""

from __future__ import annotations

import itertools
import json
import re
import socket
import struct
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

MESSAGES = "POST /v1/messages"
BATCH_CREATE = "POST /v1/messages/batches"
BATCH_LIST = "GET /v1/messages/batches"
BATCH_GET = "GET /v1/messages/batches/ID"
BATCH_RESULTS = "GET /v1/messages/batches/ID/results"
CUSTOM_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")


@dataclass(frozen=True)
class Step:
    """What the server does with one request. ``cut``: reset the connection after so many bytes of the body;
    ``delay_s``: wait first; ``outcome``: how the request ends inside a batch."""

    status: int = 200
    body: bytes = b"{}"
    headers: tuple[tuple[str, str], ...] = ()
    delay_s: float = 0.0
    cut: int | None = None
    outcome: str = "succeeded"
    content_type: str = "application/json"


def say(
    said: Any,
    stop_reason: str | None = "end_turn",
    *,
    input_tokens: int = 100,
    output_tokens: int = 20,
    cache_write: int = 0,
    cache_read: int = 0,
    thinking: bool = False,
) -> Step:
    """A message: a string as it is, None for no content, anything else as JSON."""
    content: list[dict[str, Any]] = []
    if thinking:
        content.append({"type": "thinking", "thinking": "", "signature": "x"})
    if said is not None:
        text = said if isinstance(said, str) else json.dumps(said)
        content.append({"type": "text", "text": text, "citations": None})
    usage = {
        "input_tokens": input_tokens,
        "output_tokens": output_tokens,
        "cache_creation_input_tokens": cache_write,
        "cache_read_input_tokens": cache_read,
    }
    message = {
        "id": "msg_fake",
        "type": "message",
        "role": "assistant",
        "model": "fake",
        "content": content,
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "usage": usage,
    }
    return Step(body=json.dumps(message).encode())


def error(status: int, kind: str, message: str = "scripted", **headers: str) -> Step:
    """An HTTP error in the API's form; header names with ``_`` for ``-``. In a batch: an errored result."""
    body = {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_fake"}
    fields = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Step(status, json.dumps(body).encode(), fields, outcome="errored")


def rate_limited(retry_after: str | None = None) -> Step:
    headers = {} if retry_after is None else {"retry_after": retry_after}
    return error(429, "rate_limit_error", **headers)


def overloaded() -> Step:
    return error(529, "overloaded_error")


def server_error() -> Step:
    return error(500, "api_error")


def hang(seconds: float) -> Step:
    """Answers, but too late for a client with a shorter time-out."""
    return Step(say("late").status, say("late").body, delay_s=seconds)


def reset_mid_body() -> Step:
    step = say("cut in the middle of the body")
    return Step(body=step.body, cut=len(step.body) // 2)


def raw(body: bytes | Any, content_type: str = "application/json") -> Step:
    """A 200 with any body."""
    return Step(body=body if isinstance(body, bytes) else json.dumps(body).encode(), content_type=content_type)


def truncated_json() -> Step:
    body = say({"verdict": "risky"}).body
    return raw(body[: len(body) // 2])


def refusal() -> Step:
    return say(None, "refusal", output_tokens=1)


EXPIRED = Step(outcome="expired")
CANCELED = Step(outcome="canceled")


@dataclass(frozen=True)
class Call:
    route: str
    path: str
    headers: dict[str, str]
    body: Any


@dataclass
class Batch:
    id: str
    requests: list[dict[str, Any]]
    steps: dict[str, Step]
    polls: int = 0


def clean_environment(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    """A key to look for, and nothing of the machine's own configuration of the SDK or of proxies."""
    for name in ("ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "ANTHROPIC_PROFILE", "ANTHROPIC_CUSTOM_HEADERS"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ANTHROPIC_API_KEY", key)


@dataclass
class FakeAnthropic:
    """The server; a context manager. ``polls_until_end``: how often a batch is retrieved before it has ended.
    ``on_call`` sees every call before it is answered. ``before`` and ``after`` hold steps by route that take the
    place of an answer, before or after the work is done. ``archived``: batches whose results are gone."""

    script: Callable[[dict[str, Any]], Step] | Sequence[Step] = ()
    polls_until_end: int = 1
    on_call: Callable[[Call], None] | None = None
    calls: list[Call] = field(default_factory=list)
    paid: Counter[str] = field(default_factory=Counter)
    batches: dict[str, Batch] = field(default_factory=dict)
    archived: set[str] = field(default_factory=set)
    before: dict[str, list[Step]] = field(default_factory=lambda: defaultdict(list))
    after: dict[str, list[Step]] = field(default_factory=lambda: defaultdict(list))
    results_prefix: bytes = b""

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._said = itertools.count()
        self._ids = itertools.count(1)

    def __enter__(self) -> FakeAnthropic:
        fake = self

        class Handler(_Handler):
            server_fake = fake

        self._http = _Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._stop.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def count(self, route: str = MESSAGES) -> int:
        return sum(call.route == route for call in self.calls)

    def respond(self, call: Call) -> Step:
        if self.on_call is not None:
            self.on_call(call)
        with self._lock:
            self.calls.append(call)
            before = self.before[call.route]
            if before:
                return before.pop(0)
            if not (call.headers.get("authorization") or call.headers.get("x-api-key")):
                return error(401, "authentication_error", "no key")
            step = self._route(call)
            after = self.after[call.route]
            return after.pop(0) if after and step.status == 200 else step

    def wait(self, seconds: float) -> None:
        self._stop.wait(seconds)

    def _route(self, call: Call) -> Step:
        query = {name: values[0] for name, values in parse_qs(urlsplit(call.path).query).items()}
        parts = urlsplit(call.path).path.split("/")
        if call.route == MESSAGES:
            if problem := _invalid(call.body):
                return error(400, "invalid_request_error", problem)
            step = self._say(call.body)
            if step.status == 200:
                self.paid[json.dumps(call.body["messages"])] += 1
            return step
        if call.route == BATCH_CREATE:
            return self._create(call.body)
        if call.route == BATCH_LIST:
            return self._list(query)
        batch = self.batches.get(parts[4]) if len(parts) > 4 else None
        if batch is None:
            return error(404, "not_found_error", "no such thing")
        if call.route == BATCH_RESULTS:
            return self._results(batch)
        batch.polls += 1
        return raw(self._public(batch))

    def _say(self, body: dict[str, Any]) -> Step:
        if callable(self.script):
            return self.script(body)
        return self.script[min(next(self._said), len(self.script) - 1)]

    def _create(self, body: Any) -> Step:
        requests = body.get("requests") if isinstance(body, dict) else None
        if not requests:
            return error(400, "invalid_request_error", "requests: none")
        names = [request.get("custom_id", "") for request in requests]
        if len(set(names)) < len(names) or not all(CUSTOM_ID.fullmatch(name) for name in names):
            return error(400, "invalid_request_error", "custom_id: not unique or not of the form")
        steps: dict[str, Step] = {}
        for request in requests:
            problem = _invalid(request["params"])
            step = error(400, "invalid_request_error", problem) if problem else self._say(request["params"])
            steps[request["custom_id"]] = step
            if step.outcome == "succeeded":
                self.paid[request["custom_id"]] += 1
        batch = Batch(f"msgbatch_{next(self._ids):04d}", requests, steps)
        self.batches[batch.id] = batch
        return raw(self._public(batch))

    def _list(self, query: dict[str, str]) -> Step:
        newest_first = list(reversed(self.batches.values()))
        if after := query.get("after_id"):
            places = [place for place, batch in enumerate(newest_first) if batch.id == after]
            newest_first = newest_first[places[0] + 1 :] if places else []
        page = newest_first[: int(query.get("limit", "20"))]
        rows = [self._public(batch) for batch in page]
        more = len(page) < len(newest_first)
        ends = {"first_id": rows[0]["id"] if rows else None, "last_id": rows[-1]["id"] if rows else None}
        return raw({"data": rows, "has_more": more, **ends})

    def _ended(self, batch: Batch) -> bool:
        return batch.polls >= self.polls_until_end

    def _public(self, batch: Batch) -> dict[str, Any]:
        ended = self._ended(batch)
        counts = dict.fromkeys(("canceled", "errored", "expired", "processing", "succeeded"), 0)
        for step in batch.steps.values():
            outcome = step.outcome if ended else "processing"
            counts[outcome] = counts.get(outcome, 0) + 1
        shown = ended and batch.id not in self.archived
        return {
            "id": batch.id,
            "type": "message_batch",
            "processing_status": "ended" if ended else "in_progress",
            "request_counts": counts,
            "created_at": "2020-01-01T00:00:00Z",
            "expires_at": "2020-01-02T00:00:00Z",
            "ended_at": "2020-01-01T01:00:00Z" if ended else None,
            "archived_at": None,
            "cancel_initiated_at": None,
            "results_url": f"{self.url}/v1/messages/batches/{batch.id}/results" if shown else None,
        }

    def _results(self, batch: Batch) -> Step:
        if not self._ended(batch):
            return error(400, "invalid_request_error", "not ended")
        lines = []
        for name, step in reversed(batch.steps.items()):  # in another order than they were asked
            result: dict[str, Any] = {"type": step.outcome}
            if step.outcome == "errored":
                result["error"] = json.loads(step.body)
            line = {"custom_id": name, "result": result}
            if step.outcome == "succeeded":
                # Put in as bytes, so that a body that is not JSON spoils its own line.
                text = json.dumps(line)[:-2].encode() + b', "message": ' + step.body + b"}}"
            else:
                text = json.dumps(line).encode()
            lines.append(text + b"\n")
        return raw(self.results_prefix + b"".join(lines), "application/x-jsonl")


def _invalid(body: Any) -> str:
    """What the API would refuse in a message's parameters; empty if nothing."""
    if not isinstance(body, dict):
        return "not an object"
    if not isinstance(body.get("model"), str) or "unknown" in body["model"]:
        return "model: unknown"
    if not isinstance(body.get("max_tokens"), int) or body["max_tokens"] < 1:
        return "max_tokens: not a positive number"
    if not body.get("messages") or not all(message.get("content") for message in body["messages"]):
        return "messages: empty"
    known = {"model", "max_tokens", "messages", "system", "output_config"}
    if unknown := set(body) - known:
        return f"unexpected: {sorted(unknown)}"
    form = body.get("output_config", {}).get("format")
    if form is not None and (form.get("type") != "json_schema" or "schema" not in form):
        return "output_config.format: not a json_schema"
    return _open_object(form["schema"]) if form else ""


def _open_object(schema: Any) -> str:
    """Structured output takes only objects that name their keys and allow no other."""
    if isinstance(schema, list):
        return next(filter(None, map(_open_object, schema)), "")
    if not isinstance(schema, dict):
        return ""
    if schema.get("type") == "object" and (schema.get("additionalProperties") is not False or not schema["properties"]):
        return "output_config.format.schema: an object has to name its properties and allow no other"
    return _open_object(list(schema.values()))


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def handle_error(self, *args: object) -> None:
        """A client that goes away is part of the play."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # one packet for head and body, or every call waits for a delayed acknowledgement
    disable_nagle_algorithm = True
    server_fake: FakeAnthropic

    def _serve(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        data = self.rfile.read(length)
        path = urlsplit(self.path).path
        route = f"{self.command} " + re.sub("(/batches)/[^/]+", r"\1/ID", path)
        headers = {name.lower(): value for name, value in self.headers.items()}
        step = self.server_fake.respond(Call(route, self.path, headers, json.loads(data) if data else None))
        if step.delay_s:
            self.server_fake.wait(step.delay_s)
        self.send_response(step.status)
        self.send_header("content-type", step.content_type)
        self.send_header("content-length", str(len(step.body)))
        for name, value in step.headers:
            self.send_header(name, value)
        self.end_headers()
        if step.cut is None:
            self.wfile.write(step.body)
            return
        self.wfile.write(step.body[: step.cut])
        self.wfile.flush()
        # Closing with a zero linger resets the connection instead of ending it.
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True

    do_GET = do_POST = _serve

    def log_message(self, *args: object) -> None:
        pass
