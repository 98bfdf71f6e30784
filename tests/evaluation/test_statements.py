from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.evaluation.statements import SUBJECTS, amounts, statement, statements


def terms(text: str) -> set[tuple[str, bool]]:
    return set(statement(text).terms)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("both parties", {("mutual", True)}),
        ("not one-sided", {("mutual", True)}),
        ("one-sided", {("mutual", False)}),
        ("not mutual", {("mutual", False)}),
        ("without a ceiling", {("ceiling", False)}),
        ("not unlimited", {("ceiling", True)}),
        ("no lack of exceptions", {("exception", True)}),
        ("no cap, mutual", {("ceiling", False), ("mutual", True)}),  # a negation turns one concept round
        ("no sum is named, mutual", {("mutual", True)}),  # ... and ends with its segment
        ("not limited to indirect loss", {("indirect", True)}),
        ("the cap is not mutual but reciprocal", {("ceiling", True), ("mutual", False), ("mutual", True)}),
        ("not only mutual", {("mutual", True)}),
        ("protects the Agent only", {("mutual", False)}),
        ("Only the Agent", {("mutual", False)}),
        ("Only indirect loss", {("indirect", True)}),
        ("neither the Agent nor the Seller", {("mutual", True)}),
        ("Neither Agent nor Seller", {("mutual", True)}),
        ("Neither a cap nor a waiver", {("ceiling", False), ("exclude", False)}),
    ],
)
def test_terms_and_their_signs(text: str, expected: set) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$2,000,000", {"2000000 money"}),
        ("two million US dollars", {"2000000 money"}),
        ("USD 1.5 million", {"1500000 money"}),
        ("five hundred thousand dollars", {"500000 money"}),
        ("one year", {"12 months"}),
        ("twelve-month", {"12 months"}),
        ("sixty (60) days", {"60 days"}),
        ("two weeks", {"14 days"}),
        ("twenty-five percent and 30%", {"25 percent", "30 percent"}),
        ("three times", {"3 times"}),
        ("$5 or 2 years", {"5 money", "24 months"}),
        ("Section 8 and 12 items", set()),  # a bare number is no amount
    ],
)
def test_amounts_are_normalised(text: str, expected: set) -> None:
    assert amounts(text) == expected


def test_of_a_quotation_count_words_amounts_and_subjects_and_no_signs() -> None:
    said = statement("It reads “Neither party pays more than $500, fraud excepted, to Initech”.")
    assert said.terms == {("fraud", True)}
    assert said.amounts == {"500 money"}
    assert "initec" in said.words


def test_what_is_said_of_other_texts_is_not_said_of_the_clause() -> None:
    said = statements("The cap is one-sided. The cited clause is mutual. The standard's level meets is mutual.")
    assert [one.terms for one in said] == [{("ceiling", True), ("mutual", False)}]


@given(st.text(max_size=80))
def test_any_text_can_be_read(text: str) -> None:
    assert all(name in SUBJECTS or isinstance(sign, bool) for one in statements(text) for name, sign in one.terms)
