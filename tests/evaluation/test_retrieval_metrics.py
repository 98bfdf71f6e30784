"""Retrieval measures and protocols against hand-worked rankings and simulation."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st

from pipeline.base.params import Evaluation, RetrievalRule
from pipeline.evaluation import retrieval_metrics as rm
from pipeline.evaluation import retrieval_report

SETTINGS = Evaluation(confidence=0.95, resamples=300, seed=20, min_families=3)
RULE = RetrievalRule(
    baseline="bm25",
    protocol="set",
    metric="p_at_1",
    min_gain=0.02,
    kill_success_at_3=0.9,
    kill_random_margin=0.1,
)


def span(key: str, *categories: str, family: str = "", text: str = "") -> rm.Labelled:
    return rm.Labelled(key, frozenset(categories), family or f"family {key}", text or f"text of {key}")


LIBRARY = [span("l1", "Cap"), span("l2", "Cap", "Uncapped"), span("l3", "Uncapped"), span("l4", "Cap")]


def test_a_span_of_two_labels_is_two_items_under_single_and_one_under_set():
    single = rm.items(LIBRARY, "single")
    assert [item.item_id for item in single] == ["l1 Cap", "l2 Cap", "l2 Uncapped", "l3 Uncapped", "l4 Cap"]
    assert [item.source for item in single] == ["l1", "l2", "l2", "l3", "l4"]
    assert [item.item_id for item in rm.items(LIBRARY, "set")] == ["l1", "l2", "l3", "l4"]
    with pytest.raises(ValueError, match="no protocol"):
        rm.items(LIBRARY, "many")


def test_relevance_is_a_shared_category():
    queries = [span("q1", "Uncapped"), span("q2", "Cap", "Uncapped"), span("q3", "Other")]
    assert rm.relevance(rm.items(queries, "set"), rm.items(LIBRARY, "set")) == {
        "q1": {"l2": 1, "l3": 1},
        "q2": {"l1": 1, "l2": 1, "l4": 1, "l3": 1},
        "q3": {},
    }
    single = rm.relevance(rm.items(queries[1:2], "single"), rm.items(LIBRARY, "single"))
    assert single == {
        "q2 Cap": {"l1 Cap": 1, "l2 Cap": 1, "l4 Cap": 1},
        "q2 Uncapped": {"l2 Uncapped": 1, "l3 Uncapped": 1},
    }


def test_measures_by_hand():
    qrels = {
        "first": {"a": 1},
        "third": {"c": 1, "d": 1},
        "fourth": {"d": 1},
        "eleventh": {"k": 1},
        "no results": {"a": 1},
        "nothing relevant": {},
    }
    run = {query: list("abcdefghijk") for query in qrels if query != "no results"}
    found = rm.measure(run, qrels)
    assert found["p_at_1"] == [1, 0, 0, 0, 0, 0]
    assert found["success_at_3"] == [1, 1, 0, 0, 0, 0]
    assert found["mrr_at_10"] == pytest.approx([1, 1 / 3, 1 / 4, 0, 0, 0])
    ideal = 1 + 1 / log2(3)
    third = (1 / log2(4) + 1 / log2(5)) / ideal
    assert found["ndcg_at_10"] == pytest.approx([1, third, 1 / log2(5), 0, 0, 0])


@given(st.integers(0, 2**32 - 1))
@profile(max_examples=20, deadline=None)
def test_the_reciprocal_rank_is_ir_measures_own_at_ten(seed):
    import ir_measures

    rng = np.random.default_rng(seed)
    documents = [str(i) for i in range(30)]
    run = {f"q{i}": rng.permutation(documents).tolist() for i in range(20)}
    qrels = {query: dict.fromkeys(rng.choice(documents, 2), 1) for query in run}
    scored = {query: {key: -float(place) for place, key in enumerate(ranking)} for query, ranking in run.items()}
    reference = {one.query_id: one.value for one in ir_measures.iter_calc([ir_measures.RR @ 10], qrels, scored)}
    assert rm.measure(run, qrels)["mrr_at_10"] == pytest.approx([reference[query] for query in run])


def test_equal_items_come_in_the_order_of_the_ranking():
    found = rm.measure({"q": ["z", "a"]}, {"q": {"z": 1}})
    assert found["p_at_1"] == [1]


def test_twins_stand_in_the_order_of_questions_and_count_by_chance_beside_it():
    library = [span("twin", "Cap On Liability", "Uncapped Liability"), span("far", "Cap On Liability")]
    queries = [span("q", "Cap On Liability", "Uncapped Liability"), span("r", "Cap On Liability")]
    asked, offered = rm.items(queries, "single"), rm.items(library, "single")
    assert [item.item_id for item in offered] == [
        "twin Uncapped Liability",
        "twin Cap On Liability",
        "far Cap On Liability",
    ]
    found = rm.measure_retriever({"q": ["twin", "far"], "r": ["far", "twin"]}, asked, offered)
    assert found["p_at_1"] == [1, 0, 1], "the same text is right for one of its two labels"
    assert found["mrr_at_10"] == [1, 0.5, 1]
    assert found["success_at_3"] == [1, 1, 1]
    assert found["p_at_1_by_chance"] == [0.5, 0.5, 1]
    assert rm.measure_retriever({}, asked, offered)["p_at_1_by_chance"] == [0, 0, 0]
    as_set = rm.measure_retriever({"q": ["twin"], "r": []}, rm.items(queries, "set"), rm.items(library, "set"))
    assert as_set["p_at_1"] == as_set["p_at_1_by_chance"] == [1, 0]


def test_the_baselines_look_at_no_query():
    assert rm.majority_ranking(rm.items(LIBRARY, "set")) == ["l1", "l4", "l2", "l3"]
    assert rm.constant_ranking(rm.items(LIBRARY, "set")) == ["l2", "l1", "l4", "l3"]
    assert rm.majority_ranking(rm.items(LIBRARY, "single"))[:3] == ["l1 Cap", "l2 Cap", "l4 Cap"]
    assert rm.majority_ranking([]) == rm.constant_ranking([]) == []


@pytest.mark.parametrize(("relevant", "total"), [(3, 20), (15, 40), (1, 4), (5, 5), (2, 2)])
def test_the_expectation_of_a_random_order_is_that_of_many_draws(relevant, total):
    rng = np.random.default_rng([relevant, total])
    items = [str(i) for i in range(total)]
    draws = 3000
    qrels = {f"q{i}": dict.fromkeys(items[:relevant], 1) for i in range(draws)}
    found = rm.measure({query: rng.permutation(items).tolist() for query in qrels}, qrels)
    expected = rm.expected_random(relevant, total)
    for metric, values in found.items():
        error = max(np.std(values) / np.sqrt(draws), 1e-6)
        assert expected[metric] == pytest.approx(np.mean(values), abs=4 * error)


def test_random_with_nothing_relevant_is_zero():
    assert rm.expected_random(0, 10) == rm.expected_random(0, 0) == dict.fromkeys(rm.METRICS, 0.0)


def test_the_ceiling_of_single_by_hand():
    queries = [span("q1", "Cap"), span("q2", "Cap", "Uncapped"), span("q3", "Uncapped")]
    assert rm.ceiling(queries, "single") == {"queries": 4, "texts": 3, "most_right": 3, "p_at_1": 0.75}
    assert rm.ceiling(queries, "set")["p_at_1"] == 1
    alike = [span("q1", "Cap", text="x"), span("q2", "Cap", text="x"), span("q3", "Uncapped", text="x")]
    assert rm.ceiling(alike, "single")["most_right"] == 2
    assert rm.ceiling(alike, "set")["most_right"] == 2
    assert rm.ceiling([], "single")["p_at_1"] is None


def test_no_ranker_beats_the_ceiling():
    """Every ranking that puts one text first for each query, exhaustively."""
    library = [span("cap", "Cap"), span("both", "Cap", "Uncapped"), span("uncapped", "Uncapped")]
    queries = [span("q1", "Cap"), span("q2", "Cap", "Uncapped"), span("q3", "Uncapped")]
    asked, offered = rm.items(queries, "single"), rm.items(library, "single")
    best = max(
        np.mean(rm.measure_retriever({"q1": [a], "q2": [b], "q3": [c]}, asked, offered)["p_at_1"])
        for a in ("cap", "both", "uncapped")
        for b in ("cap", "both", "uncapped")
        for c in ("cap", "both", "uncapped")
    )
    assert best == pytest.approx(rm.ceiling(queries, "single")["p_at_1"])


@pytest.fixture(scope="module")
def world():
    """A library of three categories; ``good`` ranks by category, ``bad`` by nothing."""
    rng = np.random.default_rng(4)
    names = ["Cap", "Uncapped", "Other"]
    library = [span(f"l{i}", names[i % 3], *(["Uncapped"] if i % 9 == 0 else [])) for i in range(60)]
    queries = [
        span(f"q{i}", names[i % 3], *(["Uncapped"] if i % 6 == 0 else []), family=f"f{i // 2}") for i in range(40)
    ]
    good, bad = {}, {}
    for query in queries:
        order = [library[i] for i in rng.permutation(60)]
        bad[query.key] = [one.key for one in order]
        good[query.key] = [one.key for one in sorted(order, key=lambda one, q=query: not one.categories & q.categories)]
    rankings = {"bm25": bad, "dense": good, "rrf": good}
    return queries, library, rankings


def test_the_per_query_table_has_every_ranker_protocol_and_query(world):
    queries, library, rankings = world
    table = rm.per_query_table("single", queries, library, rankings)
    asked = rm.items(queries, "single")
    assert [(row["ranker"], row["query_id"]) for row in table] == [
        (ranker, one.item_id) for ranker in ("bm25", "dense", "rrf", "majority", "constant", "random") for one in asked
    ]
    dense = [row for row in rm.per_query_table("set", queries, library, rankings) if row["ranker"] == "dense"]
    assert {row["p_at_1"] for row in dense} == {1}
    assert [row["first"] for row in dense] == [rankings["dense"][q.key][0] for q in queries]


def test_the_report_tells_good_from_bad(world):
    queries, library, rankings = world
    table = [row for p in rm.PROTOCOLS for row in rm.per_query_table(p, queries, library, rankings)]
    libraries = dict.fromkeys(rm.PROTOCOLS, library)
    report = retrieval_report.describe(table, queries, libraries, list(rankings), RULE, SETTINGS)
    by_set = report["protocols"]["set"]
    assert by_set["counts"] == {
        "queries": 40,
        "query_spans": 40,
        "query_families": 20,
        "library_items": 60,
        "library_chunks": 60,
    }
    assert by_set["rankers"]["dense"]["overall"]["p_at_1"]["value"] == 1
    macro = by_set["rankers"]["bm25"]["macro"]["p_at_1"]["value"]
    by_category = [one["p_at_1"]["value"] for one in by_set["rankers"]["bm25"]["categories"].values()]
    assert macro == pytest.approx(np.mean(by_category))
    pair = by_set["pairs"]["dense-bm25"]["p_at_1"]
    assert pair["low"] > 0
    assert pair["p_value"] <= pair["p_holm"] < 0.05
    same = by_set["pairs"]["rrf-dense"]["p_at_1"]
    assert (same["value"], same["p_value"]) == (0, 1)
    rule = report["rule"]
    assert rule["chosen"] == "dense"
    assert rule["retrievers"]["bm25"]["kill_random_margin"] is True
    assert {"gain/dense", "gain/rrf", "kill_random_margin/bm25"} <= set(rule["fired"])
    assert rule["killed"] is False
    single = report["protocols"]["single"]
    assert single["counts"]["queries"] == sum(len(query.categories) for query in queries)
    assert single["rankers"]["dense"]["overall"]["p_at_1"]["value"] <= single["ceiling"]["p_at_1"] + 1e-9
