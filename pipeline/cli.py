"""``cuad-audit``: one command line for search, audit, standard, demo, server and what later stages add.

Exit codes: 0 a verdict or what was asked for, 1 an error, 2 a wrong call, 3 an abstention, 4 a failed
model call, 130 interrupted. argparse and not typer: `--help` then answers in a tenth of a second
instead of half of one.
"""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import sys
from collections.abc import Sequence
from pathlib import Path

from pipeline import commands
from pipeline.errors import UsageError, run

EXIT_CODES = "exit codes: 0 verdict, 1 error, 2 wrong call, 3 abstained, 4 model call failed (infra)"


def find_root() -> Path:
    """The repository to work in: CUAD_AUDIT_ROOT, the current folder if it is one, or the one that this
    package stands in; else the current folder."""
    if given := os.environ.get("CUAD_AUDIT_ROOT"):
        if not (Path(given) / "params.yaml").is_file():
            raise UsageError(f"CUAD_AUDIT_ROOT={given}: no params.yaml there", "name the root of a clone, or unset it")
        return Path(given)
    for folder in (Path.cwd(), Path(__file__).resolve().parents[1]):
        if (folder / "params.yaml").is_file():
            return folder
    return Path.cwd()


def parser(only: str | None = None) -> argparse.ArgumentParser:
    """The parser of every command; with ``only`` naming one, of that one alone, so that the others'
    modules are not read for nothing."""
    top = argparse.ArgumentParser(
        prog="cuad-audit",
        description="Audit contract clauses against a standard, with evidence or not at all.",
        epilog=EXIT_CODES,
    )
    subparsers = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    names = sorted(item.name for item in pkgutil.iter_modules(commands.__path__) if not item.name.startswith("_"))
    chosen = [name for name in names if name.replace("_", "-") == only]
    for name in chosen or names:
        command = importlib.import_module(f"pipeline.commands.{name}")
        sub = subparsers.add_parser(
            name.replace("_", "-"), help=command.HELP, description=command.HELP, epilog=EXIT_CODES
        )
        command.arguments(sub)
        sub.set_defaults(run=command.run)
    return top


def execute(arguments: Sequence[str] | None = None) -> int | None:
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    options = parser(arguments[0] if arguments else None).parse_args(
        arguments
    )  # paths that a user gives are made absolute here ...
    os.chdir(find_root())  # ... because everything else is relative to the repository
    return options.run(options)


def main() -> None:
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="replace")
    run(execute)


if __name__ == "__main__":
    main()
