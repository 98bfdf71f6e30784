"""cuad-audit compare: two runs on the same labelled items, item by item."""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.base.errors import UsageError
from pipeline.commands import _inputs, _output

if TYPE_CHECKING:
    from pipeline.evaluation.compare import Comparison

HELP = "compare two runs item by item: differences, tests, and what flipped"
OUTCOMES = "data/verdicts/outcomes.parquet"
FLIPS_SHOWN = 20
_RUN_ID = re.compile(r"[0-9a-f]{32}")


def arguments(parser: argparse.ArgumentParser) -> None:
    what = "a folder or outcomes.parquet, a DVC experiment or git revision, or an MLflow run id; `.` is the workspace"
    parser.add_argument("first", metavar="A", type=_named, help=what)
    parser.add_argument("second", metavar="B", type=_named, nargs="?", help="the same; differences are B minus A")
    parser.add_argument("--all", action="store_true", help=f"show every flip, not the first {FLIPS_SHOWN}")
    _inputs.json_argument(parser)


def _named(given: str) -> str:
    """A path absolute, because the command changes to the repository later; anything else as it is."""
    return str(Path(given).absolute()) if given != "." and Path(given).exists() else given


def run(options: argparse.Namespace) -> int:
    from pipeline.base import params
    from pipeline.evaluation.compare import compare

    if options.second is None:
        raise UsageError(f"{options.first} alone: nothing to compare it with", "give two runs, as in: compare HEAD .")
    settings = params.load(("evaluation",)).evaluation
    found = compare(outcomes(options.first), outcomes(options.second), settings)
    if options.json:
        _output.print_json(asdict(found))
    else:
        show(found, options.first, options.second, None if options.all else FLIPS_SHOWN)
    return 0


def outcomes(name: str) -> list[dict[str, Any]]:
    """The outcome rows of a run, wherever it is kept; ``UsageError`` where there is none of that name, or
    what is there are no outcomes."""
    for path in (Path(name), Path(name) / OUTCOMES, Path(name) / "outcomes.parquet", Path(name) / "outcomes.json"):
        if path.is_file():
            return checked(read_table(path), str(path))
    if _RUN_ID.fullmatch(name):
        return checked(_from_mlflow(name), name)
    return checked(_from_dvc(name), name)


def checked(rows: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    """``rows``, if they have every column that a comparison reads."""
    from pipeline.evaluation.compare import NEEDED

    missing = [column for column in NEEDED if rows and column not in rows[0]]
    if missing:
        raise UsageError(f"{name}: no outcomes (no column {missing[0]})", f"name a run, or its {OUTCOMES}")
    return rows


def read_table(path: Path) -> list[dict[str, Any]]:
    """Rows of a Parquet table, or of a table as MLflow keeps it (``columns`` and ``data``)."""
    from pipeline.base.records import read_rows

    try:
        if path.suffix == ".json":
            table = json.loads(path.read_text(encoding="utf-8"))
            return [dict(zip(table["columns"], row, strict=True)) for row in table["data"]]
        return read_rows(path)
    except (ValueError, KeyError, TypeError) as error:  # pyarrow's ArrowInvalid is a ValueError
        why = f"{type(error).__name__}: {error}"
        raise UsageError(f"{path}: not a table of outcomes ({why})", f"name a run, or its {OUTCOMES}") from None


def _from_mlflow(run_id: str) -> list[dict[str, Any]]:
    from pipeline import tracking

    with tempfile.TemporaryDirectory() as folder:
        return read_table(tracking.download_table(run_id, "outcomes.json", Path(folder)))


def _from_dvc(revision: str) -> list[dict[str, Any]]:
    import dvc.api
    from dvc.exceptions import DvcException
    from scmrepo.exceptions import SCMError

    try:
        with dvc.api.open(OUTCOMES, rev=revision, mode="rb") as file:
            data = file.read()
    except (DvcException, SCMError, OSError) as error:
        if Path(revision).is_dir():
            raise UsageError(f"{revision}: no {OUTCOMES} in it", "run `dvc repro` there, or `dvc pull`") from None
        raise UsageError(
            f"no run named {revision!r} ({error})",
            "give a folder, a revision whose outcomes are in the DVC cache, an experiment of `dvc exp show`, or an "
            "MLflow run id",
        ) from None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "outcomes.parquet"
        path.write_bytes(data)
        return read_table(path)


def _line(measure: dict[str, Any]) -> str:
    if not measure["n"]:
        return "no item"
    difference, test = measure["difference"], measure["mcnemar"]
    interval = (
        f"{difference['value']:+.3f} [{difference['low']:+.3f}, {difference['high']:+.3f}]"
        if difference["value"] is not None
        else "too few families for an interval"
    )
    return (
        f"A {measure['first']}, B {measure['second']} of {measure['n']}; {interval}; only A {test['only_first']}, "
        f"only B {test['only_second']}, p {test['p_value']:.2g} (Holm {test['p_holm']:.2g})"
    )


def show(found: Comparison, first: str, second: str, most: int | None) -> None:
    """The comparison for people."""
    from rich.text import Text

    out = _output.console()
    unpaired = f", {found.unpaired} in one run alone" if found.unpaired else ""
    out.print(f"A {first}, B {second}: {found.paired} items{unpaired}, reference {found.reference_version}")
    for name, measure in found.measures.items():
        out.print(Text(f"  {name:<24}{_line(measure)}"))
    out.print(Text(f"\nitems flipped: {len(found.flips)}", "bold"))
    for flip in found.flips[:most]:
        critical = ", critical" if flip["critical"] else ""
        out.print(
            Text(f"\n{flip['item_id']}: {flip['kind'].replace('_', ' ')}{critical}; allowed {flip['allowed_verdicts']}")
        )
        for side, label in (("first", "A"), ("second", "B")):
            said = _output.printable(" ".join(str(flip[f"{side}_reason"]).split()))
            out.print(Text(f"  {label} {flip[f'{side}_verdict']} ({flip[f'{side}_failure_cause']}): {said}"))
    if most is not None and len(found.flips) > most:
        out.print(Text(f"\n{len(found.flips) - most} more: --all shows them", "dim"))
