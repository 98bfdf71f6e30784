"""Changes of ceilings: where a pattern fits, and the clauses it must leave alone."""

from __future__ import annotations

import pytest

from pipeline.corpus.sample.draws import Draws
from pipeline.evaluation.clause_facts import facts
from pipeline.evaluation.contrast_ceilings import (
    made_mutual,
    multiplied,
    swallowed_by_exception,
    with_ceiling,
    without_ceiling,
)

UNLIMITED = "shall be unlimited"
CAPPED = "Vendor's total liability under this Agreement shall not exceed the fees paid in the last year."


@pytest.mark.parametrize(
    ("clause", "changed"),
    [
        (CAPPED, "Vendor's total liability under this Agreement shall be unlimited."),
        (
            "In no event will either party's liability arising out of this Agreement exceed $200,000.",
            "Either party's liability arising out of this Agreement shall be unlimited.",
        ),
        (
            "THE LIABILITY OF EITHER PARTY FOR DAMAGES HEREUNDER IS LIMITED TO THE AMOUNTS PAID BY CLIENT.",
            "THE LIABILITY OF EITHER PARTY FOR DAMAGES HEREUNDER SHALL BE UNLIMITED.",
        ),
        # one warranty, one section, an amount that is not there, an exception, more than the ceiling
        ("Vendor's liability under this warranty shall not exceed the fees paid for the part.", None),
        ("Vendor's liability under Section 4 of this Agreement shall not exceed $100,000.", None),
        ("Vendor's liability under this Agreement shall not exceed $[***].", None),
        ("Vendor's liability under this Agreement shall not exceed the limit set forth in Exhibit B.", None),
        ("Except for fraud, Vendor's liability under this Agreement shall not exceed $100,000.", None),
        (f"{CAPPED} Vendor shall not be liable for delay.", None),
        ("Vendor's liability under this Agreement shall not exceed the fees paid in the", None),
    ],
)
def test_a_ceiling_is_replaced_where_the_clause_is_its_ceiling_alone(clause: str, changed: str | None) -> None:
    assert without_ceiling(clause, facts(clause), UNLIMITED) == changed


def test_an_exception_of_any_breach_is_added_to_a_ceiling() -> None:
    clause = f"Except for fraud, {CAPPED}"
    changed = swallowed_by_exception(clause, facts(clause), Draws(1, "x"))
    assert changed.startswith(f"{clause} The foregoing limitation of liability shall not apply to a")
    assert changed.endswith("of this Agreement.") and "breach of" in changed
    for other in ("Neither party shall be liable for lost profits.", f"{CAPPED} It survives.", CAPPED.rstrip(".")):
        assert swallowed_by_exception(other, facts(other), Draws(1, "x")) is None


@pytest.mark.parametrize(
    ("clause", "changed"),
    [
        (CAPPED, "Vendor's total liability under this Agreement shall not exceed $[***]."),
        # how wide the ceiling is does not matter where its amount is gone
        (
            "Vendor's liability under Section 4 shall not exceed $100,000.",
            "Vendor's liability under Section 4 shall not exceed $[***].",
        ),
        (
            "Vendor's liability shall not exceed the fees, excluding reimbursement of expenses, paid by Client.",
            "Vendor's liability shall not exceed $[***].",
        ),
        # something that can be judged is left, or may be
        (f"Except for fraud, {CAPPED}", None),
        (f"{CAPPED} Vendor shall not be liable for delay.", None),
        ("Vendor's liability shall not exceed $100,000; nor shall it include lost profits.", None),
        ("Vendor's liability shall not exceed $100,000, excluding fines.", None),
    ],
)
def test_the_amount_goes_where_the_clause_is_its_ceiling_alone(clause: str, changed: str | None) -> None:
    assert with_ceiling(clause, facts(clause), "$[***]") == changed


@pytest.mark.parametrize(
    ("cap", "raised"),
    [
        ("the fees paid hereunder", "ten times the fees paid hereunder"),
        ("an amount equal to the total sum of fees paid", "an amount equal to ten times the total sum of fees paid"),
        ("the amount of all fees received", "ten times the amount of all fees received"),
        ("$100,000", None),
        ("the lesser of the fees paid and $100,000", None),
        ("half of the fees paid", None),
        ("the fees paid or $100,000, whichever is greater", None),
    ],
)
def test_a_multiple_stands_before_what_was_paid(cap: str, raised: str | None) -> None:
    clause = f"Vendor's liability shall not exceed {cap}."
    expected = raised and f"Vendor's liability shall not exceed {raised}."
    assert multiplied(clause, facts(clause), "ten times") == expected


@pytest.mark.parametrize(
    ("clause", "changed"),
    [
        (
            "In no event shall Vendor's liability under this Agreement exceed the fees paid hereunder.",
            "In no event shall each party's liability under this Agreement exceed the fees paid hereunder.",
        ),
        (
            "The liability of Vendor for damages hereunder is limited to the fees paid in the last 12 months.",
            "The liability of each party for damages hereunder is limited to the fees paid in the last 12 months.",
        ),
        (
            "EACH PARTY'S LIABILITY SHALL NOT EXCEED ALL FEES PAID UNDER THIS AGREEMENT.",
            "EACH PARTY'S LIABILITY SHALL NOT EXCEED ALL FEES PAID UNDER THIS AGREEMENT.",
        ),
        # a basis that may be narrow
        ("Vendor's liability shall not exceed the fees paid in the last three months.", None),
        ("Vendor's liability shall not exceed the price paid hereunder for the product at issue.", None),
        ("Vendor's liability under Section 4 shall not exceed the fees paid hereunder.", None),
    ],
)
def test_a_broad_ceiling_is_made_each_partys(clause: str, changed: str | None) -> None:
    assert made_mutual(clause, facts(clause)) == changed
