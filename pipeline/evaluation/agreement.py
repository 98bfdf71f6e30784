"""Agreement of two sets of labels: percent, Cohen's kappa, Krippendorff's alpha, with intervals.

Conventions: labels are nominal; an item that one of the two left out is left out of percent and kappa
and counted; intervals are the BCa cluster bootstrap over contract families. A bootstrap needs kappa
and alpha thousands of times, so both are computed here for all resamples at once; tests hold them
equal to scikit-learn's and to the package krippendorff's. Where both always say the same one thing,
chance agreement is total and kappa and alpha are undefined: None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pipeline.base.params import Evaluation
from pipeline.base.types import POSITIONS
from pipeline.evaluation.statistics import Estimate, rate, statistic

if TYPE_CHECKING:
    from pipeline.evaluation.label_schema import Annotation
    from pipeline.evaluation.labels import LabelSet

#: What two annotators are compared on.
ASPECTS = ("verdict", "risk_band", "critical", *POSITIONS)


def pair_counts(first: NDArray, second: NDArray, weights: NDArray, levels: int) -> NDArray:
    """[b, levels, levels]: how much each pair of codes weighs under each row of ``weights`` [b, n]."""
    pairs = np.eye(levels * levels)[np.asarray(first) * levels + np.asarray(second)]
    return (np.atleast_2d(weights) @ pairs).reshape(-1, levels, levels)


def cohen_kappa(table: NDArray) -> NDArray:
    """[b] unweighted (nominal) kappa of pair counts [b, levels, levels]; nan where chance is total."""
    total = table.sum(axis=(1, 2))
    with np.errstate(divide="ignore", invalid="ignore"):
        observed = np.trace(table, axis1=1, axis2=2) / total
        chance = (table.sum(axis=2) * table.sum(axis=1)).sum(axis=1) / total**2
        return np.where(chance < 1, (observed - chance) / (1 - chance), np.nan)


def krippendorff_alpha(table: NDArray) -> NDArray:
    """[b] nominal alpha of two raters without missing values, from pair counts [b, levels, levels].

    One minus observed over expected disagreement, both from the coincidences: each item counts its
    pair in both orders, and the expectation draws two of the 2n values without putting one back.
    """
    coincidences = table + np.swapaxes(table, 1, 2)
    of_level = coincidences.sum(axis=2)
    total = of_level.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        observed = 1 - np.trace(coincidences, axis1=1, axis2=2) / total
        expected = 1 - (of_level * (of_level - 1)).sum(axis=1) / (total * (total - 1))
        return np.where(expected > 0, 1 - observed / expected, np.nan)


def chance_corrected(
    measure: Callable[[NDArray], NDArray],
    first: NDArray,
    second: NDArray,
    families: Sequence[str],
    settings: Evaluation,
) -> Estimate:
    """Kappa or alpha of two lists of codes with its interval; no value where it is undefined."""
    levels = int(max(first.max(initial=0), second.max(initial=0))) + 1

    def of(weights: NDArray) -> NDArray:
        return measure(pair_counts(first, second, weights, levels))

    if not len(first) or not np.isfinite(of(np.ones(len(first))))[0]:
        return Estimate(len(first), len(set(families)))
    return statistic(of, families, settings, batch=True)


def agreement(
    first: Sequence[str], second: Sequence[str], families: Sequence[str], settings: Evaluation
) -> dict[str, Any]:
    """Percent agreement as a rate; kappa and alpha as estimates with intervals."""
    names = sorted({*first, *second})
    code = {name: number for number, name in enumerate(names)}
    a, b = (np.array([code[label] for label in labels], dtype=int) for labels in (first, second))

    return {
        "percent": asdict(rate(a == b, families, settings)),
        "kappa": asdict(chance_corrected(cohen_kappa, a, b, families, settings)),
        "alpha": asdict(chance_corrected(krippendorff_alpha, a, b, families, settings)),
    }


def annotator_agreement(labels: LabelSet, settings: Evaluation) -> dict[str, Any]:
    """Agreement of the first two annotators on every aspect; empty where there are not two."""
    names = sorted(labels.opinions)[:2]
    if len(names) < 2:
        return {}
    one, two = (labels.opinions[name] for name in names)
    family = {sample.item_id: sample.family for sample in labels.samples}
    both = [item_id for item_id in family if item_id in one and item_id in two]
    families = [family[item_id] for item_id in both]
    return {
        "annotators": names,
        "items": len(both),
        "left_out": len(family) - len(both),
        "aspects": {
            aspect: agreement(
                [aspect_of(one[i], aspect) for i in both], [aspect_of(two[i], aspect) for i in both], families, settings
            )
            for aspect in ASPECTS
        },
    }


def aspect_of(opinion: Annotation, aspect: str) -> str:
    """One aspect of an opinion as a nominal label."""
    if aspect in POSITIONS:
        return opinion.positions[aspect].value
    return str(getattr(opinion, aspect))


def disagreements(opinions: Mapping[str, Mapping[str, Annotation]]) -> list[dict[str, Any]]:
    """Items on which annotators differ: ``{"item_id", "aspects": {aspect: {annotator: label}}}``."""
    found = []
    for item_id in sorted({item_id for given in opinions.values() for item_id in given}):
        given = {name: mine[item_id] for name, mine in sorted(opinions.items()) if item_id in mine}
        aspects = {aspect: {name: aspect_of(o, aspect) for name, o in given.items()} for aspect in ASPECTS}
        differing = {aspect: said for aspect, said in aspects.items() if len(set(said.values())) > 1}
        if differing:
            found.append({"item_id": item_id, "aspects": differing})
    return found
