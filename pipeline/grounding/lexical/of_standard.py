"""Claims about the standard: words given for a level of a position must be that level's, not another's.

Convention: the standard comes as :meth:`pipeline.standard.document.Standard.text` gives it: a paragraph a
position, which begins with its id and name, and a line a level, ``level: words``. A claim names a place in it,
a position by id or name, a level or both, and gives words as the standard's: in quotation marks, or as its own
sentence beside the place. Either way they have to stand there, word after word; case, punctuation, articles and
forms of "be" do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from pipeline.grounding.lexical.words import KEPT, fold
from pipeline.grounding.quotes import quotations, stands, without_quotations

_HEAD = re.compile(r"(P\d{1,2}) ([^.]+)\.")
_POSITION = re.compile(r"\bP\d{1,2}\b")
_LEVEL = re.compile(r"\b(?:(meets?|met|meeting)|(depart\w*)|(off)|(silen\w+)|(fail\w*))\b")
_CITED_PLACE = re.compile('[“"](P\\d{1,2}|meets|departs|off|silent|fails)[”"]')
_LEVELS = ("meets", "departs", "off", "silent", "fails")
_WORD = re.compile(r"[\w$%]+")
#: Articles and forms of "be", which a sentence of one's own drops or adds.
_SMALL = frozenset(("a", "an", "the", "is", "are", "be", "being"))
#: Stands where a claim names the place, or the standard itself.
_HERE = "\x00"
_SELF = re.compile(r"\bstandards?\b(?:'s)?")
#: Words beside the place that lead to what the standard says and say nothing themselves.
_LEADING_WORDS = """
of at in on for to by as it its this that these those and means meaning mean meant reads read says say said
states stated state stands stand standing defines defined describes described called calls counts counted count
gives given wording words word text s position positions level levels according accordance where when which what
who asks ask asked requires requires demands demanded wants wanted reached reaches applies apply if under with
from has have do does will so here there then clause clauses names puts put sets set treats treated regards
regarded considers considered deems deemed holds held sees found takes taken qualifies rated rates follows
following namely case cases rule thus terms term speaks speak one"""
_LEADS = frozenset(_LEADING_WORDS.split())


class Line(NamedTuple):
    """A line of the standard; ``level`` is empty for what the position asks."""

    position: str
    name: str
    level: str
    words: str
    tokens: tuple[str, ...]


@lru_cache(KEPT)
def _lines(standard: str) -> tuple[Line, ...]:
    found: list[Line] = []
    for paragraph in standard.split("\n\n"):
        head, *levels = paragraph.splitlines() or [""]
        if not (match := _HEAD.match(head)):
            continue
        found.append(Line(match[1], fold(match[2]), "", head, tuple(_words(head))))
        for line in levels:
            level, _, words = line.strip().partition(": ")
            found.append(Line(match[1], fold(match[2]), level, words, tuple(_words(words))))
    return tuple(found)


def judged(claim: str, standard: str) -> str | None:
    """Why what the claim gives as the standard's words is not what it says in that place; empty where its own
    words are the standard's to the letter, so that they need no reading; None where neither is so."""
    claim = _CITED_PLACE.sub(r"\1", claim)
    own, quotes = without_quotations(claim), quotations(claim)
    lines = _lines(standard)
    positions, levels = _named(own, lines)
    if not positions and not levels:
        return None  # of no place in particular: a quotation is checked as of any other text
    places = [
        line for line in lines if (not positions or line.position in positions) and (not levels or line.level in levels)
    ]
    if not places:
        return "the standard has no such position or level"
    if quotes:
        absent = (words for words in quotes if not any(_quoted(words, line) for line in places))
        return next(map(_not_there, absent), None)
    said = list(_said(own, lines))
    if not said:
        return None
    there = any(all(_runs(words, line.tokens) for words in said) for line in places)
    return "" if there else "the standard does not say so there"


def _not_there(words: str) -> str:
    return f"the standard does not say “{words.strip()}” there"


def _named(own: str, lines: Sequence[Line]) -> tuple[frozenset[str], frozenset[str]]:
    """The positions and levels that a claim names; positions by id, or else by name."""
    plain = fold(own)
    positions = set(_POSITION.findall(own))
    positions = positions or {one.position for one in lines if re.search(rf"\b{re.escape(one.name)}\b", plain)}
    levels = {_LEVELS[match.lastindex - 1] for match in _LEVEL.finditer(plain) if match.lastindex}
    return frozenset(positions), frozenset(levels)


def _said(own: str, lines: Sequence[Line]) -> Iterator[list[str]]:
    """What a claim says in its own words on either side of the place that it names, without what leads to it;
    before the place, nothing of which a word is the standard's leads to it as well."""
    names = "|".join(re.escape(name) for name in sorted({line.name for line in lines}))
    plain = _SELF.sub(_HERE, _LEVEL.sub(_HERE, fold(_POSITION.sub(_HERE, own))))
    # A name names the place beside the id, or where there is none; elsewhere it is a word like others.
    beside = rf"{_HERE}[^\w{_HERE}]{{1,3}}" if _POSITION.search(own) else r"\b"
    *before, last = re.sub(rf"{beside}(?:{names})\b", _HERE, plain).split(_HERE)
    known = {word for line in lines for word in line.tokens}
    for index, part in enumerate((*before, last)):
        words = _words(part)
        while words and words[0] in _LEADS:
            del words[0]
        while index < len(before) and words and words[-1] in _LEADS:
            del words[-1]
        if words and (index > 0 or not known.isdisjoint(words)):
            yield words


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(fold(text)) if word not in _SMALL]


def _quoted(words: str, line: Line) -> bool:
    """Whether words stand on a line, whatever their case; "direct" does not stand in "indirect"."""
    return stands(fold(words), fold(line.words)) and set(_words(words)) <= set(line.tokens)


def _runs(words: Sequence[str], there: Sequence[str]) -> bool:
    return any(list(there[at : at + len(words)]) == words for at in range(len(there) - len(words) + 1))
