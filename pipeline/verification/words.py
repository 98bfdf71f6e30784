"""Words as the support check compares them: content stems, numbers, parties, negations.

English and German. Everything here is a look-up over tokens; nothing knows a contract or a standard.
"""

from __future__ import annotations

import re
from functools import lru_cache

TOKEN = re.compile(r"[A-Za-zÀ-ÖØ-öø-ÿ]+(?:['’][A-Za-z]+)?|\d+(?:[.,]\d+)*%?|\$")


def _all(words: str) -> list[str]:
    return words.split()


_STOP = frozenset(_all(
    "a an the of to in on for and or by with from at as is are was were be been being it its this that these "
    "those such which who whom whose will shall may can could would should must has have had do does did than "
    "then there their they them he she his her any all each every other under per into upon within if so only "
    "also but both either one der die das ein eine einer eines einem einen und oder von vom zu zum zur im in am "
    "an auf für mit bei nach aus als ist sind war wird werden hat haben kann darf muss soll dass diese dieser "
    "dieses sich es er sie so auch nur wenn clause words says say states said provides reads text cited source "
    "party parties section agreement"
))  # fmt: skip
_SUFFIXES = ("ungen", "ung", "ations", "ation", "ings", "ing", "ities", "ity", "ies", "ions", "ion", "ives", "ive",
             "ally", "al", "edly", "ed", "es", "en", "er", "ern", "em", "et", "s", "e", "y", "n")  # fmt: skip
_NUMBER_WORDS = {
    word: value
    for value, words in {
        0: "zero null", 2: "two zwei", 3: "three drei", 4: "four vier", 5: "five fünf", 6: "six sechs",
        7: "seven sieben", 8: "eight acht", 9: "nine neun", 10: "ten zehn", 11: "eleven elf", 12: "twelve zwölf",
        15: "fifteen fünfzehn", 18: "eighteen achtzehn", 20: "twenty zwanzig", 30: "thirty dreissig",
        40: "forty vierzig", 50: "fifty fünfzig", 60: "sixty sechzig", 90: "ninety neunzig", 100: "hundred hundert",
        1000: "thousand tausend", 1_000_000: "million millionen", 1_000_000_000: "billion milliarde",
    }.items()
    for word in words.split()
}  # fmt: skip
_TIMES = {"once": 1, "twice": 2, "double": 2, "triple": 3, "single": 1}
#: "one" counts as a number only before a unit: "one party" is no amount.
_UNIT = re.compile(r"months?|years?|days?|weeks?|times?|dollars?|percent|jahre?|monate?|tage?|franken", re.IGNORECASE)
NEGATORS = frozenset(_all(
    "not no never neither nor none cannot nothing nobody without n't kein keine keiner keines keinem keinen nicht nie "
    "niemals ohne weder"
))  # fmt: skip
#: Predicates whose polarity a claim can turn round, by stem.
_PREDICATES = _all(
    "liable exceed limit cap exclude waive disclaim apply recover include cover require permit allow terminate "
    "pay owe indemnify warrant survive bind protect responsible entitled valid void enforceable unlimited capped "
    "mutual haften haftbar beschränken ausschliessen wegbedingen nichtig gültig zulässig gelten verjähren schulden "
    "kündigen anwendbar wirksam unwirksam"
)
#: Nouns of the same stem as a predicate: nothing is said of them by a negation nearby.
_NOUNS = frozenset(("haftung", "haftungen", "payment", "coverage", "limitation", "limitations", "exclusion", "geltung"))
_PARTY = re.compile(
    r"\b(supplier|customer|licensor|licensee|vendor|buyer|seller|purchaser|company|contractor|distributor|provider|client|"
    r"lessor|lessee|landlord|tenant|franchisor|franchisee|consultant|manufacturer|agent|principal|employer|employee|"
    r"developer|reseller|sponsor|publisher|borrower|lender|käufer|verkäufer|mieter|vermieter|schuldner|gläubiger|"
    r"arbeitgeber|arbeitnehmer|besteller|unternehmer|auftraggeber|auftragnehmer|beauftragter|versicherer)\b",
    re.IGNORECASE,
)
_MUTUAL = re.compile(
    r"\b(neither|either|each|both|no|any|a)\s+(?:of the\s+)?(party|parties|side|sides)\b|\bparties\b|\bparteien?\b",
    re.I,
)


def tokens(text: str) -> list[str]:
    """Lower-case words and figures; ``don't`` gives ``don``, ``n't``."""
    found = []
    for token in TOKEN.findall(text.replace("’", "'")):
        low = token.lower()
        if low.endswith("n't"):
            found += [low[:-3], "n't"]
        else:
            found.append(low.removesuffix("'s").removesuffix("s'"))
    return found


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """A crude stem, the same for inflections of one word; never shorter than four letters."""
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 4:
            return stem(word[: -len(suffix)])
    return word


def content(text: str) -> list[str]:
    """Stems of the words that carry meaning: no stop words, negations or figures, nothing of one letter."""
    return [stem(t) for t in tokens(text) if t not in _STOP and t not in NEGATORS and len(t) > 1 and not t[0].isdigit()]


def numbers(text: str) -> set[str]:
    """Every number as digits: ``twelve (12)`` gives {12}, ``1'000`` and ``1,000`` give 1000, ``10%`` gives 10%."""
    text = re.sub(r"(?<=\d)[’'](?=\d{3})", "", text.replace("\u00a0", " "))
    found: set[str] = set()
    words = re.findall(r"\d+(?:[.,]\d+)*\s?%?|[A-Za-zÀ-ÿ]+", text)
    for index, word in enumerate(words):
        low = word.lower()
        if word[0].isdigit():
            found.add(_figure(word))
        elif low in _NUMBER_WORDS:
            found.add(str(_NUMBER_WORDS[low]))
        elif low in _TIMES:
            found.add(str(_TIMES[low]))
        elif low == "one" and index + 1 < len(words) and _UNIT.fullmatch(words[index + 1]):
            found.add("1")
    return found


def _figure(word: str) -> str:
    percent = "%" if word.rstrip().endswith("%") else ""
    digits = word.rstrip("% ").strip()
    digits = re.sub(r",(?=\d{3}(\D|$))", "", digits)
    whole, _, part = digits.replace(",", ".").partition(".")
    part = part.rstrip("0")
    return (whole.lstrip("0") or "0") + (f".{part}" if part else "") + percent


def parties(text: str) -> set[str]:
    """The contracting roles that a text names, in lower case."""
    return {match[1].lower() for match in _PARTY.finditer(text)}


def speaks_of_all(text: str) -> bool:
    return bool(_MUTUAL.search(text))


#: Opposites count as one predicate, affirmed or negated.
_OPPOSITES = {
    "valid": ("valid enforceable gültig wirksam verbindlich", "void invalid unenforceable nichtig ungültig unwirksam"),
    "allow": ("permit permitted allow allowed zulässig erlaubt", "prohibited forbidden unzulässig verboten untersagt"),
    "limit": ("limit limited cap capped beschränkt", "unlimited uncapped unbeschränkt"),
    "include": ("include included", "exclude excluded"),
}
PREDICATES = {stem(word): (stem(word), True) for word in _PREDICATES}
for _root, _pair in _OPPOSITES.items():
    for _sign, _group in zip((True, False), _pair, strict=True):
        PREDICATES.update({stem(word): (_root, _sign) for word in _group.split()})


def sentences(text: str) -> list[str]:
    """Sentences, roughly: enough to say which part of a source a claim resembles."""
    pieces = re.split(r"(?<=[.;:!?])\s+(?=[^\sa-z])|\n{2,}", text)
    return [piece.strip() for piece in pieces if piece and piece.strip()]


def negations(text: str) -> int:
    """How many negations a text holds; ``neither … nor`` is one."""
    found = [t for t in tokens(text) if t in NEGATORS]
    return len(found) - (found.count("nor") if "neither" in found else 0)


def clauses(text: str) -> list[list[str]]:
    """The tokens of a text, cut where a negation no longer reaches: at ``;``, ``:``, full stops and ``but``."""
    return [
        tokens(piece) for piece in re.split(r"[;:.!?]\s|\bbut\b|\bexcept\b|\baber\b|\bausser\b", text) if piece.strip()
    ]


def polarity(text: str) -> dict[str, set[bool]]:
    """For each predicate of the text: whether it stands affirmed (True), negated (False), or both."""
    found: dict[str, set[bool]] = {}
    for piece in clauses(text):
        for index, token in enumerate(piece):
            root = stem(token)
            if root in PREDICATES and token not in _NOUNS:
                before = piece[:index]
                negated = sum(t in NEGATORS for t in before) - ("neither" in before and "nor" in before)
                # German negates behind the verb: "haftet nicht".
                negated += any(t in ("nicht", "kein", "keine", "not") for t in piece[index + 1 : index + 3])
                name, sign = PREDICATES[root]
                found.setdefault(name, set()).add((negated % 2 == 0) is sign)
    return found
