"""review: the recorded auditor against the keyword baseline under multi-valued references, contrast
pairs, agreement of the annotators, and the release gate.

The stage ends well whatever the gate says; `python -m pipeline.evaluation.release_gate` gives the
gate's exit code to CI.
"""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pipeline.base import params, records
from pipeline.base.errors import CuadAuditError, run
from pipeline.evaluation.agreement import annotator_agreement, disagreements
from pipeline.evaluation.clauses import clause_texts, contract_texts, library_chunks
from pipeline.evaluation.compare import compare
from pipeline.evaluation.contrast_eval import PairResult, contrast_metrics, critical_evidence, pair_rows
from pipeline.evaluation.findings import Case, RecordedTarget
from pipeline.evaluation.keyword_targets import FIXED
from pipeline.evaluation.labels import LabelSet, load_labels
from pipeline.evaluation.recorded import asks_a_model, decided, measured_latency
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
from pipeline.evaluation.rubric_judge import ModelRubricJudge, OfflineRubricJudge, RubricJudge
from pipeline.evaluation.scorers import SCORERS, finding_rows, score_all, score_rows, uncertainty_queue
from pipeline.grounding.adversarial import counts as adversarial_counts
from pipeline.llm.client import open_client
from pipeline.standard import load_standard

READS = (
    "source.labels", "gate1.score", "gate1.threshold", "judge", "llm", "evaluation", "release_gate",
)  # fmt: skip
CONTRACTS = Path("data/raw/contracts.parquet")
LIBRARY = Path("data/index/library.parquet")
VERDICTS = Path("data/verdicts/verdicts.jsonl")
JUDGE = Path("metrics/judge.json")
VERDICT_METRICS = Path("metrics/verdicts.json")
CONTRAST = Path("data/contrast")
OUT = Path("data/review")
METRICS = Path("metrics/review.json")


def main() -> None:
    settings = params.load(READS)
    labels = load_labels(Path(settings.source.labels))
    recorded = records.read_jsonl(VERDICTS)
    contracts = contract_texts(CONTRACTS)
    clauses = clause_texts(labels.samples, contracts)
    gate1, chunks = settings.gate1, library_chunks(LIBRARY)
    results = decided(labels.samples, recorded, clauses, chunks.get, gate1.score, gate1.threshold)
    cases = [Case(sample, contracts[sample.title]) for sample in labels.samples]
    seconds = {row["item_id"]: measured_latency(row) for row in recorded}
    first = results[labels.samples[0].item_id]
    standard = load_standard(recorded[0]["clause_type"])
    candidate = RecordedTarget(first.auditor.name, results, seconds, standard)

    rubric = rubric_judge(settings)
    scored = score_all(candidate, cases, rubric, labels.opinions)
    baseline = score_all(FIXED, cases, rubric, labels.opinions)
    pairs = [records.from_dict(PairResult, row) for row in records.read_jsonl(CONTRAST / "pairs.jsonl")]
    adversarial = records.read_jsonl(CONTRAST / "adversarial.jsonl")
    injection = records.read_json(CONTRAST / "injection.json")
    evidence = evidence_of(
        scored,
        settings.evaluation,
        critical_evidence(pairs),
        judge_measured(first.judge, records.read_json(JUDGE)),
        asks_a_model(recorded[0]),
    )
    gate = release_gate(evidence, settings.release_gate, settings.evaluation.confidence)
    checked = harness(settings.evaluation)
    if not checked["sound"]:
        said = {name: checked[name]["outcome"] for name in ("buggy", "fixed")}
        raise CuadAuditError(
            f"the release gate does not tell the buggy fixture from the fixed one: {said}",
            "mend the scorers or the gate (tests/evaluation/test_review.py shows what is expected)",
        )
    paired = compare(score_rows(baseline), score_rows(scored), settings.evaluation, SCORE_MEASURES)
    queue = uncertainty_queue([*scored, *baseline])
    write_tables(scored, baseline, pairs, adversarial, paired.flips, queue, labels)
    records.write_json(
        METRICS,
        {
            "reference_version": labels.version,
            "rubric_judge": asdict(rubric.identity),
            "rubric_judge_measured": measured(rubric, HELD_OUT),
            "candidate": {"name": candidate.name, "auditor": records.to_dict(first.auditor),
                          "judge": records.to_dict(first.judge), **scoreboard(scored, settings.evaluation)},
            "baseline": {"name": FIXED.name, **scoreboard(baseline, settings.evaluation)},
            "comparison": {"first": FIXED.name, "second": candidate.name, "paired": paired.paired,
                           "flips": len(paired.flips), "measures": paired.measures},
            "gate": gate.to_json(),
            "harness": checked,
            "contrast": contrast_metrics(pairs, settings.evaluation),
            "adversarial": adversarial_counts(adversarial),
            "injection": injection,
            "published_shape": {
                **records.read_json(VERDICT_METRICS)["published_shape"], "adversarial_held": injection["held"],
            },
            "agreement": annotator_agreement(labels, settings.evaluation),
            "queue": counted_queue(queue, (candidate.name, FIXED.name)),
        },
    )  # fmt: skip
    print(f"review: gate {gate.outcome.value} ({gate.decided_by})", file=sys.stderr)


def rubric_judge(settings: Any) -> RubricJudge:
    """A model where the judge is one; the deterministic one offline (a recording holds no rubric calls)."""
    if settings.judge.name != "anthropic":
        return OfflineRubricJudge()
    return ModelRubricJudge("anthropic", open_client(settings.llm), settings.judge.model, settings.judge.max_tokens)


def write_tables(
    scored: list,
    baseline: list,
    pairs: list,
    adversarial: list[dict],
    flips: list[dict],
    queue: list[dict],
    labels: LabelSet,
) -> None:
    scores, contrast = [*score_rows(scored), *score_rows(baseline)], pair_rows(pairs)
    numbers = (*SCORERS, "cost_usd", "latency_s")
    with records.atomic_folder(OUT) as folder:
        columns = records.columns(scores, bool=("critical",), float64=numbers)
        records.write_rows(folder / "scores.parquet", scores, columns)
        columns = records.columns(contrast, bool=("critical", "consistent"))
        records.write_rows(folder / "contrast.parquet", contrast, columns)
        columns = records.columns(adversarial, bool=("critical",))
        records.write_rows(folder / "adversarial.parquet", adversarial, columns)
        records.write_jsonl(folder / "findings.jsonl", finding_rows([*scored, *baseline]))
        records.write_jsonl(folder / "flips.jsonl", flips)
        records.write_jsonl(folder / "queue.jsonl", queue)
        records.write_jsonl(folder / "disagreements.jsonl", disagreements(labels.opinions))


if __name__ == "__main__":
    run(main)
