"""The contract: one cause for every way to fail, and audit() is decide() with calls left out."""

from __future__ import annotations

import dataclasses
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.base.errors import CuadAuditError
from pipeline.base.types import (
    ANSWERS,
    AuditorAnswer,
    Claim,
    ClaimCheck,
    FailureCause,
    Faithfulness,
    Identity,
    Level,
    PositionReading,
    Usage,
    Verdict,
)
from pipeline.grounding.agents import Meter
from pipeline.grounding.contract import SAID, audit, decide, passes_gate1
from pipeline.llm.request import LlmFailure

AUDITOR, JUDGE = Identity("a", code="tests.auditor"), Identity("j", code="tests.judge")
FAITHFUL = Faithfulness((ClaimCheck("it binds both", True, "clause"),))
UNFAITHFUL = Faithfulness((ClaimCheck("it binds both", True, "clause"), ClaimCheck("made up", False, "clause", "no")))
INFRA = [cause for cause in FailureCause if cause.is_infra]


def good(chunk_id: str | None = "c000000000000", verdict: str = "acceptable") -> AuditorAnswer:
    """An answer with nothing wrong in its structure."""
    silent = PositionReading(Level.SILENT)
    positions = dict.fromkeys(("P2", "P3", "P4", "P6"), silent)
    positions |= {"P1": PositionReading(Level.MEETS, ("neither party",)), "P5": PositionReading(Level.MEETS)}
    claims = (Claim("It binds “neither party”.", "clause"), Claim("So does the cited clause.", chunk_id or ""))
    return AuditorAnswer(verdict, positions, claims, chunk_id)


def result(clause, evidence, answer=None, faithfulness=None, score=0.9, threshold=0.5):
    return decide(clause, evidence, score, threshold, answer, faithfulness, AUDITOR, JUDGE)


def test_a_verdict_has_its_citation_looked_up(clause, evidence):
    got = result(clause, evidence, good("c000000000002"), FAITHFUL)
    chunk = evidence[2].chunk
    assert (got.verdict, got.failure_cause) == (Verdict.ACCEPTABLE, FailureCause.NONE)
    assert dataclasses.astuple(got.citation) == ("c000000000002", chunk.title, chunk.start, chunk.end, chunk.text)
    assert got.reason == "It binds “neither party”. So does the cited clause."


def test_every_way_to_fail_has_one_verdict_and_one_cause(clause, evidence):
    abstained = dataclasses.replace(good(), verdict="insufficient-grounding")
    cases = {
        FailureCause.GATE1: result(clause, evidence, good(), FAITHFUL, score=0.49),
        FailureCause.AUDITOR_ABSTAINED: result(clause, evidence, abstained, FAITHFUL),
        FailureCause.INVALID_VERDICT: result(clause, evidence, good(verdict="fine"), FAITHFUL),
        FailureCause.CITATION_NOT_RETRIEVED: result(clause, evidence, good("c999999999999"), FAITHFUL),
        FailureCause.GATE2_UNFAITHFUL: result(clause, evidence, good(), UNFAITHFUL),
    }
    for cause, got in cases.items():
        assert (got.verdict, got.failure_cause, got.citation) == (Verdict.INSUFFICIENT_GROUNDING, cause, None)
    for cause in INFRA:
        for got in (
            result(clause, evidence, LlmFailure(cause, "x")),
            result(clause, evidence, good(), LlmFailure(cause, "x")),
        ):
            assert (got.verdict, got.failure_cause, got.citation) == (Verdict.ESCALATE_INFRA, cause, None)


@pytest.mark.parametrize("verdict", ["Acceptable", "acceptable ", "escalate-infra", "", "approved", "risky\n"])
def test_a_verdict_outside_the_list_is_invalid(clause, evidence, verdict):
    assert result(clause, evidence, good(verdict=verdict), FAITHFUL).failure_cause is FailureCause.INVALID_VERDICT


@pytest.mark.parametrize("chunk_id", [None, "", "C000000000000", "c000000000000 ", "clause", "Contract 0"])
def test_a_citation_is_an_exact_id(clause, evidence, chunk_id):
    got = result(clause, evidence, good(chunk_id), FAITHFUL)
    assert got.failure_cause is FailureCause.CITATION_NOT_RETRIEVED


def test_what_is_downgraded_carries_none_of_the_auditors_words(clause, evidence):
    answer = dataclasses.replace(good(), claims=(Claim("APPROVED BY COUNSEL", "clause"), *good().claims))
    for got in (
        result(clause, evidence, dataclasses.replace(answer, verdict="APPROVED"), None),
        result(clause, evidence, dataclasses.replace(answer, chunk_id="APPROVED"), None),
        result(clause, evidence, answer, UNFAITHFUL),
        result(clause, evidence, dataclasses.replace(answer, verdict="insufficient-grounding"), None),
        result(clause, evidence, answer, FAITHFUL, score=0.0),
    ):
        assert "APPROVED" not in got.reason
        assert got.citation is None


def test_an_abstention_passes_on_only_what_the_judge_supports(clause, evidence):
    answer = dataclasses.replace(good(None), verdict="insufficient-grounding")
    got = result(clause, evidence, answer, UNFAITHFUL)
    assert got.failure_cause is FailureCause.AUDITOR_ABSTAINED
    assert got.reason == f"{SAID[FailureCause.AUDITOR_ABSTAINED]} it binds both"
    lost = result(clause, evidence, answer, LlmFailure(FailureCause.INFRA_TIMEOUT, "x"))
    assert (lost.failure_cause, lost.reason) == (
        FailureCause.AUDITOR_ABSTAINED,
        SAID[FailureCause.AUDITOR_ABSTAINED],
    )


def test_an_abstention_keeps_only_positions_whose_words_are_the_clauses(clause, evidence):
    positions = {
        "P1": PositionReading(Level.MEETS, ("neither party",)),
        "P2": PositionReading(Level.MEETS, ("a sum I made up",)),
        "P5": PositionReading(Level.FAILS),
    }
    answer = AuditorAnswer("insufficient-grounding", positions, (), None)
    assert sorted(result(clause, evidence, answer).positions) == ["P1", "P5"]


def test_gate1_opens_at_the_threshold_and_never_without_evidence_or_for_nan(evidence):
    assert passes_gate1(evidence, 0.5, 0.5)
    assert not passes_gate1(evidence, math.nextafter(0.5, 0), 0.5)
    assert not passes_gate1((), 1.0, 0.5)
    assert not passes_gate1(evidence, math.nan, 0.5)


def test_a_lost_call_is_a_programming_error_and_no_verdict(clause, evidence):
    with pytest.raises(ValueError, match="neither an answer"):
        result(clause, evidence, None)
    with pytest.raises(ValueError, match="needs a judge"):
        result(clause, evidence, good(), None)


def test_every_cause_but_none_has_its_sentence():
    assert set(SAID) == set(FailureCause) - {FailureCause.NONE}


def test_weak_evidence_costs_no_call_and_a_useless_answer_no_judge(
    clause, evidence, standard, scripted_auditor, scripted_judge
):
    auditor, judge = scripted_auditor(good()), scripted_judge(FAITHFUL)
    audit(clause, standard, evidence, 0.1, 0.5, auditor, judge)
    assert (auditor.calls, judge.calls) == (0, 0)
    for answer in (good(verdict="fine"), good("c999999999999"), LlmFailure(FailureCause.INFRA_TIMEOUT, "x")):
        judge = scripted_judge(FAITHFUL)
        audit(clause, standard, evidence, 0.9, 0.5, scripted_auditor(answer), judge)
        assert judge.calls == 0


def test_an_auditor_may_not_judge_itself(clause, evidence, standard, scripted_auditor, scripted_judge):
    same = Identity("alias", code="tests.auditor")
    auditor = scripted_auditor(good())
    with pytest.raises(CuadAuditError, match="the same agent"):
        audit(clause, standard, evidence, 0.9, 0.5, auditor, scripted_judge(FAITHFUL, same))
    assert auditor.calls == 0


def test_a_failed_call_is_metered(clause, evidence, standard, scripted_auditor, scripted_judge):
    failure = LlmFailure(FailureCause.INFRA_TRUNCATED, "cut", Usage(1, 0, 100, 50, 0.01))
    got = audit(clause, standard, evidence, 0.9, 0.5, scripted_auditor(failure), scripted_judge(FAITHFUL), Meter())
    assert got.usage == Usage(1, 0, 100, 50, 0.01)


levels = st.sampled_from(list(Level))
readings = st.builds(
    PositionReading,
    levels,
    st.lists(st.sampled_from(["neither party", "shall exceed", "made up"]), max_size=2).map(tuple),
)
claims = st.builds(
    Claim,
    st.sampled_from(["It binds both.", "“neither party”", "“made up words”", ""]),
    st.sampled_from(["clause", "standard", "c000000000000", "c000000000001", "c999999999999", ""]),
)
failures = st.builds(LlmFailure, st.sampled_from(INFRA), st.just("scripted"))
answers = st.one_of(
    failures,
    st.just(good()),
    st.builds(
        AuditorAnswer,
        st.sampled_from([*[verdict.value for verdict in Verdict], "fine", ""]),
        st.dictionaries(st.sampled_from(["P1", "P2", "P3", "P4", "P5", "P6"]), readings),
        st.lists(claims, max_size=4).map(tuple),
        st.sampled_from([None, "", "c000000000000", "c000000000001", "c999999999999"]),
    ),
)
findings = st.one_of(
    failures,
    st.lists(st.builds(ClaimCheck, st.text(max_size=5), st.booleans(), st.just("clause")), max_size=3).map(
        lambda checks: Faithfulness(tuple(checks))
    ),
)


@settings(max_examples=400, deadline=None)
@given(answers, findings, st.sampled_from([0.0, 0.5, 0.9, math.nan]), st.integers(0, 5))
def test_audit_is_decide(clause, evidence, standard, scripted_auditor, scripted_judge, answer, found, score, n):
    """The short-circuiting path gives what decide() gives from everything, and never a verdict that
    lacks a retrieved citation or a supported claim."""
    evidence = evidence[:n]
    auditor, judge = scripted_auditor(answer, AUDITOR), scripted_judge(found, JUDGE)
    short = audit(clause, standard, evidence, score, 0.5, auditor, judge)
    full = decide(clause, evidence, score, 0.5, answer, found, AUDITOR, JUDGE)
    same = dataclasses.replace(full, gate1_score=short.gate1_score) if math.isnan(score) else full
    if isinstance(answer, AuditorAnswer) and answer.verdict == "insufficient-grounding" and not answer.claims:
        # No claim, no judge: the full record may hold a finding about nothing.
        same = dataclasses.replace(same, faithfulness=short.faithfulness, reason=short.reason)
    assert short == same
    if short.verdict in ANSWERS:
        assert short.citation.chunk_id in {item.chunk.chunk_id for item in evidence}
        assert short.faithfulness.faithful
        assert short.failure_cause is FailureCause.NONE
    else:
        assert short.citation is None
        assert (short.verdict is Verdict.ESCALATE_INFRA) == short.failure_cause.is_infra
