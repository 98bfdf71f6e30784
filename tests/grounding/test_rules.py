"""The rules auditor: a verdict that it can point at, or none."""

from __future__ import annotations

import pytest

from pipeline.base.types import Chunk, Evidence, FailureCause, Verdict
from pipeline.grounding.agents import Meter
from pipeline.grounding.contract import audit
from pipeline.grounding.lexical.judge import LexicalJudge
from pipeline.grounding.rules import RulesAuditor

CLAUSES = {
    Verdict.ACCEPTABLE: "Neither party shall be liable to the other party for any indirect or consequential damages.",
    Verdict.RISKY: "In no event shall Supplier's total liability exceed the fees paid in the twelve months before.",
    Verdict.OFF_STANDARD: "Provider shall have no liability whatsoever to Client for any loss or damage of any kind.",
    Verdict.INSUFFICIENT_GROUNDING: "Supplier's total liability shall not exceed [***].",
}


@pytest.mark.parametrize("verdict", CLAUSES)
def test_each_verdict_comes_out_faithful_and_cited(verdict, evidence, standard):
    result = audit(CLAUSES[verdict], standard, evidence, 1.0, 0.5, RulesAuditor(), LexicalJudge())
    assert result.verdict is verdict
    if verdict is Verdict.INSUFFICIENT_GROUNDING:
        assert result.failure_cause is FailureCause.AUDITOR_ABSTAINED
        assert "redacted" in result.reason
    else:
        assert result.failure_cause is FailureCause.NONE
        assert result.citation.text in {item.chunk.text for item in evidence}


def test_the_best_ranked_chunk_of_the_same_level_is_cited(standard, evidence):
    answer = RulesAuditor().answer(CLAUSES[Verdict.ACCEPTABLE], standard, evidence, Meter())
    assert answer.chunk_id == evidence[0].chunk.chunk_id
    assert "stands the same" in answer.claims[-1].text
    turned = evidence[2::-1]  # "each party" comes first now
    cited = RulesAuditor().answer(CLAUSES[Verdict.ACCEPTABLE], standard, turned, Meter()).chunk_id
    assert cited == evidence[2].chunk.chunk_id


def test_without_a_chunk_at_the_same_level_a_contrast_is_cited(standard, evidence):
    only = (evidence[1],)  # one-sided, a narrow basis
    answer = RulesAuditor().answer(CLAUSES[Verdict.ACCEPTABLE], standard, only, Meter())
    assert answer.chunk_id == only[0].chunk.chunk_id
    assert "stands otherwise" in answer.claims[-1].text


def test_evidence_that_speaks_to_nothing_is_no_evidence(standard):
    bread = Chunk("c1", "Recipe", 0, 5, "The bread is baked for an hour.", (), "bakery")
    answer = RulesAuditor().answer(CLAUSES[Verdict.ACCEPTABLE], standard, (Evidence(bread, 1.0, 1),), Meter())
    assert (answer.verdict, answer.chunk_id) == ("insufficient-grounding", None)


def test_every_claim_rests_on_one_of_three_texts(standard, evidence):
    for clause in CLAUSES.values():
        answer = RulesAuditor().answer(clause, standard, evidence, Meter())
        assert {claim.against for claim in answer.claims} <= {"clause", "standard", answer.chunk_id}
