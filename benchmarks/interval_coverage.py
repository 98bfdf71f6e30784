"""How often the intervals of ``pipeline.evaluation.intervals`` hold the truth, by simulation.

Run it from the repository's root: ``python -m benchmarks.interval_coverage [--runs 1500]``. A setting is a number
of families of unequal size (geometric, a tenth of them larger), a true rate, and how alike the items of a family
are (intra-family correlation, beta-binomial); for differences, a second system on the same items that repairs a
fifth of the first's errors and breaks one right answer in fifty (``difference``) or none (``repairs``). Each line
is one setting: the share of intervals that hold the true value (nominal 95%), how often that lies below and above
them, their mean width, the coverage that the bootstrap would have had alone (studentised, and of percentiles), and
a verdict: ``held`` from 93 to 97%, ``short`` below, ``wide`` above.

No interval from counts can cover 95% at every true rate: where next to nothing rare is expected, whatever holds the
rates that might well have been is bound to hold the truth (Brown, Cai and DasGupta 2001). A line names the mean
number of families that vary, and the summary gives, by that number, the extremes over the settings and the mean:
at each point, and averaged over the true rates of the grid.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from pipeline.base.params import Evaluation
from pipeline.evaluation import intervals

RATES = (0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995)
CLUSTERS = (40, 80, 120, 270)
CORRELATIONS = (0.05, 0.3, 0.7, 0.95)
HELD = (0.93, 0.97)
#: Data sets at a time: resamples times data sets are held in memory at once.
BATCH = 250


@dataclass(frozen=True, slots=True)
class Coverage:
    """Shares of the runs; ``varying`` is the mean number of families that hold the rarer outcome, or that differ."""

    coverage: float
    below: float
    above: float
    width: float
    studentised: float
    percentile: float
    varying: float

    @property
    def verdict(self) -> str:
        return "short" if self.coverage < HELD[0] else "wide" if self.coverage > HELD[1] else "held"


def draw(
    rng: np.random.Generator, runs: int, clusters: int, rate: float, correlation: float
) -> tuple[NDArray, NDArray]:
    """[runs, clusters]: how many items of each family are right, and how many it has."""
    shape = (runs, clusters)
    sizes = rng.geometric(0.4, shape) + (rng.random(shape) < 0.1) * rng.integers(3, 12, shape)
    strength = (1 - correlation) / correlation
    return rng.binomial(sizes, rng.beta(rate * strength, (1 - rate) * strength, shape)), sizes


def rate_coverage(clusters: int, rate: float, correlation: float, runs: int, settings: Evaluation) -> Coverage:
    rng = np.random.default_rng([clusters, int(1000 * rate), int(1000 * correlation)])
    found = []
    for batch in _batches(runs):
        right, sizes = (each.astype(float) for each in draw(rng, batch, clusters, rate, correlation))
        ends = intervals.share_interval(right, right, sizes, settings)
        varying = np.minimum(np.count_nonzero(right, axis=1), np.count_nonzero(sizes - right, axis=1))
        found.append(_held(rate, ends, right, sizes, varying, settings))
    return Coverage(*np.mean(np.concatenate(found, axis=1), axis=1).tolist())


def difference_coverage(
    clusters: int, rate: float, correlation: float, runs: int, settings: Evaluation, broken: float = 0.02
) -> Coverage:
    """Two systems on the same items: the second repairs a fifth of the first's errors, and breaks the share ``broken``
    of what was right."""
    rng = np.random.default_rng([clusters, int(1000 * rate), int(1000 * correlation), 1])
    truth, found = (1 - rate) / 5 - rate * broken, []
    for batch in _batches(runs):
        right, sizes = draw(rng, batch, clusters, rate, correlation)
        gains, losses = (rng.binomial(n, p).astype(float) for n, p in ((sizes - right, 0.2), (right, broken)))
        ends = intervals.difference_interval(gains, losses, gains + losses, sizes.astype(float), settings)
        varying = np.count_nonzero(gains + losses, axis=1)
        found.append(_held(truth, ends, gains - losses, sizes.astype(float), varying, settings))
    return Coverage(*np.mean(np.concatenate(found, axis=1), axis=1).tolist())


def _batches(runs: int) -> list[int]:
    return [BATCH] * (runs // BATCH) + ([runs % BATCH] if runs % BATCH else [])


def _held(
    truth: float, ends: intervals.Ends, sums: NDArray, sizes: NDArray, varying: NDArray, settings: Evaluation
) -> NDArray:
    """[figures of ``Coverage``, runs]"""
    low, high = ends
    low_t, high_t, _ = intervals.studentised(sums, sizes, settings)
    weights = intervals.resample_weights(sums.shape[1], settings.resamples, settings.seed)
    low_p, high_p = np.quantile((sums @ weights.T) / (sizes @ weights.T), [0.025, 0.975], axis=1)
    slack = 1e-9  # the truth of a bounded quantity may lie on an end to the last bit
    held = [(a <= truth + slack) & (truth <= b + slack) for a, b in (ends, (low_t, high_t), (low_p, high_p))]
    return np.stack([held[0], truth < low - slack, truth > high + slack, high - low, held[1], held[2], varying])


def summary(rows: dict[tuple[int, float, float], Coverage]) -> list[str]:
    """Extremes and means of the coverage: by how many families vary, and averaged over the true rates."""
    lines = []
    for least, most in ((0, 4), (4, 8), (8, 16), (16, 1000)):
        some = [row for row in rows.values() if least <= row.varying < most]
        if some:
            covered = np.array([row.coverage for row in some])
            counts = {verdict: sum(row.verdict == verdict for row in some) for verdict in ("held", "short", "wide")}
            lines.append(
                f"{least:3d} to {most} families vary: {covered.min():.3f} to {covered.max():.3f}, mean "
                f"{covered.mean():.3f}; " + ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
            )
    over_rates = [
        np.mean([row.coverage for (n, _, r), row in rows.items() if (n, r) == pair])
        for pair in sorted({(n, r) for n, _, r in rows})
    ]
    lines.append(f"averaged over the true rates: {min(over_rates):.3f} to {max(over_rates):.3f}")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=1500)
    parser.add_argument("--resamples", type=int, default=1000)
    arguments = parser.parse_args()
    settings = Evaluation(confidence=0.95, resamples=arguments.resamples, seed=20, min_families=10)
    started = time.process_time()
    repairs = partial(difference_coverage, broken=0.0)
    for what, simulate in (("rate", rate_coverage), ("difference", difference_coverage), ("repairs", repairs)):
        print("what        families   rate  corr  vary  cover  below  above  width  boot-t  pct  verdict")
        rows = {}
        for clusters, rate, correlation in itertools.product(CLUSTERS, RATES, CORRELATIONS):
            row = simulate(clusters, rate, correlation, arguments.runs, settings)
            rows[clusters, rate, correlation] = row
            figures = (row.coverage, row.below, row.above, row.width, row.studentised, row.percentile)
            shown = "  ".join(f"{figure:5.3f}" for figure in figures)
            print(
                f"{what:10s}  {clusters:8d}  {rate:5.3f}  {correlation:4.2f}  {row.varying:4.0f}  {shown}  "
                f"{row.verdict}",
                flush=True,
            )
        print("\n".join(f"{what}: {line}" for line in summary(rows)), flush=True)
    print(f"{time.process_time() - started:.0f} s of CPU", file=sys.stderr)


if __name__ == "__main__":
    main()
