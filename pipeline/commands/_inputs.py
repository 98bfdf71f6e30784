"""What commands share on the way in: paths, clauses, JSONL of clauses."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from pathlib import Path
from typing import NamedTuple

from pipeline.base.errors import UsageError
from pipeline.grounding.limits import CLAUSE_TYPE, MAX_K, checked_text

FIELDS = ("id", "text", "exclude_family")


class ClauseLine(NamedTuple):
    id: str
    text: str
    exclude_family: str | None


def user_path(given: str) -> str:
    """``-``, or an absolute path: the command changes to the repository later."""
    return given if given == "-" else str(Path(given).expanduser().absolute())


def engine_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--k", type=whole_number, metavar="N", help=f"evidence chunks, 1 to {MAX_K} (default: params.yaml)"
    )
    parser.add_argument("--threshold", type=share, metavar="X", help="gate-1 threshold, 0 to 1 (default: params.yaml)")


def clause_type_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--clause-type", default=CLAUSE_TYPE, metavar="TYPE", help=f"which standard (default: {CLAUSE_TYPE})"
    )


def json_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="JSON on stdout, for pipes")


def share(given: str) -> float:
    with contextlib.suppress(ValueError):
        if 0 <= (number := float(given)) <= 1:  # refuses nan as well
            return number
    raise argparse.ArgumentTypeError(f"{given!r} is not a number from 0 to 1")


def whole_number(given: str) -> int:
    with contextlib.suppress(ValueError):
        if 1 <= (number := int(given)) <= MAX_K:
            return number
    raise argparse.ArgumentTypeError(f"{given!r} is not a whole number from 1 to {MAX_K}")


def read_text(path: str) -> str:
    """The text of a file, or of stdin for ``-``; ``UsageError`` where there is none."""
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}", "give a file that can be read, or - for stdin") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{_shown(path)}: not UTF-8 text (byte {error.start})", "save it as UTF-8") from None


def read_clauses(path: str) -> list[ClauseLine]:
    """Every line of a JSONL file of clauses, checked before any work is done; blank lines are skipped."""
    lines: list[ClauseLine] = []
    first: dict[str, int] = {}  # the line that an id stands in
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if line.strip():
            try:
                lines.append(_clause_line(line))
                known = first.setdefault(lines[-1].id, number)
                if known != number:
                    raise UsageError(
                        f"the id {lines[-1].id!r} stands in line {known} too", "give every clause its own id"
                    )
            except UsageError as error:
                raise UsageError(f"{_shown(path)}:{number}: {error.problem}", error.mend) from None
    if not lines:
        raise UsageError(f"{_shown(path)}: no clause in it", 'give one JSON object a line: {"id": ..., "text": ...}')
    return lines


def _clause_line(line: str) -> ClauseLine:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"not JSON ({error})", "mend that line") from None
    if not isinstance(row, dict):
        raise UsageError("not a JSON object", 'give {"id": ..., "text": ...}')
    unknown = sorted(set(row) - set(FIELDS))
    if unknown:
        raise UsageError(f"unknown field {unknown[0]!r}", f"give {', '.join(FIELDS)}")
    for name in ("id", "text"):
        if not isinstance(row.get(name), str) or not row[name]:
            raise UsageError(f"{name} is not a text", f"give {name} as a string")
    family = row.get("exclude_family")
    if family is not None and not isinstance(family, str):
        raise UsageError("exclude_family is not a text", "give a contract family or leave it out")
    checked_text(row["text"], "clause")
    return ClauseLine(row["id"], row["text"], family)


def _shown(path: str) -> str:
    return "stdin" if path == "-" else path
