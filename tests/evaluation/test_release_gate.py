from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.base.params import ReleaseGate
from pipeline.base.records import write_json
from pipeline.evaluation.release_gate import (
    EXIT_CODES,
    Critical,
    Evidence,
    Outcome,
    at_least,
    at_most,
    main,
    release_gate,
)
from pipeline.evaluation.statistics import Estimate, Rate

BOUNDS = ReleaseGate(1.0, 20, 0.95, 0.05, 0.8, 0.15, 0.05, 30)
GOOD = Evidence(
    critical=Critical({f"f{n}": [True] for n in range(25)}),
    quality=Rate(100, 95, 100, 0.95, 0.89, 0.98),
    unjustified_abstention=Rate(100, 4, 100, 0.04, 0.01, 0.10),
    judge_measured=True,
    judge_why="measured",
    cost_usd=Estimate(100, 100, 0.01, 0.009, 0.011),
    latency_s=Estimate(100, 100, 3.0, 2.0, 4.0),
)


def gate(**changes):
    return release_gate(replace(GOOD, **changes), BOUNDS, 0.95)


def outcome(report) -> tuple[str, str]:
    return report.outcome.value, report.decided_by


def test_everything_in_order_passes() -> None:
    report = gate()
    assert outcome(report) == ("pass", "every step that applies passed")
    assert [step.name for step in report.steps] == [
        "critical_recall", "judge", "allowed_verdict", "unjustified_abstention", "cost_usd", "latency_s"
    ]  # fmt: skip
    assert "exact lower bound 0.887" in report.steps[0].why  # 0.05 ** (1 / 25)


def test_one_critical_miss_fails_whatever_else_is_good() -> None:
    clusters = dict(GOOD.critical.clusters) | {"f0": [True, False]}
    report = gate(critical=Critical(clusters))
    assert outcome(report) == ("fail", "critical_recall")
    assert report.steps[0].why.startswith("25 of 26 critical cases called high, 1 missed, 0 abstained from; 24 of 25 ")
    # an abstention recalls nothing either, and is no miss
    abstained = gate(critical=Critical(clusters, abstained=1))
    assert outcome(abstained) == ("fail", "critical_recall")
    assert ", 0 missed, 1 abstained from;" in abstained.steps[0].why


def test_too_few_critical_cases_are_never_safe() -> None:
    few = Critical({f"f{n}": [True] for n in range(19)})
    assert outcome(gate(critical=few)) == ("inconclusive", "critical_recall")
    # many cases of few clusters are few: they are not independent
    alike = Critical({f"f{n}": [True] * 50 for n in range(19)})
    assert outcome(gate(critical=alike)) == ("inconclusive", "critical_recall")
    assert outcome(gate(critical=Critical({}))) == ("inconclusive", "critical_recall")
    # ... and a miss among few is a miss
    assert outcome(gate(critical=Critical({"f0": [False]}))) == ("fail", "critical_recall")


def test_critical_cases_that_could_not_be_asked_are_not_safe() -> None:
    assert outcome(gate(critical=replace(GOOD.critical, infra=1))) == ("inconclusive", "critical_recall")


def test_a_judge_that_was_not_measured_blocks() -> None:
    assert outcome(gate(judge_measured=False, judge_why="another judge")) == ("inconclusive", "judge")
    report = gate(judge_measured=None)
    assert outcome(report) == ("pass", "every step that applies passed")
    assert report.steps[1].outcome is Outcome.NOT_APPLICABLE


def test_a_latency_that_nobody_measured_passes_nothing() -> None:
    report = gate(latency_s=None)
    assert (report.outcome, report.steps[5].outcome) == (Outcome.PASS, Outcome.NOT_APPLICABLE)
    assert "unmeasured" in report.steps[5].why
    # ... and of a model it has to be known
    assert outcome(gate(latency_s=Estimate(0, 0))) == ("inconclusive", "latency_s")


def test_bounds_are_read_on_the_interval() -> None:
    assert outcome(gate(quality=Rate(30, 27, 30, 0.9, 0.75, 0.97))) == ("inconclusive", "allowed_verdict")
    assert outcome(gate(quality=Rate(100, 60, 100, 0.6, 0.5, 0.7))) == ("fail", "allowed_verdict")
    wide = Rate(30, 3, 30, 0.1, 0.03, 0.25)
    assert outcome(gate(unjustified_abstention=wide)) == ("inconclusive", "unjustified_abstention")
    assert outcome(gate(cost_usd=Estimate(9, 9, 0.5, 0.4, 0.6))) == ("fail", "cost_usd")
    assert outcome(gate(latency_s=Estimate(9, 9, 29.0, 20.0, 40.0))) == ("inconclusive", "latency_s")


def test_too_few_families_for_a_rate_are_inconclusive() -> None:
    assert outcome(gate(quality=Rate(5, 5, 5))) == ("inconclusive", "allowed_verdict")


def test_nothing_makes_up_for_a_failed_step() -> None:
    report = gate(
        critical=Critical({"f": [True] * 5}), quality=Rate(100, 60, 100, 0.6, 0.5, 0.7), latency_s=Estimate(9, 9)
    )
    # a failure decides before an inconclusive step that comes first
    assert outcome(report) == ("fail", "allowed_verdict")
    assert [step.outcome.value for step in report.steps] == [
        "inconclusive", "pass", "fail", "pass", "pass", "inconclusive"
    ]  # fmt: skip


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_a_bound_passes_fails_or_is_open(a: float, b: float, c: float, bound: float) -> None:
    low, value, high = sorted((a, b, c))
    interval = Estimate(10, 10, value, low, high)
    assert at_least("x", interval, value, bound).outcome is (
        Outcome.PASS if low >= bound else Outcome.FAIL if high < bound else Outcome.INCONCLUSIVE
    )
    assert at_most("x", interval, value, bound).outcome is (
        Outcome.PASS if high <= bound else Outcome.FAIL if low > bound else Outcome.INCONCLUSIVE
    )


@pytest.mark.parametrize(
    ("change", "code"), [({}, 0), ({"quality": Rate(9, 0, 9, 0.0, 0.0, 0.3)}, 1), ({"judge_measured": False}, 3)]
)
def test_exit_codes_for_ci(tmp_path, capsys, change, code) -> None:
    report = gate(**change)
    write_json(tmp_path / "review.json", {"gate": report.to_json()})
    assert main([str(tmp_path / "review.json")]) == code == EXIT_CODES[report.outcome] == report.to_json()["exit_code"]
    assert f"gate: {report.outcome.value} ({report.decided_by})" in capsys.readouterr().out
