"""Who is bound: both sides, or one party that the clause names.

Convention: a *subject* is the stretch of a clause that says whose liability is spoken of. It is
mutual where it says so ("either party", "each of A and B"), where the words after it do ("liable to
the other"), or where it names nobody.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from pipeline.standard.grammar import MASK, Pattern, span_of
from pipeline.standard.names import (
    EACH_OF,
    LIABLE_SUBJECT,
    LIABLE_TO,
    MIRRORED,
    MUTUAL,
    PAYABLE_BY,
    RECIPROCAL,
    RECOVERS,
    name_at,
    names_in,
    owner_of,
    owners,
    same_party,
    second_owner,
)
from pipeline.standard.text import Span


class Side(StrEnum):
    BOTH = "both"
    ONE = "one"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Bound:
    """``name`` is the party that is named where ``side`` is ONE, in lower case; ``span`` what was read."""

    side: Side
    span: Span
    name: str = ""


NEUTRAL = Pattern(
    "neutral body",
    r"\b(?:arbitrat\w+|tribunal|court|panel|award|mediator|judge|indemnit(?:y|ies)|indemnification"
    r"|agreement|section [\\d.]+|damages|recovery)s?$",
)
CLAIMS_OF = Pattern(
    "claims of one party",
    r"\b(?:claims?|losses|damages) (?:\w+ )?(?:of|by|from) (?:the )?(?!any|such|every|each|either|third"
    r"|way|reason)(?P<name>[a-z0-9&.\-]+)",
)
#: How far after the owner of a liability a second one may be named.
REACH = 60
#: "A Participant … to any other Participant": every member of a class alike.
_CLASS = re.compile(r"^(?:an?|any|each|no|every) [a-z-]+$")


def bound(text: str, subject: Span, after: Span) -> Bound:
    """Who ``subject`` binds; ``after`` holds the words that follow ("liable to the other")."""
    mutual = MUTUAL.search(text, subject) or EACH_OF.search(text, subject)
    if mutual:
        return Bound(Side.BOTH, span_of(mutual))
    words = text[subject.start : subject.end].replace(MASK, " ").strip(" ,")
    near = Span(after.start, min(after.end, after.start + 90))
    wide = Span(subject.end, near.end)
    to_named = LIABLE_TO.search(text[near.start : near.end])
    reciprocal = RECIPROCAL.search(text, wide)
    if reciprocal and not (to_named and near.start + to_named.start("name") < reciprocal.start()):
        return Bound(Side.BOTH, span_of(reciprocal))
    if not words or NEUTRAL.search(words):
        return Bound(Side.NOBODY, subject)
    if _CLASS.match(words) and re.search(rf"\bother {re.escape(words.split()[-1])}", text[near.start : near.end]):
        return Bound(Side.BOTH, subject)
    named = names_in(re.sub(r"^.*?\b(?:neither|none of)\b", "", words))
    distinct = [n for i, n in enumerate(named) if not any(same_party(n, other) for other in named[:i])]
    if len(distinct) >= 2 and not to_named:
        return Bound(Side.BOTH, subject)
    return Bound(Side.ONE, subject, named[0] if named else words)


def cap_bound(text: str, subject: Span, trigger: Span) -> Bound:
    """Who a cap protects: the owner of the liability that is capped."""
    window = Span(subject.start, max(subject.start, trigger.end))
    mirrored = MIRRORED.search(text, window)
    if mirrored:
        return Bound(Side.BOTH, span_of(mirrored))
    owned = owners(text, window)
    for match in owned:
        mutual = MUTUAL.search(text, span_of(match))
        if mutual:
            return Bound(Side.BOTH, Span(mutual.start(), name_at(text, span_of(match)).end))
    if owned:
        whole = EACH_OF.search(text, window) or RECIPROCAL.search(text, window)
        if whole:
            return Bound(Side.BOTH, span_of(whole))
        names = [owner_of(text, m) for m in owned if re.search(r"liab|oblig|respons", m.group().replace(m["name"], ""))]
        if len(names) >= 2 and not same_party(names[0], names[1]):
            return Bound(Side.BOTH, Span(owned[0].start(), owned[1].end()))
        second = second_owner(text, owned[0], trigger.end + REACH)
        if second and not same_party(owner_of(text, owned[0]), text[second.start : second.end]):
            return Bound(Side.BOTH, Span(owned[0].start(), second.end))
        return Bound(Side.ONE, name_at(text, span_of(owned[0])), owner_of(text, owned[0]))
    said = MUTUAL.search(text, window) or RECIPROCAL.search(text, window) or EACH_OF.search(text, window)
    if said:
        return Bound(Side.BOTH, span_of(said))
    liable = LIABLE_SUBJECT.search(text, window)
    if liable:
        name = name_at(text, span_of(liable, "name" if liable["name"] else "inner"))
        return Bound(Side.ONE, name, text[name.start : name.end])
    payable = PAYABLE_BY.search(text, window)
    if payable:
        return Bound(Side.ONE, span_of(payable), payable["name"])
    recovers = RECOVERS.search(text, window)
    if recovers and not MUTUAL.search(recovers["name"]):
        return Bound(Side.ONE, span_of(recovers), recovers["name"])
    claims = CLAIMS_OF.search(text, window)
    if claims:
        return Bound(Side.ONE, span_of(claims), claims["name"])
    return Bound(Side.NOBODY, trigger)
