"""Retrievers: small callables from a query to a ranking of the library's rows.

Conventions: a ranking is a list of (row, score), best first; equal scores stand in row order. ``mask``
(bool [n]) leaves rows out: a family's own contracts, say. Reciprocal rank fusion is Cormack et al.
2009: a row scores the sum of 1 / (rrf_k + rank) over the rankings that hold it, ranks from 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nsmallest
from typing import Protocol

import numpy as np

from pipeline.retrieval.bm25 import Bm25

Ranking = list[tuple[int, float]]
#: Cosines are compared at this many decimals: equal texts then tie, whatever order a product sums in.
COSINE_DECIMALS = 6
#: How deep a ranking is fused: as deep as a TREC run goes.
FUSED = 1000


class Retriever(Protocol):
    """``vectors`` are the query's pieces, [pieces, dim] (or one vector, [dim]); BM25 needs none."""

    def __call__(self, text: str, vectors: np.ndarray | None, k: int, mask: np.ndarray | None = None) -> Ranking: ...


def rank(scores: np.ndarray, k: int, keep: np.ndarray | None = None) -> Ranking:
    """The ``k`` best rows of ``scores`` [n] among those that ``keep`` [n] allows."""
    rows = np.arange(len(scores)) if keep is None else np.flatnonzero(keep)
    found = scores[rows]
    if 0 < k < len(rows):  # no need to sort what lies below the k-th best; what equals it is told apart by its row
        near = found >= np.partition(found, len(found) - k)[len(found) - k]
        rows, found = rows[near], found[near]
    order = np.argsort(-found, kind="stable")[:k]
    return list(zip(rows[order].tolist(), found[order].tolist(), strict=True))


def bm25(index: Bm25) -> Retriever:
    """Rows that share a word of weight with the query; a query of unknown words finds nothing."""

    def search(text: str, vectors: np.ndarray | None, k: int, mask: np.ndarray | None = None) -> Ranking:  # noqa: ARG001
        scores = index.scores(text)
        found = scores > 0
        return rank(scores, k, found if mask is None else found & mask)

    return search


def dense(library: np.ndarray) -> Retriever:
    """Cosine with each library vector [n, dim], of the query's piece that fits it best."""

    def search(text: str, vectors: np.ndarray | None, k: int, mask: np.ndarray | None = None) -> Ranking:  # noqa: ARG001
        if vectors is None or np.size(vectors) == 0:
            return []
        cosines = np.atleast_2d(vectors) @ library.T
        return rank(np.round(cosines.max(axis=0), COSINE_DECIMALS), k, mask)

    return search


def fuse(rankings: Sequence[Ranking], rrf_k: int, k: int) -> Ranking:
    """Reciprocal rank fusion of ``rankings``, the ``k`` best."""
    scores: dict[int, float] = {}
    for ranking in rankings:
        for place, (row, _) in enumerate(ranking, start=1):
            scores[row] = scores.get(row, 0.0) + 1 / (rrf_k + place)
    return nsmallest(k, scores.items(), key=lambda item: (-item[1], item[0]))


def rrf(retrievers: Sequence[Retriever], rrf_k: int) -> Retriever:
    """The fusion of rankings ``FUSED`` deep: a row that one retriever ranks low still gets its share."""

    def search(text: str, vectors: np.ndarray | None, k: int, mask: np.ndarray | None = None) -> Ranking:
        return fuse([retrieve(text, vectors, max(k, FUSED), mask) for retrieve in retrievers], rrf_k, k)

    return search
