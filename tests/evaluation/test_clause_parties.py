"""Who is liable to whom and by whose payments a limit is measured: where it is read, and where it is left open."""

from __future__ import annotations

import pytest

from pipeline.evaluation.clause_parties import other_than, owes, pays, protected_alone


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Vendor's total liability to the Client under this order shall not exceed $5,000.", ("Vendor", "the Client")),
        ("In no event shall Vendor be liable to Client for lost data.", ("Vendor", "Client")),
        ("Vendor shall not be liable to Client, for whatever cause.", ("Vendor", "Client")),
        ("The liability of Vendor to Client for delay is limited to the price.", ("Vendor", "Client")),
        ("IN NO EVENT WILL VENDOR'S LIABILITY TO CLIENT UNDER THIS ORDER EXCEED $5,000.", ("Vendor", "Client")),
        # both ways, for both, or of a party that something else is said of
        ("Vendor's liability to Client is limited. Client's liability to Vendor is limited.", None),
        ("Each party's liability ends here. Vendor shall not be liable to Client.", None),
        ("Vendor shall not be liable to Client. Client shall pay all costs.", None),
        # no name, or one that may be the same party
        ("It shall not be liable to them for anything.", None),
        ("Vendor shall not be liable to Vendor Group for anything.", None),
    ],
)
def test_who_is_liable_to_whom(text: str, expected: tuple[str, str] | None) -> None:
    assert owes(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Liability shall not exceed the fees paid by Client to Vendor hereunder.", ("Client", "Vendor")),
        ("Liability is limited to the price payable to Vendor by the Client.", ("the Client", "Vendor")),
        ("LIABILITY SHALL NOT EXCEED THE AMOUNT RECEIVED BY VENDOR FROM CLIENT.", ("Client", "Vendor")),
        # not what a limit is measured by; both ways; something else is paid
        ("The fees paid by Client to Vendor are final.", None),
        ("Liability is limited to the fees paid by Client to Vendor and paid by Vendor to Client.", None),
        ("Liability is limited to the fees paid by Client to Vendor and any indemnification payments.", None),
    ],
)
def test_by_whose_payments_the_limit_is_measured(text: str, expected: tuple[str, str] | None) -> None:
    assert pays(text) == expected


def test_the_other_party_may_be_known_as_payer() -> None:
    text = "Vendor's total liability shall not exceed the fees paid by Client to Vendor under this order."
    assert protected_alone(text) == "Vendor"
    assert other_than("Vendor", text) == "Client"
    assert other_than("Vendor", "Vendor shall not be liable to Client or its bank, nor liable to Agent.") is None
