from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.evaluation.selective import risk_coverage


def test_hand_worked() -> None:
    # ranked: right, wrong, right, right; risks at 1..4: 0, 1/2, 1/3, 1/4
    curve = risk_coverage([0.9, 0.8, 0.7, 0.6], [False, True, False, False])
    assert curve.points == ((0.9, 1, 0), (0.8, 2, 1), (0.7, 3, 1), (0.6, 4, 1))
    assert curve.aurc == pytest.approx((0 + 1 / 2 + 1 / 3 + 1 / 4) / 4)
    assert curve.oracle_aurc == pytest.approx((0 + 0 + 0 + 1 / 4) / 4)
    assert curve.random_aurc == 1 / 4


def test_ties_enter_together_at_their_expected_risk() -> None:
    # one wrong of two tied: risk at 1 is 1/2 in expectation, at 2 is 1/2
    curve = risk_coverage([0.5, 0.5], [True, False])
    assert curve.points == ((0.5, 2, 1),)
    assert curve.aurc == pytest.approx(0.5)


def test_items_without_an_answer_bound_the_coverage_only() -> None:
    curve = risk_coverage([0.9], [False], n=4)
    assert (curve.n, curve.answered, curve.aurc) == (4, 1, 0.0)


def test_nothing_answered() -> None:
    curve = risk_coverage([], [], n=3)
    assert (curve.points, curve.aurc, curve.oracle_aurc) == ((), None, None)


def test_lengths_must_fit() -> None:
    with pytest.raises(ValueError, match="length"):
        risk_coverage([0.1], [])
    with pytest.raises(ValueError, match="smaller"):
        risk_coverage([0.1, 0.2], [True, False], n=1)


def brute(confidence: list[float], wrong: list[bool]) -> float:
    """The mean over every order that ranks by confidence of the mean selective risk."""
    totals = []
    for order in itertools.permutations(range(len(wrong))):
        if all(confidence[a] >= confidence[b] for a, b in itertools.pairwise(order)):
            errors = np.cumsum([wrong[i] for i in order])
            totals.append(np.mean(errors / np.arange(1, len(order) + 1)))
    return float(np.mean(totals))


items = st.lists(st.tuples(st.sampled_from([0.1, 0.5, 0.9]), st.booleans()), min_size=1, max_size=6)


@given(items)
def test_aurc_is_the_mean_over_all_orders(pairs: list[tuple[float, bool]]) -> None:
    confidence, wrong = [p[0] for p in pairs], [p[1] for p in pairs]
    curve = risk_coverage(confidence, wrong)
    assert curve.aurc == pytest.approx(brute(confidence, wrong))
    assert curve.oracle_aurc == pytest.approx(brute([float(not w) for w in wrong], wrong))
    assert curve.oracle_aurc <= curve.aurc + 1e-12


@given(items)
def test_a_random_ranking_has_the_overall_risk(pairs: list[tuple[float, bool]]) -> None:
    wrong = [p[1] for p in pairs]
    assert risk_coverage([0.5] * len(wrong), wrong).aurc == pytest.approx(sum(wrong) / len(wrong))
