"""Changes of a library clause that is a ceiling on liability and nothing else, for the contrast set.

Narrow patterns, and no reader of the auditor: a ceiling is taken only from a clause of one sentence in which
the liability of a party, or of each, is held to an amount that can be computed, and nothing else is said of
liability. Where the change takes the ceiling away, the liability must be that *under the agreement*: so the
clause itself is capped, and not high. Where only the amount is hidden or raised it may be narrower.
"""

from __future__ import annotations

import re
from functools import lru_cache

from pipeline.corpus.sample.draws import Draws
from pipeline.evaluation.clause_facts import Facts

_I = re.IGNORECASE
#: Whose liability, and under what: "the aggregate liability of either party under this Agreement".
_WHO = (
    r"(?:(?:each|either|a)\s+party['’]s|[A-Z][\w.&\-]*(?:\s[A-Z][\w.&\-]*){0,2}['’]s?)"
    r"\s+(?:(?:total|aggregate|entire|maximum|cumulative|overall)\s+){0,3}liability"
    r"|the\s+(?:(?:total|aggregate|entire|maximum|cumulative)\s+){0,3}liability\s+(?:of|for)\s+"
    r"(?:(?:each|either)\s+party|[A-Z][\w.&\-]*(?:\s[A-Z][\w.&\-]*){0,2})"
)
_SCOPE = r"(?P<scope>[^.;:]{0,330}?)"
_NOT_EXCEED = re.compile(
    rf"(?<!\bno\sevent\sshall\s)(?<!\bno\sevent\swill\s)\b(?P<who>{_WHO}){_SCOPE},?\s+"
    r"(?:(?:shall|will|may)\s+(?:not|in\s+no\s+event|under\s+no\s+circumstances)\s+exceed"
    r"|(?:(?:shall|will)\s+be|is)\s+limited\s+to(?:,\s+and\s+will\s+not\s+exceed,)?)\s+(?P<cap>.+)$",
    _I,
)
_NO_EVENT_EXCEED = re.compile(
    rf"\bin\s+no\s+event\s+(?:shall|will)\s+(?P<who>{_WHO}){_SCOPE},?\s+exceed\s+(?P<cap>.+)$", _I
)
#: Words of a ceiling that can be computed, and words that make a clause more than its ceiling.
_MONEY = re.compile(r"[$€£]\s?\d|\b(?:paid|payable|received|fees|payments?|compensation|remuneration|price)\b", _I)
_AGREEMENT = re.compile(r"\b(?:this\s+(?:\w+\s+){0,2}agreement|hereunder)\b", _I)
_NARROW_SCOPE = re.compile(
    r"\b(?:sections?|articles?|clauses?|paragraphs?|warrant\w+|indemni\w+|support|transferred|services\s+provided)\b",
    _I,
)
_MORE = re.compile(
    r"\[|\*|\b(?:liable|unlimited|without\s+limit|no\s+liability|increased?|remed\w+|indemnifying|set\s+(?:out|forth)|insurance)\b",
    _I,
)
EXCEPTION = re.compile(
    r"\b(?:except\w*|other\s+than|exclud\w+|excluding|provided|unless|save|subject\s+to|but|however|nothing)\b", _I
)
#: What may be left out of a basis; gone with the basis where that is replaced.
_NO_EXPENSES = re.compile(r",?\s*excluding\s+(?:the\s+)?reimbursement\s+of\s+expenses,?", _I)
#: A ceiling that begins with what was paid, so that a multiple may stand before it.
_PAID = re.compile(
    r"(?:an?\s+amount\s+(?:equal|equivalent)\s+to\s+)?(?P<basis>(?:the|all)\s+(?:(?:total|aggregate|sum|amounts?|of|all|the|actual|net)"
    r"\s+){0,5}(?:fees|amounts?|payments?|prices?|compensation|remuneration|commissions|charges)\b)",
    _I,
)
_CHOICE = re.compile(r"\b(?:lesser|greater|higher|lower|smaller|larger|half|third|percent|times)\b|%", _I)
#: A basis that is broad beyond doubt: all that was paid under the agreement, or over twelve months.
_ALL_PAID = re.compile(r"\b(?:under\s+this\s+agreement|hereunder)\s*\.$", _I)
_TWELVE_MONTHS = re.compile(r"\b(?:twelve|12)\)?[\s-]+months?\b", _I)
_PART_PAID = re.compile(r"\b(?:months?|period|products?|orders?|services?|claim|year)\b", _I)
#: Whose liability it is, and what stays of these words when it is each party's.
_ONE_PARTY = re.compile(
    r"^(?:(?P<both>(?:each|either)\s+party['’]s\b.*)|(?P<of>the\s.*?\bliability\s+of\s).+?(?P<for>\sfor\s.*)?"
    r"|.*?['’]s?(?P<rest>\s.*))$",
    _I,
)
SWALLOWING = ("any breach of this Agreement", "a breach of any provision of this Agreement")


def swallowed_by_exception(text: str, read: Facts, draws: Draws) -> str | None:
    """A capped clause with a sentence that excepts any breach of the agreement from the ceiling."""
    return None if _ceiling(text, read) is None else excepting(text, draws.pick(SWALLOWING))


def excepting(text: str, what: str) -> str:
    """A clause with a sentence that excepts ``what`` from its limit."""
    return f"{text} {as_in(text, f'The foregoing limitation of liability shall not apply to {what}.')}"


def without_ceiling(text: str, read: Facts, says: str) -> str | None:
    """A capped clause without exceptions whose liability ``says`` ("shall be unlimited") instead."""
    found = _ceiling(text, read)
    if found is None or EXCEPTION.search(text):
        return None
    before = text[: found.start()]
    who = found["who"] if before else found["who"][0].upper() + found["who"][1:]
    return f"{before}{who}{found['scope']} {as_in(text, says)}."


def with_ceiling(text: str, read: Facts, cap: str) -> str | None:
    """A clause that is its ceiling alone, without exceptions, with ``cap`` as what it may not exceed."""
    found = sole_ceiling(text, read)
    return None if found is None else f"{text[: found.start('cap')]}{as_in(text, cap)}."


def multiplied(text: str, read: Facts, multiple: str) -> str | None:
    """The same with ``multiple`` ("ten times") before what was paid, where the ceiling begins with that."""
    found = sole_ceiling(text, read)
    paid = found and _PAID.match(found["cap"])
    if not paid or _CHOICE.search(found["cap"]):
        return None
    start = found.start("cap") + paid.start("basis")
    return f"{text[:start]}{as_in(text, multiple)} {text[start:]}"


def made_mutual(text: str, read: Facts) -> str | None:
    """The same clause for both parties, where its basis is broad beyond doubt: with permitted exceptions
    there is nothing left in it to object to."""
    found = sole_ceiling(text, read)
    if found is None or _NARROW_SCOPE.search(found["scope"]):
        return None
    cap = found["cap"]
    if not (_TWELVE_MONTHS.search(cap) or (_ALL_PAID.search(cap) and not _PART_PAID.search(cap))):
        return None
    who = _ONE_PARTY.match(found["who"])
    if who is None:
        return None
    if who["both"]:
        return text
    each = f"{who['of']}each party{who['for'] or ''}" if who["of"] else f"each party's{who['rest']}"
    changed = f"{text[: found.start('who')]}{as_in(text, each)}{text[found.end('who') :]}"
    return changed[0].upper() + changed[1:]


def _ceiling(text: str, read: Facts) -> re.Match[str] | None:
    """The ceiling on liability under the whole agreement."""
    found = _any_ceiling(text, read)
    if found is None or _NARROW_SCOPE.search(found["scope"]):
        return None
    return found if _AGREEMENT.search(found["scope"]) or not found["scope"].strip() else None


def sole_ceiling(text: str, read: Facts) -> re.Match[str] | None:
    """A ceiling of any scope in a clause without exceptions."""
    found = _any_ceiling(text, read)
    if found is None or ";" in found["cap"] or EXCEPTION.search(_NO_EXPENSES.sub("", text)):
        return None
    return found


def _any_ceiling(text: str, read: Facts) -> re.Match[str] | None:
    return _only_ceiling(text) if text.endswith(".") and len(read.sentences) == 1 else None


@lru_cache(maxsize=64)
def _only_ceiling(text: str) -> re.Match[str] | None:
    """Of a sentence; kept, because every change of a clause asks anew."""
    if _MORE.search(text):
        return None
    found = _NO_EVENT_EXCEED.search(text) or _NOT_EXCEED.search(text)
    if found is None or not _MONEY.search(found["cap"]) or len(re.findall(r"\bliability\b", text, _I)) > 2:
        return None
    return found


def as_in(text: str, words: str) -> str:
    """``words`` in capitals where ``text`` is."""
    return words.upper() if text.isupper() else words
