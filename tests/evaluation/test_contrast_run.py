from __future__ import annotations

from typing import NamedTuple

import pytest

from pipeline.base.errors import CuadAuditError
from pipeline.base.types import (
    POSITIONS,
    AuditorAnswer,
    Chunk,
    Claim,
    ClaimCheck,
    Evidence,
    FailureCause,
    Faithfulness,
    Identity,
    Level,
    PositionReading,
    Verdict,
)
from pipeline.evaluation.contrast import OPERATORS, contrast_pairs
from pipeline.evaluation.contrast_eval import answers_of
from pipeline.evaluation.contrast_run import MODEL_PAIRS, chosen_pairs, clause_answers, families_of
from pipeline.llm.request import LlmFailure
from pipeline.standard import load_standard

CHUNK = Chunk("c1", "T", 0, 20, "Neither party is liable.", (), "elsewhere")
PAIRS = [pair for pair in contrast_pairs([], seed=3) if pair.operator in ("cap_made_unlimited", "case_changed")]


class FakeLibrary(NamedTuple):
    chunks: list[Chunk]
    excluded: list[str | None]

    def search(self, query, query_vector, k, retriever="rrf", rrf_k=60, exclude_family=None):  # noqa: ARG002
        assert query_vector is None and retriever == "bm25"  # no embedder is loaded for this
        self.excluded.append(exclude_family)
        return [Evidence(chunk, 1.0, rank) for rank, chunk in enumerate(self.chunks[:k], start=1)]

    def chunk(self, chunk_id):
        return next((chunk for chunk in self.chunks if chunk.chunk_id == chunk_id), None)


class Auditor:
    """Says off-standard where a clause has no words of a limit, else acceptable; counts what it is asked."""

    identity = Identity("scripted", code="tests.auditor")

    def __init__(self, fail: FailureCause | None = None) -> None:
        self.asked, self.fail = 0, fail

    def answer(self, clause, standard, evidence, meter):  # noqa: ARG002
        self.asked += 1
        if self.fail:
            raise LlmFailure(self.fail, "scripted")
        high = not any(limit in clause.lower() for limit in ("exceed", "limited to", "will be $", "will be the"))
        level = Level.OFF if high else Level.MEETS
        positions = {name: PositionReading(Level.SILENT) for name in POSITIONS} | {
            "P2": PositionReading(level, (clause,)),
            "P5": PositionReading(Level.MEETS),
        }
        verdict = Verdict.OFF_STANDARD if high else Verdict.ACCEPTABLE
        claims = (Claim(f"it says “{clause}”", "clause"), Claim("it is liable", "c1"))
        return AuditorAnswer(verdict.value, positions, claims, "c1")


class Judge:
    identity = Identity("agrees", code="tests.judge")

    def check(self, answer, clause, standard, cited, meter):  # noqa: ARG002
        return Faithfulness(tuple(ClaimCheck(claim.text, True, claim.against) for claim in answer.claims))


def ask(auditor):
    return clause_answers(families_of(PAIRS), FakeLibrary([CHUNK], []), load_standard(), auditor, Judge(), 5)


def test_every_clause_is_asked_once_and_answers_go_to_their_pairs() -> None:
    auditor = Auditor()
    answers = ask(auditor)
    assert auditor.asked == len(answers) == len({text for pair in PAIRS for text in (pair.base, pair.changed)})
    results = answers_of(PAIRS, answers)
    assert all((r.base, r.changed) == (answers[r.pair.base], answers[r.pair.changed]) for r in results)
    assert all(r.consistent for r in results if r.pair.operator == "case_changed")
    assert any(r.consistent for r in results if r.pair.operator == "cap_made_unlimited")


def test_a_failure_is_counted() -> None:
    results = answers_of(PAIRS, ask(Auditor(FailureCause.INFRA_TIMEOUT)))
    assert {result.consistent for result in results} == {None}


def test_an_exhausted_budget_stops_the_run() -> None:
    with pytest.raises(CuadAuditError, match="budget"):
        ask(Auditor(FailureCause.INFRA_BUDGET))


def test_a_recording_without_these_calls_leaves_them_open() -> None:
    results = answers_of(PAIRS, ask(Auditor(FailureCause.INFRA_NOT_RECORDED)))
    assert {result.consistent for result in results} == {None}


def test_the_clauses_own_family_is_kept_out() -> None:
    library = FakeLibrary([CHUNK], [])
    clause_answers(families_of(PAIRS[:1]), library, load_standard(), Auditor(), Judge(), 5)
    assert set(library.excluded) == {PAIRS[0].family}


def test_a_model_is_asked_about_fewer_pairs() -> None:
    every = contrast_pairs([], seed=3)
    assert chosen_pairs(every, Identity("rules", code="x")) == every
    few = chosen_pairs(every, Identity("anthropic", model="m"), Identity("lexical", code="y"))
    assert len(few) == MODEL_PAIRS * len(OPERATORS)
    # ... from as many clusters as there are, so that the gate has independent evidence
    assert len({pair.family for pair in few if pair.critical}) == len({p.family for p in every if p.critical}) == 19
