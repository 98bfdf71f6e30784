"""Stage calibrate: evidence scores of positives and negatives, the probe, the thresholds of gate 1.

Reads data/chunks, the vectors of data/index and data/negatives; writes data/calibration and
metrics/calibration.json. It reads neither ``gate1.threshold`` nor ``gate1.score``: every score kind is
reported, and a changed threshold reruns nothing.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

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

COLUMNS = ["unit_id", "span_id", "sha256", "kind", "side", "stratum", "categories", "family"]
CORPUS_STRATUM = "corpus"


def corpus_units(chunks: pd.DataFrame) -> pd.DataFrame:
    """Every chunk as a unit: chosen spans are positives, spans of other categories negatives."""
    return pd.DataFrame(
        {
            "unit_id": chunks["chunk_id"],
            "span_id": chunks["span_id"],
            "sha256": chunks["sha256"],
            "kind": np.where(chunks["kind"] == "span", "positive", "negative"),
            "side": chunks["split"],
            "stratum": CORPUS_STRATUM,
            "categories": [list(categories) for categories in chunks["categories"]],
            "family": chunks["family"],
        }
    )


def written_units(rows: list[dict[str, str]]) -> pd.DataFrame:
    """The project's own negatives as units; each is a family of its own, under a name that no
    contract family can have."""
    units = []
    for row in rows:
        digest = text_sha256(row["text"])
        key = row["id"]
        units.append((key, key, digest, "negative", calibration.WRITTEN, row["stratum"], [], f"written:{key}"))
    return pd.DataFrame(units, columns=COLUMNS)


def main() -> None:
    p = params.load(READS)
    units = corpus_units(records.read_parquet(CHUNKS))
    units = pd.concat([units, written_units(records.read_jsonl(WRITTEN))], ignore_index=True)
    vectors = vectors_of(INDEX, units["sha256"].tolist())
    library = ((units["kind"] == "positive") & (units["side"] == calibration.LIBRARY)).to_numpy()
    scored, probe = calibration.score_units(
        units, vectors, vectors[library], units["family"][library], p.evaluation.seed
    )
    metrics = calibration_report.describe(scored, p.evaluation, p.gate1.keep, p.gate1.alpha, p.gate1.delta)
    with records.atomic_folder(OUT) as out:
        table = scored.drop(columns="sha256")
        table["categories"] = ["; ".join(names) for names in table["categories"]]
        table = table.rename(columns={"categories": "category"}).sort_values(["kind", "side", "unit_id"])
        records.write_parquet(out / "scores.parquet", table)
        records.write_parquet(out / "curve.parquet", pd.DataFrame(calibration_report.curves(scored)))
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
