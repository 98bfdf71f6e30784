"""Texts to vectors: one protocol, the embedded MiniLM, any sentence-transformers model by name.

Conventions: vectors are [n, dim] float32 unit rows (see ``vectors``); ``identity`` names what the
vectors hang on and nothing else (the weights and the window, not the runtime).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from pipeline.base.cache import cache_dir as project_cache
from pipeline.base.errors import UsageError
from pipeline.retrieval.vector_store import VectorStore
from pipeline.retrieval.vectors import text_sha256

#: Tokens embedded between two commits of the cache: some two seconds of work.
COMMIT_TOKENS = 16384


class Embedder(Protocol):
    """``window`` is the longest input in tokens, special tokens included."""

    dim: int
    window: int

    @property
    def identity(self) -> Mapping[str, Any]: ...

    def embed(self, texts: Sequence[str]) -> np.ndarray: ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]: ...


def load_embedder(name: str, runtime: str, window: int, cache_dir: Path | None = None) -> Embedder:
    """The embedder of ``params.embedder``. Nothing heavy is loaded before the first text.

    ``cache_dir`` holds the ONNX file; None is the project's cache folder.
    """
    from pipeline.retrieval import minilm

    if runtime == "onnx":
        if name != minilm.NAME:
            raise UsageError(
                f"embedder {name!r} has no onnx runtime: only {minilm.NAME} has",
                f"use `embedder=sentence_transformers embedder.name={name}`",
            )
        return minilm.MiniLm(window, cache_dir or project_cache())
    from pipeline.retrieval.torch_embedder import TorchEmbedder

    return TorchEmbedder(name, window)


class CachedEmbedder:
    """An embedder that computes each distinct text once, ever: vectors are kept by model and text.

    What is missing is embedded longest first and committed in portions, so that a killed run goes on
    where it stood and the time left on the progress bar shrinks rather than grows.
    """

    def __init__(self, inner: Embedder, cache_dir: Path | None = None, progress: bool = True) -> None:
        self.inner = inner
        self.dim, self.window = inner.dim, inner.window
        self.progress = progress
        self.store = VectorStore((cache_dir or project_cache()) / "vectors", inner.identity, inner.dim)

    @property
    def identity(self) -> Mapping[str, Any]:
        return self.inner.identity

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self.inner.count_tokens(texts)

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """[texts, dim] float32, in the order of ``texts``; equal texts get the same vector."""
        keys = [text_sha256(text) for text in texts]
        distinct = dict(zip(keys, texts, strict=True))
        known = self.store.read(list(distinct))
        missing = {key: text for key, text in distinct.items() if key not in known}
        if missing:
            known |= self._embed_missing(missing)
        return np.array([known[key] for key in keys], dtype=np.float32).reshape(len(keys), self.dim)

    def _embed_missing(self, missing: Mapping[str, str]) -> dict[str, np.ndarray]:
        from tqdm import tqdm

        tokens = [min(n, self.window) for n in self.count_tokens(list(missing.values()))]
        sizes = dict(zip(missing, tokens, strict=True))
        fresh: dict[str, np.ndarray] = {}
        with tqdm(total=len(missing), desc="embed", unit="text", disable=not self.progress) as bar:
            for keys in portions(sizes, COMMIT_TOKENS):
                vectors = self.inner.embed([missing[key] for key in keys])
                self.store.write(keys, vectors)
                fresh.update(zip(keys, vectors, strict=True))
                bar.update(len(keys))
        return fresh


def portions(sizes: Mapping[str, int], budget: int) -> Iterator[list[str]]:
    """Keys, largest first, in portions of at most ``budget`` in all (but at least one key)."""
    portion: list[str] = []
    used = 0
    for key in sorted(sizes, key=lambda key: (-sizes[key], key)):
        if portion and used + sizes[key] > budget:
            yield portion
            portion, used = [], 0
        portion.append(key)
        used += sizes[key]
    if portion:
        yield portion
