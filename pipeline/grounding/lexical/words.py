"""Words for comparing a claim with its source: folded, without inflection, synonyms made one.

Convention: a :class:`Word` has the ``stem`` that is compared and the character offsets in the plain
text (:func:`fold`), which is lower case with ASCII quotes and dashes and single blanks.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from pipeline.grounding.quotes import KEPT, plain

_WORD = re.compile(r"[a-z]+(?:\.[a-z]+)*|\d[\d,]*(?:\.\d+)*|[$€£%]")
_IRREGULAR = {
    "paid": "pay", "payable": "pay", "payment": "pay", "payments": "pay", "lost": "lose", "loss": "lose",
    "losses": "lose", "losing": "lose", "parties": "party", "liabilities": "liable", "liability": "liable",
    "responsible": "liable", "responsibility": "liable", "wilful": "willful", "wilfully": "willful",
    "willfully": "willful", "breached": "breach", "breaching": "breach", "arises": "arise", "arising": "arise",
    "arose": "arise", "does": "do", "did": "do", "is": "be", "are": "be", "was": "be", "were": "be", "been": "be",
    "being": "be", "has": "have", "had": "have", "shall": "will", "must": "will", "upon": "on", "its": "it",
    "their": "it", "negligent": "negligence", "negligently": "negligence", "fraudulent": "fraud",
    "fraudulently": "fraud", "exceeds": "exceed", "exceeding": "exceed", "excess": "exceed",
    "indemnification": "indemnity", "indemnify": "indemnity", "indemnities": "indemnity", "indemnified": "indemnity",
    "indemnifies": "indemnity", "indemnitee": "indemnitee", "confidential": "confidentiality",
    "infringement": "infringe", "infringing": "infringe", "misappropriation": "misappropriate",
    "consequent": "consequential", "incidentally": "incidental", "terminates": "terminate",
    "termination": "terminate", "injuries": "injury", "supplied": "supply", "remedies": "remedy",
    "warranties": "warranty", "properties": "property", "policies": "policy", "savings": "save", "data": "data",
    "people": "person", "persons": "person", "proven": "prove", "foregoes": "forego", "wavier": "waive",
    "waiver": "waive", "waived": "waive", "exclusion": "exclude", "exclusions": "exclude",
    "limitation": "limit", "limitations": "limit", "revenues": "revenue", "months": "month",
}  # fmt: skip
_SUFFIXES = (("ies", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("es", "e"), ("s", ""), ("ly", ""))


class Word(NamedTuple):
    stem: str
    start: int
    end: int


def any_of(*alternatives: str) -> re.Pattern[str]:
    """A pattern that finds any of the alternatives, each as whole words."""
    return re.compile("|".join(rf"\b(?:{one})\b" for one in alternatives))


@lru_cache(KEPT)
def fold(text: str) -> str:
    """``text`` in lower case, plain typography, single blanks."""
    return plain(text).lower()


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The form under which two inflections of one word are equal; made for comparing, not reading."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for suffix, instead in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3 and not word.endswith(("ss", "us", "is")):
            base = word[: len(word) - len(suffix)] + instead
            if len(base) > 3 and base[-1] == base[-2] and suffix in ("ing", "ed") and base[-1] not in "lsz":
                base = base[:-1]
            return _IRREGULAR.get(base, base.rstrip("e") if len(base) > 3 else base)
    return word.rstrip("e") if len(word) > 3 else word


@lru_cache(KEPT)
def words(text: str) -> tuple[Word, ...]:
    """The words of ``fold(text)``."""
    return tuple(Word(stem(match[0]), match.start(), match.end()) for match in _WORD.finditer(fold(text)))


@lru_cache(KEPT)
def stems_in_order(text: str) -> tuple[str, ...]:
    """The stems of ``words(text)``, where nobody asks for the places."""
    return tuple(map(stem, _WORD.findall(fold(text))))


@lru_cache(KEPT)
def stems(text: str) -> frozenset[str]:
    """The stems of a text's words, each once."""
    return frozenset(stems_in_order(text))
