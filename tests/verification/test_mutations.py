"""Falsified memos: every one is caught, and the untouched one passes."""

from __future__ import annotations

import mutations
import pytest
import worlds
import yaml

from pipeline.verification.engine import evaluate, open_sources
from pipeline.verification.goal import load_goal
from pipeline.verification.verdict import Status

MEMO = worlds.memo_text()
SUBSTANTIVE = list(mutations.mutants(MEMO))
RECORD = list(mutations.record_mutants(MEMO))


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return worlds.memo_world(tmp_path_factory.mktemp("memo"))


@pytest.fixture(scope="module")
def judge(root):
    """(memo, with the record of the run or without it) -> evaluation."""
    goals = {}
    for attested in (True, False):
        goal = worlds.memo_goal()
        if not attested:
            goal["evaluator"]["checks"] = ["review_citations", "check_claim_support"]
        path = worlds.write(root / f"goal-{attested}.yaml", yaml.safe_dump(goal))
        goals[attested] = load_goal(path)
    with open_sources(goals[True].record, root) as registry:
        yield lambda memo, attested: evaluate(goals[attested], root, registry=registry, text=memo)


def test_the_untouched_memo_passes(judge):
    for attested in (True, False):
        evaluation = judge(MEMO, attested)
        assert evaluation.verdict.passed, evaluation.verdict.findings
        assert (evaluation.verdict.score, evaluation.verdict.residual_count) == (100.0, 0)


def test_there_are_enough_falsifications():
    assert len(SUBSTANTIVE) >= 60
    assert {name for name, _ in SUBSTANTIVE} == set(mutations.SUBSTANCE), "an edit that fits nowhere tests nothing"
    assert len(RECORD) >= 15
    assert all(text != MEMO for _, text in (*SUBSTANTIVE, *RECORD))


@pytest.mark.parametrize("number", range(len(SUBSTANTIVE)))
def test_the_sources_alone_refute_a_falsified_statement(judge, number):
    """Without the record of the run: by the gate, R1, R2 and the review."""
    name, text = SUBSTANTIVE[number]
    verdict = judge(text, False).verdict
    assert not verdict.passed, name
    assert verdict.score < 100
    assert any(f.status is Status.FAIL for f in verdict.findings), name


@pytest.mark.parametrize("number", range(len(RECORD)))
def test_the_record_refutes_what_the_run_did_not_say(judge, number):
    name, text = RECORD[number]
    verdict = judge(text, True).verdict
    assert not verdict.passed, name
    assert verdict.residual_count > 0
