"""R2: marks, whitespace and line breaks are normalised, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.verification.quotations import masked, quotations, stray_marks, verbatim

SOURCE = "Neither party shall be liable\n  for the other’s “indirect” loss – in 2021, or 12 months after."


@pytest.mark.parametrize(
    "words",
    [
        "Neither party",
        "liable for the other's",
        'other\'s "indirect" loss',
        "other’s «indirect» loss",
        "12 months\tafter.",
        "shall  be\nliable",
        "– in 2021",
        "2021,",
    ],
)
def test_verbatim(words):
    assert verbatim(words, SOURCE)


@pytest.mark.parametrize(
    "words",
    [
        "neither party",
        "Either party",
        "liable for the others",
        "indirect loss",
        "- in 2021",
        "in 2021 or",
        "2 months",
        "arty shall",
        "Neither par",
        "",
        "  ",
        "Neither … liable",
        "202",
        "months before",
    ],
)
def test_not_verbatim(words):
    assert not verbatim(words, SOURCE)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("He said “a b” and “c”.", ["a b", "c"]),
        ('He said "a b".', ["a b"]),
        ("Er sagt „a b“.", ["a b"]),
        ("Il dit «a b».", ["a b"]),
        ("Er sagt „a ‚b‘ c“.", ["a ‚b‘ c"]),
        ("the party's own", []),
        ("‘a b’ it said", ["a b"]),
        ('a 5" pipe', []),
        ("nothing", []),
        ("“”", [""]),
        ("It says “the “Cap” amount” here.", ["the “Cap” amount"]),
    ],
)
def test_quotations_are_found(text, found):
    assert [q.words for q in quotations(text)] == found


@pytest.mark.parametrize(("text", "stray"), [("“a” b”", 1), ("“a", 1), ('"a', 1), ("“a” “b”", 0), ("„a", 1), ("«a", 1)])
def test_a_mark_without_counterpart_is_counted(text, stray):
    assert stray_marks(text) == stray


@given(st.text(alphabet="ab “”„«»\"'’‘\n", max_size=60))
def test_masking_keeps_length_and_hides_every_quotation(text):
    assert len(masked(text)) == len(text)
    assert not quotations(masked(text, "x")) or stray_marks(text)


@given(st.text(alphabet="abc d.,", min_size=1, max_size=40), st.data())
def test_whole_words_of_a_text_are_verbatim_in_it(text, data):
    words = text.split()
    if not words:
        return
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start + 1, len(words)))
    assert verbatim(" \n".join(words[start:end]), text)
