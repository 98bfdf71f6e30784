"""How often the intervals of ``pipeline.evaluation.statistics`` hold the truth, by simulation.

Run it from the repository's root: ``python -m benchmarks.interval_coverage [--runs 2000]``. Each line
is one setting: families of unequal size (a geometric size with a heavy tail), a true rate, and how
alike the items of a family are (intra-family correlation). It prints the share of intervals that
hold the true value (nominal 95%), their mean width, the share of runs that fell back to the exact
binomial, and the coverage that the percentile bootstrap would have had.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time

import numpy as np

from pipeline.evaluation import statistics
from pipeline.params import Evaluation


def draw(rng: np.random.Generator, clusters: int, rate: float, correlation: float) -> tuple[np.ndarray, np.ndarray]:
    """One data set: values (bool) and families. A tenth of the families are large."""
    sizes = rng.geometric(0.4, clusters) + (rng.random(clusters) < 0.1) * rng.integers(3, 12, clusters)
    strength = (1 - correlation) / correlation
    rates = rng.beta(rate * strength, (1 - rate) * strength, clusters)
    families = np.repeat(np.arange(clusters), sizes)
    return rng.random(len(families)) < rates[families], families.astype(str)


def percentile(values: np.ndarray, families: np.ndarray, settings: Evaluation) -> tuple[float, float]:
    codes = statistics.cluster_codes(families)
    table = np.stack([np.bincount(codes, values), np.bincount(codes)], axis=1)
    sums = statistics.resample_weights(len(table), settings.resamples, settings.seed) @ table
    low, high = np.quantile(sums[:, 0] / sums[:, 1], [0.025, 0.975])
    return float(low), float(high)


def rate_coverage(clusters: int, rate: float, correlation: float, runs: int, settings: Evaluation) -> dict[str, float]:
    rng = np.random.default_rng([clusters, int(1000 * rate), int(1000 * correlation)])
    held, held_percentile, width, rare = 0, 0, 0.0, 0
    for _ in range(runs):
        values, families = draw(rng, clusters, rate, correlation)
        found = statistics.rate(values, families, settings)
        held += found.low <= rate <= found.high
        width += found.high - found.low
        low, high = percentile(values, families, settings)
        held_percentile += low <= rate <= high
        by_family = np.bincount(statistics.cluster_codes(families), ~values)
        by_family_true = np.bincount(statistics.cluster_codes(families), values)
        rare += min(np.count_nonzero(by_family), np.count_nonzero(by_family_true)) < statistics.MIN_RARE
    return {
        "coverage": held / runs,
        "width": width / runs,
        "exact": rare / runs,
        "percentile": held_percentile / runs,
    }


def difference_coverage(
    clusters: int, rate: float, correlation: float, runs: int, settings: Evaluation
) -> dict[str, float]:
    """Two systems on the same items: the second repairs a fifth of the first's errors."""
    rng = np.random.default_rng([clusters, int(1000 * rate), int(1000 * correlation), 1])
    held, width, truth = 0, 0.0, (1 - rate) / 5 - rate / 50
    for _ in range(runs):
        first, families = draw(rng, clusters, rate, correlation)
        chance = rng.random(len(first))
        second = np.where(first, chance > 0.02, chance < 0.2)
        found = statistics.difference(second, first, families, settings)
        held += found.low <= truth <= found.high
        width += found.high - found.low
    return {"coverage": held / runs, "width": width / runs}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--resamples", type=int, default=1000)
    arguments = parser.parse_args()
    settings = Evaluation(confidence=0.95, resamples=arguments.resamples, seed=20, min_families=10)
    started = time.perf_counter()
    print("what        families  rate  correlation  coverage  width  exact  percentile")
    for clusters, rate, correlation in itertools.product((40, 100, 270), (0.5, 0.8, 0.95, 0.98), (0.1, 0.4)):
        row = rate_coverage(clusters, rate, correlation, arguments.runs, settings)
        print(
            f"rate        {clusters:8d}  {rate:4.2f}  {correlation:11.1f}  {row['coverage']:8.3f}  "
            f"{row['width']:5.3f}  {row['exact']:5.2f}  {row['percentile']:10.3f}",
            flush=True,
        )
    for clusters, rate in itertools.product((40, 100, 270), (0.5, 0.8, 0.95)):
        row = difference_coverage(clusters, rate, 0.2, arguments.runs, settings)
        print(
            f"difference  {clusters:8d}  {rate:4.2f}  {0.2:11.1f}  {row['coverage']:8.3f}  {row['width']:5.3f}",
            flush=True,
        )
    print(f"{time.perf_counter() - started:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
