"""From a clause to its evidence: cut, embed, search, score. What gate 1 and the auditor are given.

A clause longer than the embedder's window is cut by the same function as the library's chunks; all
its pieces (up to ``MOST_PIECES``) search and all count for gate 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.base.types import Evidence
from pipeline.corpus.chunk import cut
from pipeline.grounding.gate1 import KINDS, Probe, evidence_score

if TYPE_CHECKING:
    import numpy as np

    from pipeline.base import params
    from pipeline.retrieval.embedder import Embedder
    from pipeline.retrieval.library import Library


#: No clause of the corpus has a third as many pieces; text that is all punctuation, a token a character,
#: would cost seconds of embedding.
MOST_PIECES = 16


@dataclass(frozen=True)
class Searcher:
    """A library with what it takes to search it."""

    library: Library
    embedder: Embedder
    retrieval: params.Retrieval
    probe: Probe | None = None

    def pieces(self, clause: str) -> list[str]:
        """At most ``MOST_PIECES`` pieces of the clause, in order: of more, as many spread evenly over it,
        the first and the last among them."""
        spans = cut(clause, self.embedder.count_tokens, self.embedder.window)
        if len(spans) > MOST_PIECES:
            step = (len(spans) - 1) / (MOST_PIECES - 1)
            spans = [spans[round(number * step)] for number in range(MOST_PIECES)]
        return [clause[start:end] for start, end in spans]

    def vectors(self, clause: str) -> np.ndarray:
        """[pieces, dim]."""
        return self.embedder.embed(self.pieces(clause))

    def evidence(
        self, clause: str, vectors: np.ndarray, k: int | None = None, exclude_family: str | None = None
    ) -> list[Evidence]:
        """The ``k`` best chunks, none from ``exclude_family``."""
        return self.library.search(
            clause,
            vectors,
            k or self.retrieval.k,
            retriever=self.retrieval.retriever,
            rrf_k=self.retrieval.rrf_k,
            exclude_family=exclude_family,
        )

    def scores(
        self, vectors: np.ndarray, exclude_family: str | None = None, kinds: Sequence[str] = KINDS
    ) -> dict[str, float]:
        """The gate-1 score under each kind."""
        mask = self.library.mask(exclude_family)
        library = self.library.vectors if mask.all() else self.library.vectors[mask]
        return {kind: evidence_score(kind, vectors, library, self.probe) for kind in kinds}
