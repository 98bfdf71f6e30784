"""Numbers as contracts write them: words, digits, both at once, sums of money, multiples, periods.

Units: money in whole currency units whatever the currency; periods in months; a multiple is a
factor (``150%`` is 1.5). Nothing here reads what a number is for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipeline.standard.grammar import Pattern, any_of, span_of
from pipeline.standard.text import Span

_ONES = [
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
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_VALUES = {word: value for value, word in enumerate(_ONES)} | {w: 10 * (i + 2) for i, w in enumerate(_TENS)}
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_MAGNITUDES = {"k": 1e3, "thousand": 1e3, "m": 1e6, "mm": 1e6, "mn": 1e6, "million": 1e6, "bn": 1e9, "billion": 1e9}

_WORD = rf"(?:{'|'.join([*_ONES[1:], *_TENS, *_SCALES])})"
WORDS = rf"{_WORD}(?:(?:[ -]| and ){_WORD})*"
_DIGITS = r"\d[\do]{0,2}(?:[, ]\d?[\do]{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?"
_SYMBOL = (
    r"(?:us ?|u\.s\. ?|c|cdn ?|a|au|hk|nt|s)?\$|£|€|¥|\((?:pounds?|dollars|euros?|yen)\)"
    r"|\b(?:usd|us dollars|eur|gbp|rmb|cny|rub|chf|cad|aud|jpy|inr|nis)\b"
)
_UNIT = r"(?:dollars?|euros?|pounds(?: sterling)?|sterling|yen|yuan|renminbi|rmb|roubles|rubles|usd|eur|gbp|francs)"
_MAGNITUDE = r"(?:thousand|million|billion|mm|mn|bn|m|k)\b"

MONEY = Pattern(
    "money",
    any_of(
        rf"(?:{_SYMBOL})\s?(?P<digits>{_DIGITS})(?:\s?(?P<magnitude>{_MAGNITUDE}))?",
        rf"\b(?P<plain>{_DIGITS})(?:\s?(?P<plain_magnitude>{_MAGNITUDE}))?\s?(?:us |u\.s\. |united states )?{_UNIT}\b",
        rf"(?<!\) )\b(?P<words>{WORDS})(?: \([^)]{{1,25}}\))? (?:us |u\.s\. |united states )?{_UNIT}\b",
    ),
)
MULTIPLE = Pattern(
    "multiple",
    any_of(
        r"\b(?P<half>one and (?:a|one)[- ]half|1 1/2)(?: \([^)]{1,12}\))?[ -]?times",
        rf"\b(?P<times>\d+(?:[.,]\d{{1,2}}\b)?|\d+\.\d+|{WORDS})(?: ?\([^)]{{1,12}}\))?[ -]?(?:times|x|fold)\b",
        rf"\b(?P<percent>\d+(?:\.\d+)?|{WORDS})(?: ?\([^)]{{1,12}}\))? ?(?:%|percent\b|per cent\b)",
        rf"\b(?:multiplied|divided) by (?:a factor of )?(?P<factor>\d+(?:\.\d+)?|{WORDS})\b",
        r"\b(?P<twice>twice|double|two-fold)\b",
        r"\b(?P<triple>triple|treble|thrice)\b",
        r"\b(?P<fraction>(?:one[- ])?half(?: \([^)]{1,6}\))? of|(?:one|a)[- ](?:third|quarter) of)\b",
    ),
)
PERIOD = Pattern(
    "period",
    rf"\b(?P<count>\d+|{WORDS})?\s*(?:\(\s*(?P<digits>\d+)\s*\))?[ -]?(?:calendar |consecutive |full "
    r"|preceding |prior )?(?P<unit>month|year|week|quarter|day)s?\b(?!ly)(?:'s?)?",
)


@dataclass(frozen=True, slots=True)
class Amount:
    """A number found in a clause, and where."""

    value: float
    span: Span


def words_to_number(words: str) -> int:
    """``two hundred and fifty thousand`` is 250000; words that are no number count for nothing."""
    total = current = 0
    for word in re.split(r"[ -]+", words):
        if word in _VALUES:
            current += _VALUES[word]
        elif word == "hundred":
            current = max(current, 1) * 100
        elif word in _SCALES:
            total += max(current, 1) * _SCALES[word]
            current = 0
    return total + current


def to_number(text: str) -> float:
    """Digits (with thousands marks, and the letter O typed for a nought) or words."""
    if not text[:1].isdigit():
        return float(words_to_number(text))
    digits = text.replace("o", "0").replace(" ", "")
    if re.fullmatch(r"\d+,\d{1,2}", digits):  # a decimal comma
        return float(digits.replace(",", "."))
    return float(digits.replace(",", ""))


def money(text: str, span: Span | None = None) -> list[Amount]:
    """Every sum of money in ``span``, in order."""
    found = []
    for match in MONEY.all(text, span):
        groups = match.groupdict()
        number = groups["digits"] or groups["plain"] or groups["words"]
        magnitude = groups["magnitude"] or groups["plain_magnitude"]
        found.append(Amount(to_number(number) * _MAGNITUDES.get(magnitude or "", 1), span_of(match)))
    return found


def multiples(text: str, span: Span | None = None) -> list[Amount]:
    """Every factor in ``span``: ``two times``, ``3x``, ``150%``, ``twice``, ``one half of``."""
    found = []
    for match in MULTIPLE.all(text, span):
        groups = match.groupdict()
        if groups["half"]:
            value = 1.5
        elif groups["times"]:
            value = to_number(groups["times"])
        elif groups["percent"]:
            value = to_number(groups["percent"]) / 100
        elif groups["factor"]:
            value = to_number(groups["factor"])
        elif groups["twice"]:
            value = 2.0
        elif groups["triple"]:
            value = 3.0
        else:
            value = next(
                v for k, v in {"half": 1 / 2, "third": 1 / 3, "quarter": 1 / 4}.items() if k in groups["fraction"]
            )
        found.append(Amount(value, span_of(match)))
    return found


def periods(text: str, span: Span | None = None) -> list[Amount]:
    """Every period in ``span`` that carries a number, in months (a day is a thirtieth)."""
    per_unit = {"month": 1, "year": 12, "quarter": 3, "week": 12 / 52, "day": 1 / 30}
    found = []
    for match in PERIOD.all(text, span):
        number = match["digits"] or match["count"]
        if number:
            found.append(Amount(to_number(number) * per_unit[match["unit"]], span_of(match)))
    return found
