"""Quotations (R2): where a text quotes, and whether the words stand in a source.

Convention: typographic quotes, whitespace and line breaks are normalised, and nothing else: letters,
case, digits and punctuation have to agree, and a quotation neither begins nor ends inside a word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_MARKS = str.maketrans(
    {**dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb", '"'), **dict.fromkeys("\u2018\u2019\u201a\u201b", "'")}
)
_SPACE = re.compile(r"\s+")
#: Opening and closing marks, quoted words may hold one pair more; the German closing mark is the English opening one.
_PAIRS = (
    re.compile("\u201e([^\u201e\u201c\u201d]*)[\u201c\u201d]"),
    re.compile("\u201c((?:[^\u201c\u201d]|\u201c[^\u201c\u201d]*\u201d)*)\u201d"),
    re.compile("\u00ab((?:[^\u00ab\u00bb]|\u00ab[^\u00ab\u00bb]*\u00bb)*)\u00bb"),
    re.compile('(?<![A-Za-z0-9])"([^"]*)"'),
    re.compile("(?<!\\w)\u2018((?:[^\u2018\u2019]|\u2019(?=\\w))*)\u2019(?!\\w)"),
)
_ANY_MARK = re.compile('[\u201c\u201d\u201e\u00ab\u00bb"]')


@dataclass(frozen=True, slots=True)
class Quotation:
    """The words between the marks, and where marks and words stand in the text."""

    words: str
    start: int
    end: int


def plain(text: str) -> str:
    return _SPACE.sub(" ", text.translate(_MARKS)).strip()


def quotations(text: str) -> list[Quotation]:
    """Every quotation, in order; where two kinds of marks overlap, the outer or earlier one counts."""
    found: list[Quotation] = []
    taken = bytearray(len(text))
    for pattern in _PAIRS:
        for match in pattern.finditer(text):
            start, end = match.span()
            if not any(taken[start:end]):
                found.append(Quotation(match[1], start, end))
                taken[start:end] = b"\x01" * (end - start)
    return sorted(found, key=lambda q: q.start)


def stray_marks(text: str) -> int:
    """How many quotation marks stand outside every quotation: an opened and never closed one, say."""
    return len(_ANY_MARK.findall(masked(text)))


def masked(text: str, filler: str = " ") -> str:
    """``text`` of the same length with every quotation, marks included, blanked."""
    parts, at = [], 0
    for quotation in quotations(text):
        parts += [text[at : quotation.start], filler * (quotation.end - quotation.start)]
        at = quotation.end
    return "".join([*parts, text[at:]])


def position(words: str, source: str) -> int:
    """Where the plain words begin in the plain source, at whole words; -1 where they do not stand."""
    needle, hay = plain(words), plain(source)
    if not needle:
        return -1
    at = hay.find(needle)
    while at >= 0:
        before, after = hay[at - 1 : at], hay[at + len(needle) : at + len(needle) + 1]
        inside = (before.isalnum() and needle[0].isalnum()) or (after.isalnum() and needle[-1].isalnum())
        if not inside:
            return at
        at = hay.find(needle, at + 1)
    return -1


def verbatim(words: str, source: str) -> bool:
    return position(words, source) >= 0
