"""Acts: which verb phrases of a sentence do what, and to whom."""

from __future__ import annotations

import pytest

from pipeline.standard.acts import ActKind
from pipeline.standard.finder import find
from pipeline.standard.text import read_text

WAIVER, CAP, REMEDY, TIME_BAR = ActKind.WAIVER, ActKind.CAP, ActKind.REMEDY, ActKind.TIME_BAR


def _kinds(text: str) -> list[ActKind]:
    return [act.kind for found in find(read_text(text)) for act in found.acts]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        # waivers
        ("In no event will a party be answerable for indirect loss.", [WAIVER]),
        ("In no event shall, Maker be liable for indirect loss.", [WAIVER]),
        ("Maker shall in no circumstances be liable for indirect loss.", [WAIVER]),
        ("Each of us waives any claim to punitive damages.", [WAIVER]),
        ("Maker's liability for indirect loss is excluded.", [WAIVER]),
        ("Dealer shall have no rights to damages on termination.", [WAIVER]),
        ("The arbitrator shall not award punitive damages.", [WAIVER]),
        ("A party will only be liable to the other for direct damages.", [WAIVER]),
        ("Maker's liability is limited to gross negligence.", [WAIVER]),
        ("Maker is not liable to Buyer, nor will Buyer be liable to Maker, for indirect loss.", [WAIVER, WAIVER]),
        ("Maker shall not be liable, and shall have no obligation, for any indirect loss.", [WAIVER]),
        # caps
        ("Maker's liability shall not exceed the fees paid.", [CAP]),
        ("Maker shall not be liable for any amount in excess of the fees paid.", [CAP]),
        ("Maker's liability is limited (save for fraud) to $50,000.", [CAP]),
        ("Maker's liability is limited to the fees paid, not to exceed $50,000.", [CAP]),
        ("Maker's liability shall not exceed $50,000 and Buyer's liability shall not exceed $60,000.", [CAP, CAP]),
        ("No party is liable for indirect loss, or for damages in excess of $50,000.", [WAIVER, CAP]),
        # neither
        ("A manager may settle any claim at a price of no more than $7,500.", []),
        ("Losses, including but not limited to fees, are shared.", []),
        ("It is not the case that Maker shall not be liable for indirect loss.", []),
        # remedies and time bars
        ("Repair is Buyer's sole and exclusive remedy.", [REMEDY]),
        ("Maker's responsibility shall be limited to replacement of the goods.", [REMEDY]),
        ("In no event is Maker liable for special loss and remedies are limited to repair.", [WAIVER, REMEDY]),
        ("No action may be brought more than two (2) years after the act.", [TIME_BAR]),
        ("Claims are waived unless made in writing within 90 days.", [TIME_BAR]),
        # others
        ("These limitations shall not apply to fraud.", [ActKind.CARVE_OUT]),
        ("Maker's liability shall be unlimited.", [ActKind.EXPOSURE]),
        ("Maker shall indemnify Buyer against all losses.", [ActKind.EXPOSURE]),
        ("Maker's obligations under Section 4 shall survive for a period of one year.", [ActKind.SURVIVAL]),
        ("The parties shall meet every month.", []),
    ],
)
def test_acts_of_a_sentence(text: str, kinds: list[ActKind]) -> None:
    assert _kinds(text) == kinds


def test_an_exception_is_read_apart_from_the_act_it_qualifies() -> None:
    clause = read_text("Except for fraud, neither party shall be liable for indirect loss.")
    (found,) = find(clause)
    assert [item.subject for item in found.items] == ["fraud"]
    assert "fraud" not in found.masked


def test_a_limit_said_to_be_absent_inside_an_exception_is_no_carve_out() -> None:
    text = "Except for injury (for which no limit applies), in the event Maker is liable, damages shall not exceed $5m."
    assert _kinds(text) == [CAP]


def test_subject_and_object_of_a_waiver() -> None:
    clause = read_text("In addition, if Buyer so asks, Maker shall not be liable for special damages.")
    act = find(clause)[0].acts[0]
    assert clause.quote(act.subject) == "Maker"
    assert clause.quote(act.body) == "for special damages."
