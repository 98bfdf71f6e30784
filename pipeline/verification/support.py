"""check_claim_support: does the text that a sentence cites support the sentence?

The engine has a mechanism of its own, so that it does not repeat the product's faithfulness judge: it
looks for *refutations*, each a necessary condition of support that can be checked from the words alone:

1. a quotation of the sentence is not in the cited text, word for word;
2. a quotation was torn out of the negation right before it;
3. a number of the sentence is not in the cited text;
4. a contracting party of the sentence is not in it, or does not stand with the predicate it is given;
5. a predicate (liable, exceed, exclude, …) is affirmed where the cited text only negates it, or the reverse;
6. a level of the standard is named and the sentence says, or quotes, what another level means;
7. too few of the sentence's words occur in the part of the text that is most like it.

``MISMATCH``: one of them holds. ``SUPPORTED``: none holds, and the sentence is anchored, by a verbatim
quotation or by most of its words. ``PARTIAL``: none holds and the anchor is weak. The check can refute; it
cannot prove entailment, and a false sentence made of a text's own words in another order can pass it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from pipeline.verification import levels, words
from pipeline.verification.quotations import masked, plain, position, quotations

#: Share of the sentence's content words in the most similar part of the text.
SUPPORTED_FROM = 0.6
PARTIAL_FROM = 0.25
#: From this share on, and up to ``SHORT`` words, a sentence of the source is nearly the claim itself.
NEARLY = 0.8
#: A quotation from this many words on says by itself where it comes from.
LONG = 4
#: Of a claim of so few words, half are no anchor.
FEW = 2
SHORT = 45
_TORN = re.compile(r"\b(?:not|never|cannot|nicht|nie)\s*$", re.IGNORECASE)
#: The standard's own range, which a sentence on a clause may name.
_RANGE = re.compile(r"\b(?:between )?one (?:and|to) three(?: times)?\b", re.IGNORECASE)
_OWN_LABELS = re.compile(r"\bP[1-6]\b")


class Support(StrEnum):
    SUPPORTED = "SUPPORTED"
    PARTIAL = "PARTIAL"
    MISMATCH = "MISMATCH"


@dataclass(frozen=True, slots=True)
class SupportCheck:
    status: Support
    reason: str


#: A second opinion: (sentence, cited text) -> what it says, or ``None`` where it could not be asked.
Opinion = Callable[[str, str], SupportCheck | None]


def check(claim: str, text: str, fields: Mapping[str, str] | None = None) -> SupportCheck:
    """Whether ``text`` supports ``claim``. ``fields``: named parts of the text (``P1 meets`` of a standard)."""
    return _check(claim, text, tuple(sorted(fields.items())) if fields else ())


@lru_cache(maxsize=4096)
def _check(claim: str, text: str, fields: tuple[tuple[str, str], ...]) -> SupportCheck:
    refuted = _quotes(claim, text) or _field(claim, dict(fields))
    if refuted:
        return SupportCheck(Support.MISMATCH, refuted)
    bare = _OWN_LABELS.sub(" ", masked(claim))
    reading = levels.read(claim)
    if reading is not None:
        return _level(reading, bool(quotations(claim)), text, bare)
    refuted = _numbers(bare, text) or _parties(bare, text) or _polarity(bare, text)
    if refuted:
        return SupportCheck(Support.MISMATCH, refuted)
    return _anchor(bare, claim, text)


def _level(reading: levels.Reading, quoted: bool, text: str, bare: str) -> SupportCheck:
    if reading.conflict:
        return SupportCheck(Support.MISMATCH, reading.conflict)
    refuted = _numbers(bare, text) or _parties(bare, text)
    if refuted:
        return SupportCheck(Support.MISMATCH, refuted)
    if reading.open:
        return SupportCheck(Support.PARTIAL, reading.open)
    if not quoted and reading.level not in ("silent", "fails"):
        return SupportCheck(Support.PARTIAL, "it quotes nothing for the level that it names")
    return SupportCheck(Support.SUPPORTED, "level, wording and quoted words agree")


def _quotes(claim: str, text: str) -> str:
    source = plain(text)
    for quotation in quotations(claim):
        at = position(quotation.words, source)
        if at < 0:
            return f"the words {quotation.words[:80]!r} are not in the cited text"
        if all(_TORN.search(source[max(0, i - 12) : i]) for i in _everywhere(plain(quotation.words), source)):
            return f"the words {quotation.words[:80]!r} stand behind a negation that the quotation leaves out"
    return ""


def _everywhere(needle: str, hay: str) -> list[int]:
    return [match.start() for match in re.finditer(re.escape(needle), hay)] or [0]


def _field(claim: str, fields: Mapping[str, str]) -> str:
    """A sentence about one level of a standard has to quote that level."""
    label = levels.labelled(claim)
    if not fields or label is None:
        return ""
    own = levels.OF_STANDARD.search(masked(claim)) or any(len(q.words.split()) >= LONG for q in quotations(claim))
    if not own:
        return "a sentence about a clause cannot rest on the standard"
    name = " ".join(label)
    if name not in fields:
        return f"the standard has no level {label[1]} of {label[0]}"
    for quotation in quotations(claim):
        if position(quotation.words, fields[name]) < 0:
            return f"the words {quotation.words[:80]!r} are not those of the level {label[1]} of {label[0]}"
    return ""


def _numbers(bare: str, text: str) -> str:
    own = _RANGE.sub(" ", bare)
    missing = sorted(words.numbers(own) - words.numbers(text))
    return f"the number {missing[0]} is not in the cited text" if missing else ""


def _parties(bare: str, text: str) -> str:
    missing = sorted(words.parties(bare) - words.parties(text))
    return f"the cited text does not speak of the {missing[0]}" if missing else ""


def _polarity(bare: str, text: str) -> str:
    """Predicates the other way round, or of a party that they are not said of."""
    said = words.polarity(bare)
    there = words.polarity(text)
    for predicate, signs in sorted(said.items()):
        if predicate in there and not signs & there[predicate]:
            how = "affirms" if True in signs else "negates"
            return f"it {how} what the cited text says of {predicate!r} the other way round"
    named = words.parties(bare)
    if len(named) == 1 and not words.speaks_of_all(bare):
        for predicate, signs in sorted(said.items()):
            holders = [
                sentence
                for sentence in words.sentences(text)
                if predicate in (found := words.polarity(sentence)) and signs & found[predicate]
            ]
            if holders and not any(words.speaks_of_all(s) or named & words.parties(s) for s in holders):
                return f"the cited text says {predicate!r} of another than the {next(iter(named))}"
        wanted = set(words.content(bare)) - {words.stem(party) for party in named}
        near = [s for s in words.sentences(text) if wanted and _share(wanted, s) >= NEARLY]
        if near and all(words.parties(s) and not named & words.parties(s) and not words.speaks_of_all(s) for s in near):
            return f"the cited text says it of the {min(words.parties(near[0]))}, not of the {next(iter(named))}"
    return ""


def _share(wanted: set[str], text: str) -> float:
    """The share of the wanted stems that occur in ``text``."""
    return len(wanted & set(words.content(text))) / len(wanted)


def _turned(bare: str, wanted: set[str], parts: list[str]) -> str:
    """A sentence that is nearly the source's own but for a negation."""
    near = [p for p in parts if wanted and len(p.split()) <= SHORT and _share(wanted, p) >= NEARLY]
    odd = words.negations(bare) % 2
    if near and all(words.negations(p) % 2 != odd for p in near):
        return "but for a negation it is what the cited text says"
    return ""


def _anchor(bare: str, claim: str, text: str) -> SupportCheck:
    wanted = set(words.content(bare))
    quoted = max((len(quotation.words.split()) for quotation in quotations(claim)), default=0)
    if not wanted and not quoted:
        return SupportCheck(Support.MISMATCH, "the sentence says nothing that could be looked up")
    parts = words.sentences(text) or [text]
    windows = [" ".join(parts[i : i + 2]) for i in range(len(parts))]
    best = max((_share(wanted, part) for part in windows), default=0.0) if wanted else 1.0
    turned = _turned(bare, wanted, parts)
    if turned:
        return SupportCheck(Support.MISMATCH, turned)
    if best >= SUPPORTED_FROM or (quoted >= LONG and best >= PARTIAL_FROM):
        return SupportCheck(Support.SUPPORTED, f"{best:.0%} of its words stand in one place of the cited text")
    few = len(wanted) <= FEW and best < SUPPORTED_FROM
    if (best >= PARTIAL_FROM and not few) or quoted:
        return SupportCheck(Support.PARTIAL, f"only {best:.0%} of its words stand in one place of the cited text")
    return SupportCheck(Support.MISMATCH, f"only {best:.0%} of its words stand in one place of the cited text")
