"""Quotations in a sentence, and whether they stand in the source word for word.

Convention: a quotation stands between “ ” (nested ones belong to the outer), or between straight
double quotes. An ellipsis (... or [...]) cuts it into pieces that must follow each other.
"""

from __future__ import annotations

import re

from pipeline.grounding.quotes import plain

_STRAIGHT = re.compile('"([^"]+)"')
_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:\.\s?){3}\]|\[…\]|…|(?:\.\s?){3,})\s*")
#: A single word or two in quotes is a defined term or a label, as "P1" is; a longer one is a quotation.
_EDGE = " .,;:"


def quotations(text: str) -> list[str]:
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
    return found + [quote for part in rest for quote in _STRAIGHT.findall(part)]


def without_quotations(text: str) -> str:
    """The claim's own words."""
    for quote in quotations(text):
        text = text.replace(quote, " ", 1)
    return re.sub('[“”"]', " ", text)


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
