"""A recorded audit gives the result that was had, at any threshold, without a call."""

from __future__ import annotations

import dataclasses
import json

import pytest

from pipeline.base.errors import CuadAuditError
from pipeline.base.types import AuditorAnswer, FailureCause
from pipeline.grounding.agents import Meter
from pipeline.grounding.collect import Case, collect, unfinished
from pipeline.grounding.contract import audit
from pipeline.grounding.lexical.judge import LexicalJudge
from pipeline.grounding.rows import result_of
from pipeline.grounding.rules import RulesAuditor
from pipeline.llm.request import LlmFailure

ITEM = {"item_id": "X1", "title": "T", "start": 0, "end": 9, "sha256": "0", "family": "f", "categories": ["C"]}
SCORES = {"cosine_top1": 0.7, "cosine_top5": 0.6, "probe": 0.9}


@pytest.fixture
def cases(clause, evidence):
    return [Case(ITEM, clause, evidence, SCORES), Case(ITEM, "Supplier's liability is [***].", evidence, SCORES)]


@pytest.fixture
def chunk(evidence):
    return {item.chunk.chunk_id: item.chunk for item in evidence}.get


def stored(rows):
    """What comes back from a JSONL file."""
    return [json.loads(json.dumps(row)) for row in rows]


@pytest.mark.parametrize("threshold", [0.0, 0.7, 0.9, 0.95])
@pytest.mark.parametrize("score", sorted(SCORES))
def test_the_record_decides_as_the_audit_did(cases, chunk, standard, threshold, score):
    rows = stored(collect(cases, standard, RulesAuditor(), LexicalJudge()))
    for row, case in zip(rows, cases, strict=True):
        live = audit(
            case.clause, standard, case.evidence, SCORES[score], threshold, RulesAuditor(), LexicalJudge(), Meter()
        )
        assert result_of(row, case.clause, score, threshold, chunk) == live


def test_failures_are_recorded_as_what_they_are(
    cases, chunk, standard, scripted_auditor, scripted_judge, clause, evidence
):
    refused = scripted_auditor(LlmFailure(FailureCause.INFRA_REFUSAL, "no"))
    late = scripted_judge(LlmFailure(FailureCause.INFRA_TIMEOUT, "late"))
    answer = RulesAuditor().answer(clause, standard, evidence, Meter())
    by_auditor = stored(collect(cases[:1], standard, refused, LexicalJudge()))[0]
    by_judge = stored(collect(cases[:1], standard, scripted_auditor(answer), late))[0]
    assert by_auditor["answer_failure"] == {"cause": "infra_refusal", "detail": "no"}
    assert result_of(by_auditor, clause, "probe", 0.5, chunk).failure_cause is FailureCause.INFRA_REFUSAL
    assert result_of(by_judge, clause, "probe", 0.5, chunk).failure_cause is FailureCause.INFRA_TIMEOUT
    assert result_of(by_judge, clause, "probe", 0.95, chunk).failure_cause is FailureCause.GATE1


def test_a_record_from_another_index_is_an_error(cases, standard):
    row = collect(cases, standard, RulesAuditor(), LexicalJudge())[0]
    with pytest.raises(CuadAuditError, match="not in the index"):
        result_of(row, cases[0].clause, "probe", 0.5, lambda _: None)
    with pytest.raises(CuadAuditError, match="no gate-1 score"):
        result_of(row, cases[0].clause, "cosine_top9", 0.5, lambda _: cases[0].evidence[0].chunk)


@pytest.mark.parametrize(
    ("cause", "mend"),
    [
        (FailureCause.INFRA_BUDGET, "raise llm.max_cost_usd"),
        (FailureCause.INFRA_AUTH, "ANTHROPIC_API_KEY"),
        (FailureCause.INFRA_NOT_RECORDED, "make record"),
        (FailureCause.INFRA_TIMEOUT, None),
    ],
)
def test_what_a_person_has_to_mend_stops_the_stage(cases, standard, scripted_auditor, cause, mend):
    rows = collect(cases, standard, scripted_auditor(LlmFailure(cause, "x")), LexicalJudge())
    error = unfinished(rows)
    assert (error is None) if mend is None else (mend in str(error))


def test_no_judge_is_asked_about_what_cannot_be_used(cases, standard, scripted_auditor, scripted_judge):
    answer = AuditorAnswer("APPROVED", {}, (), None)
    judge = scripted_judge(LlmFailure(FailureCause.INFRA_TIMEOUT, "x"))
    row = collect(cases[:1], standard, scripted_auditor(answer), judge)[0]
    assert (judge.calls, row["faithfulness"], row["faithfulness_failure"]) == (0, None, None)
    assert row["answer"]["verdict"] == "APPROVED"
    assert dataclasses.asdict(judge.identity) == row["judge"]
