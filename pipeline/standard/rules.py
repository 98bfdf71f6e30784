"""From positions to verdict, band and criticality: the rubric's rules, nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from pipeline.base.types import POSITIONS, Band, Level, PositionReading, Verdict

SUBSTANTIVE = tuple(position for position in POSITIONS if position != "P5")


def levels_of(positions: Mapping[str, PositionReading | Level]) -> dict[str, Level]:
    """The bare levels; a position that is not given is silent."""
    return {
        name: value.level if isinstance(value, PositionReading) else Level(value) for name, value in positions.items()
    }


def verdict_of(positions: Mapping[str, PositionReading | Level]) -> Verdict:
    """Rules 1 to 5: P5 first, then the worst level; a clause that speaks to nothing cannot be judged."""
    levels = levels_of(positions)
    if levels.get("P5") is not Level.MEETS:
        return Verdict.INSUFFICIENT_GROUNDING
    said = {levels.get(name, Level.SILENT) for name in SUBSTANTIVE}
    if Level.OFF in said:
        return Verdict.OFF_STANDARD
    if Level.DEPARTS in said:
        return Verdict.RISKY
    if Level.MEETS in said:
        return Verdict.ACCEPTABLE
    return Verdict.INSUFFICIENT_GROUNDING


def critical_of(positions: Mapping[str, PositionReading | Level]) -> bool:
    """Every ``off`` of the standard is a side without limit or a side without liability."""
    levels = levels_of(positions)
    return any(levels.get(name) is Level.OFF for name in SUBSTANTIVE)


def band_of(verdict: Verdict, critical: bool = False) -> Band:
    """``high`` for off-standard and for every critical clause; an abstention cannot fix a band and
    says ``medium`` unless the words that could be read are critical."""
    if critical or verdict is Verdict.OFF_STANDARD:
        return Band.HIGH
    return Band.LOW if verdict is Verdict.ACCEPTABLE else Band.MEDIUM
