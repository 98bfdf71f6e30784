"""ReleaseGate: may this candidate be released? Steps in order, none of which makes up for another.

Critical recall comes first, then the measured judge, quality, cost, latency. A bound is read on the
interval, never on the point: a lower bound is passed where the interval's low end reaches it and
failed where its high end does not; between the two the evidence is too thin: *inconclusive*. So is
a critical class with fewer than ``min_critical`` clusters, however well they went. One failed step fails
the gate; else one inconclusive step makes it inconclusive; the step that decided is named.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from pipeline.base.errors import CuadAuditError
from pipeline.base.params import ReleaseGate
from pipeline.base.records import read_json
from pipeline.base.types import Band
from pipeline.evaluation.statistics import Estimate, Rate, exact_lower


class Outcome(StrEnum):
    PASS = "pass"
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"
    #: Of a step alone: there is nothing to look at, and nothing is claimed. It decides nothing.
    NOT_APPLICABLE = "not applicable"


#: What a run of the review is called, by the outcome of its gate.
STATUS = {Outcome.PASS: "passed", Outcome.FAIL: "failed", Outcome.INCONCLUSIVE: "inconclusive"}
#: Exit codes for CI.
EXIT_CODES = {Outcome.PASS: 0, Outcome.FAIL: 1, Outcome.INCONCLUSIVE: 3}


@dataclass(frozen=True, slots=True)
class Critical:
    """Critical cases: by cluster (contract family or template), whether each was called high. ``abstained``:
    how many of those that were not were abstained from; the others are misses. Infra is left out and
    counted."""

    clusters: Mapping[str, Sequence[bool]]
    infra: int = 0
    abstained: int = 0

    @classmethod
    def of(cls, calls: Iterable[tuple[str, str]]) -> Critical:
        """From (cluster, called) of every critical case; ``called``: a band, ``abstained``, ``invalid`` or
        ``infra``."""
        counts: Counter[str] = Counter()
        clusters: dict[str, list[bool]] = {}
        for cluster, called in calls:
            counts[called] += 1
            if called != "infra":
                clusters.setdefault(cluster, []).append(called == Band.HIGH.value)
        return cls(clusters, counts["infra"], counts["abstained"])

    def __add__(self, other: Critical) -> Critical:
        clusters = {name: list(called) for name, called in self.clusters.items()}
        for name, called in other.clusters.items():
            clusters.setdefault(name, []).extend(called)
        return Critical(clusters, self.infra + other.infra, self.abstained + other.abstained)


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that the gate looks at. ``judge_measured``: whether the faithfulness judge in use is one that
    eval_judge measured and that met its bar; None where no such judge took part. ``latency_s`` is None
    where no model was asked: the time of embedded code is not measured."""

    critical: Critical
    quality: Rate
    unjustified_abstention: Rate
    judge_measured: bool | None
    judge_why: str
    cost_usd: Estimate
    latency_s: Estimate | None


@dataclass(frozen=True, slots=True)
class Step:
    name: str
    outcome: Outcome
    why: str


@dataclass(frozen=True, slots=True)
class GateReport:
    outcome: Outcome
    decided_by: str
    steps: tuple[Step, ...]

    @property
    def status(self) -> str:
        return STATUS[self.outcome]

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"status": self.status, "exit_code": EXIT_CODES[self.outcome]}


def release_gate(evidence: Evidence, bounds: ReleaseGate, confidence: float) -> GateReport:
    steps = (
        critical_step(evidence.critical, bounds, confidence),
        _judge_step(evidence),
        at_least("allowed_verdict", evidence.quality, evidence.quality.rate, bounds.min_allowed_verdict),
        at_most(
            "unjustified_abstention",
            evidence.unjustified_abstention,
            evidence.unjustified_abstention.rate,
            bounds.max_unjustified_abstention,
        ),
        at_most("cost_usd", evidence.cost_usd, evidence.cost_usd.value, bounds.max_cost_usd),
        _latency_step(evidence, bounds),
    )
    for outcome in (Outcome.FAIL, Outcome.INCONCLUSIVE):
        decisive = next((step for step in steps if step.outcome is outcome), None)
        if decisive:
            return GateReport(outcome, decisive.name, steps)
    return GateReport(Outcome.PASS, "every step that applies passed", steps)


def critical_step(critical: Critical, bounds: ReleaseGate, confidence: float) -> Step:
    """Recall over cases; the exact lower bound and ``min_critical`` take one unit a cluster: cases of one
    contract family, or of one template, are not independent."""
    cases = [called for cluster in critical.clusters.values() for called in cluster]
    called_high, clusters = sum(cases), len(critical.clusters)
    whole = sum(all(cluster) for cluster in critical.clusters.values())
    low = exact_lower(whole, clusters, confidence)
    missed = len(cases) - called_high - critical.abstained
    shown = (
        f"{called_high} of {len(cases)} critical cases called high, {missed} missed, {critical.abstained} abstained "
        f"from; {whole} of {clusters} clusters called high throughout, exact lower bound {low:.3f}; "
        f"{critical.infra} infra"
    )
    if cases and called_high / len(cases) < bounds.critical_recall:
        return Step("critical_recall", Outcome.FAIL, shown)
    if clusters < bounds.min_critical:
        return Step(
            "critical_recall", Outcome.INCONCLUSIVE, f"{shown}; at least {bounds.min_critical} clusters are needed"
        )
    if critical.infra:
        return Step("critical_recall", Outcome.INCONCLUSIVE, f"{shown}: nothing is known of those")
    return Step("critical_recall", Outcome.PASS, shown)


def _judge_step(evidence: Evidence) -> Step:
    if evidence.judge_measured is None:
        return Step("judge", Outcome.NOT_APPLICABLE, "no faithfulness judge took part")
    outcome = Outcome.PASS if evidence.judge_measured else Outcome.INCONCLUSIVE
    return Step("judge", outcome, evidence.judge_why)


def _latency_step(evidence: Evidence, bounds: ReleaseGate) -> Step:
    found = evidence.latency_s
    if found is None:
        return Step(
            "latency_s", Outcome.NOT_APPLICABLE, "unmeasured: no model is asked, and embedded code is not timed"
        )
    return at_most("latency_s", found, found.value, bounds.max_latency_s)


def at_least(name: str, interval: Rate | Estimate, value: float | None, bound: float) -> Step:
    if value is None:
        return _too_few(name, interval)
    shown = f"{value:.4g} in [{interval.low:.4g}, {interval.high:.4g}], at least {bound:g}"
    return Step(name, _read(interval.low >= bound, interval.high < bound), shown)


def at_most(name: str, interval: Rate | Estimate, value: float | None, bound: float) -> Step:
    if value is None:
        return _too_few(name, interval)
    shown = f"{value:.4g} in [{interval.low:.4g}, {interval.high:.4g}], at most {bound:g}"
    return Step(name, _read(interval.high <= bound, interval.low > bound), shown)


def _read(passed: bool, failed: bool) -> Outcome:
    return Outcome.PASS if passed else Outcome.FAIL if failed else Outcome.INCONCLUSIVE


def _too_few(name: str, interval: Rate | Estimate) -> Step:
    return Step(
        name, Outcome.INCONCLUSIVE, f"{interval.n} items from {interval.clusters} families are too few for a rate"
    )


def main(arguments: Sequence[str]) -> int:
    """Print the gate of metrics/review.json (or of the file named) and return its exit code."""
    path = Path(arguments[0] if arguments else "metrics/review.json")
    try:
        gate = read_json(path)["gate"]
        code = EXIT_CODES[Outcome(gate["outcome"])]
        lines = [f"gate: {gate['outcome']} ({gate['decided_by']})"]
        lines += [f"  {step['outcome']:<15}{step['name']}: {step['why']}" for step in gate["steps"]]
    except (LookupError, TypeError, ValueError):
        raise CuadAuditError(f"{path}: holds no gate", "name a review.json, or run `dvc repro eval_verdicts`") from None
    print("\n".join(lines))
    return code


if __name__ == "__main__":
    from pipeline.base.errors import run

    run(lambda: main(sys.argv[1:]))
