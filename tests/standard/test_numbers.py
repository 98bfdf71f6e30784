from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.standard.numbers import money, multiples, periods, to_number, words_to_number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("$50", 50),
        ("us $1,000,000.00", 1_000_000),
        ("u.s.$5,000,000", 5_000_000),
        ("$5oo,000", 500_000),  # the letter O typed for a nought
        ("£200,000", 200_000),
        ("eur 2.5 million", 2_500_000),
        ("$20mm", 20_000_000),
        ("$5m;", 5_000_000),
        ("rub 50 000 000", 50_000_000),
        ("25,000 euros", 25_000),
        ("fifty dollars", 50),
        ("two hundred and fifty thousand (250,000) us dollars", 250_000),
        ("fifteen million dollars", 15_000_000),
        ("three hundred ($300,000) thousand dollars", 300_000),
    ],
)
def test_money(text: str, value: float) -> None:
    assert [amount.value for amount in money(f"not exceed {text} in all")] == [value]


def test_a_number_without_a_currency_is_no_money() -> None:
    assert money("within 12 months under section 3.5") == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("two times", 2),
        ("three (3) times", 3),
        ("three times (3x)", 3),
        ("1.5 times", 1.5),
        ("one and a half times", 1.5),
        ("150%", 1.5),
        ("fifty percent (50%)", 0.5),
        ("twenty five per cent", 0.25),
        ("one hundred percent (100%)", 1),
        ("twice", 2),
        ("double", 2),
        ("treble", 3),
        ("one half of", 0.5),
        ("a quarter of", 0.25),
        ("twenty four (24) times", 24),
    ],
)
def test_multiples(text: str, value: float) -> None:
    assert multiples(f"exceed {text} the fees")[0].value == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "months"),
    [
        ("twelve (12) months", 12),
        ("12-month", 12),
        ("six calendar months", 6),
        ("two (2) years", 24),
        ("one quarter", 3),
        ("sixty (60) days", 2),
        ("365 days", 365 / 30),
    ],
)
def test_periods(text: str, months: float) -> None:
    assert periods(f"during the {text} before")[0].value == pytest.approx(months)


def test_a_monthly_fee_is_no_period() -> None:
    assert periods("the monthly fee for the month") == []


_ONES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


@given(st.integers(1, 9), st.integers(1, 9))
def test_hundreds_of_thousands_in_words(hundreds: int, ones: int) -> None:
    words = f"{_ONES[hundreds - 1]} hundred thousand and {_ONES[ones - 1]}"
    assert words_to_number(words) == hundreds * 100_000 + ones


@given(st.integers(0, 10**9))
def test_digits_with_thousands_marks(number: int) -> None:
    assert to_number(f"{number:,}") == number
