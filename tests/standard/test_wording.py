from __future__ import annotations

import re

import pytest

from pipeline.base.types import Level
from pipeline.standard.text import Span, read_text
from pipeline.standard.wording import MAX_WORDS, MISSING, SENTENCES, Evidence, missing_sentences, note, quote_words


def test_a_quotation_is_cut_to_its_words_and_has_no_quotation_mark() -> None:
    raw = "the “Liability Cap” of Maker " + "and so on " * 30
    clause = read_text(raw)
    words = quote_words(clause, clause.whole)
    assert words in raw
    assert len(words.split()) <= MAX_WORDS
    assert not set(words) & set('“”"')


def test_every_sentence_can_be_written() -> None:
    clause = read_text("neither party nor Maker")
    spans = (Span(0, 13), Span(18, 23))
    for reason, text in SENTENCES.items():
        sentence = note("P1", Evidence(Level.MEETS, reason, spans), clause)
        assert sentence.startswith("P1 meets: ") and sentence.endswith(".")
        assert sentence.count('"') == 2 * len(re.findall(r"{\d}", text))
        # a number in a sentence would have to stand in the clause
        assert not re.search(r"\d", sentence.removeprefix("P1"))


def test_what_is_missing_is_said_once() -> None:
    assert missing_sentences(["redacted", "redacted", "elsewhere"]) == (MISSING["redacted"], MISSING["elsewhere"])


@pytest.mark.parametrize("reason", sorted(MISSING))
def test_missing_sentences_say_that_something_is_missing(reason: str) -> None:
    assert MISSING[reason].startswith("What is missing is ")
