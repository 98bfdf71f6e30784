"""Verbatim means verbatim: typography and blanks apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.grounding.quotes import plain, quotations, stands, verbatim, without_quotations


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It says “not liable”.", ("not liable",)),
        ('It says "not liable" and "at all".', ("not liable", "at all")),
        ("It says “the “Cap” applies” here.", ("the “Cap” applies",)),
        ("nothing", ()),
        ("“unclosed", ()),
    ],
)
def test_quotations(text, expected):
    assert quotations(text) == expected


def test_the_claims_own_words():
    assert plain(without_quotations("It says “not liable” twice.")) == "It says twice."


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("neither party's liability", True),
        ("Neither party’s liability", True),
        ("neither   party's\nliability", True),
        ("neither party's liability.", True),
        ("neither party's ... exceed", True),
        ("neither party's [...] exceed $5", True),
        ("exceed ... neither party's", False),
        ("neither party's Liability", False),
        ("either party's liability shall not", False),
        ("", False),
        ("...", False),
    ],
)
def test_stands(quote, found):
    assert stands(quote, "In any case neither party's liability shall exceed $5.") is found


def test_words_of_a_position_agree_in_case():
    assert verbatim("Neither  Party", "Neither Party is liable")
    assert not verbatim("neither party", "Neither Party is liable")
    assert not verbatim(" ", "anything")


@given(st.text(min_size=1), st.text(), st.text())
def test_what_is_cut_out_of_a_text_stands_in_it(middle, before, after):
    if plain(middle):
        assert verbatim(middle, f"{before} {middle} {after}")


@given(st.text())
def test_every_text_can_be_asked(text):
    quotations(text)
    stands(text, text)
