"""Texts cut to the embedder's window, at sentence ends where they allow it.

A piece is a (start, end) of the text it was cut from. Pieces are in order, do not overlap, carry no
outer whitespace, and leave nothing but whitespace uncovered.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from pipeline.base.records import Rows
from pipeline.corpus.normalise import sha256, span_key
from pipeline.corpus.sentences import sentence_ends
from pipeline.corpus.slice import SPAN_COLUMNS

CountTokens = Callable[[Sequence[str]], list[int]]
SPAN, NEGATIVE = "span", "negative"
#: The columns of data/chunks and their types (``records.write_rows``).
COLUMNS = {"chunk_id": "string", **SPAN_COLUMNS, "kind": "string", "n_tokens": "int64"}
_WORD = re.compile(r"\S+")
_BATCH = 512  # spans counted in one call


class _Unit(NamedTuple):
    """What is never cut: a sentence, or a word of a sentence that is too long. ``tokens`` without
    special tokens; ``ends`` tells whether a sentence ends here."""

    start: int
    end: int
    tokens: int
    ends: bool


def cut(text: str, count_tokens: CountTokens, max_tokens: int) -> list[tuple[int, int]]:
    """Offsets of the pieces of ``text``, none longer than ``max_tokens`` (special tokens included).

    ``[(0, len(text))]`` if the text fits. Else as few pieces as sentence ends allow, as even as
    they come; a sentence that is itself too long is cut at spaces, a word that is too long inside.
    ``count_tokens`` has to be about additive over words: a piece that counts more than its parts is
    cut again. Raises ``ValueError`` where ``max_tokens`` leaves no room for one token.
    """
    if not text.strip() or count_tokens([text])[0] <= max_tokens:
        return [(0, len(text))]
    special = count_tokens([""])[0]
    room = max_tokens - special
    if room < 1:
        raise ValueError(f"max_tokens={max_tokens} leaves no room beside {special} special tokens")
    units = _units(text, count_tokens, special, room)
    pieces = _even(units, room)
    return _checked(text, pieces, count_tokens, max_tokens)


def chunk_id(title: str, start: int, end: int) -> str:
    return f"c{span_key(title, start, end)}"


def chunk_spans(spans: Rows, kind: str, count_tokens: CountTokens, max_tokens: int) -> Rows:
    """The chunks of a table of spans (``slice.SPAN_COLUMNS``), as rows of ``COLUMNS``."""
    from tqdm import tqdm

    rows = []
    for first in tqdm(range(0, len(spans), _BATCH), desc=f"cut {kind}s", unit=f"x{_BATCH}", mininterval=0.5):
        batch = spans[first : first + _BATCH]
        for span, tokens in zip(batch, count_tokens([span["text"] for span in batch]), strict=True):
            # Nearly all spans fit: only the others are cut, and their pieces counted.
            if tokens <= max_tokens:
                rows.append(_row(span, kind, (0, len(span["text"])), tokens))
                continue
            pieces = cut(span["text"], count_tokens, max_tokens)
            sizes = count_tokens([span["text"][start:end] for start, end in pieces])
            rows += [_row(span, kind, piece, size) for piece, size in zip(pieces, sizes, strict=True)]
    return rows


def _row(span: dict[str, Any], kind: str, piece: tuple[int, int], tokens: int) -> dict[str, Any]:
    text = span["text"][slice(*piece)]
    start, end = (span["start"] + offset for offset in piece)
    place = {"chunk_id": chunk_id(span["title"], start, end), "start": start, "end": end}
    return {**span, **place, "text": text, "sha256": sha256(text), "kind": kind, "n_tokens": tokens}


def chunk_table(rows: Rows) -> Rows:
    """The rows sorted by (kind, title, start, end), one row a chunk.

    Two overlapping spans can be cut to the same piece: it keeps the first span's id and the
    categories of both. Where a negative's piece is a span's piece, it is no negative.
    """
    kept: dict[str, dict[str, Any]] = {}
    for row in sorted(
        rows, key=lambda row: (row["kind"] != SPAN, row["title"], row["start"], row["end"], row["span_id"])
    ):
        first = kept.setdefault(row["chunk_id"], row)
        if first is not row and first["kind"] == row["kind"]:
            kept[row["chunk_id"]] = {**first, "categories": sorted({*first["categories"], *row["categories"]})}
    return sorted(kept.values(), key=lambda row: (row["kind"], row["title"], row["start"], row["end"]))


def summary(chunks: Rows, spans: int, negatives: int, max_tokens: int) -> dict[str, Any]:
    """The counts of metrics/chunk.json; quantiles are observed lengths in tokens."""
    result: dict[str, Any] = {"max_tokens": max_tokens, "distinct_texts": len({row["sha256"] for row in chunks})}
    for kind, of in ((SPAN, spans), (NEGATIVE, negatives)):
        part = [row for row in chunks if row["kind"] == kind]
        lengths = sorted(row["n_tokens"] for row in part)
        pieces = Counter(row["span_id"] for row in part).values()
        result[kind] = {
            "spans": of,
            "chunks": len(part),
            "spans_cut": sum(n > 1 for n in pieces),
            "most_pieces": max(pieces, default=0),
            "tokens": sum(lengths),
            "tokens_quantiles": {
                name: lengths[round(share * (len(lengths) - 1))] if lengths else 0
                for name, share in (("min", 0), ("p10", 0.1), ("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("max", 1))
            },
        }
    return result


def _units(text: str, count_tokens: CountTokens, special: int, room: int) -> list[_Unit]:
    sentences = _stripped(text, [0, *sentence_ends(text)])
    units: list[_Unit] = []
    for (start, end), tokens in zip(sentences, _count(text, sentences, count_tokens, special), strict=True):
        if tokens <= room:
            units.append(_Unit(start, end, tokens, True))
            continue
        words = [(start + word.start(), start + word.end()) for word in _WORD.finditer(text[start:end])]
        for word, size in zip(words, _count(text, words, count_tokens, special), strict=True):
            units += [
                _Unit(*part, min(size, room), False) for part in _halves(text, word, size, count_tokens, special, room)
            ]
        units[-1] = units[-1]._replace(ends=True)
    return units


def _halves(
    text: str, word: tuple[int, int], size: int, count_tokens: CountTokens, special: int, room: int
) -> list[tuple[int, int]]:
    """A word in as many halves of halves as it takes; one character is never cut."""
    start, end = word
    if size <= room or end - start == 1:
        return [word]
    middle = (start + end) // 2
    parts = [(start, middle), (middle, end)]
    sizes = _count(text, parts, count_tokens, special)
    return [
        half
        for part, n in zip(parts, sizes, strict=True)
        for half in _halves(text, part, n, count_tokens, special, room)
    ]


def _even(units: list[_Unit], room: int) -> list[tuple[int, int]]:
    """Pack with the smallest limit that needs no more pieces than ``room`` does."""
    best = _pack(units, room)
    low, high = max(unit.tokens for unit in units), room
    while low < high:
        middle = (low + high) // 2
        tried = _pack(units, middle)
        if len(tried) <= len(best):
            best, high = tried, middle
        else:
            low = middle + 1
    return best


def _pack(units: list[_Unit], limit: int) -> list[tuple[int, int]]:
    """Greedy: as much as fits, back to the last sentence end if that keeps half of the limit."""
    total = [0, *accumulate(unit.tokens for unit in units)]
    pieces = []
    first = 0
    while first < len(units):
        last = first
        while last + 1 < len(units) and total[last + 2] - total[first] <= limit:
            last += 1
        if last + 1 < len(units) and not units[last].ends:
            ends = (i for i in range(last, first - 1, -1) if units[i].ends)
            back = next(ends, None)
            if back is not None and 2 * (total[back + 1] - total[first]) >= limit:
                last = back
        pieces.append((units[first].start, units[last].end))
        first = last + 1
    return pieces


def _checked(
    text: str, pieces: list[tuple[int, int]], count_tokens: CountTokens, max_tokens: int
) -> list[tuple[int, int]]:
    """Cut again, in the middle, what counts more as a whole than its parts did."""
    result: list[tuple[int, int]] = []
    for (start, end), tokens in zip(pieces, count_tokens([text[a:b] for a, b in pieces]), strict=True):
        if tokens <= max_tokens or end - start <= 1:
            result.append((start, end))
            continue
        spaces = [start + space.start() for space in re.finditer(r"\s+", text[start:end])]
        middle = min(spaces, key=lambda at: abs(2 * at - start - end), default=(start + end) // 2)
        result += _checked(text, _stripped(text, [start, middle, end]), count_tokens, max_tokens)
    return result


def _stripped(text: str, bounds: list[int]) -> list[tuple[int, int]]:
    """The pieces between neighbouring bounds without outer whitespace; blank ones are left out."""
    pieces = []
    for start, end in pairwise(bounds):
        part = text[start:end]
        if part.strip():
            pieces.append((start + len(part) - len(part.lstrip()), end - (len(part) - len(part.rstrip()))))
    return pieces


def _count(text: str, spans: list[tuple[int, int]], count_tokens: CountTokens, special: int) -> list[int]:
    return [max(0, n - special) for n in count_tokens([text[start:end] for start, end in spans])]
