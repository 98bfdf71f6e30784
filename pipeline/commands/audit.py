"""cuad-audit audit: one clause, or many as JSONL."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from pipeline.base.errors import UsageError
from pipeline.commands import _inputs, _output

if TYPE_CHECKING:
    from pipeline.grounding.engine import Engine

HELP = "audit a clause: a verdict with its evidence, or an abstention"
EXITS = {
    _output.VERDICT: "a verdict",
    _output.ABSTAINED: "an abstention",
    _output.INFRA: "a model call failed (infra)",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", nargs="?", type=_inputs.user_path, metavar="FILE", help="the clause as text; - for stdin"
    )
    parser.add_argument(
        "--jsonl",
        type=_inputs.user_path,
        metavar="FILE",
        help="many clauses, one JSON object a line: id, text, optionally exclude_family (a contract family to keep "
        "out of the evidence); one result a line, in order",
    )
    parser.add_argument("--exclude-family", metavar="NAME", help="a contract family to keep out of the evidence")
    _inputs.clause_type_argument(parser)
    _inputs.engine_arguments(parser)
    _inputs.json_argument(parser)


def run(options: argparse.Namespace) -> int:
    if (options.file is None) == (options.jsonl is None):
        raise UsageError("audit takes a FILE or --jsonl FILE", "give one of them; - is stdin")
    if options.jsonl is not None:
        return _many(options)
    from pipeline.base.records import to_dict
    from pipeline.grounding.limits import checked_text

    clause = checked_text(_inputs.read_text(options.file), "clause")
    engine = _open(options)
    _note_unknown(engine, [options.exclude_family])
    result = engine.audit(clause, options.clause_type, exclude_family=options.exclude_family)
    if options.json:
        _output.print_json(to_dict(result))
    else:
        _output.show(result)
    return _output.exit_code(result)


def _many(options: argparse.Namespace) -> int:
    from concurrent.futures import ThreadPoolExecutor

    from tqdm import tqdm

    from pipeline.base.records import to_dict

    if options.exclude_family:
        raise UsageError("--exclude-family goes with one clause", "write exclude_family into the lines")
    lines = _inputs.read_clauses(options.jsonl)
    engine = _open(options).load()
    _note_unknown(engine, [line.exclude_family for line in lines])
    codes = set()
    # A bar where somebody looks at it and results do not scroll through it.
    hidden = not sys.stderr.isatty() or sys.stdout.isatty()
    asks_a_model = any(agent.identity.model for agent in engine.agents)
    with ThreadPoolExecutor(engine.settings.llm.concurrency if asks_a_model else 1) as pool:
        results = pool.map(
            lambda line: engine.audit(line.text, options.clause_type, exclude_family=line.exclude_family), lines
        )
        try:
            for line, result in zip(
                lines, tqdm(results, "audit", len(lines), unit="clause", disable=hidden), strict=True
            ):
                codes.add(_output.exit_code(result))
                _output.print_json({"id": line.id, **to_dict(result)}, lines=True)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)  # nobody waits for the rest
            raise
    if _output.INFRA in codes:
        return _output.INFRA
    return _output.VERDICT if _output.VERDICT in codes else _output.ABSTAINED


def _note_unknown(engine: Engine, families: list[str | None]) -> None:
    """Say which families to keep out are not in the library: a name that is misspelt keeps nothing out."""
    asked = sorted({family for family in families if family is not None})
    if asked:
        known = set(engine.searcher.library.families)
        for family in (one for one in asked if one not in known):
            print(f"note: no family {family!r} in the library; nothing is kept out for it", file=sys.stderr)


def _open(options: argparse.Namespace) -> Engine:
    """The engine, its standard known and its index found, before anything is loaded."""
    from pipeline.grounding.engine import open_engine

    engine = open_engine(options.threshold, options.k)
    engine.standard(options.clause_type)
    if engine.place.demo:
        print("note: no index of `dvc repro` here; using the sample index that `make demo` left", file=sys.stderr)
    return engine
