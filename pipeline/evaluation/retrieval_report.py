"""The per-query table of retrieval as the figures of ``metrics/retrieval.json``.

Overall, for each category (queries that carry it) and macro (the mean over categories); intervals by
contract family. Retrievers are compared pair by pair on the same queries: the difference with its
interval, and the sign-flip test in which all queries of a family swap together, adjusted by Holm over
all pairs and measures of a protocol.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pipeline.base.params import Evaluation, RetrievalRule
from pipeline.base.records import Rows
from pipeline.evaluation import retrieval_metrics, retrieval_rule, statistics
from pipeline.evaluation.retrieval_metrics import BY_CHANCE, METRICS, Labelled

BASELINES = ("majority", "constant", "random")
#: The columns of one ranker's rows.
Table = Mapping[str, list[Any]]


def describe(
    rows: Rows,
    queries: Sequence[Labelled],
    libraries: Mapping[str, Sequence[Labelled]],
    retrievers: Sequence[str],
    rule: RetrievalRule,
    settings: Evaluation,
) -> dict[str, Any]:
    """Every figure. ``rows``: those of ``per_query_table`` of all protocols; ``libraries``: what each offers."""
    protocols = {
        protocol: _protocol(
            [row for row in rows if row["protocol"] == protocol], protocol, queries, library, retrievers, settings
        )
        for protocol, library in libraries.items()
    }
    ruled = protocols[rule.protocol]
    gains = {
        name: _difference(ruled["tables"][name], ruled["tables"][rule.baseline], rule.metric, settings)
        for name in retrievers
        if name != rule.baseline
    }
    findings = retrieval_rule.apply_rule(
        rule,
        success_at_3={name: ruled["rankers"][name]["overall"]["success_at_3"] for name in retrievers},
        metric={name: ruled["rankers"][name]["overall"][rule.metric] for name in retrievers},
        random=float(np.mean(ruled["tables"]["random"][rule.metric])) if len(queries) else 0.0,
        gains=gains,
        macro_margins={name: _margin(ruled["rankers"], name, rule.metric) for name in retrievers},
    )
    for figures in protocols.values():
        del figures["tables"]
    return statistics.plain({"protocols": protocols, "rule": findings})


def _protocol(
    rows: Rows,
    protocol: str,
    queries: Sequence[Labelled],
    library: Sequence[Labelled],
    retrievers: Sequence[str],
    settings: Evaluation,
) -> dict[str, Any]:
    tables = {
        name: {
            column: [row[column] for row in rows if row["ranker"] == name]
            for column in ("family", "categories", *METRICS, BY_CHANCE)
        }
        for name in (*retrievers, *BASELINES)
    }
    return {
        "counts": {
            "queries": len(retrieval_metrics.items(queries, protocol)),
            "query_spans": len(queries),
            "query_families": len({query.family for query in queries}),
            "library_items": len(retrieval_metrics.items(library, protocol)),
            "library_chunks": len(library),
        },
        "ceiling": retrieval_metrics.ceiling(queries, protocol),
        "rankers": {name: _ranker(table, settings) for name, table in tables.items()},
        "pairs": _pairs(tables, retrievers, settings),
        "tables": tables,
    }


def _ranker(table: Table, settings: Evaluation) -> dict[str, Any]:
    categories = sorted({category for names in table["categories"] for category in names})
    member = {c: np.array([c in names for names in table["categories"]], dtype=bool) for c in categories}
    families = np.array(table["family"], dtype=str)
    values = {metric: np.array(table[metric], dtype=float) for metric in (*METRICS, BY_CHANCE)}
    return {
        "overall": _means(values, families, settings),
        "macro": {metric: _macro(values[metric], member, families, settings) for metric in METRICS},
        "categories": {
            category: _means({metric: values[metric][inside] for metric in METRICS}, families[inside], settings)
            for category, inside in member.items()
        },
    }


def _means(
    values: Mapping[str, np.ndarray], families: np.ndarray, settings: Evaluation
) -> dict[str, statistics.Estimate]:
    return dict(zip(values, statistics.means(list(values.values()), families, settings), strict=True))


def _macro(
    values: np.ndarray, member: Mapping[str, np.ndarray], families: np.ndarray, settings: Evaluation
) -> statistics.Estimate:
    """The mean over categories of the mean over their queries; a resample without one is left out."""
    if not member:
        return statistics.Estimate(len(values), 0)
    inside = np.stack(list(member.values())).astype(float)

    def macro(weights: np.ndarray) -> np.ndarray:
        totals = weights @ inside.T
        means = (weights * values) @ inside.T / np.where(totals > 0, totals, np.nan)
        return means.mean(axis=1)

    return statistics.statistic(macro, families, settings, batch=True)


def _pairs(tables: Mapping[str, Table], retrievers: Sequence[str], settings: Evaluation) -> dict[str, Any]:
    pairs: dict[str, Any] = {}
    p_values: dict[str, float] = {}
    for first, second in itertools.combinations(retrievers, 2):
        name = f"{second}-{first}"
        for metric in METRICS:
            pairs.setdefault(name, {})[metric] = dataclasses.asdict(
                _difference(tables[second], tables[first], metric, settings)
            )
            p_values[f"{name}/{metric}"] = statistics.sign_flip(
                tables[second][metric], tables[first][metric], tables[first]["family"], settings
            )
    for key, adjusted in statistics.holm(p_values).items():
        name, metric = key.split("/")
        pairs[name][metric] |= {"p_value": p_values[key], "p_holm": adjusted}
    return pairs


def _margin(rankers: Mapping[str, Any], name: str, metric: str) -> float | None:
    """How far a retriever's macro mean lies above that of a random order."""
    found, chance = (rankers[which]["macro"][metric].value for which in (name, "random"))
    return None if found is None or chance is None else found - chance


def _difference(first: Table, second: Table, metric: str, settings: Evaluation) -> statistics.Estimate:
    return statistics.difference(first[metric], second[metric], first["family"], settings)
