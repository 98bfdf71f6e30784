"""Exceptions: what a limit does not reach, item by item, against the list that the standard permits.

The items of a region (see ``leadins``) are judged one by one: permitted, outside the list, named by
section number alone, left open ("except as otherwise provided"), or so wide that they swallow the rule.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from pipeline.standard.grammar import Pattern, any_of
from pipeline.standard.names import MUTUAL, same_party
from pipeline.standard.references import REFERENCE
from pipeline.standard.text import Span


class Kind(StrEnum):
    PERMITTED = "permitted"
    OUTSIDE = "outside"
    NUMBER = "number"  # a section by number alone
    OPEN = "open"
    WIDE = "wide"  # ordinary breach of the agreement itself


@dataclass(frozen=True, slots=True)
class Item:
    """One exception; ``subject`` names the permitted subject, ``party`` the party it exposes, if named."""

    kind: Kind
    span: Span
    subject: str = ""
    party: str = ""


PERMITTED = (
    Pattern("fraud", r"\bfraud\w*|\bdeceit|\bdishonest\w*|\bcriminal\b|\bbad faith\b"),
    Pattern(
        "wilful misconduct",
        any_of(
            (
                r"\b(?:wil+ful+(?:ly)?|intentional(?:ly)?|deliberate(?:ly)?|reckless(?:ness)?|wanton)\b(?:[,/]? ?(?:or"
                r"|and)?[ /]?[\w-]+){0,3}?[ /](?:mis-?conducts?|acts?|omissions?|wrongdoings?|wrongful|defaults?"
                r"|misrepresentations?|negligence|neglect|torts?|misappropriation|infringement|disregard|actions"
                r"|violations? of (?:applicable )?law|malfeasance)\b"
            ),
            r"\bcaused (?:wil+fully|intentionally)\b",
            r"\bmalicious",
        ),
    ),
    Pattern(
        "gross negligence", r"\bgross(?:ly)?(?: or wil+ful+)?[ -](?:negligen\w+|misconduct|fault)|\bgross negligence"
    ),
    Pattern(
        "death or personal injury",
        r"\b(?:personal|bodily) injur\w+|\bdeath\b|\binjur(?:y|ies) to (?:any )?persons?|\billness\b",
    ),
    Pattern(
        "confidentiality",
        r"\bconfiden(?:ce|t\w+)|\bsecre(?:cy|t)\b|\bnon-?disclosure|\bproprietary information|\btrade secrets?",
    ),
    Pattern(
        "intellectual property",
        any_of(
            r"\bintellectual property",
            r"\binfring\w+",
            r"\bmisappropriat\w+",
            r"\bpatents?\b",
            r"\bcopyrights?",
            r"\btrade-?marks?",
            r"\bproprietary rights?",
            r"\bownership",
            r"\blicen[sc]es? (?:grants?|restrictions?)",
            r"\bgrants? of (?:rights|licen[sc]es?)",
            r"\bsoftware licen\w+",
            r"\blicen[sc]ed marks?",
        ),
    ),
    Pattern(
        "indemnities",
        any_of(
            r"\bindemni\w+",
            r"\bhold(?:ing)? harmless",
            r"\b(?:third[- ]part(?:y|ies)(?:'s?)? (?:\w+ )?(?:claims?|actions?|suits?))",
            r"\bclaims? (?:\w+ )?(?:by|of|from) (?:a |any )?third part",
        ),
    ),
    Pattern(
        "sums due",
        any_of(
            r"\b(?:non|under)-?payments?",
            r"\bpayments? (?:obligations?|due|of (?:any |all )?(?:amounts?|fees|sums|charges|the))",
            r"\bobligations? to (?:make (?:any )?payments?|pay|reimburse)",
            (
                r"\b(?:amounts?|sums?|monies|moneys|fees|charges|royalties|payments|invoices?"
                r"|commissions)\b[^,;()]{0,40}?\b(?:due|owed|owing|payable|accrued|unpaid|required to be paid)"
            ),
            r"\bfail\w* to (?:make (?:any )?payments?|pay)",
            r"\bunpaid\b",
            r"\b(?:termination|cancellation) (?:fees?|charges?)",
            r"\bpayment or reimbursement",
            r"\bpurchase price (?:of|for)",
            r"\bpay(?:ing|ment)? (?:for|of) (?:the )?(?:products|goods|services|fees)",
        ),
    ),
    Pattern(
        "what the law forbids to limit",
        any_of(
            r"\b(?:applicable|mandatory|governing) law",
            r"\b(?:by|under|at) law\b",
            r"\bcannot (?:be |lawfully |legally )*(?:excluded|limited|restricted)",
            r"\bstatut\w+",
            r"\blawfully\b|\bmay not be (?:excluded|limited|restricted)",
            r"\bunlawful",
        ),
    ),
)
WIDE = Pattern(
    "ordinary breach",
    any_of(
        r"(?<!ful )(?<!onal )(?<!rate )(?<!ent )\b(?:breach(?:es)?|violations?|defaults?|non-?performance)"
        r"(?: by (?:either|any|a|the other) party)? (?:of|under) (?:any (?:provision|term|obligation)s? (?:of|under) )?"
        r"(?:this|the) agreement\b(?!'s)",
        r"(?<!ful )\bbreach(?:es)? by (?:either|any|a|the other) party of (?:any of )?its obligations\b"
        r"(?:[^;]{0,60}? (?:under this agreement|hereunder)|\W*$)",
        r"(?<!ful )\bbreach(?:es)?(?: by [^,;]{1,30}?)? of any of (?:its|their) (?:obligations|promises)",
        r"\bfailure(?: (?:of|by) [^,;]{1,30}?)? to perform (?:its|their|any)(?: of (?:its|their))? obligations? "
        r"(?:under this agreement|hereunder)",
    ),
)
OPEN = Pattern(
    "left open",
    any_of(
        (
            r"^(?:\W*)(?:as|where|to the extent|if|unless)?\W*(?:otherwise |expressly |specifically |explicitly "
            r"|may be |is |are |it is )*(?:set (?:forth|out)|provided|stated|agreed|specified|contained|permitted"
            r"|required|contemplated|described)\b"
        ),
        (
            r"\bas (?:may be |is |are )?(?:otherwise |expressly |specifically )*(?:set (?:forth|out)|provided|stated"
            r"|agreed|specified)"
        ),
    ),
)
OUTSIDE = Pattern(
    "outside the list",
    any_of(
        r"\bwil+ful+ breach",
        r"\bintentional breach",
        r"\bdamages? to\b[^,;]{0,30}\bproperty",
        r"\bproperty damage",
        r"\b(?:tangible|real|physical)(?: personal)? property|\bdamages? to (?:real|tangible|physical)\b",
        r"\bloss of (?:or damage to )?[^,;]{0,20}property",
        r"\brepresentations?\b",
        r"\bwarrant(?:y|ies)\b",
        r"\bcovenants?\b",
        r"\b(?:wrongful|early|improper|premature) terminat\w+",
        r"\bterminat\w+ (?:of (?:this|the) agreement|by|without)",
        r"\babandon\w+",
        r"\bprivacy",
        r"\bdata (?:protection|security|breach)",
        r"\bsecurity breach",
        r"\byear 2000",
        r"\by2k",
        r"\bcomplian\w+",
        r"\bproduct liabilit\w+",
        r"\bepidemic",
        r"\brecall\w*",
        r"\binsurance",
        r"\bnon-?solicit\w+",
        r"\bnon-?compet\w+",
        r"\bexclusiv(?:e|ity)\b",
        r"\bnegligen(?:ce|t)\b",
        r"\bstrict liabilit\w+",
        r"\benvironment\w+",
        r"\bdelay\w*",
        r"\bfail\w* to (?:meet|deliver|perform|supply|achieve)\b",
        r"\blate (?:delivery|performance|completion)",
        r"\bliquidated damages",
        r"\brefund\w*",
        r"\bbreach(?:es)? of (?:its|their|any|the|a party's|such party's)\b(?! (?:§|this))",
        r"\bdefects?\b",
        r"\bagency relationship",
        r"\bpublicity",
        r"\btax(?:es)?\b",
        r"\bcost(?:s)? of cover",
        r"\bnon-?conform\w+",
    ),
)
NAMED_PARTY = Pattern(
    "named party",
    any_of(
        (
            r"\b(?P<owner>(?!party|parties|other|another|person|its|their|claimant|third|each|any|neither|either|no|day"
            r"|today|let|section|agreement|month|year)[a-z0-9&.\-]+)(?:'s|s')(?= [a-z])"
        ),
        (
            r"\bby (?P<agent>(?:the )?(?:supplier|distributor|customer|client|licen[sc]ee|licen[sc]or|vendor|company"
            r"|contractor|consultant|agent|seller|buyer|purchaser|provider|franchisee|franchisor|manufacturer|reseller"
            r"|sponsor|owner|operator|developer|bank|lessee|lessor|service provider|us|you)\b)"
        ),
        r"^\W*(?:the )?(?P<role>your|our|my)\b",
    ),
)
_ENUMERATOR = re.compile(
    r"\((?:[ivx]{1,4}|[a-z]|\d{1,2})\)|;|\b[ivx]{1,3}\)|\b\d\)|\b(?:or|and|and/or|nor)\b|[,:]|\bor\b"
)
_TITLE = re.compile(
    r"\s*[(\[\"](?P<title>[a-z][^)\]\"]{2,80})[)\]\"]|\s*,? (?:entitled|titled|regarding|relating to"
    r"|headed) \"?(?P<named>[a-z][a-z ,&]{3,60})\"?"
)
_LOOSE_TITLE = re.compile(
    r", (?P<title>(?:confidential(?:ity)?(?: information| obligations)?|indemni\w+"
    r"|intellectual property(?: rights)?|non-?disclosure|ownership|proprietary rights))(?=[,;. ]|$)"
)
_CONTINUES = re.compile(
    r"^\W*(?:(?:as|and|which|are|is) )*(?:set forth|set out|provided|described|specified|contained|defined|under"
    r"|pursuant to|herein|payable|owing|owed|due|accrued|paid)\b[^§]*§"
    r"|^\W*(?:in|of) (?:the )?(?:\w+ )?§"
)

#: What a subject's second noun looks like: no breach or claim of its own before the section.
_BARE_NOUN = re.compile(
    r"^\W*(?:or |and )?(?:[a-z'-]+ ){0,3}?(?:obligations?|rights?|duties|covenants?|provisions?|liabilit(?:y"
    r"|ies))\b(?!.*\bbreach)[^§]*§"
)


def items_of(text: str, region: Span) -> list[Item]:
    """The exceptions of ``region``, each classified; words that except nothing are left out."""
    found: list[Item] = []
    party = ""
    for piece, shown in _pieces(text, region):
        named = NAMED_PARTY.search(shown)
        if MUTUAL.search(shown):
            party = ""
        elif named:
            party = next(value for value in named.groupdict().values() if value)
        kind, subject = _classify(shown)
        if kind is None or (kind is Kind.NUMBER and found and _continues(text, found[-1], piece, shown)):
            continue
        found.append(Item(kind, piece, subject, party))
    return found


def _continues(text: str, last: Item, piece: Span, shown: str) -> bool:
    """Whether a piece that names a section only goes on with the permitted subject before it:
    "the indemnification rights or obligations under Article 14"."""
    if _CONTINUES.search(shown):
        return True
    between = text[last.span.end : piece.start]
    return last.kind is Kind.PERMITTED and bool(_BARE_NOUN.search(shown)) and not re.search(r"[;(,]", between)


def _pieces(text: str, region: Span) -> list[tuple[Span, str]]:
    """Cut ``region`` at enumerators; in the shown text a reference is ``§``, its title kept."""
    shown = list(text[region.start : region.end])
    for match in REFERENCE.all(text, region):
        title = _TITLE.match(text, match.end(), region.end) or _LOOSE_TITLE.match(text, match.end(), region.end)
        low, high = match.start() - region.start, match.end() - region.start
        shown[low:high] = "§" + " " * (high - low - 1)
        if title:
            span = next(title.span(g) for g in title.groupdict() if title.group(g))
            for index in range(title.start() - region.start, title.end() - region.start):
                inside = span[0] - region.start <= index < span[1] - region.start
                # The title stays in its reference's piece: commas and "and" inside it cut nothing.
                if not inside or shown[index] in ",;:()":
                    shown[index] = " "
            words = "".join(shown[span[0] - region.start : span[1] - region.start])
            shown[span[0] - region.start : span[1] - region.start] = re.sub(
                r" (and|or) ", lambda m: " " + "+" * len(m[1]) + " ", words
            )
    joined = "".join(shown)
    pieces, start = [], 0
    for cut in [*(m.span() for m in _ENUMERATOR.finditer(joined)), (len(joined), len(joined))]:
        if joined[start : cut[0]].strip():
            pieces.append((_trim(text, Span(region.start + start, region.start + cut[0])), joined[start : cut[0]]))
        start = cut[1]
    return pieces


def _trim(text: str, span: Span) -> Span:
    start, end = span.start, span.end
    while start < end and text[start] in " ,.;:":
        start += 1
    while end > start and text[end - 1] in " ,.;:":
        end -= 1
    return Span(start, end)


def _classify(shown: str) -> tuple[Kind | None, str]:
    for pattern in PERMITTED:
        if pattern.found(shown):
            return Kind.PERMITTED, pattern.name
    if WIDE.found(shown):
        return Kind.WIDE, ""
    if OUTSIDE.found(shown):
        return Kind.OUTSIDE, ""
    if OPEN.found(re.sub(r"^\W*(?:except(?:ing)?(?: only)?|save|other than|unless)\b", "", shown)):
        return Kind.OPEN, ""
    if "§" in shown:
        return Kind.NUMBER, ""
    return None, ""


def one_sided(found: list[Item]) -> str:
    """The party that the whole exception exposes, or nothing: exceptions for sums due stand apart."""
    exposing = [item for item in found if item.subject not in ("sums due", "what the law forbids to limit")]
    names = [item.party for item in exposing]
    if names and all(names) and all(same_party(names[0], name) for name in names):
        return names[0]
    return ""
