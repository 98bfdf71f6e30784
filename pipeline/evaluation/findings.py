"""What a target returns: structured findings on one clause, as any reviewer of contracts could give them.

A *target* is anything that reviews a clause: an auditor's recorded verdict, a keyword list, a model.
Its raw output is plain JSON, checked against :class:`Finding` by the schema scorer; offsets are
characters into the contract's text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, Protocol, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from pipeline.base.types import ANSWERS, AuditResult, Band, ClaimCheck, FailureCause, Level, PositionReading, Verdict
from pipeline.evaluation.labels import Sample
from pipeline.evaluation.locate import locate
from pipeline.standard import Standard, rules, verdict_of


class RiskType(StrEnum):
    """The position of the standard that a risk belongs to, or what lies outside of it."""

    MUTUALITY = "P1"
    CEILING_BASIS = "P2"
    CEILING_LEVEL = "P3"
    INDIRECT_LOSS = "P4"
    SELF_CONTAINED = "P5"
    CARVE_OUTS = "P6"
    NOTICE = "notice"
    OTHER = "other"


class Span(BaseModel):
    """A stretch of the contract: offsets and the very words that stand there."""

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
    """One risk found. ``span`` is where it shows, ``also`` where else; ``citation`` names the evidence that
    it rests on, where the target cites any."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    span: Span
    risk_type: RiskType
    risk_band: Band
    reason: Annotated[str, Field(min_length=1)]
    recommendation: Annotated[str, Field(min_length=1)]
    citation: str | None = None
    also: tuple[Span, ...] = ()

    @property
    def spans(self) -> tuple[Span, ...]:
        return (self.span, *self.also)


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
    """What a target said: raw findings, an abstention, or a ``failure`` (infra). ``reason`` is the reason
    of the whole; empty where those of the findings are all there is. ``latency_s`` is None where it was
    not measured."""

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
    """An auditor's results, already decided, as a target: one finding for each position that it found."""

    def __init__(
        self,
        name: str,
        results: Mapping[str, AuditResult],
        latency_s: Mapping[str, float | None],
        standard: Standard,
    ) -> None:
        self.name = name
        self._results = results
        self._latency = latency_s
        self._standard = standard

    def review(self, case: Case) -> Output:
        item_id = case.sample.item_id
        result, latency = self._results[item_id], self._latency[item_id]
        cost = result.usage.cost_usd
        if result.verdict is Verdict.ESCALATE_INFRA:
            return Output(failure=result.failure_cause, cost_usd=cost, latency_s=latency)
        abstained = result.verdict not in ANSWERS
        findings = () if abstained else position_findings(case, result, self._standard)
        return Output(findings, abstained, result.reason, cost_usd=cost, latency_s=latency)


_POSITION = re.compile(r"\bP[1-6]\b")


def position_findings(case: Case, result: AuditResult, standard: Standard) -> tuple[dict[str, Any], ...]:
    """The findings of a verdict, by position: those that the clause speaks to. P5, without which there is
    no verdict at all, is none. The gravest band is the verdict's, because a verdict follows from its
    positions (``grounding.structure`` sees to it)."""
    checks = result.faithfulness.claims if result.faithfulness else ()
    return tuple(
        _finding(case, result, name, reading, _claims(name, checks), standard)
        for name, reading in sorted(result.positions.items())
        if reading.level is not Level.SILENT and name != RiskType.SELF_CONTAINED
    )


def _finding(
    case: Case,
    result: AuditResult,
    name: str,
    reading: PositionReading,
    claims: Sequence[ClaimCheck],
    standard: Standard,
) -> dict[str, Any]:
    spans = [_span(case, words) for words in reading.words] or [_span(case, case.clause)]
    cited = result.citation.chunk_id if result.citation else None
    return {
        "span": spans[0],
        "also": spans[1:],
        "risk_type": name,
        "risk_band": band_at(reading.level).value,
        "reason": " ".join(check.claim for check in claims)
        or f"{name} {reading.level.value}: {standard.level_text(name, reading.level)}.",
        "recommendation": recommendation(name, reading.level, standard),
        "citation": cited if any(check.against == cited for check in claims) else None,
    }


def _span(case: Case, words: str) -> dict[str, Any]:
    """Where words stand in the contract. Words that the clause does not hold keep their text and the
    clause's beginning, and the span scorer finds them out. What is missing in a clause cannot be quoted:
    without words it is the whole clause."""
    found = locate(words, case.clause)
    start, end = found or (0, len(words))
    offset = case.sample.start
    return {"start": offset + start, "end": offset + end, "text": case.clause[start:end] if found else words}


def _claims(name: str, checks: Sequence[ClaimCheck]) -> list[ClaimCheck]:
    """The claims on a position: those that name it, and those that name none."""
    named = [(check, set(_POSITION.findall(check.claim))) for check in checks]
    return [check for check, positions in named if name in positions or not positions]


def band_at(level: Level) -> Band:
    """The band of one position alone: that of the verdict which would follow if nothing else were said."""
    return rules.band_of(verdict_of({"P1": level, "P5": Level.MEETS}))


def recommendation(name: str, level: Level, standard: Standard) -> str:
    """What to do about a position, in the standard's words."""
    if level is Level.MEETS:
        return "Accept as it stands."
    return f"Bring it to the standard: {standard.level_text(name, Level.MEETS)}."
