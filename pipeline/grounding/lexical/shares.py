"""Whose part of a text says what: a text that speaks of two parties says of each only what its part says.

Convention: a *share* is a stretch of the folded text, cut at stops and at joints ("and", "but", "while"),
with the parties whose liability it speaks of. A stretch that speaks of nobody's belongs to the one before.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from pipeline.grounding.lexical import actors, quantities
from pipeline.grounding.lexical.words import KEPT, any_of, fold

#: A stop or a joint; "nor" belongs to what it denies.
_JOINT = re.compile(r"(?<=[a-z\d)\]\"]{2}[.;:!?]) |,? (?:and|but|while|whereas) | (?=nor )")


class Share(NamedTuple):
    text: str
    parties: frozenset[str]


@lru_cache(KEPT)
def shares(text: str) -> tuple[Share, ...]:
    """The shares of a text, in order; one share where it speaks of one party or of nobody."""
    plain = fold(text)
    cuts = [0, *(match.end() for match in _JOINT.finditer(plain)), len(plain)]
    found: list[Share] = []
    for start, end in pairwise(cuts):
        part = plain[start:end]
        parties = actors.liable(part)
        if found and (not parties or parties == found[-1].parties or not found[-1].parties):
            last = found.pop()
            found.append(Share(last.text + part, parties or last.parties))
        else:
            found.append(Share(part, parties))
    return tuple(found)


def parties(text: str) -> frozenset[str]:
    """Every party that has a share, :data:`actors.BOTH` among them."""
    return frozenset(party for share in shares(text) for party in share.parties)


def share_of(party: str, text: str) -> str:
    """What the text says of ``party``, what it says of both included; empty where it says nothing."""
    return " ".join(
        share.text
        for share in shares(text)
        if any(other == actors.BOTH or actors.same_party(party, other) for other in share.parties)
    )


def own_share(party: str, text: str) -> str:
    """What the text says of ``party`` alone."""
    return " ".join(share.text for share in shares(text) if share.parties == {party})


#: A party's ceiling held against another's.
_THAN = re.compile(
    r"\b(?P<how>lower|smaller|less|tighter|stricter|higher|larger|greater|bigger|more|looser|same|equal(?:ly)?"
    r"|identical|as (?:high|low|much|large|strict)|twice|double|half|times)\b[^.;]{0,40}?"
    r"(?:\b(?:than|as|to)\b[^.;]{0,30}?|\b(?=that of))"
    r"(?:\b(?:that|the (?:one|cap|ceiling|limit|liability)) (?:of|on|for) (?:the )?|\b)(?P<other>[\w&-]+)"
    r"(?:'s?(?: \w+)?)?(?=[.,;]|$)"
)
_ALIKE = any_of(r"(?:caps|ceilings|limits|sums|amounts)[^.;]{0,60} (?:same|equal(?:ly)?|identical|alike)")
_LESS = ("lower", "smaller", "less", "tighter", "stricter")
_MORE = ("higher", "larger", "greater", "bigger", "more", "looser")


def compares(claim: str, named: frozenset[str]) -> tuple[str, str] | None:
    """How a claim holds the ceiling of one of the parties ``named`` against another's, and whose that is."""
    plain = fold(claim)
    for match in _THAN.finditer(plain):
        if match["other"] in named:
            return match["how"], match["other"]
    alike = _ALIKE.search(plain) and (len(named) > 1 or actors.says_together(claim))
    return ("same", "") if alike else None


def sum_of(party: str, text: str) -> float | None:
    """The one sum of money in the party's share; None where there is none, or more than one."""
    sums = {one.value for one in quantities.quantities(share_of(party, text)) if one.unit == "money"}
    return sums.pop() if len(sums) == 1 else None


def holds(how: str, mine: float, other: float) -> bool:
    """Whether ``mine`` stands to ``other`` as said; a multiple is not reckoned and never holds."""
    if how in _LESS:
        return mine < other
    if how in _MORE:
        return mine > other
    return mine == other and how not in ("twice", "double", "half", "times")
