"""What a sentence says of liability: unlimited, capped, excluded, assumed.

Convention: a sentence may say several of these; a claim's must be among the source's.
"""

from __future__ import annotations

import re
from enum import StrEnum

from pipeline.grounding.lexical.words import fold


class Says(StrEnum):
    UNLIMITED = "liability is unlimited"
    CAPPED = "liability is capped"
    EXCLUDED = "liability or damages are excluded"
    ASSUMED = "a party is liable"
    UNAFFECTED = "a limit does not apply"


_NOT_CAP = r"(?<!not )(?<!but not )(?<!without being )(?<!but is not )(?<!never )"
_PATTERNS = {
    Says.UNLIMITED: re.compile(
        r"\bunlimited\b|\bwithout (?:any )?(?:limit|limitation|ceiling|cap|maximum)\b(?! of the generality)"
        r"|\bno (?:limit|limitation|limitations|cap|ceiling|maximum|upper limit)\b|\buncapped\b|\bnot (?:be )?(?:capped|subject to any limit)\b"
        r"|\bliabilit(?:y|ies)[^.;]{0,60}\b(?:shall|will|is|are) (?:not|in no way) be limited\b|\bfully liable\b"
        r"|\bnot be limited\b|\bnothing\b[^.;]{0,80}\b(?:limits?|excludes?|restricts?|limited|excluded)\b|\bfull(?:y)? (?:extent|exposed)\b"
    ),
    Says.CAPPED: re.compile(
        r"\b(?:not|never|no event|neither|nor)\b[^.;]{0,250}?\b(?:exceed|be greater than|be more than|be in excess|surpass|go beyond|above)\w*\b"
        r"|\blimited (?:solely |only |strictly |exclusively )?(?:in amount |in the aggregate |at all times )?to\b|\bcap(?:ped|s)?\b(?!ital)|\bceilings?\b"
        r"|\bmaximum\b|\bat most\b|\bup to\b|\bno more than\b|\bnot more than\b|\bin excess of\b|\blimits? [^.;]{0,60}liabilit|\bgreater than\b|\bexceed\w*\b"
        r"|\bmoney limit\b|\blimit of liability\b|\bupper limit\b|\bexclusive (?:remed|liab)|\bsole (?:and exclusive )?(?:remed|liab|recourse|obligation)|\bentire (?:liab|obligation)|\blimitation\b|\blimited\b"
    ),
    Says.EXCLUDED: re.compile(
        r"\b(?:not|no|neither|nor|never|none|without)\b[^.;]{0,200}?\b(?:liable|liability|liabilities|responsible|responsibility|recover\w*|entitled|claim\w*|obligation|damages|required|held)\b"
        r"|\bexclud\w+|\bwaiv\w+|\brel(?:eases?|eased|inquish\w*)\b|\bdisclaim\w*|\brul\w+ out\b|\bbar(?:s|red)?\b|\bfore?go(?:es)?\b|\bnot (?:be )?recoverable\b"
        r"|\bfree (?:of|from) liabilit|\bshields?\b|\bexempt\w*|\bimmune\b|\bnot (?:assume|accept|bear)|\bprotects?\b|\bdeemed waived\b"
    ),
    Says.ASSUMED: re.compile(
        r"\b(?:shall|will|is|are|be|remains?|remain|must)(?: fully| solely| only| jointly| severally| and| still| also| primarily| always)* (?:liable|responsible)\b|\baccepts? (?:full |all )?(?:liability|responsibility)|\bassumes? (?:full |all )?(?:liability|responsibility)|\bowes?\b|\bmay (?:be held )?(?:liable|recover)"
    ),
    Says.UNAFFECTED: re.compile(
        r"\b(?:shall|will|do|does|is|are)(?: not|n't) (?:apply|limit|affect|exclude|restrict|cover|reach|extend|be limited|be excluded)|\bnothing\b[^.;]{0,80}\b(?:limit|exclu|restrict)\w*"
        r"|\bexcept\w*\b|\bother than\b|\bcarve\w*|\bunless\b|\bexcluding\b|\bexclud\w+ from\b|\bsave (?:for|as|that)\b|\bwithout affecting\b|\bnotwithstanding\b|\blift\w*|\bunaffected\b|\bprovided\b|\boutside\b|\bwith the exception\b"
    ),
}  # fmt: skip
_NEGATED = re.compile(r"\b(?:not|no|never|neither|nor|none|nothing|cannot|without)\b|n't\b")


def says(text: str) -> set[Says]:
    plain = fold(text)
    found = {kind for kind, pattern in _PATTERNS.items() if pattern.search(plain)}
    if Says.ASSUMED in found and not _assumed(plain):
        found.discard(Says.ASSUMED)
    return found


def _assumed(plain: str) -> bool:
    """Whether some "is liable" stands in a sentence without a negation before it."""
    for match in _PATTERNS[Says.ASSUMED].finditer(plain):
        start = max(plain.rfind(stop, 0, match.start()) for stop in (". ", ";", ":"))
        if not _NEGATED.search(plain, max(start, 0), match.start()):
            return True
    return False
