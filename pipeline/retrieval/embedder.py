"""Texts to vectors: one protocol, the embedded MiniLM, any sentence-transformers model by name.

Conventions: vectors are [n, dim] float32 unit rows (see ``vectors``); ``identity`` names what the
vectors hang on and nothing else (the weights and the window, not the runtime).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from pipeline.errors import UsageError


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
    from pipeline.cache import cache_dir as project_cache
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
