"""cuad-audit standard: what a clause is held against."""

from __future__ import annotations

import argparse

from pipeline.commands import _inputs, _output

HELP = "show the standard: positions, levels, and the clauses they were drawn from"


def arguments(parser: argparse.ArgumentParser) -> None:
    _inputs.clause_type_argument(parser)
    _inputs.json_argument(parser)


def run(options: argparse.Namespace) -> None:
    from pipeline.standard import load_standard

    standard = load_standard(options.clause_type)
    if options.json:
        from pipeline.base.records import to_dict

        _output.print_json(to_dict(standard))
        return
    from rich.text import Text

    out = _output.console()
    out.print(Text(standard.text()))
    out.print(Text("\nDrawn from", "bold"))
    for source in standard.provenance:
        out.print(Text(f"{source.title} [{source.start}:{source.end}] ({', '.join(source.positions)})"))
        out.print(Text(f"  {source.shows}"))
