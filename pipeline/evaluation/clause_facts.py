"""Facts that can be read off a liability clause beyond doubt, for claims whose truth is known.

Conservative on purpose: a fact is yielded only where its pattern leaves no room; a clause that is not
understood yields nothing. This module shares no code with the auditor or the judge that the claims
are to test. Texts have their whitespace collapsed; patterns ignore case, because much of a contract
is in capitals.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from pipeline.corpus.sentences import sentence_ends
from pipeline.evaluation import clause_parties as parties
from pipeline.evaluation.clause_parties import MODAL

_I = re.IGNORECASE
_NUMBERS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
NUMBER_WORDS = _NUMBERS.split()
TENS = {24: "twenty-four", 30: "thirty", 36: "thirty-six", 45: "forty-five", 60: "sixty", 90: "ninety"}
_VALUES = {word: number for number, word in enumerate(NUMBER_WORDS)} | {word: n for n, word in TENS.items()}

#: Exception subjects: name as a claim says it, and the words of a clause that show it.
SUBJECTS: dict[str, str] = {
    "confidentiality": r"confiden\w*",
    "indemnification": r"indemni\w*",
    "gross negligence": r"gross(?:ly)?\s+neglig\w*",
    "wilful misconduct": r"wil?l?ful(?:ly)?\s+(?:misconduct|acts?|default|wrongdoing)",
    "fraud": r"fraud\w*",
    "intellectual property": r"intellectual\s+property|infring\w*|misappropriat\w*",
    "personal injury": r"(?:personal|bodily)\s+injur\w*",
}
#: Subjects that liability clauses hardly ever except, with the words whose absence is checked.
RARE_SUBJECTS: dict[str, str] = {
    "product recalls": r"recall",
    "environmental damage": r"environment",
    "tax debts": r"\btax",
    "export controls": r"export",
    "late delivery": r"\bdela|\blate\b|deliver",
    "data protection": r"\bdata\b|privacy",
    "employment claims": r"employ",
}
#: Heads of loss: name, words.
HEADS: dict[str, str] = {
    "indirect": r"indirect",
    "incidental": r"incidental",
    "consequential": r"consequential",
    "special": r"special",
    "punitive": r"punitive",
    "exemplary": r"exemplary",
}

_MUTUAL_LIMIT = re.compile(
    rf"\bneither\s+(?:of\s+the\s+)?part(?:y|ies)\b(?:(?!\bnor\b|[.;]).){{0,60}}?\b(?:be\s+(?:liable|responsible)|have\s+any\s+(?:liability|obligation))"
    rf"|\b{MODAL}\s+either\s+party(?:\s+or\s+its\s+affiliates)?\s+be\s+(?:liable|responsible)"
    rf"|\beither\s+party\s+{MODAL}\s+(?:not|in\s+no\s+event)\s+be\s+liable"
    r"|\b(?:each|either|neither)\s+party['’]s\s+(?:(?:total|aggregate|entire|maximum|cumulative|sole|whole)\s+)*liability\b"
    r"[^.;]{0,160}?\b(?:exceed|(?:be|is)\s+(?:limited|capped)|greater)\b",
    _I,
)
_AMOUNT = re.compile(
    r"(?P<cur>US\$|U\.S\.\s?\$|USD\s?\$?|\$|€|£)\s?(?P<num>\d{1,3}(?:,\d{3})+|\d{2,})(?:\.00)?(?![\d.,]*\d)(?!\s*(?:million|billion|thousand|mm?\b|k\b|per|each|/))",
    _I,
)
_PERIOD = re.compile(
    r"\b(?:(?P<word>[a-z]+(?:-[a-z]+)?)\s*\(\s*(?P<paren>\d{1,3})\s*\)|(?P<num>\d{1,3})|(?P<only>[a-z]+(?:-[a-z]+)?))"
    r"[\s-]+(?:consecutive\s+|calendar\s+|full\s+)?(?P<unit>day|week|month|year)s?\b",
    _I,
)
_SHARE = re.compile(
    r"(?<![\d.,])(?P<num>\d{1,3})\s?%|\b(?P<word>[a-z]+)\s+(?:\(\s*\d+\s*x?\s*\)\s+)?(?P<times>times)\b", _I
)
_SECTION = re.compile(
    r"\b(?P<kind>Sections?|Articles?|Clauses?|Paragraphs?)\s+(?P<num>\d{1,2}(?:\.\d{1,2}){0,3})(?!\.?\s?\d)(?!\s?%)", _I
)
_EXCEPTION_LEAD = re.compile(
    r"\b(?:except\s+(?:for|in\s+the\s+case\s+of|in\s+cases?\s+of|with\s+respect\s+to|with\s+regard\s+to|to\s+the\s+extent|in\s+connection"
    r"\s+with|as\s+to)|with\s+the\s+exception\s+of|other\s+than|excluding|save\s+(?:for|in\s+respect\s+of)"
    r"|(?:shall|will|do|does|is|are)\s+not\s+(?:apply|applicable)\s+(?:to|in\s+(?:the\s+)?(?:case|event|respect)\s+of)"
    r"|nothing\s+in\s+this\s+\w+(?:\s+\w+)?\s+(?:shall|will)\s+(?:limit|exclude))\b",
    _I,
)
_EXCEPTION_STOP = re.compile(
    r"(?:,|\))\s*(?:in\s+no\s+event|under\s+no|neither|each\s+party|either\s+party|no\s+party|the\s+(?:total|aggregate|maximum|entire)"
    r"|notwithstanding|[\w&.]+\s+(?:shall|will)\b|[\w&.]+['’]s\s+(?:total|aggregate|entire|maximum))|[.;]",
    _I,
)
_LIMITATION = re.compile(r"\b(?:liab\w+|damages)\b", _I)
_EXCLUSION = re.compile(
    rf"\b(?:no\s+event|neither\s+party|no\s+circumstances|not\s+be\s+liable|no\s+liability|{MODAL}\s+not\s+be\s+(?:responsible|liable))\b",
    _I,
)
_DIRECT_TOO = re.compile(
    r"(?<![\w-])direct\b|\b(?:any|all|no|every)\s+(?:and\s+all\s+)?(?:other\s+)?(?:damages?|loss(?:es)?|liabilit\w+|claims?|costs?)\b"
    r"|\bany\s+kind\b|\bkind\b|\bwhatsoever\b|\bnature\b|\bor\s+other\b|\bentire\b|\bother\s+damages\b|\bhave\s+no\s+(?:liability|responsibility|obligation)\b",
    _I,
)
_CEILING = re.compile(r"\b(?:exceed|limited\s+to|up\s+to|maximum|greater\s+than|in\s+excess\s+of)\b", _I)


@dataclass(frozen=True, slots=True)
class Amount:
    """``value`` in whole units of ``currency``: ``$``, ``€``, ``£``, or ``%`` and ``times`` for a share."""

    value: int
    currency: str


@dataclass(frozen=True, slots=True)
class Period:
    number: int
    unit: str


class Facts:
    """What is beyond doubt in one clause, each fact read when it is first asked for: most are asked of few clauses.

    ``text`` is flat; ``sentences`` are cut by the corpus's own rule.
    """

    def __init__(self, text: str) -> None:
        self.text = flat(text)

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        return sentences(self.text)

    @cached_property
    def amounts(self) -> tuple[Amount, ...]:
        return _amounts(self.text)

    @cached_property
    def periods(self) -> tuple[Period, ...]:
        return periods(self.text)

    @cached_property
    def sections(self) -> tuple[tuple[str, str], ...]:
        return tuple(dict.fromkeys((m["kind"].rstrip("sS").title(), m["num"]) for m in _SECTION.finditer(self.text)))

    @cached_property
    def mutual(self) -> bool:
        """A limit or waiver protects both parties, and none protects one alone."""
        return _MUTUAL_LIMIT.search(self.text) is not None and not parties.protected(self.text)

    @cached_property
    def protected(self) -> str | None:
        """The one party that every limit in the clause protects; None if there may be another."""
        return parties.protected_alone(self.text)

    @cached_property
    def counterparty(self) -> str | None:
        return parties.other_than(self.protected, self.text) if self.protected else None

    @cached_property
    def owes(self) -> tuple[str, str] | None:
        """The one party whose liability to one other is spoken of, and that other."""
        return parties.owes(self.text)

    @cached_property
    def pays(self) -> tuple[str, str] | None:
        """Payer and payee of what a limit is measured by."""
        return parties.pays(self.text)

    @cached_property
    def excepted(self) -> tuple[str, ...]:
        """Subjects in the exceptions."""
        exceptions = exception_texts(self.text)
        return tuple(name for name, words in SUBJECTS.items() if any(mentions(words, part) for part in exceptions))

    @cached_property
    def excepts(self) -> bool:
        """There is an exception at all."""
        return _LIMITATION.search(self.text) is not None and bool(exception_texts(self.text))

    @cached_property
    def heads(self) -> tuple[str, ...]:
        return excluded_heads(self.sentences)

    @cached_property
    def indirect_only(self) -> bool:
        direct_or_capped = _DIRECT_TOO.search(self.text) or _CEILING.search(self.text)
        return not direct_or_capped and len(self.heads) >= 2


@lru_cache(maxsize=2048)
def facts(text: str) -> Facts:
    return Facts(text)


def flat(text: str) -> str:
    return " ".join(text.split())


def sentences(text: str) -> tuple[str, ...]:
    ends = sentence_ends(text)
    return tuple(text[a:b].strip() for a, b in zip([0, *ends], ends, strict=False) if text[a:b].strip())


def mentions(pattern: str, text: str) -> bool:
    return _compiled(pattern).search(text) is not None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """The library keeps fewer patterns than are in use here, and pays for each look-up."""
    return re.compile(pattern, _I)


def exception_texts(text: str) -> tuple[str, ...]:
    """The words of each exception, from its lead to where the main clause goes on."""
    found = []
    for lead in _EXCEPTION_LEAD.finditer(text):
        stop = _EXCEPTION_STOP.search(text, lead.end())
        found.append(text[lead.end() : stop.start() if stop else len(text)])
    return tuple(part for part in found if part.strip())


def excluded_heads(parts: Iterable[str]) -> tuple[str, ...]:
    """Heads of loss in a sentence that excludes liability, after the words that exclude it and
    before any exception."""
    found: list[str] = []
    for sentence in parts:
        exclusion = _EXCLUSION.search(sentence)
        if not exclusion or mentions(r"\bnot\s+limited\s+by\b|\bshall\s+not\s+apply\b", sentence):
            continue
        rest = sentence[exclusion.end() :]
        later = _EXCEPTION_LEAD.search(rest)
        rest = rest[: later.start()] if later else rest
        found += [name for name, words in HEADS.items() if mentions(rf"\b{words}\b", rest)]
    return tuple(dict.fromkeys(found))


def in_words(number: int) -> str | None:
    return NUMBER_WORDS[number] if number < len(NUMBER_WORDS) else TENS.get(number)


def periods(text: str) -> tuple[Period, ...]:
    found = []
    for match in _PERIOD.finditer(text):
        digits = match["paren"] or match["num"]
        number = int(digits) if digits else _VALUES.get((match["only"] or "").lower())
        spelled = _VALUES.get((match["word"] or "").lower())
        if number and (spelled is None or spelled == number) and not (match["word"] and spelled is None):
            found.append(Period(number, match["unit"].lower()))
    return tuple(dict.fromkeys(found))


def _amounts(text: str) -> tuple[Amount, ...]:
    found = []
    for match in _AMOUNT.finditer(text):
        symbol = next((c for c in "€£" if c in match["cur"]), "$")
        found.append(Amount(int(match["num"].replace(",", "")), symbol))
    for match in _SHARE.finditer(text):
        word = (match["word"] or "").lower()
        if match["num"]:
            found.append(Amount(int(match["num"]), "%"))
        elif word in NUMBER_WORDS:
            found.append(Amount(NUMBER_WORDS.index(word), "times"))
    return tuple(dict.fromkeys(found))
