"""eval_verdicts: the thresholds applied to the recorded audits, outcomes counted against the references.

No model, no embedding: pure arithmetic on data/verdicts/verdicts.jsonl. Writes one row an item to
data/verdicts/outcomes.parquet and the figures to metrics/verdicts.json.
"""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

from pipeline.base import params, records
from pipeline.base.errors import run
from pipeline.evaluation.clauses import clause_texts, contract_texts, library_chunks
from pipeline.evaluation.labels import load_labels
from pipeline.evaluation.outcomes import COLUMNS
from pipeline.evaluation.recorded import outcome_rows
from pipeline.evaluation.verdict_metrics import verdict_metrics

READS = ("source.labels", "gate1.score", "gate1.threshold", "evaluation")
CONTRACTS = Path("data/raw/contracts.parquet")
LIBRARY = Path("data/index/library.parquet")
VERDICTS = Path("data/verdicts/verdicts.jsonl")
OUTCOMES = Path("data/verdicts/outcomes.parquet")
METRICS = Path("metrics/verdicts.json")


def main() -> None:
    settings = params.load(READS)
    labels = load_labels(Path(settings.source.labels))
    recorded = records.read_jsonl(VERDICTS)
    contracts = contract_texts(CONTRACTS)
    clauses = clause_texts(labels.samples, contracts)
    gate1, chunks = settings.gate1, library_chunks(LIBRARY)
    rows = outcome_rows(labels.samples, recorded, clauses, chunks, contracts, gate1.score, gate1.threshold)
    metrics = verdict_metrics(rows, labels, settings.evaluation) | {
        "gate1": {"score": gate1.score, "threshold": gate1.threshold},
        "auditor": recorded[0]["auditor"],
        "judge": recorded[0]["judge"],
    }
    records.write_rows(OUTCOMES, map(asdict, rows), COLUMNS)
    records.write_json(METRICS, metrics)
    counts = metrics["outcomes"]
    print(f"eval_verdicts: {', '.join(f'{name} {count}' for name, count in counts.items())}", file=sys.stderr)


if __name__ == "__main__":
    run(main)
