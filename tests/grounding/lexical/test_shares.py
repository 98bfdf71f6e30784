"""Texts that speak of two parties: a claim about one is judged by what the text says of that one.

Every text and claim is our own."""

from __future__ import annotations

import pytest

from pipeline.grounding.lexical import shares
from pipeline.grounding.lexical.actors import BOTH
from pipeline.grounding.lexical.checks import why_unsupported

FEES = (
    "Supplier's total liability shall not exceed the fees paid in the twelve (12) months before the claim. "
    "Customer's liability shall not exceed $500,000."
)
SUMS = "Supplier's liability is limited to $100,000 and Customer's liability is limited to $900,000."
HEADS = "Supplier shall not be liable for lost profits, and Customer shall not be liable for lost data."
OPEN = "Supplier's liability is unlimited; Customer's liability shall not exceed $50,000."
MIRROR = (
    "Supplier shall not be liable to Customer for lost profits, and Customer shall not be liable to Supplier "
    "for lost profits."
)
HALF = (
    "Supplier shall not be liable to Customer for lost profits, and Customer shall be liable to Supplier for "
    "lost profits."
)
EXC = "Except for fraud, Supplier is not liable for lost profits."
MIXED = "Neither party shall be liable for indirect damages, but Licensee's liability is unlimited."
FULL = "Each party is liable for the other's consequential damages without limit."
LEASE = (
    "Lessor's aggregate liability under this lease shall not exceed $40,000, while Lessee's aggregate "
    "liability under this lease shall not exceed $75,000."
)
AUTHOR = (
    "In no event shall Publisher be liable for consequential damages; Author, however, shall be liable for "
    "consequential damages caused by Author's breach."
)
CARRIAGE = (
    "Neither party shall be liable for punitive damages. The liability of Carrier shall be limited to 3,000 "
    "euros. The liability of Shipper shall be without limit."
)
BANK = (
    "Bank shall have no liability to Merchant for loss of data, and Merchant shall have no liability to Bank "
    "for loss of data."
)
FRANCHISE = (
    "The Franchisor's liability is capped at the royalties of the last six months, but the Franchisee's "
    "liability is capped at the royalties of the last twelve months."
)
OWNER = "Except for breach of confidentiality, Owner shall not be liable to Operator for lost revenue."
EACH = "Each of Alder and Birch shall be liable to the other for indirect loss without any limit."

NOR = "In no event will Lender be liable to Borrower nor will Borrower be liable to Lender for incidental damages."

SUPPORTED = [
    (NOR, "P1 meets: the clause protects each side in turn, in the words “Lender” and “Borrower”."),
    (NOR, "Borrower is not liable to Lender."),
    (SUMS, "Supplier's cap is lower than Customer's cap."),
    (SUMS, "Customer's ceiling is higher than Supplier's."),
    (SUMS, "Customer's liability is limited to $900,000."),
    (HEADS, "Supplier is not liable for lost profits."),
    (HEADS, "Customer is not liable for lost data."),
    (OPEN, "Supplier's liability is unlimited."),
    (OPEN, "Customer's liability is capped at $50,000."),
    (MIRROR, "Neither party is liable for lost profits."),
    (MIRROR, "Supplier is not liable to Customer for lost profits."),
    (MIRROR, "Both parties are protected."),
    (HALF, "Supplier is not liable for lost profits."),
    (HALF, "Customer is liable for lost profits."),
    (EXC, "Supplier is not liable for lost profits."),
    (MIXED, "Licensee's liability is unlimited."),
    (MIXED, "Neither party is liable for indirect damages."),
    (FULL, "Each party is liable for the other's consequential damages."),
    (LEASE, "Lessor's cap is below Lessee's cap."),
    (LEASE, "Lessor's ceiling is smaller than Lessee's."),
    (LEASE, "Lessee is liable up to $75,000."),
    (AUTHOR, "Publisher is not liable for consequential damages."),
    (AUTHOR, "Author is liable for consequential damages."),
    (CARRIAGE, "Shipper's liability is unlimited."),
    (CARRIAGE, "Carrier's liability is limited to 3,000 euros."),
    (CARRIAGE, "Neither party is liable for punitive damages."),
    (BANK, "Neither party is liable for loss of data."),
    (BANK, "The protection is mutual."),
    (BANK, "Merchant is not liable to Bank for loss of data."),
    (FRANCHISE, "The Franchisor's liability is capped at the royalties of six months."),
    (OWNER, "Owner is not liable for lost revenue."),
    (OWNER, "Owner is not liable for lost revenue, except for breach of confidentiality."),
]
UNSUPPORTED = [
    (NOR, "Borrower is liable to Lender for incidental damages."),
    (FEES, "Supplier's cap is lower than Customer's cap."),
    (FEES, "Customer may owe more than Supplier."),
    (FEES, "Both caps are equally high."),
    (FEES, "The caps of Supplier and Customer are the same."),
    (SUMS, "Supplier's cap is higher than Customer's cap."),
    (SUMS, "Customer's ceiling is lower than that of Supplier."),
    (SUMS, "Supplier's ceiling is as high as Customer's."),
    (SUMS, "Customer's cap is twice that of Supplier."),
    (SUMS, "Supplier's liability is limited to $900,000."),
    (SUMS, "The ceiling for Customer is $100,000."),
    (SUMS, "Each party's liability is limited to $100,000."),
    (SUMS, "Both caps are $100,000."),
    (HEADS, "Customer is not liable for lost profits."),
    (HEADS, "Supplier is not liable for lost data."),
    (HEADS, "Neither party is liable for lost profits."),
    (OPEN, "Customer's liability is unlimited."),
    (OPEN, "Supplier's liability is capped at $50,000."),
    (OPEN, "Both parties' liability is unlimited."),
    (OPEN, "Neither party's liability is unlimited."),
    (MIRROR, "Only Supplier is protected."),
    (HALF, "Neither party is liable for lost profits."),
    (HALF, "Both parties are protected."),
    (HALF, "Customer is not liable for lost profits."),
    (HALF, "Supplier is liable to Customer for lost profits."),
    (
        HALF,
        "P1 meets: the clause protects each side in turn, in the words “Supplier shall not be liable to Customer” and "
        "“Customer shall be liable to Supplier”.",
    ),
    (EXC, "Supplier is not liable for fraud."),
    (MIXED, "P1 meets: the clause binds both sides alike, in the words “Neither party”."),
    (MIXED, "Both parties are limited alike by the clause."),
    (MIXED, "Neither party's liability is unlimited."),
    (FULL, "Consequential damages are excluded for both parties."),
    (FULL, "P4 meets: indirect loss is excluded for both sides, in the words “consequential damages”."),
    (LEASE, "Lessee's liability is capped at $40,000."),
    (LEASE, "Lessee's ceiling is smaller than Lessor's."),
    (LEASE, "Both ceilings are the same."),
    (LEASE, "Lessor is liable up to $75,000."),
    (AUTHOR, "Author is not liable for consequential damages."),
    (AUTHOR, "Neither side is liable for consequential damages."),
    (AUTHOR, "Publisher is liable for consequential damages."),
    (CARRIAGE, "Carrier's liability is without limit."),
    (CARRIAGE, "Shipper's liability is limited to 3,000 euros."),
    (CARRIAGE, "Both parties' liability is capped."),
    (CARRIAGE, "P1 meets: the clause binds both sides alike, in the words “Neither party”."),
    (BANK, "Only Bank is protected."),
    (BANK, "Merchant is liable to Bank for loss of data."),
    (FRANCHISE, "The Franchisee's liability is capped at the royalties of six months."),
    (FRANCHISE, "The Franchisee's cap is higher than the Franchisor's."),
    (FRANCHISE, "Both parties' liability is capped at the royalties of twelve months."),
    (OWNER, "Owner is not liable for breach of confidentiality."),
    (EACH, "Indirect loss is excluded for both parties."),
    (EACH, "P4 meets: indirect loss is excluded for both sides, in the words “indirect loss”."),
]


@pytest.mark.parametrize(("source", "claim"), SUPPORTED)
def test_what_a_text_says_of_a_party_is_supported(source, claim):
    assert why_unsupported(claim, source) == ""


@pytest.mark.parametrize(("source", "claim"), UNSUPPORTED)
def test_what_it_says_of_the_other_is_not(source, claim):
    assert why_unsupported(claim, source)


def test_a_text_is_cut_where_another_party_begins():
    found = shares.shares(SUMS)
    assert [share.parties for share in found] == [{"supplier"}, {"customer"}]
    assert found[1].text == "customer's liability is limited to $900,000."
    assert shares.parties(MIXED) == {BOTH, "licensee"}
    assert len(shares.shares("Neither party is liable for lost data, lost profits and delay, or for lost use.")) == 1


def test_what_is_said_of_both_is_said_of_each():
    assert "indirect damages" in shares.share_of("licensee", MIXED)
    assert "indirect damages" not in shares.own_share("licensee", MIXED)
    assert shares.share_of("carrier", MIXED) == shares.share_of(BOTH, MIXED)


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("Maker's cap is lower than Buyer's.", ("lower", "buyer")),
        ("Maker's cap is lower than that of Buyer.", ("lower", "buyer")),
        ("The caps of Maker and Buyer are identical.", ("same", "")),
        ("Maker's liability is no greater than the fees that Buyer paid.", None),
        ("Maker shall pay no more than Buyer has paid in a year.", None),
        ("Maker's cap is low.", None),
    ],
)
def test_a_claim_that_compares_two_parties(claim, said):
    assert shares.compares(claim, frozenset({"maker", "buyer"})) == said


@pytest.mark.parametrize(
    ("how", "mine", "other", "true"),
    [
        ("lower", 1, 2, True),
        ("lower", 2, 2, False),
        ("higher", 2, 1, True),
        ("same", 2, 2, True),
        ("twice", 2, 1, False),
    ],
)
def test_ceilings_are_reckoned(how, mine, other, true):
    assert shares.holds(how, mine, other) is true


def test_a_party_without_one_sum_has_none():
    assert shares.sum_of("supplier", SUMS) == 100_000
    assert shares.sum_of("supplier", FEES) is None
    assert shares.sum_of("maker", SUMS) is None
