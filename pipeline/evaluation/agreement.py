"""Agreement of two sets of labels: percent, Cohen's kappa, Krippendorff's alpha, with intervals.

Conventions: labels are nominal; an item that one of the two left out is left out of percent and kappa
and counted; intervals are the BCa cluster bootstrap over contract families. Kappa is computed here
from weighted counts, because a bootstrap needs it thousands of times (a test holds it equal to
scikit-learn's); alpha comes from the package krippendorff. Where both always say the same one thing,
chance agreement is total and kappa and alpha are undefined: None.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.evaluation.label_schema import Annotation
from pipeline.evaluation.labels import LabelSet
from pipeline.evaluation.statistics import Estimate, rate, statistic
from pipeline.params import Evaluation
from pipeline.types import POSITIONS

#: What two annotators are compared on.
ASPECTS = ("verdict", "risk_band", "critical", *POSITIONS)


def cohen_kappa(first: NDArray, second: NDArray, weights: NDArray, levels: int) -> float:
    """Unweighted (nominal) kappa of codes 0..levels-1 under item weights; nan where chance is total."""
    table = np.bincount(first * levels + second, weights, levels * levels).reshape(levels, levels)
    total = table.sum()
    if total == 0:
        return float("nan")
    observed = np.trace(table) / total
    chance = float(table.sum(axis=1) @ table.sum(axis=0)) / total**2
    return float("nan") if chance >= 1 else (observed - chance) / (1 - chance)


def krippendorff_alpha(first: NDArray, second: NDArray, weights: NDArray, levels: int) -> float:
    """Nominal alpha of two raters; a weight is how often the item counts."""
    import krippendorff

    counts = np.eye(levels)[first] + np.eye(levels)[second]
    taken = np.repeat(counts, weights.astype(int), axis=0)
    if len(taken) == 0 or np.count_nonzero(taken.sum(axis=0)) < 2:
        return float("nan")
    return float(krippendorff.alpha(value_counts=taken, level_of_measurement="nominal"))


def agreement(
    first: Sequence[str], second: Sequence[str], families: Sequence[str], settings: Evaluation
) -> dict[str, Any]:
    """Percent agreement as a rate; kappa and alpha as estimates with intervals."""
    names = sorted({*first, *second})
    code = {name: number for number, name in enumerate(names)}
    a, b = (np.array([code[label] for label in labels], dtype=int) for labels in (first, second))

    def estimate(measure: Any) -> dict[str, Any]:
        if not len(a) or not np.isfinite(measure(a, b, np.ones(len(a)), len(names))):
            return asdict(Estimate(len(a), len(set(families))))
        return asdict(statistic(lambda weights: measure(a, b, weights, len(names)), families, settings))

    return {
        "percent": asdict(rate(a == b, families, settings)),
        "kappa": estimate(cohen_kappa),
        "alpha": estimate(krippendorff_alpha),
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
