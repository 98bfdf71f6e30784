"""Claims about the standard: words quoted for a level of a position must be that level's, not another's.

Convention: the standard comes as :meth:`pipeline.standard.document.Standard.text` gives it: a paragraph a
position, which begins with its id, and a line a level, ``level: words``.
"""

from __future__ import annotations

import re

from pipeline.grounding.quotes import quotations, stands, without_quotations

_POSITION = re.compile(r"\bP\d{1,2}\b")
_LEVEL = re.compile(r"\b(?:meets|departs|off|silent|fails)\b")


def misquoted(claim: str, standard: str) -> str | None:
    """Why what the claim quotes, or says after a colon, is not what the standard says in that place."""
    head, _, said = without_quotations(claim).partition(":")
    quotes = quotations(claim)
    place = _place(head, standard)
    if place is None:
        return "the standard has no such position or level"
    for quote in quotes or ([said] if said.strip() else ()):
        if not stands(quote, place):
            return f"the standard does not say “{quote.strip()}” there"
    return None


def quotes_it(claim: str) -> bool:
    """Whether the claim gives words as the standard's own: after a colon, without quoting them."""
    return not quotations(claim) and bool(without_quotations(claim).partition(":")[2].strip())


def _place(head: str, standard: str) -> str | None:
    """The part of the standard that a claim is about: a level, a position, or all of it."""
    positions, levels = set(_POSITION.findall(head)), set(_LEVEL.findall(head))
    if len(positions) != 1:
        return standard
    name = positions.pop()
    paragraph = next((one for one in standard.split("\n\n") if one.startswith(f"{name} ")), None)
    if paragraph is None or len(levels) != 1:
        return paragraph
    begins = f"{levels.pop()}: "
    lines = (line.strip() for line in paragraph.splitlines())
    return next((line.removeprefix(begins) for line in lines if line.startswith(begins)), None)
