"""Changes of library clauses: where a pattern fits, and the clauses it must leave alone."""

from __future__ import annotations

import pytest

from pipeline.corpus.sample.draws import Draws
from pipeline.evaluation.clause_facts import facts
from pipeline.evaluation.contrast_changes import made_total, swallowed_by_exception, without_ceiling

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
        (
            "Neither party shall be liable to the other for any special or consequential damages arising out of this "
            "Agreement.",
            "Supplier shall not be liable to Customer for any damages of any kind whatsoever, whether direct or "
            "indirect, arising out of this Agreement.",
        ),
        (
            "NEITHER PARTY SHALL BE LIABLE FOR INDIRECT OR SPECIAL DAMAGES.",
            "SUPPLIER SHALL NOT BE LIABLE FOR ANY DAMAGES OF ANY KIND WHATSOEVER, WHETHER DIRECT OR INDIRECT.",
        ),
        # less than the whole agreement; an exception; a party of whom more is said
        ("Neither party shall be liable for indirect damages arising from the use of the Products.", None),
        ("Neither party shall be liable for indirect damages arising out of termination of this Agreement.", None),
        ("Neither party shall be liable for indirect damages under this Agreement, except for fraud.", None),
        ("Neither party shall be liable for indirect damages suffered by such party under this Agreement.", None),
        ("Neither party shall be liable for lost profits arising out of this Agreement.", None),
    ],
)
def test_a_mutual_waiver_becomes_the_whole_exclusion_of_one_party(clause: str, changed: str | None) -> None:
    assert made_total(clause, facts(clause)) == changed
