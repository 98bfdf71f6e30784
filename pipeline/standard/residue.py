"""Residue: sentences that may speak of liability and that the reader could not read.

A clause is acceptable only if every such sentence is read. A sentence counts as unread where it has
neither act nor exception and yet uses a word of liability or speaks about another sentence ("the
foregoing shall apply to Seller only"), where it is not in English, or where it holds letters of
another script. A heading is no sentence. Nothing here makes a clause worse than unread.
"""

from __future__ import annotations

import re

from pipeline.standard.finder import Found
from pipeline.standard.grammar import Pattern, any_of
from pipeline.standard.judged import Judged
from pipeline.standard.text import Span

SPEAKS = Pattern(
    "speaks of liability",
    any_of(
        r"\b(?:liab\w*|damages?|loss(?:es)?|recours\w*|responsib\w*|answerable|accountable|remed\w+|claims?|sue[sd]?"
        r"|suits?|lawsuits?|uncapped|unlimited|limitless|unrestricted|infinite|caps?|capped|ceiling|indemni\w*"
        r"|compensat\w*|recover\w*|immun\w+|absolv\w+|exonerat\w+|blame(?:less)?|exposure|responsab\w+)\b",
        r"\b(?:waives?|surrenders?|forgoe?s|renounces?|disclaims?|relinquish\w*|gives? up)\b",
        r"\banswers? (?:to|for)\b|\bmakes? [^;.]{1,40}? whole\b|\bgoes wrong\b",
        r"\bpays? (?:for )?(?:whatever|anything|everything|all that)\b",
        r"\b(?:un|not )enforceable\b|\bbinding in honou?r\b",
        r"\b(?:[a-z] ){3,}",
    ),
)
SCOPE_NOTE = Pattern(
    "note on scope",
    any_of(
        r"\bforegoing\b",
        r"\b(?:preceding|previous|above|prior|last|first|this|that) (?:sentence|paragraph|limit\w*|exclusion|waiver)\b",
        r"^\W*provided\b",
        r"\b(?:neither|either|each|no|both) part(?:y|ies)\b[^;]{0,60}?\b(?:means?|refers?|denotes?|reads?)\b",
        r"\b(?:exclusion|limit(?:ation)?s?|waiver|clause|section|paragraph|sentence|provision)\b[^;]{0,60}?"
        r"\b(?:alone|only|solely|favou?r|protects?|benefit)\b",
        r"[\"'](?:neither|either|each|both|party|parties|either party|neither party)[\"']",
        r"\b(?:deleted|struck out|null and void|of no (?:force|effect))\b",
    ),
)
#: "These limitations shall apply even if a remedy fails": it adds nothing to the limit that it speaks of.
CONFIRMS = Pattern(
    "confirms a limit",
    r"^\W*each party (?:shall|will|must) (?:\w+ ){0,5}mitigate\b"
    r"|^\W*(?:the parties agree that )?(?:the|this|these|such|each of the) (?:foregoing |above )?"
    r"(?:limit\w*|exclusions?|waivers?|disclaimers?)\b(?: (?:and|or) \w+)?"
    r"(?: (?:specified |set forth )?in this section(?: [\d.]+)?)?"
    r" (?:(?:shall|will) )?apply (?:even if|notwithstanding|regardless of|to the (?:fullest|maximum|greatest) extent)\b"
    r"(?![^;]*\b(?:only|alone|solely|but|not)\b)"
    r"|^\W*notwithstanding the foregoing\W*$",
)
OTHER_SCRIPT = Pattern("letters of another script", r"[\u0370-\u1dff\u2c00-\ud7ff\uf900-\ufaff\ufb13-\uffdc]")
WHOLLY = Pattern(
    "wholly",
    r"\b(?:uncapped|unlimited|limitless|infinite|immun\w+|absolv\w+|exonerat\w+)\b"
    r"|\bwithout any (?:cap|limit|ceiling)\b|\bno (?:\w+ )?(?:cap|ceiling|limit)s?\b|\bno liabilit\w+"
    r"|\b(?:wholly|entirely|totally) (?:free|excluded|exempt)",
)
FUNCTION_WORD = Pattern(
    "English function word",
    r"\b(?:the|of|to|and|or|shall|be|for|any|in|by|is|will|not|this|that|with|from|are|may|has|have|its|than)\b",
)
#: Digits inside a word are letters in disguise ("n0t 1iable"); ordinals, units and numbered names are not.
DISGUISED = Pattern(
    "disguised word", r"\b(?:[a-z]+[01][a-z]+|[01](?!st\b|\w?[tm]h\b|k\b|m\b|mm\b|bn\b|x\b)[a-z]{3,})\b"
)
_HEADING_WORDS = frozenset(
    [
        "limitation",
        "limitations",
        "limit",
        "limits",
        "limited",
        "of",
        "on",
        "liability",
        "liabilities",
        "damages",
        "consequential",
        "indirect",
        "special",
        "incidental",
        "punitive",
        "exemplary",
        "exclusion",
        "exclusions",
        "disclaimer",
        "waiver",
        "mutual",
        "and",
        "or",
        "remedies",
        "remedy",
        "exclusive",
        "sole",
        "cap",
        "caps",
        "indemnification",
        "indemnity",
        "indemnities",
        "indemnify",
        "claims",
        "claim",
        "the",
        "article",
        "section",
        "clause",
        "general",
        "loss",
        "losses",
        "certain",
        "for",
        "to",
        "maximum",
        "aggregate",
        "total",
        "insurance",
        "warranty",
        "warranties",
        "risk",
        "allocation",
        "responsibility",
        "responsibilities",
        "obligations",
        "third",
        "party",
        "parties",
        "provisions",
        "recourse",
        "compensation",
        "exceptions",
        "carve",
        "outs",
    ]
)
_MOST_HEADING_WORDS = 9
_WORD = re.compile(r"[^\W\d_]+")
#: A stop, or a joint after which another subject begins.
_PART_END = re.compile(
    r"[.;]\s"
    r"|,\s(?=(?:and|but|while|whereas)\b(?! (?:not limited|shall|will|is|are|has|have|does|agrees?|hereby|in no)\b))"
)
_STRONG = re.compile(r"\b(?:liab\w+|uncapped|unlimited|limitless|immune|absolved|recourse)\b")
_VERB = re.compile(r"\b(?:is|are|be|shall|will|may|can|has|have|no|not|nil|none)\b")
_FEWEST_WORDS = 3


def unread_exposure(judged: Judged) -> bool:
    """Whether a sentence that was not read takes a limit or a liability away altogether: what is known of
    the clause is then too mild."""
    text = judged.clause.norm
    return any(
        not found.acts and not found.items and WHOLLY.found(text, found.sentence) and _unread(text, found)
        for found in judged.found
    )


def unread(judged: Judged) -> bool:
    """Whether anything in the clause that may speak of liability was not read."""
    text = judged.clause.norm
    if OTHER_SCRIPT.found(text) or DISGUISED.found(text):
        return True
    return any(_unread(text, found) for found in judged.found)


def _unread(text: str, found: Found) -> bool:
    words = text[found.sentence.start : found.sentence.end]
    if found.acts or found.items:
        parts = [text[part.start : part.end] for part in _silent_parts(text, found)]
        return any(_STRONG.search(part) and _VERB.search(part) for part in parts)
    named = _WORD.findall(words)
    if _heading(named) or CONFIRMS.found(words):
        return False
    if SPEAKS.found(words) or SCOPE_NOTE.found(words):
        return True
    return len(named) >= _FEWEST_WORDS and not FUNCTION_WORD.found(words)


def _says_something(words: list[str]) -> bool:
    return len(words) >= _FEWEST_WORDS and not _heading(words)


def _heading(words: list[str]) -> bool:
    return len(words) <= _MOST_HEADING_WORDS and all(word in _HEADING_WORDS for word in words)


def _silent_parts(text: str, found: Found) -> list[Span]:
    """The parts of a sentence, cut at stops, semicolons and joints, that hold none of its acts and exceptions."""
    parts, start = [], found.sentence.start
    for stop in _PART_END.finditer(text, found.sentence.start, found.sentence.end):
        parts.append(Span(start, stop.end()))
        start = stop.end()
    parts.append(Span(start, found.sentence.end))
    taken = [act.trigger for act in found.acts] + [item.span for item in found.items] + list(found.regions)
    silent = [part for part in parts if not any(part.start < span.end and span.start < part.end for span in taken)]
    return [part for part in silent if _says_something(_WORD.findall(text, part.start, part.end))]
