"""The labels that follow from the positions: rules 1 to 5 of the standard, the band and critical.

Written here from the labelling rubric, apart from the product's own rules reader: the sample's
labels are a check on that reader, so neither may be derived from the other.
"""

from __future__ import annotations

from collections.abc import Mapping

from pipeline.base.types import Band, Level, Verdict

RUBRIC_VERSION = "1.1"
KINDS = (
    "cap",
    "damages-waiver",
    "uncapped",
    "carve-out",
    "exclusive-remedy",
    "time-bar",
    "indemnity-limit",
    "fragment",
    "not-liability",
)
#: The levels that the rubric knows for each position.
LEVELS = {
    "P1": (Level.MEETS, Level.DEPARTS, Level.OFF, Level.SILENT),
    "P2": (Level.MEETS, Level.DEPARTS, Level.OFF, Level.SILENT),
    "P3": (Level.MEETS, Level.DEPARTS, Level.SILENT),
    "P4": (Level.MEETS, Level.DEPARTS, Level.OFF, Level.SILENT),
    "P5": (Level.MEETS, Level.FAILS),
    "P6": (Level.MEETS, Level.DEPARTS, Level.OFF, Level.SILENT),
}
_BANDS = {
    Verdict.ACCEPTABLE: (Band.LOW,),
    Verdict.RISKY: (Band.MEDIUM,),
    Verdict.OFF_STANDARD: (Band.HIGH,),
    Verdict.INSUFFICIENT_GROUNDING: (Band.MEDIUM, Band.HIGH),
}


def verdict_of(positions: Mapping[str, Level]) -> Verdict:
    """The verdict that the positions give; a clause that is not about liability has P5 ``fails``."""
    tested = [level for position, level in positions.items() if position != "P5"]
    if positions["P5"] == Level.FAILS:
        return Verdict.INSUFFICIENT_GROUNDING
    if Level.OFF in tested:
        return Verdict.OFF_STANDARD
    if Level.DEPARTS in tested:
        return Verdict.RISKY
    if Level.MEETS in tested:
        return Verdict.ACCEPTABLE
    return Verdict.INSUFFICIENT_GROUNDING


def bands_of(verdict: Verdict) -> tuple[Band, ...]:
    """The risk bands that a verdict allows, the preferred one first."""
    return _BANDS[verdict]


def critical_of(positions: Mapping[str, Level]) -> bool:
    """Whether ordinary breach is unlimited or one party's liability wholly excluded.

    Each ``off`` of the rubric says just that (P1: one side fully exposed, P2: no ceiling at all,
    P4: everything excluded, P6: ordinary breach uncapped), provided the clause can be judged.
    """
    return verdict_of(positions) == Verdict.OFF_STANDARD
