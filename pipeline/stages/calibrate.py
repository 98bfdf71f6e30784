"""Stage calibrate: evidence scores of positives and negatives, the probe, the thresholds of gate 1.

Reads data/chunks, the vectors of data/index and data/negatives; writes data/calibration and
metrics/calibration.json. It reads neither ``gate1.threshold`` nor ``gate1.score``: every score kind is
reported, and a changed threshold reruns nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipeline.base import params, records
from pipeline.base.errors import run
from pipeline.evaluation import calibration, calibration_report
from pipeline.retrieval.library import vectors_of
from pipeline.retrieval.vectors import text_sha256

READS = ("gate1.keep", "gate1.alpha", "gate1.delta", "evaluation")
CHUNKS = Path("data/chunks/chunks.parquet")
INDEX = Path("data/index")
WRITTEN = Path("data/negatives/negatives.jsonl")
OUT = Path("data/calibration")
METRICS = Path("metrics/calibration.json")

CHUNK_COLUMNS = ("chunk_id", "span_id", "sha256", "kind", "split", "categories", "family")

CORPUS_STRATUM = "corpus"


def corpus_units(chunks: Sequence[Mapping[str, Any]]) -> records.Rows:
    """Every chunk as a unit: chosen spans are positives, spans of other categories negatives."""
    return [
        {
            "unit_id": chunk["chunk_id"],
            "span_id": chunk["span_id"],
            "sha256": chunk["sha256"],
            "kind": "positive" if chunk["kind"] == "span" else "negative",
            "side": chunk["split"],
            "stratum": CORPUS_STRATUM,
            "categories": list(chunk["categories"]),
            "family": chunk["family"],
        }
        for chunk in chunks
    ]


def written_units(rows: Sequence[Mapping[str, str]]) -> records.Rows:
    """The project's own negatives as units; each is a family of its own, under a name that no
    contract family can have."""
    return [
        {
            "unit_id": row["id"],
            "span_id": row["id"],
            "sha256": text_sha256(row["text"]),
            "kind": "negative",
            "side": calibration.WRITTEN,
            "stratum": row["stratum"],
            "categories": [],
            "family": f"written:{row['id']}",
        }
        for row in rows
    ]


def main() -> None:
    p = params.load(READS)
    rows = corpus_units(records.read_rows(CHUNKS, CHUNK_COLUMNS)) + written_units(records.read_jsonl(WRITTEN))
    units = {
        name: [row[name] for row in rows] for name in ("kind", "side", "stratum", "categories", "family", "span_id")
    }
    vectors = vectors_of(INDEX, [row["sha256"] for row in rows])
    library = [
        place for place, row in enumerate(rows) if (row["kind"], row["side"]) == ("positive", calibration.LIBRARY)
    ]
    scores, probe = calibration.score_units(
        units, vectors, vectors[library], [rows[place]["family"] for place in library], p.evaluation.seed
    )
    scored = units | scores
    metrics = calibration_report.describe(scored, p.evaluation, p.gate1.keep, p.gate1.alpha, p.gate1.delta)
    curves = calibration_report.curves(scored)
    columns = {kind: column.tolist() for kind, column in scores.items()}
    table = [
        {name: row[name] for name in ("unit_id", "span_id", "kind", "side", "stratum")}
        | {"category": "; ".join(row["categories"]), "family": row["family"]}
        | {kind: column[place] for kind, column in columns.items()}
        for place, row in enumerate(rows)
    ]
    table.sort(key=lambda row: (row["kind"], row["side"], row["unit_id"]))
    with records.atomic_folder(OUT) as out:
        records.write_rows(out / "scores.parquet", table, records.columns(table, float64=tuple(scores)))
        numbers = ("threshold", "kept", "stopped")
        records.write_rows(out / "curve.parquet", curves, records.columns(curves, float64=numbers))
        if probe is not None:
            records.write_json(out / "probe.json", probe.to_json())
    records.write_json(METRICS, metrics)
    for kind, figures in metrics["scores"].items():
        auroc = figures["auroc"][calibration.LIBRARY]["value"]
        print(f"{kind}: AUROC {'-' if auroc is None else format(auroc, '.3f')}, {_thresholds(figures)}")


def _thresholds(figures: dict) -> str:
    parts = []
    for name, at in figures["recommended"].items():
        stopped = at[calibration.LIBRARY]["stopped"]
        parts.append(f"{name} at {at['threshold']:.4f} stops {stopped['count']} of {stopped['n']}")
    return ", ".join(parts)


if __name__ == "__main__":
    run(main)
