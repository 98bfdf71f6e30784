"""metrics/review.json and the tables of data/review: the recorded auditor against the keyword baseline under
multi-valued references, contrast pairs, agreement of the annotators, and the release gate.

Pure: what was recorded and measured in, plain JSON and rows out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from pipeline.base import records
from pipeline.base.errors import CuadAuditError
from pipeline.base.params import Evaluation, ReleaseGate
from pipeline.base.records import Rows
from pipeline.evaluation.agreement import annotator_agreement, disagreements
from pipeline.evaluation.compare import compare
from pipeline.evaluation.contrast_eval import PairResult, contrast_metrics, critical_evidence, pair_rows
from pipeline.evaluation.findings import Case, RecordedTarget
from pipeline.evaluation.keyword_targets import FIXED
from pipeline.evaluation.recorded import Recorded, asks_a_model, measured_latency
from pipeline.evaluation.release_gate import release_gate
from pipeline.evaluation.review import (
    SCORE_MEASURES,
    counted_queue,
    evidence_of,
    harness,
    judge_measured,
    scoreboard,
)
from pipeline.evaluation.rubric_cases import HELD_OUT, measured
from pipeline.evaluation.rubric_judge import RubricJudge
from pipeline.evaluation.scorers import finding_rows, score_all, score_rows, uncertainty_queue
from pipeline.grounding.adversarial import counts as adversarial_counts
from pipeline.standard import Standard


@dataclass(frozen=True)
class Contrast:
    """What collect_contrast recorded: the pairs with both answers, a row an adversarial clause, the counts
    of the injection probes."""

    pairs: list[PairResult]
    adversarial: Rows
    injection: dict[str, Any]


@dataclass(frozen=True)
class Review:
    """``metrics``: metrics/review.json, ``tables``: the rows of each file of data/review, by its stem."""

    metrics: dict[str, Any]
    tables: dict[str, Rows]


def review(
    given: Recorded,
    contrast: Contrast,
    judge_metrics: Mapping[str, Any],
    published_shape: Mapping[str, Any],
    rubric: RubricJudge,
    standard: Standard,
    evaluation: Evaluation,
    bounds: ReleaseGate,
) -> Review:
    """``judge_metrics``: metrics/judge.json; ``published_shape``: that of metrics/verdicts.json. Raises
    CuadAuditError where the gate does not tell the two fixture targets apart: then it means nothing."""
    labels, results, rows = given.labels, given.results, given.rows
    first = results[labels.samples[0].item_id]
    seconds = {row["item_id"]: measured_latency(row) for row in rows}
    candidate = RecordedTarget(first.auditor.name, results, seconds, standard)
    cases = [Case(sample, given.contracts[sample.title]) for sample in labels.samples]
    scored = score_all(candidate, cases, rubric, labels.opinions)
    baseline = score_all(FIXED, cases, rubric, labels.opinions)

    checked = harness(evaluation)
    if not checked["sound"]:
        said = {name: checked[name]["outcome"] for name in ("buggy", "fixed")}
        raise CuadAuditError(
            f"the release gate does not tell the buggy fixture from the fixed one: {said}",
            "mend the scorers or the gate (tests/evaluation/test_review.py shows what is expected)",
        )
    measured_judge = judge_measured(first.judge, judge_metrics)
    critical = critical_evidence(contrast.pairs)
    evidence = evidence_of(scored, evaluation, critical, measured_judge, asks_a_model(rows[0]))
    paired = compare(score_rows(baseline), score_rows(scored), evaluation, SCORE_MEASURES)
    queue = uncertainty_queue([*scored, *baseline])
    metrics = {
        "reference_version": labels.version,
        "rubric_judge": asdict(rubric.identity),
        "rubric_judge_measured": measured(rubric, HELD_OUT),
        "candidate": {"name": candidate.name, "auditor": records.to_dict(first.auditor),
                      "judge": records.to_dict(first.judge), **scoreboard(scored, evaluation)},
        "baseline": {"name": FIXED.name, **scoreboard(baseline, evaluation)},
        "comparison": {"first": FIXED.name, "second": candidate.name, "paired": paired.paired,
                       "flips": len(paired.flips), "measures": paired.measures},
        "gate": release_gate(evidence, bounds, evaluation.confidence).to_json(),
        "harness": checked,
        "contrast": contrast_metrics(contrast.pairs, evaluation),
        "adversarial": adversarial_counts(contrast.adversarial),
        "injection": contrast.injection,
        "published_shape": {**published_shape, "adversarial_held": contrast.injection["held"]},
        "agreement": annotator_agreement(labels, evaluation),
        "queue": counted_queue(queue, (candidate.name, FIXED.name)),
    }  # fmt: skip
    tables = {
        "scores": [*score_rows(scored), *score_rows(baseline)],
        "contrast": pair_rows(contrast.pairs),
        "adversarial": contrast.adversarial,
        "findings": finding_rows([*scored, *baseline]),
        "flips": paired.flips,
        "queue": queue,
        "disagreements": disagreements(labels.opinions),
    }
    return Review(metrics, tables)
