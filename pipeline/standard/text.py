"""Clause text, normalised for reading, with the way back to the words as they stand.

Convention: patterns run over ``norm``: lower case, ASCII quotes and dashes, one space for a run of
whitespace, rule lines and invisible characters dropped. ``offsets[i]`` is the place in ``raw`` of
the character that ``norm[i]`` comes from, so that every finding can be quoted verbatim.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_QUOTES = {"“": '"', "”": '"', "„": '"', "‟": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'", "‛": "'"}
_DASHES = dict.fromkeys("‐‑‒–—―−", "-")
_BULLETS = dict.fromkeys("●•▪◦■·", " ")
_FOLD = {**_QUOTES, **_DASHES, **_BULLETS, "`": "'", "´": "'"}
_INVISIBLE = set("\u00ad\u200b\u200c\u200d\u2060\ufeff\x00")
_RULE_LINE = re.compile(r"[-_=]{4,}")
_SENTENCE_END = re.compile(r"[.!?][\"')\]]*\s+(?=[\"'(\[]*[A-Z0-9])")
_NUMBERED = re.compile(r"^\d\.\s+\d$")  # "11. 1": a number with a space in it
_ABBREVIATION = re.compile(r"\b(?:no|nos|inc|ltd|co|corp|art|sec|sect|cl|para|e\.g|i\.e|u\.s|u\.k|mr|ms|vs|approx)\.$")


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of ``Clause.norm``: ``start`` included, ``end`` excluded."""

    start: int
    end: int

    def holds(self, other: Span) -> bool:
        return self.start <= other.start and other.end <= self.end


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause as it stands and as it is read."""

    raw: str
    norm: str
    offsets: tuple[int, ...]

    def quote(self, span: Span) -> str:
        """The clause's own words for ``span``, outer whitespace stripped."""
        if span.end <= span.start:
            return ""
        start = self.offsets[span.start]
        end = self.offsets[span.end - 1] + 1
        return self.raw[start:end].strip()

    def text(self, span: Span) -> str:
        return self.norm[span.start : span.end]

    @property
    def whole(self) -> Span:
        return Span(0, len(self.norm))


def read_text(raw: str) -> Clause:
    """Normalise ``raw``; total, for every string."""
    hidden = {i for match in _RULE_LINE.finditer(raw) for i in range(match.start(), match.end())}
    norm: list[str] = []
    offsets: list[int] = []
    for index, character in enumerate(raw):
        if character in _INVISIBLE:
            continue
        folded = " " if index in hidden or character.isspace() else _FOLD.get(character, character)
        if folded == " ":
            if norm and norm[-1] != " ":
                norm.append(" ")
                offsets.append(index)
            continue
        low = folded.lower()
        norm.append(low if len(low) == 1 else folded)
        offsets.append(index)
    return Clause(raw, "".join(norm), tuple(offsets))


def sentences(clause: Clause) -> list[Span]:
    """The clause cut at sentence ends: a stop, a space and a capital or digit; abbreviations kept."""
    shown = "".join(
        " " if low == " " else clause.raw[index] for low, index in zip(clause.norm, clause.offsets, strict=True)
    )
    spans: list[Span] = []
    start = 0
    for match in _SENTENCE_END.finditer(shown):
        if _NUMBERED.search(shown[max(0, match.start() - 1) : match.end() + 1]):
            continue
        if _ABBREVIATION.search(shown[start : match.start() + 1].lower()[-8:]) or match.end() - start < 12:
            continue
        spans.append(Span(start, match.end()))
        start = match.end()
    if start < len(shown):
        spans.append(Span(start, len(shown)))
    return spans
