"""Rates, means and differences with intervals that respect contract families, and exact tests.

Clauses of one family are not independent, so every interval here takes **families** as its units, never
items (``pipeline.evaluation.intervals`` says how). Conventions:

- ``values`` are per item, ``families`` names each item's family; both have the same length.
- An estimate is a ratio of sums over families, ``sum(values) / n``.
- With fewer than ``settings.min_families`` families there is no rate: counts, and ``None``.
- ``settings.seed`` fixes the resamples; the same families give the same resamples, so two
  measures on the same items are resampled alike.
- ``exact_lower`` and ``exact_upper`` are Clopper and Pearson's, and keep what they say at every true rate;
  an interval of a rate does so on average (``benchmarks/interval_coverage.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pipeline.base.params import Evaluation
from pipeline.evaluation.intervals import difference_interval, resample_weights, share_interval, studentised

Bounds = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Rate:
    """``count`` of ``n`` items from ``clusters`` families. ``rate``, ``low`` and ``high`` are
    ``None`` where there are too few families for a rate."""

    n: int
    count: int
    clusters: int
    rate: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean or a difference of means over ``n`` items from ``clusters`` families; the figures are
    ``None`` where there are too few families."""

    n: int
    clusters: int
    value: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class McNemar:
    """``only_first`` and ``only_second``: items that one alone got right; exact two-sided p."""

    only_first: int
    only_second: int
    p_value: float


def rate(values: Sequence[bool] | ArrayLike, families: Sequence[str], settings: Evaluation) -> Rate:
    """The share of true values, with its interval."""
    return rates([values], families, settings)[0]


def rates(values: Sequence[ArrayLike], families: Sequence[str], settings: Evaluation) -> list[Rate]:
    """The ``rate`` of each of several values of the same items, [m, n], in one search for all the ends."""
    values = np.asarray(values, dtype=bool)
    return [
        Rate(mean.n, int(count), mean.clusters, mean.value, mean.low, mean.high)
        for mean, count in zip(means(values, families, settings), values.sum(axis=1), strict=True)
    ]


def mean(
    values: ArrayLike, families: Sequence[str], settings: Evaluation, bounds: Bounds | None = (0.0, 1.0)
) -> Estimate:
    """The mean of the values, with its interval. ``bounds`` are the least and greatest possible
    value; ``None`` for a quantity without bounds (cost, latency)."""
    return means([values], families, settings, bounds)[0]


def means(
    values: Sequence[ArrayLike], families: Sequence[str], settings: Evaluation, bounds: Bounds | None = (0.0, 1.0)
) -> list[Estimate]:
    """The ``mean`` of each of several values of the same items, [m, n], in one search for all the ends."""
    values, codes, sizes, sums, clusters = _clustered(values, families)
    if clusters < max(settings.min_families, 1):
        return [Estimate(len(codes), clusters)] * len(values)
    sizes = np.broadcast_to(sizes, sums.shape)
    if bounds is None:
        low, high, _ = studentised(sums, sizes, settings)
    else:
        least, span = bounds[0], bounds[1] - bounds[0]
        shares = (values - least) / span
        ends = share_interval((sums - least * sizes) / span, _sums(codes, shares * shares), sizes, settings)
        low, high = (least + span * end for end in ends)
    return [_estimate(*one) for one in zip(values, low, high, [clusters] * len(values), strict=True)]


def difference(
    first: ArrayLike,
    second: ArrayLike,
    families: Sequence[str],
    settings: Evaluation,
    bounds: Bounds | None = (0.0, 1.0),
) -> Estimate:
    """The mean of ``first - second`` over paired items, both under the same resamples. ``bounds``
    are those of each value."""
    first, second = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if first.shape != second.shape:
        raise ValueError(f"paired items are needed: {first.shape} against {second.shape}")
    delta, codes, sizes, sums, clusters = _clustered([first - second], families)
    if clusters < max(settings.min_families, 1):
        return Estimate(len(codes), clusters)
    if bounds is None:
        low, high, _ = studentised(sums, sizes[None], settings)
    else:
        reach = bounds[1] - bounds[0]
        of_item = delta / reach
        parts = np.maximum(of_item, 0.0), np.maximum(-of_item, 0.0), of_item * of_item
        gains, losses, squares = (_sums(codes, part) for part in parts)
        low, high = (reach * end for end in difference_interval(gains, losses, squares, sizes[None], settings))
    return _estimate(delta[0], low[0], high[0], clusters)


def statistic(
    compute: Callable[[NDArray], ArrayLike], families: Sequence[str], settings: Evaluation, batch: bool = False
) -> Estimate:
    """Any statistic of weighted items (kappa, the area under a risk–coverage curve): ``compute``
    takes one weight an item, [n] (how often its family was drawn), and returns a float; with
    ``batch`` it takes [b, n] and returns [b], and runs thrice in all instead of once a resample.

    BCa interval over families, the acceleration from the family jackknife; resamples on which the
    statistic is not finite are left out.
    """
    codes = cluster_codes(families)
    clusters = int(codes.max()) + 1 if len(codes) else 0
    if clusters < max(settings.min_families, 2):
        return Estimate(len(codes), clusters)

    def over(weights: NDArray) -> NDArray:  # [b, families] to [b]
        by_item = weights[:, codes]
        return np.asarray(compute(by_item) if batch else [compute(row) for row in by_item], dtype=float)

    value = float(over(np.ones((1, clusters)))[0])
    resampled = over(resample_weights(clusters, settings.resamples, settings.seed))
    left_out = over(1.0 - np.eye(clusters))
    low, high = _bca(value, resampled[np.isfinite(resampled)], left_out[np.isfinite(left_out)], settings.confidence)
    return Estimate(len(codes), clusters, value, low, high)


def exact_interval(count: float, n: float, confidence: float) -> tuple[float, float]:
    """Clopper–Pearson: two-sided exact binomial interval of ``count`` in ``n``; (0, 1) for n = 0.
    Both may be fractional (effective counts)."""
    tail = (1 - confidence) / 2
    return exact_lower(count, n, 1 - tail), exact_upper(count, n, 1 - tail)


def exact_lower(count: float, n: float, confidence: float) -> float:
    """The exact one-sided lower bound: the true rate is at least this with ``confidence``."""
    from scipy.special import betaincinv  # the quantile of the beta distribution; scipy.stats takes a second to import

    return 0.0 if count <= 0 or n <= 0 else float(betaincinv(count, n - count + 1, 1 - confidence))


def exact_upper(count: float, n: float, confidence: float) -> float:
    """The exact one-sided upper bound: the true rate is at most this with ``confidence``."""
    from scipy.special import betaincinv

    return 1.0 if count >= n or n <= 0 else float(betaincinv(count + 1, n - count, confidence))


def mcnemar(first: Sequence[bool] | ArrayLike, second: Sequence[bool] | ArrayLike) -> McNemar:
    """Exact McNemar test of paired outcomes. It takes the items as independent; beside clustered
    items give ``sign_flip`` as well."""
    from scipy.special import bdtr  # statsmodels' own takes two seconds to import; a test holds the two equal

    first, second = np.asarray(first, dtype=bool), np.asarray(second, dtype=bool)
    if first.shape != second.shape:
        raise ValueError(f"paired items are needed: {first.shape} against {second.shape}")
    only_first, only_second = int((first & ~second).sum()), int((~first & second).sum())
    p_value = 2 * bdtr(min(only_first, only_second), only_first + only_second, 0.5)
    return McNemar(only_first, only_second, min(1.0, float(p_value)))


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Holm's step-down adjustment over the named tests, in the order given. Written out, since statsmodels takes
    two seconds to import; a test holds it equal to ``statsmodels.stats.multitest.multipletests``."""
    ascending = sorted(p_values, key=lambda name: p_values[name])
    adjusted, least = {}, 0.0
    for rank, name in enumerate(ascending):
        least = max(least, min(1.0, (len(ascending) - rank) * p_values[name]))
        adjusted[name] = float(least)
    return {name: adjusted[name] for name in p_values}


def sign_flip(first: ArrayLike, second: ArrayLike, families: Sequence[str], settings: Evaluation) -> float:
    """Two-sided p of "which of the two is which does not matter": all items of a family swap sides
    together. Every assignment where there are at most as many as asked for (``resamples``, 9,999 at the least),
    else so many random ones, and the one seen.

    Twice the smaller tail, as ``scipy.stats.permutation_test`` has it (a second to import; a test holds the two
    equal where every assignment is taken).
    """
    _, _, _, sums, _ = _clustered([np.asarray(first, dtype=float) - np.asarray(second, dtype=float)], families)
    sums = sums[sums != 0]  # a family without a difference is the same either way
    if len(sums) < 2:
        return 1.0  # one family that differs is as extreme either way
    wanted, every = max(settings.resamples, 9999), 2 ** len(sums)
    if every <= wanted:
        swaps, seen = np.arange(every)[:, None] >> np.arange(len(sums)) & 1, 0
    else:
        swaps, seen = np.random.default_rng(settings.seed).integers(0, 2, (wanted, len(sums)), dtype=np.int8), 1
    value, by_chance = sums.sum(), (1.0 - 2.0 * swaps) @ sums
    near = 1e-9 * max(1.0, abs(value))  # sums that differ in their rounding alone are ties
    tail = min(np.count_nonzero(by_chance >= value - near), np.count_nonzero(by_chance <= value + near))
    return min(1.0, 2 * (tail + seen) / (len(swaps) + seen))


def plain(value: Any) -> Any:
    """Nested mappings of figures as plain JSON values: records become mappings."""
    if is_dataclass(value):
        return asdict(value)
    return {key: plain(item) for key, item in value.items()} if isinstance(value, dict) else value


def cluster_codes(families: Sequence[str]) -> NDArray:
    """The family of each item as a number from 0, in the order of the families' names."""
    return np.unique(np.asarray(families, dtype=str), return_inverse=True)[1]


def _clustered(values: ArrayLike, families: Sequence[str]) -> tuple[NDArray, NDArray, NDArray, NDArray, int]:
    """The values [m, n], the family of each item as a code, and over the families: sizes, sums [m, families], how
    many."""
    values = np.asarray(values, dtype=float)
    if values.shape[1:] != (len(families),):
        raise ValueError(f"one family an item is needed: {values.shape[1:]} values, {len(families)} families")
    if not np.isfinite(values).all():
        raise ValueError("a value is not finite: leave items that have none out, and count them apart")
    codes = cluster_codes(families)
    sizes = np.bincount(codes).astype(float)
    return values, codes, sizes, _sums(codes, values), len(sizes)


def _sums(codes: NDArray, values: NDArray) -> NDArray:
    """[m, families]: the sums of values [m, n] over the items of each family."""
    return np.stack([np.bincount(codes, row) for row in values])


def _estimate(values: NDArray, low: float, high: float, clusters: int) -> Estimate:
    """The mean with its ends; rounding in the last bit must not put it outside them."""
    value = float(values.mean())
    return Estimate(len(values), clusters, value, min(float(low), value), max(float(high), value))


def _bca(value: float, resampled: NDArray, left_out: NDArray, confidence: float) -> tuple[float, float]:
    """Bias-corrected and accelerated interval (Efron 1987)."""
    from scipy.special import ndtr, ndtri

    if len(resampled) == 0 or np.ptp(resampled) == 0:
        return value, value
    below = (np.mean(resampled < value) + np.mean(resampled <= value)) / 2
    bias = ndtri(np.clip(below, 1 / len(resampled), 1 - 1 / len(resampled)))
    pull = left_out.mean() - left_out
    spread = np.sum(pull**2) ** 1.5
    acceleration = np.sum(pull**3) / (6 * spread) if spread > 0 else 0.0
    tail = (1 - confidence) / 2
    z = ndtri([tail, 1 - tail])
    low, high = np.quantile(resampled, ndtr(bias + (bias + z) / (1 - acceleration * (bias + z))))
    return float(low), float(high)
