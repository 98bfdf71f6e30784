from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from pipeline.base.params import Evaluation
from pipeline.evaluation.agreement import (
    agreement,
    annotator_agreement,
    chance_corrected,
    cohen_kappa,
    disagreements,
    krippendorff_alpha,
    pair_counts,
)
from pipeline.evaluation.labels import load_labels

QUICK = Evaluation(confidence=0.95, resamples=200, seed=1, min_families=3)


def kappa(first: np.ndarray, second: np.ndarray, weights: np.ndarray, levels: int) -> float:
    return float(cohen_kappa(pair_counts(first, second, weights, levels))[0])


def alpha(first: np.ndarray, second: np.ndarray, weights: np.ndarray, levels: int) -> float:
    return float(krippendorff_alpha(pair_counts(first, second, weights, levels))[0])


def test_kappa_hand_worked() -> None:
    # 20 items: both yes 8, both no 6, first yes only 4, second yes only 2: p_o = .7, p_e = .5
    first = np.array([1] * 8 + [0] * 6 + [1] * 4 + [0] * 2)
    second = np.array([1] * 8 + [0] * 6 + [0] * 4 + [1] * 2)
    assert kappa(first, second, np.ones(20), 2) == pytest.approx((0.7 - 0.5) / (1 - 0.5))


labels = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 3)), min_size=2, max_size=30)


@limits(max_examples=60, deadline=None)
@given(labels)
def test_kappa_is_scikit_learns(rows: list[tuple[int, int, int]]) -> None:
    from sklearn.metrics import cohen_kappa_score

    a, b, w = (np.array(column) for column in zip(*rows, strict=True))
    if w.sum() == 0 or (np.unique(np.concatenate([a[w > 0], b[w > 0]])).size < 2):
        return
    expected = cohen_kappa_score(a, b, labels=[0, 1, 2], sample_weight=w)
    assert kappa(a, b, w.astype(float), 3) == pytest.approx(expected)


@limits(max_examples=60, deadline=None)
@given(labels)
def test_alpha_is_the_packages(rows: list[tuple[int, int, int]]) -> None:
    import krippendorff

    a, b, w = (np.array(column) for column in zip(*rows, strict=True))
    counts = np.repeat(np.eye(3)[a] + np.eye(3)[b], w, axis=0)
    if np.count_nonzero(counts.sum(axis=0)) < 2:
        return
    expected = krippendorff.alpha(value_counts=counts, level_of_measurement="nominal")
    assert alpha(a, b, w.astype(float), 3) == pytest.approx(expected)


def test_alpha_hand_worked() -> None:
    # Krippendorff's two-observer nominal example: observers A, B on ten units, alpha = 0.095
    a = np.array([0, 1, 0, 0, 0, 0, 0, 0, 1, 0])
    b = np.array([1, 1, 1, 0, 0, 1, 0, 0, 0, 0])
    assert alpha(a, b, np.ones(10), 2) == pytest.approx(0.095, abs=5e-4)
    doubled = alpha(a, b, np.full(10, 2.0), 2)
    assert doubled == pytest.approx(alpha(np.tile(a, 2), np.tile(b, 2), np.ones(20), 2))


def test_total_chance_agreement_is_undefined() -> None:
    table = agreement(["low"] * 5, ["low"] * 5, list("abcde"), QUICK)
    assert table["percent"]["count"] == 5
    assert table["kappa"]["value"] is None and table["alpha"]["value"] is None


def test_too_few_families_give_counts_only() -> None:
    table = agreement(["a", "b"], ["a", "a"], ["f", "f"], QUICK)
    assert table["percent"] == {"n": 2, "count": 1, "clusters": 1, "rate": None, "low": None, "high": None}
    assert table["kappa"]["value"] is None


def test_the_interval_of_kappa_covers_about_as_often_as_it_says() -> None:
    """Two annotators who each take the true level with chance 0.9, else one of three at random, on three
    clauses of each of 60 families that lean to one level."""
    rng, stay, covered, rounds = np.random.default_rng(20), 0.9, 0, 300
    settings = Evaluation(confidence=0.95, resamples=400, seed=1, min_families=3)
    families = [f"f{number:02}" for number in range(60) for _ in range(3)]

    def labels(rng: np.random.Generator, families: int) -> tuple[np.ndarray, np.ndarray]:
        leaning = np.repeat(rng.integers(0, 3, families), 3)
        true = np.where(rng.random(families * 3) < 0.5, leaning, rng.integers(0, 3, families * 3))
        said = [np.where(rng.random(len(true)) < stay, true, rng.integers(0, 3, len(true))) for _ in range(2)]
        return said[0], said[1]

    first, second = labels(rng, 100_000)
    truth = kappa(first, second, np.ones(len(first)), 3)
    assert truth == pytest.approx(stay**2, abs=0.01)  # for even levels: agreed by more than chance is both staying
    for _ in range(rounds):
        found = chance_corrected(cohen_kappa, *labels(rng, 60), families, settings)
        covered += found.low <= truth <= found.high
    assert 0.92 <= covered / rounds <= 0.98


def test_annotators_of_the_committed_labels(root: Path) -> None:
    table = annotator_agreement(load_labels(root / "data/labels/cuad_dev"), QUICK)
    assert (table["annotators"], table["items"], table["left_out"]) == (["A", "B"], 80, 0)
    verdict = table["aspects"]["verdict"]
    assert verdict["percent"]["rate"] > 0.85
    assert verdict["kappa"]["low"] < verdict["kappa"]["value"] < verdict["kappa"]["high"]
    assert verdict["alpha"]["value"] == pytest.approx(verdict["kappa"]["value"], abs=0.01)


def test_disagreements_name_item_aspect_and_who_said_what(root: Path) -> None:
    labels = load_labels(root / "data/labels/cuad_dev")
    found = {row["item_id"]: row["aspects"] for row in disagreements(labels.opinions)}
    assert found["L009"]["verdict"] == {"A": "risky", "B": "acceptable"}
    assert "L001" not in found


def test_one_annotator_has_nobody_to_agree_with(label_folder: Path) -> None:
    (label_folder / "annotations_B.jsonl").unlink()
    rulings = label_folder / "adjudications.jsonl"
    rulings.write_text(rulings.read_text().replace('"agreed"', '"annotator": "construction", "agreed"'))
    rulings.write_text(rulings.read_text().replace(', "B": {"verdict": "acceptable", "risk_band": "low"}', ""))
    assert annotator_agreement(load_labels(label_folder), QUICK) == {}
