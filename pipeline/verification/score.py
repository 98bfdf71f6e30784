"""The score of a verdict, 0 to 100.

A profile hands in *parts*: each a weight and the units counted in it (a unit passed or not). The base
is the weighted share of passed units, 100 × Σ weight × passed / total. A part without units counts
as wholly passed if the profile says it may be empty, else as failed. Every FAIL that is no unit of a part
(a quotation outside a citation, a missing form) takes its share of what is left: 5% for low, 15% for
medium, 40% for high severity.

So: 100 needs every unit passed and no FAIL; 0 means that nothing passed; a FAIL more, a unit turned
from passed to failed, or a graver severity never raises the score, and a FAIL always keeps it below 100.
Scores are cut, not rounded, to two decimals, so that 99.999 is not 100.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.verification.verdict import Observed, Severity, Status

LEFT = {Severity.LOW: 0.95, Severity.MEDIUM: 0.85, Severity.HIGH: 0.60}
#: The highest score with a FAIL in it.
BELOW_FULL = 99.99


@dataclass(frozen=True, slots=True)
class Part:
    """One weighted share of the score: ``passed`` of ``total`` units; ``empty_passes`` where none exist."""

    name: str
    weight: float
    passed: float
    total: float
    empty_passes: bool = False

    @property
    def share(self) -> float:
        if self.total <= 0:
            return 1.0 if self.empty_passes else 0.0
        return min(max(self.passed / self.total, 0.0), 1.0)


def base(parts: Sequence[Part]) -> float:
    weight = sum(part.weight for part in parts)
    if weight <= 0:
        return 0.0
    return 100 * math.fsum(part.weight * part.share for part in parts) / weight


def score(parts: Sequence[Part], observed: Sequence[Observed]) -> float:
    """The score of these parts under these observations (units of a part are in the part already)."""
    counted = {part.name for part in parts}
    value = base(parts)
    failed = [o for o in observed if o.status is Status.FAIL]
    for one in failed:
        if one.unit not in counted:
            value *= LEFT[one.severity]
    full = not failed and bool(parts) and all(part.share == 1.0 for part in parts)
    return 100.0 if full else min(math.floor(value * 100 + 1e-7) / 100, BELOW_FULL)


def count(name: str, weight: float, observed: Sequence[Observed], empty_passes: bool = False) -> Part:
    """A part from the observations of one unit: a WARN counts as passed if its check was executed."""
    units = [o for o in observed if o.unit == name]
    passed = sum(o.status is not Status.FAIL and o.executed for o in units)
    return Part(name, weight, passed, len(units), empty_passes)
