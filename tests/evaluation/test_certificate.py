"""The certificate: hand-worked bounds, the reference procedure, and the guarantee by simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import beta, binom

from pipeline.evaluation import certificate


@pytest.mark.parametrize(("alpha", "needed"), [(0.10, 29), (0.05, 59), (0.206, 13)])
def test_clean_families_that_it_takes(alpha, needed):
    assert certificate.clean_families(alpha, 0.05) == needed
    assert certificate.certify(np.zeros(needed), alpha, 0.05).threshold == 0.001
    short = certificate.certify(np.zeros(needed - 1), alpha, 0.05)
    assert short.threshold is None
    assert short.clean_families == needed


def test_nothing_seen_certifies_nothing():
    assert certificate.certify([], 0.05, 0.05) == certificate.Certificate(0.05, 0.05, 0, 59)


def test_the_loosest_threshold_lies_just_above_the_first_unit_too_many():
    # Of 93 units one may pass (P(Bin(93, .05) <= 1) < .05), of 92 none.
    units = np.linspace(0.1, 0.9, 93)
    found = certificate.certify(units, 0.05, 0.05)
    assert found.passed == 1
    assert units[-2] < found.threshold <= units[-2] + 0.001
    assert found.upper_bound <= 0.05
    assert certificate.certify(units[1:], 0.05, 0.05).threshold > units[-1]


def test_a_unit_at_the_threshold_passes():
    units = np.array([0.5] * 2 + [0.0] * 60)
    assert certificate.certify(units, 0.05, 0.05).threshold == 0.501


def test_the_procedure_is_mapies_fixed_sequence():
    from mapie.risk_control import control_fwer

    rng = np.random.default_rng(2)
    for _ in range(5):
        units = rng.beta(1, 6, 120)
        strict_first = certificate.GRID[::-1]
        p_values = binom.cdf([(units >= threshold).sum() for threshold in strict_first], 120, 0.1)
        valid = control_fwer(p_values, 0.05, "fixed_sequence")
        assert certificate.certify(units, 0.1, 0.05).threshold == strict_first[np.max(valid)]


def test_one_unit_a_family_is_drawn_evenly():
    families = ["a"] * 4 + ["b"] + ["c"] * 3
    scores = np.arange(8) / 10
    draws = np.array([certificate.one_per_family(scores, families, seed) for seed in range(2000)])
    assert draws.shape == (2000, 3)
    assert set(draws[:, 1]) == {0.4}
    shares = np.bincount((draws[:, 0] * 10).round().astype(int), minlength=4) / 2000
    assert shares == pytest.approx([0.25] * 4, abs=0.04)
    assert (draws[0] == certificate.one_per_family(scores, families, 0)).all()
    assert certificate.worst_per_family(scores, families) == pytest.approx([0.3, 0.4, 0.7])


def by_draw(scores: np.ndarray, names: np.ndarray, alpha: float, delta: float) -> float | None:
    return certificate.certify(certificate.one_per_family(scores, names, seed=7), alpha, delta).threshold


def by_share(scores: np.ndarray, names: np.ndarray, alpha: float, delta: float) -> float | None:
    return certificate.certify_shares(scores, names, alpha, delta).threshold


@pytest.mark.parametrize("method", [by_draw, by_share])
@pytest.mark.parametrize(("families", "alpha"), [(92, 0.05), (60, 0.1)])
def test_the_guarantee_holds_in_simulation(families, alpha, method):
    """Families differ in level, their negatives vary around it: the true share above a threshold is
    known, and the certified threshold breaks its promise in at most a share delta of worlds."""
    rng, delta, runs, broken = np.random.default_rng([families, int(100 * alpha)]), 0.1, 250, 0
    levels = np.linspace(1, 8, 100)
    share = beta.sf(certificate.GRID[:, None], levels, 12).mean(axis=1)
    loosest = certificate.GRID[np.argmax(share <= alpha)]
    for _ in range(runs):
        strength = rng.uniform(1, 8, families)  # a family's scores follow Beta(strength, 12)
        sizes = rng.integers(1, 30, families)
        scores = rng.beta(np.repeat(strength, sizes), 12)
        threshold = method(scores, np.repeat(np.arange(families), sizes).astype(str), alpha, delta)
        broken += threshold is not None and threshold < loosest
    assert broken / runs <= delta + 3 * np.sqrt(delta * (1 - delta) / runs)
    if method is by_draw:
        assert broken > 0, "a promise that is never broken would be looser than it need be"


def test_shares_by_hand():
    # Clean families multiply the wealth by 1 + .95 * .05 / .95 = 1.05: 62 of them reach 20.
    assert 1.05**61 < 20 < 1.05**62
    clean = [f"f{i}" for i in range(62)]
    assert certificate.certify_shares([0.0] * 62, clean, 0.05, 0.05).threshold == 0.001
    short = certificate.certify_shares([0.0] * 61, clean[:61], 0.05, 0.05)
    assert (short.threshold, short.clean_families, short.families) == (None, 62, 61)
    # A family of which half passes multiplies it by 1 + 1 * (.05 - .5) = .55.
    scores = [0.0] * 74 + [0.4, 0.0]
    names = [f"f{i}" for i in range(74)] + ["half", "half"]
    assert 1.05**74 * 0.55 > 20 > 1.05**73 * 0.55
    found = certificate.certify_shares(scores, names, 0.05, 0.05)
    assert (found.threshold, found.mean_share) == (0.001, pytest.approx(0.5 / 75))
    assert certificate.certify_shares(scores[1:], names[1:], 0.05, 0.05).threshold == 0.401
    assert certificate.certify_shares([], [], 0.05, 0.05).threshold is None


def test_shares_do_not_hang_on_a_draw_or_an_order():
    rng = np.random.default_rng(9)
    scores, names = rng.beta(2, 9, 800), rng.integers(0, 90, 800).astype(str)
    found = certificate.certify_shares(scores, names, 0.1, 0.05)
    order = rng.permutation(800)
    assert certificate.certify_shares(scores[order], names[order], 0.1, 0.05) == found
    with pytest.raises(ValueError, match="between zero and one"):
        certificate.certify_shares(scores, names, 0.0, 0.05)


def test_all_negatives_of_a_family_as_units_would_break_the_promise():
    """Why one unit a family: forty alike negatives are no forty observations."""
    rng, broken = np.random.default_rng(3), 0
    for _ in range(300):
        level = rng.beta(2, 5, 30)
        scores = np.clip(np.repeat(level, 40) + rng.normal(0, 0.01, 1200), 0, 1)
        found = certificate.certify(scores, 0.1, 0.1)
        broken += beta.sf(found.threshold, 2, 5) > 0.105
    assert broken / 300 > 0.2
