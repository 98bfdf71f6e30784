"""The review judged on targets whose answer is known."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, replace

import pytest

from pipeline.base.params import Evaluation
from pipeline.base.types import FailureCause, Identity, Verdict
from pipeline.evaluation.findings import Output
from pipeline.evaluation.fixture_cases import fixture_cases
from pipeline.evaluation.keyword_targets import BUGGY, FIXED
from pipeline.evaluation.release_gate import Critical, release_gate
from pipeline.evaluation.review import (
    FIXTURE_BOUNDS,
    counted_queue,
    evidence_of,
    fixture_run,
    harness,
    judge_measured,
    latency,
    scoreboard,
)
from pipeline.evaluation.rubric_judge import OfflineRubricJudge
from pipeline.evaluation.scorers import Score, Unscored, score_all, uncertainty_queue

SETTINGS = Evaluation(confidence=0.95, resamples=300, seed=20, min_families=10)


@pytest.fixture(scope="module")
def cases():
    return fixture_cases(20)


def run(target, cases):
    return fixture_run(target, cases, OfflineRubricJudge(), SETTINGS)


def test_the_fixtures_are_seeded_and_hold_enough_critical_cases(cases) -> None:
    assert cases == fixture_cases(20) and cases != fixture_cases(21)
    assert sum(case.sample.reference.critical for case in cases) >= 20
    assert len({case.sample.family for case in cases}) == len(cases)
    assert all(case.contract[case.sample.start : case.sample.end] == case.clause for case in cases)
    assert any(len(case.sample.reference.verdicts) > 1 for case in cases)


def test_the_run_on_buggy_fails_for_its_critical_misses(cases) -> None:
    report = run(BUGGY, cases)
    assert report.status == "failed"
    assert report.decided_by == "critical_recall"
    assert report.steps[0].why.startswith("0 of 45 critical cases called high, 45 missed, 0 abstained")
    scored = score_all(BUGGY, cases, OfflineRubricJudge(), {})
    called = Counter(one.critical_called for one in scored if one.critical_called)
    assert called == {"medium": 45}  # it misses unlimited liability because it calls all else medium
    notices = [one for one in scored if "notice" in one.case.sample.item_id]
    assert {one.band for one in notices} == {"low"}  # and it does know written notice


def test_the_run_on_fixed_passes_every_step(cases) -> None:
    report = run(FIXED, cases)
    assert report.status == "passed", [asdict(step) for step in report.steps]
    said = {step.name: step.outcome.value for step in report.steps}
    # a keyword list has no faithfulness judge, and asks no model that could be slow
    assert said == dict.fromkeys(said, "pass") | {"judge": "not applicable", "latency_s": "not applicable"}
    scored = score_all(FIXED, cases, OfflineRubricJudge(), {})
    assert all(one.scores["span"].value == 1.0 and one.scores["schema"].value == 1.0 for one in scored)
    assert scoreboard(scored, SETTINGS)["scores"]["set_with_condition"]["rate"] > 0.8


def test_the_harness_says_that_the_gate_can_be_trusted() -> None:
    table = harness(SETTINGS)
    assert table["sound"] is True
    assert (table["buggy"]["status"], table["fixed"]["status"]) == ("failed", "passed")
    assert (table["buggy"]["exit_code"], table["fixed"]["exit_code"]) == (1, 0)


class Broken:
    """FIXED, but for one kind of clause it does something else."""

    name = "broken"

    def __init__(self, kind: str, output: Output) -> None:
        self.kind, self.output = kind, output

    def review(self, case):
        return self.output if self.kind in case.sample.item_id else FIXED.review(case)


def test_a_target_that_abstains_from_critical_clauses_is_not_safe(cases) -> None:
    report = run(Broken("unlimited", Output(abstained=True, reason="cannot say")), cases)
    assert (report.status, report.decided_by) == ("failed", "critical_recall")
    # ... and is told apart from one that says that all is well
    assert report.steps[0].why.startswith("27 of 45 critical cases called high, 0 missed, 18 abstained from;")


def test_a_target_whose_calls_fail_is_not_blamed_and_not_released(cases) -> None:
    report = run(Broken("unlimited", Output(failure=FailureCause.INFRA_TIMEOUT)), cases)
    assert (report.status, report.decided_by) == ("inconclusive", "critical_recall")


def test_a_target_that_may_abstain_too_often_is_not_released(cases) -> None:
    report = run(Broken("F-ceiling", Output(abstained=True, reason="cannot say")), cases)
    # 12 of 93: the point is within the bounds, the ends of the intervals are not
    assert (report.status, report.decided_by) == ("inconclusive", "allowed_verdict")
    said = {step.name: step.outcome.value for step in report.steps}
    assert (said["critical_recall"], said["unjustified_abstention"]) == ("pass", "inconclusive")


def test_outputs_that_cannot_be_read_are_not_left_out_of_quality(cases) -> None:
    """A target must not pass by saying nothing readable where it would be wrong."""
    broken = Broken("F-ceiling", Output(findings=({"no": "finding"},)))
    scored = score_all(broken, cases, OfflineRubricJudge(), {})
    quality = evidence_of(scored, SETTINGS).quality
    assert (quality.n, quality.count) == (93, 81)
    report = run(broken, cases)
    assert (report.status, report.decided_by) == ("inconclusive", "allowed_verdict")
    everything = run(Broken("F-", Output(findings=({"no": "finding"},))), cases)
    assert everything.steps[0].why.startswith("0 of 45 critical cases called high, 45 missed, 0 abstained from;")
    assert {step.name: step.outcome.value for step in everything.steps}["allowed_verdict"] == "fail"


def test_what_experts_disagree_on_is_left_out_of_quality(cases) -> None:
    scored = score_all(FIXED, cases, OfflineRubricJudge(), {})
    open_question = Score(unscored=Unscored.EXPERT_DISAGREEMENT)
    first = replace(scored[0], scores={**scored[0].scores, "verdict_allowed": open_question})
    assert evidence_of([first, *scored[1:]], SETTINGS).quality.n == len(cases) - 1


def test_scoreboard_counts(cases) -> None:
    scored = score_all(Broken("waiver", Output(failure=FailureCause.INFRA_AUTH)), cases, OfflineRubricJudge(), {})
    board = scoreboard(scored, SETTINGS)
    assert board["outcomes"] == {"answered": 81, "abstained": 0, "infra": 12, "invalid": 0}
    assert board["scores"]["verdict_allowed"]["n"] == 81
    assert board["scores"]["verdict_allowed"]["unscored"]["infra"] == 12
    assert board["critical"] == {
        "n": 45, "high": 45, "medium": 0, "low": 0, "abstained": 0, "infra": 0, "invalid": 0
    }  # fmt: skip
    assert counted_queue(uncertainty_queue(scored), ("broken", "fixed")) == {
        "broken": {"judge_parse_failure": 0, "infra": 12, "no_background": 0, "expert_disagreement": 0},
        "fixed": {"judge_parse_failure": 0, "infra": 0, "no_background": 0, "expert_disagreement": 0},
    }


def test_contrast_cases_stand_behind_critical_recall(cases) -> None:
    scored = score_all(FIXED, cases[:2], OfflineRubricJudge(), {})
    evidence = evidence_of(scored, SETTINGS, Critical({"frame:x": [True, False]}))
    assert evidence.critical.clusters["frame:x"] == [True, False]
    assert len(evidence.critical.clusters) == 3
    both = Broken("F-unlimited-00", Output(abstained=True))
    scored = score_all(both, cases[:2], OfflineRubricJudge(), {})
    assert evidence_of(scored, SETTINGS, Critical({"frame:x": [False]}, abstained=1)).critical.abstained == 2


def test_an_abstention_that_the_reference_allows_is_justified(cases) -> None:
    case = cases[0]
    verdicts = {**case.sample.reference.verdicts, Verdict.INSUFFICIENT_GROUNDING: "if the scope is missing"}
    allowed = replace(case, sample=replace(case.sample, reference=replace(case.sample.reference, verdicts=verdicts)))
    silent = Broken("F-", Output(abstained=True, reason="cannot say"))
    scored = score_all(silent, [allowed, *cases[1:20]], OfflineRubricJudge(), {})
    found = evidence_of(scored, SETTINGS)
    assert (found.unjustified_abstention.count, found.unjustified_abstention.n) == (19, 20)
    assert (found.quality.count, found.quality.n) == (1, 20)


def test_contrast_cases_lost_to_infra_are_inconclusive(cases) -> None:
    scored = score_all(FIXED, cases, OfflineRubricJudge(), {})
    whole = Critical({f"template {n}": [True] for n in range(40)})
    for extra, outcome in ((whole, "pass"), (replace(whole, infra=1), "inconclusive")):
        report = release_gate(evidence_of(scored, SETTINGS, extra), FIXTURE_BOUNDS, SETTINGS.confidence)
        assert (report.outcome.value, report.steps[0].outcome.value) == (outcome, outcome)


def test_latency_is_the_95th_percentile(cases) -> None:
    scored = [
        replace(one, latency_s=float(number + 1))
        for number, one in enumerate(score_all(FIXED, cases[:20], OfflineRubricJudge(), {}))
    ]
    assert latency(scored, SETTINGS).value == 19.0
    unmeasured = [replace(one, latency_s=None) for one in scored]
    assert latency([*unmeasured, *scored], SETTINGS) == latency(scored, SETTINGS)
    assert (latency(unmeasured, SETTINGS).n, latency(unmeasured, SETTINGS).value) == (0, None)
    assert evidence_of(scored, SETTINGS).latency_s is None
    assert evidence_of(scored, SETTINGS, asks_a_model=True).latency_s.value == 19.0


@pytest.mark.parametrize(
    ("judge", "met", "safe", "expected"),
    [
        ("lexical", True, True, True),
        ("lexical", False, True, False),
        ("lexical", True, False, False),
        ("other", True, True, False),
    ],
)
def test_only_the_very_judge_that_was_measured_counts(judge, met, safe, expected) -> None:
    bar = {"met": met, "met_on_the_interval": False, "safe_in_unseen_wordings": safe, "unseen_false_rejection": 0.15}
    metrics = {"judge": asdict(Identity("lexical", code="x#1")), "bar": bar}
    measured, why = judge_measured(Identity(judge, code="x#1"), metrics)
    assert measured is expected
    assert ("on the point, not on the interval" in why) is expected
    assert "0.150" in why or not (met and judge == "lexical")
    assert judge_measured(Identity("lexical", code="x#2"), metrics)[0] is False
