"""Gate 1: is there evidence enough to let the auditor speak? One score, one threshold.

A clause is scored by the vectors of its pieces (one if it fits the embedder's window) against the
vectors of the library, all of unit length, so that a dot product is a cosine. The kinds:

- ``cosine_top1``: the cosine of the nearest library chunk;
- ``cosine_top5``: the mean cosine of the five nearest (of all, where the library has fewer);
- ``probe``: the probability of a logistic regression on the vector that this is a clause of the
  library's kind; it was fitted on the library (stage ``calibrate``) and does not look at neighbours.

A clause of several pieces has the score of its best piece. A library with nothing in it is no
evidence: every kind gives its lowest score. This module needs numpy alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.base import records
from pipeline.base.errors import CuadAuditError

KINDS = ("cosine_top1", "cosine_top5", "probe")
#: What each kind says where there is nothing to compare with.
LOWEST = {"cosine_top1": -1.0, "cosine_top5": -1.0, "probe": 0.0}
NEAREST = {"cosine_top1": 1, "cosine_top5": 5}


@dataclass(frozen=True, slots=True)
class Probe:
    """A logistic regression: probability ``1 / (1 + exp(-(vector @ coef + intercept)))``."""

    coef: tuple[float, ...]
    intercept: float

    def probability(self, vectors: NDArray) -> NDArray:
        """[m, d] unit rows to [m] probabilities."""
        coef = np.asarray(self.coef)
        if vectors.shape[-1] != len(coef):
            raise CuadAuditError(
                f"the probe takes vectors of {len(coef)} numbers and was given {vectors.shape[-1]}",
                "derive index and calibration again with one embedder: `dvc repro calibrate`",
            )
        logit = vectors.astype(float) @ coef + self.intercept
        return 1 / (1 + np.exp(-np.clip(logit, -500, 500)))

    def to_json(self) -> dict[str, Any]:
        return {"coef": list(self.coef), "intercept": self.intercept}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Probe:
        return cls(tuple(float(number) for number in value["coef"]), float(value["intercept"]))

    @classmethod
    def load(cls, path: Path) -> Probe:
        """Read ``data/calibration/probe.json``."""
        value = records.read_json(path)
        try:
            return cls.from_json(value)
        except (KeyError, TypeError, ValueError) as error:
            raise CuadAuditError(f"{path}: not a probe ({error})", "derive it again: `dvc repro calibrate`") from None


def evidence_score(kind: str, query_vectors: NDArray, library_vectors: NDArray, probe: Probe | None = None) -> float:
    """The evidence score of one clause: [pieces, d] against [n, d]."""
    query_vectors = np.atleast_2d(query_vectors)
    if len(query_vectors) == 0 or len(library_vectors) == 0:
        _known(kind)
        return LOWEST[kind]
    return float(piece_scores(kind, query_vectors, library_vectors, probe).max())


def piece_scores(
    kind: str,
    vectors: NDArray,
    library_vectors: NDArray,
    probe: Probe | None = None,
    kept_out: NDArray | None = None,
) -> NDArray:
    """[m] scores of [m, d] against [n, d]; ``kept_out`` (bool [m, n]) hides library chunks from rows
    (the clause's own family)."""
    _known(kind)
    if kind == "probe":
        if probe is None:
            raise CuadAuditError("gate1.score is probe, and there is none", "derive it: `dvc repro calibrate`")
        return probe.probability(vectors)
    return nearest_mean(similarities(vectors, library_vectors, kept_out), NEAREST[kind])


def similarities(vectors: NDArray, library_vectors: NDArray, kept_out: NDArray | None = None) -> NDArray:
    """[m, n] cosines, minus infinity where a chunk is kept out."""
    cosines = vectors @ library_vectors.T
    if kept_out is not None:
        cosines[kept_out] = -np.inf
    return cosines


def nearest_mean(cosines: NDArray, count: int) -> NDArray:
    """[m, n] cosines to [m]: the mean of the ``count`` best that are not kept out; the lowest score
    where there is none."""
    count = min(count, cosines.shape[1])
    if count == 0:
        return np.full(len(cosines), LOWEST["cosine_top1"])
    best = np.partition(cosines, cosines.shape[1] - count, axis=1)[:, -count:].astype(float)
    seen = np.isfinite(best)
    totals = np.where(seen, best, 0.0).sum(axis=1)
    return np.where(seen.any(axis=1), totals / np.maximum(seen.sum(axis=1), 1), LOWEST["cosine_top1"])


def passes(score: float, threshold: float) -> bool:
    """The gate opens at the threshold itself."""
    return score >= threshold


def _known(kind: str) -> None:
    if kind not in KINDS:
        raise CuadAuditError(f"gate1.score: no score {kind!r}", f"use one of {', '.join(KINDS)}")
