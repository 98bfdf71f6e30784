"""Carve-outs: sentences and provisos that say what a limit does not reach ("shall not apply to …")."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.standard.grammar import Pattern, span_of
from pipeline.standard.leadins import PROVISO
from pipeline.standard.text import Span

_LIMIT = (
    r"(?:limit(?:ation|ations|s)?|exclusions?|restrictions?|waivers?|caps?|disclaimers?|(?:sub-?)?sections?"
    r"|sentences?|paragraphs?"
    r"|clauses?|articles?|foregoing|above|preceding|provisions?|maximum liability|liability cap|agreement|terms"
    r"|maximum obligation|amount|period|this)"
)
NAMED_HEADS = "without limit for named heads"
CARVE_OUT = (
    Pattern(
        "limits shall not apply",
        rf"\b{_LIMIT}\b(?:(?!\b{_LIMIT}\b|\bprovided\b|\bexcept that\b)[^;]){{0,180}}?\b(?:shall|will|do|does"
        r"|are|is|may)\s+(?:not|neither|in no event|in no way|under no circumstances)\b"
        r"(?:,? however,?)?(?: be (?:construed|deemed|interpreted|intended)(?: to| as)?| in any way"
        r"| operate to| intended to| purport to| serve to| have the effect of| \(?[a-z]\))*\s*"
        r"(?:\([a-z]\) ?)?(?:apply|applied|applicable|limit(?!ed)|restrict|exclude|affect|(?:be )?available"
        r"|extend|reduce|preclude|relieve|impair|be applied|(?:be )?limiting|cover)\b(?: (?:to|in"
        r"|with respect|where|for|as to))?",
    ),
    Pattern(
        "nothing shall limit",
        r"\bnothing (?:(?:contained |set forth |stated )?(?:in|herein|under|this)\b)[^;]{0,160}?\b"
        r"(?:limits?|excludes?|restricts?|precludes?|affects?|limiting|excluding|relieves?|prevents?|impairs?)\b",
    ),
    Pattern(
        "no limit applies",
        r"\b(?:none of (?:the )?(?:foregoing |above |aforementioned )?(?:limit\w*|exclusions?"
        r"|restrictions?)|no limit\w*(?: or exclusion)?|neither (?:of )?(?:the |this |these )?(?:foregoing "
        r"|above )?(?:limit\w*|exclusions?|sections?|sentences?|paragraphs?))\b[^;]{0,240}?\b"
        r"(?:appl(?:y|ies)|be available|limits?"
        r"|excludes?|affects?)\b(?: (?:to|with respect))?",
    ),
    Pattern(
        "in no event shall limits apply",
        rf"\bin no event (?:shall|will) (?:this|the|these|such|any)\b[^;]{{0,60}}?\b{_LIMIT}\b[^;]{{0,60}}?\b"
        r"(?:apply|limit)\b(?: (?:to|with respect to))?",
    ),
    Pattern(
        "inapplicable to",
        rf"\b{_LIMIT}\b[^;]{{0,160}}?\b(?:shall|will|are|is)(?: be)? (?:inapplicable|not applicable|of no "
        r"(?:force|effect)[^;]{0,12}) (?:to|in|with respect)",
    ),
    Pattern(
        "excluded from the limits",
        r"\b(?:are|is|shall be|will be) (?:hereby |expressly |specifically )?(?:excluded|exempt\w*|excepted"
        r"|carved out) from (?:these|the|this|such|any|all)(?: \w+){0,3} (?:limit\w*|exclusions?|cap|waiver)",
    ),
    Pattern(
        "no party limits",
        r"\b(?:neither|no) party (?:shall |will |may )?(?:excludes?|limits?|restricts?)(?: (?:or|nor) "
        r"(?:excludes?|limits?))?[^;]{0,40}? liability\b",
    ),
    Pattern(
        NAMED_HEADS,
        r"\b(?:full responsibility|liabilit\w+|liable|responsible)\b[^;]{0,60}?,? (?:without (?:any )?limit"
        r"(?:ation)?(?! of liab)|unlimited)(?: as to amount)?,? (?:for|in respect of|in relation to"
        r"|in the case of|where|in case of|with respect to)",
    ),
    Pattern(
        "exceptions to the limits",
        r"\b(?:are|is|be|as) (?:an )?(?:exceptions? to|exclusions? from) (?:the |these |this )?(?:limit\w*"
        r"|waiver|cap)",
    ),
)
#: The subject stands before the verb in these.
BEFORE = ("excluded from the limits",)


@dataclass(frozen=True, slots=True)
class CarveOut:
    """``trigger`` is the carve-out's verb phrase, ``content`` what the limit does not reach, ``alone``
    whether it is a sentence of its own rather than a proviso to a limit in the same sentence."""

    trigger: Span
    content: Span
    alone: bool
    pattern: str


def carve_out(text: str, sentence: Span) -> CarveOut | None:
    """The carve-out of ``sentence``, if it has one."""
    best = None
    for pattern in CARVE_OUT:
        match = pattern.search(text, sentence)
        if match and (best is None or match.start() < best[0].start()):
            best = (match, pattern.name)
    if best is None:
        return None
    match, name = best
    proviso = list(PROVISO.all(text, Span(sentence.start, match.start() + 1)))
    alone = not proviso or proviso[-1].start() - sentence.start < 12
    content = Span(match.end(), sentence.end)
    if name in BEFORE:
        content = Span(sentence.start, match.start())
    trigger = span_of(match) if alone else Span(proviso[-1].start(), match.end())
    return CarveOut(trigger, content, alone, name)
