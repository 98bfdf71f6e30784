"""The review of a candidate: scores beside a baseline's, paired, and the release gate.

Pure: scored items in, plain JSON out. See docs/EVALUATION.md for what each figure means.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from pipeline.base.params import Evaluation, ReleaseGate
from pipeline.base.types import Band, Identity
from pipeline.evaluation.compare import Measure, critical_recall, flag
from pipeline.evaluation.findings import Case, Target
from pipeline.evaluation.fixture_cases import fixture_cases
from pipeline.evaluation.keyword_targets import BUGGY, FIXED
from pipeline.evaluation.release_gate import Critical, Evidence, GateReport, release_gate
from pipeline.evaluation.rubric_judge import OfflineRubricJudge, RubricJudge
from pipeline.evaluation.scorers import BINARY, SCORERS, Scored, Unscored, score_all
from pipeline.evaluation.statistics import Estimate, mean, rate, statistic

OUTCOMES = ("answered", "abstained", "infra", "invalid")


def scoreboard(scored: Sequence[Scored], settings: Evaluation) -> dict[str, Any]:
    """Counts, then for each scorer its rate or mean over the items that it could score."""
    outcomes = Counter(one.outcome for one in scored)
    return {
        "n": len(scored),
        "outcomes": {name: outcomes[name] for name in OUTCOMES},
        "scores": {name: _scorer(scored, name, settings) for name in SCORERS},
        "critical": _critical_counts(scored),
    }


def _scorer(scored: Sequence[Scored], name: str, settings: Evaluation) -> dict[str, Any]:
    scores = [one.scores[name] for one in scored]
    kept = [(score.value, one.case.sample.family) for score, one in zip(scores, scored, strict=True)
            if score.value is not None]  # fmt: skip
    values, families = [value for value, _ in kept], [family for _, family in kept]
    unscored = Counter(score.unscored for score in scores if score.unscored)
    summary = rate if name in BINARY else mean
    return asdict(summary(values, families, settings)) | {
        "unscored": {reason.value: unscored[reason] for reason in Unscored},
        "not_applicable": sum(score.value is None and score.unscored is None for score in scores),
    }


def _critical_counts(scored: Sequence[Scored]) -> dict[str, int]:
    called = Counter(one.critical_called for one in scored if one.critical_called)
    names = (*(band.value for band in reversed(Band)), "abstained", "infra", "invalid")
    return {"n": sum(called.values()), **{name: called[name] for name in names}}


def evidence_of(
    scored: Sequence[Scored],
    settings: Evaluation,
    extra_critical: Critical | None = None,
    judge: tuple[bool | None, str] = (None, ""),
    asks_a_model: bool = False,
) -> Evidence:
    """What the gate looks at. ``extra_critical``: critical cases of the contrast set, beside those of the
    labelled items. Latency is evidence where the target ``asks_a_model``."""
    critical = Critical.of((one.case.sample.family, one.critical_called) for one in scored if one.critical_called)
    judged = [one for one in scored if one.outcome != "infra"]
    # Where the experts disagree nothing is known; an output that cannot be read is known to be no answer.
    known = [one for one in judged if one.outcome == "invalid" or one.scores["verdict_allowed"].value is not None]
    unjustified = [one.outcome == "abstained" and not one.case.sample.reference.abstention_allowed for one in judged]
    families = [one.case.sample.family for one in judged]
    return Evidence(
        critical=critical + (extra_critical or Critical({})),
        quality=rate(
            [one.scores["verdict_allowed"].value == 1.0 for one in known],
            [one.case.sample.family for one in known],
            settings,
        ),
        unjustified_abstention=rate(unjustified, families, settings),
        judge_measured=judge[0],
        judge_why=judge[1],
        cost_usd=_cost(scored, settings),
        latency_s=latency(scored, settings) if asks_a_model else None,
    )


def _cost(scored: Sequence[Scored], settings: Evaluation) -> Estimate:
    return mean([one.cost_usd for one in scored], [one.case.sample.family for one in scored], settings, bounds=None)


def latency(scored: Sequence[Scored], settings: Evaluation) -> Estimate:
    """95th percentile of the latency in seconds (the least value that 95% of the items do not exceed),
    over the items of which it was measured: one answered in a batch has none."""
    scored = [one for one in scored if one.latency_s is not None]
    seconds = np.array([one.latency_s for one in scored])
    order = np.argsort(seconds, kind="stable")

    def percentile(weights: np.ndarray) -> float:
        reached = np.cumsum(weights[order])
        return float(seconds[order][np.searchsorted(reached, 0.95 * reached[-1])])

    return statistic(percentile, [one.case.sample.family for one in scored], settings)


def judge_measured(judge: Identity, metrics: Mapping[str, Any]) -> tuple[bool, str]:
    """Whether metrics/judge.json measured this very judge, and found that it meets its bar."""
    if metrics["judge"] != asdict(judge):
        return False, f"the judge in use ({judge.name}) is not the one that eval_judge measured"
    bar = metrics["bar"]
    if not bar["met"]:
        return False, "measured, and below its bar on held-out families"
    rejected = bar["unseen_false_rejection"]
    unseen = "" if rejected is None else f"; in unseen wordings it rejects {rejected:.3f} of the faithful claims"
    if not bar["safe_in_unseen_wordings"]:
        return False, f"measured, and lets too many unsupported claims through in unseen wordings{unseen}"
    on = "on the interval" if bar["met_on_the_interval"] else "on the point, not on the interval"
    return True, f"measured, and meets its bar on held-out families, {on}{unseen}"


#: Measures on which two targets are compared, over rows of ``score_rows``.
SCORE_MEASURES: dict[str, Measure] = {
    "allowed_verdict": flag("verdict_allowed"),
    "band_allowed": flag("band_allowed"),
    "key_facts": flag("key_facts"),
    "set_with_condition": flag("set_with_condition"),
    "answered": lambda row: None if row["outcome"] == "infra" else row["outcome"] == "answered",
    "critical_recall": critical_recall,
}


#: The fixtures' own seed and bounds: the check of the gate must not hang on what the parameters say.
FIXTURE_SEED = 20
FIXTURE_BOUNDS = ReleaseGate(
    critical_recall=1.0,
    min_critical=20,
    judge_min_recall=0.95,
    judge_max_false_rejection=0.05,
    min_allowed_verdict=0.8,
    max_unjustified_abstention=0.15,
    max_cost_usd=0.05,
    max_latency_s=30,
)


def harness(settings: Evaluation) -> dict[str, Any]:
    """The gate judged on two targets whose answer is known: ``buggy`` must fail for its critical misses,
    and ``fixed`` must pass. ``sound`` says whether both did."""
    cases, rubric = fixture_cases(FIXTURE_SEED), OfflineRubricJudge()
    reports = {target.name: fixture_run(target, cases, rubric, settings) for target in (BUGGY, FIXED)}
    sound = (
        reports["buggy"].status == "failed"
        and reports["buggy"].decided_by == "critical_recall"
        and reports["fixed"].status == "passed"
    )
    return {"cases": len(cases), "sound": sound, **{name: report.to_json() for name, report in reports.items()}}


def fixture_run(target: Target, cases: Sequence[Case], rubric: RubricJudge, settings: Evaluation) -> GateReport:
    scored = score_all(target, cases, rubric, {})
    return release_gate(evidence_of(scored, settings), FIXTURE_BOUNDS, settings.confidence)


def counted_queue(queue: Sequence[Mapping[str, str]], targets: Sequence[str]) -> dict[str, dict[str, int]]:
    """The uncertainty queue by target and reason: how many items wait for a person, zeros included."""
    waiting: dict[str, dict[str, set[str]]] = {
        target: {reason.value: set() for reason in Unscored} for target in targets
    }
    for entry in queue:
        waiting[entry["target"]][entry["reason"]].add(entry["item_id"])
    return {target: {reason: len(items) for reason, items in found.items()} for target, found in waiting.items()}
