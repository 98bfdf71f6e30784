"""eval_verdicts: the thresholds applied to the recorded audits; everything that follows from them.

Nothing is asked again and nothing embedded: pure arithmetic on data/verdicts and data/contrast. First the
outcomes against the references: a row an item in data/verdicts/outcomes.parquet, the figures in
metrics/verdicts.json. Then the review (``evaluation.review_report``): tables in data/review, figures and
the release gate in metrics/review.json. The stage ends well whatever the gate says;
`python -m pipeline.evaluation.release_gate` gives the gate's exit code to CI.
"""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pipeline.base import params, records
from pipeline.base.errors import run
from pipeline.evaluation.clauses import clause_texts, contract_texts, library_chunks
from pipeline.evaluation.contrast_eval import PairResult
from pipeline.evaluation.labels import load_labels
from pipeline.evaluation.outcomes import COLUMNS
from pipeline.evaluation.recorded import Recorded, outcome_rows
from pipeline.evaluation.review_report import Contrast, review
from pipeline.evaluation.rubric_judge import ModelRubricJudge, OfflineRubricJudge, RubricJudge
from pipeline.evaluation.scorers import SCORERS
from pipeline.evaluation.verdict_metrics import verdict_metrics
from pipeline.llm.client import open_client
from pipeline.standard import load_standard

READS = (
    "source.labels", "gate1.score", "gate1.threshold", "judge", "llm", "evaluation", "release_gate",
)  # fmt: skip
CONTRACTS = Path("data/raw/contracts.parquet")
LIBRARY = Path("data/index/library.parquet")
VERDICTS = Path("data/verdicts/verdicts.jsonl")
CONTRAST = Path("data/contrast")
JUDGE = Path("metrics/judge.json")
OUTCOMES = Path("data/verdicts/outcomes.parquet")
OUTCOME_METRICS = Path("metrics/verdicts.json")
REVIEW = Path("data/review")
REVIEW_METRICS = Path("metrics/review.json")


def main() -> None:
    settings = params.load(READS)
    given = recorded(settings)
    write_review(given, write_outcomes(given, settings), settings)


def recorded(settings: Any) -> Recorded:
    """The labelled audits at the thresholds in force. ``settings``: the parameters in ``READS``."""
    labels = load_labels(Path(settings.source.labels))
    contracts = contract_texts(CONTRACTS)
    return Recorded(
        labels,
        records.read_jsonl(VERDICTS),
        contracts,
        clause_texts(labels.samples, contracts),
        library_chunks(LIBRARY),
        settings.gate1.score,
        settings.gate1.threshold,
    )


def write_outcomes(given: Recorded, settings: Any) -> dict[str, Any]:
    """Outcomes and their figures, which it returns."""
    rows = outcome_rows(given)
    metrics = verdict_metrics(rows, given.labels, settings.evaluation) | {
        "gate1": {"score": given.score, "threshold": given.threshold},
        "auditor": given.rows[0]["auditor"],
        "judge": given.rows[0]["judge"],
    }
    records.write_rows(OUTCOMES, map(asdict, rows), COLUMNS)
    records.write_json(OUTCOME_METRICS, metrics)
    counts = metrics["outcomes"]
    print(f"eval_verdicts: {', '.join(f'{name} {count}' for name, count in counts.items())}", file=sys.stderr)
    return metrics


def write_review(given: Recorded, outcomes: dict[str, Any], settings: Any) -> None:
    """The review of the same audits. ``outcomes``: what ``write_outcomes`` returned."""
    pairs = [records.from_dict(PairResult, row) for row in records.read_jsonl(CONTRAST / "pairs.jsonl")]
    adversarial, injection = CONTRAST / "adversarial.jsonl", CONTRAST / "injection.json"
    reviewed = review(
        given,
        Contrast(pairs, records.read_jsonl(adversarial), records.read_json(injection)),
        records.read_json(JUDGE),
        outcomes["published_shape"],
        rubric_judge(settings),
        load_standard(given.rows[0]["clause_type"]),
        settings.evaluation,
        settings.release_gate,
    )
    numbers = (*SCORERS, "cost_usd", "latency_s")
    kinds = {
        "scores": {"bool": ("critical",), "float64": numbers},
        "contrast": {"bool": ("critical", "consistent")},
        "adversarial": {"bool": ("critical",)},
    }
    with records.atomic_folder(REVIEW) as folder:
        for name, rows in reviewed.tables.items():
            if name in kinds:
                records.write_rows(folder / f"{name}.parquet", rows, records.columns(rows, **kinds[name]))
            else:
                records.write_jsonl(folder / f"{name}.jsonl", rows)
    records.write_json(REVIEW_METRICS, reviewed.metrics)
    gate = reviewed.metrics["gate"]
    print(f"eval_verdicts: gate {gate['outcome']} ({gate['decided_by']})", file=sys.stderr)


def rubric_judge(settings: Any) -> RubricJudge:
    """A model where the judge is one; the deterministic one offline (a recording holds no rubric calls)."""
    if settings.judge.name != "anthropic":
        return OfflineRubricJudge()
    return ModelRubricJudge("anthropic", open_client(settings.llm), settings.judge.model, settings.judge.max_tokens)


if __name__ == "__main__":
    run(main)
