"""slice: the spans of the chosen categories, contract families, the leakage-safe split."""

from __future__ import annotations

from pathlib import Path

from pipeline.base import params, records
from pipeline.base.errors import run
from pipeline.corpus import slice as slicing

READS = ("slice",)
RAW = Path("data/raw")
OUT = Path("data/slice")
METRICS = Path("metrics/slice.json")


def main() -> None:
    settings = params.load(READS).slice
    contracts = records.read_rows(RAW / "contracts.parquet")
    known = records.read_columns(RAW / "questions.parquet", ["category"])["category"]
    spans = records.read_rows(RAW / "spans.parquet")

    categories = slicing.choose_categories(settings.categories, known)
    sliced = slicing.slice_contracts(contracts, settings.seed, settings.holdout, settings.near_duplicate)
    chosen, negatives, dropped = slicing.slice_spans(contracts, spans, sliced, categories)

    with records.atomic_folder(OUT) as folder:
        records.write_rows(folder / "contracts.parquet", sliced, slicing.CONTRACT_COLUMNS)
        records.write_rows(folder / "spans.parquet", chosen, slicing.SPAN_COLUMNS)
        records.write_rows(folder / "negatives.parquet", negatives, slicing.SPAN_COLUMNS)
    records.write_json(METRICS, slicing.summary(sliced, chosen, negatives, dropped))


if __name__ == "__main__":
    run(main)
