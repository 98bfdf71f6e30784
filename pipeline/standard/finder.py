"""Finds the acts of a clause: sentence by sentence, exceptions set aside first."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from pipeline.standard import acts as grammar
from pipeline.standard import exceptions
from pipeline.standard.acts import Act, ActKind
from pipeline.standard.carveouts import CarveOut, carve_out
from pipeline.standard.ceiling import FEES, REMEDY
from pipeline.standard.exceptions import Item
from pipeline.standard.grammar import MASK, mask, span_of
from pipeline.standard.heads import INDIRECT, PROFITS, heads_named
from pipeline.standard.numbers import MONEY
from pipeline.standard.parties import tail
from pipeline.standard.redaction import REDACTION
from pipeline.standard.text import Clause, Span, sentences

_TIME = re.compile(
    r"^[^;]{0,12}?(?:\[[ *]*\]|\d+|[a-z-]+)?[^;]{0,14}?\b(?:years?|months?|days?)\b[^;]{0,30}?\b(?:after|from|following|of)\b"
)
_JOINT = re.compile(r"(?:[,;] ?|\b)(?:and|nor|or|but) (?=\S)")
_SHARED = re.compile(r"^(?:[^;]*\b)?(?:and|or|nor|but)(?: it| they)?\s*$")
_DURATION = re.compile(r"\W*(?:an?|the|one|\d+)? ?(?:\w+ ){0,2}(?:\(\w+\) )?(?:period|hours?|days?|minutes?)\b")
#: A liability that is spoken of anew, not the one that gave rise to a claim.
_OWN_LIABILITY = re.compile(
    r"(?<!rise to )(?<!rise to such )(?<!rise to the )(?<!which such )(?<!which the )(?<!to the )(?:liabilit|obligation|responsib|\bliable\b)"
)
#: Patterns whose subject stands between auxiliary and verb, or begins with "neither": nothing to cut.
_EXACT = ("in no event liable", "neither liable", "not required to pay", "liability excluded", "shall not include")


@dataclass(frozen=True, slots=True)
class Found:
    """The acts of one sentence and the exceptions that stand in it. ``masked`` is the clause's text
    with the exceptions blanked out; ``carve`` is a carve-out, whether alone or as a proviso."""

    sentence: Span
    acts: tuple[Act, ...]
    items: tuple[Item, ...]
    regions: tuple[Span, ...]
    carve: CarveOut | None
    masked: str


def find(clause: Clause) -> list[Found]:
    """Every sentence of ``clause`` with its acts and exceptions, in order."""
    return [_sentence(clause.norm, sentence) for sentence in sentences(clause)]


def _sentence(text: str, sentence: Span) -> Found:
    if grammar.DENIED.found(text, sentence):
        return Found(sentence, (), (), (), None, text)
    carve = carve_out(text, sentence)
    regions = exceptions.regions(text, sentence)
    if carve and any(r.holds(carve.trigger) and r.start - sentence.start < 25 for r in regions):
        carve = None  # said within an exception: "(for which by law no limit applies)"
    if carve and carve.alone:
        before = Span(sentence.start, carve.trigger.start)
        if not _liability_acts(mask(text, regions), before):
            items = exceptions.items(text, carve.content)
            outside = [r for r in regions if not carve.content.holds(r)]
            items += [i for r in outside for i in exceptions.items(text, r)]
            act = Act(ActKind.CARVE_OUT, before, carve.trigger, carve.content, sentence, carve.pattern)
            return Found(sentence, (act,), tuple(items), tuple(regions), carve, text)
    if carve:
        proviso = Span(carve.trigger.start, sentence.end)
        cut = [Span(r.start, min(r.end, proviso.start)) for r in regions if r.start < proviso.start]
        regions = [*cut, proviso]
        items = [i for r in regions[:-1] for i in exceptions.items(text, r)] + exceptions.items(text, carve.content)
    else:
        items = [i for r in regions for i in exceptions.items(text, r)]
    masked = mask(text, regions)
    found = _liability_acts(masked, sentence) or _other_acts(masked, sentence)
    if not found and carve:
        found = [
            Act(
                ActKind.CARVE_OUT,
                Span(sentence.start, carve.trigger.start),
                carve.trigger,
                carve.content,
                sentence,
                carve.pattern,
            )
        ]
    return Found(sentence, tuple(found), tuple(items), tuple(regions), carve, masked)


def _liability_acts(text: str, sentence: Span) -> list[Act]:
    waivers = _waivers(text, sentence)
    caps: list[Act] = []
    kept: list[Act] = []
    for waiver in waivers:
        cap = grammar.CAP.search(text, waiver.body)
        if cap and not _heads_before(text, Span(waiver.body.start, cap.start())):
            caps.append(replace(waiver, kind=ActKind.CAP, trigger=span_of(cap), body=Span(cap.end(), waiver.body.end)))
        else:
            kept.append(waiver)
    caps += [cap for cap in _caps(text, sentence, kept) if not any(c.trigger == cap.trigger for c in caps)]
    remedy = grammar.REMEDY_LIMITED.search(text, sentence) if kept and not caps else None
    if remedy:
        kept.append(Act(ActKind.REMEDY, sentence, span_of(remedy), sentence, sentence, grammar.REMEDY_LIMITED.name))
    return sorted(kept + _merge(text, caps), key=lambda act: act.trigger.start)


def _heads_before(text: str, span: Span) -> bool:
    return INDIRECT.found(text, span) or PROFITS.found(text, span)


def _waivers(text: str, sentence: Span) -> list[Act]:
    found: list[Act] = []
    for pattern in grammar.WAIVER:
        for match in pattern.all(text, sentence):
            trigger = Span(match.end("subject"), match.end())
            if any(
                abs(other.trigger.end - trigger.end) < 25 or other.trigger.start <= trigger.end <= other.trigger.end
                for other in found
            ):
                continue
            found.append(
                Act(
                    ActKind.WAIVER,
                    _subject(text, span_of(match, "subject"), found, pattern.name),
                    trigger,
                    trigger,
                    sentence,
                    pattern.name,
                )
            )
    if not found:
        return []
    found.sort(key=lambda act: act.trigger.start)
    # "shall not be liable, and shall have no obligation": the second verb has no subject of its own.
    found = [a for i, a in enumerate(found) if not i or not _SHARED.search(text[a.subject.start : a.subject.end])]
    ends = [act.subject.start if act.subject.start > 0 else act.trigger.start for act in found[1:]] + [sentence.end]
    starts = [act.trigger.end for act in found]
    # "will have no liability for, and each party waives, …": the object stands after the next verb.
    ends = [
        end if heads_named(text, Span(start, max(start, end))) else sentence.end
        for start, end in zip(starts, ends, strict=True)
    ]
    return [
        replace(act, body=Span(start, max(start, end))) for act, start, end in zip(found, starts, ends, strict=True)
    ]


def _subject(text: str, subject: Span, found: list[Act], name: str) -> Span:
    """The subject without what belongs to an act before it; where the verb follows it, its tail."""
    start = max([subject.start, *(a.trigger.end for a in found if a.trigger.end <= subject.end)])
    if start > subject.start:  # what stands before the last joint still belongs to the act before
        for joint in _JOINT.finditer(text, start, subject.end):
            start = joint.end()
    cut = text.rfind(MASK, start, subject.end)
    subject = Span(cut + 1 if cut >= 0 else start, subject.end)
    return subject if name in _EXACT else tail(text, subject)


def _caps(text: str, sentence: Span, waivers: list[Act]) -> list[Act]:
    found: list[Act] = []
    for match in grammar.CAP.all(text, sentence):
        body = Span(match.end(), sentence.end)
        before = Span(sentence.start, match.end())
        if not grammar.LIABILITY.found(text, before) or _no_cap(text, match.start(), body, match.group()):
            continue
        start = max([sentence.start, *(w.trigger.end for w in waivers if w.trigger.end < match.start())])
        found.append(Act(ActKind.CAP, Span(start, match.end()), span_of(match), body, sentence, grammar.CAP.name))
    return found


def _no_cap(text: str, start: int, body: Span, words: str) -> bool:
    """True where the words of a cap do something else: an illustration, a time bar, a remedy."""
    ahead = text[body.start : body.start + 120]
    if grammar.INCLUDING.found(text[max(0, start - 40) : start]) and "exceed" not in words:
        return True
    if _DURATION.match(ahead):
        return True
    if grammar.AUTHORITY.found(text[max(0, start - 120) : start]):
        return True
    if _TIME.match(ahead) and not MONEY.found(ahead) and not FEES.found(ahead[:60]):
        return True
    if "limit" in words or "restrict" in words or "capped" in words:
        amount = MONEY.found(text, body) or REDACTION.found(text, body) or FEES.found(text, body)
        if re.match(r"\s*(?:\w+ ){0,4}(?:direct|actual)\b", ahead) and not re.search(
            r"exceed|up to|not more than", text[body.start : body.end]
        ):
            return True
        if not amount and re.match(r"[^;]{0,90}?\b(?:gross|wil+ful|intentional)", ahead):
            return True
        remedy = REMEDY.search(text, body)
        first = FEES.search(text, body) or MONEY.search(text, body)
        if remedy and (not first or remedy.start() < first.start()):
            return True
        owned = re.search(r"liabilit(?:y|ies)", text[max(0, start - 160) : start])
        if (
            not owned
            and not amount
            and not re.search(r"\bset (?:forth|out)|\bprovided\b|insur", text[body.start : body.end])
        ):
            return body.end - body.start > 3
    return False


def _merge(text: str, caps: list[Act]) -> list[Act]:
    """Caps that only add to the amount of the cap before them ("limited to …, not to exceed …")."""
    merged: list[Act] = []
    for cap in sorted(caps, key=lambda act: act.trigger.start):
        if merged:
            last = merged[-1]
            between = text[last.trigger.end : cap.trigger.start]
            if not _OWN_LIABILITY.search(between):
                continue
            cut = _subject_start(text, last.trigger.end, cap.trigger.start)
            merged[-1] = replace(last, body=Span(last.body.start, cut))
            cap = replace(cap, subject=Span(max(cap.subject.start, cut), cap.subject.end))
        merged.append(cap)
    return merged


def _subject_start(text: str, start: int, end: int) -> int:
    cut = max(text.rfind(mark, start, end) for mark in (";", ",", ".", " and "))
    liability = None
    for liability in _OWN_LIABILITY.finditer(text, start, end):
        pass
    while liability and cut > liability.start():
        end = cut
        cut = max(text.rfind(mark, start, end) for mark in (";", ",", ".", " and "))
    return cut if cut > start else start


def _other_acts(text: str, sentence: Span) -> list[Act]:
    """Acts that count only where the sentence neither waives nor caps."""
    gross = grammar.GROSS_ONLY.search(text, sentence)
    if gross:
        return [
            Act(
                ActKind.WAIVER,
                Span(sentence.start, gross.end()),
                span_of(gross),
                Span(gross.start(), sentence.end),
                sentence,
                grammar.GROSS_ONLY.name,
            )
        ]
    bar = grammar.TIME_BAR.search(text, sentence)
    if bar and grammar.BRINGS.found(text, sentence) and not grammar.REMEDY.found(text, sentence):
        return [
            Act(
                ActKind.TIME_BAR, sentence, span_of(bar), Span(bar.end(), sentence.end), sentence, grammar.TIME_BAR.name
            )
        ]
    remedy = grammar.REMEDY.search(text, sentence)
    if remedy:
        return [Act(ActKind.REMEDY, sentence, span_of(remedy), sentence, sentence, grammar.REMEDY.name)]
    for kind, pattern in (
        (ActKind.SURVIVAL, grammar.SURVIVES),
        (ActKind.EXPOSURE, grammar.UNLIMITED),
        (ActKind.EXPOSURE, grammar.EXPOSURE),
        (ActKind.EXPOSURE, grammar.INDEMNIFIES),
    ):
        match = pattern.search(text, sentence)
        if match:
            named = "subject" in match.groupdict()
            subject = tail(text, span_of(match, "subject")) if named else Span(sentence.start, match.end())
            return [Act(kind, subject, span_of(match), Span(match.end(), sentence.end), sentence, pattern.name)]
    hidden = grammar.BLACKED_OUT.search(text, sentence)
    if hidden:
        subject = tail(text, span_of(hidden, "subject"))
        return [
            Act(
                ActKind.WAIVER,
                subject,
                span_of(hidden),
                Span(hidden.end(), sentence.end),
                sentence,
                grammar.BLACKED_OUT.name,
            )
        ]
    headless = grammar.HEADLESS.search(text, sentence)
    if headless:
        return [
            Act(
                ActKind.CAP,
                Span(headless.start(), headless.end()),
                span_of(headless),
                Span(sentence.end, sentence.end),
                sentence,
                grammar.HEADLESS.name,
            )
        ]
    return []
