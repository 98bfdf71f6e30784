"""Claims about the standard: the words of a level are that level's, and the judge holds them to it."""

from __future__ import annotations

import pytest

from pipeline.base.types import Claim, Level
from pipeline.grounding.agents import STANDARD
from pipeline.grounding.lexical.judge import check_claim
from pipeline.grounding.lexical.of_standard import judged
from pipeline.grounding.phrases import standard_sentence

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
        "The standard's level meets of P1 reads “The Car is in the shade”.",
        "The standard counts as departs at P1: the car is in the shade of a house.",
        "The standard asks at P2: A car is short.",
        "What P1 asks for reads “A car stands in the shade”.",
        "The standard says “the car is in the shade”.",
        "The standard is about cars.",
        "At P1, departs means that the car is in the shade of a house.",
        "A car in the shade of a tree meets P1.",
        "By Shade, a car departs in the shade of a house.",
    ],
)
def test_what_stands_in_its_place_is_said_truly(claim):
    assert not judged(claim, TEXT)


@pytest.mark.parametrize(
    "claim",
    [
        "The standard's level departs of P1 reads “the car is in the shade of a tree”.",
        "The standard's level meets of P2 reads “the car is in the shade of a tree”.",
        "P1: the level departs reads “the car is in the shade of a tree”.",
        "The standard counts as meets at P2: the car is shorter than nine metres.",
        "The standard asks at P2: A car stands in the shade.",
        "The standard's level off of P2 reads “the car is shorter than four metres”.",
        "The standard asks at P9: A car is short.",
        "At P1, departs means that the car is in the shade of a tree.",
        "A car in the shade of a tree meets P2.",
        "By Shade, a car meets in the shade of a house.",
        "P2 meets: the car is not shorter than four metres.",
    ],
)
def test_what_stands_elsewhere_is_not(claim):
    assert judged(claim, TEXT)


def test_a_quotation_of_no_place_is_checked_as_of_any_text():
    claim = "The standard says “the car is in the sun”."
    assert judged(claim, TEXT) is None
    assert not check_claim(Claim(claim, STANDARD), TEXT).supported


FORMS = [
    "The standard's level {level} of {id} reads “{words}”.",
    "At {id}, {level} means that {words}.",
    "{id} {level}: {words}.",
    "Under {name}, the level {level} says {words}.",
    "A clause where {words} is {level} at {id}.",
]


def _supported(claim, standard):
    return check_claim(Claim(claim, STANDARD), standard.text()).supported


@pytest.mark.parametrize("form", FORMS)
def test_each_level_has_its_own_words_and_no_other(form, standard):
    levels = [(one, level) for one in standard.positions for level in one.levels]
    for one, level in levels:
        for other, another in levels:
            claim = form.format(id=one.id, name=one.name, level=level.value, words=other.levels[another])
            assert _supported(claim, standard) is ((one, level) == (other, another)), claim


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("position", "level", "words", "instead"),
    [
        ("P1", Level.MEETS, "both parties", "one party"),
        ("P1", Level.OFF, "expressly unlimited", "expressly limited"),
        ("P2", Level.MEETS, "12 months", "6 months"),
        ("P2", Level.MEETS, "paid or payable", "paid and payable"),
        ("P2", Level.OFF, "no ceiling", "a ceiling"),
        ("P3", Level.MEETS, "three times", "five times"),
        ("P3", Level.MEETS, "not nominal", "nominal"),
        ("P3", Level.DEPARTS, "above three times or below one", "below three times or above one"),
        ("P3", Level.DEPARTS, "10,000", "100,000"),
        ("P4", Level.MEETS, "indirect, special", "direct, special"),
        ("P5", Level.FAILS, "without operative", "with operative"),
        ("P5", Level.FAILS, "does not deal", "does deal"),
        ("P6", Level.MEETS, "fraud", "negligence"),
        ("P6", Level.DEPARTS, "without any", "with any"),
    ],
)
def test_a_level_with_one_thing_changed_is_not_the_standards(form, position, level, words, instead, standard):
    said, name = standard.level_text(position, level), standard.position(position).name
    assert words in said
    told = {"id": position, "name": name, "level": level.value}
    assert _supported(form.format(words=said, **told), standard)
    assert not _supported(form.format(words=said.replace(words, instead), **told), standard)


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
