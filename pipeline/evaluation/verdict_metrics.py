"""The figures of one run on labelled items: counts first, then rates with intervals over families.

Every rate is ``{"n", "count", "clusters", "rate", "low", "high"}``; ``rate`` is null where there are
fewer families than ``evaluation.min_families``: then the counts are all that can be said. Which items
a rate is over stands in :data:`RATES`, and in docs/EVALUATION.md in words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.base.params import Evaluation
from pipeline.base.types import Band, FailureCause, Verdict
from pipeline.evaluation import taxonomy
from pipeline.evaluation.labels import LabelSet
from pipeline.evaluation.outcomes import Outcome, OutcomeRow
from pipeline.evaluation.selective import risk_coverage
from pipeline.evaluation.statistics import Estimate, exact_lower, rate, statistic

ABSTAIN = Verdict.INSUFFICIENT_GROUNDING.value


@dataclass(frozen=True, slots=True)
class RateOver:
    """A rate: the items it is over, and which of them count."""

    over: Callable[[OutcomeRow], bool]
    counts: Callable[[OutcomeRow], bool]


def _judged(row: OutcomeRow) -> bool:
    return row.outcome != Outcome.INFRA


def _answered(row: OutcomeRow) -> bool:
    return row.outcome == Outcome.ANSWERED


def _auditable(row: OutcomeRow) -> bool:
    return _judged(row) and row.allowed_verdicts != ABSTAIN


def _right(row: OutcomeRow) -> bool:
    """The final word, an abstention included, is among the allowed verdicts."""
    return row.outcome == Outcome.JUSTIFIED_ABSTENTION or bool(row.verdict_allowed)


RATES: dict[str, RateOver] = {
    "infra": RateOver(lambda _: True, lambda row: not _judged(row)),
    "coverage": RateOver(_judged, _answered),
    "coverage_auditable": RateOver(_auditable, _answered),
    "allowed_verdict": RateOver(_judged, _right),
    "preferred_verdict": RateOver(_judged, lambda row: row.verdict == row.reference_verdict),
    "allowed_when_answered": RateOver(_answered, lambda row: bool(row.verdict_allowed)),
    "selective_risk": RateOver(_answered, lambda row: not row.verdict_allowed),
    "band_allowed": RateOver(_answered, lambda row: bool(row.band_allowed)),
    "unjustified_abstention": RateOver(_judged, lambda row: row.outcome == Outcome.UNJUSTIFIED_ABSTENTION),
    "justified_abstention": RateOver(_judged, lambda row: row.outcome == Outcome.JUSTIFIED_ABSTENTION),
    "over_answered": RateOver(lambda row: _judged(row) and row.allowed_verdicts == ABSTAIN, _answered),
    "critical_recall": RateOver(
        lambda row: row.critical and _judged(row), lambda row: row.critical_called == Band.HIGH.value
    ),
    "false_alarm": RateOver(
        lambda row: _judged(row) and not row.critical and Band.HIGH.value not in row.allowed_bands.split(),
        lambda row: row.band == Band.HIGH.value,
    ),
    "citation_valid": RateOver(lambda row: row.citation_valid is not None, lambda row: bool(row.citation_valid)),
    "hallucination": RateOver(_judged, lambda row: row.failure_cause == FailureCause.GATE2_UNFAITHFUL),
}


def rates(rows: Sequence[OutcomeRow], settings: Evaluation) -> dict[str, dict[str, Any]]:
    """Every rate of :data:`RATES`; over no item at all: counts of zero and no rate."""
    return {name: measured(rows, definition, settings) for name, definition in RATES.items()}


def measured(rows: Sequence[OutcomeRow], definition: RateOver, settings: Evaluation) -> dict[str, Any]:
    over = [row for row in rows if definition.over(row)]
    return asdict(rate([definition.counts(row) for row in over], [row.family for row in over], settings))


def critical_recall(rows: Sequence[OutcomeRow], confidence: float) -> dict[str, Any]:
    """How many critical items were called high, how many were missed (called medium or low) or abstained
    from, and the exact one-sided lower bound for that many.

    The bound takes one item a family (a family counts as recalled if every critical item of it is),
    since clauses of a family are not independent. Infra is left out, and counted apart.
    """
    critical = [row for row in rows if row.critical and _judged(row)]
    families = {row.family for row in critical}
    missed = {row.family for row in critical if row.critical_called != Band.HIGH.value}
    return {
        "n": len(critical),
        "count": sum(row.critical_called == Band.HIGH.value for row in critical),
        "missed": sum(row.critical_called in (Band.MEDIUM.value, Band.LOW.value) for row in critical),
        "abstained": sum(row.critical_called == "abstained" for row in critical),
        "clusters": len(families),
        "clusters_recalled": len(families) - len(missed),
        "exact_low": exact_lower(len(families) - len(missed), len(families), confidence),
        "infra": sum(row.critical and not _judged(row) for row in rows),
    }


def selective(rows: Sequence[OutcomeRow], settings: Evaluation) -> dict[str, Any]:
    """Risk against coverage as gate 1's threshold moves; the confidence is the gate-1 score.

    An item that auditor or gate 2 leaves without an answer has none at any threshold: it bounds the
    coverage and enters no risk. Infra is left out.
    """
    judged = [row for row in rows if row.open_verdict != Verdict.ESCALATE_INFRA]
    answers = [row for row in judged if row.open_allowed is not None]
    scores, wrong = [row.gate1_score for row in answers], [not row.open_allowed for row in answers]
    curve = risk_coverage(scores, wrong, len(judged))
    return {
        "ranked_by": "gate1_score",
        "n": curve.n,
        "max_coverage": {"n": curve.n, "count": curve.answered},
        "aurc": curve.aurc,
        "aurc_interval": asdict(_aurc_interval(scores, wrong, [row.family for row in answers], settings)),
        "aurc_oracle": curve.oracle_aurc,
        "aurc_random": curve.random_aurc,
        "points": [
            {"threshold": threshold, "answered": answered, "wrong": wrong_ones}
            for threshold, answered, wrong_ones in curve.points
        ],
    }


def _aurc_interval(
    scores: Sequence[float], wrong: Sequence[bool], families: Sequence[str], settings: Evaluation
) -> Estimate:
    """Without a wrong answer there is nothing to resample: no interval, rather than a point."""
    if not any(wrong):
        return Estimate(len(wrong), len(set(families)))

    def aurc(weights: NDArray) -> float:
        taken = np.repeat(np.arange(len(wrong)), weights.astype(int))
        value = risk_coverage([scores[i] for i in taken], [wrong[i] for i in taken]).aurc
        return float("nan") if value is None else value

    return statistic(aurc, families, settings)


def verdict_metrics(rows: Sequence[OutcomeRow], labels: LabelSet, settings: Evaluation) -> dict[str, Any]:
    """metrics/verdicts.json, but for the identities that the stage adds."""
    references = {s.item_id: {p: level.value for p, level in s.reference.positions.items()} for s in labels.samples}
    return {
        "reference_version": labels.version,
        "reference": {
            "items": len(labels.samples),
            "families": len({sample.family for sample in labels.samples}),
            "sources": sorted({sample.reference.source for sample in labels.samples}),
            "annotators": sorted({name for sample in labels.samples for name in sample.reference.annotators}),
        },
        "outcomes": taxonomy.outcome_counts(rows),
        "verdicts": taxonomy.verdict_counts(rows),
        "taxonomy": taxonomy.failure_taxonomy(rows),
        "abstentions": taxonomy.abstentions_by_cause(rows),
        "unjustified_by_group": taxonomy.unjustified_by_group(rows),
        "hallucinations": taxonomy.hallucinations(rows),
        "critical": taxonomy.critical_counts(rows),
        "critical_recall": critical_recall(rows, settings.confidence),
        "confusion": taxonomy.confusion(rows),
        "positions": taxonomy.position_counts(rows, references),
        "rates": rates(rows, settings),
        "risk_coverage": selective(rows, settings),
        "published_shape": taxonomy.published_shape(rows),
    }
