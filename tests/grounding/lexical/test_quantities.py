"""Quantities in words and digits, hand-worked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.grounding.lexical.quantities import Quantity, quantities, spelled_value


def read(text: str) -> list[tuple[float, str]]:
    return [(quantity.value, quantity.unit) for quantity in quantities(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the fees of the twelve (12) months before", [(12, "month")]),
        ("a twelve-month period", [(12, "month")]),
        ("two years", [(24, "month")]),
        ("one (1) year", [(12, "month")]),
        ("within ninety (90) days", [(90, "day")]),
        ("three weeks", [(21, "day")]),
        ("$1,000,000", [(1_000_000, "money")]),
        ("US$ 25,000.50", [(25_000.5, "money")]),
        ("one million dollars", [(1_000_000, "money")]),
        ("€2.5 million", [(2_500_000, "money")]),
        ("one hundred and fifty thousand euros", [(150_000, "money")]),
        ("$5m", [(5_000_000, "money")]),
        ("50%", [(0.5, "ratio")]),
        ("fifty percent", [(0.5, "ratio")]),
        ("two times the fees", [(2, "ratio")]),
        ("twice the fees", [(2, "ratio")]),
        ("3x the fees", [(3, "ratio")]),
        ("one quarter of the fees", [(0.25, "ratio")]),
        ("one-half of the price", [(0.5, "ratio")]),
        ("a third party", []),
        ("neither one of the two parties", []),
        ("no quantity at all", []),
    ],
)
def test_what_is_read(text, expected):
    assert read(text) == expected


def test_the_same_amount_agrees_however_it_is_written():
    def agree(one: str, other: str) -> bool:
        return quantities(one)[0].agrees(quantities(other)[0])

    assert agree("12 months", "one year")
    assert agree("$1,000,000", "one million dollars")
    assert agree("200%", "two times")
    assert not agree("$10,000", "€10,000")
    assert not agree("12 months", "12 days")
    assert not agree("$1,000,000", "$100,000")


def test_a_section_number_is_no_quantity():
    assert quantities("Section 12 applies", skip=((0, 10),)) == ()


def test_a_bare_number_agrees_with_any_unit_and_a_unit_with_no_bare_number():
    assert Quantity(12, "").agrees(Quantity(12, "month"))
    assert not Quantity(12, "month").agrees(Quantity(12, ""))


@given(st.integers(0, 999))
def test_spelled_numbers_are_read_back(number):
    assert spelled_value(spell(number)) == number


@given(st.text())
def test_every_text_is_read(text):
    quantities(text)


ONES = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen"""
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"


def spell(number: int) -> str:
    if number < 20:
        return ONES.split()[number]
    if number < 100:
        rest = number % 10
        return TENS.split()[number // 10 - 2] + (f"-{ONES.split()[rest]}" if rest else "")
    rest = number % 100
    return f"{ONES.split()[number // 100]} hundred" + (f" and {spell(rest)}" if rest else "")
