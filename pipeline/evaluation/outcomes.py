"""What became of one labelled item: answer, abstention (justified or not), or infra.

Convention: the three never mix. *infra* knows nothing about the clause and takes part in no rate but
its own. An *abstention* is justified where ``insufficient-grounding`` is among the allowed verdicts,
whatever its cause. An *answer* is right where it is among the allowed verdicts; where it is exactly
the preferred one is counted apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import TYPE_CHECKING

from pipeline.base.types import ANSWERS, POSITIONS, AuditResult, Band, FailureCause, Verdict
from pipeline.standard import rules

if TYPE_CHECKING:
    from pipeline.evaluation.labels import Sample


class Outcome(StrEnum):
    ANSWERED = "answered"
    JUSTIFIED_ABSTENTION = "justified_abstention"
    UNJUSTIFIED_ABSTENTION = "unjustified_abstention"
    INFRA = "infra"


@dataclass(frozen=True, slots=True)
class OutcomeRow:
    """One item, flat, for the table that two runs are compared by.

    ``verdict_allowed``, ``verdict_preferred`` and ``band_allowed`` are None where there is no answer.
    ``citation_valid`` is None where nothing is cited. ``open_verdict`` is what would have been said
    with gate 1 open (threshold minus infinity): the risk–coverage curve ranks those by ``gate1_score``.
    ``levels_right`` counts the positions P1–P6 whose level is the reference's; None without an answer
    by the auditor.
    """

    item_id: str
    title: str
    start: int
    end: int
    family: str
    kinds: str
    critical: bool
    reference_version: str
    reference_verdict: str
    allowed_verdicts: str
    allowed_bands: str
    outcome: str
    failure_cause: str
    verdict: str
    band: str
    verdict_allowed: bool | None
    verdict_preferred: bool | None
    band_allowed: bool | None
    critical_called: str
    citation_chunk: str
    citation_valid: bool | None
    claims: int
    claims_supported: int
    gate1_score: float
    gate1_threshold: float
    open_verdict: str
    open_allowed: bool | None
    auditor_verdict: str
    levels: str
    levels_right: int | None
    cost_usd: float
    latency_s: float | None
    reason: str


def band_of(verdict: Verdict) -> Band | None:
    """The band that an answer implies by the rubric; an abstention and infra leave it unfixed: None."""
    return rules.band_of(verdict) if verdict in ANSWERS else None


def outcome_of(sample: Sample, result: AuditResult) -> Outcome:
    if result.verdict is Verdict.ESCALATE_INFRA:
        return Outcome.INFRA
    if result.verdict in ANSWERS:
        return Outcome.ANSWERED
    return Outcome.JUSTIFIED_ABSTENTION if sample.reference.abstention_allowed else Outcome.UNJUSTIFIED_ABSTENTION


def critical_called(sample: Sample, result: AuditResult) -> str:
    """What a critical item was called: a band, ``abstained`` or ``infra``; empty for other items."""
    if not sample.reference.critical:
        return ""
    if result.verdict is Verdict.ESCALATE_INFRA:
        return "infra"
    band = band_of(result.verdict)
    return band.value if band else "abstained"


def outcome_row(
    sample: Sample,
    result: AuditResult,
    open_result: AuditResult,
    evidence: Mapping[str, str],
    contracts: Mapping[str, str],
    *,
    auditor_verdict: str,
    auditor_levels: Mapping[str, str],
    latency_s: float | None = None,
) -> OutcomeRow:
    """``result`` at the threshold, ``open_result`` with gate 1 open; ``evidence`` maps every retrieved
    chunk id to its family, ``contracts`` title to text: a citation is valid if it is one of the retrieved,
    comes from another contract family than the clause, and its words stand in the contract that it names,
    at its offsets. ``auditor_*`` is what the auditor said before any check; ``latency_s`` is None where
    nothing was measured."""
    reference = sample.reference
    answered = result.verdict in ANSWERS
    band = band_of(result.verdict)
    citation = result.citation
    checks = result.faithfulness.claims if result.faithfulness else ()
    return OutcomeRow(
        item_id=sample.item_id,
        title=sample.title,
        start=sample.start,
        end=sample.end,
        family=sample.family,
        kinds=" ".join(reference.kinds),
        critical=reference.critical,
        reference_version=reference.version,
        reference_verdict=reference.preferred.value,
        allowed_verdicts=" ".join(verdict.value for verdict in reference.verdicts),
        allowed_bands=" ".join(allowed.value for allowed in reference.bands),
        outcome=outcome_of(sample, result).value,
        failure_cause=result.failure_cause.value,
        verdict=result.verdict.value,
        band=band.value if band else "",
        verdict_allowed=result.verdict in reference.verdicts if answered else None,
        verdict_preferred=result.verdict is reference.preferred if answered else None,
        band_allowed=band in reference.bands if answered else None,
        critical_called=critical_called(sample, result),
        citation_chunk=citation.chunk_id if citation else "",
        citation_valid=_citation_valid(sample, result, evidence, contracts),
        claims=len(checks),
        claims_supported=sum(check.supported for check in checks),
        gate1_score=result.gate1_score,
        gate1_threshold=result.gate1_threshold,
        open_verdict=open_result.verdict.value,
        open_allowed=open_result.verdict in reference.verdicts if open_result.verdict in ANSWERS else None,
        auditor_verdict=auditor_verdict,
        levels=" ".join(f"{position}={auditor_levels.get(position, '?')}" for position in POSITIONS)
        if auditor_levels
        else "",
        levels_right=sum(auditor_levels.get(p) == reference.positions[p].value for p in POSITIONS)
        if auditor_levels
        else None,
        cost_usd=result.usage.cost_usd,
        latency_s=latency_s,
        reason=result.reason,
    )


def _citation_valid(
    sample: Sample, result: AuditResult, evidence: Mapping[str, str], contracts: Mapping[str, str]
) -> bool | None:
    citation = result.citation
    if citation is None:
        # A verdict without a citation is an invalid one; an abstention owes none.
        return False if result.verdict in ANSWERS else None
    family = evidence.get(citation.chunk_id)
    if family is None or family == sample.family or not citation.text.strip():
        return False
    return contracts.get(citation.contract, "")[citation.start : citation.end] == citation.text


_KINDS = {"str": "string", "int": "int64", "float": "float64", "bool": "bool"}
#: The columns of data/verdicts/outcomes.parquet and their types (``records.write_rows``), one a field.
COLUMNS = {field.name: _KINDS[str(field.type).removesuffix(" | None")] for field in fields(OutcomeRow)}


def is_abstention(row: OutcomeRow) -> bool:
    return row.outcome in (Outcome.JUSTIFIED_ABSTENTION, Outcome.UNJUSTIFIED_ABSTENTION)


#: Groups of causes as earlier published work counted them.
PUBLISHED_GROUPS: Mapping[str, tuple[FailureCause, ...]] = {
    "gate1": (FailureCause.GATE1,),
    "gate2": (FailureCause.GATE2_UNFAITHFUL,),
    "auditor": (
        FailureCause.AUDITOR_ABSTAINED,
        FailureCause.INVALID_VERDICT,
        FailureCause.CITATION_NOT_RETRIEVED,
    ),
}
