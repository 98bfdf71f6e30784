"""Finds the acts of a clause: sentence by sentence, exceptions set aside first."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipeline.standard.acts import Act, ActKind, subject_before
from pipeline.standard.caps import caps
from pipeline.standard.carveouts import NAMED_HEADS, CarveOut, carve_out
from pipeline.standard.exceptions import Item, Kind, items_of
from pipeline.standard.exposures import (
    ANSWERS_FOR,
    BLACKED_OUT,
    CONFINED,
    DENIED,
    GROSS_ONLY,
    HEADED,
    HEADLESS,
    IN_FULL,
    INDEMNIFIES,
    LIMITED_RECOURSE,
    NOTHING_LIMITS,
    SURVIVES,
    UNLIMITED,
)
from pipeline.standard.grammar import Pattern, first, mask, span_of
from pipeline.standard.leadins import LEADING, regions_of
from pipeline.standard.names import tail
from pipeline.standard.redaction import REDACTION
from pipeline.standard.remedies import BRINGS, REMEDY_LIMITED, SOLE_REMEDIES, TIME_BARS
from pipeline.standard.text import Clause, Span, sentences
from pipeline.standard.waivers import waivers

#: More than the words that open an exception.
_NAMES_SOMETHING = re.compile(
    r"\b(?!except|other|than|save|only|excluding|unless|that|with|the|exception|from)[a-z]{3,}"
)
#: The name of an exposure without limit, whichever pattern found it.
WITHOUT_LIMIT = "unlimited"


@dataclass(frozen=True, slots=True)
class Found:
    """The acts of one sentence and the exceptions that stand in it. ``masked`` is the clause's text
    with the exceptions blanked out; ``denied``: the sentence denies what it says."""

    sentence: Span
    acts: tuple[Act, ...]
    items: tuple[Item, ...]
    regions: tuple[Span, ...]
    masked: str
    denied: bool = False


def find(clause: Clause) -> list[Found]:
    """Every sentence of ``clause`` with its acts and exceptions, in order."""
    return [_sentence(clause.norm, sentence) for sentence in sentences(clause)]


def _sentence(text: str, sentence: Span) -> Found:
    if DENIED.found(text, sentence):
        return Found(sentence, (), (), (), text, denied=True)
    regions = regions_of(text, sentence)
    carve = _carve_out(text, sentence, regions)
    if carve and carve.alone and not _limits(mask(text, regions), Span(sentence.start, carve.trigger.start)):
        items = items_of(text, carve.content)
        items = items or _unnamed(text, carve.content)
        items += [i for r in regions if not carve.content.holds(r) for i in _items(text, r)]
        return Found(sentence, (_carving(sentence, carve),), tuple(items), tuple(regions), text)
    if carve:  # a proviso: from its trigger on, all of the sentence is exception
        start = carve.trigger.start
        cut = [Span(r.start, min(r.end, start)) for r in regions if r.start < start]
        items = [i for r in cut for i in _items(text, r)] + (
            items_of(text, carve.content) or _unnamed(text, carve.content)
        )
        regions = [*cut, Span(start, sentence.end)]
    else:
        items = [i for r in regions for i in _items(text, r)]
    masked = mask(text, regions)
    found = _limits(masked, sentence) or _others(masked, sentence)
    if not found and carve:
        found = [_carving(sentence, carve)]
    return Found(sentence, tuple(found), tuple(items), tuple(regions), masked)


def _carve_out(text: str, sentence: Span, regions: list[Span]) -> CarveOut | None:
    carve = carve_out(text, sentence)
    # Said within a leading exception ("for which by law no limit applies") it is part of that.
    exposes = carve and (
        carve.pattern == NAMED_HEADS
        or text.startswith("no limit", carve.trigger.start)
        or NOTHING_LIMITS.found(text, sentence)
    )
    if carve and exposes and not _heads_named(text, carve):
        return None  # no limit on anything at all is no carve-out but an exposure
    inside = carve and any(r.holds(carve.trigger) and r.start - sentence.start < LEADING for r in regions)
    return None if inside else carve


def _items(text: str, region: Span) -> list[Item]:
    """The exceptions of a region: one of which no word is known is left open, never dropped."""
    return items_of(text, region) or _unnamed(text, region)


def _unnamed(text: str, region: Span) -> list[Item]:
    named = _NAMES_SOMETHING.search(text, region.start, region.end) and not REDACTION.found(text, region)
    return [Item(Kind.OPEN, region)] if named else []


def _heads_named(text: str, carve: CarveOut) -> bool:
    return any(item.kind is not Kind.WIDE for item in items_of(text, carve.content))


def _carving(sentence: Span, carve: CarveOut) -> Act:
    before = Span(sentence.start, carve.trigger.start)
    return Act(ActKind.CARVE_OUT, before, carve.trigger, carve.content, sentence, carve.pattern)


def _limits(text: str, sentence: Span) -> list[Act]:
    """Waivers and caps, and a remedy limited beside them."""
    kept, capping = caps(text, sentence, waivers(text, sentence))
    remedy = REMEDY_LIMITED.search(text, sentence) if kept and not capping else None
    if remedy:
        kept.append(Act(ActKind.REMEDY, sentence, span_of(remedy), sentence, sentence, REMEDY_LIMITED.name))
    exposed = _exposed_beside(text, sentence) if kept or capping else []
    return sorted(kept + capping + exposed, key=lambda act: act.trigger.start)


def _exposed_beside(text: str, sentence: Span) -> list[Act]:
    """A side that stays without limit while the same sentence limits the other."""
    match = first((*UNLIMITED, IN_FULL), text, sentence)
    if not match or _confined(text, match):
        return []
    joints = (text.rfind(mark, sentence.start, match.start()) for mark in (";", ",", " while ", " but "))
    start = max(sentence.start, *joints)
    body = Span(match.end(), sentence.end)
    if match.re is IN_FULL.compiled:
        subject = tail(text, Span(start, match.start()))
        return [Act(ActKind.EXPOSURE, subject, span_of(match), body, sentence, IN_FULL.name)]
    return [Act(ActKind.EXPOSURE, Span(start, match.end()), span_of(match), body, sentence, WITHOUT_LIMIT)]


def _confined(text: str, match: re.Match[str]) -> bool:
    """Whether what is unlimited is the liability for one head alone."""
    return CONFINED.found(text[match.end() : match.end() + 80]) or HEADED.found(match.group())


def _others(text: str, sentence: Span) -> list[Act]:
    """The one act of a sentence that neither waives nor caps, if it has any."""
    recourse = LIMITED_RECOURSE.search(text, sentence)
    if recourse:
        subject, body = Span(sentence.start, recourse.end()), Span(recourse.end(), sentence.end)
        return [Act(ActKind.CAP, subject, span_of(recourse), body, sentence, LIMITED_RECOURSE.name)]
    match = GROSS_ONLY.search(text, sentence)
    if match:
        subject, body = Span(sentence.start, match.end()), Span(match.start(), sentence.end)
        return [Act(ActKind.WAIVER, subject, span_of(match), body, sentence, GROSS_ONLY.name)]
    remedy = first(SOLE_REMEDIES, text, sentence)
    match = None if remedy else first(TIME_BARS, text, sentence)
    if match and BRINGS.found(text, sentence):
        body = Span(match.end(), sentence.end)
        return [Act(ActKind.TIME_BAR, sentence, span_of(match), body, sentence, "time bar")]
    if remedy:
        return [Act(ActKind.REMEDY, sentence, span_of(remedy), sentence, sentence, "sole remedy")]
    return _exposure(text, sentence)


def _exposure(text: str, sentence: Span) -> list[Act]:
    def act(kind: ActKind, match, name: str, subject: Span) -> list[Act]:
        return [Act(kind, subject, span_of(match), Span(match.end(), sentence.end), sentence, name)]

    def before(match) -> Span:
        return tail(text, subject_before(text, sentence, match.start()))

    def found(pattern: Pattern):
        return pattern.search(text, sentence)

    if match := found(SURVIVES):
        return act(ActKind.SURVIVAL, match, SURVIVES.name, before(match))
    if match := first(UNLIMITED, text, sentence):
        name = ANSWERS_FOR.name if _confined(text, match) else WITHOUT_LIMIT
        return act(ActKind.EXPOSURE, match, name, Span(sentence.start, match.end()))
    for pattern in (IN_FULL, ANSWERS_FOR, INDEMNIFIES):
        if match := found(pattern):
            return act(ActKind.EXPOSURE, match, pattern.name, before(match))
    if match := found(BLACKED_OUT):
        return act(ActKind.WAIVER, match, BLACKED_OUT.name, before(match))
    if match := found(HEADLESS):
        cap = Act(
            ActKind.CAP, span_of(match), span_of(match), Span(sentence.end, sentence.end), sentence, HEADLESS.name
        )
        return [cap]
    return []
