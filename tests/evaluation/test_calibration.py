"""Scores, AUROC, thresholds and the report on synthetic vectors whose structure is known."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from pipeline.base.errors import CuadAuditError
from pipeline.base.params import Evaluation
from pipeline.evaluation import calibration, calibration_report
from pipeline.grounding import gate1

SETTINGS = Evaluation(confidence=0.95, resamples=500, seed=20, min_families=10)
DIMENSION = 12


def corpus(seed: int = 1, families: int = 60, shift: float = 1.5) -> tuple[pd.DataFrame, np.ndarray]:
    """Units of families on both sides: positives lie along the first axis, and every family has a
    direction of its own, which a scorer that peeks at the family would profit from."""
    rng = np.random.default_rng(seed)
    rows, vectors = [], []
    for family in range(families):
        side = "queries" if family % 4 == 0 else "library"
        own = rng.normal(0, 0.8, DIMENSION)
        for kind, count in (("positive", 3), ("negative", 9)):
            for number in range(count):
                name = f"{kind[0]}{family}-{number}"
                category = f"Category {number % 3}"
                rows.append((name, name, kind, side, "corpus", [category], f"family {family}"))
                vector = own + rng.normal(0, 1, DIMENSION)
                vector[0] += shift if kind == "positive" else -shift
                vectors.append(vector)
    for number in range(6):
        rows.append((f"w{number}", f"w{number}", "negative", "written", "gibberish", [], f"written:{number}"))
        vectors.append(rng.normal(0, 1, DIMENSION))
    columns = ["unit_id", "span_id", "kind", "side", "stratum", "categories", "family"]
    vectors = np.asarray(vectors, dtype=np.float32)
    return pd.DataFrame(rows, columns=columns), vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.fixture(scope="module")
def scored() -> tuple[pd.DataFrame, np.ndarray, gate1.Probe]:
    units, vectors = corpus()
    library = ((units["kind"] == "positive") & (units["side"] == "library")).to_numpy()
    scores, probe = calibration.score_units(units, vectors, vectors[library], units["family"][library], seed=3)
    return units.assign(**scores), vectors, probe


def test_cosines_are_those_of_the_gate_without_the_own_family(scored):
    table, vectors, _ = scored
    library = ((table["kind"] == "positive") & (table["side"] == "library")).to_numpy()
    for row in (0, 40, 200, 500, len(table) - 1):
        others = vectors[library & (table["family"] != table["family"][row]).to_numpy()]
        for kind in ("cosine_top1", "cosine_top5"):
            assert table[kind][row] == pytest.approx(gate1.evidence_score(kind, vectors[row], others), abs=1e-6)


def test_held_out_and_written_units_get_the_final_probe_and_library_units_another(scored):
    table, vectors, probe = scored
    final = probe.probability(vectors)
    outside = (table["side"] != "library").to_numpy()
    assert table["probe"][outside].to_numpy() == pytest.approx(final[outside], abs=1e-12)
    assert not np.isclose(table["probe"][~outside], final[~outside]).any()


def test_written_negatives_and_queries_never_reach_the_fit():
    units, vectors = corpus()
    outside = (units["side"] != "library").to_numpy()
    library = ((units["kind"] == "positive") & ~outside).to_numpy()
    other = vectors.copy()
    other[outside] = other[outside][::-1]
    probes = [
        calibration.score_units(units, rows, vectors[library], units["family"][library], seed=3)[1]
        for rows in (vectors, other)
    ]
    assert probes[0] == probes[1]


def test_out_of_fold_scores_hold_the_own_family_out():
    """Labels that are the same within a family and random between: nothing can be learnt about a new
    family, and only a leak of its own would beat chance."""
    rng = np.random.default_rng(5)
    families = np.repeat(np.arange(80), 6)
    positive = np.repeat(rng.random(80) < 0.5, 6)
    vectors = np.repeat(rng.normal(0, 1, (80, 40)), 6, axis=0) + rng.normal(0, 0.1, (480, 40))
    found = calibration.out_of_fold(vectors, positive, families.astype(str), seed=1)
    assert 0.3 < roc_auc_score(positive, found) < 0.7
    assert np.isfinite(found).all()


def test_a_fit_is_the_same_alone_and_beside_others_and_is_scikit_learns():
    units, vectors = corpus()
    positive = (units["kind"] == "positive").to_numpy()
    rows = [np.arange(start, len(vectors)) for start in range(6)]
    together = calibration.fit_probes(vectors, positive, rows)
    assert together == [calibration.fit_probes(vectors, positive, [one])[0] for one in rows]
    model = LogisticRegression(class_weight="balanced", tol=1e-9, max_iter=9999).fit(vectors.astype(float), positive)
    assert together[0].coef == pytest.approx(model.coef_[0], rel=1e-4, abs=1e-4)
    assert together[0].intercept == pytest.approx(model.intercept_[0], rel=1e-4, abs=1e-4)


def test_too_few_families_is_an_error():
    with pytest.raises(CuadAuditError, match="fewer than two library families"):
        calibration.out_of_fold(np.eye(4), [True, True, False, False], ["a", "a", "b", "c"], seed=1)


def test_without_corpus_negatives_there_is_no_probe():
    units, vectors = corpus()
    some = ((units["kind"] == "positive") | (units["side"] == "written")).to_numpy()
    units, vectors = units[some].reset_index(drop=True), vectors[some]
    scores, probe = calibration.score_units(units, vectors, vectors[:10], units["family"][:10], seed=3)
    assert probe is None
    assert "probe" not in scores
    report = calibration_report.describe(units.assign(**scores), SETTINGS, [0.9], 0.05, 0.05)
    assert set(report["scores"]) == {"cosine_top1", "cosine_top5"}
    assert report["scores"]["cosine_top1"]["auroc"]["library"]["value"] is None
    assert report["scores"]["cosine_top1"]["certified"]["drawn"]["threshold"] is None


@given(st.integers(0, 2**32 - 1))
@profile(max_examples=40, deadline=None)
def test_auroc_is_scikit_learns(seed):
    rng = np.random.default_rng(seed)
    positives, negatives = rng.integers(2, 9, 40) / 10, rng.integers(0, 7, 90) / 10
    found = calibration.auroc(positives, rng.integers(0, 20, 40), negatives, rng.integers(10, 30, 90), SETTINGS)
    truth = roc_auc_score([1] * 40 + [0] * 90, np.concatenate([positives, negatives]))
    assert found.value == pytest.approx(truth)
    assert 0 <= found.low <= found.value <= found.high <= 1


def test_the_interval_of_the_auroc_covers():
    rng = np.random.default_rng(6)
    truth = 0.7734  # of N(1.5, 2) against N(0, 2), families apart: Phi(1.5 / 2)
    settings = Evaluation(confidence=0.95, resamples=400, seed=1, min_families=10)
    held = 0
    for _ in range(300):
        sizes = rng.integers(1, 6, (2, 60))
        level = rng.normal(0, 1, 60)
        families = [np.repeat(np.arange(60), size) for size in sizes]
        positives = 1.5 + level[families[0]] + rng.normal(0, 1, len(families[0]))
        negatives = level[families[1]] + rng.normal(0, 1, len(families[1]))
        found = calibration.auroc(positives, families[0], negatives, families[1], settings)
        held += found.low <= truth <= found.high
    # Pairs within a family share its level, which lifts the sample's AUROC by less than 0.002 here.
    assert 0.92 <= held / 300 <= 0.98


def test_a_perfect_auroc_is_not_certain():
    families = [str(i) for i in range(30)]
    found = calibration.auroc([1.0] * 30, families, [0.0] * 30, families, SETTINGS)
    assert (found.value, found.high) == (1, 1)
    assert found.low == pytest.approx(0.025 ** (1 / 30))


def test_auroc_needs_families_of_both_kinds():
    found = calibration.auroc([1.0] * 30, ["one"] * 30, [0.0] * 30, [str(i) for i in range(30)], SETTINGS)
    assert (found.value, found.n, found.clusters) == (None, 60, 31)


@pytest.mark.parametrize(
    ("scores", "keep", "threshold"),
    [
        ([0.1 * i for i in range(1, 11)], 0.9, 0.2),
        ([0.1 * i for i in range(1, 11)], 0.95, 0.1),
        ([0.12345678] * 20, 0.95, 0.1234),
        ([0.3, 0.7], 0.0, 0.7),
        ([-0.00005, 0.5], 1.0, -0.0001),
    ],
)
def test_the_recommended_threshold_keeps_the_share(scores, keep, threshold):
    found = calibration.recommended_threshold(scores, keep)
    assert found == pytest.approx(threshold)
    assert np.mean(np.asarray(scores) >= found) >= keep


def test_no_positive_is_an_error():
    with pytest.raises(CuadAuditError, match="no positive"):
        calibration.recommended_threshold([], 0.9)


def test_the_operating_curve_by_hand():
    curve = calibration.operating_curve([0.5, 0.7, 0.9], [0.1, 0.5], thresholds=[0.0, 0.5, 0.8, 1.0])
    assert [(p["kept"], p["stopped"]) for p in curve] == [
        (1.0, 0.0),
        (1.0, 0.5),
        (pytest.approx(1 / 3), 1.0),
        (0.0, 1.0),
    ]


def test_the_report_counts_every_unit(scored):
    table, _, _ = scored
    report = calibration_report.describe(table, SETTINGS, [0.9, 0.95], 0.2, 0.05)
    assert report["counts"]["library"] == {
        "positives": {"units": 135, "families": 45},
        "negatives": {"units": 405, "families": 45},
    }
    assert report["counts"]["written"]["negatives"]["units"] == 6
    assert {row["name"]: row["n"] for row in report["categories"]} == {f"Category {i}": 180 for i in range(3)}
    assert {row["name"]: row["n"] for row in report["strata"]} == {"corpus": 540, "gibberish": 6}
    for kind in gate1.KINDS:
        at = report["scores"][kind]["recommended"]["keep_0.95"]
        assert at["library"]["kept"]["rate"] >= 0.95
        negatives = table[(table["side"] == "library") & (table["kind"] == "negative")]
        assert at["library"]["stopped"]["count"] == (negatives[kind] < at["threshold"]).sum()
        stopped = sum(row["stopped"][kind]["keep_0.95"] for row in report["categories"])
        assert stopped == at["library"]["stopped"]["count"] + at["queries"]["stopped"]["count"]


def test_the_certificate_is_over_held_out_families(scored):
    table, _, _ = scored
    found = calibration_report.describe(table, SETTINGS, [0.9], 0.2, 0.05)["scores"]["probe"]["certified"]
    assert found["drawn"]["families"] == 15
    assert found["drawn"]["clean_families"] == 14
    assert found["drawn"]["passed"] == 0
    assert found["at_drawn"]["queries"]["stopped"]["n"] == 135
    # Fifteen families cannot certify 5%: it says so, and what it would take.
    none = calibration_report.describe(table, SETTINGS, [0.9], 0.05, 0.05)["scores"]["probe"]["certified"]
    assert none["drawn"]["threshold"] is None
    assert none["drawn"]["clean_families"] == 59
    assert "at_drawn" not in none


def test_curves_cover_both_sides(scored):
    rows = pd.DataFrame(calibration_report.curves(scored[0]))
    assert set(zip(rows["score"], rows["side"], strict=True)) == {
        (kind, side) for kind in gate1.KINDS for side in ("library", "queries")
    }
    for _, curve in rows.groupby(["score", "side"]):
        assert curve["kept"].is_monotonic_decreasing
        assert curve["stopped"].is_monotonic_increasing
