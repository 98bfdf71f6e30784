"""Adversarial clauses: own-written clauses with a trap each, and what a careful reader may say of them.

    python -m pipeline.grounding.adversarial

prints how the reader of the standard does on them. ``tuning`` clauses are there to mend by; ``held_out``
ones were written, with their verdicts, before anything was mended, and are only counted.

A finding is *allowed* (one of the verdicts that the rubric leaves), *abstained* (``insufficient-grounding``
where that is not allowed), *too strict* or *too mild* (a verdict worse or better than every allowed one),
or *infra*. Of a critical clause it matters most that it is never called acceptable.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from pipeline.base import records
from pipeline.base.errors import CuadAuditError, run
from pipeline.base.types import ANSWERS, Verdict
from pipeline.standard import read_clause

FILE = Path(__file__).resolve().parents[2] / "data" / "adversarial" / "clauses.jsonl"
Split = Literal["tuning", "held_out"]
Finding = Literal["allowed", "abstained", "too_strict", "too_mild", "infra"]
#: From mild to severe.
_SEVERITY = {verdict: rank for rank, verdict in enumerate(ANSWERS)}
Text = Annotated[str, Field(min_length=1, pattern=r"\S")]


class AdversarialClause(BaseModel):
    """``allowed``: every verdict that the rubric leaves open, the preferred one first; ``critical``: one
    side's liability for ordinary breach is unlimited or wholly excluded; ``trap``: what may mislead."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    id: Annotated[str, Field(pattern=r"^[a-z]\d{2}$")]
    clause: Text
    allowed: Annotated[tuple[Verdict, ...], Field(min_length=1)]
    critical: bool
    trap: Text
    pattern: Annotated[str, Field(pattern=r"^[a-z_]+$")]
    split: Split

    @model_validator(mode="after")
    def _fits(self) -> AdversarialClause:
        if self.critical and Verdict.ACCEPTABLE in self.allowed:
            raise ValueError("a critical clause allows acceptable")
        if Verdict.ESCALATE_INFRA in self.allowed or len(set(self.allowed)) < len(self.allowed):
            raise ValueError("allowed is a set of verdicts that an auditor may give")
        return self


def load_clauses(path: Path = FILE) -> list[AdversarialClause]:
    """The clauses of ``path`` (JSON lines); ``CuadAuditError`` names the line that is none."""
    clauses: list[AdversarialClause] = []
    for number, row in enumerate(records.read_jsonl(path), start=1):
        try:
            clause = AdversarialClause.model_validate_json(json.dumps(row))
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(str(part) for part in first["loc"])
            why = f"{place}: {first['msg']}".removeprefix(": ")
            raise CuadAuditError(f"{path}: line {number}: no adversarial clause ({why})", "mend that line") from None
        if any(clause.id == other.id for other in clauses):
            raise CuadAuditError(f"{path}: line {number}: {clause.id} stands twice", "give every clause its own id")
        clauses.append(clause)
    return clauses


def finding(clause: AdversarialClause, verdict: Verdict) -> Finding:
    """What ``verdict`` is for that clause."""
    if verdict is Verdict.ESCALATE_INFRA:
        return "infra"
    if verdict in clause.allowed:
        return "allowed"
    if verdict is Verdict.INSUFFICIENT_GROUNDING:
        return "abstained"
    answers = [_SEVERITY[one] for one in clause.allowed if one in _SEVERITY]
    # Where only abstaining is allowed every verdict says too much; "acceptable" misleads the most.
    milder = _SEVERITY[verdict] < min(answers) if answers else verdict is Verdict.ACCEPTABLE
    return "too_mild" if milder else "too_strict"


def rows_of(clauses: Iterable[AdversarialClause], verdicts: Mapping[str, Verdict]) -> list[dict[str, Any]]:
    """One flat row a clause; ``verdicts`` maps the text of each clause to what was said of it."""
    return [
        {
            "id": one.id,
            "split": one.split,
            "pattern": one.pattern,
            "critical": one.critical,
            "allowed_verdicts": " ".join(one.allowed),
            "verdict": verdicts[one.clause].value,
            "finding": finding(one, verdicts[one.clause]),
        }
        for one in clauses
    ]


def counts(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Findings by split and pattern, zeros included, of ``rows_of``. ``critical`` counts the verdicts that
    critical clauses were given."""

    def part(some: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
        some = list(some)
        found = Counter(row["finding"] for row in some)
        said = Counter(row["verdict"] for row in some if row["critical"])
        return {
            "n": len(some),
            **{name: found[name] for name in get_args(Finding)},
            "critical": {"n": said.total(), **{verdict.value: said[verdict] for verdict in Verdict}},
        }

    return {
        "splits": {name: part(row for row in rows if row["split"] == name) for name in get_args(Split)},
        "patterns": {
            name: part(row for row in rows if row["pattern"] == name) for name in sorted({r["pattern"] for r in rows})
        },
    }


def main() -> None:
    clauses = load_clauses()
    rows = rows_of(clauses, {one.clause: read_clause(one.clause).verdict for one in clauses})
    for name, part in counts(rows)["splits"].items():
        critical = part.pop("critical")
        print(f"{name:9}", *(f"{key} {value}" for key, value in part.items()))
        print(f"{'critical':>9}", *(f"{key} {value}" for key, value in critical.items()))


if __name__ == "__main__":
    run(main)
