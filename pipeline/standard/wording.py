"""Sentences about a reading: short, true, and quoting the clause word for word.

Convention: a quotation stands in ASCII double quotes and is found in the clause as it stands
(whitespace may differ); a sentence gives no number that is not in a quotation.
"""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.base.types import Level
from pipeline.standard.text import Clause, Span

MAX_WORDS = 25

#: What is said of a clause, by the reason that a level was given for.
SENTENCES = {
    "mutual": "the clause binds both sides alike, in the words {0}",
    "nobody named": "the clause names no party for whom alone it would work, in the words {0}",
    "mirrored": "the clause protects each side in turn, in the words {0} and {1}",
    "one party": "the clause speaks of one party only, in the words {0}",
    "one-sided exception": "the exception exposes one party only, in the words {0}",
    "one exposed": "one side is limited in the words {0} while the other is exposed in the words {1}",
    "exposed alone": "a limit for both sides leaves one of them exposed, in the words {0}",
    "stated sum": "the ceiling is a stated sum, in the words {0}",
    "fees": "the ceiling can be computed, from the words {0}",
    "narrow basis": "the ceiling rests on a narrow basis, in the words {0}",
    "narrow remedy": "the remedy is narrowed to {0}",
    "unlimited": "liability in general is without a ceiling, in the words {0}",
    "fair level": "the ceiling lies within the range of the standard, in the words {0}",
    "level out of range": "the ceiling lies outside the range of the standard, in the words {0}",
    "indirect excluded": "indirect loss is excluded for both sides, in the words {0}",
    "direct only": "liability is kept to direct loss for both sides, in the words {0}",
    "indirect one-sided": "the exclusion of loss serves one party only, in the words {0}",
    "indirect capped": "indirect loss is capped for one party only, in the words {0}",
    "direct reached": "the exclusion reaches more than indirect loss, in the words {0}",
    "everything excluded": "one party excludes its liability altogether, in the words {0}",
    "gross fault only": "liability is excluded but for gross fault, in the words {0}",
    "operative words": "the clause can be judged from its own words {0}",
    "permitted exception": "its exceptions stay within the permitted list, in the words {0}",
    "exception outside": "an exception lies outside the permitted list, in the words {0}",
    "exception by number": "an exception names a section without its subject, in the words {0}",
    "exception open": "an exception is left open, in the words {0}",
    "exception wide": "the exceptions take in ordinary breach of the agreement, in the words {0}",
    "recourse without exception": "the limit of recourse carries no exception, in the words {0}",
    "no exception": "the ceiling carries no exception, in the words {0}",
    "left unread": "the text holds words on liability that cannot be read",
    "nothing operative": "the text holds no operative words on liability that can be read",
}

MISSING = {
    "not about liability": "What is missing is any term that limits, excludes or extends liability.",
    "fragment": "What is missing is the rest of the sentence: the text is a fragment without operative words.",
    "redacted": "What is missing is the part that is redacted: without it amount or scope cannot be judged.",
    "elsewhere": "What is missing is the term that the clause only points to: it stands outside the text.",
    "missing": "What is missing is the amount of the ceiling: the text ends or turns before it.",
    "denied": "What is missing is a plain statement: the clause denies what it says.",
    "unread": "What is missing is a sentence on liability that cannot be read.",
    "too long": "What is missing is a single clause: the text is longer than any clause and was not read.",
    "empty": "What is missing is the clause: the text is empty.",
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why a position has its level: a key of ``SENTENCES`` and the words it quotes."""

    level: Level
    reason: str
    spans: tuple[Span, ...] = ()


def quote_words(clause: Clause, span: Span) -> str:
    """The clause's words for ``span``, cut to ``MAX_WORDS`` and free of double quotes that would end
    a quotation early."""
    words = clause.quote(span).strip(" ,;:.")
    pieces = words.split()
    if len(pieces) > MAX_WORDS:
        end = 0
        for piece in pieces[:MAX_WORDS]:
            end = words.index(piece, end) + len(piece)
        words = words[:end]
    longest = max(_between_quotes(words), key=len, default="")
    return longest.strip(" ,;:(")


def _between_quotes(words: str) -> list[str]:
    for mark in "“”„‟«»":
        words = words.replace(mark, '"')
    return words.split('"')


def note(position: str, evidence: Evidence, clause: Clause) -> str:
    """One sentence, e.g. ``P1 meets: the clause binds both sides alike, in the words "neither party".``"""
    quotes = [f'"{" ".join(quote_words(clause, span).split())}"' for span in evidence.spans]
    text = SENTENCES[evidence.reason]
    wanted = text.count("{")
    quotes += quotes[:1] * (wanted - len(quotes))
    return f"{position} {evidence.level.value}: {text.format(*quotes)}."


def missing_sentences(reasons: list[str]) -> tuple[str, ...]:
    return tuple(MISSING[reason] for reason in dict.fromkeys(reasons))
