from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from pipeline.standard.text import Span, _any_text, _plain_text, read_text, sentences


def test_typographic_marks_are_folded_and_quoted_back_as_they_stand() -> None:
    clause = read_text("“Neither\u00a0 Party’s”\n liability — at\u00ad all")
    assert clause.norm == '"neither party\'s" liability - at all'
    start = clause.norm.index("neither")
    assert clause.quote(Span(start, start + 15)) == "Neither\u00a0 Party’s"


def test_rule_lines_and_bullets_become_one_space() -> None:
    assert read_text("Section 5 ------------- [\u25cf] shall").norm == "section 5 [ ] shall"


def test_letters_that_grow_when_lowered_keep_their_place() -> None:
    clause = read_text("İstanbul Ltd")
    assert clause.quote(Span(0, len(clause.norm))) == "İstanbul Ltd"


def test_sentences_end_at_a_stop_before_a_capital_only() -> None:
    clause = read_text("No. 5 of Birch Inc. is capped at U.S. $5.5 million. Nothing else applies. 11. 1 ends")
    cut = [clause.text(span).strip() for span in sentences(clause)]
    assert cut[0].endswith("$5.5 million.")
    assert cut[1] == "nothing else applies."
    assert len(cut) == 3


def test_an_empty_span_has_no_words() -> None:
    assert read_text("abc").quote(Span(1, 1)) == ""


@given(st.text(max_size=200))
def test_reading_is_total_and_every_quote_is_verbatim(raw: str) -> None:
    clause = read_text(raw)
    assert len(clause.norm) == len(clause.offsets)
    assert clause.quote(clause.whole) in raw
    spans = sentences(clause)
    assert all(a.end == b.start for a, b in pairwise(spans))
    assert "".join(clause.text(span) for span in spans) == clause.norm


_MARKS = st.sampled_from(list("aB .;'-_=\t\n\x1f\x00<>&#“’—●`\u00a0\u200bİé9"))


@given(st.one_of(st.text(max_size=60), st.lists(_MARKS, max_size=60).map("".join)))
def test_whole_texts_at_once_read_as_character_by_character(raw: str) -> None:
    at_once = _plain_text(raw)
    assert at_once is None or at_once == _any_text(raw)


def test_usual_typography_is_read_at_once() -> None:
    assert _plain_text("●  “Neither\u00a0 Party’s”\n liability — ------ `at` all.") is not None
    assert _plain_text("a<b>c") is None
    assert _plain_text("at\u00ad all") is None
