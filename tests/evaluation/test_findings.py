"""Recorded audits as findings: by position, each with its place in the contract."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from pipeline.base.types import (
    ANSWERS,
    AuditResult,
    Band,
    Citation,
    ClaimCheck,
    FailureCause,
    Faithfulness,
    Level,
    PositionReading,
    Verdict,
)
from pipeline.evaluation.findings import (
    VERDICT_OF,
    Case,
    Output,
    RecordedTarget,
    band_at,
    overall,
    parse,
    position_findings,
)
from pipeline.evaluation.outcomes import band_of
from pipeline.evaluation.rubric_judge import OfflineRubricJudge
from pipeline.evaluation.scorers import score_all
from pipeline.standard import load_standard, read_clause

STANDARD = load_standard()
CLAUSE = (
    "Neither Party shall be liable for indirect or consequential damages. Except for fraud, each party's total "
    "liability shall not exceed the fees paid in the twelve months before the claim."
)
CONTRACT = f"Preamble on direct sales. {CLAUSE} End."
START = CONTRACT.index(CLAUSE)


@pytest.fixture
def case(make_sample) -> Case:
    return Case(replace(make_sample(), start=START, end=START + len(CLAUSE)), CONTRACT)


@pytest.fixture
def audited(make_result) -> Callable[..., AuditResult]:
    """A result whose positions are the reader's, or those that are given."""

    def make(clause: str = CLAUSE, **positions: PositionReading) -> AuditResult:
        reading = read_clause(clause)
        claims = [ClaimCheck(note, True, "clause") for note in reading.notes.values()]
        claims.append(ClaimCheck("The cited clause stands the same, P4 meets: it says so.", True, "c1"))
        return replace(
            make_result(reading.verdict.value),
            reason=" ".join(check.claim for check in claims),
            positions={**reading.positions, **positions},
            faithfulness=Faithfulness(tuple(claims)),
        )

    return make


def reviewed(case: Case, result: AuditResult) -> Output:
    return RecordedTarget("rules", {"I1": result}, {"I1": 0.5}, STANDARD).review(case)


def test_one_finding_for_each_position_that_the_clause_speaks_to(case: Case, audited) -> None:
    result = audited()
    found = parse(reviewed(case, result))
    spoken = [n for n, r in sorted(result.positions.items()) if r.level is not Level.SILENT and n != "P5"]
    assert [one.risk_type for one in found] == spoken == ["P1", "P2", "P3", "P4", "P6"]
    by_type = {one.risk_type.value: one for one in found}
    assert by_type["P4"].citation == "c1" and by_type["P2"].citation is None
    assert "P4 meets" in by_type["P4"].reason and "P2 " not in by_type["P4"].reason
    assert all(one.recommendation == "Accept as it stands." for one in found)


def test_a_position_that_the_clause_is_silent_on_is_no_finding(case: Case, audited) -> None:
    clause = "Neither Party shall be liable for indirect or consequential damages."
    result = audited(clause)
    assert result.positions["P2"].level is Level.SILENT
    here = Case(replace(case.sample, start=0, end=len(clause)), clause)
    assert [one.risk_type for one in parse(reviewed(here, result))] == ["P1", "P4"]


def test_every_span_stands_verbatim_where_it_says(case: Case, audited) -> None:
    result = audited()
    for one in parse(reviewed(case, result)):
        words = result.positions[one.risk_type].words
        assert [span.text for span in one.spans] == list(words)
        assert all(CONTRACT[span.start : span.end] == span.text and span.start >= START for span in one.spans)


def test_words_are_found_under_other_typography(case: Case, audited) -> None:
    reading = PositionReading(Level.MEETS, ("each  party’s total liability",))
    (one,) = [f for f in parse(reviewed(case, audited(P1=reading))) if f.risk_type == "P1"]
    assert one.span.text == "each party's total liability"


def test_words_that_the_clause_does_not_hold_fail_the_span(case: Case, audited) -> None:
    good, rubric = audited(), OfflineRubricJudge()

    def span_of(result: AuditResult) -> float | None:
        target = RecordedTarget("rules", {"I1": result}, {"I1": None}, STANDARD)
        return score_all(target, [case], rubric, {})[0].scores["span"].value

    assert span_of(good) == 1.0
    for words in ("each party's whole liability", "Preamble on direct sales", "EACH PARTY'S TOTAL LIABILITY"):
        assert span_of(audited(P1=PositionReading(Level.MEETS, (words,)))) == 0.0
        assert span_of(audited(P1=PositionReading(Level.MEETS, ("Neither Party", words)))) == 0.0


def test_offsets_are_off_by_one_in_no_direction(case: Case, audited) -> None:
    """The scorer's own test: every finding moved by one character, without and with its words."""
    output = reviewed(case, audited())

    class Moved:
        name = "moved"

        def __init__(self, number: int, by: int, words: bool) -> None:
            self.number, self.by, self.words = number, by, words

        def review(self, _: Case) -> Output:
            findings = [dict(one) for one in output.findings]
            span = dict(findings[self.number]["span"])
            start, end = span["start"] + self.by, span["end"] + self.by
            span |= {"start": start, "end": end} | ({"text": CONTRACT[start:end].upper()} if self.words else {})
            findings[self.number]["span"] = span
            return replace(output, findings=findings)

    for number in range(len(output.findings)):
        for by in (-1, 1):
            for words in (False, True):
                (one,) = score_all(Moved(number, by, words), [case], OfflineRubricJudge(), {})
                assert (one.scores["schema"].value, one.scores["span"].value) == (1.0, 0.0)


def test_what_is_missing_is_shown_by_the_whole_clause(case: Case, audited) -> None:
    result = audited(P6=PositionReading(Level.DEPARTS))
    (one,) = [f for f in parse(reviewed(case, result)) if f.risk_type == "P6"]
    assert one.span.text == CLAUSE
    assert one.recommendation.startswith("Bring it to the standard: every exception is on the list")


def test_claims_that_name_no_position_belong_to_all_and_none_leaves_the_standards_words(case: Case, audited) -> None:
    result = replace(
        audited(),
        positions={"P1": PositionReading(Level.MEETS, ("Neither Party",)), "P5": PositionReading(Level.MEETS)},
    )
    for claims, reason in (
        ((ClaimCheck("It is mutual.", True, "c1"), ClaimCheck("P4 is silent.", True, "clause")), "It is mutual."),
        ((ClaimCheck("P4 is silent.", True, "clause"),), f"P1 meets: {STANDARD.level_text('P1', Level.MEETS)}."),
    ):
        (one,) = position_findings(case, replace(result, faithfulness=Faithfulness(claims)), STANDARD)
        assert one["reason"] == reason
        assert one["citation"] == ("c1" if len(claims) == 2 else None)


@pytest.mark.parametrize(
    "clause",
    [
        CLAUSE,
        "The Agent shall not be liable for indirect damages.",
        "The Seller's liability under this Agreement is unlimited.",
        "The Vendor shall have no liability of any kind under this Agreement, whether direct or indirect.",
    ],
)
def test_the_gravest_finding_is_the_verdict(case: Case, audited, clause: str) -> None:
    result = audited(clause)
    assert result.verdict in ANSWERS
    here = Case(replace(case.sample, start=0, end=len(clause)), clause)
    decisive = overall(parse(reviewed(here, result)))
    assert decisive.risk_band is band_of(result.verdict)
    assert VERDICT_OF[decisive.risk_band] is result.verdict


def test_bands_of_single_positions_follow_the_rubric() -> None:
    assert [band_at(level) for level in (Level.MEETS, Level.DEPARTS, Level.OFF)] == [Band.LOW, Band.MEDIUM, Band.HIGH]


def test_abstentions_and_failed_calls_have_no_findings(case: Case, make_result) -> None:
    abstained = reviewed(case, make_result("insufficient-grounding", "gate1"))
    assert (abstained.abstained, abstained.findings, abstained.reason) == (True, (), "a claim")
    failed = reviewed(case, make_result("escalate-infra", "infra_auth"))
    assert failed.failure is FailureCause.INFRA_AUTH and not failed.findings


def test_reason_of_the_whole_is_the_auditors(case: Case, audited) -> None:
    result = audited()
    output = reviewed(case, result)
    assert (output.reason, output.latency_s) == (result.reason, 0.5)
    (one,) = score_all(RecordedTarget("rules", {"I1": result}, {"I1": 0.5}, STANDARD), [case], OfflineRubricJudge(), {})
    assert one.reason == result.reason
    assert (one.verdict, one.band) == (Verdict.ACCEPTABLE, "low")


def test_a_citation_is_named_by_its_chunk(case: Case, audited) -> None:
    result = replace(audited(), citation=Citation("c9", "Other", 0, 5, "words"))
    assert {one.citation for one in parse(reviewed(case, result))} == {None}  # no claim rests on it
