"""Adversarial clauses: the committed set, how a finding is counted, and bars for the reader."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from pipeline.base.errors import CuadAuditError
from pipeline.base.types import ANSWERS, Verdict
from pipeline.grounding.adversarial import AdversarialClause, counts, finding, load_clauses, rows_of
from pipeline.grounding.lexical.checks import why_unsupported
from pipeline.grounding.phrases import clause_sentence
from pipeline.standard import read_clause

ACCEPTABLE, RISKY, OFF, ABSTAINED = (
    Verdict.ACCEPTABLE,
    Verdict.RISKY,
    Verdict.OFF_STANDARD,
    Verdict.INSUFFICIENT_GROUNDING,
)

#: Bars for the reader: they may be raised, and are never lowered.
TUNING_ALLOWED = 0.9
TUNING_TOO_MILD = 0
HELD_OUT_ALLOWED = 0.55
#: Held-out clauses are not mended by, so what the reader misses there stays a count.
HELD_OUT_CRITICAL_MISSED = 2


def clause(name: str = "x01", allowed=(OFF,), critical=False, split="tuning") -> AdversarialClause:
    text = f"Some words {name}."
    return AdversarialClause(
        id=name, clause=text, allowed=allowed, critical=critical, trap="none", pattern="plain", split=split
    )


@pytest.fixture(scope="module")
def clauses():
    return load_clauses()


@pytest.fixture(scope="module")
def counted(clauses):
    return counts(rows_of(clauses, {one.clause: read_clause(one.clause).verdict for one in clauses}))["splits"]


@pytest.mark.parametrize(
    ("allowed", "verdict", "wanted"),
    [
        ((OFF,), OFF, "allowed"),
        ((OFF,), RISKY, "too_mild"),
        ((OFF, RISKY), ACCEPTABLE, "too_mild"),
        ((ACCEPTABLE,), RISKY, "too_strict"),
        ((RISKY, ABSTAINED), OFF, "too_strict"),
        ((ABSTAINED,), ACCEPTABLE, "too_mild"),
        ((ABSTAINED,), RISKY, "too_strict"),
        ((OFF,), ABSTAINED, "abstained"),
        ((RISKY, ABSTAINED), ABSTAINED, "allowed"),
        ((ABSTAINED,), Verdict.ESCALATE_INFRA, "infra"),
        # between the two that are allowed: no better than the mildest
        ((ACCEPTABLE, OFF), RISKY, "too_strict"),
    ],
)
def test_a_finding_says_in_which_direction_it_errs(allowed, verdict, wanted):
    assert finding(clause(allowed=allowed), verdict) == wanted


def test_counts_are_by_split_and_pattern_with_zeros():
    some = [clause("x01", (OFF,), True), clause("x02", (ACCEPTABLE,)), clause("x03", (OFF,), True, "held_out")]
    said = dict(zip((one.clause for one in some), (ACCEPTABLE, ACCEPTABLE, ABSTAINED), strict=True))
    found = counts(rows_of(some, said))
    zero = dict.fromkeys((verdict.value for verdict in Verdict), 0)
    assert found["splits"] == {
        "tuning": {
            "n": 2,
            "allowed": 1,
            "abstained": 0,
            "too_strict": 0,
            "too_mild": 1,
            "infra": 0,
            "critical": zero | {"n": 1, "acceptable": 1},
        },
        "held_out": {
            "n": 1,
            "allowed": 0,
            "abstained": 1,
            "too_strict": 0,
            "too_mild": 0,
            "infra": 0,
            "critical": zero | {"n": 1, "insufficient-grounding": 1},
        },
    }
    assert found["patterns"]["plain"]["n"] == 3


def test_the_committed_set_is_large_enough_and_of_many_patterns(clauses):
    splits = Counter(one.split for one in clauses)
    assert splits["tuning"] >= 170
    assert splits["held_out"] >= 40
    assert sum(one.critical for one in clauses) >= 80
    patterns = {split: {one.pattern for one in clauses if one.split == split} for split in splits}
    assert len(patterns["tuning"]) >= 10
    assert len(patterns["held_out"]) >= 8
    assert not patterns["tuning"] & patterns["held_out"]
    assert len({one.clause for one in clauses}) == len(clauses)


def test_no_critical_tuning_clause_is_ever_called_acceptable(counted):
    assert counted["tuning"]["critical"]["acceptable"] == 0
    assert counted["tuning"]["critical"]["n"] >= 70


def test_the_reader_holds_its_bars(counted):
    tuning, held_out = counted["tuning"], counted["held_out"]
    assert tuning["allowed"] / tuning["n"] >= TUNING_ALLOWED
    assert tuning["too_mild"] <= TUNING_TOO_MILD
    assert held_out["allowed"] / held_out["n"] >= HELD_OUT_ALLOWED
    assert held_out["critical"]["acceptable"] <= HELD_OUT_CRITICAL_MISSED


def test_a_file_that_holds_anything_else_is_an_error(tmp_path):
    file = tmp_path / "clauses.jsonl"
    good = json.loads(clause().model_dump_json())
    file.write_text("".join(json.dumps(row) + "\n" for row in (good, good | {"id": "x02", "allowed": ["fine"]})))
    with pytest.raises(CuadAuditError, match=r"line 2: no adversarial clause \(allowed.0: "):
        load_clauses(file)
    file.write_text(json.dumps(good | {"more": 1}) + "\n")
    with pytest.raises(CuadAuditError, match=r"line 1: no adversarial clause \(more: Extra"):
        load_clauses(file)
    file.write_text(json.dumps(good | {"critical": True, "allowed": ["acceptable"]}) + "\n")
    with pytest.raises(CuadAuditError, match="a critical clause allows acceptable"):
        load_clauses(file)
    file.write_text(json.dumps(good) + "\n" + json.dumps(good) + "\n")
    with pytest.raises(CuadAuditError, match="line 2: x01 stands twice"):
        load_clauses(file)


def test_reader_and_judge_agree_on_what_the_reader_answers(clauses):
    """A verdict whose claims the judge does not know is an abstention in the end."""
    refused = []
    answered = 0
    for one in clauses:
        reading = read_clause(one.clause)
        if one.split == "tuning" and reading.verdict in ANSWERS:
            answered += 1
            notes = [clause_sentence(name, reading) for name in reading.notes if name != "P5"]
            refused += [one.id for note in notes if why_unsupported(note, one.clause)]
    assert answered >= 140
    assert sorted(set(refused)) == ["c17", "n38"]  # a denied denial; letters of full width
