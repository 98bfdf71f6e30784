"""Who pays whom and who is liable to whom: a claim that turns it round. Every text is our own."""

from __future__ import annotations

import pytest

from pipeline.grounding.lexical.checks import why_unsupported
from pipeline.grounding.lexical.flows import LIABILITY, PAYMENT, SOURCE, TARGET, End, named, stated, turned_round

TEXT = "Maker's liability to Buyer shall not exceed the fees paid by Buyer to Maker in the last year."
#: ``{a}`` pays ``{b}``, and ``{b}`` is liable to ``{a}``.
WAYS = [
    "The ceiling is what {a} pays to {b}.",
    "The ceiling is what {a} has paid {b}.",
    "It is measured by fees paid by {a}.",
    "The fees payable hereunder by {a} are the limit.",
    "It is measured by amounts received by {b} from {a}.",
    "What {b} receives from {a} sets the limit.",
    "{a}'s payments to {b} set the limit.",
    "The limit goes by the payments of {a} to {b}.",
    "The limit looks to sums paid or payable to {b} by {a}.",
    "Money that flows from {a} to {b} sets the limit.",
    "The cap equals the sums which the {b} collects from the {a}.",
    "The liability at issue is that of {b} to {a}.",
    "It deals with the liability that {b} has to {a}.",
    "{b} is liable to {a} only up to a limit.",
    "The clause speaks of {b}'s responsibility towards {a}.",
    "The exposure of {b} to {a} is capped.",
    "{b} answers to {a} up to a limit.",
    "{a} holds {b} liable up to a limit.",
    "It limits what {a} can recover from {b}.",
    "{a}'s recourse against {b} is limited.",
    "The claims of {a} against {b} are limited.",
]


@pytest.mark.parametrize("way", WAYS)
def test_a_claim_is_supported_one_way_round_and_not_the_other(way):
    assert why_unsupported(way.format(a="Buyer", b="Maker"), TEXT) == ""
    assert why_unsupported(way.format(a="Maker", b="Buyer"), TEXT)


@pytest.mark.parametrize(
    "source",
    [
        "liability is limited to the amounts paid to Landlord by Tenant.",
        "liability is limited to the amounts received by Landlord from Tenant.",
        "liability is limited to what Tenant has actually paid to Landlord.",
        "liability is limited to the amounts to be paid by Tenant.",
        "liability is limited to the rent that Landlord collects.",
        "liability is limited to the payments made by Tenant under this lease.",
        "LIABILITY IS LIMITED TO THE AMOUNTS PAYABLE HEREUNDER BY TENANT.",
    ],
)
def test_a_payer_is_read_in_any_form(source):
    assert turned_round("The limit goes by the payments of Tenant to Landlord.", source) is None
    assert turned_round("The limit goes by the payments of Landlord to Tenant.", source)


def test_what_the_source_does_not_say_of_payments_is_not_supported():
    source = "Maker's liability to Buyer shall not exceed $5,000."
    assert turned_round("The limit goes by the payments of Buyer.", source) == "the source does not say who pays whom"
    assert turned_round("Maker's liability to Buyer is limited to an amount of $5,000.", source) is None


def test_what_is_said_of_both_is_said_of_either():
    each = "Each party shall be liable to the other. The limit is the sum paid by either party. Buyer and Maker agree."
    for claim in ("Buyer is liable to Maker.", "The limit is what Maker pays to Buyer."):
        assert turned_round(claim, each) is None
    mirrored = "Maker shall be liable to Buyer, and Buyer shall be liable to Maker."
    assert turned_round("The liability is that of Buyer to Maker.", mirrored) is None


def test_goods_made_or_services_rendered_are_no_payments():
    source = "Liability is limited to the fees paid by Buyer for goods made by Maker and services rendered to Dealer."
    found = stated(source, source)
    assert End(PAYMENT, SOURCE, "buyer") in found
    assert {one.party for one in found} == {"buyer"}


def test_the_ends_of_a_claim():
    claim = "Maker's liability to Buyer is limited to the fees paid by Buyer."
    assert stated(claim, TEXT) == {
        End(LIABILITY, SOURCE, "maker"),
        End(LIABILITY, TARGET, "buyer"),
        End(PAYMENT, SOURCE, "buyer"),
    }
    assert stated("Maker and Buyer are liable to one another.", TEXT) == {End(LIABILITY, SOURCE, "buyer")}


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("Maker's liability to the buyer is limited.", ("buyer", "maker")),
        ("Liability to Buyer is limited.", ("buyer",)),
        ("The Annual Payment made by Buyer counts.", ("buyer",)),
        ("Section 3 binds Dealer.", ()),
    ],
)
def test_who_is_named(claim, expected):
    source = "Annual Payment by Buyer to Maker. Liability under Section 3 is limited."
    assert named(claim, source) == expected


def test_the_judge_says_who_it_is_not():
    source = "Lender shall not be liable to Borrower for lost profits."
    why = why_unsupported("It deals with the liability that Borrower has to Lender.", source)
    assert why == "in the source it is not borrower that is liable"
