from __future__ import annotations

import pytest

from pipeline.standard.names import names_in, same_party, tail
from pipeline.standard.parties import Side, bound, cap_bound
from pipeline.standard.text import Span


def _bound(text: str) -> tuple[Side, str]:
    """The side and name of the subject before the bar; what follows the bar comes after the verb."""
    subject, _, after = text.partition("|")
    joined = subject + after
    found = bound(joined, Span(0, len(subject)), Span(len(subject), len(joined)))
    return found.side, found.name


def test_our_liability_is_not_yours() -> None:
    assert not same_party("our", "your")
    assert same_party("our", "us") and same_party("Alder's", "Alder Corp")


@pytest.mark.parametrize(
    "subject",
    [
        "neither party|",
        "either of the parties or its affiliates|",
        "a party that breaches this agreement|",
        "alder and birch| to the other",
        "neither alder nor birch|",
        "either alder or birch|",
        "you nor we|",
        "each of alder and birch|",
        "a participant| to the venture or any other participant",
    ],
)
def test_mutual_subjects(subject: str) -> None:
    assert _bound(subject)[0] is Side.BOTH


@pytest.mark.parametrize(
    ("subject", "name"),
    [
        ("supplier| to buyer", "supplier"),
        ("neither alder nor its affiliates, officers or agents|", "alder"),
        ("alder or its suppliers|", "alder"),
        ("neither alder nor birch| to cedar for", "alder"),
        ("the alder parties|", "alder parties"),
        ("company| to consultant or to any other party", "company"),
    ],
)
def test_one_party_by_name(subject: str, name: str) -> None:
    assert _bound(subject) == (Side.ONE, name)


@pytest.mark.parametrize("subject", ["|", "the arbitration panel|"])
def test_subjects_that_name_nobody(subject: str) -> None:
    assert _bound(subject)[0] is Side.NOBODY


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("each party's total liability shall not exceed", Side.BOTH),
        ("the liability of one party to the other shall not exceed", Side.BOTH),
        ("alder's liability to birch, and birch's liability to alder shall not exceed", Side.BOTH),
        ("each of alder's and birch's liability shall not exceed", Side.BOTH),
        ("maker's entire liability and buyer's exclusive remedy shall not exceed", Side.ONE),
        ("the aggregate liability incurred by maker shall not exceed", Side.ONE),
        ("the maker parties' indemnification obligations shall not exceed", Side.ONE),
        ("any liability of agent shall not exceed", Side.ONE),
        ("maker shall be liable for no more than", Side.ONE),
        ("liability under this deed shall not exceed", Side.NOBODY),
    ],
)
def test_whose_liability_a_cap_limits(text: str, side: Side) -> None:
    trigger = Span(text.index(" shall") + 1, len(text))
    assert cap_bound(text, Span(0, trigger.start), trigger).side is side


def test_lists_leave_generic_members_out() -> None:
    assert names_in("alder, its officers, employees and agents") == ["alder"]
    assert names_in("alder, birch and their affiliates") == ["alder", "birch"]


def test_tail_is_the_last_noun_phrase_but_a_whole_list() -> None:
    text = "in addition, in the event of a breach by birch, alder"
    assert text[tail(text, Span(0, len(text))).start :] == "alder"
    listed = "neither alder, birch, nor their officers"
    assert tail(listed, Span(0, len(listed))).start <= listed.index("birch")


def test_same_party() -> None:
    assert same_party("alder's", "alder")
    assert same_party("the alder group", "alder")
    assert not same_party("alder", "birch")
