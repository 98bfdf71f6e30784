"""What calibration found, as the figures of ``metrics/calibration.json``.

``units`` is the scored table of ``calibration.score_units`` with the columns unit_id, span_id, kind,
side, stratum, categories, family and one column a score kind. A threshold recommended by ``keep`` is
the greatest that this share of the **library** positives passes; what it does to the held-out side
(``queries``) is then measured and not chosen. The intervals take the threshold as given.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pipeline.base.params import Evaluation
from pipeline.evaluation import calibration, certificate, statistics
from pipeline.grounding import gate1

if TYPE_CHECKING:
    import pandas as pd

_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def keep_name(keep: float) -> str:
    return f"keep_{keep:.2f}"


def describe(
    units: pd.DataFrame, settings: Evaluation, keeps: Sequence[float], alpha: float, delta: float
) -> dict[str, Any]:
    """Counts, then for each score kind AUROC, thresholds, strata; then every category."""
    kinds = [kind for kind in gate1.KINDS if kind in units]
    thresholds = {kind: _thresholds(units, kind, keeps) for kind in kinds}
    figures = {kind: _describe_kind(units, kind, thresholds[kind], settings, alpha, delta) for kind in kinds}
    return {
        "counts": _counts(units),
        "penalty_c": calibration.PENALTY_C,
        "scores": figures,
        "strata": _stopped_by(units[units["kind"] == "negative"], "stratum", thresholds),
        "categories": _stopped_by(_corpus_negatives(units).explode("categories"), "categories", thresholds),
    }


def curves(units: pd.DataFrame) -> list[dict[str, Any]]:
    """The operating curve of each score kind on each side: rows score, side, threshold, kept, stopped."""
    rows = []
    for kind in (kind for kind in gate1.KINDS if kind in units):
        for side in (calibration.LIBRARY, calibration.QUERIES):
            positives, negatives = _of(units, side)
            if len(positives) and len(negatives):
                curve = calibration.operating_curve(positives[kind], negatives[kind])
                rows += [{"score": kind, "side": side, **point} for point in curve]
    return rows


def _of(units: pd.DataFrame, side: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    here = units[units["side"] == side]
    return here[here["kind"] == "positive"], here[here["kind"] == "negative"]


def _corpus_negatives(units: pd.DataFrame) -> pd.DataFrame:
    return units[(units["kind"] == "negative") & (units["side"] != calibration.WRITTEN)]


def _counts(units: pd.DataFrame) -> dict[str, Any]:
    counts: dict[str, Any] = {}
    for side in (calibration.LIBRARY, calibration.QUERIES, calibration.WRITTEN):
        for name, part in zip(("positives", "negatives"), _of(units, side), strict=True):
            counts.setdefault(side, {})[name] = {"units": len(part), "families": part["family"].nunique()}
    return counts


def _thresholds(units: pd.DataFrame, kind: str, keeps: Sequence[float]) -> dict[str, float]:
    positives = _of(units, calibration.LIBRARY)[0][kind]
    return {keep_name(keep): calibration.recommended_threshold(positives, keep) for keep in keeps}


def _describe_kind(
    units: pd.DataFrame, kind: str, thresholds: dict[str, float], settings: Evaluation, alpha: float, delta: float
) -> dict[str, Any]:
    figures: dict[str, Any] = {"auroc": {}, "quantiles": {}}
    for side in (calibration.LIBRARY, calibration.QUERIES):
        positives, negatives = _of(units, side)
        figures["auroc"][side] = calibration.auroc(
            positives[kind], positives["family"], negatives[kind], negatives["family"], settings
        )
        for name, part in (("positives", positives), ("negatives", negatives)):
            if len(part):
                figures["quantiles"].setdefault(side, {})[name] = {
                    f"p{100 * level:02.0f}": float(np.quantile(part[kind], level)) for level in _QUANTILES
                }
    figures["recommended"] = {
        name: {"threshold": threshold, **_at(units, kind, threshold, settings)}
        for name, threshold in thresholds.items()
    }
    figures["certified"] = _certified(units, kind, settings, alpha, delta)
    return statistics.plain(figures)


def _at(units: pd.DataFrame, kind: str, threshold: float, settings: Evaluation) -> dict[str, Any]:
    """What passes and what stops at a threshold, on each side."""
    figures = {}
    for side in (calibration.LIBRARY, calibration.QUERIES):
        positives, negatives = _of(units, side)
        figures[side] = {
            "kept": statistics.rate(positives[kind] >= threshold, positives["family"], settings),
            "stopped": statistics.rate(negatives[kind] < threshold, negatives["family"], settings),
        }
    written = _of(units, calibration.WRITTEN)[1]
    figures[calibration.WRITTEN] = {"n": len(written), "stopped": int((written[kind] < threshold).sum())}
    return figures


def _certified(units: pd.DataFrame, kind: str, settings: Evaluation, alpha: float, delta: float) -> dict[str, Any]:
    """The certificate over families that had no part in library or fit. A unit is a clause, scored as
    the gate scores it, by its best piece."""
    clauses = _of(units, calibration.QUERIES)[1].groupby("span_id", sort=True).agg({kind: "max", "family": "first"})
    drawn = certificate.one_per_family(clauses[kind], clauses["family"], settings.seed)
    found = certificate.certify(drawn, alpha, delta)
    shares = certificate.certify_shares(clauses[kind], clauses["family"], alpha, delta)
    worst = certificate.worst_per_family(clauses[kind], clauses["family"])
    strict = certificate.certify(worst, alpha, delta)
    # Is the drawn certificate luck? The same with other draws; a description, and not to choose from.
    others = [
        certificate.certify(certificate.one_per_family(clauses[kind], clauses["family"], seed), alpha, delta).threshold
        for seed in range(settings.seed + 1, settings.seed + 101)
    ]
    granted = sorted(threshold for threshold in others if threshold is not None)
    figures: dict[str, Any] = {
        "share": shares,
        "drawn": found,
        "any": strict,
        "other_draws": {
            "n": len(others),
            "certified": len(granted),
            "median": float(np.median(granted)) if granted else None,
            "greatest": granted[-1] if granted else None,
        },
    }
    for name, one in (("share", shares), ("drawn", found), ("any", strict)):
        if one.threshold is not None:
            figures[f"at_{name}"] = _at(units, kind, one.threshold, settings)
    return figures


def _stopped_by(negatives: pd.DataFrame, column: str, thresholds: dict[str, dict[str, float]]) -> list[dict[str, Any]]:
    """One row a group: n, families, and how many units each recommended threshold stops. A list, so
    that tools which tabulate metrics leave it alone."""
    rows = []
    for name, part in negatives.groupby(column, sort=True):
        stopped = {
            kind: {keep: int((part[kind] < threshold).sum()) for keep, threshold in by_keep.items()}
            for kind, by_keep in thresholds.items()
        }
        rows.append({"name": name, "n": len(part), "families": part["family"].nunique(), "stopped": stopped})
    return rows
