"""The MCP server: ``search_clauses``, ``get_standard``, ``audit_clause`` and the citation checks over stdio.

stdout carries the protocol alone; progress and logs go to stderr. The SDK takes a good second to
import and index and model another, so these are loaded in a thread while the client shakes hands; a
call that comes too early waits for them. What the user can mend (no index, an empty clause) is a tool
error with its mend; whatever else goes wrong is logged on stderr and hidden from the client.
"""

# No `from __future__ import annotations` here: the SDK reads the tools' annotations as objects.
import functools
import gc
import inspect
import io
import json
import logging
import os
import re
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, create_model

from pipeline import version
from pipeline.base.errors import CuadAuditError
from pipeline.base.types import AuditResult
from pipeline.grounding.limits import CLAUSE_TYPE, MAX_K, checked_text

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

    from pipeline.grounding.engine import Engine
    from pipeline.standard import Standard

INSTRUCTIONS = """\
cuad-audit audits liability clauses against a company standard and answers only with evidence it can point at.
Abstaining is an answer. Relay these words as they are; do not retry, rephrase the clause or fill the gap yourself:
- `below_threshold: true` (search_clauses): the library holds nothing close enough to ground a verdict.
- `insufficient-grounding` (audit_clause): no verdict can be grounded; `failure_cause` says why.
- `escalate-infra` (audit_clause): a model call failed; nothing is known about the clause; a person has to look.
A verdict (`acceptable`, `risky`, `off-standard`) always comes with `citation`: give its contract and text with it.
The citation tools check a text of your own before you hand it over; `executed: false` means that a source could not
be asked and nothing is known.
This is a study standard and no legal advice."""

SEARCH = """\
Search the library of contract clauses for those that resemble a text, best first.
Returns hits with chunk_id, contract, offsets, text and score, and `below_threshold`: true means that the best
evidence would not carry a verdict on this text. That is an answer to relay word for word, not an error to retry."""

STANDARD = """\
The company standard for a clause type: its positions, their levels in words, and the clauses of public contracts
that each position was drawn from. A clause with a position that fails has no verdict; with one that is off it is
off-standard; with one that departs it is risky; otherwise, with one that meets, acceptable. An
unknown clause type is an error that lists the known."""

AUDIT = """\
Audit one contract clause against the standard. The verdict is `acceptable`, `risky` or `off-standard` only if it
cites retrieved evidence and every claim of its reason passed a faithfulness check; otherwise it is
`insufficient-grounding` (the evidence or the reading does not carry a verdict) or `escalate-infra` (a model call
failed, nothing is known about the clause), with `failure_cause`. Both are answers to relay word for word, not
errors to retry. Give one clause of at most 12,000 characters, not a whole contract."""

Query = Annotated[str, Field(strict=True, description="a clause, or words to look for")]
Clause = Annotated[str, Field(strict=True, description="the text of one clause")]
ClauseType = Annotated[str, Field(strict=True, description="which standard, e.g. liability")]
K = Annotated[
    int | None,
    Field(strict=True, ge=1, le=MAX_K, description=f"how many chunks, 1 to {MAX_K} (default: as configured)"),
]
#: How many wrong arguments an error names.
WRONG_SHOWN = 3


@dataclass(frozen=True)
class Hit:
    """A chunk of the library. Offsets are characters into the contract's text, ``end`` excluded."""

    rank: int
    score: float
    chunk_id: str
    contract: str
    start: int
    end: int
    text: str
    categories: list[str]


@dataclass(frozen=True)
class SearchAnswer:
    below_threshold: bool
    gate1_score: float
    gate1_threshold: float
    hits: list[Hit]


class Backstage:
    """Opens and loads the engine in a thread; ``engine()`` waits for it, or raises what went wrong."""

    def __init__(self, open_engine: Callable[[], "Engine"]) -> None:
        self._open = open_engine
        self._loaded: Future[Engine] = Future()

    def start(self) -> None:
        threading.Thread(target=self._load, name="load", daemon=True).start()

    def engine(self) -> "Engine":
        return self._loaded.result()

    def _load(self) -> None:
        started = time.monotonic()
        try:
            engine = self._open()
            if engine.place.demo:
                note("no index of `dvc repro` here; serving the sample index that `make demo` left")
            engine.load()
        except BaseException as error:
            note(f"not ready: {error}")
            self._loaded.set_exception(error)
        else:
            count = len(engine.searcher.library.chunks)
            note(f"ready: {count} clauses, loaded in {time.monotonic() - started:.1f} s")
            self._loaded.set_result(engine)


class Tools:
    """The tools as functions; their names, arguments and results are what clients see."""

    def __init__(self, backstage: Backstage) -> None:
        self._backstage = backstage

    def search_clauses(self, query: Query, k: K = None) -> SearchAnswer:
        query = checked_text(query, "query")  # before waiting for the engine
        found = self._backstage.engine().search(query, k)
        hits = [
            Hit(one.rank, one.score, at.chunk_id, at.title, at.start, at.end, at.text, list(at.categories))
            for one in found.hits
            for at in (one.chunk,)
        ]
        return SearchAnswer(found.below_threshold, found.gate1_score, found.gate1_threshold, hits)

    def get_standard(self, clause_type: ClauseType = CLAUSE_TYPE) -> "Standard":
        from pipeline.standard import load_standard

        return load_standard(clause_type)

    def audit_clause(self, clause: Clause, clause_type: ClauseType = CLAUSE_TYPE, k: K = None) -> AuditResult:
        clause = checked_text(clause, "clause")
        return self._backstage.engine().audit(clause, clause_type, k)


def build(backstage: Backstage) -> "MCPServer":
    """The server with its tools; nothing is loaded here but the SDK."""
    from mcp.server.mcpserver import MCPServer

    from pipeline.grounding.engine import find_place
    from pipeline.standard import Standard
    from pipeline.verification.mcp_tools import CheckTools, pipeline_registry

    tools = Tools(backstage)
    listed = [
        _tool(tools.search_clauses, SearchAnswer, "Search clauses", SEARCH),
        _tool(tools.get_standard, Standard, "Get the standard", STANDARD),
        _tool(tools.audit_clause, AuditResult, "Audit a clause", AUDIT),
    ]
    # The SDK's own handler draws every traceback in colour, which takes a second or two and holds up the other calls.
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    checks = CheckTools(lambda: pipeline_registry(find_place().root))
    listed += [_tool(function, dict[str, Any], title, description) for function, title, description in checks.listed()]
    return MCPServer(
        "cuad-audit",
        title="cuad-audit",
        instructions=INSTRUCTIONS,
        version=version(),
        tools=listed,
        log_level="WARNING",
    )


def _tool(function: Callable[..., Any], gives: type, title: str, description: str) -> Any:
    """The SDK's tool for ``function``, which returns a record of type ``gives``.

    Unknown arguments are refused, errors that a user can mend are passed on in one line, and the result goes out
    as structured content with the record's schema. (The SDK derives no schema from a slotted dataclass.)
    """
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp_types import CallToolResult, TextContent, ToolAnnotations

    adapter = TypeAdapter(gives)

    @functools.wraps(function)
    def guarded(*args: Any, **kwargs: Any) -> CallToolResult:
        try:
            result = function(*args, **kwargs)
        except CuadAuditError as error:
            raise ToolError(str(error)) from None
        text = adapter.dump_json(result).decode()
        return CallToolResult(content=[TextContent(text=text)], structured_content=json.loads(text))

    guarded.__signature__ = inspect.signature(function).replace(return_annotation=CallToolResult)
    annotations = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
    tool = _plain_tool().from_function(guarded, title=title, description=description, annotations=annotations)
    given = tool.fn_metadata.arg_model
    strict = create_model(given.__name__, __base__=given)
    strict.model_config = ConfigDict(**{**given.model_config, "extra": "forbid"})
    strict.model_rebuild(force=True)
    tool.fn_metadata.arg_model = strict
    tool.parameters = strict.model_json_schema(by_alias=True)
    tool.fn_metadata.output_schema = adapter.json_schema(mode="serialization")
    return tool


@functools.cache
def _plain_tool() -> type:
    """The SDK's tool, but for what it says of arguments that do not fit: pydantic's report has many lines, quotes
    the input and points at pydantic's site."""
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp.server.mcpserver.tools import Tool

    class PlainTool(Tool):
        async def run(self, arguments: dict[str, Any], context: Any, convert_result: bool = False) -> Any:
            try:
                return await super().run(arguments, context, convert_result)
            except ToolError as error:
                if not isinstance(error.__cause__, ValidationError):
                    raise
                problem = wrong_arguments(error.__cause__, self.parameters["properties"])
            raise ToolError(f"Error executing tool {self.name}: {problem}")

    return PlainTool


def wrong_arguments(error: ValidationError, known: Mapping[str, Mapping[str, Any]]) -> str:
    """One line that names each argument that does not fit (three at most) and the mend; ``known`` are the
    properties of the tool's schema, whose descriptions say what to give."""
    said: dict[str, str] = {}
    for one in error.errors(include_url=False, include_context=False, include_input=False):
        name = str(one["loc"][0])
        if name not in known:
            said.setdefault(name, f"unknown argument {name!r:.80}; this tool takes {', '.join(known)}")
        else:
            place = ".".join(map(str, one["loc"]))
            problem = "is missing" if one["type"] == "missing" else one["msg"].replace("Input should", "should")
            said.setdefault(name, f"argument {place} {problem}; give {known[name]['description']}")
    return "; ".join(list(said.values())[:WRONG_SHOWN])


class Complaining:
    """The stream of incoming messages, which answers what is no message (the SDK drops it in silence)
    with a JSON-RPC error of id null, and passes the rest on."""

    def __init__(self, incoming: Any, outgoing: Any) -> None:
        self._incoming = incoming
        self._outgoing = outgoing

    def __getattr__(self, name: str) -> Any:
        return getattr(self._incoming, name)

    def __aiter__(self) -> "Complaining":
        return self

    async def __aenter__(self) -> "Complaining":
        await self._incoming.__aenter__()
        return self

    async def __aexit__(self, *error: Any) -> bool | None:
        return await self._incoming.__aexit__(*error)

    async def __anext__(self) -> Any:
        while isinstance(item := await self._incoming.__anext__(), Exception):
            await self._outgoing.send(_complaint(item))
        return item


def _complaint(problem: Exception) -> Any:
    from mcp.shared.message import SessionMessage
    from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError

    parsed = isinstance(problem, ValidationError) and problem.errors()[0]["type"] != "json_invalid"
    error = (
        ErrorData(code=INVALID_REQUEST, message="not a JSON-RPC 2.0 message")
        if parsed
        else ErrorData(code=PARSE_ERROR, message="not JSON (or a lone surrogate in it)")
    )
    return SessionMessage(JSONRPCError(jsonrpc="2.0", id=None, error=error))


#: An id that is neither a number without a fraction nor a string: a first look, nested fields included.
_ODD_ID = re.compile(r'"id"\s*:\s*(?:[{\[ntf]|-?\d+[.eE])')
_NO_MESSAGE = "{}"


def with_sound_id(line: str) -> str:
    """``line``, or what is no message where its id is of a kind that JSON-RPC does not know (the SDK takes
    such a request for a notification and answers nothing)."""
    if not _ODD_ID.search(line):
        return line
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return line  # refused as what it is
    odd = isinstance(message, dict) and "id" in message and "method" in message
    return _NO_MESSAGE if odd and (type(message["id"]) not in (int, str)) else line


class Lines:
    """The lines of stdin; descriptor 0 is turned to the null device, so that nothing else reads from it."""

    def __init__(self) -> None:
        import anyio

        wire = os.fdopen(os.dup(0), "rb")
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.close(null)
        self._lines = anyio.wrap_file(io.TextIOWrapper(wire, encoding="utf-8", errors="replace"))

    async def __aiter__(self) -> AsyncIterator[str]:
        async for line in self._lines:
            yield with_sound_id(line)


async def serve(server: "MCPServer") -> None:
    """Serve until stdin ends; as ``run_stdio_async`` does, but for what is no message."""
    from mcp.server.stdio import stdio_server

    lowlevel = server._lowlevel_server
    lines: Any = Lines()
    async with stdio_server(lines) as (incoming, outgoing):
        complaining: Any = Complaining(incoming, outgoing)
        await lowlevel.run(complaining, outgoing, lowlevel.create_initialization_options())


def note(text: str) -> None:
    """One line of progress, on stderr."""
    print(f"cuad-audit: {text}", file=sys.stderr, flush=True)


def main() -> None:
    """Serve on stdin and stdout until the client goes away."""
    import anyio

    from pipeline.grounding.engine import open_engine

    gc.disable()  # collecting while thousands of classes are made costs a tenth of the start
    note("starting")
    backstage = Backstage(open_engine)
    server = build(backstage)
    gc.enable()
    gc.freeze()
    backstage.start()
    try:
        anyio.run(serve, server)
    except* (BrokenPipeError, ConnectionResetError):
        note("the client went away")
