"""Stage eval_retrieval: each retriever against the expert labels, under three protocols, paired.

Reads the held-out spans of data/slice, data/chunks and data/index; writes
data/retrieval/per_query.parquet and metrics/retrieval.json. A query is a whole span: BM25 reads its
whole text, dense search the vectors of all its pieces, of which the best counts for each chunk.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.base import params, records
from pipeline.base.errors import run
from pipeline.base.types import CHUNK
from pipeline.corpus.slice import LIBRARY, QUERIES
from pipeline.evaluation import retrieval_metrics, retrieval_report
from pipeline.evaluation.retrieval_metrics import DISTRACTORS, Labelled
from pipeline.retrieval.library import RETRIEVERS, Library, vectors_of

READS = ("retrieval.rrf_k", "retrieval_rule", "evaluation")
SPANS = Path("data/slice/spans.parquet")
CHUNKS = Path("data/chunks/chunks.parquet")
INDEX = Path("data/index")
OUT = Path("data/retrieval/per_query.parquet")
METRICS = Path("metrics/retrieval.json")

NAMES = ("protocol", "ranker", "query_id", "span_id", "family", "categories", "first")
MEASURES = (*retrieval_metrics.METRICS, retrieval_metrics.BY_CHANCE)


def query_spans(spans: Sequence[Mapping[str, Any]]) -> list[Labelled]:
    """The held-out spans, in the order of the rows."""
    return [
        Labelled(span["span_id"], frozenset(span["categories"]), span["family"], span["text"])
        for span in spans
        if span["split"] == QUERIES
    ]


def piece_vectors(chunks: Sequence[Mapping[str, Any]], spans: Sequence[str], index: Path) -> dict[str, np.ndarray]:
    """[pieces, d] of each span, its pieces in the order of the text."""
    asked = set(spans)
    pieces = sorted((row for row in chunks if row["span_id"] in asked), key=lambda row: row["start"])
    vectors = vectors_of(index, [row["sha256"] for row in pieces])
    rows: dict[str, list[int]] = {}
    for number, row in enumerate(pieces):
        rows.setdefault(row["span_id"], []).append(number)
    return {span_id: vectors[found] for span_id, found in rows.items()}


def rank(
    library: Library, queries: list[Labelled], vectors: dict[str, np.ndarray], rrf_k: int
) -> dict[str, dict[str, list[str]]]:
    """For each retriever and span the ids of its best chunks, none of the span's own family.
    ``vectors``: [pieces, d] of each span."""
    rankings: dict[str, dict[str, list[str]]] = {retriever: {} for retriever in RETRIEVERS}
    for query in queries:
        found = library.search_each(
            query.text, vectors[query.key], retrieval_metrics.DEPTH, rrf_k=rrf_k, exclude_family=query.family
        )
        for retriever, ranking in rankings.items():
            ranking[query.key] = [evidence.chunk.chunk_id for evidence in found[retriever]]
    return rankings


def main() -> None:
    p = params.load(READS)
    index = Library.load(INDEX)
    chunks = records.read_rows(CHUNKS, [*CHUNK, "span_id", "sha256", "split"])
    queries = query_spans(records.read_rows(SPANS))
    vectors = piece_vectors(chunks, [query.key for query in queries], INDEX)
    everything = Library.of([row for row in chunks if row["split"] == LIBRARY], INDEX)
    offered: dict[str, list[Labelled]] = {}
    rows: records.Rows = []
    for library, protocols in ((index, ("single", "set")), (everything, (DISTRACTORS,))):
        rankings = rank(library, queries, vectors, p.retrieval.rrf_k)
        labelled = [Labelled(c.chunk_id, frozenset(c.categories), c.family, c.text) for c in library.chunks]
        for protocol in protocols:
            offered[protocol] = labelled
            rows += retrieval_metrics.per_query_table(protocol, queries, labelled, rankings)
    metrics = retrieval_report.describe(rows, queries, offered, RETRIEVERS, p.retrieval_rule, p.evaluation)
    table = [row | {"categories": "; ".join(row["categories"])} for row in rows]
    records.write_rows(OUT, table, dict.fromkeys(NAMES, "string") | dict.fromkeys(MEASURES, "float64"))
    records.write_json(METRICS, metrics)
    for protocol, figures in metrics["protocols"].items():
        for name, ranker in figures["rankers"].items():
            value = ranker["overall"]["p_at_1"]["value"]
            print(f"{protocol} {name}: p_at_1 {'-' if value is None else format(value, '.3f')}")
    print(f"rule: {metrics['rule']['chosen']} chosen; fired: {', '.join(metrics['rule']['fired']) or 'nothing'}")


if __name__ == "__main__":
    run(main)
