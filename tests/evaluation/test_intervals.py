"""The intervals over families: hand-worked ends, reference implementations, sane moves, and the coverage."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st
from scipy.stats import binom

from pipeline.base.params import Evaluation
from pipeline.evaluation import intervals, statistics

#: The simulation behind the documented coverage; the benchmark runs more of it.
SIMULATION = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks" / "interval_coverage.py"))
SETTINGS = Evaluation(confidence=0.95, resamples=600, seed=20, min_families=10)


def share(sums: list[float], sizes: list[float]) -> tuple[float, float]:
    low, high = intervals.share_interval(*(np.array([row], dtype=float) for row in (sums, sums, sizes)), SETTINGS)
    return float(low[0]), float(high[0])


@pytest.mark.parametrize(("count", "n"), [(0, 20), (1, 20), (7, 20), (19, 20), (3, 200)])
def test_mid_p_solves_its_equation(count, n):
    low = float(intervals.mid_p_lower(count, n, 0.025))
    if count == 0:
        assert low == 0
    else:
        assert binom.sf(count, n, low) + binom.pmf(count, n, low) / 2 == pytest.approx(0.025, rel=1e-6)
    assert low >= statistics.exact_interval(count, n, 0.95)[0], "mid-P is narrower than Clopper and Pearson's"


def test_mid_p_of_everything_is_the_rule_of_three():
    assert float(intervals.mid_p_lower(20, 20, 0.025)) == pytest.approx(0.05 ** (1 / 20))


def test_ends_of_independent_items_by_hand():
    # Two wrong of 40: the far end leaves 2.5% beyond it; the near one all 5%, as it is within reach of no wrong item
    # at all, 1 - 0.05^(1/40) = 0.072.
    low, high = share([1] * 38 + [0] * 2, [1] * 40)
    assert binom.cdf(1, 40, 1 - low) + binom.pmf(2, 40, 1 - low) / 2 == pytest.approx(0.025, rel=1e-6)
    assert binom.sf(2, 40, 1 - high) + binom.pmf(2, 40, 1 - high) / 2 == pytest.approx(0.05, rel=1e-6)
    # Seven: leaving 2.5%, the near end is beyond reach of none, and leaving 5% as well.
    low, high = share([1] * 33 + [0] * 7, [1] * 40)
    assert binom.sf(7, 40, 1 - high) + binom.pmf(7, 40, 1 - high) / 2 == pytest.approx(0.025, rel=1e-6)


def test_alike_families_count_once_and_unlike_ones_more():
    alike = share([4] * 26 + [0] * 4, [4] * 30)  # 4 families of 30 all wrong
    unlike = share([4] * 14 + [3] * 16, [4] * 30)  # 16 wrong items in as many families
    single = share([1] * 26 + [0] * 4, [1] * 30)
    assert alike == pytest.approx(single, abs=0.01)
    assert unlike[1] - unlike[0] < 0.7 * (alike[1] - alike[0])


def test_a_wrong_item_never_moves_the_far_end_nearer_than_none():
    sizes = [1, 2, 3, 12] * 10
    none = share(sizes, sizes)
    for family in range(4):
        one = [size - (number == family) for number, size in enumerate(sizes)]
        low, high = share(one, sizes)
        assert low <= none[0] + 1e-9
        assert high < none[1] == 1


def test_the_move_to_the_bootstrap_makes_no_jump():
    """Families of one wrong item each, from none to thirty of 60: every end moves by little."""
    sizes = np.full((31, 60), 3.0)
    right = sizes - (np.arange(60) < np.arange(31)[:, None])
    low, high = intervals.share_interval(right, right, sizes, SETTINGS)
    for ends in (low, high):
        moves = np.diff(ends)
        assert (moves < 0.006).all(), "one more wrong item, and the end is higher by more than resampling explains"
        assert (moves > -0.03).all()


def test_many_data_sets_at_once_are_each_alone():
    rng = np.random.default_rng(3)
    right, sizes = (each.astype(float) for each in SIMULATION["draw"](rng, 20, 40, 0.85, 0.4))
    low, high = intervals.share_interval(right, right, sizes, SETTINGS)
    for run in range(20):
        values = np.concatenate([np.arange(size) < good for good, size in zip(right[run], sizes[run], strict=True)])
        families = np.repeat([f"f{number:02}" for number in range(40)], sizes[run].astype(int))
        found = statistics.rate(values, families, SETTINGS)
        assert (found.low, found.high) == pytest.approx((low[run], high[run]))


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=60))
@profile(max_examples=150, deadline=None)
def test_ends_stand_in_order_and_in_bounds(families):
    gains, losses, rest = (np.array([column], dtype=float) for column in zip(*families, strict=True))
    sizes = gains + losses + rest
    if not sizes.all():
        sizes = sizes + 1
    low, high = intervals.share_interval(gains, gains, sizes, SETTINGS)
    assert 0 <= low[0] < high[0] <= 1
    low, high = intervals.difference_interval(gains, losses, gains + losses, sizes, SETTINGS)
    assert -1 <= low[0] < high[0] <= 1
    flipped = intervals.difference_interval(losses, gains, gains + losses, sizes, SETTINGS)
    assert (-high[0], -low[0]) == pytest.approx((float(flipped[0][0]), float(flipped[1][0])), abs=0.05)


#: Settings of the bootstrap, of few families that vary, and of the way from the one to the other.
POINTS = [
    (40, 0.8, 0.3), (40, 0.9, 0.7), (40, 0.95, 0.7), (80, 0.95, 0.95), (80, 0.98, 0.7), (120, 0.95, 0.3),
    (120, 0.98, 0.3), (120, 0.99, 0.95), (270, 0.5, 0.3), (270, 0.98, 0.7), (270, 0.99, 0.95), (270, 0.995, 0.3),
]  # fmt: skip


@pytest.mark.parametrize(("clusters", "rate", "correlation"), POINTS)
def test_a_nominal_95_percent_interval_covers_93_to_97(clusters, rate, correlation):
    assert 0.93 <= SIMULATION["rate_coverage"](clusters, rate, correlation, 1000, SETTINGS).coverage <= 0.97


@pytest.mark.parametrize("clusters", [40, 120])
def test_it_does_so_on_average_over_the_true_rates_and_is_nowhere_short(clusters):
    """At a single rate so near to 1 that next to nothing goes wrong it may cover more."""
    for correlation in (0.05, 0.3, 0.7, 0.95):
        found = [
            SIMULATION["rate_coverage"](clusters, rate, correlation, 400, SETTINGS).coverage
            for rate in SIMULATION["RATES"]
        ]
        assert 0.93 <= np.mean(found) <= 0.97
        assert min(found) >= 0.93 - 2.5 * np.sqrt(0.93 * 0.07 / 400)


@pytest.mark.parametrize("broken", [0.02, 0.0])
@pytest.mark.parametrize(("clusters", "rate", "correlation"), [(120, 0.8, 0.7), (270, 0.9, 0.3)])
def test_the_interval_of_a_difference_covers_as_well(clusters, rate, correlation, broken):
    found = SIMULATION["difference_coverage"](clusters, rate, correlation, 1000, SETTINGS, broken)
    assert 0.93 <= found.coverage <= 0.97


@pytest.mark.parametrize(("clusters", "rate"), [(40, 0.8), (40, 0.98), (120, 0.95)])
def test_it_is_nowhere_short_where_few_families_differ(clusters, rate):
    found = SIMULATION["difference_coverage"](clusters, rate, 0.3, 500, SETTINGS)
    assert found.varying < 12
    assert found.coverage >= 0.93
    assert found.studentised < 0.93, "the bootstrap alone is"
