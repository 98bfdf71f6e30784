"""Changes of library clauses: where a pattern fits, and the clauses it must leave alone."""

from __future__ import annotations

import pytest

from pipeline.evaluation.clause_facts import facts
from pipeline.evaluation.contrast_changes import made_total, subjects_swapped, with_exceptions

CAPPED = "Vendor's total liability under this Agreement shall not exceed the fees paid in the last year."


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


@pytest.mark.parametrize(
    ("exception", "swapped"),
    [
        ("gross negligence or willful misconduct", "willful misconduct or gross negligence"),
        ("Vendor's fraud and/or gross negligence", "Vendor's gross negligence and/or fraud"),
        ("death or personal injury caused by a party", "personal injury or death caused by a party"),
        # part of a longer list, or not names of one subject each
        ("theft, fraud or gross negligence", None),
        ("fraud or gross negligence or theft", None),
        ("breach of Section 4 or fraud", None),
    ],
)
def test_two_subjects_of_an_exception_change_places(exception: str, swapped: str | None) -> None:
    clause = "Except for {}, in no event shall either party be liable for indirect damages."
    assert subjects_swapped(clause.format(exception)) == (swapped and clause.format(swapped))
    assert subjects_swapped(f"Neither party shall be liable, even in case of {exception}.") is None  # no exception


def test_exceptions_are_added_to_a_clause_that_has_none() -> None:
    added = "The foregoing limitation of liability shall not apply to fraud or theft."
    waiver = "Neither party shall be liable to the other for any special or consequential damages."
    for clause in (CAPPED, waiver):
        assert with_exceptions(clause, facts(clause), ["fraud", "theft"]) == f"{clause} {added}"
    for clause in (f"Except for fraud, {CAPPED}", f"{waiver} {CAPPED}", "Vendor shall not be liable for any damages."):
        assert with_exceptions(clause, facts(clause), ["fraud", "theft"]) is None
