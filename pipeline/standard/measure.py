"""How well the reader reads: its answers against adjudicated labels.

    python -m pipeline.standard.measure LABELS_DIR CONTRACTS

``LABELS_DIR`` holds ``items.jsonl`` and ``adjudications.jsonl``; ``CONTRACTS`` is the Parquet table
(title, text) that ``download`` writes, or an archive's JSON in SQuAD form.

Conventions: *allowed-verdict match* counts a verdict that is among the reference's allowed ones, over
all items; a clause is *auditable* where the allowed verdicts hold one other than
``insufficient-grounding``, and *covered* where the reader gives such an answer; macro-F1 of a position
is over the levels that occur in the reference; a *critical* clause is caught where the band is high.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.base import errors, records
from pipeline.base.types import POSITIONS, Band, Verdict
from pipeline.standard.extractors import extractor


@dataclass(frozen=True, slots=True)
class Measured:
    """Counts first; a rate whose denominator is nought is nought."""

    n: int
    match: int
    auditable: int
    covered: int
    critical: int
    critical_high: int
    confusion: Mapping[str, Mapping[tuple[str, str], int]]
    misses: tuple[str, ...]

    def f1(self, position: str) -> float:
        return macro_f1(self.confusion[position])


def macro_f1(confusion: Mapping[tuple[str, str], int]) -> float:
    """Mean F1 over the levels that occur in the reference; keys are (reference, reading)."""
    levels = sorted({reference for reference, _ in confusion})
    scores = []
    for level in levels:
        hit = confusion.get((level, level), 0)
        said = sum(n for (_, reading), n in confusion.items() if reading == level)
        true = sum(n for (reference, _), n in confusion.items() if reference == level)
        scores.append(2 * hit / (said + true) if said + true else 0.0)
    return sum(scores) / len(scores) if scores else 0.0


def measure(pairs: Sequence[tuple[Mapping[str, Any], str]], clause_type: str = "liability") -> Measured:
    """``pairs``: adjudicated label and the clause's text."""
    read = extractor(clause_type)
    counts: Counter[str] = Counter()
    confusion: dict[str, Counter[tuple[str, str]]] = {position: Counter() for position in POSITIONS}
    misses = []
    for label, text in pairs:
        reading = read(text)
        allowed = [row["verdict"] for row in label["allowed_verdicts"]]
        auditable = any(verdict != Verdict.INSUFFICIENT_GROUNDING for verdict in allowed)
        wrong = [p for p in POSITIONS if label["positions"][p] != reading.level(p)]
        for position in POSITIONS:
            confusion[position][(label["positions"][position], reading.level(position).value)] += 1
        counts["match"] += reading.verdict in allowed
        counts["auditable"] += auditable
        counts["covered"] += auditable and reading.verdict != Verdict.INSUFFICIENT_GROUNDING
        counts["critical"] += label["critical"]
        counts["critical_high"] += label["critical"] and reading.band is Band.HIGH
        if wrong or reading.verdict not in allowed:
            detail = " ".join(f"{p}:{label['positions'][p]}>{reading.level(p).value}" for p in wrong)
            mark = "" if reading.verdict in allowed else " VERDICT"
            misses.append(f"{label['item_id']} {'/'.join(allowed)} > {reading.verdict.value}{mark} {detail}")
    keys = ("match", "auditable", "covered", "critical", "critical_high")
    return Measured(len(pairs), *(counts[key] for key in keys), confusion, tuple(misses))


def load_pairs(labels: Path, contracts: Path) -> list[tuple[dict[str, Any], str]]:
    """The ruling in force on each clause, the last, with the clause's text, checked against its digest."""
    texts = load_texts(contracts)
    items = {item["item_id"]: item for item in records.read_jsonl(labels / "items.jsonl")}
    in_force = {label["item_id"]: label for label in records.read_jsonl(labels / "adjudications.jsonl")}
    pairs = []
    for label in in_force.values():
        item = items[label["item_id"]]
        if item["title"] not in texts:
            raise errors.CuadAuditError(f"{item['item_id']}: no contract {item['title']}", f"look into {contracts}")
        text = texts[item["title"]][item["start"] : item["end"]]
        if records.sha256(text) != item["sha256"]:
            raise errors.CuadAuditError(f"{item['item_id']}: the text has another sha256", "derive contracts again")
        pairs.append((label, text))
    return pairs


def load_texts(contracts: Path) -> dict[str, str]:
    if contracts.suffix == ".json":
        archive = json.loads(contracts.read_text(encoding="utf-8"))
        return {row["title"]: row["paragraphs"][0]["context"] for row in archive["data"]}
    return {row["title"]: row["text"] for row in records.read_rows(contracts, ("title", "text"))}


def render(measured: Measured, verbose: bool = False) -> str:
    def rate(count: int, n: int) -> str:
        return f"{count}/{n} = {count / n:.3f}" if n else f"{count}/0"

    lines = [
        f"allowed-verdict match  {rate(measured.match, measured.n)}",
        f"coverage of auditable  {rate(measured.covered, measured.auditable)}",
        "macro-F1 by position   " + "  ".join(f"{p} {measured.f1(p):.3f}" for p in POSITIONS),
        f"critical called high   {rate(measured.critical_high, measured.critical)}",
    ]
    for position in POSITIONS:
        cells = sorted(measured.confusion[position].items())
        lines.append(f"{position}  " + "  ".join(f"{a}>{b} {n}" for (a, b), n in cells))
    if verbose:
        lines += ["", *measured.misses]
    return "\n".join(lines)


def main() -> int:
    arguments = [argument for argument in sys.argv[1:] if argument != "-v"]
    if len(arguments) != 2:
        raise errors.UsageError(
            "two arguments are wanted", "python -m pipeline.standard.measure LABELS_DIR CONTRACTS [-v]"
        )
    print(render(measure(load_pairs(*map(Path, arguments))), "-v" in sys.argv))
    return 0


if __name__ == "__main__":
    errors.run(main)
