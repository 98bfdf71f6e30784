"""Exceptions: what a limit does not reach, item by item, against the list that the standard permits.

The items of a region (see ``leadins``) are judged one by one: permitted, outside the list, named by
section number alone, left open ("except as otherwise provided"), or so wide that they swallow the rule.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from pipeline.standard.names import MUTUAL, same_party
from pipeline.standard.references import REFERENCE
from pipeline.standard.subjects import LIMITLESS, NAMED_PARTY, OPEN, OUTSIDE, PERMITTED, SWEEPING, WIDE
from pipeline.standard.text import Span


class Kind(StrEnum):
    PERMITTED = "permitted"
    OUTSIDE = "outside"
    NUMBER = "number"  # a section by number alone
    OPEN = "open"
    WIDE = "wide"  # ordinary breach of the agreement itself


@dataclass(frozen=True, slots=True)
class Item:
    """One exception; ``subject`` names the permitted subject, ``party`` the party it exposes, if named."""

    kind: Kind
    span: Span
    subject: str = ""
    party: str = ""


#: "any breach, default or violation of confidentiality": what is breached is still to come.
_ENDS = re.compile(r"\W*(?:$|[.;)])")
_ENUMERATOR = re.compile(
    r"\((?:[ivx]{1,4}|[a-z]|\d{1,2})\)|;|\b[ivx]{1,3}\)|\b\d\)|\b(?:or|and|and/or|nor)\b|[,:]|\bor\b"
)
_TITLE = re.compile(
    r"\s*[(\[\"](?P<title>[a-z][^)\]\"]{2,80})[)\]\"]|\s*,? (?:entitled|titled|regarding|relating to"
    r"|headed) \"?(?P<named>[a-z][a-z ,&]{3,60})\"?"
)
_LOOSE_TITLE = re.compile(
    r", (?P<title>(?:confidential(?:ity)?(?: information| obligations)?|indemni\w+"
    r"|intellectual property(?: rights)?|non-?disclosure|ownership|proprietary rights))(?=[,;. ]|$)"
)
_CONTINUES = re.compile(
    r"^\W*(?:(?:as|and|which|are|is) )*(?:set forth|set out|provided|described|specified|contained|defined|under"
    r"|pursuant to|herein|payable|owing|owed|due|accrued|paid)\b[^§]*§"
    r"|^\W*(?:in|of) (?:the )?(?:\w+ )?§"
)

#: What a subject's second noun looks like: no breach or claim of its own before the section.
_BARE_NOUN = re.compile(
    r"^\W*(?:or |and )?(?:[a-z'-]+ ){0,3}?(?:obligations?|rights?|duties|covenants?|provisions?|liabilit(?:y"
    r"|ies))\b(?!.*\bbreach)[^§]*§"
)


def items_of(text: str, region: Span) -> list[Item]:
    """The exceptions of ``region``, each classified; words that except nothing are left out."""
    found: list[Item] = []
    party = ""
    for piece, shown in _pieces(text, region):
        named = NAMED_PARTY.search(shown)
        if MUTUAL.search(shown):
            party = ""
        elif named:
            party = next(value for value in named.groupdict().values() if value)
        kind, subject = _classify(shown)
        if (
            kind in (None, Kind.OUTSIDE, Kind.OPEN)
            and SWEEPING.found(shown)
            and _ENDS.match(text, piece.end, region.end)
        ):
            kind = Kind.WIDE
        if kind is None or (kind is Kind.NUMBER and found and _continues(text, found[-1], piece, shown)):
            continue
        found.append(Item(kind, piece, subject, party))
    nameless = all(item.kind in (Kind.OPEN, Kind.WIDE) for item in found) and not REFERENCE.found(text, region)
    if nameless and LIMITLESS.found(text, region):
        return [Item(Kind.WIDE, _trim(text, region), party=party)]
    return found


def _continues(text: str, last: Item, piece: Span, shown: str) -> bool:
    """Whether a piece that names a section only goes on with the permitted subject before it:
    "the indemnification rights or obligations under Article 14"."""
    if _CONTINUES.search(shown):
        return True
    between = text[last.span.end : piece.start]
    return last.kind is Kind.PERMITTED and bool(_BARE_NOUN.search(shown)) and not re.search(r"[;(,]", between)


def _pieces(text: str, region: Span) -> list[tuple[Span, str]]:
    """Cut ``region`` at enumerators; in the shown text a reference is ``§``, its title kept."""
    shown = list(text[region.start : region.end])
    for match in REFERENCE.all(text, region):
        title = _TITLE.match(text, match.end(), region.end) or _LOOSE_TITLE.match(text, match.end(), region.end)
        low, high = match.start() - region.start, match.end() - region.start
        shown[low:high] = "§" + " " * (high - low - 1)
        if title:
            span = next(title.span(g) for g in title.groupdict() if title.group(g))
            for index in range(title.start() - region.start, title.end() - region.start):
                inside = span[0] - region.start <= index < span[1] - region.start
                # The title stays in its reference's piece: commas and "and" inside it cut nothing.
                if not inside or shown[index] in ",;:()":
                    shown[index] = " "
            words = "".join(shown[span[0] - region.start : span[1] - region.start])
            shown[span[0] - region.start : span[1] - region.start] = re.sub(
                r" (and|or) ", lambda m: " " + "+" * len(m[1]) + " ", words
            )
    joined = "".join(shown)
    pieces, start = [], 0
    for cut in [*(m.span() for m in _ENUMERATOR.finditer(joined)), (len(joined), len(joined))]:
        if joined[start : cut[0]].strip():
            pieces.append((_trim(text, Span(region.start + start, region.start + cut[0])), joined[start : cut[0]]))
        start = cut[1]
    return pieces


def _trim(text: str, span: Span) -> Span:
    start, end = span.start, span.end
    while start < end and text[start] in " ,.;:":
        start += 1
    while end > start and text[end - 1] in " ,.;:":
        end -= 1
    return Span(start, end)


def _classify(shown: str) -> tuple[Kind | None, str]:
    for pattern in PERMITTED:
        if pattern.found(shown):
            return Kind.PERMITTED, pattern.name
    if WIDE.found(shown):
        return Kind.WIDE, ""
    if OUTSIDE.found(shown):
        return Kind.OUTSIDE, ""
    if OPEN.found(re.sub(r"^\W*(?:except(?:ing)?(?: only)?|save|other than|unless)\b", "", shown)):
        return Kind.OPEN, ""
    if "§" in shown:
        return Kind.NUMBER, ""
    return None, ""


def one_sided(found: list[Item]) -> str:
    """The party that the whole exception exposes, or nothing: exceptions for sums due stand apart."""
    exposing = [item for item in found if item.subject not in ("sums due", "what the law forbids to limit")]
    names = [item.party for item in exposing]
    if names and all(names) and all(same_party(names[0], name) for name in names):
        return names[0]
    return ""
