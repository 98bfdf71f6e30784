"""Intervals and tests against hand-worked cases, reference implementations and simulation."""

from __future__ import annotations

import itertools
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st
from scipy import stats as scipy_stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from pipeline.base.params import Evaluation
from pipeline.evaluation import statistics

SETTINGS = Evaluation(confidence=0.95, resamples=2000, seed=20, min_families=10)


def families_of(sizes: list[int]) -> list[str]:
    return [f"family-{number}" for number, size in enumerate(sizes) for _ in range(size)]


def draw(rng: np.random.Generator, clusters: int, rate: float, correlation: float) -> tuple[np.ndarray, np.ndarray]:
    """One data set: values (bool) and families of unequal size whose items are alike."""
    sizes = rng.geometric(0.4, clusters)
    strength = (1 - correlation) / correlation
    rates = rng.beta(rate * strength, (1 - rate) * strength, clusters)
    families = np.repeat(np.arange(clusters), sizes)
    return rng.random(len(families)) < rates[families], families.astype(str)


def test_rate_counts_items_and_families():
    values = [True] * 30 + [False] * 10
    found = statistics.rate(values, families_of([2] * 20), SETTINGS)
    assert (found.n, found.count, found.clusters, found.rate) == (40, 30, 20, 0.75)
    assert 0.4 < found.low < 0.75 < found.high < 1


def test_too_few_families_give_counts_and_no_rate():
    found = statistics.rate([True] * 50, families_of([10] * 5), SETTINGS)
    assert found == statistics.Rate(n=50, count=50, clusters=5)
    assert found.rate is None
    assert found.low is None


@pytest.mark.parametrize("settings", [SETTINGS, Evaluation(confidence=0.95, resamples=50, seed=1, min_families=1)])
def test_nothing_at_all_gives_no_rate(settings):
    assert statistics.rate([], [], settings) == statistics.Rate(0, 0, 0)
    assert statistics.difference([], [], [], settings) == statistics.Estimate(0, 0)


def test_one_family_is_known_to_be_one():
    settings = Evaluation(confidence=0.95, resamples=50, seed=1, min_families=1)
    found = statistics.rate([True] * 99 + [False], ["a"] * 100, settings)
    assert found.clusters == 1
    assert found.low < 0.06, "a hundred items of one family prove next to nothing about families"


@pytest.mark.parametrize("value", [True, False])
def test_all_alike_is_the_rule_of_three_over_families(value):
    """Mid-P at a count of zero: half of (1 - p)^20 is 2.5% where (1 - p)^20 is 5%."""
    found = statistics.rate([value] * 60, families_of([3] * 20), SETTINGS)
    expected = (0.05 ** (1 / 20), 1.0) if value else (0.0, 1 - 0.05 ** (1 / 20))
    assert (found.low, found.high) == pytest.approx(expected)


def test_families_of_unequal_size_count_for_fewer():
    unequal = statistics.rate([True] * 60, families_of([41] + [1] * 19), SETTINGS)
    effective = 60**2 / (41**2 + 19)  # Kish
    assert unequal.low == pytest.approx(0.05 ** (1 / effective))


def test_exact_interval_is_clopper_pearson():
    low, high = statistics.exact_interval(7, 20, 0.95)
    reference = scipy_stats.binomtest(7, 20).proportion_ci(0.95, method="exact")
    assert (low, high) == pytest.approx((reference.low, reference.high))
    assert statistics.exact_interval(0, 0, 0.95) == (0.0, 1.0)


@pytest.mark.parametrize(("clean", "certified"), [(29, 0.10), (59, 0.05), (13, 0.206)])
def test_clean_runs_certify_the_published_rates(clean, certified):
    assert statistics.exact_upper(0, clean, 0.95) == pytest.approx(certified, abs=0.0021)
    assert statistics.exact_upper(0, clean, 0.95) <= certified + 5e-4
    assert statistics.exact_lower(clean, clean, 0.95) == pytest.approx(1 - statistics.exact_upper(0, clean, 0.95))


def test_the_studentised_interval_is_scipys_student_t_where_families_are_many_and_alike():
    rng = np.random.default_rng(4)
    values = rng.normal(5, 2, 400)
    found = statistics.mean(values, [f"f{i}" for i in range(400)], SETTINGS, bounds=None)
    reference = scipy_stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((reference.low, reference.high), abs=0.02)


def test_statistic_is_scipys_bca_over_families():
    rng = np.random.default_rng(5)
    values, families = draw(rng, 60, 0.8, 0.2)
    settings = Evaluation(confidence=0.95, resamples=4000, seed=3, min_families=10)
    found = statistics.statistic(lambda weights: np.average(values, weights=weights), families, settings)
    codes = statistics.cluster_codes(families)
    reference = scipy_stats.bootstrap(
        (np.bincount(codes, values), np.bincount(codes)),
        lambda sums, sizes, axis: sums.sum(axis=axis) / sizes.sum(axis=axis),
        paired=True,
        vectorized=True,
        n_resamples=4000,
        method="BCa",
        rng=np.random.default_rng(9),
    ).confidence_interval
    assert found.value == pytest.approx(values.mean())
    assert (found.low, found.high) == pytest.approx((reference.low, reference.high), abs=0.012)
    at_once = statistics.statistic(lambda w: (w * values).sum(axis=1) / w.sum(axis=1), families, settings, batch=True)
    assert (at_once.low, at_once.value, at_once.high) == pytest.approx((found.low, found.value, found.high))


def test_statistic_needs_families():
    assert statistics.statistic(lambda _: 1.0, ["a", "b"], SETTINGS) == statistics.Estimate(2, 2)


def test_the_order_of_items_does_not_matter():
    rng = np.random.default_rng(6)
    values, families = draw(rng, 50, 0.7, 0.3)
    order = rng.permutation(len(values))
    assert statistics.rate(values, families, SETTINGS) == statistics.rate(values[order], families[order], SETTINGS)


def test_a_mean_with_other_bounds_is_the_rate_scaled():
    rng = np.random.default_rng(7)
    values, families = draw(rng, 50, 0.7, 0.3)
    share = statistics.rate(values, families, SETTINGS)
    scaled = statistics.mean(5 + 3.0 * values, families, SETTINGS, bounds=(5, 8))
    assert (scaled.low, scaled.value, scaled.high) == pytest.approx(
        (5 + 3 * share.low, 5 + 3 * share.rate, 5 + 3 * share.high)
    )


def test_difference_pairs_the_items():
    rng = np.random.default_rng(8)
    first, families = draw(rng, 80, 0.6, 0.8)
    second = np.where(rng.random(len(first)) < 0.9, first, ~first)
    paired = statistics.difference(first, second, families, SETTINGS)
    alone = statistics.rate(first, families, SETTINGS)
    assert paired.value == pytest.approx(first.mean() - second.mean())
    assert paired.high - paired.low < alone.high - alone.low, "what the two share cancels out"
    mirrored = statistics.difference(second, first, families, SETTINGS)
    assert (mirrored.low, mirrored.high) == pytest.approx((-paired.high, -paired.low), abs=1e-3)


def test_no_difference_in_few_families_is_no_proof_of_none():
    same = statistics.difference([1.0] * 40, [1.0] * 40, families_of([2] * 20), SETTINGS)
    assert same.value == 0
    assert same.low == -same.high
    assert 0.1 < same.high < 0.25
    unbounded = statistics.difference([3.0] * 40, [1.0] * 40, families_of([2] * 20), SETTINGS, bounds=None)
    assert (unbounded.low, unbounded.value, unbounded.high) == (2, 2, 2)


def test_mcnemar_is_the_sign_test_of_the_discordant_pairs():
    first = [True] * 9 + [False] * 2 + [True] * 30
    second = [False] * 9 + [True] * 2 + [True] * 30
    found = statistics.mcnemar(first, second)
    assert (found.only_first, found.only_second) == (9, 2)
    assert found.p_value == pytest.approx(scipy_stats.binomtest(2, 11).pvalue)
    assert statistics.mcnemar([True], [True]).p_value == 1


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=80))
@profile(max_examples=60, deadline=None)
def test_mcnemar_is_statsmodels(pairs):
    first, second = np.array(pairs).T
    table = [[(first & second).sum(), (first & ~second).sum()], [(~first & second).sum(), (~first & ~second).sum()]]
    if table[0][1] + table[1][0]:
        expected = mcnemar(np.array(table), exact=True).pvalue
        assert statistics.mcnemar(first, second).p_value == pytest.approx(expected)


def test_holm_by_hand():
    adjusted = statistics.holm({"a": 0.01, "b": 0.04, "c": 0.03})
    assert list(adjusted) == ["a", "b", "c"]
    assert adjusted == pytest.approx({"a": 0.03, "b": 0.06, "c": 0.06})
    assert statistics.holm({}) == {}


@given(st.lists(st.sampled_from([(step / 30) ** 3 for step in range(31)]), min_size=1, max_size=12))
@profile(max_examples=200, deadline=None)
def test_holm_is_statsmodels(p_values):
    adjusted = statistics.holm({str(number): value for number, value in enumerate(p_values)})
    assert list(adjusted.values()) == pytest.approx(multipletests(p_values, method="holm")[1], abs=1e-12)


@given(st.lists(st.sampled_from([-2.0, -1.0, -0.25, 0.0, 0.125, 0.5, 1.0]), min_size=2, max_size=12))
@profile(max_examples=60, deadline=None)
def test_sign_flip_over_every_assignment_is_scipys(sums):
    families = [f"f{number:02}" for number in range(len(sums))]
    found = statistics.sign_flip(sums, [0.0] * len(sums), families, SETTINGS)
    apart = np.array([value for value in sums if value])
    if len(apart) < 2:
        assert found == 1
        return
    reference = scipy_stats.permutation_test(
        (apart,), np.sum, permutation_type="samples", n_resamples=np.inf, vectorized=True
    )
    assert found == pytest.approx(min(1.0, reference.pvalue))


def test_sign_flip_at_random_is_scipys_within_the_error_of_chance():
    rng = np.random.default_rng(12)
    for shift in (0.0, 0.2, 0.4):
        sums = rng.normal(shift, 1, 40)
        found = statistics.sign_flip(sums, np.zeros(40), [f"f{n}" for n in range(40)], SETTINGS)
        reference = scipy_stats.permutation_test(
            (sums,), np.sum, permutation_type="samples", n_resamples=40_000, vectorized=True, rng=rng
        )
        assert found == pytest.approx(reference.pvalue, abs=0.02)
        again = statistics.sign_flip(sums, np.zeros(40), [f"f{n}" for n in range(40)], SETTINGS)
        assert found == again


def test_sign_flip_counts_families_and_not_items():
    first, second = [1.0] * 50, [0.0] * 50
    # Five families, all in one direction: 2 of the 32 assignments are as extreme.
    assert statistics.sign_flip(first, second, families_of([10] * 5), SETTINGS) == pytest.approx(2 / 32)
    assert statistics.sign_flip(first, first, families_of([10] * 5), SETTINGS) == 1
    assert statistics.sign_flip(first, second, families_of([50]), SETTINGS) == 1
    assert statistics.sign_flip(first, second, families_of([1] * 50), SETTINGS) < 0.001


def test_sign_flip_holds_its_level():
    rng = np.random.default_rng(10)
    settings = Evaluation(confidence=0.95, resamples=200, seed=20, min_families=10)
    rejected = 0
    for _ in range(200):
        first, families = draw(rng, 30, 0.7, 0.4)
        second = draw(rng, 30, 0.7, 0.4)[0][: len(first)]
        size = min(len(first), len(second))
        swap = np.isin(families[:size], np.unique(families)[rng.random(len(np.unique(families))) < 0.5])
        pair = np.where(swap, second[:size], first[:size]), np.where(swap, first[:size], second[:size])
        rejected += statistics.sign_flip(*pair, families[:size], settings) <= 0.05
    assert rejected <= 20, "5% expected; 20 of 200 is four standard errors above"


def test_values_that_do_not_fit_are_errors():
    with pytest.raises(ValueError, match="one family an item"):
        statistics.mean([1.0, 0.0], ["a"], SETTINGS)
    with pytest.raises(ValueError, match="paired items"):
        statistics.difference([1.0], [1.0, 0.0], ["a"], SETTINGS)
    with pytest.raises(ValueError, match="not finite"):
        statistics.mean([float("nan")], ["a"], SETTINGS)


@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 25)), min_size=1, max_size=120),
    st.floats(0.5, 0.99),
)
@profile(max_examples=150, deadline=None)
def test_an_interval_holds_its_rate_and_stays_in_bounds(items, confidence):
    values, families = [value for value, _ in items], [str(family) for _, family in items]
    settings = Evaluation(confidence=confidence, resamples=200, seed=1, min_families=1)
    found = statistics.rate(values, families, settings)
    assert 0 <= found.low <= found.rate <= found.high <= 1
    assert found.high > found.low
    other = values[::-1]
    delta = statistics.difference(values, other, families, settings)
    assert -1 <= delta.low <= delta.value <= delta.high <= 1
    assert delta.high > delta.low


@pytest.mark.parametrize("sizes", [[1] * 40, [3] * 12, [9, 1, 1, 1, 1, 1, 1, 1, 1, 1]])
def test_everything_lost_or_gained_is_no_point(sizes):
    n = sum(sizes)
    worst = statistics.difference([1.0] * n, [0.0] * n, families_of(sizes), SETTINGS)
    assert worst.value == worst.high == 1
    assert worst.low < 0.95


@pytest.mark.parametrize("clusters", [10, 40, 120])
def test_one_more_right_item_raises_both_ends_where_items_are_independent(clusters):
    """But for what the resamples leave to chance."""
    families = [f"{number:03}" for number in range(clusters)]
    rates = [statistics.rate([True] * k + [False] * (clusters - k), families, SETTINGS) for k in range(clusters + 1)]
    for fewer, more in itertools.pairwise(rates):
        assert more.low > fewer.low - 0.01
        assert more.high > fewer.high - 0.01
    few = rates[: min(8, clusters // 2)]  # no resamples: the ends are exact
    for fewer, more in itertools.pairwise(few):
        assert more.low > fewer.low and more.high > fewer.high
    for k, found in enumerate(few):
        mirror = rates[clusters - k]
        assert (found.low, found.high) == pytest.approx((1 - mirror.high, 1 - mirror.low))


def test_no_figure_waits_for_a_heavy_import():
    """scipy.stats, statsmodels and pandas take a second each, in every stage's process."""
    code = """
import sys
from pipeline.evaluation import certificate, statistics
from pipeline.base.params import Evaluation
settings = Evaluation(confidence=0.95, resamples=50, seed=1, min_families=1)
first, second, families = [True] * 30, [True, False, False] * 10, [str(n // 2) for n in range(30)]
statistics.rate(second, families, settings), statistics.difference(first, second, families, settings)
statistics.mcnemar(first, second), statistics.sign_flip(first, second, families, settings)
statistics.holm({"a": 0.1}), statistics.statistic(lambda weights: weights @ second, families, settings)
certificate.certify([0.1] * 60, 0.1, 0.05)
print([name for name in ("scipy.stats", "statsmodels", "pandas", "sklearn") if name in sys.modules])
"""
    root = Path(__file__).parents[2]
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    assert ran.stdout.strip() == "[]"


@pytest.mark.parametrize("bounds", [(0.0, 1.0), (-2.0, 3.0), None])
@pytest.mark.parametrize("families", [6, 60])
def test_several_means_at_once_are_each_alone(families, bounds):
    rng = np.random.default_rng([families, 7])
    names = rng.integers(0, families, 300).astype(str)
    values = [rng.random(300), np.zeros(300), np.ones(300), (rng.random(300) < 0.02).astype(float)]
    together = statistics.means(values, names, SETTINGS, bounds)
    for one, row in zip(together, values, strict=True):
        alone = statistics.mean(row, names, SETTINGS, bounds)
        assert (one.n, one.clusters, one.value) == (alone.n, alone.clusters, alone.value)
        assert (one.low, one.high) == (pytest.approx(alone.low, abs=1e-12), pytest.approx(alone.high, abs=1e-12))
