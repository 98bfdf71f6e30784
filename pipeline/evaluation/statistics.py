"""Rates, means and differences with intervals that respect contract families, and exact tests.

Clauses of one family are not independent, so every interval here resamples **families**, never
items. Conventions:

- ``values`` are per item, ``families`` names each item's family; both have the same length.
- An estimate is a ratio of sums over families, ``sum(values) / n``. Its interval is the
  **studentised** cluster bootstrap: each resample of families gives an estimate and its linearised
  standard error, and the quantiles of their ratio replace those of Student's t. With 40 to 270
  families of unequal size it holds 93 to 97% at a nominal 95%, where the percentile interval falls
  to 76 to 92% near 0 and 1 (``benchmarks/interval_coverage.py``).
- Where fewer than ``MIN_RARE`` families hold the rarer outcome, resampling has nothing to draw on
  (with no failure at all the bootstrap interval is a point). There the interval is the exact
  binomial one over the *effective number of families*, Kish's ``(sum n_f)^2 / sum n_f^2``: as if
  all items of a family always agreed. That is conservative (the simulation shows 98 to 99%), so
  the studentised interval never reaches beyond it either.
- With fewer than ``settings.min_families`` families there is no rate: counts, and ``None``.
- ``settings.seed`` fixes the resamples; the same families give the same resamples, so two
  measures on the same items are resampled alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pipeline.params import Evaluation

#: With k families holding the rarer outcome, about exp(-k) of the resamples hold none of them.
#: From six on that is a tenth of a 2.5% tail.
MIN_RARE = 6
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
    values = np.asarray(values, dtype=bool)
    estimate = mean(values, families, settings)
    return Rate(estimate.n, int(values.sum()), estimate.clusters, estimate.value, estimate.low, estimate.high)


def mean(
    values: ArrayLike, families: Sequence[str], settings: Evaluation, bounds: Bounds | None = (0.0, 1.0)
) -> Estimate:
    """The mean of the values, with its interval. ``bounds`` are the least and greatest possible
    value; ``None`` for a quantity without bounds (cost, latency)."""
    values, sizes, sums, clusters = _clustered(values, families)
    if clusters < max(settings.min_families, 1):
        return Estimate(len(values), clusters)
    if bounds is None:
        low, high = _studentised(sums, sizes, settings)
    else:
        least, span = bounds[0], bounds[1] - bounds[0]
        shares = (sums - least * sizes) / span  # family sums of values scaled to [0, 1]
        low, high = (least + span * end for end in _bounded(shares, sizes, settings))
    value = float(values.mean())
    # Rounding in the last bit must not put the mean outside its interval.
    return Estimate(len(values), clusters, value, min(low, value), max(high, value))


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
    delta, sizes, sums, clusters = _clustered(first - second, families)
    if clusters < max(settings.min_families, 1):
        return Estimate(len(delta), clusters)
    if bounds is None:
        low, high = _studentised(sums, sizes, settings)
    else:
        reach = bounds[1] - bounds[0]
        differing = np.count_nonzero(np.bincount(cluster_codes(families), np.abs(delta)))
        low, high = (reach * end for end in _rare_difference(delta / reach, sizes, settings.confidence))
        if differing >= MIN_RARE:
            ends = _studentised(sums, sizes, settings)
            low, high = max(low, ends[0]), min(high, ends[1])
    value = float(delta.mean())
    return Estimate(len(delta), clusters, value, min(low, value), max(high, value))


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
    from statsmodels.stats.contingency_tables import mcnemar as exact_mcnemar

    first, second = np.asarray(first, dtype=bool), np.asarray(second, dtype=bool)
    if first.shape != second.shape:
        raise ValueError(f"paired items are needed: {first.shape} against {second.shape}")
    only_first, only_second = int((first & ~second).sum()), int((~first & second).sum())
    if only_first + only_second == 0:
        return McNemar(0, 0, 1.0)
    table = [[int((first & second).sum()), only_first], [only_second, int((~first & ~second).sum())]]
    return McNemar(only_first, only_second, float(exact_mcnemar(table, exact=True).pvalue))


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Holm's step-down adjustment over the named tests, in the order given."""
    from statsmodels.stats.multitest import multipletests

    if not p_values:
        return {}
    adjusted = multipletests(list(p_values.values()), method="holm")[1]
    return dict(zip(p_values, map(float, adjusted), strict=True))


def sign_flip(first: ArrayLike, second: ArrayLike, families: Sequence[str], settings: Evaluation) -> float:
    """Two-sided p of "which of the two is which does not matter": all items of a family swap sides
    together. Every assignment where that is at most 10,000 and more than asked for, else random."""
    from scipy.stats import permutation_test

    _, _, sums, _ = _clustered(np.asarray(first, dtype=float) - np.asarray(second, dtype=float), families)
    sums = sums[sums != 0]  # a family without a difference is the same either way
    if len(sums) < 2:
        return 1.0  # one family that differs is as extreme either way
    result = permutation_test(
        (sums,),
        lambda sample, axis: np.sum(sample, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=max(settings.resamples, 9999),
        rng=np.random.default_rng(settings.seed),
    )
    return min(1.0, float(result.pvalue))


def plain(value: Any) -> Any:
    """Nested mappings of figures as plain JSON values: records become mappings."""
    if is_dataclass(value):
        return asdict(value)
    return {key: plain(item) for key, item in value.items()} if isinstance(value, dict) else value


def cluster_codes(families: Sequence[str]) -> NDArray:
    """The family of each item as a number from 0, in the order of the families' names."""
    return np.unique(np.asarray(families, dtype=str), return_inverse=True)[1]


@lru_cache(maxsize=16)
def resample_weights(clusters: int, resamples: int, seed: int) -> NDArray:
    """[resamples, clusters]: how often each family is drawn in each resample; read-only."""
    drawn = np.random.default_rng(seed).integers(0, clusters, size=(resamples, clusters))
    drawn += np.arange(resamples)[:, None] * clusters
    weights = np.bincount(drawn.ravel(), minlength=resamples * clusters).reshape(resamples, clusters).astype(float)
    weights.flags.writeable = False
    return weights


def _clustered(values: ArrayLike, families: Sequence[str]) -> tuple[NDArray, NDArray, NDArray, int]:
    """The values, and over the families: sizes, sums, how many."""
    values = np.asarray(values, dtype=float)
    if values.shape != (len(families),):
        raise ValueError(f"one family an item is needed: {values.shape} values, {len(families)} families")
    if not np.isfinite(values).all():
        raise ValueError("a value is not finite: leave items that have none out, and count them apart")
    codes = cluster_codes(families)
    sizes = np.bincount(codes).astype(float)
    return values, sizes, np.bincount(codes, values), len(sizes) if len(values) else 0


def _bounded(shares: NDArray, sizes: NDArray, settings: Evaluation) -> tuple[float, float]:
    """Interval of ``sum(shares) / sum(sizes)``, whose values lie in [0, 1]."""
    slack = 1e-9
    rare = min(np.count_nonzero(shares > slack), np.count_nonzero(sizes - shares > slack))
    effective = effective_clusters(sizes)
    exact = exact_interval(effective * shares.sum() / sizes.sum(), effective, settings.confidence)
    if rare < MIN_RARE:
        return exact
    low, high = _studentised(shares, sizes, settings)
    return max(low, exact[0]), min(high, exact[1])


def effective_clusters(sizes: ArrayLike) -> float:
    """Kish's effective number of families: their number if all are of one size, else fewer."""
    sizes = np.asarray(sizes, dtype=float)
    return float(sizes.sum() ** 2 / (sizes**2).sum())


def _rare_difference(delta: NDArray, sizes: NDArray, confidence: float) -> tuple[float, float]:
    """Few families differ: the exact bounds of gains and losses apart, each at half the error."""
    effective, halved = effective_clusters(sizes), 1 - (1 - confidence) / 2
    gain_low, gain_high = exact_interval(effective * np.maximum(delta, 0).mean(), effective, halved)
    loss_low, loss_high = exact_interval(effective * np.maximum(-delta, 0).mean(), effective, halved)
    return gain_low - loss_high, gain_high - loss_low


def _studentised(sums: NDArray, sizes: NDArray, settings: Evaluation) -> tuple[float, float]:
    """Bootstrap-t interval of the ratio ``sum(sums) / sum(sizes)`` over families."""
    clusters = len(sums)
    table = np.stack([sums, sizes, sums * sums, sums * sizes, sizes * sizes], axis=1)
    ratio, error = _ratio_and_error(table.sum(axis=0)[None], clusters)
    if error[0] <= 1e-12 * max(1.0, abs(ratio[0])):
        return float(ratio[0]), float(ratio[0])
    ratios, errors = _ratio_and_error(resample_weights(clusters, settings.resamples, settings.seed) @ table, clusters)
    shift = ratios - ratio[0]
    degenerate = errors <= 1e-12
    scaled = np.where(degenerate, np.copysign(np.inf, shift), shift / np.where(degenerate, 1.0, errors))
    scaled[shift == 0] = 0.0
    return studentised_interval(float(ratio[0]), float(error[0]), scaled, ratios, settings.confidence)


def studentised_interval(
    value: float, error: float, scaled: NDArray, resampled: NDArray, confidence: float
) -> tuple[float, float]:
    """Ends from the quantiles of ``(resampled - value) / its error``; an end that no resample
    bounds is the extreme of the resampled values."""
    tail = (1 - confidence) / 2
    lowest = np.quantile(scaled, tail, method="lower")
    highest = np.quantile(scaled, 1 - tail, method="higher")
    low = value - highest * error if np.isfinite(highest) else resampled.min()
    high = value - lowest * error if np.isfinite(lowest) else resampled.max()
    return float(low), float(high)


def _ratio_and_error(table: NDArray, clusters: int) -> tuple[NDArray, NDArray]:
    """Rows of (sum a, sum b, sum a², sum ab, sum b²): the ratio and its linearised standard error."""
    a, b, aa, ab, bb = table.T
    ratio = a / b
    residual = np.maximum(aa - 2 * ratio * ab + ratio * ratio * bb, 0.0)
    return ratio, np.sqrt(residual * clusters / max(clusters - 1, 1)) / b


def _bca(value: float, resampled: NDArray, left_out: NDArray, confidence: float) -> tuple[float, float]:
    """Bias-corrected and accelerated interval (Efron 1987)."""
    from scipy.stats import norm

    if len(resampled) == 0 or np.ptp(resampled) == 0:
        return value, value
    below = (np.mean(resampled < value) + np.mean(resampled <= value)) / 2
    bias = norm.ppf(np.clip(below, 1 / len(resampled), 1 - 1 / len(resampled)))
    pull = left_out.mean() - left_out
    spread = np.sum(pull**2) ** 1.5
    acceleration = np.sum(pull**3) / (6 * spread) if spread > 0 else 0.0
    tail = (1 - confidence) / 2
    z = norm.ppf([tail, 1 - tail])
    low, high = np.quantile(resampled, norm.cdf(bias + (bias + z) / (1 - acceleration * (bias + z))))
    return float(low), float(high)
