"""The library: chunks of contracts that can be cited, with what it takes to find them.

``data/index/`` is its form on disk; ``manifest.json`` is written last, so that its presence proves
that the rest is whole. Loading uses pyarrow alone: pandas would double the time to the first answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pipeline.base import records
from pipeline.base.errors import CuadAuditError, UsageError
from pipeline.base.types import CHUNK, Chunk, Evidence
from pipeline.retrieval import search as retrievers
from pipeline.retrieval.bm25 import Bm25

if TYPE_CHECKING:
    from pipeline.retrieval.embedder import Embedder

RETRIEVERS = ("bm25", "dense", "rrf")
#: What pyarrow, numpy and bm25s raise over files that are cut, emptied or of another shape.
DAMAGED = (OSError, EOFError, ValueError, LookupError, TypeError, AttributeError)
_MEND = "run `dvc repro index` to derive it"


class Library:
    """Row i of ``vectors`` [n, dim] and of the BM25 index is ``chunks[i]``."""

    def __init__(
        self, chunks: Sequence[Chunk], vectors: np.ndarray, bm25: Bm25, manifest: Mapping[str, Any] | None = None
    ) -> None:
        if not len(chunks) == len(vectors) == bm25.n:
            raise ValueError(f"{len(chunks)} chunks, {len(vectors)} vectors, {bm25.n} indexed texts")
        self.chunks = list(chunks)
        self.vectors = vectors
        self.bm25 = bm25
        self.manifest = dict(manifest or {})
        self.families = np.array([chunk.family for chunk in self.chunks], dtype=object)

    @classmethod
    def load(cls, index_dir: Path) -> Library:
        """The library of an index folder; ``CuadAuditError`` if it is absent, incomplete or does not fit together."""
        folder = Path(index_dir)
        if not (folder / "manifest.json").is_file():
            raise CuadAuditError(f"{folder}: no complete index (manifest.json is missing)", _MEND)
        manifest = records.read_json(folder / "manifest.json")
        try:
            chunks, digests = _chunks(folder / "library.parquet")
            vectors = vectors_of(folder, digests)
            return cls(chunks, vectors, Bm25.load(folder / "bm25"), manifest)
        except DAMAGED as error:
            raise CuadAuditError(f"{folder}: damaged index ({error})", _MEND) from error

    @classmethod
    def of(cls, rows: Sequence[Mapping[str, Any]], index_dir: Path) -> Library:
        """A library of any chunks (rows of data/chunks) with the index's vectors and its kind of BM25."""
        manifest = records.read_json(Path(index_dir) / "manifest.json")
        chunks = [Chunk.of(row) for row in rows]
        vectors = vectors_of(index_dir, [row["sha256"] for row in rows])
        return cls(chunks, vectors, Bm25.build([chunk.text for chunk in chunks], **manifest["bm25"]), manifest)

    def check(self, embedder: Embedder) -> None:
        """Refuse an embedder whose vectors cannot be compared with the library's."""
        built = self.manifest.get("embedder")
        if built != dict(embedder.identity):
            raise CuadAuditError(
                f"the index was built with {built}, and the embedder is {dict(embedder.identity)}", _MEND
            )

    def search(
        self,
        query: str,
        query_vector: np.ndarray | None,
        k: int,
        retriever: str = "rrf",
        rrf_k: int = 60,
        exclude_family: str | None = None,
    ) -> list[Evidence]:
        """The ``k`` best chunks, ranks from 1; ``query_vector`` is [pieces, dim] or [dim]."""
        mask = None if exclude_family is None else self.mask(exclude_family)
        return self._evidence(self.retriever(retriever, rrf_k)(query, query_vector, k, mask))

    def search_each(
        self, query: str, query_vector: np.ndarray, k: int, rrf_k: int = 60, exclude_family: str | None = None
    ) -> dict[str, list[Evidence]]:
        """What ``search`` finds by each of ``RETRIEVERS``: the rankings that are fused begin with the others."""
        mask, depth = self.mask(exclude_family), max(k, retrievers.FUSED)
        found = {name: self.retriever(name)(query, query_vector, depth, mask) for name in ("bm25", "dense")}
        found["rrf"] = retrievers.fuse(list(found.values()), rrf_k, k)
        return {name: self._evidence(ranking[:k]) for name, ranking in found.items()}

    def _evidence(self, ranking: retrievers.Ranking) -> list[Evidence]:
        return [Evidence(self.chunks[row], score, place) for place, (row, score) in enumerate(ranking, start=1)]

    def retriever(self, name: str, rrf_k: int = 60) -> retrievers.Retriever:
        """One of ``RETRIEVERS`` over this library."""
        if name == "bm25":
            return retrievers.bm25(self.bm25)
        if name == "dense":
            return retrievers.dense(self.vectors)
        if name == "rrf":
            return retrievers.rrf([self.retriever("bm25"), self.retriever("dense")], rrf_k)
        raise UsageError(f"no retriever {name!r}", f"give one of {', '.join(RETRIEVERS)}")

    def mask(self, exclude_family: str | None) -> np.ndarray:
        """bool [n]: the rows that are not of that family; all of them for None."""
        if exclude_family is None:
            return np.ones(len(self.chunks), dtype=bool)
        return np.asarray(self.families != exclude_family, dtype=bool)

    def chunk(self, chunk_id: str) -> Chunk | None:
        return self._by_id.get(chunk_id)

    @cached_property
    def _by_id(self) -> dict[str, Chunk]:
        return {chunk.chunk_id: chunk for chunk in self.chunks}


def vectors_of(index_dir: Path, digests: Sequence[str]) -> np.ndarray:
    """[len(digests), dim] float32: the index's vectors of those texts, found by sha256."""
    folder = Path(index_dir)
    every = records.read_columns(folder / "texts.parquet", ["sha256"])["sha256"]
    if not (folder / "vectors.npy").exists():
        raise records.missing(folder / "vectors.npy")
    vectors = np.load(folder / "vectors.npy", mmap_mode="r")
    if len(vectors) != len(every):
        raise CuadAuditError(f"{folder}: damaged index ({len(vectors)} vectors for {len(every)} texts)", _MEND)
    rows = {digest: row for row, digest in enumerate(every)}
    if absent := sum(digest not in rows for digest in digests):
        raise CuadAuditError(f"{folder}: damaged index (no vector for {absent} of {len(digests)} texts)", _MEND)
    return np.ascontiguousarray(vectors[[rows[digest] for digest in digests]])


def _chunks(path: Path) -> tuple[list[Chunk], list[str]]:
    """The chunks in index order, and the digests of their texts."""
    rows = records.read_rows(path, [*CHUNK, "sha256"])
    return [Chunk.of(row) for row in rows], [row["sha256"] for row in rows]
