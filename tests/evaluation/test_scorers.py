from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pipeline.base.types import FailureCause
from pipeline.evaluation.findings import Case, Output, overall, parse
from pipeline.evaluation.label_schema import Annotation
from pipeline.evaluation.rubric_judge import OfflineRubricJudge, RubricFailure, RubricScore
from pipeline.evaluation.scorers import SCORERS, Unscored, finding_rows, score_all, score_rows, uncertainty_queue

CONTRACT = "Preamble. Neither party is liable for indirect loss. End."
START, END = 10, 52


def finding(**changes):
    return {
        "span": {"start": START, "end": END, "text": CONTRACT[START:END]},
        "risk_type": "P4",
        "risk_band": "low",
        "reason": "A mutual waiver: neither party answers for indirect loss.",
        "recommendation": "Accept.",
        "citation": None,
    } | changes


class Says:
    """A target that gives one scripted output."""

    def __init__(self, output: Output, name: str = "scripted") -> None:
        self.name, self._output = name, output

    def review(self, _: Case) -> Output:
        return self._output


class Rubric:
    """A rubric judge that gives one scripted answer."""

    identity = None

    def __init__(self, answer) -> None:
        self.answer, self.seen = answer, []

    def score(self, requests):
        self.seen += requests
        return [self.answer] * len(requests)


@pytest.fixture
def case(make_sample) -> Case:
    return Case(replace(make_sample(points=("mutual waiver",)), start=START, end=END), CONTRACT)


def scored(output: Output, case: Case, rubric=None, opinions=None):
    return score_all(Says(output), [case], rubric or OfflineRubricJudge(), opinions or {})[0]


def values(one) -> dict:
    return {name: score.value for name, score in one.scores.items()}


def test_a_right_answer_with_its_points(case: Case) -> None:
    one = scored(Output(findings=(finding(),)), case)
    assert (one.outcome, one.verdict, one.band) == ("answered", "acceptable", "low")
    assert values(one) == dict.fromkeys(SCORERS, 1.0)


def test_a_right_answer_without_its_points_is_not_enough(case: Case) -> None:
    one = scored(Output(findings=(finding(reason="Looks fine."),)), case)
    assert (one.scores["verdict_allowed"].value, one.scores["band_allowed"].value) == (1.0, 1.0)
    assert (one.scores["key_facts"].value, one.scores["set_with_condition"].value) == (0.0, 0.0)
    assert "mutual waiver" in one.scores["key_facts"].why


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"risk_band": "grave"}, "risk_band"),
        ({"surprise": 1}, "surprise"),
        ({"reason": ""}, "reason"),
        ({"risk_type": "P7"}, "risk_type"),
        ({"span": {"start": 0, "end": 3, "text": "Prea"}}, "offsets"),
        ({"also": [{"start": 0, "end": 3, "text": "Prea"}]}, "offsets"),
    ],
)
def test_what_is_no_finding_fails_the_schema_and_nothing_else(case: Case, change, why) -> None:
    one = scored(Output(findings=(finding(**change),)), case)
    assert one.outcome == "invalid"
    assert values(one) == {name: 0.0 if name == "schema" else None for name in SCORERS}
    assert why in one.scores["schema"].why


def test_neither_finding_nor_abstention_is_invalid(case: Case) -> None:
    assert scored(Output(), case).outcome == "invalid"


@pytest.mark.parametrize(
    "span",
    [
        {"start": 11, "end": 53, "text": CONTRACT[START:END]},  # other words at those offsets
        {"start": START, "end": END, "text": CONTRACT[START:END].upper()},  # not as the contract has them
        {"start": 0, "end": 9, "text": CONTRACT[0:9]},  # verbatim, but outside the clause
        {"start": START, "end": END + 1, "text": CONTRACT[START : END + 1]},  # one character too far
    ],
)
def test_every_span_has_to_stand_where_it_says(case: Case, span) -> None:
    for wrong in (finding(span=span), finding(also=[span])):
        one = scored(Output(findings=(finding(), wrong)), case)
        assert (one.scores["schema"].value, one.scores["span"].value) == (1.0, 0.0)
        assert one.scores["span"].why.startswith("finding 2: ")
        assert one.scores["verdict_allowed"].value == 1.0  # a wrong place is no wrong verdict


def test_the_gravest_finding_decides() -> None:
    found = parse(Output(findings=(finding(), finding(risk_band="high"), finding(risk_band="medium"))))
    assert overall(found).risk_band == "high"
    assert overall(()) is None


def test_an_alternate_answer_has_to_meet_its_condition(make_sample) -> None:
    base = make_sample(verdicts=("risky", "acceptable"), bands=("medium", "low"), points=("mutual waiver",))
    sample = replace(base, start=START, end=END, context="the fees are small")
    output = Output(findings=(finding(),))
    met, unmet = RubricScore((True,), (False, True, False, False)), RubricScore((True,), (False,) * 4)
    assert scored(output, Case(sample, CONTRACT), Rubric(met)).scores["set_with_condition"].value == 1.0
    assert scored(output, Case(sample, CONTRACT), Rubric(unmet)).scores["set_with_condition"].value == 0.0
    # whether a condition holds that hangs on facts outside the clause cannot be known without them
    unknown = scored(output, Case(replace(sample, context="unknown"), CONTRACT), Rubric(unmet))
    assert unknown.scores["set_with_condition"].unscored is Unscored.NO_BACKGROUND
    assert unknown.scores["verdict_allowed"].value == 1.0


def test_a_preferred_answer_on_the_words_needs_no_condition_and_another_does(make_sample) -> None:
    base = make_sample(verdicts=("acceptable", "risky"), bands=("low", "medium"), points=("mutual waiver",))
    unmet = Rubric(RubricScore((True,), (False,) * 4))
    output = Output(findings=(finding(),))
    for condition, expected in (("on the words of the clause", 1.0), ("as long as it is mutual", 0.0)):
        verdicts = dict(zip(base.reference.verdicts, (condition, "if read otherwise"), strict=True))
        sample = replace(base, start=START, end=END, reference=replace(base.reference, verdicts=verdicts))
        assert scored(output, Case(sample, CONTRACT), unmet).scores["set_with_condition"].value == expected


def test_an_abstention_is_an_answer_among_others(make_sample) -> None:
    sample = replace(make_sample(verdicts=("insufficient-grounding",), bands=("medium",)), start=START, end=END)
    one = scored(Output(abstained=True, reason="the mutual waiver is cut off"), Case(sample, CONTRACT))
    assert (one.outcome, one.scores["verdict_allowed"].value, one.scores["span"].value) == ("abstained", 1.0, None)
    other = scored(Output(abstained=True, reason="nothing"), Case(replace(make_sample(), start=10, end=52), CONTRACT))
    assert other.scores["verdict_allowed"].value == 0.0


def test_infra_is_unscored_everywhere(case: Case) -> None:
    one = scored(Output(failure=FailureCause.INFRA_TIMEOUT), case)
    assert {score.unscored for score in one.scores.values()} == {Unscored.INFRA}
    assert all(value is None for value in values(one).values())


@pytest.mark.parametrize(("unreadable", "reason"), [(True, "judge_parse_failure"), (False, "infra")])
def test_a_judge_that_fails_leaves_its_scores_open_and_the_others_stand(case: Case, unreadable, reason) -> None:
    one = scored(Output(findings=(finding(),)), case, Rubric(RubricFailure(unreadable, "no answer")))
    assert one.scores["verdict_allowed"].value == 1.0
    assert {one.scores[n].unscored.value for n in ("key_facts", "set_with_condition", "reason_quality")} == {reason}


def test_an_answer_that_one_expert_gave_is_their_disagreement(make_sample, label_rows) -> None:
    sample = replace(make_sample(verdicts=("risky",), bands=("medium",)), start=START, end=END)
    rows = {"A": ("acceptable", "low"), "B": ("risky", "medium")}
    opinions = {
        name: {
            "I1": Annotation.model_validate_json(
                json.dumps(
                    label_rows["annotation"](
                        "I1",
                        name,
                        verdict=verdict,
                        allowed_verdicts=[{"verdict": verdict, "condition": "x"}],
                        risk_band=band,
                        allowed_bands=[{"band": band, "condition": "x"}],
                    )
                )
            )
        }
        for name, (verdict, band) in rows.items()
    }
    one = scored(Output(findings=(finding(),)), Case(sample, CONTRACT), opinions=opinions)
    assert one.scores["verdict_allowed"].unscored is Unscored.EXPERT_DISAGREEMENT
    assert one.scores["set_with_condition"].unscored is Unscored.EXPERT_DISAGREEMENT
    high = scored(Output(findings=(finding(risk_band="high"),)), Case(sample, CONTRACT), opinions=opinions)
    assert high.scores["verdict_allowed"].value == 0.0  # nobody said that
    # where all of them said it and the ruling is another, they do not disagree
    alike = dict.fromkeys("AB", opinions["A"])
    assert (
        scored(Output(findings=(finding(),)), Case(sample, CONTRACT), opinions=alike).scores["verdict_allowed"].value
        == 0.0
    )


def test_what_is_unscored_goes_to_the_queue_with_its_reason(case: Case) -> None:
    both = [scored(Output(failure=FailureCause.INFRA_TIMEOUT), case), scored(Output(findings=(finding(),)), case)]
    queue = uncertainty_queue(both)
    assert len(queue) == len(SCORERS)
    assert {(entry["item_id"], entry["reason"]) for entry in queue} == {("I1", "infra")}
    rows = score_rows(both)
    assert rows[0]["verdict_allowed"] is None and rows[0]["verdict_allowed_unscored"] == "infra"
    assert rows[1]["verdict_allowed"] == 1.0 and rows[1]["verdict_allowed_unscored"] == ""


def test_findings_as_rows_say_where_each_stands(case: Case) -> None:
    one = scored(Output(findings=(finding(), finding(risk_type="P1", risk_band="medium"))), case)
    rows = finding_rows([one])
    assert [(row["target"], row["item_id"], row["risk_type"]) for row in rows] == [
        ("scripted", "I1", "P4"),
        ("scripted", "I1", "P1"),
    ]
    assert rows[0]["span"] == {"start": START, "end": END, "text": CONTRACT[START:END]}
    assert score_rows([one])[0]["findings"] == "P4=low P1=medium"
    assert finding_rows([scored(Output(abstained=True), case)]) == []


def test_the_rubric_judge_is_blind(case: Case) -> None:
    """Neither the target's name nor the label's answer reaches it."""
    secret = "candidate-name-that-must-not-leak"
    rubric = Rubric(RubricScore((True,), (True,)))
    score_all(Says(Output(findings=(finding(),)), secret), [case], rubric, {})
    shown = repr(rubric.seen)
    assert secret not in shown
    assert set(rubric.seen[0].__slots__) == {"clause", "reason", "points", "conditions"}
    reference = case.sample.reference
    assert reference.ruling not in shown and reference.reason not in shown
