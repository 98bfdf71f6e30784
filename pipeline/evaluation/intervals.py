"""Intervals of shares and of paired differences over contract families, for many data sets at once.

Arrays are [data sets, families]: ``sizes`` (items of a family), ``sums`` of their values and ``squares``
(sums of their squared values; of a value that is 0 or 1 the same as the sum). Ends are [data sets].

**Many families vary: the studentised cluster bootstrap.** Each resample of families gives a ratio of sums
and its linearised standard error, and the quantiles of ``(ratio - estimate) / error`` replace those of
Student's t.

**Few vary: the mid-P binomial interval over an effective number of items.** With at most ``FEW`` families that
hold the rarer outcome, resampling has too little to draw on (with none the bootstrap is a point). There

- a family of ``n`` items counts for ``n / (1 + (m - 1) * rho)`` of them, where ``m`` is the size of the family of
  an average item and ``rho`` the share of the other items of its family that go with a rare one, in the data;
- the end away from the boundary leaves half the error beyond it (mid-P: the value seen counts half). Its
  ``rho`` counts ``PRIOR`` items more that have their whole family with them, so without a rare item it is 1, and
  families count once each, whatever their size (Kish). It is never nearer than that of no rare item at all;
- the end at the boundary takes the *whole* error for as long as it lies within reach of a count of zero, and
  half of it from there on: where the truth is so near to the boundary that seeing nothing rare does not
  contradict it, the other end cannot err. Brown, Cai and DasGupta (2001) mend Wilson's interval in the same
  way. Equal tails would cover 97.5% there at the least, whatever is done about the rest.

The far end covers more than it says where items are hardly alike. That cannot be spared: before a rare item has
been seen nothing tells how alike they are, and a family that is wrong as a whole may be yet to come.

From ``FEW`` to ``MANY`` families the ends move from the one to the other in proportion.

A difference of paired values has gains and losses. Where few families differ, its interval is the adjusted Wald
one (Bonett and Price 2012: one gain and one loss more than were seen) with the linearised clustered variance; the
two that are added weigh as much as a family does by ``rho``, in which a gain and a loss of one family count
against each other. The bootstrap needs more families here, since the rarer of two directions bounds it. Each end
keeps half the error, whatever is within reach: a difference is read against zero.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pipeline.base.params import Evaluation

#: How many families that hold the rarer outcome are few, and how many are enough for the bootstrap alone; the same
#: of families that differ. These, and ``PRIOR``, were set by simulation (``benchmarks/interval_coverage.py``, on
#: other seeds).
FEW, MANY = 8, 12
FEW_DIFFER, MANY_DIFFER = 12, 40
#: How many rare items, all of whose family is rare with them, stand beside those seen.
PRIOR = 0.2
#: A family's sum within this of nothing, or of everything, is that.
SLACK = 1e-9
Ends = tuple[NDArray, NDArray]


def share_interval(sums: NDArray, squares: NDArray, sizes: NDArray, settings: Evaluation) -> Ends:
    """Ends of ``sum(sums) / sum(sizes)`` where each item's value lies in [0, 1]."""
    varying = np.minimum((sums > SLACK).sum(axis=1), (sizes - sums > SLACK).sum(axis=1))
    few = _few_shares(sums, squares, sizes, settings.confidence)
    return _joined(few, varying, (FEW, MANY), sums, sizes, 0.0, settings)


def difference_interval(
    gains: NDArray, losses: NDArray, squares: NDArray, sizes: NDArray, settings: Evaluation
) -> Ends:
    """Ends of ``sum(gains - losses) / sum(sizes)`` where each item gains or loses at most 1."""
    alike = [gains + losses > SLACK, sizes - gains > SLACK, sizes - losses > SLACK]  # none differs, all gain, all lose
    varying = np.min([apart.sum(axis=1) for apart in alike], axis=0)
    few = _few_differences(gains - losses, squares, sizes, settings.confidence)
    return _joined(few, varying, (FEW_DIFFER, MANY_DIFFER), gains - losses, sizes, -1.0, settings)


def studentised(sums: NDArray, sizes: NDArray, settings: Evaluation) -> tuple[NDArray, NDArray, NDArray]:
    """Ends of the ratio ``sum(sums) / sum(sizes)`` by the bootstrap-t, and whether the families vary at all: where
    they do not, both ends are the ratio."""
    clusters = sums.shape[1]
    table = np.stack([sums, sizes, sums * sums, sums * sizes, sizes * sizes])
    ratio, error = _ratio_and_error(table.sum(axis=2), clusters)
    varies = error > 1e-12 * np.maximum(1.0, np.abs(ratio))
    weights = resample_weights(clusters, settings.resamples, settings.seed)
    ratios, errors = _ratio_and_error(table @ weights.T, clusters)
    low, high = studentised_interval(ratio, error, ratios, errors, settings.confidence)
    return np.where(varies, low, ratio), np.where(varies, high, ratio), varies


def studentised_interval(
    value: NDArray, error: NDArray, resampled: NDArray, errors: NDArray, confidence: float
) -> Ends:
    """Ends from the quantiles over the last axis of ``(resampled - value) / its error``, which is infinite where a
    resample is all alike and not at the value; an end that no resample bounds is the extreme of the resampled."""
    shift = resampled - value[..., None]
    degenerate = errors <= 1e-12
    scaled = np.where(degenerate, np.copysign(np.inf, shift), shift / np.where(degenerate, 1.0, errors))
    scaled[shift == 0] = 0.0
    tail = (1 - confidence) / 2
    lowest = np.quantile(scaled, tail, axis=-1, method="lower")
    highest = np.quantile(scaled, 1 - tail, axis=-1, method="higher")
    with np.errstate(invalid="ignore"):  # infinity times an error of zero, in the branch not taken
        low = np.where(np.isfinite(highest), value - highest * error, resampled.min(axis=-1))
        high = np.where(np.isfinite(lowest), value - lowest * error, resampled.max(axis=-1))
    return low, high


@lru_cache(maxsize=16)
def resample_weights(clusters: int, resamples: int, seed: int) -> NDArray:
    """[resamples, clusters]: how often each family is drawn in each resample; read-only."""
    drawn = np.random.default_rng(seed).integers(0, clusters, size=(resamples, clusters))
    drawn += np.arange(resamples)[:, None] * clusters
    weights = np.bincount(drawn.ravel(), minlength=resamples * clusters).reshape(resamples, clusters).astype(float)
    weights.flags.writeable = False
    return weights


def family_size(sizes: NDArray) -> NDArray:
    """The size of the family of an average item; the items over it are Kish's effective number of families."""
    return (sizes * sizes).sum(axis=1) / sizes.sum(axis=1)


def mid_p_lower(count: NDArray, n: NDArray, tail: NDArray | float) -> NDArray:
    """The rate at which a binomial count is beyond ``count``, the count itself at half, with probability ``tail``;
    0 where the count is. Both may be fractional (effective counts)."""
    from scipy.special import betainc, betaincinv

    count, n, tail = np.broadcast_arrays(np.asarray(count, dtype=float), n, tail)
    some = np.clip(count, SLACK, n)  # beta functions take no zeros; the answer at a count of zero is known
    rest = np.maximum(n - some, SLACK)

    def beyond(rate: NDArray) -> NDArray:
        more = np.where(n - some > SLACK, betainc(some + 1, rest, rate), 0.0)
        return (betainc(some, rest + 1, rate) + more) / 2

    least, most = betaincinv(some, rest + 1, tail), np.ones(count.shape)  # Clopper–Pearson's end lies below
    for _ in range(36):
        middle = (least + most) / 2
        above = beyond(middle) > tail
        least, most = np.where(above, least, middle), np.where(above, middle, most)
    return np.where(count <= SLACK, 0.0, (least + most) / 2)


def _joined(
    few: Ends,
    varying: NDArray,
    bounds: tuple[int, int],
    sums: NDArray,
    sizes: NDArray,
    least: float,
    settings: Evaluation,
) -> Ends:
    """The ends for few families where at most ``bounds[0]`` vary, the bootstrap's where at least ``bounds[1]`` do,
    in proportion between; none beyond ``least`` and 1."""
    first, enough = bounds
    if (varying <= first).all():
        return few
    low, high, varies = studentised(sums, sizes, settings)
    many = np.maximum(low, least), np.minimum(high, 1.0)
    share = np.where(varies, np.clip((varying - first) / (enough - first), 0.0, 1.0), 0.0)
    return (1 - share) * few[0] + share * many[0], (1 - share) * few[1] + share * many[1]


def _few_shares(sums: NDArray, squares: NDArray, sizes: NDArray, confidence: float) -> Ends:
    items, error = sizes.sum(axis=1), 1 - confidence
    swap = 2 * sums.sum(axis=1) > items  # from here on the rarer outcome is counted
    rare = np.where(swap[:, None], sizes - sums, sums)
    squares = np.where(swap[:, None], sizes - 2 * sums + squares, squares)
    together = (rare * rare - squares).sum(axis=1)
    n, n_near = _effective_items(together, squares, sizes), _effective_items(together, squares, sizes, prior=0.0)
    count, count_near = (each * rare.sum(axis=1) / items for each in (n, n_near))
    reach = 1 - error ** (family_size(sizes) / items)  # (1 - reach) ** families / 2 = error / 2
    whole, half, far = mid_p_lower(
        np.stack([count_near, count_near, n - count]),
        np.stack([n_near, n_near, n]),
        error * np.array([[1.0], [0.5], [0.5]]),
    )
    near, far = np.minimum(whole, np.maximum(reach, half)), np.maximum(reach, 1 - far)
    return np.where(swap, 1 - far, near), np.where(swap, 1 - near, far)


def _few_differences(delta: NDArray, squares: NDArray, sizes: NDArray, confidence: float) -> Ends:
    from scipy.special import ndtri

    items, clusters = sizes.sum(axis=1), sizes.shape[1]
    weight = items / _effective_items((delta * delta - squares).sum(axis=1), squares, sizes)
    residual = delta - (delta.sum(axis=1) / items)[:, None] * sizes
    variance = (residual * residual).sum(axis=1) * clusters / max(clusters - 1, 1) + 2 * weight * weight
    middle, spread = delta.sum(axis=1), ndtri((1 + confidence) / 2) * np.sqrt(variance)
    total = items + 2 * weight
    return np.maximum((middle - spread) / total, -1.0), np.minimum((middle + spread) / total, 1.0)


def _effective_items(together: NDArray, squares: NDArray, sizes: NDArray, prior: float = PRIOR) -> NDArray:
    """How many independent items the families are worth. ``together`` sums the products of the rare values of two
    items of one family, over all ordered pairs; ``squares`` those of each rare value with itself."""
    others = family_size(sizes) - 1
    pairs = (squares * (sizes - 1)).sum(axis=1) + prior * others
    alike = np.clip((together + prior * others) / np.where(pairs > 0, pairs, 1.0), 0.0, 1.0)
    # From one family nothing is known of another; the more there are the less that matters.
    alike += (1 - alike) / sizes.shape[1]
    return sizes.sum(axis=1) / (1 + others * alike)


def _ratio_and_error(table: NDArray, clusters: int) -> tuple[NDArray, NDArray]:
    """Sums of (a, b, a², ab, b²): the ratio a / b and its linearised standard error."""
    a, b, aa, ab, bb = table
    ratio = a / b
    residual = np.maximum(aa - 2 * ratio * ab + ratio * ratio * bb, 0.0)
    return ratio, np.sqrt(residual * clusters / max(clusters - 1, 1)) / b
