"""Who does what to whom: parties beside a verb, so that a party in another's place is noticed.

Convention: a *place* is a verb with where the party stands: ``receive`` before (the party receives) or
``pay by`` behind (paid by the party). Two sentences that fill the same place with different parties
contradict each other.
"""

from __future__ import annotations

import re
from functools import lru_cache

from pipeline.grounding.lexical.words import KEPT, stem, stems, stems_in_order
from pipeline.grounding.quotes import plain

_ROLES = """licensor licensee supplier customer seller buyer vendor purchaser provider client contractor company
distributor reseller manufacturer consultant agent franchisor franchisee lessor lessee landlord tenant owner operator
sponsor publisher developer bank lender borrower guarantor insurer carrier shipper employer employee adviser advisor
trust fund administrator custodian investor principal subcontractor recipient discloser transferor transferee assignor
assignee sender receiver repairer servicer"""
_SKIPPED = """will shall may can could would must not never no be is are was has have had do does hereby also only then
ever actually expressly however the a an any other first fully solely"""
_PREPOSITIONS = ("by", "to", "from", "against", "of", "for")
_NO_NAMES = """section clause article agreement party parties liability limit damage claim both neither either each one
the it its this there an a all no none in if except only p1 p2 p3 p4 p5 p6 january february march april may june july
august september october november december"""
_CAPITAL = re.compile(r"(?<=[a-z,;:] )[A-Z][\w&.]*")


@lru_cache(maxsize=1)
def _lists() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    return tuple(frozenset(stem(word) for word in text.split()) for text in (_ROLES, _SKIPPED, _NO_NAMES))


def is_role(of: str) -> bool:
    """Whether a stem is that of a role in which a party appears (licensor, customer)."""
    return of in _lists()[0]


def is_no_name(of: str) -> bool:
    """Whether a stem names no party though it is written in capitals (section, March)."""
    return of in _lists()[2]


@lru_cache(KEPT)
def names(text: str) -> frozenset[str]:
    """The stems of words that name parties: roles, and capitalised words inside a sentence (of a text
    that is all in capitals they say nothing)."""
    roles, _, no_names = _lists()
    shouted = sum(map(str.isupper, text)) > 0.5 * sum(map(str.isalpha, text))
    capitals = set() if shouted else {one for match in _CAPITAL.findall(plain(text)) for one in stems_in_order(match)}
    return (stems(text) & roles) | (capitals - no_names)


@lru_cache(KEPT)
def places(text: str, parties: frozenset[str]) -> dict[tuple[str, str], set[str]]:
    """Which of ``parties`` stand in which place of the text."""
    _, skipped, _ = _lists()
    said = stems_in_order(text)
    found: dict[tuple[str, str], set[str]] = {}
    for index, name in enumerate(said):
        if name not in parties:
            continue
        behind = next((one for one in said[index + 1 : index + 5] if one not in skipped and one != "s"), "")
        if behind and behind not in parties and behind not in _PREPOSITIONS:
            found.setdefault((behind, "before"), set()).add(name)
        before = [one for one in said[max(0, index - 3) : index] if one != "the"]
        if len(before) > 1 and before[-1] in _PREPOSITIONS and before[-2] not in skipped | parties:
            found.setdefault((before[-2], before[-1]), set()).add(name)
    return found


def swapped(claim: str, source: str) -> str | None:
    """A party that the claim puts in a place where the source has others; None if there is none."""
    parties = names(claim) | names(source)
    there = places(source, parties)
    for place, mine in sorted(places(claim, parties).items()):
        strangers = mine - there.get(place, mine)
        if strangers:
            return min(strangers)
    return None
