"""Claims about the standard: what is true of them is read off the document itself."""

from __future__ import annotations

import re

import pytest

from pipeline.base.params import Evaluation
from pipeline.base.types import Chunk, ClaimCheck, Faithfulness, Identity
from pipeline.evaluation.judge_claims import JudgeCase
from pipeline.evaluation.judge_eval import Bar, judge_all, judge_metrics
from pipeline.evaluation.judge_standard import FAITHFUL, OPERATORS, UNFAITHFUL, standard_cases
from pipeline.grounding.agents import STANDARD
from pipeline.standard import load_standard

CHUNKS = [Chunk(f"c{n}", "T", 0, 5, f"clause {n}", (), f"family{n}") for n in range(6)]
WORDS = {
    (position.id, level): text.rstrip(".")
    for position in load_standard().positions
    for level, text in [("asks", position.asks), *((one.value, words) for one, words in position.levels.items())]
}


@pytest.fixture(scope="module")
def cases() -> list[JudgeCase]:
    return standard_cases(CHUNKS, load_standard(), seed=20)


def holds(case: JudgeCase) -> bool:
    """Whether the words that the claim gives for its level are those of that level."""
    position, level = case.family.split(" ")
    return WORDS[position, level] in case.claim


def test_faithful_claims_give_a_level_its_own_words_and_unfaithful_ones_do_not(cases) -> None:
    for case in cases:
        position, level = case.family.split(" ")
        assert position in case.claim and (level == "asks" or re.search(rf"\b{level}\b", case.claim))
        assert case.faithful == holds(case) == (case.operator in FAITHFUL)
        if case.operator in ("standard_level_swapped", "standard_position_swapped"):
            (from_position, from_level) = next(place for place, words in WORDS.items() if words in case.claim)
            assert (from_position == position) is (case.operator == "standard_level_swapped")
            assert (from_level == level) is (case.operator == "standard_position_swapped")


def test_cases_are_balanced_seeded_and_of_no_half(cases) -> None:
    assert cases == standard_cases(list(reversed(CHUNKS)), load_standard(), seed=20)
    assert cases != standard_cases(CHUNKS, load_standard(), seed=21)
    assert sum(case.faithful for case in cases) == sum(not case.faithful for case in cases) >= 40
    assert {case.operator for case in cases} == {*OPERATORS} == {*FAITHFUL, *UNFAITHFUL}
    assert {case.family for case in cases} == {f"{position} {level}" for position, level in WORDS}
    assert {(case.about, case.half) for case in cases} == {(STANDARD, STANDARD)}
    assert all(case.clause != case.cited.text for case in cases)


class Knows:
    """Looks the words of a level up in the standard, or never does."""

    identity = Identity("scripted", code="tests")

    def __init__(self, looks: bool) -> None:
        self.looks = looks

    def check(self, answer, clause, standard, cited, meter):  # noqa: ARG002
        assert {claim.against for claim in answer.claims} == {STANDARD}
        assert standard.text()
        right = {case.claim: case.faithful for case in standard_cases(CHUNKS, standard, seed=20)}
        return Faithfulness(
            tuple(ClaimCheck(c.text, right.get(c.text, True) or not self.looks, c.against) for c in answer.claims)
        )


@pytest.mark.parametrize("looks", [True, False])
def test_they_have_figures_of_their_own_and_no_part_in_the_bar(cases, looks: bool) -> None:
    judged = judge_all(Knows(looks), load_standard(), cases)
    metrics = judge_metrics(judged, Evaluation(confidence=0.95, resamples=200, seed=1, min_families=4), Bar(0.95, 0.05))
    assert metrics["standard"]["n"] == len(cases)
    assert metrics["standard"]["recall_unsupported"]["rate"] == (1 if looks else 0)
    assert set(metrics["standard"]["operators"]) == set(OPERATORS)
    assert metrics["bar"]["safe_on_the_standard"] is looks
    assert metrics["bar"]["met"] is False  # nothing is known of claims about clauses
    assert [half["n"] for half in metrics["halves"].values()] == [0, 0]
