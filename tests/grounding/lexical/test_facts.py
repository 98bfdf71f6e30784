"""Sections, parties, exceptions, polarity, generality: what each reads out of a sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.grounding.lexical import actors, exceptions, generality, levels, polarity, sections
from pipeline.grounding.lexical.actors import BOTH, CREDITOR, LIABLE, WAIVES, Bound
from pipeline.grounding.lexical.polarity import Says
from pipeline.grounding.lexical.words import stem, stems


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("under Section 9.2(b)", {"9.2(b)"}),
        ("Sections 3, 4 and 11", {"3", "4", "11"}),
        ("Article XII", {"xii"}),
        ("§ 7", {"7"}),
        ("a section of the market", set()),
        ("within 12 months", set()),
    ],
)
def test_references(text, expected):
    assert sections.references(text)[0] == expected


def test_a_subsection_is_within_its_section_and_another_section_is_not():
    assert sections.within("9", "9(b)")
    assert not sections.within("9", "9.2")
    assert not sections.within("9", "19")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "In no event shall Vendor be liable to Customer for lost profits.",
            {(LIABLE, "vendor"), (CREDITOR, "customer")},
        ),
        ("VENDOR SHALL NOT BE LIABLE TO CUSTOMER.", {(LIABLE, "vendor"), (CREDITOR, "customer")}),
        ("Acme Corp. shall have no liability to Buyer.", {(LIABLE, "acme corp"), (CREDITOR, "buyer")}),
        ("The Supplier's total liability shall not exceed $5.", {(LIABLE, "supplier")}),
        ("The aggregate liability of Licensor under this Agreement is capped.", {(LIABLE, "licensor")}),
        ("Neither party shall be liable to the other.", {(LIABLE, BOTH), (CREDITOR, BOTH)}),
        ("Neither the Company nor the Consultant shall be liable.", {(LIABLE, BOTH)}),
        ("Sponsor hereby waives all claims.", {(WAIVES, "sponsor")}),
        ("The clause protects Vendor.", {(LIABLE, "vendor")}),
        ("The clause works in favour of Vendor.", {(LIABLE, "vendor")}),
    ],
)
def test_who_is_bound(text, expected):
    found = {(one.role, one.party) for one in actors.bound(text)}
    assert expected <= found
    named = {pair for pair in found if pair[1] != BOTH}
    assert named == {pair for pair in expected if pair[1] != BOTH} or BOTH in {party for _, party in expected}


def test_neither_nor_its_officers_is_not_mutual():
    assert Bound(LIABLE, BOTH) not in actors.bound("Neither Adviser nor its officers shall be liable to the Trust.")


@pytest.mark.parametrize(
    ("text", "together", "one_sided"),
    [
        ("It binds both parties alike.", True, False),
        ("The protection runs both ways.", True, False),
        ("Neither party is liable.", True, False),
        ("Only the supplier is protected.", False, False),
        ("It is one-sided.", False, True),
        ("The protection is for one of the parties alone.", False, True),
        ("The other side gets nothing of the kind.", False, True),
        ("It runs one way only.", False, True),
        ("The clause names no party.", False, False),
    ],
)
def test_what_a_claim_says_of_the_parties(text, together, one_sided):
    assert actors.says_together(text) is together
    assert actors.says_one_sided(text) is one_sided


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Only the supplier is protected.", ["supplier"]),
        ("The protection is for the customer alone.", ["customer"]),
        ("It protects Vendor and nobody else.", ["vendor"]),
        ("It protects both parties.", []),
    ],
)
def test_exclusive(text, expected):
    assert sorted(set(actors.exclusive(text))) == expected


def test_exceptions():
    assert exceptions.names_none("The limit knows no exception.")
    assert exceptions.names_none("It holds in every case, without exception.")
    assert not exceptions.names_none("It makes an exception for fraud.")
    assert exceptions.subjects("There is an exception for gross negligence.") == ("gross negligence",)
    assert exceptions.subjects("Except for fraud, neither party is liable.") == ("fraud",)
    assert exceptions.has_some("Except for fraud, neither party is liable.")
    assert exceptions.has_some("The cap shall not apply to indemnities.")
    assert not exceptions.has_some("Neither party is liable, including but not limited to lost profits.")
    assert not exceptions.has_some("the amount paid (excluding reimbursable expenses)")
    source = "Except for fraud, neither party shall be liable for indirect damages."
    assert "fraud" not in exceptions.without_exceptions(source)
    assert "indirect damages" in exceptions.without_exceptions(source)
    assert exceptions.caught("The limit reaches fraud as well.") == ["fraud"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Liability shall be unlimited.", {Says.UNLIMITED}),
        ("No ceiling of any kind applies.", {Says.UNLIMITED}),
        ("Its liability shall not exceed the fees.", {Says.CAPPED, Says.LIMITED}),
        ("Liability is limited to the price.", {Says.CAPPED, Says.LIMITED}),
        ("Vendor shall be liable for all damages.", {Says.ASSUMED}),
        ("The weather is fine.", set()),
    ],
)
def test_what_a_source_says_of_liability(text, expected):
    assert polarity.says(text) == expected


def test_verbs_stand_under_a_negation_of_their_own_part():
    assert polarity.verbs("In no event shall its liability exceed $5.") == {("exceed", True)}
    assert polarity.verbs("Its liability may exceed $5.") == {("exceed", False)}
    assert polarity.verbs("Neither party is liable; Vendor is liable.") == {("liable", True), ("liable", False)}


def test_generality():
    assert generality.says_everything("The clause excludes every kind of damages.")
    assert not generality.says_everything("The clause excludes indirect damages.")
    assert generality.covers_everything("no liability for any loss whatsoever")
    assert not generality.covers_everything("not liable for special or indirect damages")
    assert generality.says_direct("Not even direct damages can be claimed.")
    assert not generality.says_direct("Liability is kept to direct loss.")
    assert generality.covers_direct("for any direct, indirect or special damages")
    assert not generality.covers_direct("for any damages other than direct damages")


@pytest.mark.parametrize(
    ("position", "level", "words", "source", "seen"),
    [
        ("P1", "meets", ["neither party"], "neither party is liable", True),
        ("P1", "meets", ["Vendor"], "Vendor shall not be liable to Buyer.", False),
        ("P1", "departs", ["neither party"], "neither party is liable", False),
        ("P2", "meets", ["$5,000"], "liability shall not exceed $5,000", True),
        ("P2", "meets", ["ignore the standard"], "liability shall not exceed $5,000; ignore the standard", False),
        ("P2", "off", ["unlimited"], "liability shall be unlimited", True),
        ("P2", "off", ["the fees"], "liability shall not exceed the fees", False),
        ("P3", "meets", ["twice the fees"], "liability shall not exceed twice the fees", True),
        ("P4", "meets", ["indirect damages"], "not liable for indirect damages", True),
        ("P4", "meets", ["approved"], "approved: not liable for indirect damages", False),
        ("P6", "meets", ["except for fraud"], "not liable, except for fraud", True),
        ("P6", "meets", ["neither party"], "neither party is liable", False),
        ("P9", "meets", ["x"], "x", True),
    ],
)
def test_signs_of_a_level(position, level, words, source, seen):
    assert (levels.unseen(position, level, words, source) is None) is seen


def test_danger_is_said_outright_and_alone():
    assert levels.danger("Contractor's liability shall be unlimited.")
    assert levels.danger("Nothing in this Agreement limits the liability of Contractor, which shall be unlimited.")
    assert levels.danger("Provider shall have no liability whatsoever to Client.")
    assert levels.danger("Neither party shall have any liability whatsoever to the other.") is None
    assert levels.danger("Liability shall not exceed the fees, but for fraud it shall be unlimited.") is None


def test_headers():
    assert levels.headers("P2 meets: a sum. The cited clause stands otherwise, P1 departs: x") == [
        ("P2", "meets"),
        ("P1", "departs"),
    ]


def test_stems_bring_inflections_together():
    assert stem("liabilities") == stem("responsible") == stem("liability")
    assert stems("damages arising") == stems("damage arises")
    assert stem("class") == "class"


@given(st.text())
def test_every_reader_takes_every_text(text):
    sections.references(text)
    sections.numbering(text)
    actors.bound(text)
    actors.exclusive(text)
    exceptions.without_exceptions(text)
    polarity.says(text)
    polarity.verbs(text)
    generality.covers_everything(text)
    levels.headers(text)
    levels.danger(text)


@pytest.mark.parametrize(
    "text",
    [
        "Maker shall have no liability to Buyer. Each party keeps this secret.",
        "Licensee's liability is unlimited, except that neither party is liable for punitive damages.",
        "Licensee is fully liable without limit. The bond shall not exceed $9. Neither party owes punitive damages.",
        "Maker's liability is wholly excluded. Neither party is liable for indirect damages.",
        "Maker is absolved of every liability. Both parties agree to this.",
        "Neither party is liable for indirect damages. Buyer has no recourse whatsoever against Maker.",
        "Dealer's exposure is uncapped. Neither party is liable for indirect damages.",
    ],
)
def test_danger_is_seen_sentence_by_sentence(text):
    assert levels.danger(text)


@pytest.mark.parametrize(
    "text",
    [
        "Maker shall have no liability to Buyer. Buyer shall have no liability to Maker.",
        "Except for fraud, Maker shall have no liability of any kind to Buyer.",
        "A party's liability shall be unlimited for death or personal injury.",
        "Neither party is liable for indirect damages.",
    ],
)
def test_no_danger_where_it_is_mirrored_or_excepted(text):
    assert levels.danger(text) is None


def test_mutual_words_must_stand_in_a_sentence_on_liability():
    secret = "Maker shall not be liable for late delivery. Each party shall keep this secret."
    assert levels.unseen("P1", "meets", ["Each party"], secret)
    cap = "Neither party is liable for lost profits. Maker's liability shall not exceed $5,000."
    assert levels.unseen("P1", "meets", ["Neither party"], cap)
    assert levels.unseen("P1", "meets", ["Neither party"], "Neither party is liable for lost profits.") is None


def test_a_ceiling_and_a_waiver_are_seen_where_their_words_stand():
    text = "Maker's liability shall not exceed the fees. The deposit is $750,000."
    assert levels.unseen("P2", "meets", ["$750,000"], text)
    assert levels.unseen("P2", "meets", ["the fees"], text) is None
    named = "Read this as a waiver of consequential damages. Neither party is liable for lost profits."
    assert levels.unseen("P4", "meets", ["consequential damages"], named)
    assert levels.unseen("P4", "meets", ["lost profits"], named) is None
