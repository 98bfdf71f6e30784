"""Which way money and liability go between two parties: who pays whom, who is liable to whom.

Convention: a flow is a kind with two parties, in the order *from*, *to*: ``pays`` from payer to payee, ``owes``
from the one who is liable to the one it is liable to.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from pipeline.grounding.lexical import actors
from pipeline.grounding.lexical.words import KEPT, any_of, fold

PAYS, OWES = "pays", "owes"
_WORD = r"[\w&-]+"
_AFTER = (
    r"to|by|from|towards?|against|under|for|in|on|at|with|pursuant|during|hereunder|or|and|shall|will|may|can|must|is|are"
    r"|has|have|had|owes?|bears?|pays?|gets?|receives?|collects?|holds?|answers?|whether|that|which|as|before|within"
)
_END = rf"(?= (?:{_AFTER})\b|[^\w& ]|$)"
_FROM = rf"(?:the )?(?P<a>{_WORD}(?: {_WORD}){{0,2}}?){_END}"
_TO = rf"(?:the )?(?P<b>{_WORD}(?: {_WORD}){{0,2}}?){_END}"
#: The last word of a name that a verb follows.
_LAST, _LAST_TO = rf"(?P<a>{_WORD})", rf"(?P<b>{_WORD})"
_HAS = r"(?: (?:has|have|had|actually|also|may|shall|will|must|is to|was to)){0,3}"
_NOT = (
    r"(?: (?:shall|will|can|may|is|are|not|never|be|have|has|had|no|any|in|event|remain|remains|held|fully|being"
    r"|stands)){1,6}"
)
_PAID = (
    r"(?:paid|payable|made|due|owed|owing|remitted|transferred|handed over)"
    r"(?: (?:or|and|hereunder|actually|paid|payable|due|over)){0,3}"
)
_SUMS = r"(?:payments?|remittances?|sums?|amounts?|fees|money|monies|price|charges)"
_DUTY = r"(?:liability|liable|responsib\w+|exposure|accountab\w+|answerable|obligations?|obligated)"
_PATTERNS = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        (PAYS, rf"\b{_PAID} by {_FROM} to {_TO}"),
        (PAYS, rf"\b{_PAID} to {_TO} by {_FROM}"),
        (PAYS, rf"\b{_PAID} from {_FROM} to {_TO}"),
        (PAYS, rf"\b(?:received|collected|earned|obtained) by {_TO} from {_FROM}"),
        (PAYS, rf"\b{_SUMS} (?:of|by|from) {_FROM} to {_TO}"),
        (PAYS, rf"\b{_SUMS}[^.;]{{0,20}} (?:go|goes|flow|flows|run|pass|come|comes)(?:es)? from {_FROM} to {_TO}"),
        (PAYS, rf"\b{_LAST}'s? {_SUMS} to {_TO}"),
        (PAYS, rf"\b{_LAST}{_HAS} (?:paid|pays?|remits?|remitted|hands?(?: over)?|owes?|gives?) (?:over )?to {_TO}"),
        (PAYS, rf"\b{_LAST_TO}{_HAS} (?:gets?|receive[sd]?|collect(?:s|ed)?|takes?|earns?|got) from {_FROM}"),
        (OWES, rf"\b{_DUTY} (?:that |which )?{_FROM} (?:has|had|owes|bears|carries) (?:to|towards?) {_TO}"),
        (OWES, rf"\b{_DUTY}\b[^.;]{{0,20}} that of {_FROM} (?:to|towards?) {_TO}"),
        (OWES, rf"\b{_DUTY} (?:of|on) {_FROM} (?:to|towards?) {_TO}"),
        (OWES, rf"\b{_LAST}'s?(?: \w+){{0,4}} {_DUTY} (?:to|towards?) {_TO}"),
        (OWES, rf"\b{_LAST}{_NOT} {_DUTY} (?:to|towards?) {_TO}"),
        (OWES, rf"\b{_LAST}{_HAS} (?:not )?answers? to {_TO}"),
        (
            OWES,
            rf"\b{_LAST_TO}{_HAS} (?:not |no )?(?:claims?|recovers?|recourse|demands?)\b[^.;]{{0,30}}"
            rf" (?:from|against) {_FROM}",
        ),
        (OWES, rf"\b{_LAST_TO}{_HAS} (?:not )?holds? {_FROM} (?:liable|responsible|accountable)"),
    )
)
_NOBODY = any_of(r"part(?:y|ies)|other|either|each|both|neither|any|it|its|them|such|shall|event|which|that|this")


class Flow(NamedTuple):
    kind: str
    start: str
    end: str


@lru_cache(KEPT)
def flows(text: str) -> tuple[Flow, ...]:
    """Every flow between two parties that the text names."""
    plain = fold(text)
    found = [Flow(kind, match["a"], match["b"]) for kind, pattern in _PATTERNS for match in pattern.finditer(plain)]
    return tuple(one for one in found if not (_NOBODY.search(one.start) or _NOBODY.search(one.end)))


def turned(claim: str, source: str) -> Flow | None:
    """A flow of the claim that goes the other way in the source, and nowhere there as claimed."""
    there = flows(source)
    for asked in flows(claim):
        if not any(_same(asked, other) for other in there) and any(
            _same(asked, Flow(other.kind, other.end, other.start)) for other in there
        ):
            return asked
    return None


def _same(one: Flow, other: Flow) -> bool:
    same = actors.same_party
    return one.kind == other.kind and same(one.start, other.start) and same(one.end, other.end)
