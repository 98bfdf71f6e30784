"""What a clause says of liability: unlimited, limited, capped."""

from __future__ import annotations

import pytest

from pipeline.grounding.lexical.actors import LIABLE, Bound, bound
from pipeline.grounding.lexical.polarity import Says, says


@pytest.mark.parametrize(
    "clause",
    [
        "Neither party's liability under this Agreement is limited in any way.",
        "No party's aggregate liability shall be capped.",
        "Neither party limits its liability.",
        "The liability of Supplier shall be in no way limited.",
    ],
)
def test_a_limit_denied_is_no_limit(clause):
    assert Says.UNLIMITED in says(clause)


def test_a_limit_denied_beyond_a_sum_is_a_limit():
    assert Says.UNLIMITED not in says("Neither party's liability is limited to the fees paid.")


def test_the_liability_of_two_named_parties_is_that_of_each():
    found = bound("The liability of Supplier or Customer is not limited by this Agreement.")
    assert {Bound(LIABLE, "supplier"), Bound(LIABLE, "customer")} <= found
