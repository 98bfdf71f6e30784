"""chunk: spans and negatives cut to the embedder's window, with stable ids."""

from __future__ import annotations

from pathlib import Path

from pipeline.base import params, records
from pipeline.base.errors import run
from pipeline.corpus import chunk

READS = ("embedder",)
SLICE = Path("data/slice")
OUT = Path("data/chunks/chunks.parquet")
METRICS = Path("metrics/chunk.json")


def main() -> None:
    from pipeline.retrieval.embedder import load_embedder

    settings = params.load(READS).embedder
    spans = records.read_rows(SLICE / "spans.parquet")
    negatives = records.read_rows(SLICE / "negatives.parquet")

    # Only the tokenizer is needed: the embedder loads its model at the first text it embeds.
    embedder = load_embedder(settings.name, settings.runtime, settings.window)
    rows = chunk.chunk_spans(spans, chunk.SPAN, embedder.count_tokens, settings.window)
    rows += chunk.chunk_spans(negatives, chunk.NEGATIVE, embedder.count_tokens, settings.window)
    chunks = chunk.chunk_table(rows)

    records.write_rows(OUT, chunks, chunk.COLUMNS)
    records.write_json(METRICS, chunk.summary(chunks, len(spans), len(negatives), settings.window))


if __name__ == "__main__":
    run(main)
