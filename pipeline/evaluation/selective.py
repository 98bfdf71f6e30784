"""Selective prediction: what is risked on the share of items that are answered.

Conventions. Items are ranked by a confidence, highest first. At a cut, *coverage* is the share of
all items answered and *selective risk* the share of the answered that are wrong. Items of equal
confidence cannot be told apart by a threshold: they enter together, and inside such a group the
risk counted for AURC is its expectation over the group's orders. AURC is the mean of the selective
risk over the answered counts 1..m (El-Yaniv and Wiener 2010; Geifman et al. 2019); the oracle ranks
every right answer before every wrong one, a random ranking has the overall risk at every count.
An item that has no answer at any threshold bounds the coverage and enters no risk.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby


@dataclass(frozen=True, slots=True)
class RiskCoverage:
    """``points``: (threshold, answered, wrong), by falling threshold, one per distinct confidence."""

    n: int
    points: tuple[tuple[float, int, int], ...]
    aurc: float | None
    oracle_aurc: float | None
    random_aurc: float | None

    @property
    def answered(self) -> int:
        return self.points[-1][1] if self.points else 0


def risk_coverage(confidence: Sequence[float], wrong: Sequence[bool], n: int | None = None) -> RiskCoverage:
    """The curve of the items that can be answered; ``n`` is the number of items in all (default: those)."""
    if len(confidence) != len(wrong):
        raise ValueError("confidence and wrong differ in length")
    total = len(wrong) if n is None else n
    if total < len(wrong):
        raise ValueError("n is smaller than the number of answers")
    points: list[tuple[float, int, int]] = []
    risks: list[float] = []
    answered = errors = 0
    ranked = sorted(zip(confidence, wrong, strict=True), key=lambda pair: -pair[0])
    for value, group in groupby(ranked, key=lambda pair: pair[0]):
        outcomes = [bad for _, bad in group]
        rate = sum(outcomes) / len(outcomes)
        risks += [(errors + taken * rate) / (answered + taken) for taken in range(1, len(outcomes) + 1)]
        answered, errors = answered + len(outcomes), errors + sum(outcomes)
        points.append((float(value), answered, errors))
    if not answered:
        return RiskCoverage(total, (), None, None, None)
    right = answered - errors
    oracle = sum((count - right) / count for count in range(right + 1, answered + 1)) / answered
    return RiskCoverage(total, tuple(points), sum(risks) / answered, oracle, errors / answered)
