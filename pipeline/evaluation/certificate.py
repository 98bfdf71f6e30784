"""A gate threshold with a guarantee for finite samples.

The claim: *draw a new contract family, then one of its negatives at random; the chance that it
passes the gate is at most alpha*, and the claim is wrong with probability at most delta over the
families that happened to be seen. What it rests on:

- **One unit a family.** Negatives of a family are alike, so each family is one observation. Families
  are taken as independent draws from the population that new contracts come from; the certificate
  says nothing about another population.
- **Families that had no part in the score**: not in the library, nor in the fit of the probe. Only
  then are their scores independent given the score.
- **Learn then Test** (Angelopoulos et al. 2021): a grid of thresholds fixed beforehand, tested from
  the strictest down, stopped at the first that is not rejected. A fixed sequence needs no
  correction for the number of tests.

Two tests of that claim. ``certify`` takes one negative of each family, drawn by a seed, and the exact
binomial p-value ``P(Bin(n, alpha) <= passed)``; it hangs on the draw. ``certify_shares`` takes the share
of each family's negatives that pass, and a bet against "more than alpha pass" (Waudby-Smith and Ramdas
2024, with a stake fixed beforehand): the wealth ``prod(1 + stake * (alpha - share))`` has expectation at
most 1 if that were so, hence exceeds 1 / delta with probability at most delta (Markov). It uses every
negative and no draw, and asks for hardly more families.

``certify`` on each family's greatest score tests a stricter claim: that none of a new family's negatives
passes, but for a share alpha of families.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pipeline.evaluation.statistics import cluster_codes, exact_upper

GRID = np.round(np.arange(1001) / 1000, 3)


@dataclass(frozen=True, slots=True)
class Certificate:
    """``threshold`` is ``None`` where the data certify none. ``passed`` of ``families`` units pass
    at the threshold, and ``upper_bound`` is the exact bound there; ``clean_families`` is how many
    families without a pass it takes at the least."""

    alpha: float
    delta: float
    families: int
    clean_families: int
    threshold: float | None = None
    passed: int | None = None
    upper_bound: float | None = None


#: The stake of a bet as a share of the highest allowed, at which one family of which all passes loses
#: everything.
STAKE = 0.95


@dataclass(frozen=True, slots=True)
class ShareCertificate:
    """``mean_share`` is the mean over families of the share that passes at ``threshold``."""

    alpha: float
    delta: float
    families: int
    clean_families: int
    threshold: float | None = None
    mean_share: float | None = None


def clean_families(alpha: float, delta: float) -> int:
    """The fewest units, none of which passes, that certify alpha: 29 for 10% at 95%, 59 for 5%."""
    if alpha >= 1:
        return 0
    if alpha <= 0 or delta <= 0:
        raise ValueError("alpha and delta of zero cannot be certified by any sample")
    return math.ceil(math.log(delta) / math.log1p(-alpha))


def one_per_family(scores: ArrayLike, families: Sequence[str], seed: int) -> NDArray:
    """One score a family, drawn at random, in the order of the families' names."""
    return np.asarray(scores, dtype=float)[draw(cluster_codes(families), seed)]


def draw(codes: NDArray, seed: int) -> NDArray:
    """The place of one item of each family, by the families' codes."""
    order = np.random.default_rng(seed).permutation(len(codes))
    return order[np.unique(codes[order], return_index=True)[1]]


def worst_per_family(scores: ArrayLike, families: Sequence[str]) -> NDArray:
    """The greatest score of each family: one unit a family for the claim that none of it passes."""
    codes = cluster_codes(families)
    worst = np.full(codes.max() + 1 if len(codes) else 0, -np.inf)
    np.maximum.at(worst, codes, np.asarray(scores, dtype=float))
    return worst


def certify(units: ArrayLike, alpha: float, delta: float, grid: ArrayLike = GRID) -> Certificate:
    """The loosest threshold of the grid that is certified. ``units``: one score a family; a unit
    passes where its score is at least the threshold."""
    from scipy.special import bdtr  # the binomial distribution; scipy.stats takes a second to import

    units = np.sort(np.asarray(units, dtype=float))
    strict_first = np.sort(np.asarray(grid, dtype=float))[::-1]
    passed = len(units) - np.searchsorted(units, strict_first, side="left")
    rejected = bdtr(passed, len(units), alpha) <= delta
    certified = int(np.cumprod(rejected).sum())  # how many before the first that is not rejected
    needed = clean_families(alpha, delta)
    if certified == 0:
        return Certificate(alpha, delta, len(units), needed)
    at = certified - 1
    bound = exact_upper(int(passed[at]), len(units), 1 - delta)
    return Certificate(alpha, delta, len(units), needed, float(strict_first[at]), int(passed[at]), bound)


def certify_shares(
    scores: ArrayLike, families: Sequence[str], alpha: float, delta: float, grid: ArrayLike = GRID
) -> ShareCertificate:
    """The loosest threshold of the grid that is certified by the families' shares."""
    if not 0 < alpha < 1 or not 0 < delta < 1:
        raise ValueError("alpha and delta lie between zero and one")
    stake = STAKE / (1 - alpha)
    needed = math.ceil(math.log(1 / delta) / math.log1p(stake * alpha))
    codes = cluster_codes(families)
    if len(codes) == 0:
        return ShareCertificate(alpha, delta, 0, needed)
    order = np.argsort(codes, kind="stable")
    starts = np.searchsorted(codes[order], np.arange(codes.max() + 1))
    strict_first = np.sort(np.asarray(grid, dtype=float))[::-1]
    passed = np.asarray(scores, dtype=float)[order] >= strict_first[:, None]
    shares = np.add.reduceat(passed, starts, axis=1, dtype=float) / np.bincount(codes)
    wealth = np.log1p(stake * (alpha - shares)).sum(axis=1)
    certified = int(np.cumprod(wealth >= math.log(1 / delta)).sum())
    if certified == 0:
        return ShareCertificate(alpha, delta, len(starts), needed)
    at = certified - 1
    return ShareCertificate(alpha, delta, len(starts), needed, float(strict_first[at]), float(shares[at].mean()))
