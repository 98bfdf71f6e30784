from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.corpus import chunk
from pipeline.corpus.chunk import chunk_id, cut
from pipeline.corpus.normalise import sha256
from pipeline.corpus.sentences import sentence_ends


def count_words(texts: Sequence[str]) -> list[int]:
    """A tokenizer in small: a token for every four letters of a word and every mark, and two special ones."""
    found = [re.findall(r"\w{1,4}|[^\w\s]", text) for text in texts]
    return [len(tokens) + 2 for tokens in found]


def pieces(text: str, limit: int) -> list[str]:
    return [text[start:end] for start, end in cut(text, count_words, limit)]


def test_a_text_that_fits_stays_whole() -> None:
    assert cut("  One two. ", count_words, 10) == [(0, 11)]
    assert cut("", count_words, 2) == [(0, 0)]
    assert cut(" \n ", count_words, 2) == [(0, 3)]


def test_cut_at_sentence_ends_as_even_as_they_come() -> None:
    # 4 + 4 + 4 + 4 tokens and two special ones; greedy alone would give 12 + 4
    text = "Aaa bbb ccc. Ddd eee fff. Ggg hhh iii. Jjj kkk lll."
    assert pieces(text, 14) == ["Aaa bbb ccc. Ddd eee fff.", "Ggg hhh iii. Jjj kkk lll."]


def test_a_long_sentence_is_cut_at_spaces() -> None:
    text = "one two six ten own old new"
    assert pieces(text, 6) == ["one two six ten", "own old new"]


def test_a_long_word_is_cut_inside() -> None:
    assert pieces("x" * 40, 6) == ["x" * 10] * 4


def test_a_sentence_end_within_reach_wins_over_a_fuller_piece() -> None:
    text = "Aaa bbb ccc ddd. " + " ".join(f"E{i}" for i in range(12)) + "."
    assert pieces(text, 10)[0] == "Aaa bbb ccc ddd."


def test_a_heading_goes_with_its_sentence() -> None:
    text = "9.2 Cap. " + " ".join(f"E{i}" for i in range(20)) + "."
    assert pieces(text, 16)[0].startswith("9.2 Cap. E0 E1")


def test_no_room_for_a_token() -> None:
    with pytest.raises(ValueError, match="no room"):
        cut("some words here", count_words, 2)


words = st.text(alphabet="aB.é1", min_size=1, max_size=30)
texts = st.lists(words | st.sampled_from(["Inc.", "end. The", "\n\n", " ", "[***]", "(a)", "9."]), max_size=60)


@given(texts.map(" ".join) | st.text(max_size=200), st.integers(3, 20))
@settings(max_examples=300, deadline=None)
def test_pieces_cover_all_in_order_and_within_the_limit(text: str, limit: int) -> None:
    found = cut(text, count_words, limit)
    assert found == cut(text, count_words, limit)
    covered = [False] * len(text)
    last = 0
    for start, end in found:
        assert last <= start <= end <= len(text)
        last = end
        covered[start:end] = [True] * (end - start)
        assert count_words([text[start:end]])[0] <= limit or end - start == 1
    assert all(text[i].isspace() for i, done in enumerate(covered) if not done)
    if len(found) > 1:
        assert all(text[start:end] == text[start:end].strip() != "" for start, end in found)


@given(texts.map(" ".join), st.integers(8, 20))
@settings(max_examples=100, deadline=None)
def test_every_piece_is_itself_one_piece(text: str, limit: int) -> None:
    for start, end in cut(text, count_words, limit):
        assert cut(text[start:end], count_words, limit) == [(0, end - start)]


@given(st.lists(st.integers(1, 9), min_size=2, max_size=12))
@settings(max_examples=100, deadline=None)
def test_sentences_are_packed_into_as_few_pieces_as_they_can(lengths: list[int]) -> None:
    text = " ".join(" ".join(["Aaa"] + ["bbb"] * (n - 1)) + "." for n in lengths)
    limit = 12  # ten tokens beside the special ones; a sentence has n + 1
    found = cut(text, count_words, limit)
    assert {end for _, end in found} <= set(sentence_ends(text))
    fewest, filled = 1, 0
    for n in lengths:  # first fit in order is the fewest where the order is fixed
        fewest, filled = (fewest, filled + n + 1) if filled + n + 1 <= 10 else (fewest + 1, n + 1)
    assert len(found) == fewest


@given(st.text(alphabet="ab .", min_size=1, max_size=60), st.integers(4, 9))
@settings(max_examples=100, deadline=None)
def test_a_counter_that_is_not_additive_keeps_the_limit(text: str, limit: int) -> None:
    def count(batch: Sequence[str]) -> list[int]:  # the whole counts more than its parts
        return [2 + len(part.split()) + len(part) ** 2 // 100 for part in batch]

    for start, end in cut(text, count, limit):
        assert count([text[start:end]])[0] <= limit or end - start == 1


def test_a_very_long_text_takes_linear_time() -> None:
    text = "The total liability of the Supplier shall not exceed the fees. " * 5000
    started = time.process_time()
    found = cut(text, count_words, 256)
    assert time.process_time() - started < 5
    assert len(found) > 200


def test_chunk_id_is_the_digest_of_contract_and_offsets() -> None:
    assert chunk_id("T", 3, 14) == "c" + hashlib.sha256(b"T\x003\x0014").hexdigest()[:12]


def span(title: str, start: int, text: str, *categories: str) -> dict[str, object]:
    end = start + len(text)
    return {
        "span_id": f"s{title}{start}",
        "title": title,
        "start": start,
        "end": end,
        "text": text,
        "sha256": sha256(text),
        "categories": list(categories),
        "family": title.lower(),
        "split": "library",
    }


LONG = "Aaa bbb ccc ddd. Eee fff ggg hhh."


def table() -> list[dict[str, Any]]:
    spans = [span("B", 100, LONG, "Cap"), span("A", 7, "Short one.", "Cap", "Uncapped")]
    negatives = [span("B", 0, "Insurance is kept.", "Insurance")]
    rows = chunk.chunk_spans(spans, chunk.SPAN, count_words, 8)
    return chunk.chunk_table(rows + chunk.chunk_spans(negatives, chunk.NEGATIVE, count_words, 9))


def test_chunks_lie_in_their_contract_and_carry_their_span() -> None:
    chunks = table()
    assert all(set(row) == set(chunk.COLUMNS) for row in chunks)
    assert [[row[c] for c in ("kind", "title", "start", "end", "text", "n_tokens")] for row in chunks] == [
        ["negative", "B", 0, 18, "Insurance is kept.", 8],
        ["span", "A", 7, 17, "Short one.", 6],
        ["span", "B", 100, 116, "Aaa bbb ccc ddd.", 7],
        ["span", "B", 117, 133, "Eee fff ggg hhh.", 7],
    ]
    assert all(row["chunk_id"] == chunk_id(row["title"], row["start"], row["end"]) for row in chunks)
    assert all(row["sha256"] == sha256(row["text"]) for row in chunks)
    assert [row["span_id"] for row in chunks] == ["sB0", "sA7", "sB100", "sB100"]
    assert chunks[1]["categories"] == ["Cap", "Uncapped"]


def test_the_order_of_rows_does_not_matter() -> None:
    spans = [span("B", 100, LONG, "Cap"), span("A", 7, "Short.", "Cap")]
    rows = chunk.chunk_spans(spans, chunk.SPAN, count_words, 8)
    assert chunk.chunk_table(rows) == chunk.chunk_table(rows[::-1])


def test_a_piece_of_two_spans_is_one_chunk_with_both_categories() -> None:
    spans = [span("B", 100, LONG, "Cap"), span("B", 100, LONG[:16], "Uncapped")]
    rows = chunk.chunk_spans(spans, chunk.SPAN, count_words, 8)
    rows += chunk.chunk_spans([span("B", 117, LONG[17:], "Insurance")], chunk.NEGATIVE, count_words, 8)
    chunks = chunk.chunk_table(rows)
    assert [(row["kind"], row["start"], row["categories"]) for row in chunks] == [
        ("span", 100, ["Cap", "Uncapped"]),
        ("span", 117, ["Cap"]),
    ]


def test_no_span_at_all() -> None:
    assert chunk.chunk_table(chunk.chunk_spans([], chunk.SPAN, count_words, 8)) == []


def test_summary_by_hand() -> None:
    found = chunk.summary(table(), spans=2, negatives=1, max_tokens=8)
    assert found["distinct_texts"] == 4
    assert found["span"]["chunks"] == 3
    assert found["span"]["spans"] == 2
    assert found["span"]["spans_cut"] == 1
    assert found["span"]["most_pieces"] == 2
    assert found["span"]["tokens"] == 20
    assert found["span"]["tokens_quantiles"] == {"min": 6, "p10": 6, "p50": 7, "p90": 7, "p99": 7, "max": 7}
    assert found["negative"]["tokens_quantiles"]["p50"] == 8
    assert chunk.summary(table()[:0], 0, 0, 8)["span"]["tokens_quantiles"]["max"] == 0
