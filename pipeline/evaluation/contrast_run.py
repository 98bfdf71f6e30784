"""The clauses of a contrast set put to auditor and judge, once for each pair of identities.

Evidence comes from BM25 alone and gate 1 is open: the set asks how the clause is read, and loads no
embedder. The clause's own contract family is kept out of the evidence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from pipeline.base.parallel import spread
from pipeline.base.types import FailureCause, Identity
from pipeline.evaluation.contrast import OPERATORS, Pair
from pipeline.evaluation.contrast_eval import Answer
from pipeline.grounding.agents import Auditor, FaithfulnessJudge
from pipeline.grounding.collect import Case, Failure, ask_all, to_mend
from pipeline.grounding.contract import decide

if TYPE_CHECKING:
    from pipeline.retrieval.library import Library
    from pipeline.standard import Standard

#: A model is asked about this many pairs of each operator; an embedded agent about all.
MODEL_PAIRS = 8
#: So many clauses are asked before the work is spread.
WARM = 16


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
    clauses = list(families.items())
    work = partial(_answers, library, standard, auditor, judge, k)
    # The first few here: what is compiled and kept on the way is then there in every forked process.
    found = work(clauses[:WARM]) + spread(work, clauses[WARM:], workers)
    failures = [failure for _, failure in found if failure]
    # A recording that lacks these calls cannot be mended by asking again: its answers stay open.
    if any(cause is not FailureCause.INFRA_NOT_RECORDED for cause, _ in failures) and (
        error := to_mend(failures, len(found))
    ):
        raise error
    return {text: answer for text, (answer, _) in zip(families, found, strict=True)}


def _answers(
    library: Library,
    standard: Standard,
    auditor: Auditor,
    judge: FaithfulnessJudge,
    k: int,
    clauses: Sequence[tuple[str, str]],
) -> list[tuple[Answer, Failure | None]]:
    """The answer to each clause of a family, and the failed call that it rests on."""
    cases = [
        Case({}, text, tuple(library.search(text, None, k, retriever="bm25", exclude_family=family)), {})
        for text, family in clauses
    ]
    found: list[tuple[Answer, Failure | None]] = []
    for case, said in zip(cases, ask_all(cases, standard, auditor, judge, progress=True), strict=True):
        result = decide(
            case.clause, case.evidence, 1.0, 0.0, said.answer, said.finding,
            auditor.identity, judge.identity, clause_type=standard.clause_type,
        )  # fmt: skip
        found.append((Answer(result.verdict, result.failure_cause), said.failure))
    return found
