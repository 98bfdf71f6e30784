"""BM25 over a library of texts: bm25s is the engine, rank-bm25 the reference it is held against.

Source of the variants: Kamphuis et al. 2020. ``lucene`` is the default: its inverse document
frequency, log(1 + (N - df + 0.5) / (df + 0.5)), is above zero for every word, so that a word that
most clauses share ("liability") still counts and no score is negative. rank-bm25's own BM25Okapi takes
another (floored at a quarter of the mean), hence the differing default rankings of the two libraries;
``reference`` computes the same variant in rank-bm25's terms.

Conventions: scores are float32 [n], in the order of the texts; a text that shares no word with the
query scores 0; a word that stands twice in the query counts twice.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pipeline.base.errors import CuadAuditError
from pipeline.retrieval.tokenize import tokenize

if TYPE_CHECKING:
    import bm25s
    import rank_bm25

#: The lower bound that BM25L and BM25+ give a term that occurs, as both libraries' papers have it.
DELTA = {"bm25l": 0.5, "bm25+": 1.0}


class Bm25:
    """An index of ``n`` texts; ``engine`` is None where no text holds a word."""

    def __init__(self, engine: bm25s.BM25 | None, n: int) -> None:
        self.engine, self.n = engine, n

    @classmethod
    def build(cls, texts: Sequence[str], method: str = "lucene", k1: float = 1.5, b: float = 0.75) -> Bm25:
        tokens = [tokenize(text) for text in texts]
        # In order: the library would number words as a set yields them, another way in every process.
        vocabulary = {word: number for number, word in enumerate(sorted({word for text in tokens for word in text}))}
        if not vocabulary:
            return cls(None, len(texts))
        import bm25s

        engine = bm25s.BM25(k1=k1, b=b, method=method, delta=DELTA.get(method, 0.5), backend="numpy")
        ids = [[vocabulary[word] for word in text] for text in tokens]
        engine.index((ids, vocabulary), create_empty_token=False, show_progress=False)
        return cls(engine, len(texts))

    def scores(self, query: str) -> np.ndarray:
        """[n] float32; for ``bm25l`` and ``bm25+`` less what a text without any of the words would get."""
        known = self.engine.get_tokens_ids(tokenize(query)) if self.engine else []
        if not known:
            return np.zeros(self.n, dtype=np.float32)
        scores = self.engine.get_scores_from_ids(known)
        if self.engine.nonoccurrence_array is not None:
            scores = np.maximum(scores - self.engine.nonoccurrence_array[known].sum(), 0)
        return scores

    def save(self, folder: Path) -> None:
        if self.engine is None:
            raise CuadAuditError("the library holds no word to index", "choose slice.categories that have spans")
        self.engine.save(folder, show_progress=False)

    @classmethod
    def load(cls, folder: Path) -> Bm25:
        import bm25s

        engine = bm25s.BM25.load(folder, show_progress=False)
        return cls(engine, int(engine.scores["num_docs"]))


def reference(texts: Sequence[str], method: str = "lucene", k1: float = 1.5, b: float = 0.75) -> Callable[[str], Any]:
    """Scores of a query by rank-bm25, float64 [n], for the same variant; for tests and benchmarks.

    Up to a constant factor the same scores as ``Bm25``: rank-bm25 multiplies by ``k1 + 1`` throughout.
    ``bm25l`` is not offered: rank-bm25 multiplies its score by the term's frequency once more than the
    paper does. At least one text has to hold a word (rank-bm25 divides by their mean length).
    """
    tokens = [tokenize(text) for text in texts]
    engine: rank_bm25.BM25
    if method == "bm25+":
        import rank_bm25

        engine = rank_bm25.BM25Plus(tokens, k1=k1, b=b, delta=DELTA[method])
    elif method in _IDF:
        engine = _okapi(_IDF[method])(tokens, k1=k1, b=b)
    else:
        raise ValueError(f"no reference for {method}")
    return lambda query: engine.get_scores(tokenize(query))


_IDF: dict[str, Callable[[int, int], float]] = {
    "lucene": lambda df, n: math.log(1 + (n - df + 0.5) / (df + 0.5)),
    "robertson": lambda df, n: max(0.0, math.log((n - df + 0.5) / (df + 0.5))),
    "atire": lambda df, n: math.log(n / df),
}


def _okapi(idf: Callable[[int, int], float]) -> type[rank_bm25.BM25Okapi]:
    import rank_bm25

    class Okapi(rank_bm25.BM25Okapi):
        def _calc_idf(self, nd: dict[str, int]) -> None:
            self.idf = {word: idf(df, self.corpus_size) for word, df in nd.items()}

    return Okapi
