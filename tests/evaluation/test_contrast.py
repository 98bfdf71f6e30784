from __future__ import annotations

from collections import Counter

import pytest

from pipeline.base.params import Evaluation
from pipeline.base.types import Chunk, FailureCause, Verdict
from pipeline.evaluation import contrast, contrast_templates
from pipeline.evaluation.contrast import Pair, contrast_pairs
from pipeline.evaluation.contrast_eval import (
    Answer,
    answers_of,
    capped_uncapped,
    contrast_metrics,
    critical_calls,
    critical_evidence,
    pair_result,
    pair_rows,
)
from pipeline.evaluation.release_gate import Critical

SETTINGS = Evaluation(confidence=0.95, resamples=200, seed=1, min_families=3)
CLAUSES = (
    "NEITHER PARTY SHALL BE LIABLE TO THE OTHER PARTY FOR ANY INDIRECT, SPECIAL OR CONSEQUENTIAL DAMAGES.",
    "In no event shall Supplier be liable to Customer for lost profits under Section 4 of this Agreement.",
    "Each party's total liability under this Agreement shall not exceed the fees paid in the last year.",
)


def chunks() -> list[Chunk]:
    return [
        Chunk(f"c{family}{number}", f"T{family}", 0, len(text), text, (), f"family{family}")
        for family in range(6)
        for number, text in enumerate(CLAUSES)
    ]


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    return contrast_pairs(chunks(), seed=20)


def test_there_are_enough_pairs_and_every_operator_is_there(pairs) -> None:
    assert len(pairs) >= 300
    assert sum(pair.critical for pair in pairs) >= 120
    assert set(Counter(pair.operator for pair in pairs)) == set(contrast.OPERATORS)
    assert {pair.source for pair in pairs} == {"template", "library"}
    assert len({pair.pair_id for pair in pairs}) == len(pairs)


def test_the_same_seed_makes_the_same_pairs(pairs) -> None:
    assert contrast_pairs(list(reversed(chunks())), seed=20) == pairs
    assert contrast_pairs(chunks(), seed=21) != pairs


def test_a_pair_differs_in_its_change_and_says_what_is_expected(pairs) -> None:
    for pair in pairs:
        assert pair.base != pair.changed
        assert "{" not in pair.base + pair.changed
        assert pair.critical == (pair.expected == contrast.HIGH)
        assert (pair.expected == contrast.SAME) == (pair.operator in contrast.KEEPING)


def plain(text: str) -> str:
    return " ".join(text.casefold().split())


def test_what_must_not_move_the_answer_keeps_the_words(pairs) -> None:
    for pair in pairs:
        if pair.operator in ("case_changed", "whitespace_changed"):
            assert plain(pair.base) == plain(pair.changed)
        if pair.operator == "exceptions_reordered":
            assert sorted(plain(pair.base).replace(",", "").replace(".", "").replace(";", "").split()) == sorted(
                plain(pair.changed).replace(",", "").replace(".", "").replace(";", "").split()
            )
        if pair.operator == "renumbered" and pair.source == "library":
            assert "Section 7" in pair.changed and "Section 4" in pair.base


def test_what_must_move_the_answer_changes_the_right_words(pairs) -> None:
    by_operator = {operator: [p for p in pairs if p.operator == operator] for operator in contrast.OPERATORS}
    assert all("[***]" in p.changed or "[*****]" in p.changed for p in by_operator["amount_redacted"])
    assert all("[*" not in p.base for p in pairs)
    assert all("unlimited" in p.changed or "without limit" in p.changed for p in by_operator["cap_made_unlimited"])
    for pair in by_operator["mutual_made_one_sided"]:
        assert "each party" not in pair.changed.lower() and "neither party" not in pair.changed.lower()
    one_sided = [p.changed for p in by_operator["mutual_made_one_sided"] if p.source == "library"]
    assert one_sided[0].startswith("SUPPLIER SHALL NOT BE LIABLE TO CUSTOMER FOR ANY INDIRECT")


def test_a_multiple_is_raised_where_that_must_make_it_worse(pairs) -> None:
    raised = next(p for p in pairs if p.operator == "multiple_raised" and p.source == "library")
    assert raised.expected == contrast.NOT_BETTER  # the basis may be narrow: the clause may be risky as it is
    broad = Chunk("c", "T", 0, 9, "Supplier's liability shall not exceed the fees paid under this Agreement.", (), "f")
    raised = next(p for p in contrast.library_pairs([broad], 20) if p.operator == "multiple_raised")
    assert raised.expected == contrast.WORSE
    assert raised.base.startswith("Each party's liability shall not exceed the fees paid under this Agreement. The")
    assert "times the fees paid under this Agreement. The foregoing" in raised.changed


def test_every_operator_has_pairs_from_library_clauses(pairs) -> None:
    for pair in pairs:
        if pair.source == "library" and pair.expected == contrast.ABSTAIN:
            assert pair.base == CLAUSES[2] and pair.changed.startswith("Each party's total liability under")
    assert {pair.operator for pair in pairs if pair.source == "library"} == set(contrast.OPERATORS)


def pair(expected: str, operator: str = "cap_removed", family: str = "f") -> Pair:
    return Pair(f"{operator}-{family}", operator, "template", family, f"a {family}", f"b {family}", expected)


OK, RISKY, OFF, NONE, INFRA = Verdict  # acceptable, risky, off-standard, insufficient-grounding, escalate-infra


@pytest.mark.parametrize(
    ("expected", "base", "changed", "consistent"),
    [
        ("high", OK, OFF, True),
        ("high", NONE, OFF, True),
        ("high", OFF, OFF, False),
        ("high", OK, RISKY, False),
        ("high", OK, NONE, False),
        ("worse", OK, RISKY, True),
        ("worse", RISKY, RISKY, False),
        ("worse", NONE, RISKY, False),
        ("not_better", OK, OK, False),
        ("not_better", RISKY, RISKY, True),
        ("not_better", OFF, RISKY, False),
        ("abstain", OK, NONE, True),
        ("abstain", NONE, NONE, False),
        ("same", OK, OK, True),
        ("same", NONE, NONE, True),
        ("same", OK, RISKY, False),
        ("same", INFRA, INFRA, None),
        ("high", OK, INFRA, None),
    ],
)
def test_consistency(expected, base, changed, consistent) -> None:
    assert pair_result(pair(expected), Answer(base), Answer(changed)).consistent is consistent


def results():
    pairs = [
        Pair("p1", "cap_removed", "template", "f1", "cap one", "open one", "high", ("capped", "uncapped")),
        Pair("p2", "cap_removed", "template", "f2", "cap two", "open two", "high", ("capped", "uncapped")),
        Pair("p3", "cap_made_unlimited", "library", "f3", "cap one", "open three", "high", ("capped", "uncapped")),
        Pair("p4", "names_changed", "library", "f4", "x", "y", "same"),
    ]
    said = {"cap one": OK, "open one": OFF, "cap two": OFF, "open two": OK, "open three": NONE, "x": RISKY, "y": INFRA}
    return answers_of(pairs, {text: Answer(verdict) for text, verdict in said.items()})


def test_hand_worked_figures() -> None:
    table = contrast_metrics(results(), SETTINGS)
    assert (table["pairs"], table["critical_pairs"], table["unscored"]) == (4, 3, 1)
    assert (table["consistency"]["critical"]["count"], table["consistency"]["critical"]["n"]) == (1, 3)
    assert table["operators"]["cap_removed"]["template"]["count"] == 1
    assert table["operators"]["multiple_raised"]["template"]["n"] == 0
    assert capped_uncapped(results()) == {
        "capped": {"capped": 1, "uncapped": 1, "abstained": 0, "infra": 0},
        "uncapped": {"capped": 1, "uncapped": 1, "abstained": 1, "infra": 0},
    }
    assert critical_calls(results()) == {"n": 3, "high": 1, "medium": 0, "low": 1, "abstained": 1, "infra": 0}
    assert critical_evidence(results()) == Critical({"f1": [True], "f2": [False], "f3": [False]}, abstained=1)


def test_critical_clauses_that_could_not_be_asked_are_counted() -> None:
    made = [pair("high", family=name) for name in ("f1", "f2", "f3")]
    said = {p.base: Answer(OK) for p in made} | {p.changed: Answer(INFRA) for p in made}
    found = critical_evidence(answers_of(made, said | {made[0].changed: Answer(OFF)}))
    assert found == Critical({"f1": [True]}, infra=2)


def test_a_pair_kept_by_two_abstentions_is_counted_apart() -> None:
    made = [pair("same", "case_changed", family=name) for name in ("f1", "f2", "f3")]
    said = {p.base: Answer(NONE) for p in made} | {p.changed: Answer(NONE) for p in made}
    said |= {made[0].base: Answer(OK), made[0].changed: Answer(OK), made[1].changed: Answer(RISKY)}
    table = contrast_metrics(answers_of(made, said), SETTINGS)["consistency"]["must_not_move"]
    assert (table["n"], table["count"], table["both_abstained"]) == (3, 2, 1)


def test_the_cluster_of_a_template_pair_is_what_is_tested(pairs) -> None:
    for pair in pairs:
        if pair.source == "library":
            assert pair.family.startswith("family")
        else:
            assert pair.family.startswith("changed:" if pair.critical else "frame:")
    unlimited = {p.family for p in pairs if p.operator == "cap_made_unlimited" and p.source == "template"}
    assert unlimited == {f"changed:{template}" for template in contrast_templates.UNLIMITED}


def test_rows_are_flat() -> None:
    rows = pair_rows([pair_result(pair("same"), Answer(OK), Answer(INFRA, FailureCause.INFRA_TIMEOUT))])
    assert rows[0]["consistent"] is None and rows[0]["changed_cause"] == "infra_timeout"
