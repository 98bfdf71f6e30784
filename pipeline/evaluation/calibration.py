"""Gate 1 on cases whose answer is known: how well each evidence score tells the library's kind of
clause from every other, and where to put the threshold.

A unit is a chunk. Its ``side`` says what it may prove:

- ``library``: chunks of library families. Cosines leave the unit's own family out of the library;
  the probe's probability is out of fold, families never split between folds.
- ``queries``: chunks of held-out families, scored against the whole library by the final probe,
  as a new clause is. Nothing was fitted or chosen on them.
- ``written``: negatives of the project's own, never fitted on either.

Positives are chunks of the chosen categories, negatives those of all others. A unit passes where its
score is at least the threshold. Units come as columns of one length, by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray
from threadpoolctl import threadpool_limits

from pipeline.base.errors import CuadAuditError
from pipeline.base.parallel import spread, workers_for
from pipeline.base.params import Evaluation
from pipeline.evaluation import intervals, statistics
from pipeline.grounding import gate1

LIBRARY, QUERIES, WRITTEN = "library", "queries", "written"
FOLDS = 5
#: Inverse strength of the probe's L2 penalty: the best AUROC in family-grouped cross-validation on
#: library families alone, mean of three draws of the folds (`python -m benchmarks.probe_choice`). Classes
#: are weighted equally, so that a probability does not hang on how many negatives there happen to be.
PENALTY_C = 1.0
#: Scores are compared with thresholds of four decimals, far above the last bits in which machines differ.
THRESHOLD_STEP = 1e-4
CURVE = np.round(np.arange(201) / 200, 3)
_BLOCK = 2048  # rows of one matrix product


def fit_probes(
    vectors: NDArray, positive: ArrayLike, fits: Sequence[NDArray], penalty_c: float = PENALTY_C
) -> list[gate1.Probe]:
    """For each of ``fits`` (rows of ``vectors`` [n, d]) a logistic regression on those unit vectors; coefficients to
    six significant digits."""
    work = partial(_fit, np.asarray(vectors, dtype=float), np.asarray(positive, dtype=bool), penalty_c)
    return spread(work, fits, workers_for(), size=1)


def _fit(vectors: NDArray, positive: NDArray, penalty_c: float, fits: Sequence[NDArray]) -> list[gate1.Probe]:
    from sklearn.linear_model import LogisticRegression

    probes = []
    for rows in fits:
        # A stricter tolerance than the default, so that machines agree on the digits that are kept.
        model = LogisticRegression(C=penalty_c, class_weight="balanced", tol=1e-6, max_iter=2000)
        with threadpool_limits(1):  # sums then come in one order, whatever the number of cores; and it is no slower
            model.fit(vectors[rows], positive[rows])
        digits = [float(f"{number:.6g}") for number in (*model.coef_[0], model.intercept_[0])]
        probes.append(gate1.Probe(tuple(digits[:-1]), digits[-1]))
    return probes


def out_of_fold(
    vectors: NDArray, positive: ArrayLike, families: Sequence[str], seed: int, penalty_c: float = PENALTY_C
) -> NDArray:
    """[n] probabilities, each from a probe that saw nothing of the unit's family."""
    folds = _folds(positive, families, seed)
    probes = fit_probes(vectors, positive, [train for train, _ in folds], penalty_c)
    return _of_folds(vectors, folds, probes)


def _folds(positive: ArrayLike, families: Sequence[str], seed: int) -> list[tuple[NDArray, NDArray]]:
    """The rows to fit and the rows to score of each fold."""
    from sklearn.model_selection import StratifiedGroupKFold

    positive = np.asarray(positive, dtype=bool)
    codes = statistics.cluster_codes(families)
    enough = min(len(np.unique(codes[positive])), len(np.unique(codes[~positive])))
    if enough < 2:
        raise CuadAuditError(
            "calibrate: fewer than two library families with positives and negatives",
            "use a larger source or a smaller slice.holdout",
        )
    folds = StratifiedGroupKFold(n_splits=min(FOLDS, enough), shuffle=True, random_state=seed)
    return list(folds.split(positive, positive, codes))


def _of_folds(vectors: NDArray, folds: Sequence[tuple[NDArray, NDArray]], probes: Sequence[gate1.Probe]) -> NDArray:
    scores = np.full(len(vectors), np.nan)
    for (_, test), probe in zip(folds, probes, strict=True):
        scores[test] = _probabilities(probe, vectors[test])
    return scores


def _probabilities(probe: gate1.Probe, vectors: NDArray) -> NDArray:
    with threadpool_limits(1):  # as in a fit
        return probe.probability(vectors)


def score_units(
    units: Mapping[str, ArrayLike],
    vectors: NDArray,
    library_vectors: NDArray,
    library_families: Sequence[str],
    seed: int,
) -> tuple[dict[str, NDArray], gate1.Probe | None]:
    """A column for each score kind of ``units`` (columns kind, side, family; row i has ``vectors[i]``), and the
    final probe. Where no corpus negative exists there is nothing to fit: no probe, and no column ``probe``."""
    positive = np.asarray(units["kind"]) == "positive"
    families = np.asarray(units["family"], dtype=str)
    in_library = np.asarray(units["side"]) == LIBRARY
    scores = _cosine_scores(vectors, families, library_vectors, np.asarray(library_families, str))
    if not (in_library & ~positive).any():
        return scores, None
    fitted, known = vectors[in_library], positive[in_library]
    folds = _folds(known, families[in_library], seed)
    probe, *of_folds = fit_probes(fitted, known, [np.arange(len(fitted)), *(train for train, _ in folds)])
    scores["probe"] = _probabilities(probe, vectors)
    scores["probe"][in_library] = _of_folds(fitted, folds, of_folds)
    return scores, probe


def _cosine_scores(
    vectors: NDArray, families: NDArray, library_vectors: NDArray, library_families: NDArray
) -> dict[str, NDArray]:
    """Both cosine kinds from one product of the units with the library, own families kept out."""
    scores = {kind: np.empty(len(vectors)) for kind in gate1.NEAREST}
    for start in range(0, len(vectors), _BLOCK):
        rows = slice(start, start + _BLOCK)
        own = families[rows, None] == library_families[None, :]
        cosines = gate1.similarities(vectors[rows], library_vectors, own)
        for kind, count in gate1.NEAREST.items():
            scores[kind][rows] = gate1.nearest_mean(cosines, count)
    return scores


def auroc(
    positives: ArrayLike,
    positive_families: Sequence[str],
    negatives: ArrayLike,
    negative_families: Sequence[str],
    settings: Evaluation,
) -> statistics.Estimate:
    """The chance that a positive outscores a negative (ties count half), ``n`` the number of units.

    The interval resamples families, which may hold units of both kinds, and is studentised by the
    clustered error of the two-sample U-statistic (Obuchowski 1997). Where every positive outscores
    every negative, it is the exact binomial one over the families of the rarer kind.
    """
    positives, negatives = np.asarray(positives, dtype=float), np.asarray(negatives, dtype=float)
    names, codes = np.unique(np.concatenate([positive_families, negative_families]).astype(str), return_inverse=True)
    of_positive, of_negative = codes[: len(positives)], codes[len(positives) :]
    total, clusters = len(positives) + len(negatives), len(names)
    rarer = min(len(np.unique(of_positive)), len(np.unique(of_negative)))
    if rarer < max(settings.min_families, 1):
        return statistics.Estimate(total, clusters)
    wins = _wins(positives, of_positive, negatives, of_negative, clusters)
    counts = np.stack([np.bincount(of_positive, minlength=clusters), np.bincount(of_negative, minlength=clusters)])
    value, error = _weighted_auroc(np.ones((1, clusters)), wins, counts)
    if error[0] <= 1e-12:
        low, high = statistics.exact_interval(rarer * value[0], rarer, settings.confidence)
        return statistics.Estimate(total, clusters, float(value[0]), low, high)
    weights = intervals.resample_weights(clusters, settings.resamples, settings.seed)
    weights = weights[((weights @ counts.T) > 0).all(axis=1)]  # a resample without one of the kinds has no AUROC
    values, errors = _weighted_auroc(weights, wins, counts)
    low, high = intervals.studentised_interval(value[0], error[0], values, errors, settings.confidence)
    return statistics.Estimate(total, clusters, float(value[0]), max(float(low), 0.0), min(float(high), 1.0))


def _wins(positives: NDArray, of_positive: NDArray, negatives: NDArray, of_negative: NDArray, clusters: int) -> NDArray:
    """[f, g]: pairs of a positive of family f and a negative of family g that the positive wins."""
    wins = np.zeros((clusters, clusters))
    for family in np.unique(of_negative):
        ordered = np.sort(negatives[of_negative == family])
        below = np.searchsorted(ordered, positives, side="left")
        up_to = np.searchsorted(ordered, positives, side="right")
        wins[:, family] = np.bincount(of_positive, (below + up_to) / 2, minlength=clusters)
    return wins


def _weighted_auroc(weights: NDArray, wins: NDArray, counts: NDArray) -> tuple[NDArray, NDArray]:
    """[b] AUROC and its clustered standard error under [b, families] weights."""
    positives, negatives = weights @ counts[0], weights @ counts[1]
    as_positive, as_negative = weights @ wins.T, weights @ wins
    value = (as_negative * weights).sum(axis=1) / (positives * negatives)
    influence = (as_positive / (positives * negatives)[:, None]) + as_negative / (positives * negatives)[:, None]
    influence -= value[:, None] * (counts[0] / positives[:, None] + counts[1] / negatives[:, None])
    drawn = weights.sum(axis=1)
    return value, np.sqrt((weights * influence**2).sum(axis=1) * drawn / np.maximum(drawn - 1, 1))


def recommended_threshold(positives: ArrayLike, keep: float) -> float:
    """The greatest threshold, in steps of ``THRESHOLD_STEP``, that a share ``keep`` of positives passes."""
    ordered = np.sort(np.asarray(positives, dtype=float))[::-1]
    if len(ordered) == 0:
        raise CuadAuditError("calibrate: no positive", "derive the chunks again: `dvc repro chunk`")
    # The rounding guards against 0.95 * 20 = 19.000000000000004.
    wanted = max(int(np.ceil(round(keep * len(ordered), 9))), 1)
    steps = round(1 / THRESHOLD_STEP)
    return float(np.floor(ordered[wanted - 1] * steps) / steps)


def operating_curve(positives: ArrayLike, negatives: ArrayLike, thresholds: Iterable[float] = CURVE) -> list[dict]:
    """At each threshold the share of positives kept and of negatives stopped."""
    kept, stopped = np.sort(np.asarray(positives, dtype=float)), np.sort(np.asarray(negatives, dtype=float))
    return [
        {
            "threshold": float(threshold),
            "kept": float(1 - np.searchsorted(kept, threshold, side="left") / len(kept)),
            "stopped": float(np.searchsorted(stopped, threshold, side="left") / len(stopped)),
        }
        for threshold in thresholds
    ]
