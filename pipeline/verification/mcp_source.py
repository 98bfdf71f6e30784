"""A source behind an MCP server: started over stdio and asked through the SDK's own client.

The client runs on a thread of its own and is opened at the first question. A server that cannot be
started, dies, answers too late or answers with something else than a tool result makes the source
unavailable, for good: a check never waits for a dead server twice.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import json
import logging
import os
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pipeline.verification.grammar import Citation
from pipeline.verification.sources import Found, SourceUnavailable

if TYPE_CHECKING:
    from pipeline.verification.goal import McpSource as Settings

MAX_TEXT = 2_000_000


class McpSource:
    """Finds any citation through the one tool that the goal record names. Threads: one caller at a time."""

    def __init__(self, settings: Settings) -> None:
        self.name = settings.name
        self.settings = settings
        self._stack = contextlib.ExitStack()
        self._portal: Any = None
        self._client: Any = None
        self._stop: Any = None
        self._dead = ""
        #: Called with the number of each question before it is put: tests end the server there.
        self.before_call: Callable[[int], None] = lambda _number: None
        self._calls = 0

    def knows(self, citation: Citation) -> bool:
        return not citation.problem

    def lookup(self, citation: Citation) -> Found | None:
        """Ask the server; ``None`` where it says that there is no such source."""
        lookup = self.settings.lookup
        result = self._call(lookup.tool, {lookup.argument: citation.key})
        said = "\n".join(getattr(block, "text", "") for block in result.content)
        if result.is_error:
            if re.search(lookup.not_found, said):
                return None
            raise SourceUnavailable(f"the tool {lookup.tool} failed: {said[:200]}")
        return self._found(citation, result.structured_content, said)

    def _found(self, citation: Citation, structured: Any, said: str) -> Found | None:
        value = _json(said) if structured is None else structured
        value = value.get("result", value) if isinstance(value, dict) else value
        if isinstance(value, list):
            value = value[0] if value else None
        if isinstance(value, dict):
            if value.get("executed") is False:
                raise SourceUnavailable(f"{self.name} could not ask its own sources")
            text = value.get(self.settings.lookup.text)
            if value.get("found") is False or text in (None, ""):
                return None
            fields = value.get("fields") if isinstance(value.get("fields"), dict) else {}
            named = {str(k): str(v) for k, v in fields.items()}
            title, date = str(value.get("title", "")), str(value.get("date", ""))
            return Found(citation.key, self.name, str(text)[:MAX_TEXT], named, title, date)
        text = value if isinstance(value, str) else said
        # A server without structured results says in words that it has nothing.
        if not text.strip() or (len(text) < 200 and re.search(self.settings.lookup.not_found, text)):
            return None
        return Found(citation.key, self.name, text[:MAX_TEXT])

    def find(self, query: str, limit: int) -> list[Found]:  # noqa: ARG002
        """A server offers no search by this protocol."""
        return []

    def _call(self, tool: str, arguments: dict[str, Any]) -> Any:
        if self._dead:
            raise SourceUnavailable(self._dead)
        try:
            if self._client is None:
                self._open()
            self._calls += 1
            self.before_call(self._calls)
            return self._portal.call(self._ask, tool, arguments)
        except SourceUnavailable:
            raise
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt | SystemExit):
                raise
            # Whatever the SDK raises here (a closed stream, a time-out, a protocol error, a group of them)
            # means one thing: this server cannot be asked.
            self._dead = f"MCP server {self.settings.command[0]!r}: {_reason(error)}"
            raise SourceUnavailable(self._dead) from None

    async def _ask(self, tool: str, arguments: dict[str, Any]) -> Any:
        import anyio

        with anyio.fail_after(self.settings.timeout_s):
            return await self._client.call_tool(tool, arguments)

    def _open(self) -> None:
        import anyio
        from anyio.from_thread import start_blocking_portal
        from mcp import Client, StdioServerParameters
        from mcp.client.stdio import stdio_client

        logging.getLogger("mcp").setLevel(logging.CRITICAL)
        program, *rest = self.settings.command
        quiet = self._stack.enter_context(open(os.devnull, "w"))  # noqa: PTH123, SIM115
        transport = stdio_client(StdioServerParameters(command=program, args=rest, env=self.settings.env), quiet)
        client = Client(transport, read_timeout_seconds=self.settings.timeout_s)
        portal = self._stack.enter_context(start_blocking_portal())
        ready: concurrent.futures.Future[None] = concurrent.futures.Future()

        async def session() -> None:
            # One task enters and leaves the client, as its cancel scopes demand.
            self._stop = anyio.Event()
            async with client:
                tools = [tool.name for tool in (await client.list_tools()).tools]
                if self.settings.lookup.tool not in tools:
                    raise LookupError(f"no tool {self.settings.lookup.tool!r}; it offers {', '.join(sorted(tools))}")
                ready.set_result(None)
                await self._stop.wait()

        task = portal.start_task_soon(session)
        self._stack.callback(self._end, portal, task)
        concurrent.futures.wait([ready, task], self.settings.timeout_s, concurrent.futures.FIRST_COMPLETED)
        if task.done():
            task.result()
        if not ready.done():
            raise TimeoutError(f"no answer within {self.settings.timeout_s:g} s of its start")
        self._client, self._portal = client, portal

    def _end(self, portal: Any, task: concurrent.futures.Future[None]) -> None:
        with contextlib.suppress(Exception):
            if self._client is None:
                task.cancel()
            else:
                portal.call(self._stop.set)
            concurrent.futures.wait([task], 10)

    def close(self) -> None:
        """End the server; what it says while dying is of no account."""
        stack, self._stack = self._stack, contextlib.ExitStack()
        self._dead = self._dead or "closed"
        with contextlib.suppress(Exception):
            stack.close()
        self._client = self._portal = None


def _json(said: str) -> Any:
    """What a tool without structured results wrote: JSON if it is some, else ``None``."""
    try:
        return json.loads(said)
    except (ValueError, RecursionError):
        return None


def _reason(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    said = " ".join(str(error).split())[:200]
    return f"{type(error).__name__}{f': {said}' if said else ''}"
