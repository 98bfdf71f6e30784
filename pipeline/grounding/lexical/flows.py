"""From whom to whom: who is liable to whom, and who pays whom.

Convention: a *flow* has a source and a target. Of liability the source is the party that is liable and the
target the party that it is liable to; of payments, the payer and the payee. An :class:`End` puts a party at
one end of one kind of flow. "Paid by X", "received from X", "what X pays" and "the payments of X" put X at the
same end, whatever the verb: a claim and a text that say it the other way round still agree.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
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
_GOT = r"(?:received|receivable|collected|earned|reali[sz]ed|obtained|invoiced|billed|charged)"
#: What may stand between a party and its verb; no passive.
_AUX = (
    r"(?: (?:has|have|had|shall|will|must|may|can|cannot|would|could|did|does|is to|are to|was to|were to|has to|had to"
    r"|(?:is|was) (?:obliged|obligated|required) to|actually|hereby|already|previously|in fact|not|itself"
    r"|ever|never)){0,6}"
)
_BE = r"(?:is|are|was|were|be|been|being)"
#: A short stretch without a stop; one that leads to "by", "to" or "from" must not end in another's verb
#: ("paid for goods made by X", "for services rendered to X").
_STRETCH = r"[^.;:]{0,90}?"
_OWN = r"(?<!ed)(?<!made)(?<!wn)(?<!en)(?<!sold)(?<!prior)"
_UNPAID = rf"(?:(?!\b(?:{_PAID}|{_GOT}|exceed\w*|limited|greater)\b)[^.;:]){{0,60}}?"
_ADJECTIVES = r"(?:[\w-]+ ){0,2}"
_LIABLE = r"(?:liab\w+|responsib\w+|answer\w*|accountab\w+|obligat\w+|duty|duties|exposure|owes?|owed)"
_OBLIGATION = r"(?:liabilit\w+|responsibilit\w+|obligations?|exposure|duty|duties)\b"
_CLAIMS = r"(?:claims?|recourse|remed\w+|redress|actions?|suits?|rights?|proceedings?|recover\w*)"
#: Before the number of a party in a marked text; no folded text has it.
_MARK = "\x00"
#: ``@`` stands for a party.
_FORMS = {
    where: tuple(re.compile(form.replace("@", rf"{_MARK}(\d+)")) for form in forms)
    for where, forms in {
        (PAYMENT, SOURCE): (
            rf"\b{_PAID}(?:(?! by\b)[^.;:]){{0,90}}? by (?:(?:or|and/or) (?:on behalf of|for) )?@",
            rf"@{_AUX} (?:pays?|paid|owes?|owed|remits?|remitted|spends?|spent|disburses?|transfers?|transferred)\b",
            rf"@'s? {_ADJECTIVES}(?:payments?|contributions?|outlays?|spending)\b",
            r"\b(?:payments?|contributions?) (?:made )?(?:of|by|from) @",
            rf"\b(?:{_GOT}|{_PAID}|receiv\w+|collects?|gets?|got|earns?|obtains?|comes?|came|flow\w*|receipts?|revenues?"
            rf"|income|proceeds|fees|sums?|money|monies|amounts?) {_STRETCH}(?<!ris)\bfrom @",
            r"\b(?:charged|invoiced|billed) to @",
            r"@ (?:is|being|as) (?:the )?pay[eo]r\b|\bpay[eo]r\b[^.;:,]{0,20}? @",
            rf"@ (?:has been |have been )?(?:{_BE} )?(?:charged|invoiced|billed)\b(?! by)",
        ),
        (PAYMENT, TARGET): (
            rf"\b{_PAID}(?: (?:or|and|and/or|to be|by it|actually|hereunder|thereunder|over|out|{_PAID})){{0,6}} to @",
            rf"\b{_PAID}(?:(?! by\b)[^.;:]){{0,60}}? (?:by|of|from)(?: [\w&,'/{_MARK}-]+){{1,6}}?{_OWN}"
            r"(?<!liable)(?<!liability) to @",
            rf"\b{_PAID} under (?:this|the) (?:\w+ )?agreement to @",
            rf"\b{_GOT}(?:(?! by\b)[^.;:]){{0,60}}? by @",
            rf"@{_AUX} (?:receive[sd]?|collect(?:s|ed)?|earn(?:s|ed)?|gets?|got|charges|invoices|bills|obtains?)\b",
            rf"@ (?:(?:has|have|had|shall|will|must|may) )?{_BE} (?:\w+ly )?(?:paid|remunerated|compensated)\b",
            rf"@'s? {_ADJECTIVES}(?:receipts?|income|takings|remuneration|invoices)\b",
            r"\b(?:pays?|paid|owes?|owed) @",
            r"@ (?:is|being|as) (?:the )?payee\b|\bpayee\b[^.;:,]{0,20}? @",
        ),
        (LIABILITY, SOURCE): (
            rf"@'s? (?:[\w-]+ ){{0,4}}?{_OBLIGATION}",
            rf"\b{_OBLIGATION} (?:is |are )?(?:that )?(?:of|on the part of|on|upon|with"
            r"|(?:falls?|rests?|lies?) (?:up)?on|(?:rests?|lies?) with|(?:borne|incurred|owed|assumed) by) @",
            rf"\b{_OBLIGATION}{_UNPAID} (?:is|are) that of @",
            rf"\b{_OBLIGATION}(?: that| which)? @{_AUX} (?:has|have|bears?|owes?|incurs?|assumes?|carries|faces)\b",
            rf"@{_AUX} (?:be |is |are |has |have )(?:(?:not|no|any|held|fully|itself|only|further) ){{0,6}}"
            r"(?:liab\w+|responsib\w+|answerable|accountable)\b",
            rf"@{_AUX} (?:answers?|answer for|owes?)\b",
            rf"\b{_CLAIMS} {_STRETCH}(?:against|(?<!ing )from) @",
            r"\b(?:holds?|held|sues?|suing) @",
            r"\b(?:debtor|obligor|liable party|party liable|one liable)\b[^.;:,]{0,40}? @",
            r"@ (?:is|being|as) (?:the )?(?:debtor|obligor|liable party|party liable|one liable)\b",
        ),
        (LIABILITY, TARGET): (
            rf"\b{_LIABLE}\b{_UNPAID}{_OWN} (?:to|towards?|vis-a-vis) @",
            rf"@'s? {_ADJECTIVES}(?:claims?|recourse|remed\w+|redress)\b",
            r"\b(?:claims?|recourse) (?:made |brought )?(?:of|by) @",
            r"\b(?:creditor|obligee)\b[^.;:,]{0,40}? @",
            r"@ (?:is|being|as) (?:the )?(?:creditor|obligee)\b",
            rf"@{_AUX} (?:recovers?|claims?|sues?|looks? to|seeks? (?:redress|recourse|recovery|damages))\b",
        ),
    }.items()
}
#: Where no form is there the bare preposition tells, in a claim between two.
_BARE = {
    (kind, end): (re.compile(rf"\b(?:{words}) {_MARK}(\d+)"),)
    for kind in _NEEDS
    for end, words in ((SOURCE, "by|from"), (TARGET, "to|towards?|vis-a-vis"))
}
_OWED, _DAMAGES = re.compile(r"\bow(?:e|ing)"), re.compile(r"liab|damag|compensat|responsib|los[st]")
#: A text that says it of both.
_OF_BOTH = re.compile(
    r"\b(?:paid|payable|due|owed|owing|received|payments?)\b[^.;:]{0,40}? (?:by|to|from) (?:either|each|the other"
    r"|such|a|any|one|the (?:liable|breaching|defaulting|paying|receiving|respective)) part"
)
#: ... and of whoever a pronoun stands for.
_OF_IT = re.compile(
    r"\b(?:paid|payable|due|owed|owing|received|payments?)\b[^.;:]{0,40}? (?:by|to|from) (?:it|them|you|us)\b"
)
_SUFFIX = r"(?:,? (?:inc|llc|ltd|corp|gmbh|plc|co|l\.?p)\b\.?,?)?"
_NAME = re.compile(r"[A-Z][\w&@/-]*(?:\.\w+)*(?: [A-Z][\w&@/-]*(?:\.\w+)*)*")
#: A name that begins a sentence is one by what follows it.
_SUBJECT_OF = re.compile(
    r"'s? |,? (?:is|are|was|has|have|had|shall|will|may|must|can|does|pays?|owes?|receives?|answers?)\b"
)


@lru_cache(KEPT)
def named(claim: str, source: str) -> tuple[str, ...]:
    """The parties that a claim names and its source has, folded and sorted: names in capitals and roles."""
    text = plain(claim)
    found = {word for word in re.findall(r"[a-z]+", text) if roles.is_role(stem(word))}
    for match in _NAME.finditer(text):
        name = match[0].rstrip(".").split(" ")
        begins = match.start() == 0 or text[: match.start()].rstrip()[-1:] in ".:;"
        while begins and name and stem(name[0].lower()) in vocabulary.free_words():
            name = name[1:]
        if not name or not _may_name(name):
            continue
        known = len(name) < len(match[0].split(" ")) or all(roles.is_role(stem(word.lower())) for word in name)
        if not begins or known or _SUBJECT_OF.match(text, match.end()):
            found.add(" ".join(name).lower())
    there = fold(source)
    return tuple(sorted(name for name in found if name in there))


def _may_name(name: Sequence[str]) -> bool:
    """Whether words in capitals may name a party: "Section" does not, nor "Annual Payment"."""
    stems = [stem(word.lower()) for word in name]
    last = stems[-1]
    thing = last in vocabulary.free_words() or last in vocabulary.telling_words()
    return not any(map(roles.is_no_name, stems)) and (roles.is_role(last) or not thing)


@lru_cache(KEPT)
def _marked(text: str, parties: tuple[str, ...]) -> str:
    """The folded text with each of ``parties`` as its mark and number, so that one set of patterns reads all."""
    names = "|".join(re.escape(name) for name in sorted(parties, key=len, reverse=True))
    pattern = rf"(?<![\w&])(?:(?:the|said) )?({names})(?![\w&]){_SUFFIX}"
    return re.sub(pattern, lambda match: f"{_MARK}{parties.index(match[1])}", fold(text).replace(_MARK, " "))


def _read(forms: Mapping[tuple[str, str], Sequence[re.Pattern[str]]], kind: str, text: str) -> set[tuple[str, int]]:
    """Which numbered parties the forms of a kind find at which end of a marked text."""
    return {
        (end, int(next(filter(None, match.groups()))))
        for (of, end), patterns in forms.items()
        if of == kind
        for pattern in patterns
        for match in pattern.finditer(text)
    }


@lru_cache(KEPT)
def _ends(kind: str, text: str, parties: tuple[str, ...]) -> frozenset[End]:
    """The ends of flows of a kind at which a text puts any of ``parties``."""
    if not _NEEDS[kind].search(fold(text)):
        return frozenset()
    return frozenset(End(kind, end, parties[one]) for end, one in _read(_FORMS, kind, _marked(text, parties)))


@lru_cache(KEPT)
def stated(claim: str, source: str) -> frozenset[End]:
    """The ends of flows at which a claim puts the parties that it names and its source has; a party that
    stands at both ("to one another") stands at none."""
    parties = named(claim, source)
    if not parties:
        return frozenset()
    there = fold(claim)
    of_liability = bool(_DAMAGES.search(there))
    # What is owed is a payment, or else damages.
    owed = {PAYMENT if of_liability else LIABILITY} if _OWED.search(there) else set()
    found = frozenset(one for kind in _NEEDS if kind not in owed for one in _ends(kind, claim, parties))
    kind = LIABILITY if of_liability else PAYMENT
    if not found and len(parties) == 2 and _NEEDS[kind].search(there):
        found = frozenset(End(kind, end, parties[one]) for end, one in _read(_BARE, kind, _marked(claim, parties)))
    return frozenset(one for one in found if one._replace(end=_OTHER[one.end]) not in found)


def turned_round(claim: str, source: str) -> str | None:
    """Why a flow that the claim states is not the source's: a party stands at the other end there, others are
    liable there, or nothing there says by whom or to whom anything is paid."""
    for one in sorted(stated(claim, source)):
        there = _ends(one.kind, source, named(claim, source))
        if one in there or _of_both(one.kind, source):
            continue
        if any(_contradicts(one, other) for other in there) or _others(one, source):
            return f"in the source it is not {one.party} that {_CALLED[one.kind, one.end]}"
        if one.kind == PAYMENT and not there and not _OF_IT.search(fold(source)):
            return "the source does not say who pays whom"
    return None


def _contradicts(one: End, other: End) -> bool:
    """Whether a party stands at the other end, or another party at this end."""
    return (one.party == other.party) is not (one.end == other.end)


def _others(one: End, source: str) -> bool:
    """Whether the source says who is liable, and it is others."""
    liable = actors.liable(source) if (one.kind, one.end) == (LIABILITY, SOURCE) else frozenset()
    return bool(liable) and not any(actors.same_party(one.party, other) for other in liable)


def _of_both(kind: str, source: str) -> bool:
    if kind == PAYMENT:
        return bool(_OF_BOTH.search(fold(source)))
    return actors.BOTH in actors.liable(source)
