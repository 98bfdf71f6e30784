"""Whose claims are cut off or narrowed: by a time bar, or by a sole remedy."""

from __future__ import annotations

from pipeline.standard.grammar import Pattern, any_of, span_of
from pipeline.standard.names import LIABLE_SUBJECT, MUTUAL, name_at, owner_of, owners, tail
from pipeline.standard.parties import Bound, Side
from pipeline.standard.text import Span

CLAIM_OF = Pattern(
    "claim of one party",
    any_of(
        (
            r"\b(?:brought|commenced|instituted|filed|asserted|made|maintained) by (?:the )?(?!either|any party|a party"
            r"|both|any of the part|one party|each|the part|party)(?P<by>[a-z0-9&.\- ]{2,40})"
        ),
        (
            r"\b(?:claims?|actions?) (?:by|of|from) (?:the )?(?!either|any\b|the|every|a party|third|action)"
            r"(?P<of>[a-z0-9&.\-]+)"
        ),
        r"\bagainst (?:the )?(?!the other|each other|either|any party|a party|party|other)(?P<against>[a-z0-9&.\-]+)",
        r"\b(?P<may>[a-z0-9&.\-]+) may have against",
        r"^(?P<subject>[a-z0-9&.\- ]{2,40}) (?:will|shall|may) not (?:accept|bring|be liable)",
        r"\bunless (?:the )?(?P<notified>[a-z]+) receives",
        (
            r"\b(?:filed|lodged|made|submitted) (?:with|to) (?:the )?(?!court|arbitrat|american|other)"
            r"(?P<with>[a-z0-9&.\-]+)"
        ),
    ),
)
LEFT_WITH = Pattern(
    "left with no other remedy",
    r"(?:^|, )(?P<name>[a-z0-9&.\- ]{2,40}?) (?:may|shall|will) [^;]{0,160}?\bno (?:other|further) remed(?:y|ies)\b",
)
AT_OPTION = Pattern(
    "at its option",
    r"\bat (?:the )?(?P<name>[a-z0-9&.\-]+(?: [a-z0-9&.\-]+)?)(?:'s|s') (?:sole |own )?(?:option"
    r"|expense|discretion|election|cost)\b",
)
AGREES = Pattern(
    "one party agrees",
    r"^(?:the )?(?P<name>[a-z0-9&.,\- ]{2,40}?) (?:hereby )?(?:acknowledges?(?: and agrees?)?|agrees?) that\b",
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


def remedy_bound(text: str, sentence: Span, trigger: Span) -> Bound:
    """Whose remedy or liability a sole-remedy clause narrows."""
    near = Span(sentence.start, trigger.end)
    if text.startswith(("shall", "will"), trigger.start):  # "Maker shall, at its option, repair": who mends
        subject = name_at(text, tail(text, Span(sentence.start, trigger.start)))
        side = Side.BOTH if MUTUAL.search(text, subject) else Side.ONE
        return Bound(side, subject, text[subject.start : subject.end].strip())
    for match in owners(text, sentence):
        if match.end() >= trigger.start:
            mutual = MUTUAL.search(match.group())
            return Bound(Side.BOTH if mutual else Side.ONE, name_at(text, span_of(match)), owner_of(text, match))
    liable = LIABLE_SUBJECT.search(text, Span(tail(text, Span(sentence.start, trigger.start)).start, trigger.end))
    mutual = MUTUAL.search(text, sentence)
    if liable and not MUTUAL.search(liable["name"] or liable["inner"]):
        name = name_at(text, span_of(liable, "name" if liable["name"] else "inner"))
        return Bound(Side.ONE, name, text[name.start : name.end])
    if mutual:
        return Bound(Side.BOTH, span_of(mutual))
    left = LEFT_WITH.search(text, near)
    if left:
        side = Side.BOTH if MUTUAL.search(left["name"]) else Side.ONE
        return Bound(side, span_of(left, "name"), left["name"])
    option = AT_OPTION.search(text, sentence)
    if option and not MUTUAL.search(option["name"]):
        return Bound(Side.ONE, span_of(option), option["name"])
    agrees = AGREES.search(text[sentence.start : sentence.end])
    if agrees:
        start = sentence.start + agrees.start("name")
        return Bound(Side.ONE, Span(start, start + len(agrees["name"])), agrees["name"])
    owned = owners(text, near)
    if owned:
        return Bound(Side.ONE, name_at(text, span_of(owned[0])), owner_of(text, owned[0]))
    return Bound(Side.NOBODY, sentence)
