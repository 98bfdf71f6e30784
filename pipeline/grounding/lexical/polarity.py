"""What a sentence says of liability, and whether it says it or denies it.

Two readings. :func:`says` names what is stated: unlimited, capped, excluded, assumed, not applied.
:func:`verbs` gives for each operative verb whether it stands under a negation. A claim's statements
must be among the source's, and its verbs must not stand under a negation where the source's do, nor
the other way round.
"""

from __future__ import annotations

import re
from bisect import bisect
from enum import StrEnum
from functools import lru_cache

from pipeline.grounding.lexical.words import KEPT, any_of, fold


class Says(StrEnum):
    UNLIMITED = "liability is unlimited"
    LIMITED = "liability is limited or excluded"
    CAPPED = "there is a ceiling"
    ASSUMED = "a party is liable"


_LIABLE = (
    r"(?:liable|liability|liabilities|responsible|responsibility|obligations?|obligated|obliged|answerable|accountable)"
)
_NOT = r"(?:not|no|never|neither|nor|none|nothing|without|cannot|in no event|under no circumstances?|in no case)"
_PATTERNS = {
    Says.UNLIMITED: any_of(
        r"unlimited",
        r"(?:without|no|not (?:subject to )?any) (?:\w+ )?(?:limits?|limitations?|ceiling|cap|maximum"
        r"|bounds?)(?! of the generality)",
        r"uncapped|infinite|limitless|boundless",
        r"unrestricted",
        r"up to (?:any|whatever) amount",
        r"not (?:be )?(?:capped|limited)(?! to)",
        r"(?:fully|full) (?:liable|liability|exposed|exposure)",
        r"nothing [^.;]{0,80}(?:limits?|excludes?|restricts?|limited|excluded)",
        r"(?:shall|will|does|do) not (?:limit|exclude|restrict|cap)",
        r"(?:neither|no) party's (?:\w+ ){0,3}?liabilit(?:y|ies)\b[^.;]{0,100}?\b(?:is|are|shall be|will be)"
        r" (?:limited|capped|restricted)(?! to)",
        r"neither party limits its liability",
        r"(?:in no way|not in any way) (?:be )?(?:limited|capped|restricted)",
    ),
    Says.CAPPED: any_of(
        rf"{_NOT} [^.;]{{0,250}}?(?:exceed|greater than|more than|in excess|surpass|beyond|above)\w*",
        r"limited,? (?:[^.;]|\.(?=\d)){0,80}?to",
        r"limits (?:its|the|their) liability [^.;]{0,60}?to(?= [^.;]{0,30}?(?:[$€£\d]|amount|sum|fees|price))",
        r"cap(?:ped|s)?",
        r"ceilings?",
        r"maximum",
        r"at most",
        r"up to",
        r"upper limit",
        r"in excess of",
        r"exceed\w*",
        r"greater than",
        r"(?:sole|exclusive|entire)(?: and exclusive)? (?:remed\w+|liabilit\w+|recourse|obligation)",
    ),
    Says.ASSUMED: any_of(
        rf"(?:shall|will|is|are|be|remains?|must|can|may)(?: be| held| fully| solely| also| jointly| only| have"
        rf"| full)* {_LIABLE}",
        r"(?:accepts?|assumes?|bears?) (?:\w+ )?(?:liability|responsibility)",
    ),
}
_DENIES = any_of(
    rf"{_NOT} [^.;]{{0,200}}?(?:{_LIABLE}|recover\w*|recourse|remed\w+|entitled|claim\w*"
    r"|damages|required|held|exceed\w*|greater|more)",
    r"exclud\w+",
    r"waiv\w+",
    r"releas\w+",
    r"relinquish\w*",
    r"disclaim\w*",
    r"rul\w+ out",
    r"bar(?:s|red)?",
    r"fore?go(?:es)?",
    r"exempt\w*",
    r"limit\w*",
    r"sole",
    r"exclusive",
    r"entire",
    r"cap(?:ped|s)?",
    r"exceed\w*",
    r"maximum",
    r"free (?:of|from)",
    r"liabilit(?:y|ies) (?:[^.;]{0,60} )?(?:is|are|shall be|will be) (?:nil|none|zero)",
    r"only",
)
#: A ceiling that there is not.
_NO_LIMIT = any_of(
    r"(?:no|without(?: any)?|not subject to any) (?:\w+ )?(?:limits?|limitations?|ceiling|cap|maximum)", r"uncapped"
)
#: What a claim says when it says that liability is limited or excluded.
_CLAIMS_LIMITED = any_of(
    r"limit(?:s|ed|ing)?(?! to the)",
    r"exclud(?:e|es|ed|ing)",
    r"waiv\w+",
    r"disclaim\w*",
    r"protect\w*",
    r"shield\w*",
    r"rul\w+ out",
    r"exempt\w*",
)
_CLAIMS_CAPPED = any_of(r"cap(?:ped|s)?", r"ceilings?", r"maximum", r"up to", r"at most", r"upper limit")
_ONLY_IF = re.compile(r"\bonly (?:where|if|when|to the extent|in cases? of|for|so far as)\b")
_VERBS = {
    "exceed": re.compile(
        r"\bexceed(?:s|ed)?\b|\bbe (?:greater|more|higher) than\b|\bin excess of\b|\bgo(?:es)? (?:beyond|above|over)\b"
        r"|\bsurpass(?:es)?\b"
    ),
    "liable": re.compile(
        r"\b(?:liable|responsible|answerable|accountable)\b|\banswers? for\b"
        r"|\b(?:have|has|incur|accept|assume|bear)s?(?: \w+){0,3} (?:liability|responsibility)\b"
    ),
    "apply": re.compile(r"\bappl(?:y|ies|icable)\b"),
    "recover": re.compile(r"\b(?:recover|recovered|recoverable)\b"),
    "entitled": re.compile(r"\bentitled\b"),
    "waive": re.compile(r"\bwaive[sd]?\b|\bfore?go(?:es)?\b|\bgives? up\b|\brelinquish(?:es)?\b"),
}
#: What says the opposite of a verb without a negation.
_OPPOSITES = {"waive": re.compile(r"\b(?:keep|retain|reserve|preserve)s?\b[^.;]{0,30}\b(?:right|claim)s?\b")}
_NEGATOR = re.compile(r"\b(?:not|no|never|neither|nor|none|nothing|without|cannot|denied|free)\b|n't\b")
_BREAK = re.compile(r"[;:]|\.(?= |$)|\b(?:but|except|unless|provided|however|whereas|while)\b")


@lru_cache(KEPT)
def says(text: str) -> frozenset[Says]:
    """What a source says."""
    plain = fold(text)
    limits = without_denied_limits(plain)
    found = {kind for kind, pattern in _PATTERNS.items() if pattern.search(limits if kind is Says.CAPPED else plain)}
    if _DENIES.search(limits):
        found.add(Says.LIMITED)
    return frozenset(found)


def without_denied_limits(plain: str) -> str:
    """A folded text without its "no limit", "without a cap": what is left of limits is meant."""
    return _NO_LIMIT.sub(" ", plain)


@lru_cache(KEPT)
def claims(text: str) -> frozenset[Says]:
    """What a claim says: as :func:`says`, but only where it says it outright."""
    plain = fold(text)
    found = {Says.UNLIMITED} if _PATTERNS[Says.UNLIMITED].search(plain) else set()
    if _CLAIMS_CAPPED.search(plain):
        found.add(Says.CAPPED)
    if _CLAIMS_LIMITED.search(plain):
        found.add(Says.LIMITED)
    if Says.UNLIMITED in found:
        found -= {Says.CAPPED, Says.LIMITED}
    return frozenset(found)


def hangs_on_a_condition(text: str) -> bool:
    """Whether a claim says "only if": it then says something and denies the rest."""
    return bool(_ONLY_IF.search(fold(text)))


@lru_cache(KEPT)
def verbs(text: str) -> frozenset[tuple[str, bool]]:
    """Each operative verb of the text with whether it stands under a negation of its own sentence part."""
    plain = fold(text)
    found = set()
    breaks = [stop.end() for stop in _BREAK.finditer(plain)]
    for name, pattern in _VERBS.items():
        for match in pattern.finditer(plain):
            before = bisect(breaks, match.start())
            start = breaks[before - 1] if before else 0
            negated = bool(_NEGATOR.search(plain, start, match.end()))
            found.add((name, negated))
    found |= {(name, True) for name, pattern in _OPPOSITES.items() if pattern.search(plain)}
    return frozenset(found)
