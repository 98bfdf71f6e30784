"""Textual changes of a library clause whose effect is certain, for the contrast set.

Every change applies only where a narrow pattern fits, and otherwise yields nothing: a clause that is not
understood makes no pair. No reader of the auditor takes part. A clause is one flat line (``flat``).

A ceiling is taken only from a clause of one sentence in which the liability *under the agreement* of a
party, or of each, is held to a ceiling that can be computed, and nothing else is said of liability: so
the clause itself is capped, and not high.
"""

from __future__ import annotations

import re

from pipeline.corpus.sample.draws import Draws
from pipeline.evaluation.clause_facts import Facts

_I = re.IGNORECASE
_NEITHER = re.compile(r"\bneither\s+party\s+(?P<modal>shall|will)\s+be\s+liable\b(?!\s+to\s+(?!the\s+other))", _I)
_EITHER = re.compile(
    r"\bin\s+no\s+event\s+(?P<modal>shall|will)\s+either\s+party\s+be\s+liable\b(?!\s+to\s+(?!the\s+other))", _I
)
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
_EXCEPTION = re.compile(
    r"\b(?:except\w*|other\s+than|exclud\w+|excluding|provided|unless|save|subject\s+to|but|however|nothing)\b", _I
)
_HEADS = re.compile(
    r"\bfor\s+(?:any\s+)?(?:(?:indirect|special|incidental|consequential|punitive|exemplary)(?:\s*(?:,|/)\s*|\s+)"
    r"(?:(?:or|and|and/or)\s+)?)+(?P<loss>damages|losses|loss)\b",
    _I,
)
#: The loss arises from something: that must be the whole agreement, or any breach of it.
_ARISING = re.compile(r"\b(?:arising|resulting|relat\w+|connection|caused|incurred|suffered|result)\b", _I)
_FROM_AGREEMENT = re.compile(
    r"\b(?:of|from|to|with|under)\s+(?:(?:any|the)\s+)?(?:breach\s+of\s+)?this\s+agreement\b", _I
)
_PART = re.compile(r"\b(?:terminat\w+|such\s+party|pursuant)\b", _I)
SWALLOWING = ("any breach of this Agreement", "a breach of any provision of this Agreement")


def swallowed_by_exception(text: str, read: Facts, draws: Draws) -> str | None:
    """A capped clause with a sentence that excepts any breach of the agreement from the ceiling."""
    if _ceiling(text, read) is None:
        return None
    return f"{text} {_as(text, f'The foregoing limitation of liability shall not apply to {draws.pick(SWALLOWING)}.')}"


def without_ceiling(text: str, read: Facts, says: str) -> str | None:
    """A capped clause without exceptions whose liability ``says`` ("shall be unlimited") instead."""
    found = _ceiling(text, read)
    if found is None or _EXCEPTION.search(text):
        return None
    before = text[: found.start()]
    who = found["who"] if before else found["who"][0].upper() + found["who"][1:]
    return f"{before}{who}{found['scope']} {_as(text, says)}."


def _ceiling(text: str, read: Facts) -> re.Match[str] | None:
    if len(read.sentences) != 1 or not text.endswith(".") or _MORE.search(text):
        return None
    found = _NO_EVENT_EXCEED.search(text) or _NOT_EXCEED.search(text)
    if found is None or not _MONEY.search(found["cap"]) or len(re.findall(r"\bliability\b", text, _I)) > 2:
        return None
    scope = found["scope"]
    if _NARROW_SCOPE.search(scope) or not (_AGREEMENT.search(scope) or not scope.strip()):
        return None
    return found


def made_total(text: str, read: Facts) -> str | None:
    """A mutual waiver of indirect loss as the exclusion of all loss, direct included, for one party."""
    if len(read.sentences) != 1 or _EXCEPTION.search(text) or _PART.search(text):
        return None
    one_sided = made_one_sided(text)
    if one_sided is None or len(_HEADS.findall(one_sided)) != 1:
        return None
    found = _HEADS.search(one_sided)
    after = one_sided[found.end() :]
    if _ARISING.search(after) and not _FROM_AGREEMENT.search(after):
        return None  # what the loss arises from may be less than the whole agreement
    total = _as(text, "for any damages of any kind whatsoever, whether direct or indirect,")
    return f"{one_sided[: found.start()]}{total}{after}".replace(",,", ",").replace(",.", ".")


def made_one_sided(text: str) -> str | None:
    """A mutual waiver as one party's own, or None where another word would still bind both."""
    for pattern in (_NEITHER, _EITHER):
        changed, count = pattern.subn(r"Supplier \g<modal> not be liable", text, count=1)
        if count:
            changed = re.sub(r"\bto\s+the\s+other(?:\s+party)?\b", "to Customer", changed, count=1, flags=_I)
            changed = re.sub(r"\bsuch\s+party\b", "Supplier", changed, flags=_I)
            still = re.search(r"\b(?:(?:either|neither|each|both|a|any|other)\s+part(?:y|ies)|parties)\b", changed, _I)
            return None if still else changed.upper() if text.isupper() else changed
    return None


def _as(text: str, words: str) -> str:
    return words.upper() if text.isupper() else words


def renamed(text: str, names: dict[str, str]) -> str:
    """Each name replaced wherever it stands as a whole word, in capitals where it stands in capitals."""
    for old, new in names.items():
        text = re.sub(
            rf"\b{re.escape(old)}\b",
            lambda m, new=new: new.upper() if m[0].isupper() and len(m[0]) > 1 else new,
            text,
            flags=_I,
        )
    return text


def broken(text: str, draws: Draws) -> str:
    """The same words over several lines, with doubled blanks here and there."""
    words = text.split(" ")
    gaps = [draws.pick((" ", " ", " ", "  ", "\n", "\n      ")) for _ in words[1:]]
    return words[0] + "".join(gap + word for gap, word in zip(gaps, words[1:], strict=True))
