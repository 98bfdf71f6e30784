"""Stage eval_retrieval: each retriever against the expert labels, under two protocols, paired.

Reads the held-out spans of data/slice, their pieces in data/chunks, and data/index; writes
data/retrieval/per_query.parquet and metrics/retrieval.json. A query is a whole span: BM25 reads its
whole text, dense search the vectors of all its pieces, of which the best counts for each chunk.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
from tqdm import tqdm

from pipeline import params, records
from pipeline.errors import CuadAuditError, run
from pipeline.evaluation import retrieval_metrics, retrieval_report
from pipeline.evaluation.retrieval_metrics import Labelled
from pipeline.retrieval.library import Library

READS = ("retrieval.rrf_k", "retrieval_rule", "evaluation")
SPANS = Path("data/slice/spans.parquet")
CHUNKS = Path("data/chunks/chunks.parquet")
INDEX = Path("data/index")
OUT = Path("data/retrieval/per_query.parquet")
METRICS = Path("metrics/retrieval.json")

RETRIEVERS = ("bm25", "dense", "rrf")


def query_spans(spans: pd.DataFrame) -> list[Labelled]:
    """The held-out spans, in the order of the table."""
    held_out = spans[spans["split"] == "queries"]
    columns = (held_out[name] for name in ("span_id", "categories", "family", "text"))
    return [
        Labelled(key, frozenset(categories), family, text)
        for key, categories, family, text in zip(*columns, strict=True)
    ]


def piece_vectors(chunks: pd.DataFrame, spans: list[str], index: Path) -> dict[str, np.ndarray]:
    """[pieces, d] of each span, its pieces in the order of the text."""
    rows = {digest: row for row, digest in enumerate(records.read_parquet(index / "texts.parquet")["sha256"])}
    table = np.load(index / "vectors.npy", mmap_mode="r")
    asked = set(spans)
    pieces: dict[str, list[int]] = {}
    for span_id, digest in chunks.sort_values("start")[["span_id", "sha256"]].itertuples(index=False):
        if span_id in asked:
            if digest not in rows:
                raise CuadAuditError(f"{index}: no vector for span {span_id}", "derive it again: `dvc repro index`")
            pieces.setdefault(span_id, []).append(rows[digest])
    return {span_id: np.asarray(table[found]) for span_id, found in pieces.items()}


def rank(
    library: Library, queries: list[Labelled], vectors: dict[str, np.ndarray], rrf_k: int
) -> dict[str, dict[str, list[str]]]:
    """For each retriever and span the ids of its best chunks, none of the span's own family.
    ``vectors``: [pieces, d] of each span."""
    return {
        retriever: {
            query.key: [
                found.chunk.chunk_id
                for found in library.search(
                    query.text,
                    vectors[query.key],
                    retrieval_metrics.DEPTH,
                    retriever=retriever,
                    rrf_k=rrf_k,
                    exclude_family=query.family,
                )
            ]
            for query in tqdm(queries, desc=retriever, leave=False)
        }
        for retriever in RETRIEVERS
    }


def main() -> None:
    p = params.load(READS)
    library = Library.load(INDEX)
    queries = query_spans(records.read_parquet(SPANS))
    vectors = piece_vectors(records.read_parquet(CHUNKS), [query.key for query in queries], INDEX)
    rankings = rank(library, queries, vectors, p.retrieval.rrf_k)
    offered = [Labelled(c.chunk_id, frozenset(c.categories), c.family, c.text) for c in library.chunks]
    table = pd.concat(
        [
            retrieval_metrics.per_query_table(protocol, queries, offered, rankings)
            for protocol in retrieval_metrics.PROTOCOLS
        ],
        ignore_index=True,
    )
    metrics = retrieval_report.describe(table, queries, offered, RETRIEVERS, p.retrieval_rule, p.evaluation)
    table["categories"] = ["; ".join(names) for names in table["categories"]]
    records.write_parquet(OUT, table)
    records.write_json(METRICS, metrics)
    for protocol, figures in metrics["protocols"].items():
        for name, ranker in figures["rankers"].items():
            value = ranker["overall"]["p_at_1"]["value"]
            print(f"{protocol} {name}: p_at_1 {'-' if value is None else format(value, '.3f')}")
    print(f"rule: {metrics['rule']['chosen']} chosen; fired: {', '.join(metrics['rule']['fired']) or 'nothing'}")


if __name__ == "__main__":
    run(main)
