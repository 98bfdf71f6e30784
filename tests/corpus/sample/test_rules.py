"""The rules of the rubric on cases worked by hand."""

from __future__ import annotations

import itertools

import pytest

from pipeline.base.types import POSITIONS, Band, Level, Verdict
from pipeline.corpus.sample.rules import LEVELS, bands_of, critical_of, verdict_of

LETTERS = {"m": Level.MEETS, "d": Level.DEPARTS, "o": Level.OFF, "s": Level.SILENT, "f": Level.FAILS}


def positions(letters: str) -> dict[str, Level]:
    return {position: LETTERS[letter] for position, letter in zip(POSITIONS, letters, strict=True)}


@pytest.mark.parametrize(
    ("letters", "verdict", "critical"),
    [
        ("mmmmmm", "acceptable", False),
        ("mssmms", "acceptable", False),
        ("mmmmmd", "risky", False),
        ("dssdms", "risky", False),
        ("dosdmd", "off-standard", True),
        ("dssoms", "off-standard", True),
        ("oomsmd", "off-standard", True),
        ("msssmo", "off-standard", True),
        ("ssssfs", "insufficient-grounding", False),
        # Rule 1 comes first: what cannot be judged is not off the standard.
        ("dssofs", "insufficient-grounding", False),
    ],
)
def test_hand_worked(letters: str, verdict: str, critical: bool) -> None:
    assert verdict_of(positions(letters)) == verdict
    assert critical_of(positions(letters)) is critical


def test_over_all_levels_the_first_rule_that_fits_decides() -> None:
    for levels in itertools.product(*LEVELS.values()):
        reading = dict(zip(POSITIONS, levels, strict=True))
        others = [level for position, level in reading.items() if position != "P5"]
        verdict = verdict_of(reading)
        assert (verdict == Verdict.OFF_STANDARD) == (reading["P5"] == "meets" and "off" in others)
        assert (verdict == Verdict.RISKY) == (reading["P5"] == "meets" and "off" not in others and "departs" in others)
        assert (verdict == Verdict.ACCEPTABLE) == (
            reading["P5"] == "meets" and "meets" in others and not {"off", "departs"} & set(others)
        )


def test_bands() -> None:
    assert bands_of(Verdict.ACCEPTABLE) == (Band.LOW,)
    assert bands_of(Verdict.RISKY) == (Band.MEDIUM,)
    assert bands_of(Verdict.OFF_STANDARD) == (Band.HIGH,)
    assert bands_of(Verdict.INSUFFICIENT_GROUNDING) == (Band.MEDIUM, Band.HIGH)
