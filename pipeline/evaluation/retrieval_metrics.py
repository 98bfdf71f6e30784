"""How well rankings of the library fit CUAD's expert labels, under three protocols.

- ``single``: every **label** is an item. A span under two categories is two queries, and in the library
  two items of one text; an item is relevant if its one category is the query's. This is how earlier
  published work scored. No reader of texts can get such a pair of queries both right, see ``ceiling``.
- ``set``: every **span** is a query and every chunk an item; it is relevant if the two sets of
  categories meet.
- ``distractors``: as ``set``, but the chunks of all other categories are offered as well. They outnumber
  the relevant ones many times, so that chance and constant answers find nothing.

A ranking is a list of library chunks. Under ``single`` a chunk of several labels stands for as many items
of equal score, of which at most one is relevant. Their order is an accident that decides p_at_1, so both
readings are given: the measures take the items in CUAD's order of questions, as an index built from the
corpus with a stable sort does (this is what reproduces the earlier figures); ``p_at_1_by_chance`` is the
exact expectation over all orders.

Measures come from ir_measures: p_at_1 (P@1), success_at_3 (Success@3: at least one relevant in the
first three), mrr_at_10 (RR of the first ten), ndcg_at_10 (nDCG@10, binary gains, log2 discount, ideal over all
relevant items). A query without results counts as zero.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb, log2
from typing import Any

from pipeline.base.records import Rows

METRICS = ("p_at_1", "success_at_3", "mrr_at_10", "ndcg_at_10")
DISTRACTORS = "distractors"
PROTOCOLS = ("single", "set", DISTRACTORS)
DEPTH = 10
BY_CHANCE = "p_at_1_by_chance"
#: CUAD asks its questions in this order, and so stand the labels of a span: where two of the items below
#: share a text, the first comes first. Other categories follow by name.
QUESTION_ORDER = ("Uncapped Liability", "Cap On Liability")


@dataclass(frozen=True, slots=True)
class Labelled:
    """A span or chunk: ``key`` names it, ``categories`` is its set of labels."""

    key: str
    categories: frozenset[str]
    family: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """A query or library item of a protocol: ``source`` is the key of the span or chunk it is of."""

    item_id: str
    source: str
    categories: frozenset[str]


def items(labelled: Sequence[Labelled], protocol: str) -> list[Item]:
    """The items of spans or chunks, in their order; under ``single`` one a label."""
    if protocol in ("set", DISTRACTORS):
        return [Item(one.key, one.key, one.categories) for one in labelled]
    if protocol == "single":
        return [
            Item(f"{one.key} {category}", one.key, frozenset([category]))
            for one in labelled
            for category in sorted(one.categories, key=_question)
        ]
    raise ValueError(f"no protocol {protocol!r}: {', '.join(PROTOCOLS)}")


def _question(category: str) -> tuple[int, str]:
    place = QUESTION_ORDER.index(category) if category in QUESTION_ORDER else len(QUESTION_ORDER)
    return place, category


def relevance(queries: Sequence[Item], library: Sequence[Item]) -> dict[str, dict[str, int]]:
    """The qrels: for each query the items that share a category, each with relevance 1."""
    by_category: dict[str, list[str]] = {}
    for item in library:
        for category in item.categories:
            by_category.setdefault(category, []).append(item.item_id)
    return {
        query.item_id: dict.fromkeys((i for c in sorted(query.categories) for i in by_category.get(c, ())), 1)
        for query in queries
    }


def measure(rankings: Mapping[str, Sequence[str]], qrels: Mapping[str, Mapping[str, int]]) -> dict[str, list[float]]:
    """[query] values of each measure, in the order of ``qrels``, for one ranking of item ids a query."""
    return _Measures(qrels).of(rankings)


class _Measures:
    """The four measures over fixed qrels, whose conversion costs more than a run."""

    def __init__(self, qrels: Mapping[str, Mapping[str, int]]) -> None:
        import ir_measures

        self._queries = list(qrels)
        # A query to which nothing is relevant has to be among the qrels to be counted at all.
        judged = {query: dict(relevant) or {"": 0} for query, relevant in qrels.items()}
        names = (
            ir_measures.P @ 1,
            ir_measures.Success @ 3,
            ir_measures.RR,  # of rankings that are cut at DEPTH; RR @ DEPTH has a slow provider of its own
            ir_measures.nDCG @ DEPTH,
        )
        self._names = dict(zip(names, METRICS, strict=True))
        self._evaluator = ir_measures.evaluator(list(names), judged)

    def of(self, rankings: Mapping[str, Sequence[str]]) -> dict[str, list[float]]:
        # Scores that fall with the rank leave no tie for the measure to break in a way of its own.
        run = {q: {item: float(-rank) for rank, item in enumerate(ranking[:DEPTH])} for q, ranking in rankings.items()}
        found: dict[tuple[str, str], float] = {
            (self._names[one.measure], one.query_id): one.value for one in self._evaluator.iter_calc(run)
        }
        return {metric: [found.get((metric, query), 0.0) for query in self._queries] for metric in METRICS}


def measure_retriever(
    rankings: Mapping[str, Sequence[str]], queries: Sequence[Item], library: Sequence[Item]
) -> dict[str, list[float]]:
    """[query] values of each measure, and ``p_at_1_by_chance``. ``rankings``: for the source of each query
    the keys of library chunks, best first; at least ``DEPTH`` of them, or all."""
    return _measure_retriever(rankings, queries, _twins(library), _Measures(relevance(queries, library)))


def _measure_retriever(
    rankings: Mapping[str, Sequence[str]],
    queries: Sequence[Item],
    twins: Mapping[str, Sequence[Item]],
    measures: _Measures,
) -> dict[str, list[float]]:
    run = {
        query.item_id: [item.item_id for key in rankings.get(query.source, ()) for item in twins[key]]
        for query in queries
    }
    return measures.of(run) | {BY_CHANCE: _by_chance(rankings, queries, twins)}


def _twins(library: Sequence[Item]) -> dict[str, list[Item]]:
    """The items of each chunk."""
    twins: dict[str, list[Item]] = {}
    for item in library:
        twins.setdefault(item.source, []).append(item)
    return twins


def _by_chance(
    rankings: Mapping[str, Sequence[str]], queries: Sequence[Item], twins: Mapping[str, Sequence[Item]]
) -> list[float]:
    """[query] the chance that the first item is relevant, if the items of the first chunk are in any order."""
    chances = []
    for query in queries:
        same = twins[ranking[0]] if (ranking := rankings.get(query.source)) else ()
        chances.append(sum(bool(one.categories & query.categories) for one in same) / len(same) if same else 0.0)
    return chances


def majority_ranking(library: Sequence[Item]) -> list[str]:
    """The same answer to every query, "it is the most frequent category": items of that one alone first."""
    counts = Counter(category for item in library for category in sorted(item.categories))
    if not counts:
        return []
    majority = min(counts, key=lambda category: (-counts[category], category))
    return [item.item_id for item in sorted(library, key=lambda item: item.categories != {majority})]


def constant_ranking(library: Sequence[Item]) -> list[str]:
    """The best answer that looks at no query: items that are relevant to the most library items first.
    Under ``set`` an item of many labels is relevant to nearly every query."""
    sets = Counter(item.categories for item in library)
    reach = {one: sum(count for other, count in sets.items() if one & other) for one in sets}
    return [item.item_id for item in sorted(library, key=lambda item: -reach[item.categories])]


def expected_random(relevant: int, total: int) -> dict[str, float]:
    """The exact expectation of each measure under a random order of ``total`` items."""
    if total == 0 or relevant == 0:
        return dict.fromkeys(METRICS, 0.0)
    share, depth = relevant / total, min(DEPTH, total)

    def none_in(first: int) -> float:
        return comb(total - relevant, first) / comb(total, first) if first <= total else 0.0

    ideal = sum(1 / log2(rank + 1) for rank in range(1, min(relevant, DEPTH) + 1))
    return {
        "p_at_1": share,
        "success_at_3": 1 - none_in(min(3, total)),
        "mrr_at_10": sum((none_in(rank - 1) - none_in(rank)) / rank for rank in range(1, depth + 1)),
        "ndcg_at_10": share * sum(1 / log2(rank + 1) for rank in range(1, depth + 1)) / ideal,
    }


def ceiling(queries: Sequence[Labelled], protocol: str) -> dict[str, Any]:
    """The best p_at_1 of any ranker that reads nothing but the text.

    Such a ranker puts one item first for one text. Under ``single`` a text of two labels is two queries
    with different answers: one of them is wrong, whatever comes first. So of the queries of a text at most
    as many are right as share one label, and the ceiling is the sum of that over texts.
    """
    labels: dict[str, Counter[frozenset[str] | str]] = {}
    for query in queries:
        found = labels.setdefault(query.text, Counter())
        found.update(sorted(query.categories) if protocol == "single" else [query.categories])
    total = sum(counts.total() for counts in labels.values())
    if protocol == "single":
        best = sum(max(counts.values()) for counts in labels.values())
    else:
        # One item with a label of each set would do; a text is out of reach only where its sets differ.
        best = sum(_most_met(counts) for counts in labels.values())
    return {"queries": total, "texts": len(labels), "most_right": best, "p_at_1": best / total if total else None}


def _most_met(counts: Counter[frozenset[str]]) -> int:
    every = frozenset().union(*counts)
    return max(sum(count for one, count in counts.items() if category in one) for category in every) if every else 0


def per_query_table(
    protocol: str,
    queries: Sequence[Labelled],
    library: Sequence[Labelled],
    rankings: Mapping[str, Mapping[str, Sequence[str]]],
) -> Rows:
    """One row a ranker and query: protocol, ranker, query_id, span_id, family, categories (a list), first
    (the chunk ranked first), and the measures. ``rankings``: ranker, then span key, then chunk keys. The
    baselines ``majority``, ``constant`` and ``random`` (its exact expectation) come after the retrievers."""
    asked, offered = items(queries, protocol), items(library, protocol)
    qrels = relevance(asked, offered)
    measures, twins = _Measures(qrels), _twins(offered)
    families = {query.key: query.family for query in queries}
    results = {
        ranker: (_measure_retriever(by_span, asked, twins, measures), by_span) for ranker, by_span in rankings.items()
    }
    sources = {item.item_id: item.source for item in offered}
    for ranker, ranking in (("majority", majority_ranking(offered)), ("constant", constant_ranking(offered))):
        first = [sources[ranking[0]]] if ranking else []
        values = measures.of({query.item_id: ranking for query in asked})
        results[ranker] = values | {BY_CHANCE: values["p_at_1"]}, dict.fromkeys(families, first)
    chance = [expected_random(len(qrels[query.item_id]), len(offered)) for query in asked]
    results["random"] = {metric: [one[metric] for one in chance] for metric in METRICS}, {}
    results["random"][0][BY_CHANCE] = results["random"][0]["p_at_1"]
    return [
        {
            "protocol": protocol,
            "ranker": ranker,
            "query_id": query.item_id,
            "span_id": query.source,
            "family": families[query.source],
            "categories": sorted(query.categories),
            "first": next(iter(by_span.get(query.source, ())), ""),
        }
        | {metric: of_query[place] for metric, of_query in values.items()}
        for ranker, (values, by_span) in results.items()
        for place, query in enumerate(asked)
    ]
