"""Whether a minimal pair is answered consistently, by operator; and capped confused with uncapped.

An answer here is the final word of the whole contract (auditor, citation, gate 2) with gate 1 open. An
infra failure on either side leaves the pair unscored. Intervals are over clusters: the contract family, the
template that the changed clause rests on, or the frame of both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pipeline.base.params import Evaluation
from pipeline.base.types import Band, FailureCause, Verdict
from pipeline.evaluation import contrast
from pipeline.evaluation.contrast import OPERATORS, Pair
from pipeline.evaluation.outcomes import band_of
from pipeline.evaluation.release_gate import Critical
from pipeline.evaluation.statistics import rate

SEVERITY = {Verdict.ACCEPTABLE: 0, Verdict.RISKY: 1, Verdict.OFF_STANDARD: 2}


@dataclass(frozen=True, slots=True)
class Answer:
    """What was said of one side of a pair."""

    verdict: Verdict
    cause: FailureCause = FailureCause.NONE


@dataclass(frozen=True, slots=True)
class PairResult:
    """``consistent`` is None where a side is infra."""

    pair: Pair
    base: Answer
    changed: Answer
    consistent: bool | None


def pair_result(pair: Pair, base: Answer, changed: Answer) -> PairResult:
    if Verdict.ESCALATE_INFRA in (base.verdict, changed.verdict):
        return PairResult(pair, base, changed, None)
    return PairResult(pair, base, changed, CONSISTENT[pair.expected](base.verdict, changed.verdict))


def _high(base: Verdict, changed: Verdict) -> bool:
    return band_of(changed) is Band.HIGH and band_of(base) is not Band.HIGH


def _worse(base: Verdict, changed: Verdict) -> bool:
    return base in SEVERITY and changed in SEVERITY and SEVERITY[changed] > SEVERITY[base]


def _not_better(base: Verdict, changed: Verdict) -> bool:
    if base is Verdict.ACCEPTABLE:
        return _worse(base, changed)
    return base in SEVERITY and changed in SEVERITY and SEVERITY[changed] >= SEVERITY[base]


def _abstain(base: Verdict, changed: Verdict) -> bool:
    return base in SEVERITY and changed not in SEVERITY


def _same(base: Verdict, changed: Verdict) -> bool:
    return base is changed


CONSISTENT: dict[str, Callable[[Verdict, Verdict], bool]] = {
    contrast.HIGH: _high,
    contrast.WORSE: _worse,
    contrast.NOT_BETTER: _not_better,
    contrast.ABSTAIN: _abstain,
    contrast.SAME: _same,
}


def contrast_metrics(results: Sequence[PairResult], settings: Evaluation) -> dict[str, Any]:
    """Pair consistency over all, over the critical operators, and by operator; zeros included.

    ``both_abstained`` counts the consistent pairs neither side of which was answered: they are no more
    than a lack of contradiction.
    """

    def consistency(keep: Callable[[Pair], bool]) -> dict[str, Any]:
        kept = [r for r in results if keep(r.pair) and r.consistent is not None]
        both = sum(SEVERITY.keys().isdisjoint((r.base.verdict, r.changed.verdict)) for r in kept if r.consistent)
        summary = rate([r.consistent for r in kept], [r.pair.family for r in kept], settings)
        return asdict(summary) | {"both_abstained": both}

    return {
        "pairs": len(results),
        "critical_pairs": sum(r.pair.critical for r in results),
        "critical_library_pairs": sum(r.pair.critical and r.pair.source == "library" for r in results),
        "unscored": sum(r.consistent is None for r in results),
        "consistency": {
            "all": consistency(lambda _: True),
            "critical": consistency(lambda pair: pair.critical),
            "critical_library": consistency(lambda pair: pair.critical and pair.source == "library"),
            "must_move": consistency(lambda pair: pair.operator in contrast.MOVING),
            "must_not_move": consistency(lambda pair: pair.operator in contrast.KEEPING),
        },
        "operators": {
            operator: {
                "critical": operator in contrast.CRITICAL,
                **{
                    source: consistency(lambda pair, o=operator, s=source: pair.operator == o and pair.source == s)
                    for source in ("template", "library")
                },
            }
            for operator in OPERATORS
        },
        "capped_uncapped": capped_uncapped(results),
        "critical_calls": critical_calls(results),
    }


def capped_uncapped(results: Sequence[PairResult]) -> dict[str, dict[str, int]]:
    """Truth (capped, uncapped) by what it was called: high counts as uncapped, low and medium as capped.

    A clause that stands in several pairs counts once.
    """
    sides: dict[str, tuple[str, Answer]] = {}
    for result in results:
        for text, truth, answer in (
            (result.pair.base, result.pair.ceiling[0], result.base),
            (result.pair.changed, result.pair.ceiling[1], result.changed),
        ):
            if truth:
                sides[text] = truth, answer
    counts = Counter((truth, _called(answer)) for truth, answer in sides.values())
    return {
        truth: {called: counts[truth, called] for called in ("capped", "uncapped", "abstained", "infra")}
        for truth in ("capped", "uncapped")
    }


def critical_calls(results: Sequence[PairResult]) -> dict[str, int]:
    """What the changed clauses of the critical operators were called, each clause once."""
    called = {r.pair.changed: r.changed for r in results if r.pair.critical}
    counts = Counter(_band(answer) for answer in called.values())
    return {"n": len(called), **{name: counts[name] for name in ("high", "medium", "low", "abstained", "infra")}}


def critical_evidence(results: Sequence[PairResult]) -> Critical:
    """By cluster, whether each critical changed clause was called high; how many were abstained from, and
    how many are infra. A clause that stands in several pairs counts once, in the cluster of the first."""
    called = {r.pair.changed: r for r in reversed(results) if r.pair.critical}
    return Critical.of((result.pair.family, _band(result.changed)) for result in called.values())


def pair_rows(results: Sequence[PairResult]) -> list[dict[str, Any]]:
    """One flat row a pair, for data/review/contrast.parquet."""
    return [
        {
            "pair_id": r.pair.pair_id,
            "operator": r.pair.operator,
            "critical": r.pair.critical,
            "source": r.pair.source,
            "family": r.pair.family,
            "expected": r.pair.expected,
            "base_verdict": r.base.verdict.value,
            "changed_verdict": r.changed.verdict.value,
            "base_cause": r.base.cause.value,
            "changed_cause": r.changed.cause.value,
            "consistent": r.consistent,
            "base": r.pair.base,
            "changed": r.pair.changed,
        }
        for r in results
    ]


def answers_of(pairs: Sequence[Pair], answers: Mapping[str, Answer]) -> list[PairResult]:
    """Results of pairs from answers by clause text."""
    return [pair_result(pair, answers[pair.base], answers[pair.changed]) for pair in pairs]


def _band(answer: Answer) -> str:
    if answer.verdict is Verdict.ESCALATE_INFRA:
        return "infra"
    band = band_of(answer.verdict)
    return band.value if band else "abstained"


def _called(answer: Answer) -> str:
    return {"high": "uncapped", "medium": "capped", "low": "capped"}.get(_band(answer), _band(answer))
