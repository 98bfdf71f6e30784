"""Exceptions: what a limit does not reach, item by item, against the list that the standard permits.

A *region* is a stretch of a sentence that takes something out ("except for …", "other than …",
"provided that this shall not apply to …"). Its items are judged one by one: permitted, outside the
list, named by section number alone, or left open ("except as otherwise provided").
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from pipeline.standard.grammar import Pattern, span_of
from pipeline.standard.parties import MUTUAL, same_party
from pipeline.standard.redaction import REDACTION
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
        r"\b(?:wil+ful+(?:ly)?|intentional(?:ly)?|deliberate(?:ly)?|reckless(?:ness)?|wanton)\b(?:[,/]? ?(?:or|and)?[ /]?[\w-]+){0,3}?[ /]"
        r"(?:mis-?conducts?|acts?|omissions?|wrongdoings?|wrongful|defaults?|misrepresentations?|negligence|neglect|torts?|misappropriation"
        r"|infringement|disregard|actions|violations? of (?:applicable )?law|malfeasance)\b|\bcaused (?:wil+fully|intentionally)\b|\bmalicious",
    ),
    Pattern(
        "gross negligence", r"\bgross(?:ly)?(?: or wil+ful+)?[ -](?:negligen\w+|misconduct|fault)|\bgross negligence"
    ),
    Pattern(
        "death or personal injury",
        r"\b(?:personal|bodily) injur\w+|\bdeath\b|\binjur(?:y|ies) to (?:any )?persons?|\billness\b",
    ),
    Pattern("confidentiality", r"\bconfident\w+|\bnon-?disclosure|\bproprietary information|\btrade secrets?"),
    Pattern(
        "intellectual property",
        r"\bintellectual property|\binfring\w+|\bmisappropriat\w+|\bpatents?\b|\bcopyrights?|\btrade-?marks?|\bproprietary rights?"
        r"|\bownership|\blicen[sc]es? (?:grants?|restrictions?)|\bgrants? of (?:rights|licen[sc]es?)|\bsoftware licen\w+|\blicen[sc]ed marks?",
    ),
    Pattern(
        "indemnities",
        r"\bindemni\w+|\bhold(?:ing)? harmless|\b(?:third[- ]part(?:y|ies)(?:'s?)? (?:\w+ )?(?:claims?|actions?|suits?))|\bclaims? (?:\w+ )?(?:by|of|from) (?:a |any )?third part",
    ),
    Pattern(
        "sums due",
        r"\b(?:non|under)-?payments?|\bpayments? (?:obligations?|due|of (?:any |all )?(?:amounts?|fees|sums|charges|the))|\bobligations? to (?:make (?:any )?payments?|pay|reimburse)"
        r"|\b(?:amounts?|sums?|monies|moneys|fees|charges|royalties|payments|invoices?|commissions)\b[^,;()]{0,40}?\b(?:due|owed|owing|payable|accrued|unpaid|required to be paid)"
        r"|\bfail\w* to (?:make (?:any )?payments?|pay)|\bunpaid\b|\b(?:termination|cancellation) (?:fees?|charges?)|\bpayment or reimbursement|\bpurchase price (?:of|for)|\bpay(?:ing|ment)? (?:for|of) (?:the )?(?:products|goods|services|fees)",
    ),
    Pattern(
        "what the law forbids to limit",
        r"\b(?:applicable|mandatory|governing) law|\b(?:by|under|at) law\b|\bcannot (?:be |lawfully |legally )*(?:excluded|limited|restricted)|\bstatut\w+|\bunlawful",
    ),
)
WIDE = Pattern(
    "ordinary breach",
    r"(?<!ful )(?<!onal )(?<!rate )(?<!ent )\b(?:any |a |material |its |either party's |each party's )*(?:breach(?:es)?|violations?|defaults?|non-?performance) (?:by (?:either|any|a|the other) party )?(?:of|under) (?:this|the) agreement\b"
    r"(?!'s)|\bfailure to perform (?:its|their|any) obligations (?:under this agreement|hereunder)",
)
OPEN = Pattern(
    "left open",
    r"^(?:\W*)(?:as|where|to the extent|if|unless)?\W*(?:otherwise |expressly |specifically |explicitly |may be |is |are |it is )*"
    r"(?:set (?:forth|out)|provided|stated|agreed|specified|contained|permitted|required|contemplated|described)\b|\bas (?:may be |is |are )?(?:otherwise |expressly |specifically )*(?:set (?:forth|out)|provided|stated|agreed|specified)",
)
OUTSIDE = Pattern(
    "outside the list",
    r"\bwil+ful+ breach|\bintentional breach|\bdamages? to\b[^,;]{0,30}\bproperty|\bproperty damage|\bloss of (?:or damage to )?[^,;]{0,20}property|\brepresentations?\b|\bwarrant(?:y|ies)\b"
    r"|\bcovenants?\b|\b(?:wrongful|early|improper|premature) terminat\w+|\bterminat\w+ (?:of (?:this|the) agreement|by)|\babandon\w+|\bprivacy|\bdata (?:protection|security|breach)|\bsecurity breach|\byear 2000|\by2k"
    r"|\bcomplian\w+|\bproduct liabilit\w+|\bepidemic|\brecalls?\b|\binsurance|\bnon-?solicit\w+|\bnon-?compet\w+|\bexclusiv(?:e|ity)\b|\bnegligen(?:ce|t)\b"
    r"|\bstrict liabilit\w+|\benvironment\w+|\bdelay\w*|\bliquidated damages|\brefund\w*|\bbreach(?:es)? of (?:its|their|any|the|a party's|such party's)\b(?! (?:§|this))"
    r"|\bdefects?\b|\bagency relationship|\bpublicity|\btax(?:es)?\b|\bcost(?:s)? of cover|\bnon-?conform\w+",
)
NAMED_PARTY = Pattern(
    "named party",
    r"\b(?P<owner>(?!party|parties|other|another|person|its|their|claimant|third|each|any|neither|either|no|day|today|let|section|agreement|month|year)[a-z0-9&.\-]+)(?:'s|s')(?= [a-z])"
    r"|\bby (?P<agent>(?:the )?(?:supplier|distributor|customer|client|licen[sc]ee|licen[sc]or|vendor|company|contractor|consultant|agent|seller|buyer|purchaser|provider|franchisee"
    r"|franchisor|manufacturer|reseller|sponsor|owner|operator|developer|bank|lessee|lessor|service provider|us|you)\b)"
    r"|^\W*(?:the )?(?P<role>your|our|my)\b",
)
LEAD_IN = Pattern(
    "lead-in",
    r"\b(?:(?:so long as|to the extent)(?= [^;]{0,80}?\b(?:does|do|did|is|are|was|were) not (?:arise|result|caused|due))|except(?:ing)?(?: only)?(?! that [a-z]+ (?:may|shall|will) not)|save(?: and except| as| for| that| in| the| to|,)|with the exception of|apart from|but not(?= in the (?:case|event))"
    r"|other than(?! (?:direct|actual|general|the right|to the extent|a party hereto)|\s+(?:money|monetary))"
    r"|exclud(?:ing|ed)(?= (?:any liabilit|liabilit|claims?\b|breach|indemn|gross|wil+ful|losses arising|cases|only|any amounts? (?:due|owed|payable)|amounts? (?:due|owed|payable)|its|each party|a party|obligations))"
    r"|unless (?!and until|commenced|made|brought|otherwise|an? (?:action|suit|claim|proceeding|higher)|[a-z]+ receives|written|notice|such (?:action|claim|notice)|buyer|it is)"
    r"|subject(?: only)? to(?= (?:and without|(?:this |the (?:provisions|terms|exceptions|exclusions|limitations) (?:of|in|set forth in) )?(?:sub-?)?(?:section|clause|article|paragraph)|(?:the |each party's |a party's |its |their )?(?:\w+ ){0,2}indemn|the (?:following )?exce))"
    r"|without (?:limiting|prejudice to)(?= [^,;]{0,60}?\b(?:indemn|confiden|gross|liability for)))\b",
)
PROVISO = Pattern("proviso", r"\b(?:provided|except)[,;]? ?(?:(?:further|however|always|that|also)[,;]? ?)+")
OPERATIVE_START = Pattern(
    "operative start",
    r"(?:[,:;)\]]|\bhereof|\bherein|\bhereunder|^)\s*(?:\(?[a-z0-9]{1,3}\)\s?)?(?=(?:and |then )?(?:(?:notwithstanding|to the (?:maximum|fullest|greatest|extent)|in addition)\b[^,;]{0,90}, ?)?"
    r"(?:\(?[a-z0-9]{1,2}\) ?)?(?:in no (?:event|case|way|circumstance)|under no circ|under no (?:legal|theory)|at no time|neither|nor shall|no party|no action|none of|nothing|(?:each|either|a|any|one|no|the) part(?:y|ies)(?:'s?)? (?:\w+ ){0,6}(?:shall|will|may|waives?|hereby|agrees?|disclaims?|specifically|be liable)\b"
    r"|(?:each party's|either party's|a party's|the parties'|(?:[a-z0-9.&]+ ){0,2}[a-z0-9.&]+'s?) (?:(?:total|aggregate|cumulative|maximum|entire|sole|overall|liability|and|exclusive)[ ,]+){0,5}liabilit"
    r"|(?:the |any (?:and all )?|all )(?:(?:total|aggregate|cumulative|maximum|entire|overall|collective|party's)[ ,]+){0,4}(?:liabilit|responsibilit)|such limit|the (?:foregoing|above) limit|(?:if|where) (?:any|the|a|an|there)\b|in the event (?!of)|[a-z0-9.& ]{1,40} (?:shall|will) be (?:solely )?(?:liable|responsible)|(?:this|it) shall|(?:aggregate|total|cumulative|maximum) damages|damages for which|[a-z0-9.& ]{1,40},? (?:shall|will|is|are) (?:not be liable|have no|in no event|not have)))",
)
_ENUMERATOR = re.compile(
    r"\((?:[ivx]{1,4}|[a-z]|\d{1,2})\)|;|\b[ivx]{1,3}\)|\b\d\)|\b(?:or|and|and/or|nor)\b|[,:]|\bor\b"
)
_TITLE = re.compile(
    r"\s*[(\[\"](?P<title>[a-z][^)\]\"]{2,80})[)\]\"]|\s*,? (?:entitled|titled|regarding|relating to|headed) \"?(?P<named>[a-z][a-z ,&]{3,60})\"?"
)
_LOOSE_TITLE = re.compile(
    r", (?P<title>(?:confidential(?:ity)?(?: information| obligations)?|indemni\w+|intellectual property(?: rights)?|non-?disclosure|ownership|proprietary rights))(?=[,;. ]|$)"
)
_CONTINUES = re.compile(
    r"^\W*(?:(?:as|and|which|are|is) )*(?:set forth|set out|provided|described|specified|contained|defined|under|pursuant to|herein|payable|owing|owed|due|accrued|paid)\b[^§]*§"
    r"|^\W*(?:in|of) (?:the )?(?:\w+ )?§"
)

#: What a subject's second noun looks like: no breach or claim of its own before the section.
_BARE_NOUN = re.compile(
    r"^\W*(?:or |and )?(?:[a-z'-]+ ){0,3}?(?:obligations?|rights?|duties|covenants?|provisions?|liabilit(?:y|ies))\b(?!.*\bbreach)[^§]*§"
)


def regions(text: str, sentence: Span) -> list[Span]:
    """The stretches of ``sentence`` that take something out of a limit, in order, none overlapping."""
    found: list[Span] = []
    position = sentence.start
    while position < sentence.end:
        lead = LEAD_IN.search(text, Span(position, sentence.end))
        if not lead:
            break
        start = lead.start()
        if text[start - 1 : start] == "(":
            end = _closing(text, start, sentence.end) or _fallback(text, sentence, start)
        else:
            stop = OPERATIVE_START.search(text, Span(lead.end(), sentence.end))
            end = stop.start() if stop else _fallback(text, sentence, start)
        found.append(Span(start, end))
        position = max(end, start + 1)
    return found


def _fallback(text: str, sentence: Span, start: int) -> int:
    """No operative start in sight: a leading exception ends at its first comma, a trailing one never."""
    leading = start - sentence.start < 25 or text[start - 1 : start] == "("
    leading = leading and "," in text[start : sentence.end]
    return text.index(",", start) if leading else sentence.end


def _closing(text: str, start: int, end: int) -> int:
    """Where the bracket that opened before ``start`` closes; 0 if it never does."""
    depth = 1
    for index in range(start, end):
        depth += {"(": 1, ")": -1}.get(text[index], 0)
        if depth == 0:
            return index
    return 0


def items(text: str, region: Span) -> list[Item]:
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


def redacted(text: str, region: Span) -> bool:
    return REDACTION.found(text, region)


__all__ = ["Item", "Kind", "items", "one_sided", "redacted", "regions", "span_of"]
