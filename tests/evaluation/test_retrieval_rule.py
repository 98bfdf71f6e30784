"""The pre-registered rule: each criterion fires, stays quiet, or cannot tell."""

from __future__ import annotations

import pytest

from pipeline.base.params import RetrievalRule
from pipeline.evaluation.retrieval_rule import apply_rule
from pipeline.evaluation.statistics import Estimate

RULE = RetrievalRule(
    baseline="bm25",
    protocol="set",
    metric="p_at_1",
    min_gain=0.02,
    kill_success_at_3=0.9,
    kill_random_margin=0.1,
)


def estimate(value: float | None, low: float | None = None, high: float | None = None) -> Estimate:
    return Estimate(100, 50, value, value if low is None else low, value if high is None else high)


def found(gain: Estimate, success: float | None = 0.95, metric: float | None = 0.9, random: float = 0.5) -> dict:
    retrievers = ("bm25", "rrf")
    return apply_rule(
        RULE,
        success_at_3=dict.fromkeys(retrievers, estimate(success)),
        metric=dict.fromkeys(retrievers, estimate(metric)),
        random=random,
        gains={"rrf": gain},
        macro_margins={"bm25": 0.2, "rrf": None},
    )


@pytest.mark.parametrize(
    ("gain", "fired"),
    [
        (estimate(0.03, 0.01, 0.05), True),
        (estimate(0.02, 0.001, 0.05), True),
        (estimate(0.03, 0.0, 0.06), False),
        (estimate(0.019, 0.01, 0.03), False),
        (estimate(-0.1, -0.2, -0.05), False),
        (Estimate(10, 3), None),
    ],
)
def test_a_challenger_has_to_gain_enough_and_surely(gain, fired):
    result = found(gain)
    assert result["gains"]["rrf"]["fired"] is fired
    assert result["chosen"] == ("rrf" if fired else "bm25")
    assert result["fired"] == (["gain/rrf"] if fired else [])
    assert result["killed"] is False


def test_the_best_of_two_winners_is_chosen():
    result = apply_rule(
        RULE,
        success_at_3=dict.fromkeys(("bm25", "dense", "rrf"), estimate(0.95)),
        metric=dict.fromkeys(("bm25", "dense", "rrf"), estimate(0.9)),
        random=0.5,
        gains={"dense": estimate(0.05, 0.02, 0.08), "rrf": estimate(0.06, 0.03, 0.09)},
        macro_margins=dict.fromkeys(("bm25", "dense", "rrf"), 0.2),
    )
    assert result["chosen"] == "rrf"


def test_kill_criteria():
    none = estimate(0.0, -0.1, 0.1)
    assert found(none, success=0.89)["fired"] == ["kill_success_at_3/bm25", "kill_success_at_3/rrf"]
    assert found(none, success=0.9)["fired"] == []
    close = found(none, random=0.85)
    assert close["fired"] == ["kill_random_margin/bm25", "kill_random_margin/rrf"]
    assert close["killed"] is True
    assert close["retrievers"]["rrf"]["random_margin"] == pytest.approx(0.05)


def test_a_margin_out_of_reach_fires_and_is_called_vacuous():
    result = found(estimate(0.0, -0.1, 0.1), metric=1.0, random=0.92)
    assert result["fired"] == ["kill_random_margin/bm25", "kill_random_margin/rrf"]
    assert result["vacuous"] == ["kill_random_margin"]
    assert result["killed"] is False
    assert found(estimate(0.0, -0.1, 0.1), random=0.89)["vacuous"] == []


def test_too_few_families_leave_it_open():
    result = found(Estimate(10, 3), success=None, metric=None)
    assert result["retrievers"]["bm25"]["kill_success_at_3"] is None
    assert result["killed"] is None
    assert result["fired"] == []
    assert found(Estimate(10, 3), success=None, random=0.85)["killed"] is True
