"""Amounts, periods, percentages and multiples, in digits and in words.

Convention: a :class:`Quantity` is a value with a unit: ``money`` (any currency; the currency is kept),
``month`` (years count as twelve), ``day`` (weeks count as seven), ``hour``, ``ratio`` (percent as a
hundredth; "twice", "two times" as multiples), or ``""`` for a bare number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from pipeline.grounding.lexical.words import KEPT, fold

_ONES = dict(
    zip(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ],
        range(20),
        strict=True,
    )
)
_TENS = dict(
    zip(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], range(20, 100, 10), strict=True)
)
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_NUMBER_WORD = "|".join([*_ONES, *_TENS, *_SCALES])
_SPELLED = rf"(?:(?:{_NUMBER_WORD})(?:(?:[ -]| and )(?:{_NUMBER_WORD})\b){{0,12}})"
_DIGITS = r"\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_CURRENCY = {"$": "usd", "us$": "usd", "usd": "usd", "dollar": "usd", "€": "eur", "eur": "eur", "euro": "eur"}
_CURRENCY |= {"£": "gbp", "gbp": "gbp", "pound": "gbp", "rmb": "cny", "cny": "cny", "yen": "jpy", "jpy": "jpy"}
_BEFORE = re.compile(r"(us\$|\$|€|£|\busd|\beur|\bgbp|\brmb|\bcny|\bjpy)\s*$")
_PAREN = rf"(?:\s*\(\s*(?:us)?[$€£]?\s*(?:{_DIGITS}|{_SPELLED})\s*%?\s*\))?"
_AFTER = re.compile(
    rf"{_PAREN}[\s-]*(?:(?P<scale>thousand|million|billion|m\b|k\b|bn\b)[\s-]*)?"
    r"(?:(?:consecutive|calendar|business|full|preceding|prior|contract|united states|u\.s\.|us)[\s-]+){0,2}"
    r"(?P<unit>percent|per cent|percentage points?|%|years?|months?|weeks?|days?|hours?|times?\b|x\b|-?fold"
    r"|dollars?|usd"
    r"|euros?|eur|pounds?|gbp|annual|anniversary)?"
)
_NUMBER = re.compile(rf"(?<![\w.])(?:(?P<digits>{_DIGITS})|(?P<spelled>{_SPELLED})\b)")
_MULTIPLES = re.compile(
    r"\b(twice|thrice|double|triple|half|one-half|quadruple|(?:one|a)[ -]quarter(?= of)|(?:one|a)[ -]third(?= of)"
    r"|two[ -]thirds|three[ -]quarters)\b"
)
_MULTIPLE = {
    "twice": 2.0,
    "double": 2.0,
    "thrice": 3.0,
    "triple": 3.0,
    "quadruple": 4.0,
    "half": 0.5,
    "quarter": 0.25,
    "third": 1 / 3,
    "two thirds": 2 / 3,
    "three quarters": 0.75,
}
_PER_UNIT = {"year": ("month", 12), "month": ("month", 1), "week": ("day", 7), "day": ("day", 1), "hour": ("hour", 1)}
_SHORT_SCALE = {"m": 1e6, "k": 1e3, "bn": 1e9}


@dataclass(frozen=True, slots=True)
class Quantity:
    value: float
    unit: str
    currency: str = ""
    shown: str = ""

    def agrees(self, other: Quantity) -> bool:
        if abs(self.value - other.value) > 1e-9 * max(1.0, abs(self.value)):
            return False
        if self.currency and other.currency and self.currency != other.currency:
            return False
        return self.unit == other.unit or not self.unit


def spelled_value(text: str) -> float:
    """The value of a number in words: ``one hundred and fifty thousand`` is 150000."""
    total, group = 0, 0
    for word in re.split(r"[ -]+", text):
        if word in _ONES:
            group += _ONES[word]
        elif word in _TENS:
            group += _TENS[word]
        elif word == "hundred":
            group = max(group, 1) * 100
        elif word in _SCALES:
            total += max(group, 1) * _SCALES[word]
            group = 0
    return float(total + group)


@lru_cache(KEPT)
def quantities(text: str, skip: tuple[tuple[int, int], ...] = ()) -> tuple[Quantity, ...]:
    """Every quantity of ``text``, but those that begin in ``skip`` (offsets into ``fold(text)``, where
    section numbers stand). A bare "one" is a pronoun as often as a number and is left out."""
    plain = fold(text)
    found: list[Quantity] = []
    end = 0
    for match in _NUMBER.finditer(plain):
        if match.start() < end or any(a <= match.start() < b for a, b in skip):
            continue
        quantity, end = _quantity(plain, match)
        if quantity is not None:
            found.append(quantity)
    for match in _MULTIPLES.finditer(plain):
        name = match[1].replace("-", " ").removeprefix("one ").removeprefix("a ")
        found.append(Quantity(_MULTIPLE[name], "ratio", shown=match[1]))
    return tuple(found)


def _quantity(plain: str, match: re.Match[str]) -> tuple[Quantity | None, int]:
    value = float(match["digits"].replace(",", "")) if match["digits"] else spelled_value(match["spelled"])
    after = _AFTER.match(plain, match.end())
    before = _BEFORE.search(plain[max(0, match.start() - 8) : match.start()])
    currency = _CURRENCY[before[1]] if before else ""
    unit = (after["unit"] if after else None) or ""
    end = after.end() if after and (unit or after["scale"]) else match.end()
    if after and after["scale"]:
        value *= _SHORT_SCALE.get(after["scale"]) or _SCALES[after["scale"]]
    shown = plain[match.start() : end].strip()
    unit = unit.strip("-")
    singular = unit.rstrip("s")
    if currency or singular in _CURRENCY:
        return Quantity(value, "money", currency or _CURRENCY[singular], shown), end
    if unit.startswith("per") or unit == "%":
        return Quantity(value / 100, "ratio", shown=shown), end
    if singular in ("time", "x", "fold"):
        return Quantity(value, "ratio", shown=shown), end
    if singular in _PER_UNIT:
        name, factor = _PER_UNIT[singular]
        return Quantity(value * factor, name, shown=shown), end
    if match["spelled"] and value < 3:
        return None, end  # "one party", "the two limits"
    return Quantity(value, "", shown=shown), end
