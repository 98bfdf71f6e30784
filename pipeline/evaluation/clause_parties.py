"""The parties of a liability clause, read off it beyond doubt: who is protected, who is
liable to whom, by whose payments a limit is measured.

A part of ``clause_facts``, and as conservative: whoever is not named by a pattern that leaves no room is not
named at all. Texts have their whitespace collapsed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

_I = re.IGNORECASE
MODAL = r"(?:shall|will|may|must|can)"
MUTUAL_WORD = re.compile(r"\b(?:neither|either|each|both|mutual\w*|respective\w*|no\s+party|parties|nor)\b", _I)
_NAME = r"(?P<name>(?:the\s+)?[A-Z][\w&.\-]*(?:\s+[A-Z][\w&.\-]*){0,2}?)"
_PROTECTED = (
    re.compile(
        rf"\b(?:no\s+event|no\s+circumstances?)\s+(?:whatsoever\s+)?(?:{MODAL})\s+{_NAME}\s+be\s+(?:liable|responsible)",
        _I,
    ),
    re.compile(rf"(?:^|[.,;:)]\s+){_NAME}\s+{MODAL}\s+(?:not|in\s+no\s+event)\s+be\s+(?:held\s+)?liable\b", _I),
    re.compile(
        rf"(?:^|[.,;:)]\s+){_NAME}\s+{MODAL}\s+(?:have\s+no|not\s+have\s+any)\s+(?:liability|responsibility)\b", _I
    ),
    re.compile(
        rf"(?:^|[.,;:)]\s+){_NAME}['’]s\s+(?:(?:total|aggregate|entire|maximum|cumulative|sole|whole)\s+)*liability\b"
        rf"[^.;]{{0,80}}?\b(?:{MODAL}\s+(?:not|in\s+no\s+event)\s+exceed|(?:{MODAL}\s+be|is)\s+limited)",
        _I,
    ),
)
_COUNTERPARTY = re.compile(
    rf"\b(?:liable|responsible|liability)\s+to\s+{_NAME}(?=\s+(?:for|or|under|in|by|with|hereunder|arising)\b|[,.;])",
    _I,
)
_NO_NAMES = """
    a an and any all as at be because both but by each either for from he her hereby hereunder his if in is it its
    itself neither no nor not of on one or other others our party parties person persons said she such than that their
    them then there these they third this those to under us we what which who whom with you your affiliates affiliate
    customers customer's anyone nothing event whether damages liability loss losses warranty warranties claims other's
    shall will may must can foregoing following agreement section article company's except notwithstanding however
    provided therefore further furthermore accordingly subject herein thereof
"""
_NO_NAME = frozenset(_NO_NAMES.split())
_TO = _NAME.replace("name", "to")
#: What may follow a party's name that ends a phrase.
_END = (
    r"(?=\s+(?:for|or|under|in|by|with|hereunder|hereof|arising|pursuant|during|within|prior|over|at|on|and|shall|will)\b"
    r"|[,.;)])"
)
_KINDS = r"(?:(?:total|aggregate|entire|maximum|cumulative|sole|whole|overall)\s+)*"
_OWES = (
    re.compile(rf"(?:^|[.,;:)]\s+|\b(?:shall|will|that)\s+){_NAME}['’]s?\s+{_KINDS}liability\s+to\s+{_TO}{_END}", _I),
    re.compile(rf"\bliability\s+of\s+{_NAME}\s+to\s+{_TO}{_END}", _I),
    re.compile(
        rf"\b(?:no\s+event|no\s+circumstances?)\s+{MODAL}\s+{_NAME}\s+be\s+(?:liable|responsible)\s+to\s+{_TO}{_END}",
        _I,
    ),
    re.compile(
        rf"(?:^|[.,;:)]\s+){_NAME}\s+{MODAL}\s+(?:not\s+|in\s+no\s+event\s+)?be\s+(?:held\s+)?(?:liable|responsible)\s+to"
        rf"\s+{_TO}{_END}",
        _I,
    ),
    re.compile(
        rf"(?:^|[.,;:)]\s+){_NAME}\s+{MODAL}\s+(?:have\s+no|not\s+have\s+any)\s+(?:liability|responsibility)\s+to\s+{_TO}{_END}",
        _I,
    ),
)
_PAID = r"\b(?:paid|payable|received|remitted)\s+(?:hereunder\s+|under\s+this\s+agreement\s+)?"
_PAYS = (
    re.compile(rf"{_PAID}by\s+{_NAME}\s+to\s+{_TO}{_END}", _I),
    re.compile(rf"{_PAID}to\s+{_TO}\s+by\s+{_NAME}{_END}", _I),
    re.compile(rf"\breceived\s+by\s+{_TO}\s+from\s+{_NAME}{_END}", _I),
)
#: What sets a limit, shortly before the payments that it is measured by.
_LIMIT = re.compile(r"\b(?:exceed|limited\s+to|up\s+to|in\s+excess\s+of|limit)\b", _I)
#: Payments of which it is not said who makes them.
_PAYING = re.compile(r"\b(?:payments?|pays?|paying|reimburse\w*|refund\w*|owing)\b", _I)


@lru_cache(maxsize=64)
def protected(text: str) -> frozenset[str]:
    """Every party that some limit in the text protects alone."""
    return frozenset(
        name for pattern in _PROTECTED for match in pattern.finditer(text) if (name := _name(match["name"]))
    )


def protected_alone(text: str) -> str | None:
    """The one party that every limit protects; None if there may be another."""
    found = frozenset() if MUTUAL_WORD.search(text) else protected(text)
    if len(found) != 1:
        return None
    # The other party's own liability is spoken of as well: who is protected is then open.
    return None if any(_acts(name, text) for name in _creditors(text) - found) else next(iter(found))


def other_than(name: str, text: str) -> str | None:
    """The one other party, to whom ``name`` may be liable, or who pays it or is paid; None if not just one."""
    named = {side for pair in _pairs(_PAYS, text) for side in pair}
    others = {one for one in _creditors(text) | named if _bare(one) != _bare(name)}
    alike = any(_bare(name) in _bare(one) or _bare(one) in _bare(name) for one in others)
    one = next(iter(others)) if len(others) == 1 and not alike else None
    return one if one and not _acts(one, text) else None


def owes(text: str) -> tuple[str, str] | None:
    """Whose liability to whom is spoken of, where it is that of one party to one other and of nobody else."""
    found = None if MUTUAL_WORD.search(text) else _one(_pairs(_OWES, text))
    return None if found is None or _acts(found[1], text) else found


def pays(text: str) -> tuple[str, str] | None:
    """By whose payments to whom the limit is measured, where it is one party's to one other and nothing
    else is said of paying: a party that is liable pays as well."""
    found = _one(_pairs(_PAYS, text))
    matches = [match for pattern in _PAYS for match in pattern.finditer(text)]
    if not all(_LIMIT.search(text, max(0, match.start() - 200), match.start()) for match in matches):
        return None
    for pattern in _PAYS:
        text = pattern.sub(" ", text)
    return None if _PAYING.search(text) else found


def _pairs(patterns: Iterable[re.Pattern[str]], text: str) -> set[tuple[str, str]]:
    made = {(_name(m["name"]), _name(m["to"])) for pattern in patterns for m in pattern.finditer(text)}
    return {(one, other) for one, other in made if one and other}


def _one(pairs: set[tuple[str, str]]) -> tuple[str, str] | None:
    """The only pair, of two names that cannot be taken for one another."""
    if len(pairs) != 1:
        return None
    one, other = map(_bare, *pairs)
    return None if one in other or other in one else next(iter(pairs))


@lru_cache(maxsize=64)
def _creditors(text: str) -> frozenset[str]:
    return frozenset(name for match in _COUNTERPARTY.finditer(text) if (name := _name(match["name"])))


def _acts(name: str, text: str) -> bool:
    """Whether the text speaks of what that party shall do, or of its liability."""
    return re.search(rf"\b{re.escape(name)}['’]?s?['’]?\s+(?:\w+\s+){{0,2}}(?:liab|shall|will)", text, _I) is not None


def _bare(name: str) -> str:
    return name.removeprefix("the ").casefold()


def _name(said: str) -> str | None:
    """A party's name as a claim can say it, or None where the words name no party."""
    words = said.split()
    if words and words[0].lower() == "the":
        words = words[1:]
    if not words or any(word.lower().strip(".,") in _NO_NAME for word in words):
        return None
    if not all(word[0].isupper() for word in words):
        return None
    name = " ".join(word.title() if word.isupper() and len(word) > 4 else word for word in words)
    return f"the {name}" if said.lower().startswith("the ") else name
