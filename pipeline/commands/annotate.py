"""cuad-audit annotate: add items, label them against the rubric, list disagreements, adjudicate, export."""

from __future__ import annotations

import argparse
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.base.errors import UsageError
from pipeline.commands import _inputs, _output

if TYPE_CHECKING:
    from pipeline.evaluation.annotate import Front
    from pipeline.evaluation.label_schema import Item

HELP = "add clauses, label them against the rubric, blind; list disagreements, write rulings, export references"
CONTRACTS = Path("data/raw/contracts.parquet")
SPANS = Path("data/raw/spans.parquet")
FAMILIES = Path("data/slice/contracts.parquet")
RUBRIC_VERSION = "1.1"


def arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, help_text in (
        ("add", "append a clause of a contract to the items, by its offsets or by a file of its words"),
        ("label", "give your opinion on what you have not labelled yet; you do not see the others'"),
        ("disagreements", "items on which annotators differ"),
        ("agreement", "percent, kappa and alpha with intervals"),
        ("adjudicate", "rule on items that two annotators have labelled and nobody has ruled on"),
        ("export", "the references in force, with their version, as JSON on stdout"),
        ("check", "validate every line of the label folder"),
    ):
        action = actions.add_parser(name, help=help_text, description=help_text)
        action.add_argument(
            "--labels", type=_inputs.user_path, metavar="DIR", help="label folder (default: params.yaml)"
        )
        if name == "add":
            action.add_argument("--title", required=True, metavar="TITLE", help="the contract's title")
            action.add_argument("--start", type=int, metavar="N", help="offset of the clause in characters")
            action.add_argument("--end", type=int, metavar="N", help="offset of its end, excluded")
            action.add_argument("--clause", type=_inputs.user_path, metavar="FILE", help="its words; - for stdin")
            action.add_argument("--id", dest="item_id", metavar="ID", help="the item's id (default: the next one)")
            for context in ("jurisdiction", "contract-role", "context"):
                action.add_argument(f"--{context}", metavar="TEXT", help="where it is known")
        if name == "label":
            action.add_argument("--as", dest="annotator", required=True, metavar="NAME", help="who you are")
        if name in ("label", "adjudicate"):
            action.add_argument("--item", action="append", metavar="ID", help="this item alone (more than once: these)")
        if name == "adjudicate":
            action.add_argument("--rubric-version", default=RUBRIC_VERSION, metavar="V")
        if name == "export":
            action.add_argument("--version", metavar="V", help="an older reference version")


def run(options: argparse.Namespace) -> int:
    from pipeline.base import params

    folder = Path(options.labels or params.load(("source.labels",)).source.labels)
    return globals()[f"_{options.action}"](options, folder)


def _add(options: argparse.Namespace, folder: Path) -> int:
    from pipeline.base.records import read_rows
    from pipeline.corpus.normalise import sha256
    from pipeline.evaluation.annotate import add_item, next_id, place_of
    from pipeline.evaluation.clauses import contract_texts
    from pipeline.evaluation.label_schema import Item
    from pipeline.evaluation.labels import load_items

    contract = contract_texts(CONTRACTS).get(options.title)
    family = {row["title"]: row["family"] for row in read_rows(FAMILIES, ("title", "family"))}.get(options.title)
    if contract is None or family is None:
        raise UsageError(
            f"no contract titled {options.title!r}", f"give a title of {CONTRACTS}, or run `dvc repro slice` for it"
        )
    text = None if options.clause is None else _inputs.read_text(options.clause).rstrip("\r\n")
    start, end = place_of(contract, text, options.start, options.end, options.clause)
    known = load_items(folder) if (folder / "items.jsonl").exists() else {}
    item = Item(
        item_id=options.item_id or next_id(list(known)),
        title=options.title,
        start=start,
        end=end,
        sha256=sha256(contract[start:end]),
        family=family,
        categories=tuple(
            sorted(
                row["category"]
                for row in read_rows(SPANS)
                if (row["title"], row["start"], row["end"]) == (options.title, start, end)
            )
        ),
        jurisdiction=options.jurisdiction,
        contract_role=options.contract_role,
        context=options.context,
    )
    print(f"{item.item_id} appended, {end - start} characters: {add_item(folder, item)}", file=sys.stderr)
    return 0


def _label(options: argparse.Namespace, folder: Path) -> int:
    from pipeline.evaluation.annotate import label, unlabelled
    from pipeline.evaluation.labels import load_items, load_opinions

    if not options.annotator.isidentifier():
        raise UsageError(f"--as {options.annotator!r}: not a plain name", "give letters and digits, as in --as C")
    items = load_items(folder)
    todo = chosen(unlabelled(items, load_opinions(folder, items), options.annotator), options.item, items)
    done = label(_front(), folder, options.annotator, todo, _texts(todo))
    print(f"{done} opinions appended to {folder}/annotations_{options.annotator}.jsonl", file=sys.stderr)
    return 0


def _adjudicate(options: argparse.Namespace, folder: Path) -> int:
    from pipeline.evaluation.annotate import adjudicate
    from pipeline.evaluation.label_schema import Adjudication
    from pipeline.evaluation.labels import load_items, load_opinions, read_lines

    items = load_items(folder)
    opinions = load_opinions(folder, items)
    path = folder / "adjudications.jsonl"
    ruled = {ruling.item_id for _, ruling in read_lines(path, Adjudication)} if path.exists() else set()
    twice = [item for item in items.values() if sum(item.item_id in mine for mine in opinions.values()) >= 2]
    # An item that is named may be ruled on again: the new ruling is appended and makes a new version.
    todo = chosen([item for item in twice if options.item or item.item_id not in ruled], options.item, items)
    done = adjudicate(_front(), folder, todo, opinions, _texts(todo), options.rubric_version)
    print(f"{done} rulings appended to {path}", file=sys.stderr)
    return 0


def _disagreements(_: argparse.Namespace, folder: Path) -> int:
    from pipeline.evaluation.agreement import disagreements
    from pipeline.evaluation.labels import load_items, load_opinions

    for row in disagreements(load_opinions(folder, load_items(folder))):
        _output.print_json(row, lines=True)
    return 0


def _agreement(_: argparse.Namespace, folder: Path) -> int:
    from pipeline.base import params
    from pipeline.evaluation.agreement import annotator_agreement
    from pipeline.evaluation.labels import load_labels

    _output.print_json(annotator_agreement(load_labels(folder), params.load(("evaluation",)).evaluation))
    return 0


def _export(options: argparse.Namespace, folder: Path) -> int:
    from pipeline.base.records import to_dict
    from pipeline.evaluation.labels import load_labels

    labels = load_labels(folder, options.version)
    _output.print_json({"version": labels.version, "samples": [to_dict(sample) for sample in labels.samples]})
    return 0


def _check(_: argparse.Namespace, folder: Path) -> int:
    from pipeline.evaluation.labels import load_labels

    labels = load_labels(folder)
    print(f"{len(labels.samples)} references, version {labels.version}; opinions: "
          f"{json.dumps({name: len(given) for name, given in labels.opinions.items()})}")  # fmt: skip
    return 0


def chosen(todo: list[Item], wanted: list[str] | None, items: dict[str, Item]) -> list[Item]:
    """``todo``, or what of it is named; an unknown name is an error."""
    unknown = [item_id for item_id in wanted or () if item_id not in items]
    if unknown:
        raise UsageError(f"no item {unknown[0]}", "look into items.jsonl")
    return [item for item in todo if not wanted or item.item_id in wanted]


def _texts(todo: list[Item]) -> dict[str, str]:
    from pipeline.corpus.normalise import sha256
    from pipeline.evaluation.clauses import contract_texts

    contracts = contract_texts(CONTRACTS)
    texts: dict[str, Any] = {item.item_id: contracts.get(item.title, "")[item.start : item.end] for item in todo}
    for item in todo:
        if sha256(texts[item.item_id]) != item.sha256:
            raise UsageError(
                f"{item.item_id}: its text is not in {CONTRACTS}", "run `dvc repro download` for its corpus"
            )
    return texts


def _front() -> Front:
    from pipeline.evaluation.annotate import Front

    def say(line: str) -> None:
        print(_output.printable(line))

    return Front(input, say, lambda: datetime.now(UTC).isoformat(timespec="seconds"))
