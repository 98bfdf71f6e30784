"""Textual changes of a library clause whose effect is certain, for the contrast set.

Every change applies only where a narrow pattern fits, and otherwise yields nothing: a clause that is not
understood makes no pair. No reader of the auditor takes part. A clause is one flat line (``flat``).
Ceilings have a module of their own (``contrast_ceilings``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipeline.corpus.sample.draws import Draws
from pipeline.evaluation.clause_facts import Facts, exception_texts
from pipeline.evaluation.contrast_ceilings import EXCEPTION, as_in, excepting, sole_ceiling
from pipeline.evaluation.contrast_templates import listed

_I = re.IGNORECASE
_NEITHER = re.compile(r"\bneither\s+party\s+(?P<modal>shall|will)\s+be\s+liable\b(?!\s+to\s+(?!the\s+other))", _I)
_EITHER = re.compile(
    r"\bin\s+no\s+event\s+(?P<modal>shall|will)\s+either\s+party\s+be\s+liable\b(?!\s+to\s+(?!the\s+other))", _I
)
#: Excepted subjects of one name each, so that "a or b" says what "b or a" says.
_SUBJECT = (
    r"(?:gross\s+negligence|wil?lful\s+misconduct|intentional\s+misconduct|fraud|death|(?:personal|bodily)\s+injury"
    r"|infringement|misappropriation)"
)
_TWO_SUBJECTS = re.compile(
    rf"\b(?P<one>{_SUBJECT})(?P<link>\s+(?:or|and|and/or)\s+)(?P<other>{_SUBJECT})\b(?!\s*(?:,|or\b|and\b|and/or\b))",
    _I,
)
#: Before the first of the two, a comma or a link would make them the end of a longer list.
_LONGER_LIST = re.compile(r"(?:,|\b(?:or|and|and/or|sole|other))\s*$", _I)
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


def subjects_swapped(text: str) -> str | None:
    """Two subjects of an exception ("fraud or gross negligence") in the other order."""
    for excepted in exception_texts(text):
        found = _TWO_SUBJECTS.search(excepted)
        if found and text.count(excepted) == 1 and not _LONGER_LIST.search(excepted[: found.start()]):
            swapped = f"{found['other']}{found['link']}{found['one']}"
            return text.replace(excepted, f"{excepted[: found.start()]}{swapped}{excepted[found.end() :]}")
    return None


def with_exceptions(text: str, read: Facts, subjects: Sequence[str]) -> str | None:
    """A clause of one sentence without exceptions, a ceiling or a mutual waiver of indirect loss, with a
    sentence that excepts ``subjects`` in this order."""
    waiver = read.mutual and read.indirect_only and len(read.sentences) == 1 and text.endswith(".")
    if not (sole_ceiling(text, read) or (waiver and not EXCEPTION.search(text))):
        return None
    return excepting(text, listed(tuple(subjects)))


def made_total(text: str, read: Facts) -> str | None:
    """A mutual waiver of indirect loss as the exclusion of all loss, direct included, for one party."""
    if len(read.sentences) != 1 or EXCEPTION.search(text) or _PART.search(text):
        return None
    one_sided = made_one_sided(text)
    if one_sided is None or len(_HEADS.findall(one_sided)) != 1:
        return None
    found = _HEADS.search(one_sided)
    after = one_sided[found.end() :]
    if _ARISING.search(after) and not _FROM_AGREEMENT.search(after):
        return None  # what the loss arises from may be less than the whole agreement
    total = as_in(text, "for any damages of any kind whatsoever, whether direct or indirect,")
    return f"{one_sided[: found.start()]}{total}{after}".replace(",,", ",").replace(",.", ".")


def made_one_sided(text: str) -> str | None:
    """A mutual waiver as one party's own, or None where another word would still bind both."""
    for pattern in (_NEITHER, _EITHER):
        changed, count = pattern.subn(r"Supplier \g<modal> not be liable", text, count=1)
        if count:
            changed = re.sub(r"\bto\s+the\s+other(?:\s+party)?\b", "to Customer", changed, count=1, flags=_I)
            changed = re.sub(r"\bsuch\s+party\b", "Supplier", changed, flags=_I)
            still = re.search(r"\b(?:(?:either|neither|each|both|a|any|other)\s+part(?:y|ies)|parties)\b", changed, _I)
            return None if still else as_in(text, changed)
    return None


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
