from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.corpus.sentences import sentence_ends


def sentences(text: str) -> list[str]:
    ends = sentence_ends(text)
    return [text[start:end].strip() for start, end in zip([0, *ends], ends, strict=False)]


# `|` stands where a sentence ends.
CASES = [
    "The fee is due.| It bears interest.| Who pays? |Supplier! |So it is.",
    "Acme Inc. shall pay Foo Corp. and Bar Co. Ltd. the sum.| Then it ends.",
    "See Sec. 9 and No. 4 of Art. II, e.g. The first one.| Next.",
    "Section 9.2. Limitation of Liability.| Neither party is liable.",
    "9.2. Limitation.| Neither party is liable.|\n10. Term.| It lasts.",
    "As set out in Section 9. Limitation of Liability. |It is capped.",
    "The cap is in Section 9. |It is capped.",
    "Notice within 30. |The notice is written.",
    "The cap is $5,000. |Each party bears its costs.",
    "(a). Each party. |(b) Each other party.",
    "Payment to J. P. Smith of the U.S. Treasury. |It is final.",
    'Sold "as is." |The buyer knows.',
    "The amount (the “Cap”). |It binds.",
    "The amount [***]. |[***] is the rest. |End",
    "THE FEES PAID.| IN NO EVENT SHALL VENDOR BE LIABLE.",
    "A heading\n\n|a paragraph that starts small\n \n|another",
    "one line\nand the next of the same sentence.",
    "liability of 1.5 times the fees; provided that e.g. fraud is out. |Done.",
    "Pay by Dec. 31 of the year, i.e. The last day.",
    "No stop at all",
]


@pytest.mark.parametrize("marked", CASES)
def test_sentences_by_hand(marked: str) -> None:
    expected = [part.strip() for part in marked.split("|")]
    assert sentences(marked.replace("|", "")) == expected


@given(st.text(alphabet='aB1 .!?\n"(Inc', max_size=80) | st.text())
def test_ends_ascend_to_the_length(text: str) -> None:
    ends = sentence_ends(text)
    assert ends[-1] == len(text)
    assert ends == sorted(set(ends))
    assert all(end > 0 for end in ends[:-1])


@given(st.text(alphabet='aB1 .!?\n"(Inc', max_size=80))
def test_no_word_is_cut(text: str) -> None:
    for end in sentence_ends(text)[:-1]:
        assert text[end].isspace()


@pytest.mark.parametrize(
    "text", ["." * 50_000, "A. " * 20_000, "x" * 50_000, "((((" * 10_000 + ". A", "\n \n" * 20_000]
)
def test_hostile_text_takes_no_square_time(text: str) -> None:
    started = time.process_time()
    sentence_ends(text)
    assert time.process_time() - started < 2
