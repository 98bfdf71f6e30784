from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.base.types import Band, Level, PositionReading, Verdict
from pipeline.standard.rules import SUBSTANTIVE, band_of, critical_of, verdict_of

M, D, O, S, F = Level.MEETS, Level.DEPARTS, Level.OFF, Level.SILENT, Level.FAILS  # noqa: E741


def _levels(p1: Level = S, p4: Level = S, p5: Level = M) -> dict[str, Level]:
    return {"P1": p1, "P2": S, "P3": S, "P4": p4, "P5": p5, "P6": S}


@pytest.mark.parametrize(
    ("levels", "verdict"),
    [
        (_levels(O, M, F), Verdict.INSUFFICIENT_GROUNDING),  # P5 first
        (_levels(D, O), Verdict.OFF_STANDARD),
        (_levels(D, M), Verdict.RISKY),
        (_levels(M), Verdict.ACCEPTABLE),
        (_levels(), Verdict.INSUFFICIENT_GROUNDING),  # a position other than P5 is needed
        ({}, Verdict.INSUFFICIENT_GROUNDING),
    ],
)
def test_verdict(levels: dict[str, Level], verdict: Verdict) -> None:
    assert verdict_of(levels) is verdict


def test_readings_and_bare_levels_give_the_same_verdict() -> None:
    levels = _levels(D)
    assert verdict_of({k: PositionReading(v, ("x",)) for k, v in levels.items()}) is verdict_of(levels)


@given(st.fixed_dictionaries({p: st.sampled_from([M, D, O, S]) for p in SUBSTANTIVE}))
def test_a_worse_level_never_betters_the_verdict(levels: dict[str, Level]) -> None:
    order = [Verdict.ACCEPTABLE, Verdict.RISKY, Verdict.OFF_STANDARD]
    before = verdict_of({**levels, "P5": M})
    for position, level in levels.items():
        if level in (M, D):
            after = verdict_of({**levels, "P5": M, position: D if level is M else O})
            assert order.index(after) >= order.index(before)


def test_band_follows_verdict_and_criticality() -> None:
    assert band_of(Verdict.ACCEPTABLE) is Band.LOW
    assert band_of(Verdict.RISKY) is Band.MEDIUM
    assert band_of(Verdict.OFF_STANDARD) is Band.HIGH
    assert band_of(Verdict.INSUFFICIENT_GROUNDING) is Band.MEDIUM
    assert band_of(Verdict.INSUFFICIENT_GROUNDING, critical=True) is Band.HIGH


def test_only_off_is_critical() -> None:
    assert critical_of(_levels(O))
    assert not critical_of(_levels(D, M, F))
