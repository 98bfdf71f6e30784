"""The ceiling: its basis (P2) and its level (P3), read from the words after "shall not exceed".

Conventions: a multiple is measured against the clause's own basis; a basis of fewer than twelve
months, of one unit or shipment, or of repair, replacement or refund is narrow; a sum under 10,000
is nominal; of two limbs "the lesser of" counts the worse and "the greater of" the better one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from pipeline.base.types import Level
from pipeline.standard.grammar import MASK, Pattern, any_of, span_of
from pipeline.standard.numbers import money, multiples, periods
from pipeline.standard.redaction import redactions
from pipeline.standard.references import ELSEWHERE, REFERENCE
from pipeline.standard.text import Span

_LEAD = re.compile(
    r"(?:[\s,:;]|\b(?:an?|the|amount|sum|equal|to|lesser|greater|lower|higher|of|and|or|up|maximum|\(?(?:i|ii|a|b|1|2)\))(?=[\s,:]))*\s*"
)
NOMINAL = 10_000
MOST_TIMES = 3
_DIVIDED = re.compile(r"\bdivided by\b")
YEAR = 12.0 - 0.2  # 365 days are a year, 360 too

FEES = Pattern(
    "fees",
    r"\b(?:(?:amounts?|sums?|monies|moneys|payments?|fees?|charges?|royalt(?:y|ies)|commissions?"
    r"|compensation|remuneration|consideration|money|prices?|revenues?|premiums?|costs?|proceeds"
    r"|profits?)\b|(?:contract|contractual|order|total|aggregate|annual)(?: \w+)? value|value of)",
)
PAID = Pattern(
    "paid",
    r"\b(?:pa(?:id|ys?|yable|yments?)|receive[sd]?|receivable|collect(?:ed|s)|earn(?:ed|s)|earned|due"
    r"|owed|invoiced|billed|incurred|accrued|charged|to be paid|generated|remitted)\b",
)
NARROW = Pattern(
    "one unit or shipment",
    r"\b(?:prices?|amounts?|fees?|charges?|royalt(?:y|ies)|costs?|compensation|consideration|sums?|value"
    r"|payments?)\b[^;]{0,140}?\b(?:for|of|in respect (?:of|to)|attributable to|with respect to"
    r"|concerning|relating to|by)\s+(?:(?:the|such|that|those|any|each|a|specific|particular|individual"
    r"|single|defective|affected|relevant|applicable|licensed|non-?conforming|undelivered|purchased"
    r"|said|actual|bulk|finished)\s+){0,3}(?:[\w-]+ ){0,2}?(?:products?|goods|units?(?!-)|shipments?"
    r"|batch(?:es)?|items?|deliver(?:y|ies)|equipment|lots?|parts?|materials?|devices?|hardware"
    r"|consignment|systems?)\b",
)
AT_ISSUE = Pattern(
    "at issue",
    r"\b(?:giving rise|gave rise|give rise|in question|at issue|caus(?:ed|ing)|involved|to which"
    r"|in respect to which|with respect to which|for which|concern\w*|relat(?:e|es|ing)|subject (?:matter|of)"
    r"|affected|defective|non-?conforming|specific|such product|arose|arises|directly|such (?:goods"
    r"|units?|items?|shipment)|(?:that|each|the (?:particular|individual)) (?:[a-z]+ )?"
    r"(?:product|shipment|batch|unit|item|deliver(?:y|ies)"
    r"|consignment|lot))\b",
)
PER_UNIT = Pattern(
    "unit price",
    any_of(
        (
            r"\b(?:purchase|sales?|unit|invoice|selling|list|resale|replacement) prices? (?:of|for"
            r"|paid)?\b[^;]{0,60}?\b(?:products?|goods|units?|items?|equipment|batch|shipment)\b"
        ),
        r"\bcosts? of (?:the )?(?:products?|goods|units?)",
    ),
)
ORDER = Pattern(
    "order at issue",
    r"\b(?:work order|purchase order|order form|order|statement of work|sow|transaction|project"
    r"|task order|services?)\b",
)
MONTHLY = Pattern("monthly", r"\bmonth(?:ly|'s)\b|\bper month\b|\bmonths? in which\b|\bthat month\b")
SHORT = Pattern(
    "short period",
    r"\b(?:quarter|billing (?:period|cycle)|invoice period|week) (?:in|during|for) which\b"
    r"|\b(?:the|that|such) (?:previous|preceding|prior|last|past|relevant|calendar) (?:calendar )?quarter\b(?!s)",
)
YEARLY = Pattern(
    "yearly",
    any_of(
        r"\bannual(?:ly|ized)?\b",
        r"\bper (?:annum|year|calendar year|contract year)",
        (
            r"\b(?:contract|calendar|fiscal|agreement|commercial|program|service|licen[sc]e|such|that|relevant|any|one"
            r"|each|each such|preceding|prior|previous) year\b"
        ),
        r"\byear's\b",
        r"\byearly\b",
    ),
)
WINDOW = Pattern(
    "look-back",
    r"\b(?:preceding|prior|previous|last|past|during|over|within|trailing|immediately|rolling|following"
    r"|in the|for (?:the|a|an|one|two|three|four|five|six|\d+)|for such|term|period)\b",
)
REMEDY = Pattern(
    "repair, replacement or refund",
    r"\b(?:"
    + any_of(
        r"repair\w*",
        r"replac(?:e|ement|ing|ed)\b(?! (?:by|of a) (?:new )?(?:party|supplier|agent))",
        r"refund\w*",
        r"re-?perform\w*|re-?suppl\w+|re-?work|rerun",
        r"(?:suppl|provid)\w+ (?:of )?[^;]{0,30}?\bagain\b",
        r"service credits?|credit(?:ed|s)?(?: to)?\b|adjustment to",
        r"return (?:of )?(?:the |any )?(?:purchase price|price|(?:licen[sc]e )?fees|amounts?|monies)",
        r"correct(?:ion|ing)?\b|modify\b|work-?around|mak(?:e|ing) good|(?:suitable|software|bug) fix",
        r"(?:cause|make) [^;]{0,60}? (?:to )?(?:operate|conform|perform|comply|meet)",
    )
    + ")",
)
LESSER = Pattern("lesser of", r"\b(?:lesser|lower|lowest|smaller|least|lease)\b,? (?:amount )?(?:of|between)")
GREATER = Pattern(
    "greater of",
    r"\b(?:greater|greatest|higher|highest|larger|largest) (?:amount )?(?:of|between)|\bwhichever(?: amount)? is "
    r"(?:the )?(?:greater|greatest|higher|highest|larger|largest|more)\b",
)
EACH_UNIT = re.compile(
    r" ?(?:per|for each|for every|a) (?:kilogram|kilo|kg|pound|lb|ton|tonne|unit|package|item|piece|parcel)\b"
)
INSURANCE = Pattern("insurance", r"\binsur\w+")


@dataclass(frozen=True, slots=True)
class Ceiling:
    """P2 and P3 of one ceiling. ``readable`` is false where the amount is redacted, missing or only
    named elsewhere; ``why`` says which; ``words`` show basis, multiple and period."""

    basis: Level
    level: Level
    readable: bool
    why: str = ""
    basis_words: Span | None = None
    level_words: Span | None = None
    stated: bool = False

    @classmethod
    def unread(cls, why: str, words: Span | None = None) -> Ceiling:
        return cls(Level.SILENT, Level.SILENT, False, why, words)


def ceiling(text: str, amount: Span) -> Ceiling:
    """Read the ceiling in ``amount`` (what follows the words that cap)."""
    sums = money(text, amount)
    hidden = redactions(text, amount)
    fees = FEES.search(text, amount)
    if not sums and hidden and (not fees or hidden[0].start - amount.start < 400):
        return Ceiling.unread("redacted", hidden[0])
    limbs: list[tuple[Level, Level, Span, Span]] = []
    for found in sums:
        level = Level.DEPARTS if found.value < NOMINAL else Level.MEETS
        single = EACH_UNIT.match(text, found.span.end, amount.end)
        words = Span(found.span.start, single.end()) if single else found.span
        limbs.append((Level.DEPARTS if single else Level.MEETS, level, words, found.span))
    for span in _fee_limbs(text, amount, sums) if not hidden else ():
        basis, words = _basis(text, span)
        level, level_words = _level(text, span)
        limbs.append((basis, level, words, level_words or words))
    if not limbs:
        remedy = REMEDY.search(text, amount)
        if remedy:
            return Ceiling(Level.DEPARTS, Level.SILENT, True, "", span_of(remedy))
        elsewhere = ELSEWHERE.search(text, amount) or REFERENCE.search(text, amount) or INSURANCE.search(text, amount)
        level, factor = _level(text, amount)
        unread = Ceiling.unread("elsewhere" if elsewhere else "missing", span_of(elsewhere) if elsewhere else None)
        return replace(unread, level=level, level_words=factor) if factor and not hidden else unread
    better = bool(GREATER.search(text, amount)) and not LESSER.search(text, amount)
    pick = min if better else max
    basis = pick(limbs, key=lambda limb: limb[0] is Level.DEPARTS)
    level = pick(limbs, key=lambda limb: limb[1] is Level.DEPARTS)
    above = [limb for limb in limbs if better and limb[3] in _too_high(text, limbs)]
    level = above[0] if above else level  # the greater of two reaches as high as the higher one
    stated = any(basis[2] == found.span for found in sums)
    return Ceiling(basis[0], level[1], True, "", basis[2], level[3], stated)


def _too_high(text: str, limbs: list[tuple[Level, Level, Span, Span]]) -> list[Span]:
    """The words of the limbs whose level departs because it is a multiple above the range."""
    departing = [words for _, level, _, words in limbs if level is Level.DEPARTS]
    return [words for words in departing if any(factor.value > MOST_TIMES for factor in multiples(text, words))]


def _fee_limbs(text: str, amount: Span, sums: list) -> list[Span]:
    """The parts of ``amount`` that set a ceiling by fees: the text between the sums of money."""
    spans, start = [], amount.start
    for cut in [*(s.span for s in sums), Span(amount.end, amount.end)]:
        part = Span(start, cut.start)
        fee = FEES.search(text, part)
        if fee and (PAID.found(text, part) or PER_UNIT.found(text, part) or _priced(text, part)):
            spans.append(part)
        start = cut.end
    return spans


def _priced(text: str, part: Span) -> bool:
    return any(p.found(text, part) for p in (PRICE, MONTHLY, YEARLY, ORDER))


PRICE = Pattern(
    "price",
    r"\b(?:prices?|fees?|charges?|royalt(?:y|ies)|revenues?|compensation|remuneration|consideration"
    r"|value|commissions?|costs?)\b",
)


def _basis(text: str, span: Span) -> tuple[Level, Span]:
    words = _shown(text, span)
    if SHORT.found(text, span):
        return Level.DEPARTS, words
    monthly = MONTHLY.search(text, span)
    months = [
        p
        for p in periods(text, span)
        if WINDOW.found(text, Span(max(span.start, p.span.start - 60), min(span.end, p.span.end + 25)))
        or "'" in text[p.span.start : p.span.end + 1]
    ]
    if monthly and not months:
        factor = multiples(text, span)
        return (Level.MEETS if factor and factor[0].value >= YEAR else Level.DEPARTS), words
    if months:
        longest = max(p.value for p in months)
        return (Level.MEETS if longest >= YEAR else Level.DEPARTS), words
    if YEARLY.found(text, span):
        return Level.MEETS, words
    narrow = NARROW.search(text, span)
    if PER_UNIT.found(text, span) or (narrow and AT_ISSUE.found(text, Span(narrow.start(), span.end))):
        return Level.DEPARTS, words
    return Level.MEETS, words


def _shown(text: str, span: Span) -> Span:
    """The words of one limb: no lead-in ("the lesser of"), nothing of an exception."""
    lead = _LEAD.match(text, span.start, span.end)
    start = lead.end() if lead else span.start
    cut = text.find(MASK, start, span.end)
    return Span(start, cut if cut >= 0 else span.end)


def _level(text: str, span: Span) -> tuple[Level, Span | None]:
    factor = multiples(text, span)
    if not factor:
        return Level.MEETS, None
    value = factor[0].value
    if _DIVIDED.search(text, span.start, factor[0].span.end):
        value = 1 / value
    if MONTHLY.found(text, span) and value >= YEAR:
        value /= 12
    return (Level.MEETS if 1 <= value <= MOST_TIMES else Level.DEPARTS), factor[0].span
