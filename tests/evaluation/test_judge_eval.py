"""Judges whose behaviour is known, put to claims whose truth is known."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from pipeline.base.params import Evaluation
from pipeline.base.types import Chunk, ClaimCheck, FailureCause, Faithfulness, Identity
from pipeline.evaluation.judge_claims import JudgeCase
from pipeline.evaluation.judge_eval import Bar, judge_all, judge_metrics, judged_rows, stopped
from pipeline.llm.request import LlmFailure

SETTINGS = Evaluation(confidence=0.95, resamples=200, seed=1, min_families=4)
BAR = Bar(0.95, 0.05)


def case(number: int, faithful: bool, half: str = "held_out", family: str | None = None) -> JudgeCase:
    family = family or f"family{number // 2}"
    return JudgeCase(
        case_id=f"case{number}",
        operator="paraphrase" if faithful else "negation_flipped",
        faithful=faithful,
        claim=f"{'true' if faithful else 'false'} claim {number}",
        about="clause" if number % 4 < 2 else "evidence",
        clause=f"clause of {family}",
        cited=Chunk(f"c-{family}", "T", 0, 5, "chunk", (), family),
        family=family,
        half=half,
    )


CASES = [case(number, faithful=number % 2 == 0) for number in range(24)]


class Judge:
    identity = Identity("scripted", code="tests")

    def __init__(self, says) -> None:
        self.says = says
        self.asked = []

    def check(self, answer, clause, standard, cited, meter):  # noqa: ARG002
        self.asked.append((answer, clause, cited))
        return Faithfulness(
            tuple(
                ClaimCheck(claim.text, self.says(claim.text, number, clause), claim.against)
                for number, claim in enumerate(answer.claims)
            )
        )


def measure(judge, cases=CASES):
    judged = judge_all(judge, None, cases)
    return judged, judge_metrics(judged, SETTINGS, BAR)["halves"]["held_out"]


def test_a_judge_that_knows_the_truth() -> None:
    _, table = measure(Judge(lambda text, *_: "true" in text))
    assert table["confusion"] == {
        "faithful": {"supported": 12, "unsupported": 0},
        "unfaithful": {"supported": 0, "unsupported": 12},
    }
    assert table["recall_unsupported"]["rate"] == 1 and table["false_rejection"]["rate"] == 0
    assert table["precision_unsupported"]["rate"] == 1 and table["kappa"]["value"] == 1
    assert [table["flips"][v]["count"] for v in ("repetition", "order_swap", "rewording")] == [0, 0, 0]


@pytest.mark.parametrize("answer", [True, False])
def test_a_judge_that_always_says_the_same_is_worth_nothing(answer: bool) -> None:
    _, table = measure(Judge(lambda *_: answer))
    assert table["recall_unsupported"]["rate"] == (0 if answer else 1)
    assert table["false_rejection"]["rate"] == (0 if answer else 1)
    assert table["kappa"]["value"] == 0


def test_hand_worked_confusion() -> None:
    wrong = {"false claim 1", "false claim 3", "true claim 0"}
    _, table = measure(Judge(lambda text, *_: ("true" in text) != (text in wrong)))
    assert table["confusion"] == {
        "faithful": {"supported": 11, "unsupported": 1},
        "unfaithful": {"supported": 2, "unsupported": 10},
    }
    assert (table["recall_unsupported"]["count"], table["recall_unsupported"]["n"]) == (10, 12)
    assert (table["precision_unsupported"]["count"], table["precision_unsupported"]["n"]) == (10, 11)
    assert (table["false_rejection"]["count"], table["false_rejection"]["n"]) == (1, 12)
    assert (table["operators"]["negation_flipped"]["right"]["count"]) == 10
    assert table["operators"]["over_general"]["right"]["n"] == 0  # declared, and reported with zero
    # p_o = 21/24, p_e = (12*13 + 12*11) / 24^2 = 1/2
    assert table["kappa"]["value"] == pytest.approx((21 / 24 - 0.5) / 0.5)


def test_a_judge_that_looks_at_the_order() -> None:
    _, table = measure(Judge(lambda _, number, __: number == 0))
    assert (table["flips"]["order_swap"]["count"], table["flips"]["order_swap"]["n"]) == (24, 24)
    assert table["flips"]["repetition"]["count"] == 0


def test_a_judge_that_looks_at_words() -> None:
    _, table = measure(Judge(lambda text, *_: "It is said" not in text))
    assert table["flips"]["rewording"]["count"] == 24
    assert table["flips"]["order_swap"]["count"] == 0


def test_a_judge_without_memory_of_itself() -> None:
    _, table = measure(Judge(lambda _, __, clause: not clause.endswith(" ")))
    assert table["flips"]["repetition"]["count"] == 24


def test_claims_name_the_text_they_are_about() -> None:
    judge = Judge(lambda *_: True)
    measure(judge)
    for answer, clause, cited in judge.asked:
        family = clause.strip().removeprefix("clause of ")
        about = {claim.against for claim in answer.claims}
        assert about in ({"clause"}, {f"c-{family}"})
        assert cited.chunk_id == answer.chunk_id


class Failing(Judge):
    def check(self, answer, clause, standard, cited, meter):
        if "family3" in clause:
            raise LlmFailure(FailureCause.INFRA_TIMEOUT, "too slow")
        return super().check(answer, clause, standard, cited, meter)


def test_a_failed_call_is_unscored_and_never_wrong() -> None:
    judged, table = measure(Failing(lambda text, *_: "true" in text))
    assert table["unscored"] == {"infra_timeout": 2}
    assert sum(sum(row.values()) for row in table["confusion"].values()) == 22
    assert table["accuracy"]["rate"] == 1
    assert sum(row["supported"] is None for row in judged_rows(judged)) == 2
    assert stopped(judged, [FailureCause.INFRA_BUDGET]) is None
    assert stopped(judged, [FailureCause.INFRA_TIMEOUT]).why == "too slow"


class Short(Judge):
    def check(self, answer, clause, standard, cited, meter):
        return Faithfulness(super().check(answer, clause, standard, cited, meter).claims[:-1])


def test_a_finding_too_few_is_malformed_not_shifted() -> None:
    _, table = measure(Short(lambda *_: True))
    assert table["unscored"] == {"infra_malformed": 24}


def test_the_bar_is_read_on_the_held_out_half_alone() -> None:
    cases = [*CASES, *(case(n + 100, n % 2 == 0, "tuning", f"other{n // 2}") for n in range(24))]
    judged = judge_all(Judge(lambda text, *_: "true" in text if "1" in text else True), None, cases)
    metrics = judge_metrics(judged, SETTINGS, BAR)
    assert metrics["halves"]["tuning"]["recall_unsupported"]["rate"] == 1
    assert metrics["bar"]["met"] is False
    perfect = judge_metrics(judge_all(Judge(lambda text, *_: "true" in text), None, CASES), SETTINGS, BAR)
    assert perfect["bar"]["met"] is True and perfect["bar"]["met_on_the_interval"] is False  # 12 families are few
    assert perfect["bar"]["safe_in_unseen_wordings"] is False  # nothing was put in unseen words: nothing is known


@pytest.mark.parametrize(
    ("says", "safe", "rejects"),
    [
        (lambda text, *_: "true" in text, True, 0.0),
        (lambda *_: False, True, 1.0),  # rejects whatever is put otherwise: no danger, and no use
        (lambda *_: True, False, 0.0),
    ],
)
def test_unseen_wordings_have_a_bar_of_their_own(says, safe, rejects) -> None:
    unseen = [replace(case(n + 50, n % 2 == 0), unseen=True, claim=f"unseen {c.claim}") for n, c in enumerate(CASES)]
    judge = Judge(lambda text, *rest: says(text, *rest) if "unseen" in text else "true" in text)
    bar = judge_metrics(judge_all(judge, None, [*CASES, *unseen]), SETTINGS, BAR)["bar"]
    assert bar["met"] is True
    assert bar["safe_in_unseen_wordings"] is safe
    assert bar["unseen_false_rejection"] == rejects


def test_the_bar_is_the_one_that_is_asked_for() -> None:
    judged = judge_all(Judge(lambda text, *_: "true" in text and "1" not in text), None, CASES)
    assert 0.2 < judge_metrics(judged, SETTINGS, BAR)["halves"]["held_out"]["false_rejection"]["rate"] < 0.9
    assert judge_metrics(judged, SETTINGS, BAR)["bar"]["met"] is False
    lenient = judge_metrics(judged, SETTINGS, Bar(0.95, 0.9))["bar"]
    assert lenient["met"] is True and lenient["max_false_rejection"] == 0.9


def test_a_model_judge_is_asked_about_claims_of_one_text_together() -> None:
    from pipeline.grounding.models import ModelJudge
    from pipeline.grounding.prompts import load_prompt
    from pipeline.llm.fake import ScriptedLlm
    from pipeline.standard import load_standard

    def says(request):
        claims = re.findall(r'<claim number="(\d+)"[^>]*>(.*?)</claim>', request.user)
        return {"checks": [{"number": int(n), "supported": "true" in text, "why": "said"} for n, text in claims]}

    llm = ScriptedLlm(says)
    judge = ModelJudge("anthropic", llm, "some-model", load_prompt("judge-v1"), 512)
    judged = judge_all(judge, load_standard(), CASES)
    table = judge_metrics(judged, SETTINGS, BAR)["halves"]["held_out"]
    assert table["recall_unsupported"]["rate"] == 1 and table["false_rejection"]["rate"] == 0
    # twelve texts, asked once each, repeated, swapped, reworded; no two of these are one request
    assert len(llm.requests) == 48 and len({request.key for request in llm.requests}) == 48
