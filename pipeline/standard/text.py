"""Clause text, normalised for reading, with the way back to the words as they stand.

Convention: patterns run over ``norm``: lower case, ASCII quotes and dashes, one space for a run of
whitespace, rule lines, tags and invisible characters dropped, character references and styled letters
read as the plain ones. ``offsets[i]`` is the place in ``raw`` of
the character that ``norm[i]`` comes from, so that every finding can be quoted verbatim; ``shown[i]`` is
that character itself, a space where ``norm`` has one.
"""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass

_QUOTES = {"“": '"', "”": '"', "„": '"', "‟": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'", "‛": "'"}
_DASHES = dict.fromkeys("‐‑‒–—―−", "-")
_BULLETS = dict.fromkeys("●•▪◦■·", " ")
_FOLD = {**_QUOTES, **_DASHES, **_BULLETS, "`": "'", "´": "'"}
#: Marks and blanks of usual typography, each for one ASCII character.
_PLAIN = str.maketrans(_FOLD | {"\u00a0": " "})
_BULLETS_ONLY = str.maketrans(_BULLETS)
_BLANK = re.compile(r"\s")
_SURPLUS_BLANKS = re.compile(r"\A\s+|(?<=\s)\s+")
_MARKUP = re.compile(r"</?[A-Za-z]|&[#A-Za-z]")
_INVISIBLE = set("\u00ad\u2060\ufeff\x00") | {chr(c) for c in (*range(0x200B, 0x2010), *range(0x202A, 0x202F))}
_INVISIBLE |= {chr(c) for c in range(0x2066, 0x206A)}
#: Letters that stand for plain ones: full width, ligatures and the mathematical alphabets.
_STYLED = re.compile(r"[\uff01-\uff5e\ufb00-\ufb06\U0001d400-\U0001d7ff]")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,8});")
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")
_BLOCK_TAG = re.compile(r"</?(?:br|p|div|li|ul|ol|td|tr|table|h\d)\b", re.IGNORECASE)
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
    shown: str
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
    return _plain_text(raw) or _any_text(raw)


def _plain_text(raw: str) -> Clause | None:
    """:func:`read_text` for whole texts at once; None where ``raw`` holds a character that is neither
    ASCII nor one of the usual marks, or what may be a tag or a reference."""
    ruled = _RULE_LINE.sub(lambda line: " " * len(line[0]), raw)
    folded = ruled.translate(_PLAIN)
    if not folded.isascii() or "\x00" in folded or _MARKUP.search(folded):
        return None
    kept, start = [], 0
    for surplus in _SURPLUS_BLANKS.finditer(folded):
        kept.append((start, surplus.start()))
        start = surplus.end()
    kept.append((start, len(folded)))

    def one_blank(text: str) -> str:
        return _BLANK.sub(" ", "".join(text[start:end] for start, end in kept))

    offsets = tuple(index for start, end in kept for index in range(start, end))
    return Clause(raw, one_blank(folded).lower(), one_blank(ruled.translate(_BULLETS_ONLY)), offsets)


def _any_text(raw: str) -> Clause:
    hidden = {i for match in _RULE_LINE.finditer(raw) for i in range(match.start(), match.end())}
    marked = _marks(raw)
    norm: list[str] = []
    offsets: list[int] = []
    characters = ((index, one) for index, c in enumerate(raw) for one in marked.get(index, c))
    for index, styled in characters:
        if styled in _INVISIBLE:
            continue
        character = unicodedata.normalize("NFKC", styled)[:1] if _STYLED.match(styled) else styled
        folded = " " if index in hidden or character.isspace() else _FOLD.get(character, character)
        if folded == " ":
            if norm and norm[-1] != " ":
                norm.append(" ")
                offsets.append(index)
            continue
        low = folded.lower()
        norm.append(low if len(low) == 1 else folded)
        offsets.append(index)
    shown = "".join(" " if low == " " else raw[index] for low, index in zip(norm, offsets, strict=True))
    return Clause(raw, "".join(norm), shown, tuple(offsets))


def _marks(raw: str) -> dict[int, str]:
    """What stands in place of the characters of tags and character references: a reference's first
    character stands for it, a tag is dropped or, where it ends a block, a space."""
    marked: dict[int, str] = {}
    for match in _TAG.finditer(raw):
        marked |= dict.fromkeys(range(*match.span()), "")
        marked[match.start()] = " " if _BLOCK_TAG.match(match.group()) else ""
    for match in _ENTITY.finditer(raw):
        shown = html.unescape(match.group())
        if shown != match.group() and match.start() not in marked:
            marked |= dict.fromkeys(range(*match.span()), "")
            marked[match.start()] = shown
    return marked


def sentences(clause: Clause) -> list[Span]:
    """The clause cut at sentence ends: a stop, a space and a capital or digit; abbreviations kept."""
    shown = clause.shown
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
