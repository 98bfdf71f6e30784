"""Verbatim quotation: the one comparison by which words are said to stand in a text.

Convention (the project's rule for quotations): typographic quotes, dashes, whitespace and line
breaks are normalised, and nothing else; the words and their case have to agree. In a sentence a
quotation stands between “ ” (nested ones belong to the outer), or between straight double quotes; an
ellipsis (... or [...]) cuts it into pieces that must follow each other.
"""

from __future__ import annotations

import re
from functools import lru_cache

#: For how many texts a fact is kept: a clause is read again for every claim about it.
KEPT = 1024
_TYPOGRAPHY = str.maketrans(
    {
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"'),
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4`", "'"),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        "\u00ad": None,  # soft hyphen
        "\ufeff": None,
        "\u200b": None,
    }
)
_SPACE = re.compile(r"\s+")
_STRAIGHT = re.compile('"([^"]+)"')
_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:\.\s?){3}\]|\[…\]|…|(?:\.\s?){3,})\s*")
_MARKS = re.compile('[“”"]')
_EDGE = " .,;:"


@lru_cache(KEPT)
def plain(text: str) -> str:
    """``text`` with ASCII quotes and dashes and single blanks."""
    return _SPACE.sub(" ", text.translate(_TYPOGRAPHY)).strip()


def verbatim(words: str, text: str) -> bool:
    """Whether ``words`` stand in ``text``; empty words stand nowhere."""
    needle = plain(words)
    return bool(needle) and needle in plain(text)


@lru_cache(KEPT)
def quotations(text: str) -> tuple[str, ...]:
    """Every quotation of ``text``, outermost only, in order."""
    found: list[str] = []
    depth = start = 0
    rest: list[str] = []
    cursor = 0
    for index, character in enumerate(text):
        if character == "“":
            if depth == 0:
                rest.append(text[cursor:index])
                start = index + 1
            depth += 1
        elif character == "”" and depth:
            depth -= 1
            if depth == 0:
                found.append(text[start:index])
                cursor = index + 1
    rest.append(text[start - 1 if depth else cursor :])
    return (*found, *(quote for part in rest for quote in _STRAIGHT.findall(part)))


@lru_cache(KEPT)
def without_quotations(text: str) -> str:
    """The claim's own words."""
    for quote in quotations(text):
        text = text.replace(quote, " ", 1)
    return _MARKS.sub(" ", text)


@lru_cache(KEPT)
def stands(quote: str, source: str) -> bool:
    """Whether ``quote`` is in ``source``: typography and blanks apart, word for word. Its first letter
    may be of other case and its outer punctuation is the sentence's, as is usual where one quotes."""
    text = plain(source)
    place = 0
    pieces = [piece.strip(_EDGE) for piece in _ELLIPSIS.split(plain(quote))]
    if not any(pieces):
        return False
    for piece in filter(None, pieces):
        at = min((i for i in (text.find(form, place) for form in _forms(piece)) if i >= 0), default=-1)
        if at < 0:
            return False
        place = at + len(piece)
    return True


def _forms(piece: str) -> set[str]:
    return {piece, piece[0].upper() + piece[1:], piece[0].lower() + piece[1:]}
