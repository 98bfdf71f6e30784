from __future__ import annotations

import pytest

from pipeline.base.types import FailureCause
from pipeline.evaluation.outcomes import Outcome, outcome_of, outcome_row

EVIDENCE = {"c1": "other-family", "c2": "acme"}
CONTRACTS = {"Other agreement": "words of it"}


def row_of(sample, result, **changes):
    settings = {"auditor_verdict": "acceptable", "auditor_levels": {}} | changes
    contracts = settings.pop("contracts", CONTRACTS)
    return outcome_row(sample, result, settings.pop("open_result", result), EVIDENCE, contracts, **settings)


@pytest.mark.parametrize(
    ("allowed", "verdict", "cause", "expected"),
    [
        (("acceptable",), "acceptable", "none", Outcome.ANSWERED),
        (("acceptable",), "risky", "none", Outcome.ANSWERED),
        (("acceptable",), "insufficient-grounding", "gate1", Outcome.UNJUSTIFIED_ABSTENTION),
        (("acceptable",), "insufficient-grounding", "gate2_unfaithful", Outcome.UNJUSTIFIED_ABSTENTION),
        (("risky", "insufficient-grounding"), "insufficient-grounding", "gate1", Outcome.JUSTIFIED_ABSTENTION),
        (("insufficient-grounding",), "insufficient-grounding", "auditor_abstained", Outcome.JUSTIFIED_ABSTENTION),
        (("insufficient-grounding",), "risky", "none", Outcome.ANSWERED),
        (("acceptable",), "escalate-infra", "infra_timeout", Outcome.INFRA),
        (("insufficient-grounding",), "escalate-infra", "infra_timeout", Outcome.INFRA),
    ],
)
def test_outcome(make_sample, make_result, allowed, verdict, cause, expected) -> None:
    assert outcome_of(make_sample(verdicts=allowed), make_result(verdict, cause)) is expected


@pytest.mark.parametrize("cause", [cause for cause in FailureCause if cause.is_infra])
def test_infra_is_never_scored(make_sample, make_result, cause) -> None:
    row = row_of(make_sample(critical=True), make_result("escalate-infra", cause.value))
    assert row.outcome == "infra"
    assert (row.verdict_allowed, row.verdict_preferred, row.band_allowed, row.citation_valid) == (None,) * 4
    assert row.critical_called == "infra"


def test_an_alternate_is_allowed_but_not_preferred(make_sample, make_result) -> None:
    row = row_of(make_sample(verdicts=("risky", "acceptable"), bands=("medium", "low")), make_result("acceptable"))
    assert (row.verdict_allowed, row.verdict_preferred, row.band_allowed) == (True, False, True)


def test_band_follows_the_verdict_and_is_scored_against_the_allowed_set(make_sample, make_result) -> None:
    row = row_of(make_sample(verdicts=("acceptable",), bands=("low",)), make_result("risky"))
    assert (row.band, row.band_allowed, row.verdict_allowed) == ("medium", False, False)


@pytest.mark.parametrize(
    ("verdict", "cause", "called"),
    [
        ("off-standard", "none", "high"),
        ("risky", "none", "medium"),
        ("acceptable", "none", "low"),
        ("insufficient-grounding", "gate1", "abstained"),
    ],
)
def test_what_a_critical_item_was_called(make_sample, make_result, verdict, cause, called) -> None:
    sample = make_sample(verdicts=("off-standard",), bands=("high",), critical=True)
    assert row_of(sample, make_result(verdict, cause)).critical_called == called
    assert row_of(make_sample(), make_result(verdict, cause)).critical_called == ""


@pytest.mark.parametrize(("chunk", "valid"), [("c1", True), ("c2", False), ("c9", False), (None, False)])
def test_a_citation_is_valid_if_retrieved_from_another_family(make_sample, make_result, chunk, valid) -> None:
    assert row_of(make_sample(), make_result("acceptable", chunk=chunk)).citation_valid is valid


@pytest.mark.parametrize(
    "contracts",
    [{}, {"Another agreement": "words of it"}, {"Other agreement": "Words of it"}, {"Other agreement": "w"}],
)
def test_a_citation_is_not_valid_where_its_words_are_not(make_sample, make_result, contracts) -> None:
    assert row_of(make_sample(), make_result("acceptable"), contracts=contracts).citation_valid is False


def test_an_abstention_owes_no_citation(make_sample, make_result) -> None:
    assert row_of(make_sample(), make_result("insufficient-grounding", "gate1")).citation_valid is None


def test_open_result_feeds_the_risk_coverage_columns_only(make_sample, make_result) -> None:
    row = row_of(
        make_sample(verdicts=("acceptable",)),
        make_result("insufficient-grounding", "gate1"),
        open_result=make_result("risky"),
    )
    assert (row.verdict, row.open_verdict, row.open_allowed) == ("insufficient-grounding", "risky", False)


def test_levels_are_compared_position_by_position(make_sample, make_result) -> None:
    levels = {"P1": "meets", "P2": "silent", "P3": "silent", "P4": "silent", "P5": "meets", "P6": "silent"}
    row = row_of(make_sample(), make_result(), auditor_levels=levels)
    assert row.levels_right == 5  # the reference has P1 silent
    assert row.levels.split()[0] == "P1=meets"
    assert row_of(make_sample(), make_result(), auditor_levels={}).levels_right is None
