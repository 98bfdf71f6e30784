"""Who is bound: mutual or one-sided, which party, and whose liability a sentence speaks of.

Convention: a party is its words in lower case without article; :data:`BOTH` stands for the parties
together (neither, either, each, both). A :class:`Bound` says that a party stands in a role:
``liable`` (its liability is spoken of), ``creditor`` (liable *to* it), ``waives`` (gives up claims).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipeline.grounding.lexical.words import fold

BOTH = "both"
_MUTUAL = re.compile(
    r"\b(?:neither|either|each|both|no|any|a)(?: of)?(?: the)?(?: other)? part(?:y|ies)\b"
    r"|\bneither (?:of )?(?:the )?\w+(?:[\w' .&-]{0,60}?) nor\b"
    r"|\b(?:the|such) parties\b|\bone party\b|\beach other\b|\bone another\b|\bmutual(?:ly|ity)?\b|\bboth (?:sides|parties)\b"
    r"|\bparties (?:agree|shall|will|waive|hereby)|\bthe other party\b|\bsuch party\b|\bparty'?s?\b"
)
#: What a claim says when it says that something binds both.
_SAYS_MUTUAL = re.compile(
    r"\bneither (?:of the )?(?:part(?:y|ies)|sides?)\b|\b(?:either|each|both)(?: of the)? (?:part(?:y|ies)|sides?)\b"
    r"|\bmutual(?:ly|ity)?\b|\bboth ways\b|\b(?:the )?parties alike\b|\bno party\b|\beach other\b|\bbinds both\b"
    r"|\bboth\b(?! [a-z]+ and)"
)
_SAYS_ONE_SIDED = re.compile(
    r"\bone[- ]sided\b|\bone[- ]way\b|\bone way only\b|\bone party only\b|\bonly one (?:party|side)\b|\bunilateral(?:ly)?\b"
    r"|\bone (?:named )?(?:party|side) alone\b|\bnot mutual\b|\bnon-mutual\b|\bonly one of the parties\b"
    r"|\bwithout (?:any )?reciproc\w+|\bnot reciprocal\b|\bsays nothing of the other\b"
)
_NOT_PARTY = set(
    [
        "it",
        "this",
        "that",
        "such",
        "any",
        "all",
        "no",
        "the",
        "a",
        "an",
        "and",
        "or",
        "of",
        "to",
        "in",
        "for",
        "by",
        "with",
        "event",
        "circumstances",
        "case",
        "liability",
        "liabilities",
        "damages",
        "damage",
        "loss",
        "losses",
        "total",
        "aggregate",
        "maximum",
        "entire",
        "cumulative",
        "sole",
        "its",
        "their",
        "his",
        "her",
        "which",
        "there",
        "what",
        "clause",
        "section",
        "agreement",
        "provision",
        "sentence",
        "limitation",
        "exclusion",
        "cap",
        "ceiling",
        "foregoing",
        "other",
        "extent",
        "respect",
        "however",
        "provided",
        "notwithstanding",
        "except",
        "claim",
        "claims",
        "both",
        "parties",
        "party",
        "either",
        "neither",
        "each",
        "nothing",
        "be",
        "have",
        "shall",
        "will",
        "is",
        "are",
        "herein",
        "hereunder",
        "under",
        "only",
        "also",
        "thereof",
        "excluded",
        "agreed",
        "overall",
        "combined",
        "contract",
        "tort",
        "warranty",
        "breach",
        "text",
        "words",
        "limit",
        "direct",
        "full",
        "unlimited",
    ]
)
_SLOT = r"(?P<party>(?:(?:[\w.&'/-]+|,(?= inc| llc| ltd| l\.)) ?){1,6}?)"
_MODAL = r"(?:shall|will|may|is|are|does|do|has|have|would|can|cannot|must)"
_LIABLE = r"(?:liable|liability|responsible|responsibility|obligated)"
_ADJ = r"(?:(?:total|aggregate|maximum|entire|cumulative|sole|overall|combined|exclusive|and|full|whole|potential|contractual|monetary|annual) )*"
_PATTERNS = (
    ("liable", re.compile(
        r"(?:in no event|under no circumstances?|in no case|at no time|on no account)(?: whatsoever)? "
        rf"{_MODAL} {_SLOT} (?:be|have|incur|assume|bear)\b")),
    ("liable", re.compile(rf"(?:^|[.,;:)] ?|\bthat |\band |\bparty |\bthen |\bwhich |\bhereunder )(?:the )?{_SLOT} {_MODAL}(?: hereby| in no event)?"
        rf"(?: not| no| never| only)?(?: be| have| incur| accept| assume| bear)?(?: held| fully| solely| any| no)*(?: further| other)? {_LIABLE}")),
    ("liable", re.compile(rf"(?:^|[ (])(?:the )?(?P<party>(?:[\w.&/-]+ ){{0,3}}[\w.&/-]+)'s? {_ADJ}(?:liability|liabilities|obligations?)\b")),
    ("liable", re.compile(rf"\b(?:liability|liabilities|obligation) of (?:the )?(?P<party>[\w.&'/-]+(?: [\w.&'/-]+){{0,3}}?)(?= (?:{_MODAL}|under|to|for|in|with|arising|and|or|hereunder|,)|[,.;)]|$)")),
    ("creditor", re.compile(rf"{_LIABLE}(?: in any (?:way|manner))? (?:to|towards|against) (?:the )?(?P<party>[\w.&'/-]+(?: [\w.&'/-]+){{0,3}}?)(?= (?:for|in|under|with|or|and|by|hereunder|on|if|that|shall|will|which|arising|beyond|to)\b|[,.;)]|$)")),
    ("waives", re.compile(rf"(?:^|[.,;:] ?|\band )(?:the )?{_SLOT} (?:hereby |expressly |also |irrevocably |knowingly )*(?:waives?|releases?|forgoes?|foregoes?|disclaims?)\b")),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Bound:
    role: str
    party: str


def says_mutual(text: str) -> bool:
    return bool(_SAYS_MUTUAL.search(fold(text))) and not says_one_sided(text)


def says_one_sided(text: str) -> bool:
    return bool(_SAYS_ONE_SIDED.search(fold(text)))


def is_mutual(text: str) -> bool:
    """Whether the text speaks of the parties together anywhere."""
    return bool(_MUTUAL.search(fold(text)))


def bound(text: str) -> set[Bound]:
    """Every party that the text puts into a role."""
    found: set[Bound] = set()
    plain = fold(text)
    for role, pattern in _PATTERNS:
        for match in pattern.finditer(plain):
            for party in _parties(match["party"]):
                found.add(Bound(role, party))
    return found


def _parties(slot: str) -> list[str]:
    slot = slot.strip(" ,.")
    if re.search(
        r"\b(?:neither|either|each|both)\b|\bno party\b|\bthe parties\b|\ba party\b|\bany party\b|\bone party\b|^part(?:y|ies)\b",
        slot,
    ):
        return [BOTH]
    names = []
    for part in re.split(r",| and | or | nor |/", slot):
        name = " ".join(word for word in part.split() if word not in ("the", "a", "an", "hereby", "such"))
        name = re.sub(r"'s?$", "", name)
        if name and not (set(name.split()) & _NOT_PARTY) and re.search("[a-z]{2}", name):
            names.append(name)
    return names
