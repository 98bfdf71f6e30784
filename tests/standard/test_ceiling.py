from __future__ import annotations

import pytest

from pipeline.base.types import Level
from pipeline.standard import read_clause
from pipeline.standard.ceiling import Ceiling, ceiling
from pipeline.standard.text import Span, read_text

MEETS, DEPARTS, SILENT = Level.MEETS, Level.DEPARTS, Level.SILENT


def _read(text: str) -> Ceiling:
    norm = read_text(text).norm
    return ceiling(norm, Span(0, len(norm)))


@pytest.mark.parametrize(
    ("amount", "basis", "level"),
    [
        # stated sums
        ("$250,000", MEETS, MEETS),
        ("fifty dollars ($50)", MEETS, DEPARTS),
        # fees: total, period, order
        ("the fees paid under this Agreement", MEETS, MEETS),
        ("the amounts payable in the twelve (12) months before the claim", MEETS, MEETS),
        ("the fees paid during the preceding two years", MEETS, MEETS),
        ("the charges paid in the six months preceding the claim", DEPARTS, MEETS),
        ("the fees for the sixty (60) day term", DEPARTS, MEETS),
        ("one (1) month's fees", DEPARTS, MEETS),
        ("the fee for the month in which the claim arose", DEPARTS, MEETS),
        ("the annual fees", MEETS, MEETS),
        ("the total value of the work order at issue", MEETS, MEETS),
        # one unit or shipment
        ("the purchase price of the goods giving rise to the claim", DEPARTS, MEETS),
        ("the amount paid for the specific product that caused the loss", DEPARTS, MEETS),
        # multiples
        ("two times the fees paid hereunder", MEETS, MEETS),
        ("150% of the annual fees", MEETS, MEETS),
        ("five times the fees paid hereunder", MEETS, DEPARTS),
        ("one half of the fees paid hereunder", MEETS, DEPARTS),
        ("twenty-four (24) times the monthly fee", MEETS, MEETS),
        ("three times the monthly fee", DEPARTS, MEETS),
        # limbs
        ("the lesser of $500,000 and the fees paid in the prior six months", DEPARTS, MEETS),
        ("the greater of $500,000 and the fees paid in the prior six months", MEETS, MEETS),
        ("50% of the fees paid to a maximum of $1,000,000", MEETS, DEPARTS),
        # remedies
        ("replacement of the unit", DEPARTS, SILENT),
    ],
)
def test_basis_and_level(amount: str, basis: Level, level: Level) -> None:
    found = _read(f" {amount}")
    assert found.readable
    assert (found.basis, found.level) == (basis, level)


@pytest.mark.parametrize(
    ("amount", "why"),
    [
        ("[***]", "redacted"),
        ("the fees paid during the [***] preceding the claim", "redacted"),
        ("the amount set forth in Section 11.2", "elsewhere"),
        ("the insurance coverage then in force", "elsewhere"),
        ("", "missing"),
    ],
)
def test_amounts_that_cannot_be_read(amount: str, why: str) -> None:
    found = _read(amount)
    assert (found.readable, found.why, found.basis) == (False, why, SILENT)


def test_a_share_of_a_sum_elsewhere_still_has_a_level() -> None:
    found = _read("40% of whatever Maker owes Buyer under Section 9")
    assert (found.readable, found.level) == (False, DEPARTS)


def test_the_words_are_the_limb_without_its_lead_in() -> None:
    norm = read_text("the lesser of the fees paid hereunder").norm
    found = ceiling(norm, Span(0, len(norm)))
    assert found.basis_words and norm[found.basis_words.start : found.basis_words.end] == "fees paid hereunder"


@pytest.mark.parametrize(
    ("amount", "p2", "p3"),
    [
        ("the greater of $50,000 and ten times the annual fees", Level.MEETS, Level.DEPARTS),
        ("the greater of $50,000 and twice the annual fees", Level.MEETS, Level.MEETS),
        ("the greater of $500 and the annual fees", Level.MEETS, Level.MEETS),
        ("the annual fees or $1,000, whichever is greater", Level.MEETS, Level.MEETS),
        ("the annual fees or $1,000, whichever is less", Level.MEETS, Level.DEPARTS),
        ("the annual fees, multiplied by ten (10)", Level.MEETS, Level.DEPARTS),
        ("the annual fees multiplied by two", Level.MEETS, Level.MEETS),
        ("the annual fees, divided by four", Level.MEETS, Level.DEPARTS),
        ("1,5 times the annual fees", Level.MEETS, Level.MEETS),
        ("the fees paid in the previous quarter", Level.DEPARTS, Level.MEETS),
        ("the fees paid in the previous four quarters", Level.MEETS, Level.MEETS),
    ],
)
def test_arithmetic_of_a_ceiling(amount: str, p2: Level, p3: Level) -> None:
    reading = read_clause(f"Except for fraud, neither party's liability shall exceed {amount}.")
    assert (reading.level("P2"), reading.level("P3")) == (p2, p3)
