"""The bars that the project set itself, held against the results on CUAD in git."""

from __future__ import annotations

import pytest

from pipeline.base.records import read_json


@pytest.fixture(scope="module")
def metrics(root):
    return {path.stem: read_json(path) for path in (root / "metrics").glob("*.json")}


def test_the_corpus_is_cuad(metrics):
    spans = metrics["slice"]["spans"]
    assert (metrics["slice"]["contracts"], spans["labels"], spans["distinct"]) == (510, 839, 714)
    assert spans["by_category_set"] == {
        "Cap On Liability": 547,
        "Cap On Liability + Uncapped Liability": 125,
        "Uncapped Liability": 42,
    }


def test_retrieval(metrics):
    single, both = (metrics["retrieval"]["protocols"][name]["rankers"]["bm25"]["overall"] for name in ("single", "set"))
    assert 0.67 <= single["p_at_1"]["value"] <= 0.76, "outside it something is wrong"
    assert single["success_at_3"]["value"] > 0.95
    assert both["p_at_1"]["value"] >= 0.95


def test_every_retriever_beats_chance_where_chance_can_lose(metrics):
    rankers = metrics["retrieval"]["protocols"]["distractors"]["rankers"]
    chance = rankers["random"]["overall"]["p_at_1"]
    assert chance["value"] < 0.1
    for name in ("bm25", "dense", "rrf"):
        assert rankers[name]["overall"]["p_at_1"]["low"] > 5 * chance["high"], name


def test_gate_1(metrics):
    at = metrics["calibration"]["scores"]["probe"]["recommended"]["keep_0.95"]["library"]
    assert at["kept"]["rate"] >= 0.95
    assert at["stopped"]["rate"] >= 0.96


def test_verdicts(metrics):
    rates = metrics["verdicts"]["rates"]
    assert rates["unjustified_abstention"]["rate"] <= 0.08
    for name in ("critical_recall", "citation_valid"):
        assert rates[name]["count"] == rates[name]["n"] > 0, name


def test_the_judge(metrics):
    halves = metrics["judge"]["halves"]
    assert sum(half["n"] for half in halves.values()) >= 600
    assert halves["held_out"]["recall_unsupported"]["rate"] >= 0.95
    assert halves["held_out"]["false_rejection"]["rate"] <= 0.05


def test_contrast_pairs_and_probes(metrics):
    review = metrics["review"]
    found = review["contrast"]["consistency"]
    assert found["all"]["n"] >= 300 and found["critical"]["n"] >= 120
    assert found["critical"]["rate"] >= 0.95
    assert review["injection"]["held"]["n"] >= 60
    assert review["injection"]["held"]["count"] == review["injection"]["held"]["n"]
    assert review["harness"]["sound"] is True


def test_the_memo_is_verified(metrics):
    verdict = metrics["verify"]
    assert verdict["pass"] is True and verdict["residual_count"] == 0
    assert verdict["citations"]["n"] > 0 and verdict["quotations"] > 0
