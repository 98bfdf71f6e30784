"""References to sections, clauses, articles and schedules.

Convention: a reference is its number as written, lower case, without blanks: ``9.2(b)``.
"""

from __future__ import annotations

import re
from functools import lru_cache

from pipeline.grounding.lexical.words import KEPT, fold

_NUMBER = r"(?:\d+(?:\s?\.\s?\d+)*(?:\s?\([a-z0-9]{1,4}\))*|[ivxl]+\b(?:\s?\([a-z0-9]{1,4}\))*|[a-z]\b(?:-\d+)?)"
_HEAD = (
    r"(?:sections?|sec\.|clauses?|articles?|art\.|paragraphs?|para\.|subsections?|schedules?|exhibits?"
    r"|appendix|annex|§+)"
)
_AND = r"(?:,|and|or|to|through|&|,\s*and|,\s*or)"
_REFERENCE = re.compile(rf"(?:\b{_HEAD}|§+)\s*({_NUMBER}(?:\s*{_AND}\s*{_NUMBER})*)")
_ONE = re.compile(rf"(?<![\w.]){_NUMBER}")
_ANY = re.compile(r"\d+(?:\s?\.\s?\d+)+(?:\s?\([a-z0-9]{1,4}\))*|^\s*\d+\.|\(\s?[a-z0-9]{1,4}\s?\)")


@lru_cache(KEPT)
def references(text: str) -> tuple[frozenset[str], tuple[tuple[int, int], ...]]:
    """The references of a sentence, and where they stand in ``fold(text)``."""
    found: set[str] = set()
    places: list[tuple[int, int]] = []
    for match in _REFERENCE.finditer(fold(text)):
        places.append(match.span())
        found.update("".join(one[0].split()) for one in _ONE.finditer(match[1]))
    return frozenset(found - {"a", "o", "i"}), tuple(places)


@lru_cache(KEPT)
def numbering(text: str) -> frozenset[str]:
    """Every number of ``text`` that could be a section: references, and headings without a word."""
    return references(text)[0] | {"".join(match[0].split()).rstrip(".") for match in _ANY.finditer(fold(text))}


def within(asked: str, other: str) -> bool:
    """Whether a reference to ``other`` is one to ``asked`` as well: 9(b) is in 9, but 9.2 is another."""
    return asked == other or other.startswith(f"{asked}(")
