"""Caps: the verb phrases that set a ceiling, told apart from the same words doing something else."""

from __future__ import annotations

import re
from dataclasses import replace

from pipeline.standard.acts import MOST_ACTS, Act, ActKind
from pipeline.standard.ceiling import FEES, REMEDY
from pipeline.standard.grammar import MASK, Pattern, every, first, span_of
from pipeline.standard.heads import INDIRECT, PROFITS
from pipeline.standard.numbers import MONEY
from pipeline.standard.redaction import REDACTION
from pipeline.standard.text import Span

CAPS = (
    Pattern(
        "shall not exceed",
        r"\b(?:shall|will|may|can|must|does|do|should)\s+(?:not|never|in no (?:event|case|way)"
        r"|under no circumstances)\b[^;]{0,120}?\bexceed\b",
    ),
    Pattern("in no event exceed", r"\b(?:in no (?:event|case)|under no circumstances?) [^;]{0,300}?\bexceed\b"),
    Pattern("not to exceed", r"\b(?:not|never) (?:to )?(?:exceed|be (?:greater|more|higher) than|be in excess of)\b"),
    Pattern("exceeds", r"\bexceed(?:s|ing)?\b|\bin excess(?: in the aggregate)? of\b"),
    Pattern("no more than", r"\b(?:no|be|not) (?:greater|more|higher) than\b"),
    Pattern(
        "more than an amount",
        r"\b(?:greater|more) than(?=[^;]{0,80}?(?:[$£€\[]|\b(?:amount|per claim|fees?|charges?|sums?|prices?|value"
        r"|compensation|remuneration|payments?|royalt|dollars|euros|greater of|lesser of"
        r"|total|aggregate|limit|cap|ceiling)))",
    ),
    Pattern(
        "limited to",
        r"(?<!not )(?<!without )\b(?:limited|capped|restricted)\b(?:,? \w+){0,12}?(?: ?\( *\)"
        rf"|,? ?{MASK}+)?,? (?:to|at)\b(?! the (?:extent|following provisions))",
    ),
    Pattern("limits its liability to", r"\b(?:limit|limits) (?:its|the|their) liability [^;]{0,60}?\bto\b"),
    Pattern(
        "up to",
        r"\bup to(?! (?:any|whatever) amount)(?: a (?:maximum|total|limit))?(?: \w+)? ?(?:of)?(?=[^;]{0,40}?"
        r"(?:[$£€]|\d|\bthe greater|\bthe lesser|\bamount))",
    ),
    Pattern(
        "maximum liability is",
        r"\bmaximum(?: \w+){0,2} (?:liabilit(?:y|ies)|exposure)\b(?:(?!liabilit|exceed)[^;]){0,320}?"
        r"\b(?:is|shall be|will be|equals)\b",
    ),
    Pattern("liability shall equal", r"\bliabilit(?:y|ies)\b[^;]{0,200}?\b(?:shall|will) (?:be )?equal(?: to)?\b"),
)
LIABILITY = Pattern(
    "liability word",
    r"\b(?:liab\w+|damages?|obligat\w+|obliged|required to pay|responsib\w+|remed\w+|recover\w*|indemnif\w+|indemnity"
    r"|compensat\w+|reimburse\w*|contribut\w+|loss(?:es)?|claims|remediation|exposure)\b",
)
#: "may settle for an amount not greater than …" is a power to spend, not a limit of liability.
AUTHORITY = Pattern(
    "authority to spend",
    r"\b(?:may|authorized to|entitled to|right to|permitted to) (?:\w+ )?(?:settle|incur|spend|expend"
    r"|approve|order|purchase|borrow)\b[^;]{0,80}$",
)
ILLUSTRATION = Pattern(
    "not limited to",
    r"(?:including|includes?|inclusive of|,|without|but)[^;]{0,24}?(?:not|without being|without)[ ,]*(?:be )?$",
)
TIME_AHEAD = Pattern(
    "time ahead",
    r"^[^;]{0,12}?(?:\[[ *]*\]|\d+|[a-z-]+)?[^;]{0,14}?\b(?:years?|months?|days?)\b[^;]{0,30}?\b"
    r"(?:after|from|following|of)\b",
)
DURATION_AHEAD = Pattern(
    "duration ahead", r"^\W*(?:an?|the|one|\d+)? ?(?:\w+ ){0,2}(?:\(\w+\) )?(?:period|hours?|days?|minutes?)\b"
)
#: A liability that is spoken of anew, not the one that gave rise to a claim.
OWN_LIABILITY = Pattern(
    "liability anew",
    r"(?<!rise to )(?<!rise to such )(?<!rise to the )(?<!which such )(?<!which the )(?<!to the )"
    r"(?:liabilit|obligation|responsib|\bliable\b)",
)
_DIRECT_AHEAD = re.compile(r"\s*(?:\w+ ){0,4}(?:direct|actual)\b")
_FAULT_AHEAD = re.compile(r"[^;]{0,90}?\b(?:gross|wil+ful|intentional)")
_ELSEWHERE = re.compile(r"\bset (?:forth|out)|\bprovided\b|insur")
_EXCEED = re.compile(r"exceed|up to|not more than")


def caps(text: str, sentence: Span, waivers: list[Act]) -> tuple[list[Act], list[Act]]:
    """The caps of ``sentence``, and the waivers that are left: "not be liable for any amount in excess
    of …" caps, unless it excludes heads of loss first."""
    found: list[Act] = []
    kept: list[Act] = []
    if len(waivers) > MOST_ACTS:
        return waivers, found
    for waiver in waivers:
        match = first(CAPS, text, waiver.body)
        if match and not _apart(text, Span(waiver.body.start, match.start())):
            body = Span(match.end(), waiver.body.end)
            found.append(replace(waiver, kind=ActKind.CAP, trigger=span_of(match), body=body))
        else:
            kept.append(waiver)
    matches = every(CAPS, text, sentence)
    for match in matches[: MOST_ACTS + 1]:
        trigger, body = span_of(match), Span(match.end(), sentence.end)
        known = any(cap.trigger == trigger for cap in found)
        if known or not LIABILITY.found(text, Span(sentence.start, trigger.end)) or _else(text, trigger, body):
            continue
        start = max([sentence.start, *(w.trigger.end for w in kept if w.trigger.end < trigger.start)])
        found.append(Act(ActKind.CAP, Span(start, trigger.end), trigger, body, sentence, "cap"))
    return kept, _merged(text, found)


def _apart(text: str, between: Span) -> bool:
    """Whether a waiver stands apart from the cap that follows it: it excludes heads of loss, or an
    exception parts the two and liability is spoken of anew."""
    parted = MASK in text[between.start : between.end] and OWN_LIABILITY.found(text, between)
    return INDIRECT.found(text, between) or PROFITS.found(text, between) or parted


def _else(text: str, trigger: Span, body: Span) -> bool:
    """Whether the words of a cap do something else: an illustration, a time bar, a remedy, …"""
    words = text[trigger.start : trigger.end]
    ahead = text[body.start : body.start + 120]
    if ILLUSTRATION.found(text[max(0, trigger.start - 40) : trigger.start]) and "exceed" not in words:
        return True
    if DURATION_AHEAD.found(ahead) or AUTHORITY.found(text[max(0, trigger.start - 120) : trigger.start]):
        return True
    if TIME_AHEAD.found(ahead) and not MONEY.found(ahead) and not FEES.found(ahead[:60]):
        return True
    limits = any(verb in words for verb in ("limit", "restrict", "capped"))
    return limits and _limits_no_amount(text, trigger, body, ahead)


def _limits_no_amount(text: str, trigger: Span, body: Span, ahead: str) -> bool:
    """ "limited to" something that is no amount: direct loss, gross fault, repair, a list."""
    rest = text[body.start : body.end]
    amount = FEES.search(text, body) or MONEY.search(text, body)
    readable = bool(amount or REDACTION.found(text, body))
    if _DIRECT_AHEAD.match(ahead) and not _EXCEED.search(rest):
        return True
    if not readable and _FAULT_AHEAD.match(ahead):
        return True
    remedy = REMEDY.search(text, body)
    if remedy and (not amount or remedy.start() < amount.start()):
        return True
    owned = re.search(r"liabilit(?:y|ies)", text[max(0, trigger.start - 160) : trigger.start])
    return not (owned or readable or _ELSEWHERE.search(rest)) and len(rest) > 3


def _merged(text: str, found: list[Act]) -> list[Act]:
    """Without the caps that only add to the amount of the one before ("limited to …, not to exceed …")."""
    merged: list[Act] = []
    for cap in sorted(found, key=lambda act: act.trigger.start):
        if merged:
            last = merged[-1]
            anew = list(OWN_LIABILITY.all(text, Span(last.trigger.end, cap.trigger.start)))
            if not anew:
                continue
            cut = _joint(text, last.trigger.end, anew[-1].start())
            merged[-1] = replace(last, body=Span(last.body.start, cut))
            cap = replace(cap, subject=Span(max(cap.subject.start, cut), cap.subject.end))
        merged.append(cap)
    return merged


def _joint(text: str, start: int, end: int) -> int:
    """Where the subject of a second cap begins: the last joint before its liability."""
    return max(start, *(text.rfind(mark, start, end) for mark in (";", ",", ".", " and ")))
