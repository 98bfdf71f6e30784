"""Who pays whom and who is liable to whom: a claim that turns it round. Every text is our own."""

from __future__ import annotations

import pytest

from pipeline.grounding.lexical.checks import why_unsupported
from pipeline.grounding.lexical.flows import OWES, PAYS, Flow, flows, turned


@pytest.mark.parametrize(
    ("text", "flow"),
    [
        ("the fees paid by Tenant to Landlord under this lease", Flow(PAYS, "tenant", "landlord")),
        ("amounts paid or payable to the Landlord by the Tenant", Flow(PAYS, "tenant", "landlord")),
        ("the sums received by Landlord from Tenant", Flow(PAYS, "tenant", "landlord")),
        ("what Tenant pays to Landlord", Flow(PAYS, "tenant", "landlord")),
        ("what Landlord receives from Tenant", Flow(PAYS, "tenant", "landlord")),
        ("by the payments of Tenant to Landlord.", Flow(PAYS, "tenant", "landlord")),
        ("Maker's total liability to Buyer for delay", Flow(OWES, "maker", "buyer")),
        ("in no event shall Maker be liable to Buyer.", Flow(OWES, "maker", "buyer")),
        ("the liability that Maker has to Buyer", Flow(OWES, "maker", "buyer")),
        ("The liability at issue is that of Maker to Buyer.", Flow(OWES, "maker", "buyer")),
        ("Buyer has no claim of any kind against Maker.", Flow(OWES, "maker", "buyer")),
    ],
)
def test_a_flow_is_read_from_either_end(text, flow):
    assert flow in flows(text)


@pytest.mark.parametrize("text", ["neither party is liable to the other", "the fees paid by Tenant", "paid to Maker"])
def test_without_two_named_parties_there_is_no_flow(text):
    assert flows(text) == ()


def test_only_a_flow_that_is_there_the_other_way_round_is_turned():
    source = "Maker's liability to Buyer shall not exceed the fees paid by Buyer to Maker in the last year."
    assert turned("The ceiling is what Maker pays to Buyer.", source) == Flow(PAYS, "maker", "buyer")
    assert turned("The liability is that of Buyer to Maker.", source) == Flow(OWES, "buyer", "maker")
    assert turned("The ceiling is what Buyer pays to Maker.", source) is None
    assert turned("The ceiling is what Dealer pays to Agent.", source) is None
    both = "Maker shall be liable to Buyer, and Buyer shall be liable to Maker."
    assert turned("Buyer is liable to Maker.", both) is None


def test_the_judge_says_who_it_is_not():
    source = "Lender shall not be liable to Borrower for lost profits."
    why = why_unsupported("It deals with the liability that Borrower has to Lender.", source)
    assert why == "in the source it is not borrower that owes lender"
