"""What a target returns: structured findings on one clause, as any reviewer of contracts could give them.

A *target* is anything that reviews a clause: an auditor's recorded verdict, a keyword list, a model.
Its raw output is plain JSON, checked against :class:`Finding` by the schema scorer; offsets are
characters into the contract's text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, Protocol, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from pipeline.evaluation.labels import Sample
from pipeline.evaluation.outcomes import band_of
from pipeline.types import ANSWERS, AuditResult, Band, FailureCause, Level, Verdict


class RiskType(StrEnum):
    UNLIMITED = "unlimited"
    EXCLUSION = "exclusion"
    ONE_SIDED = "one-sided"
    CEILING = "ceiling"
    CARVE_OUT = "carve-out"
    NOTICE = "notice"
    OTHER = "other"


class Span(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    start: Annotated[int, Field(ge=0)]
    end: int
    text: Annotated[str, Field(min_length=1)]

    @model_validator(mode="after")
    def _length(self) -> Self:
        if self.end - self.start != len(self.text):
            raise ValueError(f"offsets {self.start} to {self.end} do not fit a text of {len(self.text)} characters")
        return self


class Finding(BaseModel):
    """One risk found. ``citation`` names the evidence that it rests on, where the target cites any."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    span: Span
    risk_type: RiskType
    risk_band: Band
    reason: Annotated[str, Field(min_length=1)]
    recommendation: Annotated[str, Field(min_length=1)]
    citation: str | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """A sample with the text it needs: the whole contract, so that a span can be checked where it stands."""

    sample: Sample
    contract: str

    @property
    def clause(self) -> str:
        return self.contract[self.sample.start : self.sample.end]


@dataclass(frozen=True, slots=True)
class Output:
    """What a target said: raw findings, an abstention with its ``reason``, or a ``failure`` (infra).
    ``latency_s`` is None where it was not measured."""

    findings: Sequence[Mapping[str, Any]] = field(default_factory=tuple)
    abstained: bool = False
    reason: str = ""
    failure: FailureCause | None = None
    cost_usd: float = 0.0
    latency_s: float | None = None


class Target(Protocol):
    """``name`` is for people and reports; no scorer ever sees it."""

    name: str

    def review(self, case: Case) -> Output: ...


def parse(output: Output) -> tuple[Finding, ...] | str:
    """The findings, or what is wrong with the first that is not one."""
    found = []
    for number, raw in enumerate(output.findings, start=1):
        try:
            found.append(Finding.model_validate(raw))
        except ValidationError as error:
            first = error.errors()[0]
            return f"finding {number}: {'.'.join(map(str, first['loc']))}: {first['msg']}"
    return tuple(found)


#: A target that speaks in bands alone implies these verdicts.
VERDICT_OF = {Band.LOW: Verdict.ACCEPTABLE, Band.MEDIUM: Verdict.RISKY, Band.HIGH: Verdict.OFF_STANDARD}
_ORDER = (Band.LOW, Band.MEDIUM, Band.HIGH)


def overall(findings: Sequence[Finding]) -> Finding | None:
    """The finding that decides: the first of the highest band."""
    return max(findings, key=lambda finding: _ORDER.index(finding.risk_band), default=None)


class RecordedTarget:
    """An auditor's results, already decided, as a target."""

    def __init__(self, name: str, results: Mapping[str, AuditResult], latency_s: Mapping[str, float | None]) -> None:
        self.name = name
        self._results = results
        self._latency = latency_s

    def review(self, case: Case) -> Output:
        item_id = case.sample.item_id
        result, latency = self._results[item_id], self._latency[item_id]
        cost = result.usage.cost_usd
        if result.verdict is Verdict.ESCALATE_INFRA:
            return Output(failure=result.failure_cause, cost_usd=cost, latency_s=latency)
        if result.verdict not in ANSWERS:
            return Output(abstained=True, reason=result.reason, cost_usd=cost, latency_s=latency)
        finding = {
            "span": {"start": case.sample.start, "end": case.sample.end, "text": case.clause},
            "risk_type": risk_type(result).value,
            "risk_band": band_of(result.verdict).value,
            "reason": result.reason,
            "recommendation": recommendation(result),
            "citation": result.citation.chunk_id if result.citation else None,
        }
        return Output(findings=(finding,), cost_usd=cost, latency_s=latency)


def risk_type(result: AuditResult) -> RiskType:
    """The kind of risk that the positions of a verdict show, the gravest first."""
    level = {name: reading.level for name, reading in result.positions.items()}
    for position, levels, kind in (
        ("P2", (Level.OFF,), RiskType.UNLIMITED),
        ("P6", (Level.OFF,), RiskType.CARVE_OUT),
        ("P4", (Level.OFF,), RiskType.EXCLUSION),
        ("P1", (Level.OFF, Level.DEPARTS), RiskType.ONE_SIDED),
        ("P2", (Level.DEPARTS,), RiskType.CEILING),
        ("P3", (Level.DEPARTS,), RiskType.CEILING),
        ("P4", (Level.DEPARTS,), RiskType.EXCLUSION),
        ("P6", (Level.DEPARTS,), RiskType.CARVE_OUT),
    ):
        if level.get(position) in levels:
            return kind
    return RiskType.OTHER


def recommendation(result: AuditResult) -> str:
    """What to do, from the positions alone."""
    worst = [name for name, reading in sorted(result.positions.items()) if reading.level in (Level.OFF, Level.DEPARTS)]
    return f"Bring {', '.join(worst)} to the standard." if worst else "Accept as it stands."
