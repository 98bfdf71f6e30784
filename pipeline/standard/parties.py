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


MUTUAL = Pattern(
    "mutual party",
    r"\b(?:neither|either|each|no|any|both|all|one|a|the|that|such|other|another|every|first|breaching|non-?breaching|defaulting"
    r"|non-?defaulting|terminating|indemnifying|indemnified|infringing|liable|responsible|disclosing|receiving)"
    r"(?: of)?(?: the)?(?: such| respective| other)? (?<!third )part(?:y|ies)\b(?! claiming)"
    r"|\b(?:you|we|us) (?:and|nor|or) (?:you|we|us)\b|\bmutually?\b|\bindemnit(?:or|ee)\b|\bone another\b|\beach other\b"
    r"|\b(?:parties|party's|parties')(?= (?:liability|obligations?|indemnif|respective|aggregate|total))|^parties\b",
)
RECIPROCAL = Pattern(
    "liable to the other",
    r"\bto (?:the other\b(?! reseller)|each other|one another|another party|the others\b|any other party|other party|either party)"
    r"|\b(?:against|from|by) (?:the other(?! entit| person)|each other|one another)\b",
)
EACH_OF = Pattern(
    "each of two", r"\beach of (?!its|their|the following)[^.;,]{1,60}? and |\bboth (?!of its|its)[^.;,]{2,40}? and "
)
NEITHER_NOR = Pattern(
    "neither nor", r"\b(?:neither|none of) (?P<first>[^.;]{1,160}?)(?:,? (?:nor|or) |, )(?P<second>[^.;]{1,120})"
)
POSSESSOR = Pattern(
    "possessor",
    r"(?P<name>(?:[a-z0-9&.\-]+ ){0,3}[a-z0-9&.\-]+(?:'s?|s')) (?:\([^)]{1,60}\) )?(?:and (?:its|their) affiliates'? )?"
    r"(?:(?:sole|entire|total|aggregate|cumulative|maximum|exclusive|overall|full|only|liability|collective|combined|monetary|financial"
    r"|and|or|indemnification|indemnity|contractual|respective|joint|direct|potential|whole|exclusive)[ ,]+){0,6}"
    r"(?:liabilit|obligation|responsibilit|remed|damages|indemn|exposure|recovery|recourse|liable)",
)
OWNED_BY = Pattern(
    "liability of",
    r"(?:liabilit(?:y|ies)|obligations?|responsibilit(?:y|ies)|remed(?:y|ies)|damages|recovery)(?: and (?:obligations?|liabilit(?:y|ies)))?"
    r" of (?P<name>(?:the )?(?!any kind|this|any nature|such|whatever|every)[a-z0-9&.'\- ]{2,60}?)"
    r"(?= (?:to|for|under|with|in|arising|hereunder|will|shall|is|and|from|or|resulting|whether|related)\b|[,;(]|$)",
)
_GENERIC = re.compile(
    r"^(?:(?:any|all|each|either|other|its|their|his|the|of|respective|our|your|authorized|third[- ]party|and|or|affiliated) )*"
    r"(?:affiliates?|subsidiar(?:y|ies)|parents?|officers?|directors?|employees?|agents?|suppliers|licensors|licensees|sub-?licensees|members?"
    r"|contractors|sub-?contractors|representatives?|shareholders?|stockholders?|successors?|assigns?|personnel|managers?|trustees?|partners"
    r"|service providers|vendors|consultants|advisors|inventors|attorneys|insurers|distributors|customers|companies|entit(?:y|ies)|person"
    r"|principals?|owners|controlling persons?|members? of[^,]*|information providers|sponsors|heirs|predecessors|staff|servants|volunteers)\b"
)
_EDGE = re.compile(
    r"^(?:(?:and|or|that|the|any|also|further|however|notwithstanding|agrees|hereby|in|to|by|of|for|all|if) )+|[ ,(]+$"
)
LIABLE_TO = Pattern(
    "liable to a named party",
    rf"^[^.;{MASK}]{{0,60}}?\bto (?P<name>(?!the other|each other|one another|any other|another|be\b)[a-z][^,.;(]{{1,50}})",
)


def names_in(text: str) -> list[str]:
    """The parties that a list names, the generic ones (affiliates, officers, suppliers) left out."""
    text = re.sub(r"\([^)]*\)", " ", text)
    parts = re.split(r",? (?:and/or|and|or|nor) |,|;", text)
    names = [_EDGE.sub("", part.strip()).strip() for part in parts]
    return [
        name for name in names if len(name) > 1 and not _GENERIC.match(name) and not name.startswith(("its ", "their "))
    ]


def bound(text: str, subject: Span, after: Span) -> Bound:
    """Who ``subject`` binds; ``after`` holds the words that follow ("liable to the other")."""
    mutual = MUTUAL.search(text, subject) or EACH_OF.search(text, subject)
    if mutual:
        return Bound(Side.BOTH, span_of(mutual))
    words = text[subject.start : subject.end].replace(MASK, " ").strip(" ,")
    near = Span(after.start, min(after.end, after.start + 90))
    reciprocal = RECIPROCAL.search(text, near)
    if reciprocal:
        return Bound(Side.BOTH, span_of(reciprocal))
    if not words:
        return Bound(Side.NOBODY, subject)
    pair = NEITHER_NOR.search(words)
    named = names_in(re.sub(r"^.*?\b(?:neither|none of)\b", "", words) if pair else words)
    to_named = LIABLE_TO.search(text[near.start : near.end])
    if len(set(named)) >= 2 and not to_named:
        return Bound(Side.BOTH, subject)
    return Bound(Side.ONE, subject, named[0] if named else words)


def same_party(one: str, other: str) -> bool:
    """Whether two names are of one party: the same, or one part of the other."""
    a, b = (re.sub(r"(?:'s|'|\bthe\b|[^a-z0-9 ])", "", name).strip() for name in (one, other))
    return not a or not b or a in b or b in a


def cap_bound(text: str, subject: Span, trigger: Span, after: Span) -> Bound:
    """Who a cap protects: the owner of the liability that is capped."""
    window = Span(subject.start, max(subject.start, trigger.end))
    owners = [m for m in POSSESSOR.all(text, window)] + [m for m in OWNED_BY.all(text, window)]
    owners = [m for m in owners if not re.match(r"(?:the )?(?:third|its|their)\b", m["name"])]
    mutual = next((m for m in owners if MUTUAL.search(m.group())), None)
    if mutual:
        return Bound(Side.BOTH, span_of(mutual))
    if owners:
        whole = EACH_OF.search(text, window) or RECIPROCAL.search(text, window)
        liable = [
            m["name"] for m in owners if re.search(r"liab|oblig|respons", m.group()[len(m["name"]) :] + m.group()[:10])
        ]
        if whole:
            return Bound(Side.BOTH, span_of(whole))
        if len(liable) >= 2 and not same_party(liable[0], liable[1]):
            return Bound(Side.BOTH, Span(owners[0].start(), owners[1].end()))
        return Bound(Side.ONE, span_of(owners[0]), owners[0]["name"])
    said = MUTUAL.search(text, window) or RECIPROCAL.search(text, window) or EACH_OF.search(text, window)
    if said:
        return Bound(Side.BOTH, span_of(said))
    liable = LIABLE_SUBJECT.search(text, window)
    if liable:
        return Bound(Side.ONE, span_of(liable, "name"), liable["name"])
    return Bound(Side.NOBODY, trigger)


LIABLE_SUBJECT = Pattern(
    "liable subject",
    r"(?P<name>(?:the |no )?(?!it |this |such |that |there )[a-z0-9&.\- ()]{2,60}?)(?: shall| will| is| are| be)(?: not| in no event| only)?(?: be)?(?: held)? (?:liable|responsible|required to|obligated)",
)
CLAIM_OF = Pattern(
    "claim of one party",
    r"\b(?:brought|commenced|instituted|filed|asserted|made|maintained) by (?:the )?(?!either|any party|a party|both|any of the part|one party|each|the part|party)(?P<by>[a-z0-9&.\- ]{2,40})"
    r"|\b(?:claims?|actions?) (?:by|of|from) (?:the )?(?!either|any party|a party|third)(?P<of>[a-z0-9&.\-]+)|\bagainst (?:the )?(?!the other|each other|either|any party|a party|party)(?P<against>[a-z0-9&.\-]+)"
    r"|\b(?P<may>[a-z0-9&.\-]+) may have against|^(?P<subject>[a-z0-9&.\- ]{2,40}) (?:will|shall|may) not (?:accept|bring|be liable)|\bunless (?:the )?(?P<notified>[a-z]+) receives",
)


def claimant(text: str, sentence: Span) -> Bound:
    """Whose claims a time bar cuts off: one named party's, or everybody's."""
    one = CLAIM_OF.search(text, sentence)
    mutual = MUTUAL.search(text, sentence)
    if mutual and not (one and one.start() < mutual.start()):
        return Bound(Side.BOTH, span_of(mutual))
    if one:
        name = next(value for value in one.groupdict().values() if value)
        return Bound(Side.ONE, span_of(one), name.strip())
    return Bound(Side.NOBODY, sentence)


def remedy_bound(text: str, sentence: Span) -> Bound:
    """Whose remedy or liability a sole-remedy clause narrows."""
    mutual = MUTUAL.search(text, sentence)
    owner = POSSESSOR.search(text, sentence) or OWNED_BY.search(text, sentence)
    if owner and not MUTUAL.search(owner.group()):
        return Bound(Side.ONE, span_of(owner), owner["name"])
    if mutual:
        return Bound(Side.BOTH, span_of(mutual))
    liable = LIABLE_SUBJECT.search(text, sentence)
    if liable:
        return Bound(Side.ONE, span_of(liable, "name"), liable["name"])
    return Bound(Side.NOBODY, sentence)
