"""From whom to whom: who is liable to whom, and who pays whom.

Convention: a *flow* has a source and a target. Of liability the source is the party that is liable and the
target the party that it is liable to; of payments, the payer and the payee. An :class:`End` puts a party at
one end of one kind of flow. "Paid by X", "received from X", "what X pays" and "the payments of X" put X at the
same end, whatever the verb: a claim and a text that say it the other way round still agree.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from pipeline.grounding.lexical import actors, roles, vocabulary
from pipeline.grounding.lexical.words import KEPT, fold, stem
from pipeline.grounding.quotes import plain

LIABILITY, PAYMENT = "liability", "payment"
SOURCE, TARGET = "source", "target"
_OTHER = {SOURCE: TARGET, TARGET: SOURCE}
_CALLED = {
    (LIABILITY, SOURCE): "is liable",
    (LIABILITY, TARGET): "is the one to whom the other is liable",
    (PAYMENT, SOURCE): "pays",
    (PAYMENT, TARGET): "is paid",
}


class End(NamedTuple):
    kind: str
    end: str
    party: str


#: What speaks of a flow of that kind; without it none is looked for.
_NEEDS = {
    LIABILITY: re.compile(
        r"liab|responsib|answer|accountab|obligat|\bduty|\bowe|claim|recourse|recover|exposure|redress|remed|\bsue"
    ),
    PAYMENT: re.compile(
        r"\bpa(?:y|id)|\bow(?:e|ing)|\bdue\b|receiv|receipt|remit|collect|\bfees?\b|\bsums?\b|money|amounts?|charg|invoic"
        r"|\bbill|spen[dt]|earn|transfer|disburs"
    ),
}
_PAID = r"(?:paid|payable|payments?|pays?|remitted|disbursed|tendered|owed|owing|due|spent|transferred)"
_GOT = r"(?:received|receivable|received or receivable|collected|earned|realized|realised|obtained|invoiced|billed|charged)"
#: What may stand between a party and its verb; no passive.
_AUX = (
    r"(?: (?:has|have|had|shall|will|must|may|can|would|could|did|does|is to|are to|was to|were to|has to|had to"
    r"|(?:is|was) (?:obliged|obligated|required) to|actually|hereby|already|previously|in fact|not|itself|ever|never))*"
)
_BE = r"(?:is|are|was|were|be|been|being)"
#: A short stretch without a stop; one that leads to "by", "to" or "from" must not end in another's verb
#: ("paid for goods made by X", "for services rendered to X").
_STRETCH = r"[^.;:]{0,90}?"
_OWN = r"(?<!ed)(?<!made)(?<!wn)(?<!en)(?<!sold)(?<!prior)(?<!due)(?<!liable)"
_UNPAID = rf"(?:(?!\b(?:{_PAID}|{_GOT}|exceed\w*|limited|greater)\b)[^.;:]){{0,60}}?"
_ADJECTIVES = r"(?:[\w-]+ ){0,2}"
_LIABLE = r"(?:liab\w+|responsib\w+|answer\w*|accountab\w+|obligat\w+|duty|duties|exposure|owes?|owed)"
_CLAIMS = r"(?:claims?|recourse|remed\w+|redress|actions?|suits?|rights?|proceedings?|recover\w*)"
#: ``@`` stands for a party.
_FORMS = {
    (PAYMENT, SOURCE): (
        rf"\b{_PAID}(?:(?! by\b)[^.;:]){{0,90}}? by (?:(?:or|and/or) (?:on behalf of|for) )?@",
        rf"@{_AUX} (?:pays?|paid|owes?|owed|remits?|remitted|spends?|spent|disburses?|transfers?|transferred)\b",
        rf"@'s? {_ADJECTIVES}(?:payments?|contributions?|outlays?|spending)\b",
        rf"\b(?:payments?|contributions?) (?:made )?(?:of|by|from) @",
        rf"\b(?:{_GOT}|{_PAID}|receiv\w+|collects?|gets?|got|earns?|obtains?|comes?|came|flow\w*|receipts?|revenues?"
        rf"|income|proceeds|fees|sums?|money|monies|amounts?) {_STRETCH}(?<!ris)\bfrom @",
        r"\b(?:charged|invoiced|billed) to @",
        rf"@ (?:has been |have been )?(?:{_BE} )?(?:charged|invoiced|billed)\b(?! by)",
    ),
    (PAYMENT, TARGET): (
        rf"\b{_PAID}(?: (?:or|and|and/or|to be|by it|actually|hereunder|thereunder|over|out|{_PAID}))* to @",
        rf"\b{_PAID}(?:(?! by\b)[^.;:]){{0,60}}? by (?:[\w&.,'/-]+ ){{1,6}}?{_OWN} ?to @",
        rf"\b{_PAID} under (?:this|the) (?:\w+ )?agreement to @",
        rf"\b{_GOT}(?:(?! by\b)[^.;:]){{0,60}}? by @",
        rf"@{_AUX} (?:receives?|received|collects?|collected|earns?|earned|gets?|got|charges|invoices|bills|obtains?)\b",
        rf"@ (?:(?:has|have|had|shall|will|must|may) )?{_BE} (?:\w+ly )?(?:paid|remunerated|compensated)\b",
        rf"@'s? {_ADJECTIVES}(?:receipts?|income|takings|remuneration|invoices)\b",
        r"\b(?:pays?|paid|owes?|owed) @",
    ),
    (LIABILITY, SOURCE): (
        rf"@'s? (?:[\w-]+ ){{0,4}}?(?:liabilit\w+|responsibilit\w+|obligations?|exposure|duty|duties)\b",
        rf"\b(?:liabilit\w+|responsibilit\w+|obligations?|exposure|duty|duties) (?:is |are )?(?:that )?(?:of|on the part of"
        rf"|on|upon|with|falls? on|falls? upon|rests? on|rests? with|lies? with|borne by|incurred by|owed by|assumed by) @",
        rf"\b(?:liabilit\w+|responsibilit\w+|obligations?|exposure)\b{_UNPAID} (?:is|are) that of @",
        rf"\b(?:liabilit\w+|responsibilit\w+|obligations?|exposure)(?: that| which)? @{_AUX}"
        rf" (?:has|have|bears?|owes?|incurs?|assumes?|carr(?:y|ies)|faces?)\b",
        rf"@{_AUX} (?:be |is |are |has |have )(?:(?:not|no|any|held|fully|itself|only|further) )*(?:liab\w+|responsib\w+"
        rf"|answerable|accountable)\b",
        rf"@{_AUX} (?:answers?|answer for|owes?)\b",
        rf"\b{_CLAIMS} {_STRETCH}(?:against|from) @",
        r"\b(?:holds?|held|sues?|suing) @",
    ),
    (LIABILITY, TARGET): (
        rf"\b{_LIABLE}\b{_UNPAID}{_OWN} (?:to|towards?|vis-a-vis) @",
        rf"@'s? {_ADJECTIVES}(?:claims?|recourse|remed\w+|redress)\b",
        rf"\b(?:claims?|recourse|actions?|suits?) (?:made |brought )?(?:of|by) @",
        rf"@{_AUX} (?:recovers?|claims?|sues?|looks? to|seeks? (?:redress|recourse|recovery|damages))\b",
    ),
}
#: Where no form is there, the bare preposition tells, of what a claim says in its own words.
_BARE = {
    SOURCE: r"\b(?:by|from) @",
    TARGET: r"\b(?:to|towards?|vis-a-vis) @",
}
#: A text that says it of both, or of whoever it is.
_OF_BOTH = re.compile(
    r"\b(?:paid|payable|due|owed|owing|received|payments?)\b[^.;:]{0,40}? (?:by|to|from) (?:either|each|the other|such|a"
    r"|any|one|the (?:liable|breaching|defaulting|paying|receiving|respective)) part"
)
_SUFFIX = r"(?:,? (?:inc|llc|ltd|corp|gmbh|plc|co|l\.?p)\b\.?,?)?"
_NAME = re.compile(r"[A-Z][\w&@/-]*(?:\.\w+)*(?: [A-Z][\w&@/-]*(?:\.\w+)*)*")
#: A name that begins a sentence is one by what follows it.
_SUBJECT_OF = re.compile(r"'s? |,? (?:is|are|was|has|have|had|shall|will|may|must|can|does|pays?|owes?|receives?|answers?)\b")


@lru_cache(KEPT)
def named(claim: str, source: str) -> frozenset[str]:
    """The parties that a claim names and its source has, folded: names in capitals and roles."""
    text = plain(claim)
    found = {word for word in re.findall(r"[a-z]+", text) if roles.is_role(stem(word))}
    for match in _NAME.finditer(text):
        name = match[0].rstrip(".").split(" ")
        begins = match.start() == 0 or text[: match.start()].rstrip()[-1:] in ".:;"
        while begins and name and stem(name[0].lower()) in vocabulary.free_words():
            name = name[1:]
        if not name or any(roles.is_no_name(stem(word.lower())) for word in name):
            continue
        known = len(name) < len(match[0].split(" ")) or all(roles.is_role(stem(word.lower())) for word in name)
        if not begins or known or _SUBJECT_OF.match(text, match.end()):
            found.add(" ".join(name).lower())
    there = fold(source)
    return frozenset(name for name in found if name in there)


@lru_cache(KEPT)
def _compiled(parties: frozenset[str]) -> dict[tuple[str, str], tuple[re.Pattern[str], ...]]:
    return {where: tuple(_with(form, parties) for form in forms) for where, forms in _FORMS.items()}


def _with(form: str, parties: frozenset[str]) -> re.Pattern[str]:
    names = "|".join(re.escape(name) for name in sorted(parties, key=len, reverse=True))
    return re.compile(form.replace("@", rf"(?<![\w&])(?:(?:the|said) )?(?P<party>{names})(?![\w&]){_SUFFIX}"))


def _ends(text: str, parties: frozenset[str], kind: str) -> frozenset[End]:
    """The ends of flows of a kind at which a text puts any of ``parties``."""
    there = fold(text)
    if not _NEEDS[kind].search(there):
        return frozenset()
    return frozenset(
        End(kind, end, match["party"])
        for (of, end), patterns in _compiled(parties).items()
        if of == kind
        for pattern in patterns
        for match in pattern.finditer(there)
    )


def _claimed(claim: str, parties: frozenset[str], kind: str) -> frozenset[End]:
    """The ends that a claim states; one at which both parties stand, or a party that stands at both, is none."""
    found = _ends(claim, parties, kind)
    if not found and len(parties) == 2 and _NEEDS[kind].search(fold(claim)):
        found = frozenset(
            End(kind, end, match["party"])
            for end, form in _BARE.items()
            for match in _with(form, parties).finditer(fold(claim))
        )
    return frozenset(one for one in found if one._replace(end=_OTHER[one.end]) not in found)


def turned_round(claim: str, source: str) -> str | None:
    """Why a flow that the claim states is not the source's: the party stands at the other end there, or
    the source puts another there, or it says of no payment from whom or to whom."""
    parties = named(claim, source)
    if not parties:
        return None
    for kind in (LIABILITY, PAYMENT):
        claimed = _claimed(claim, parties, kind)
        if not claimed or _of_both(kind, source):
            continue
        there = _ends(source, parties, kind)
        for one in sorted(claimed):
            if one not in there and one._replace(end=_OTHER[one.end]) in there:
                return f"in the source it is not {one.party} that {_CALLED[kind, one.end]}"
        if kind == PAYMENT and not there:
            return "the source does not say who pays whom"
    return None


def _of_both(kind: str, source: str) -> bool:
    if kind == PAYMENT:
        return bool(_OF_BOTH.search(fold(source)))
    return actors.BOTH in actors.liable(source)
