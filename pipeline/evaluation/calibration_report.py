"""What calibration found, as the figures of ``metrics/calibration.json``.

``units`` has the columns span_id, kind, side, stratum, categories (a list each), family, and one column for
each score kind, as ``calibration.score_units`` has it. A threshold recommended by ``keep`` is
the greatest that this share of the **library** positives passes; what it does to the held-out side
(``queries``) is then measured and not chosen. The intervals take the threshold as given.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pipeline.base.params import Evaluation
from pipeline.evaluation import calibration, certificate, statistics
from pipeline.grounding import gate1

Units = Mapping[str, ArrayLike]
_SIDES = (calibration.LIBRARY, calibration.QUERIES)
_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True, slots=True)
class _Part:
    """The units of one kind on one side; ``scores``: [n] of each score kind."""

    families: NDArray
    spans: NDArray
    scores: Mapping[str, NDArray]


Parts = Mapping[str, tuple[_Part, _Part]]


def keep_name(keep: float) -> str:
    return f"keep_{keep:.2f}"


def describe(units: Units, settings: Evaluation, keeps: Sequence[float], alpha: float, delta: float) -> dict[str, Any]:
    """Counts, then for each score kind AUROC, thresholds, strata; then every category."""
    parts = _parts(units)
    thresholds = {kind: _thresholds(parts, kind, keeps) for kind in _kinds(units)}
    figures = {kind: _describe_kind(parts, kind, at, settings, alpha, delta) for kind, at in thresholds.items()}
    negatives = np.flatnonzero(np.asarray(units["kind"]) == "negative").tolist()
    strata, categories, sides = (list(units[name]) for name in ("stratum", "categories", "side"))
    of_corpus = [row for row in negatives if sides[row] != calibration.WRITTEN]
    return {
        "counts": _counts(parts),
        "penalty_c": calibration.PENALTY_C,
        "scores": figures,
        "strata": _stopped_by(units, ((strata[row], row) for row in negatives), thresholds),
        "categories": _stopped_by(units, ((name, row) for row in of_corpus for name in categories[row]), thresholds),
    }


def curves(units: Units) -> list[dict[str, Any]]:
    """The operating curve of each score kind on each side: rows score, side, threshold, kept, stopped."""
    rows = []
    parts = _parts(units)
    for kind in _kinds(units):
        for side in _SIDES:
            positives, negatives = (part.scores[kind] for part in parts[side])
            if len(positives) and len(negatives):
                curve = calibration.operating_curve(positives, negatives)
                rows += [{"score": kind, "side": side, **point} for point in curve]
    return rows


def _kinds(units: Units) -> list[str]:
    return [kind for kind in gate1.KINDS if kind in units]


def _parts(units: Units) -> Parts:
    """On each side the positives and the negatives."""
    kinds, sides = np.asarray(units["kind"]), np.asarray(units["side"])
    families, spans = (np.asarray(units[name], dtype=str) for name in ("family", "span_id"))
    scores = {kind: np.asarray(units[kind], dtype=float) for kind in _kinds(units)}

    def part(side: str, kind: str) -> _Part:
        here = (sides == side) & (kinds == kind)
        return _Part(families[here], spans[here], {name: column[here] for name, column in scores.items()})

    return {side: (part(side, "positive"), part(side, "negative")) for side in (*_SIDES, calibration.WRITTEN)}


def _counts(parts: Parts) -> dict[str, Any]:
    return {
        side: {
            name: {"units": len(part.families), "families": len(np.unique(part.families))}
            for name, part in zip(("positives", "negatives"), both, strict=True)
        }
        for side, both in parts.items()
    }


def _thresholds(parts: Parts, kind: str, keeps: Sequence[float]) -> dict[str, float]:
    positives = parts[calibration.LIBRARY][0].scores[kind]
    return {keep_name(keep): calibration.recommended_threshold(positives, keep) for keep in keeps}


def _describe_kind(
    parts: Parts, kind: str, thresholds: dict[str, float], settings: Evaluation, alpha: float, delta: float
) -> dict[str, Any]:
    figures: dict[str, Any] = {"auroc": {}, "quantiles": {}}
    for side in _SIDES:
        positives, negatives = parts[side]
        figures["auroc"][side] = calibration.auroc(
            positives.scores[kind], positives.families, negatives.scores[kind], negatives.families, settings
        )
        for name, part in (("positives", positives), ("negatives", negatives)):
            if len(part.families):
                levels = np.quantile(part.scores[kind], _QUANTILES)
                figures["quantiles"].setdefault(side, {})[name] = {
                    f"p{100 * level:02.0f}": float(value) for level, value in zip(_QUANTILES, levels, strict=True)
                }
    certified = _certified(parts, kind, settings, alpha, delta)
    granted = {
        name: one.threshold for name in ("share", "drawn", "any") if (one := certified[name]).threshold is not None
    }
    at = _at(parts, kind, [*thresholds.values(), *granted.values()], settings)
    figures["recommended"] = {
        name: {"threshold": threshold, **found}
        for (name, threshold), found in zip(thresholds.items(), at, strict=False)
    }
    figures["certified"] = certified | {
        f"at_{name}": found for name, found in zip(granted, at[len(thresholds) :], strict=True)
    }
    return statistics.plain(figures)


def _at(parts: Parts, kind: str, thresholds: Sequence[float], settings: Evaluation) -> list[dict[str, Any]]:
    """For each threshold what passes and what stops there, on each side."""
    if not thresholds:
        return []
    passes = {
        side: [part.scores[kind] >= np.array(thresholds)[:, None] for part in both] for side, both in parts.items()
    }
    rates = {
        side: (
            statistics.rates(passes[side][0], parts[side][0].families, settings),
            statistics.rates(~passes[side][1], parts[side][1].families, settings),
        )
        for side in _SIDES
    }
    written = ~passes[calibration.WRITTEN][1]
    return [
        {side: {"kept": kept[place], "stopped": stopped[place]} for side, (kept, stopped) in rates.items()}
        | {calibration.WRITTEN: {"n": written.shape[1], "stopped": int(written[place].sum())}}
        for place in range(len(thresholds))
    ]


def _certified(parts: Parts, kind: str, settings: Evaluation, alpha: float, delta: float) -> dict[str, Any]:
    """The certificates over families that had no part in library or fit. A unit is a clause, scored as
    the gate scores it, by its best piece."""
    pieces = parts[calibration.QUERIES][1]
    scores = certificate.worst_per_family(pieces.scores[kind], pieces.spans)
    families = pieces.families[np.unique(pieces.spans, return_index=True)[1]]
    codes = statistics.cluster_codes(families)
    # Is the drawn certificate luck? The same with other draws; a description, and not to choose from.
    drawn, *others = (
        certificate.certify(scores[certificate.draw(codes, seed)], alpha, delta)
        for seed in range(settings.seed, settings.seed + 101)
    )
    granted = sorted(other.threshold for other in others if other.threshold is not None)
    return {
        "share": certificate.certify_shares(scores, families, alpha, delta),
        "drawn": drawn,
        "any": certificate.certify(certificate.worst_per_family(scores, families), alpha, delta),
        "other_draws": {
            "n": len(others),
            "certified": len(granted),
            "median": float(np.median(granted)) if granted else None,
            "greatest": granted[-1] if granted else None,
        },
    }


def _stopped_by(
    units: Units, named: Iterable[tuple[str, int]], thresholds: dict[str, dict[str, float]]
) -> list[dict[str, Any]]:
    """One entry a group (``named`` gives a group's name with each of its rows): n, families, and how many units each
    recommended threshold stops. A list, so that tools which tabulate metrics leave it alone."""
    groups: dict[str, list[int]] = {}
    for name, row in named:
        groups.setdefault(name, []).append(row)
    families, scores = list(units["family"]), {kind: np.asarray(units[kind]) for kind in thresholds}
    return [
        {
            "name": name,
            "n": len(rows),
            "families": len({families[row] for row in rows}),
            "stopped": {
                kind: {keep: int((scores[kind][rows] < threshold).sum()) for keep, threshold in by_keep.items()}
                for kind, by_keep in thresholds.items()
            },
        }
        for name, rows in sorted(groups.items())
    ]
