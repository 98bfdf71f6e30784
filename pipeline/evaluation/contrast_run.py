"""The clauses of a contrast set put to auditor and judge, once for each pair of identities.

Evidence comes from BM25 alone and gate 1 is open: the set asks how the clause is read, and loads no
embedder. The clause's own contract family is kept out of the evidence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from pipeline.base.parallel import spread
from pipeline.base.types import FailureCause, Identity
from pipeline.corpus.normalise import sha256
from pipeline.evaluation.contrast import OPERATORS, Pair
from pipeline.evaluation.contrast_eval import Answer
from pipeline.grounding.agents import Auditor, FaithfulnessJudge
from pipeline.grounding.collect import Case, collect, unfinished
from pipeline.grounding.rows import result_of

if TYPE_CHECKING:
    from pipeline.retrieval.library import Library
    from pipeline.standard import Standard

#: A model is asked about this many pairs of each operator; an embedded agent about all.
MODEL_PAIRS = 8
WARM = 16
_OPEN = "open"


def chosen_pairs(pairs: Sequence[Pair], *agents: Identity) -> list[Pair]:
    """The pairs to ask about: all, or a few of each operator where a model has to be paid; those from as
    many clusters as there are, since pairs of one cluster say little more than one of them."""
    if not any(agent.model for agent in agents):
        return list(pairs)
    used: Counter[str] = Counter()
    chosen: list[Pair] = []
    for operator in OPERATORS:
        left = [pair for pair in pairs if pair.operator == operator]
        for _ in range(min(MODEL_PAIRS, len(left))):
            pair = min(left, key=lambda one: (used[one.family], one.pair_id))
            left.remove(pair)
            used[pair.family] += 1
            chosen.append(pair)
    return chosen


def families_of(pairs: Sequence[Pair]) -> dict[str, str]:
    """The contract family of every clause of the pairs, by its text."""
    return {text: pair.family for pair in pairs for text in (pair.base, pair.changed)}


def clause_answers(
    families: Mapping[str, str],
    library: Library,
    standard: Standard,
    auditor: Auditor,
    judge: FaithfulnessJudge,
    k: int,
    workers: int = 1,
) -> dict[str, Answer]:
    """The answer to every clause, by its text; ``families`` gives the contract family of each (empty for a
    clause of none). Raises CuadAuditError where a person has to mend something (budget, key, recording)
    before the rest can be asked."""
    cases = [
        Case(_item(number, text), text, tuple(_evidence(library, text, family, k)), {_OPEN: 1.0})
        for number, (text, family) in enumerate(families.items())
    ]
    work = partial(_rows, standard, auditor, judge)
    # The first few here: what is compiled and kept on the way is then there in every forked process.
    rows = work(cases[:WARM]) + spread(work, cases[WARM:], workers)
    if any(_stops(row) for row in rows) and (error := unfinished(rows)):
        raise error
    answers = {}
    for case, row in zip(cases, rows, strict=True):
        result = result_of(row, case.clause, _OPEN, 0.0, library.chunk)
        answers[case.clause] = Answer(result.verdict, result.failure_cause)
    return answers


def _rows(
    standard: Standard, auditor: Auditor, judge: FaithfulnessJudge, cases: Sequence[Case]
) -> list[dict[str, Any]]:
    return collect(cases, standard, auditor, judge, progress=True)


def _stops(row: Mapping[str, Any]) -> bool:
    """Whether a person has to mend something first. A recording that lacks these calls cannot be mended
    by asking again: its answers stay open."""
    failures = (row["answer_failure"], row["faithfulness_failure"])
    return any(one and one["cause"] != FailureCause.INFRA_NOT_RECORDED for one in failures)


def _evidence(library: Library, text: str, family: str, k: int):
    return library.search(text, None, k, retriever="bm25", exclude_family=family)


def _item(number: int, text: str) -> dict[str, Any]:
    return {
        "item_id": f"contrast-{number}",
        "title": "",
        "start": 0,
        "end": len(text),
        "sha256": sha256(text),
        "family": "",
        "categories": [],
    }
