"""Claims about positions of a standard: does the sentence say what its level means, on words that fit?

For sentences of the form ``P1 meets: …``. The engine does not read the clause as an auditor does, and
shares no code with one: it holds the sentence's own words against the level that it names, and the quoted words
against what such a level must rest on. Three answers: fits, conflicts (with the reason), cannot tell.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipeline.verification.quotations import masked, quotations

LABEL = re.compile(
    r"\b(?P<position>P[1-6])\s*(?:\([^)]{0,40}\))?\s*[,:]?\s*(?:is\s+)?(?P<level>meets|departs|off|silent|fails)\b",
    re.IGNORECASE,
)
#: "the standard's level departs of P4 reads …"
OF_STANDARD = re.compile(
    r"\blevel\s+(?P<level>meets|departs|off|silent|fails)\s+of\s+(?P<position>P[1-6])\b", re.IGNORECASE
)
_NOT = re.compile(r"\b(?:not|never|cannot|hardly|nor|far from)\b|n['’]t\b", re.IGNORECASE)
M, D, OFF, F = "meets", "departs", "off", "fails"


@dataclass(frozen=True, slots=True)
class Cue:
    """Words of a sentence with the levels that they go with, as they stand and when negated."""

    words: re.Pattern[str]
    affirmed: frozenset[str]
    negated: frozenset[str]


def _cue(words: str, affirmed: str, negated: str) -> Cue:
    return Cue(re.compile(words, re.IGNORECASE), frozenset(affirmed.split()), frozenset(negated.split()))


_BOTH = (
    r"\bboth (?:sides|parties)\b|\beither (?:party|side)\b|\beach (?:party|side)\b"
    r"|\balike\b|\bmutual(?:ly)?\b|\bneither party\b"
)
CUES = {
    "P1": (
        _cue(_BOTH + r"|\bno party\b|\bnobody\b|\bin turn\b", M, f"{D} {OFF}"),
        _cue(
            (
                r"\bone (?:named )?party only\b|\bonly one (?:party|side)\b|\bone way\b"
                r"|\bone-sided\b|\bexpos(?:es|ed)\b|\bone side\b"
            ),
            f"{D} {OFF}",
            M,
        ),
    ),
    "P2": (
        _cue(r"\b(?:can be|is) comput(?:ed|able)\b|\bstated sum\b|\bbroad basis\b", M, f"{D} {OFF}"),
        _cue(r"\bnarrow(?:er|ed)?\b", D, f"{M} {OFF}"),
        _cue(r"\bunlimited\b|\bwithout (?:a |any )?(?:ceiling|limit)\b|\bno ceiling\b|\buncapped\b", OFF, f"{M} {D}"),
    ),
    "P3": (
        _cue(r"\bwithin the range\b|\bbetween one and three\b|\bin proportion\b", M, D),
        _cue(r"\boutside (?:of )?the range\b|\bout of proportion\b|\bnominal\b|\babove three\b|\bbelow one\b", D, M),
    ),
    "P4": (
        _cue(_BOTH, M, f"{D} {OFF}"),
        _cue(
            (
                r"\bone party only\b|\bmore than indirect\b|\bdirect loss as well\b"
                r"|\breaches direct\b|\bonly one (?:party|side)\b"
            ),
            D,
            M,
        ),
        _cue(r"\baltogether\b|\ball (?:its )?liability\b|\bevery kind\b", OFF, f"{M} {D}"),
    ),
    "P5": (
        _cue(r"\bno operative words\b|\bfragment\b|\bredacted\b|\bcannot be judged\b|\bpoints? elsewhere\b", F, M),
        _cue(r"\bcan be judged\b|\bself-contained\b", M, F),
    ),
    "P6": (
        _cue(
            (
                r"\b(?:stay|lie|are|is|remain)\w* within\b|\bcustomary\b"
                r"|\bpermitted list\b(?<!outside the permitted list)"
            ),
            M,
            f"{D} {OFF}",
        ),
        _cue(r"\boutside\b|\bleft open\b|\bwithout its subject\b|\bno exception\b|\bmissing\b|\bunusual\b", D, M),
        _cue(r"\b(?:so|too) wide\b|\bordinary breach\b", OFF, f"{M} {D}"),
    ),
}
#: What a sentence on each position speaks of.
TOPICS = {
    position: re.compile(words, re.IGNORECASE)
    for position, words in {
        "P1": r"\balike\b|\bpart(?:y|ies)\b|\bsides?\b|\bmutual|\bone way\b",
        "P2": r"\bceiling\b|\bcap(?:ped)?\b|\bsum\b|\bbasis\b|\bremedy\b|\bfees?\b|\bunlimited\b|\blimit",
        "P3": r"\bceiling\b|\bcap(?:ped)?\b|\bsum\b|\brange\b|\btimes\b|\bnominal\b|\blevel\b|\bfees?\b",
        "P4": r"\bloss(?:es)?\b|\bdamages?\b|\bindirect\b|\bconsequential\b|\bexclu\w+|\bprofits?\b|\bliability\b",
        "P5": r"\boperative\b|\bjudged\b|\bfragment\b|\bredact\w+|\bself-contained\b|\belsewhere\b|\btext\b",
        "P6": r"\bexcept\w*|\bcarve\w*|\bsave for\b",
    }.items()
}
#: What quoted words must not be under a level, and what they should hold for it to rest on them.
_ALL_PARTIES = re.compile(
    r"\b(?:neither|either|both|each)\s+(?:of\s+the\s+)?part(?:y|ies)\b|\bno\s+party\b|\bmutual", re.IGNORECASE
)
_ANYONE = re.compile(
    r"\bpart(?:y|ies)\b|\bneither\b|\beither\b|\beach\b|\bboth\b|\bmutual|\band\b|\bor\b|\bno(?:thing|body| one)\b",
    re.I,
)
_MONEY = re.compile(
    r"\d|\$|\b(?:fees?|amounts?|sums?|price|paid|payable|charges?|value|dollars?|royalt\w+|compensation|premiums?|payments?|consideration|cost|revenues?)\b",
    re.I,
)
_INDIRECT = re.compile(
    r"\b(?:indirect|consequential|special|incidental|punitive|exemplary|collateral|remote|multiple|enhanced|profits?|revenues?|data|goodwill|savings|business|use|opportunit\w+|anticipat\w+|contingent|direct|actual)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Reading:
    """``conflict``: why it cannot be so; ``open``: what could not be told; both empty where it fits."""

    position: str
    level: str
    conflict: str = ""
    open: str = ""


def labelled(claim: str) -> tuple[str, str] | None:
    """Position and level that a sentence names outside its quotations."""
    match = LABEL.search(masked(claim)) or OF_STANDARD.search(masked(claim))
    return (match["position"].upper(), match["level"].lower()) if match else None


def read(claim: str) -> Reading | None:
    """Hold the words of a labelled sentence against its level; ``None`` where it carries no label."""
    label = labelled(claim)
    if label is None:
        return None
    position, level = label
    bare = masked(claim)
    if len({(m["position"].upper(), m["level"].lower()) for m in LABEL.finditer(bare)}) > 1:
        return Reading(position, level, conflict="it names more than one position or level")
    if OF_STANDARD.search(bare):
        return Reading(position, level)
    gloss = LABEL.sub(" ", bare)
    if (
        len(gloss.split()) >= 4
        and not TOPICS[position].search(gloss)
        and any(topic.search(gloss) for topic in TOPICS.values())
    ):
        return Reading(position, level, conflict=f"it names {position} and speaks of another position")
    quotes = [quotation.words for quotation in quotations(claim)]
    conflict, known = _gloss(position, level, gloss)
    if conflict:
        return Reading(position, level, conflict=conflict)
    conflict, fits = _quoted(position, level, quotes)
    if conflict:
        return Reading(position, level, conflict=conflict)
    if not known:
        return Reading(position, level, open="its words do not say what the level means")
    return Reading(position, level, open="" if fits else "the words quoted do not show it by themselves")


def _gloss(position: str, level: str, gloss: str) -> tuple[str, bool]:
    negated, known = len(_NOT.findall(gloss)) % 2 == 1, False
    for cue in CUES[position]:
        match = cue.words.search(gloss)
        if match:
            known = True
            if level not in (cue.negated if negated else cue.affirmed):
                said = f"{'not ' if negated else ''}{match[0]}"
                return f"it names the level {level} of {position} and says {said!r}", True
    if negated and not known:
        return f"it negates what the level {level} of {position} is", True
    return "", known


def _quoted(position: str, level: str, quotes: list[str]) -> tuple[str, bool]:
    """A conflict between level and quoted words, and whether the words show the level by themselves."""
    words = " ".join(quotes)
    if not quotes:
        return "", position == "P5"
    if (
        position == "P1"
        and level in (D, OFF)
        and _ALL_PARTIES.search(words)
        and not re.search(r"['’]S\b|\bby\b", words, re.I)
    ):
        return f"it calls one-sided what it quotes as {words[:60]!r}", False
    should = {("P1", M): _ANYONE, ("P2", M): _MONEY, ("P3", M): _MONEY, ("P4", M): _INDIRECT}.get((position, level))
    return "", should is None or bool(should.search(words))
