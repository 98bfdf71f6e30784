"""A fake embedder whose vectors can be worked out by hand, and a small library."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
import pytest

from pipeline.retrieval.vectors import unit_rows


class FakeEmbedder:
    """Counts words as tokens; a text's vector comes from its digest. Remembers what it embedded."""

    dim = 8

    def __init__(self, window: int = 16, name: str = "fake") -> None:
        self.window = window
        self.identity = {"name": name, "weights_sha256": "0" * 64, "window": window}
        self.calls: list[list[str]] = []

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) + 2 for text in texts]

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        self.calls.append(list(texts))
        digests = [hashlib.sha256(text.encode("utf-8", "replace")).digest()[:8] for text in texts]
        return unit_rows(np.array([[byte - 127.5 for byte in digest] for digest in digests]).reshape(-1, self.dim))

    @property
    def embedded(self) -> list[str]:
        return [text for call in self.calls for text in call]


@pytest.fixture
def fake() -> FakeEmbedder:
    return FakeEmbedder()


@pytest.fixture
def make_fake() -> type[FakeEmbedder]:
    return FakeEmbedder
