"""Claims about the standard: the words of a level are that level's, and the judge holds them to it."""

from __future__ import annotations

import pytest

from pipeline.grounding.agents import STANDARD
from pipeline.grounding.lexical.judge import check_claim
from pipeline.grounding.lexical.of_standard import misquoted
from pipeline.grounding.phrases import standard_sentence
from pipeline.types import Claim, Level

TEXT = """A standard (standard parking, version 1)

P1 Shade. A car stands in the shade.
  meets: the car is in the shade of a tree
  departs: the car is in the shade of a house
  silent: the clause does not speak to it

P2 Length. A car is short.
  meets: the car is shorter than four metres"""


@pytest.mark.parametrize(
    "claim",
    [
        "The standard's level meets of P1 reads “the car is in the shade of a tree”.",
        "The standard counts as departs at P1: the car is in the shade of a house.",
        "The standard asks at P2: A car is short.",
        "What P1 asks for reads “A car stands in the shade”.",
        "The standard says “the car is in the shade”.",
        "The standard is about cars.",
    ],
)
def test_what_stands_in_its_place_is_quoted_truly(claim):
    assert misquoted(claim, TEXT) is None


@pytest.mark.parametrize(
    "claim",
    [
        "The standard's level departs of P1 reads “the car is in the shade of a tree”.",
        "The standard's level meets of P2 reads “the car is in the shade of a tree”.",
        "The standard counts as meets at P2: the car is shorter than nine metres.",
        "The standard asks at P2: A car stands in the shade.",
        "The standard's level off of P2 reads “the car is shorter than four metres”.",
        "The standard asks at P9: A car is short.",
        "The standard says “the car is in the sun”.",
    ],
)
def test_what_stands_elsewhere_is_not(claim):
    assert misquoted(claim, TEXT)


def test_every_sentence_of_the_auditor_about_the_standard_is_supported(standard):
    said = [(position.id, level) for position in standard.positions for level in position.levels]
    claims = [Claim(standard_sentence(standard, name, level), STANDARD) for name, level in said]
    assert len(claims) >= 15
    assert all(check_claim(claim, standard.text()).supported for claim in claims)


def test_a_level_read_out_for_another_is_not(standard):
    swapped = standard_sentence(standard, "P1", Level.MEETS).replace("meets", "off")
    assert not check_claim(Claim(swapped, STANDARD), standard.text()).supported


def test_the_same_words_about_a_clause_are_no_matter_of_the_standard():
    claim = Claim("P1 meets: both sides are bound, in the words “neither party”.", "clause")
    assert check_claim(claim, "Neither party is liable for lost profits of the other party.").supported
