"""``cuad-audit``: one command line for search, audit, standard, demo, server and what later stages add.

Exit codes: those of ``EXITS`` for every command, and what a command's own ``EXITS`` says more exactly or adds;
its ``--help`` shows both. argparse and not typer: `--help` then answers in a tenth of a second instead of
half of one.
"""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn

from pipeline import commands, version
from pipeline.base.errors import UsageError, run

EXITS = {0: "done", 1: "an error", 2: "a wrong call", 130: "interrupted (Ctrl-C)"}


class Version(argparse.Action):
    """``--version``, which looks the version up when it is asked for and not before."""

    def __init__(self, option_strings: Sequence[str], dest: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help="show the version and exit")

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        print(f"{parser.prog} {version()}")
        parser.exit()


def exit_codes(own: Mapping[int, str]) -> str:
    """What ``--help`` says of a command's exit codes."""
    lines = [f"  {code:<5} {means}" for code, means in sorted({**EXITS, **own}.items())]
    return "\n".join(["exit codes:", *lines])


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
        epilog=f"{exit_codes({})}\nsome commands have more: cuad-audit COMMAND --help",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action=Version)
    subparsers = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    names = sorted(item.name for item in pkgutil.iter_modules(commands.__path__) if not item.name.startswith("_"))
    chosen = [name for name in names if name.replace("_", "-") == only]
    for name in chosen or names:
        command = importlib.import_module(f"pipeline.commands.{name}")
        sub = subparsers.add_parser(
            name.replace("_", "-"),
            help=command.HELP,
            description=command.HELP,
            epilog=exit_codes(getattr(command, "EXITS", {})),
            formatter_class=argparse.RawDescriptionHelpFormatter,
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
