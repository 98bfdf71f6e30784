"""slice: the spans of the chosen categories, contract families, the leakage-safe split."""

from __future__ import annotations

from pathlib import Path

from pipeline import params, records
from pipeline.corpus import slice as slicing
from pipeline.errors import run

READS = ("slice",)
RAW = Path("data/raw")
OUT = Path("data/slice")
METRICS = Path("metrics/slice.json")


def main() -> None:
    settings = params.load(READS).slice
    contracts = records.read_parquet(RAW / "contracts.parquet")
    questions = records.read_parquet(RAW / "questions.parquet")
    spans = records.read_parquet(RAW / "spans.parquet")

    categories = slicing.choose_categories(settings.categories, questions["category"].unique().tolist())
    sliced = slicing.slice_contracts(contracts, settings.seed, settings.holdout, settings.near_duplicate)
    chosen, negatives, dropped = slicing.slice_spans(contracts, spans, sliced, categories)

    with records.atomic_folder(OUT) as folder:
        records.write_parquet(folder / "contracts.parquet", sliced)
        records.write_parquet(folder / "spans.parquet", chosen)
        records.write_parquet(folder / "negatives.parquet", negatives)
    records.write_json(METRICS, slicing.summary(sliced, chosen, negatives, dropped))


if __name__ == "__main__":
    run(main)
