from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.corpus.sample import boilerplate, boilerplate_operations, terms_commercial, terms_legal, terms_property
from pipeline.corpus.sample.draws import Draws
from pipeline.corpus.sample.labels import CATEGORIES
from pipeline.corpus.sample.markup import Span, expand, lower_first, strip_marks, upper_first

TOPICS = {
    **boilerplate.ANCHORS,
    **boilerplate.GENERAL,
    **boilerplate_operations.OPERATIONS,
    **terms_commercial.TERMS,
    **terms_legal.TERMS,
    **terms_property.TERMS,
}

SLOTS = (
    *("p", "P", "c", "C", "goods", "territory", "state", "city", "days", "years", "ordinal"),
    *("money", "count", "percent", "nominal", "letter"),
)


def test_choices_nest_and_slots_are_templates() -> None:
    seen = {expand("{a{1|2}|<x>}!", Draws(n), {"x": "{b|c}"}) for n in range(60)}
    assert seen == {"a1!", "a2!", "b!", "c!"}


def test_an_unknown_slot_is_an_error() -> None:
    with pytest.raises(KeyError, match="nobody"):
        expand("<nobody> pays", Draws(1), {})


@pytest.mark.parametrize("template", ["{a|b", "a}", "{a|{b}"])
def test_a_lone_brace_is_an_error(template: str) -> None:
    with pytest.raises(ValueError, match="brace"):
        expand(template, Draws(1), {})


def test_marks_nest() -> None:
    text, spans = strip_marks("one ⟦1:two ⟦23:three⟧⟧ four")
    assert text == "one two three four"
    assert spans == [Span("1", 4, 13), Span("23", 8, 13)]
    with pytest.raises(ValueError, match="mark"):
        strip_marks("⟦1:open")


WORDS = st.text(alphabet="ab c.", max_size=8)


@given(st.lists(st.tuples(WORDS, WORDS), max_size=6))
def test_marked_words_are_found_where_they_stand(pieces: list[tuple[str, str]]) -> None:
    text, spans = strip_marks("".join(f"{plain}⟦X:{marked}⟧" for plain, marked in pieces))
    assert text == "".join(plain + marked for plain, marked in pieces)
    assert [text[span.start : span.end] for span in spans] == [marked for _, marked in pieces]


def test_the_first_letter_skips_marks_and_leaves_names_alone() -> None:
    assert lower_first("⟦1:Neither party⟧ pays") == "⟦1:neither party⟧ pays"
    assert lower_first("⟦1:Supplier's⟧ liability") == "⟦1:Supplier's⟧ liability"
    assert upper_first("⟦1:the Supplier⟧ pays") == "⟦1:The Supplier⟧ pays"
    assert upper_first("") == ""


@pytest.mark.parametrize("topic", sorted(TOPICS))
def test_every_wording_of_a_topic_is_sound(topic: str) -> None:
    """Braces and marks close, slots are known ones, marks name categories, a sentence ends each text."""
    slots = dict.fromkeys(SLOTS, "Thing")
    for template in TOPICS[topic].texts + TOPICS[topic].headings:
        for seed in range(12):
            text, spans = strip_marks(expand(template, Draws(seed), slots))
            assert not set(text) & set("{}|<>⟦⟧¦")
            assert {span.label for span in spans} <= set(CATEGORIES)
            assert all(text[start:end].strip() for _, start, end in spans)
            assert "  " not in text
            assert template in TOPICS[topic].headings or text.endswith(".")


def test_topics_have_several_wordings() -> None:
    assert all(len(topic.texts) >= 2 and len(topic.headings) >= 2 for topic in TOPICS.values())
