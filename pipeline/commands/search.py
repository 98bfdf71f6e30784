"""cuad-audit search: the library's clauses that resemble a text."""

from __future__ import annotations

import argparse
import sys

from pipeline.commands import _inputs, _output

HELP = "search the library of clauses"
EXITS = {
    _output.VERDICT: "found",
    _output.ABSTAINED: "below the threshold: nothing found would carry a verdict",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", metavar="QUERY", help="a clause, or words to look for; - for stdin")
    _inputs.engine_arguments(parser)
    _inputs.json_argument(parser)


def run(options: argparse.Namespace) -> int:
    from pipeline.grounding.engine import open_engine
    from pipeline.grounding.limits import checked_text

    query = checked_text(_inputs.read_text("-") if options.query == "-" else options.query, "query")
    engine = open_engine(options.threshold, options.k)
    if engine.place.demo:
        print("note: no index of `dvc repro` here; using the sample index that `make demo` left", file=sys.stderr)
    found = engine.search(query)
    if options.json:
        from pipeline.base.records import to_dict

        _output.print_json({**to_dict(found), "below_threshold": found.below_threshold})
    else:
        _show(found)
    return _output.ABSTAINED if found.below_threshold else _output.VERDICT


def _show(found) -> None:
    from rich.text import Text

    out = _output.console()
    for hit in found.hits:
        chunk = hit.chunk
        title = f"{hit.rank}. {_output.printable(chunk.title)} [{chunk.start}:{chunk.end}]"
        out.print(Text.assemble((title, "bold"), (f"  {chunk.chunk_id}  {hit.score:.4f}", "dim")))
        out.print(Text(_output.printable(" ".join(chunk.text.split())) + "\n"))
    gate = f"gate 1 {found.gate1_score:.3f} against {found.gate1_threshold:.3f}"
    said = ": below the threshold, not evidence enough for a verdict" if found.below_threshold else ""
    out.print(Text(f"{gate}{said}", "bold cyan" if found.below_threshold else "dim"))
