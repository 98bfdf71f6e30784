"""Two runs on the same labelled items, item by item: differences, tests, and what flipped.

Conventions: a difference is *second minus first*; an item on which a measure does not apply to either
run is left out of that measure and counted; the interval is the cluster bootstrap over contract
families, McNemar's test is exact, and Holm's step-down is over the measures. Runs that were scored
against different reference versions are not compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pipeline.base.errors import CuadAuditError
from pipeline.base.params import Evaluation
from pipeline.base.types import Verdict
from pipeline.evaluation.statistics import difference, holm, mcnemar, sign_flip

Row = Mapping[str, Any]
Measure = Callable[[Row], bool | None]


def flag(name: str) -> Measure:
    """A yes-or-no column as a measure; None where it does not apply."""
    return lambda row: None if row[name] is None else bool(row[name])


def _unless_infra(counts: Callable[[Row], bool]) -> Measure:
    return lambda row: None if row["outcome"] == "infra" else counts(row)


def critical_recall(row: Row) -> bool | None:
    """A critical item called high; anything else is a missed recall, an abstention too."""
    called = _critical(row)
    return called == "high" if called else None


#: Measures of outcome tables (data/verdicts/outcomes.parquet).
OUTCOME_MEASURES: dict[str, Measure] = {
    "allowed_verdict": _unless_infra(
        lambda row: row["outcome"] == "justified_abstention" or row["verdict_allowed"] is True
    ),
    "preferred_verdict": _unless_infra(lambda row: row["verdict"] == row["reference_verdict"]),
    "coverage": _unless_infra(lambda row: row["outcome"] == "answered"),
    "unjustified_abstention": _unless_infra(lambda row: row["outcome"] == "unjustified_abstention"),
    "critical_recall": critical_recall,
    "citation_valid": flag("citation_valid"),
}


@dataclass(frozen=True, slots=True)
class Comparison:
    """``measures`` and ``flips`` as plain JSON values; ``unpaired`` items stand in one run alone."""

    paired: int
    unpaired: int
    reference_version: str
    measures: dict[str, dict[str, Any]]
    flips: list[dict[str, Any]]


def compare(
    first: Sequence[Row],
    second: Sequence[Row],
    settings: Evaluation,
    measures: Mapping[str, Measure] = OUTCOME_MEASURES,
) -> Comparison:
    """Pair the rows by item and compare. Raises CuadAuditError where nothing or unlike things are paired."""
    one, two = by_item(first), by_item(second)
    both = [item_id for item_id in one if item_id in two]
    if not both:
        raise CuadAuditError("the two runs have no item in common", "compare runs on the same labels")
    versions = {rows[item_id]["reference_version"] for rows in (one, two) for item_id in both}
    if len(versions) > 1:
        raise CuadAuditError(
            f"the runs were scored against different reference versions ({', '.join(sorted(versions))})",
            "score both against one: run `dvc repro` with the same source.labels",
        )
    pairs = [(one[item_id], two[item_id]) for item_id in both]
    tables = {name: _measured(pairs, measure, settings) for name, measure in measures.items()}
    tested = {name: table["mcnemar"]["p_value"] for name, table in tables.items() if table["n"]}
    for name, adjusted in holm(tested).items():
        tables[name]["mcnemar"]["p_holm"] = adjusted
    flips = [flip for a, b in pairs if (flip := _flip(a, b, measures))]
    return Comparison(
        paired=len(both),
        unpaired=len(one) + len(two) - 2 * len(both),
        reference_version=versions.pop(),
        measures=tables,
        flips=sorted(flips, key=lambda flip: (SERIOUS.index(flip["kind"]), flip["item_id"])),
    )


def by_item(rows: Sequence[Row]) -> dict[str, Row]:
    """Rows by their item; CuadAuditError where an item stands twice: which of them is the run's?"""
    found: dict[str, Row] = {}
    for row in rows:
        if row["item_id"] in found:
            raise CuadAuditError(f"item {row['item_id']} stands twice in a run", "compare tables of one run each")
        found[row["item_id"]] = row
    return found


def _measured(pairs: Sequence[tuple[Row, Row]], measure: Measure, settings: Evaluation) -> dict[str, Any]:
    values = [(measure(a), measure(b), a["family"]) for a, b in pairs]
    kept = [(bool(a), bool(b), family) for a, b, family in values if a is not None and b is not None]
    if not kept:
        return {"n": 0, "left_out": len(values)}
    first, second, families = (list(column) for column in zip(*kept, strict=True))
    return {
        "n": len(kept),
        "left_out": len(values) - len(kept),
        "first": sum(first),
        "second": sum(second),
        "difference": asdict(difference(second, first, families, settings, bounds=(0.0, 1.0))),
        "mcnemar": asdict(mcnemar(first, second)),
        "sign_flip_p": sign_flip(second, first, families, settings),
    }


#: The columns of an outcome table that a comparison reads.
NEEDED = (
    "item_id", "family", "critical", "critical_called", "reference_version", "reference_verdict", "allowed_verdicts",
    "outcome", "verdict", "verdict_allowed", "citation_valid", "failure_cause", "reason",
)  # fmt: skip
#: Kinds of flips, the gravest first. A critical *miss* is a call that is not high: to abstain from a critical
#: item recalls nothing either, but it lets nobody think that all is well.
SERIOUS = (
    "new_critical_miss", "critical_miss_in_both", "new_critical_abstention", "allowed_critical_abstention",
    "critical_miss_mended", "critical_abstention_mended", "new_wrong", "mended", "other",
)  # fmt: skip
#: What of an output stands in a flip, where the table has it.
SHOWN = ("outcome", "verdict", "failure_cause", "findings", "reason")


def _flip(first: Row, second: Row, measures: Mapping[str, Measure]) -> dict[str, Any] | None:
    """An item that the two runs answer differently, with both outputs side by side."""
    if (first["verdict"], first["outcome"]) == (second["verdict"], second["outcome"]):
        return None
    return {
        "item_id": first["item_id"],
        "kind": _kind(first, second, measures),
        "critical": bool(first["critical"]),
        "family": first["family"],
        "allowed_verdicts": first["allowed_verdicts"],
        **{
            f"{side}_{name}": row[name]
            for side, row in (("first", first), ("second", second))
            for name in SHOWN
            if name in row
        },
    }


def _kind(first: Row, second: Row, measures: Mapping[str, Measure]) -> str:
    was, now = _critical(first), _critical(second)
    if now == "miss":
        return "critical_miss_in_both" if was == "miss" else "new_critical_miss"
    if now == "abstained":
        allowed = Verdict.INSUFFICIENT_GROUNDING.value in second["allowed_verdicts"].split()
        return "allowed_critical_abstention" if allowed else "new_critical_abstention"
    if now == "high" and was in ("miss", "abstained"):
        return "critical_miss_mended" if was == "miss" else "critical_abstention_mended"
    right = measures["allowed_verdict"]
    was_right, is_right = right(first), right(second)
    if was_right is None or is_right is None or was_right == is_right:
        return "other"
    return "new_wrong" if was_right else "mended"


def _critical(row: Row) -> str:
    """``high``, ``miss`` or ``abstained``; empty where the item is not critical or its call failed."""
    called = row["critical_called"]
    return called if called in ("", "high", "abstained") else "" if called == "infra" else "miss"
