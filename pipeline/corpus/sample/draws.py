"""Seeded draws that give the same choices on every machine and Python version.

Only ``random.Random.random()`` is used, whose sequence for an integer seed the standard library
guarantees; everything else (index, sample, shuffle) is derived here. A stream is named by its key,
so that adding a draw in one place never moves the draws of another.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Draws:
    """One stream of draws; ``Draws(20, "family", 3)`` is always the same stream."""

    def __init__(self, *key: int | str) -> None:
        digest = hashlib.sha256("\x1f".join(str(part) for part in key).encode()).digest()
        self._random = random.Random(int.from_bytes(digest, "big")).random

    def below(self, n: int) -> int:
        """An integer from 0 to n - 1; n must be positive."""
        return int(self._random() * n)

    def chance(self, probability: float) -> bool:
        return self._random() < probability

    def pick(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def sample(self, items: Sequence[T], n: int) -> list[T]:
        """``n`` distinct positions of ``items``, in drawn order (all of them if n is larger)."""
        pool = list(items)
        for i in range(min(n, len(pool))):
            j = i + self.below(len(pool) - i)
            pool[i], pool[j] = pool[j], pool[i]
        return pool[:n]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        return self.sample(items, len(items))
