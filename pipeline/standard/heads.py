"""Heads of loss: which kinds of loss an exclusion names, and whether it reaches direct loss.

Convention: the *list* of an exclusion is what follows "liable for", up to where the words turn to
cause, circumstance or theory. Lost profits, data and goodwill count as indirect; cover, outlay,
property and "any damages" are direct.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipeline.standard.grammar import Pattern, any_of, first, span_of
from pipeline.standard.text import Span

INDIRECT = Pattern(
    "indirect loss",
    r"\b(?:in-?direct|consequent(?:ial|al)|special|incidental|punitive|exemplary|speculative|remote"
    r"|multipl(?:e|ied)|enhanced|reliance|aggravated)\b",
)
#: Adjectives that show indirect loss only where nothing shows it better.
_VAGUE = ("speculative", "remote")
_PUNISHING = ("punitive", "exemplary", "multiple", "multiplied", "enhanced", "aggravated")
PROFITS = Pattern(
    "lost profits and the like",
    any_of(
        (
            r"\b(?:los(?:t|s|ses)|interruption|diminution|failure to realize|damage|injury)\b[^;:]{0,40}?\b(?:profits?"
            r"|revenues?|savings?|business|data|goodwill|good will|use|income|opportunit\w+|reputation|sales|contracts?"
            r"|anticipated|production|earnings|value)\b"
        ),
        (
            r"\b(?:prospective|anticipated|lost|future|expected) (?:profits?|revenues?|sales|savings?|business|orders?"
            r"|earnings|income)"
        ),
        r"\bbusiness interruption",
        r"\bcommercial (?:loss|damage)",
        r"\bgood-?will\b",
    ),
)
DIRECT = Pattern(
    "direct loss",
    r"(?<!other than )(?<!in)(?<!in-)\bdirect\b(?=,|\)| (?:or|and|damages?|loss|losses|harm|costs?"
    r"|expenses?|liabilit|compensat))(?!.? ?(?:or indirect |and indirect )?result)",
)
COVER = Pattern(
    "cover",
    any_of(
        r"\bcover\b(?! (?:by|under|the cost of insur))",
        r"\b(?:(?:procurement|purchase|cost) of|procuring|purchasing) (?:any )?(?:substitute|replacement|alternative)",
        r"\bsubstitute (?:goods|services|products|technology)",
    ),
)
OUTLAY = Pattern(
    "outlay",
    any_of(
        r"\bexpenditures?\b",
        r"\binvestments?\b",
        r"\bleases?\b",
        r"\bcommitments?\b",
        r"\binventory\b",
        r"\bmarket development costs?",
        r"\bseverance",
    ),
)
PROPERTY = Pattern(
    "property",
    any_of(
        r"\b(?:loss (?:of|or damage)|damages?)(?: to)?(?: or loss of)?[^;]{0,40}?\bproperty\b(?! rights)",
        r"\bprofits, property\b",
        r"\bproperty damage",
    ),
)
ANY_LOSS = Pattern(
    "any loss",
    r"(?<!measure of )\b(?:any|all|other|whatever|whatsoever)(?: and all)?(?: other| kind of| dollar"
    r"| monetary| pecuniary| actual| commercial| economic)? ?(?:and )?(?:suits?|actions?|demands?"
    r"|obligations?|liabilit(?:y|ies)|loss(?:es)?|damages?|claims?|amounts?|costs?|compensation|harm"
    r"|expenses?|injur(?:y|ies)|payments?)\b(?! (?:of|for|from|against|due (?:to|on|upon|under)|to such"
    r"|representing|based"
    r"|on account(?! of (?:the |such |any )?(?:terminat|expir))"
    r"|relating|incurred by reason|measured|by)\b(?! (?:any|every|whatever|whatsoever) "
    r"(?:kind|nature|type|character|sort)))",
)
ALL_KINDS = Pattern(
    "all kinds",
    any_of(
        r"\bdamages? (?:of )?(?:any|every|whatever|whatsoever)(?: (?:kind|nature|type|character|sort))?",
        r"\bloss(?:es)? of (?:any|every|whatever) (?:kind|nature|type|sort)",
        r"\b(?:loss|liability|damages?) whatsoever",
        r"\bof any (?:kind|nature) whatsoever",
        r"\bfor anything\b",
    ),
)
NO_LIABILITY = Pattern(
    "liability as such",
    r"\b(?:any|no|all)(?: and all)?(?: obligations? (?:and|or))? (?:liabilit(?:y|ies)|responsibility)\b"
    r"(?:,? (?:whether|both|of any kind|whatsoever|contingent|direct|to|under|hereunder|in connection"
    r"|in contract|which|arising|or obligation|or responsibility))",
)
#: Causes as large as the agreement itself: an exclusion that turns on them is confined to nothing.
_LARGE = (
    r"\b(?:agreement|contract|hereunder|perform\w*|non-?performance|services?|products?|goods|use|software|system"
    r"|platform|licen[sc]\w+|technology|breach\w*|defaults?|neglig\w+|any (?:act|cause|reason|matter)"
    r"|acts? or omissions?|obligations?|terms?|deed|representation|warrant\w+)\b"
)
NARROW = Pattern(
    "narrow scope",
    r"\b(?:"
    + any_of(
        r"terminat\w+|expir\w+|non-?renewal",
        r"force majeure|acts? of god|beyond (?:its|the) (?:reasonable )?control",
        r"delays?|shipment|in transit|suspension|interruption of (?:supply|service)",
        r"unauthori[sz]ed|infring\w+|loss of (?:any )?data",
        r"third[- ]part(?:y|ies)(?:'s?)? (?:claims?|acts?|products?|software)",
        r"claims? (?:by|of|from|against) (?:any )?third",
        r"caused by (?:the )?(?:\w+ ){0,2}(?:distributor|customer|licensee|buyer|user|its|other)",
        r"(?:damage|loss|destruction|harm|injury) (?:to|of) (?:or (?:damage|loss|destruction) (?:to|of) )?"
        r"(?:[\w']+ ){1,4}?property",
        rf"(?:caused by|resulting from|due to|by reason of) (?![^;,.]{{0,70}}?{_LARGE})",
        r"(?:under|of|in) (?:section|article|clause|paragraph) \d[\d.]*",
    )
    + r")\b",
)
STRONG = Pattern(
    "loss as such",
    r"\b(?:liabilit|loss|damage|cost|expense|amount|compensation|harm"
    r"|claims? of (?:any|every|whatever) (?:kind|nature|type|sort)|anything)",
)
_NOUN = re.compile(r"[^;.()\x1f]{0,110}?\b(?:damages?|loss(?:es)?|liabilit(?:y|ies)|costs?|expenses?|goods|services)\b")
OF_PROFITS = re.compile(
    r"(?:(?:,|,? or|,? and) (?:indirect|special|incidental|consequential|punitive|exemplary)){0,6}\)? ?"
    r"(?:loss(?:es)? )?of (?:\w+ )?(?:profits?|revenues?|business|income)"
)
NOUN = Pattern(
    "liability as a noun",
    r"\b(?:liabilit(?:y|ies)|responsibilit(?:y|ies)|obligations?)(?: whatsoever| of any kind)?[ ,]*$",
)
#: "for any reason" is no object: it names nothing that liability is for.
_OBJECT = re.compile(r"\bfor\b(?! (?:any|whatever|whatsoever) (?:reason|cause)\b)")
OF_LOST = re.compile(
    r"[^;]{0,30}?(?:arising|resulting|relating|in connection|representing)?[^;]{0,45}?\b(?:los[st]|loss of"
    r"|interruption|prospective) (?:[a-z]+ ){0,4}?(?:profits?|business|data|revenue|use|anticip|goodwill"
    r"|savings|sales)|[^;,]{0,20}? of (?:profits?|revenue|business|anticipated|income)"
)
OF_INDIRECT = re.compile(
    r"[^;]{0,260}?\b(?:for|relating to|in respect of|of|seeking|representing) (?:any |all )?"
    r"(?:indirect|consequential|special|incidental|punitive|exemplary)"
)
BROAD = Pattern(
    "performance at large",
    r"\b(?:furnishing|(?:performance|use) of,? (?:or|and)|any act or omission|any breach of this agreement)\b",
)
_TURN = Pattern(
    "turn to cause",
    r"\b(?:aris(?:ing|es?|en)|result(?:ing|s)?|in connection|in any way|relat(?:ed|ing)|under (?:this"
    r"|any)|hereunder|even if|whether(?! direct| indirect)|regardless|irrespective|incurred|suffered"
    r"|sustained|howsoever|however (?:caused|arising)|caused"
    r"|based (?:on|upon)(?! (?:or measured by )?(?:loss|multiple))"
    r"|by reason of|because of|due to|attributable|in (?:contract|tort)|on any theory|notwithstanding"
    r"|as a result|for any reason|in respect of|with respect to|to the extent|pursuant|from the)\b",
)


#: The object of an exclusion that takes in all that the agreement asks of a party.
OWN_BREACH = Pattern(
    "own breach at large",
    r"\bfor (?:any |all |its |their |the )?(?:own )?"
    r"(?:breach(?:es)?|defaults?|fail(?:ures?|ing) to perform|non-?performance)"
    r"(?: (?:of|under) (?:this|the) agreement| of (?:any of )?(?:its|their) obligations?| hereunder| hereof)*\W*$",
)


@dataclass(frozen=True, slots=True)
class Heads:
    """What an exclusion excludes; each span is the words that show it, or None."""

    indirect: Span | None
    profits: Span | None
    direct: Span | None
    everything: bool
    narrow: Span | None
    extent: Span
    punitive_only: bool = False


def heads(text: str, body: Span) -> Heads:
    """Read the list of heads in ``body`` (what follows the words of exclusion)."""
    extent = _list(text, body)
    plain = _outside_brackets(text, body)
    indirect = INDIRECT.search(text, extent) or INDIRECT.search(text, body)
    profits = PROFITS.search(text, extent) or PROFITS.search(text, Span(extent.start, min(body.end, extent.end + 60)))
    if indirect and profits and indirect.group() in _VAGUE:  # "loss of speculative future sales"
        indirect = None
    reach = (
        DIRECT.search(plain, extent)
        or DIRECT.search(plain, Span(extent.end, min(body.end, extent.end + 40)))
        or first((COVER, OUTLAY, PROPERTY), plain, extent)
    )
    direct = span_of(reach) if reach else _generic(plain, extent)
    return Heads(
        _phrase(text, span_of(indirect)) if indirect else None,
        span_of(profits) if profits else None,
        _phrase(text, direct) if direct else None,
        _takes_all(plain, body, extent),
        _narrow(text, Span(max(0, body.start - 200), min(body.end, extent.end + 200))),
        extent,
        _punitive_only(text, body, bool(profits or direct)),
    )


def _punitive_only(text: str, body: Span, more: bool) -> bool:
    """Whether the only damages named are those that punish: no head of indirect loss is among them."""
    named = [match.group() for match in INDIRECT.all(text, body)]
    return bool(named) and not more and all(name in _PUNISHING for name in named)


def _takes_all(text: str, body: Span, extent: Span) -> bool:
    """Whether the list takes in all loss: loss as such, or direct loss, is named before any head of
    indirect loss, or "no liability" stands without an object."""
    heads_at = [m.start() for m in (INDIRECT.search(text, extent), PROFITS.search(text, extent)) if m]
    begins = min(heads_at, default=body.end)
    # "any direct, indirect or special damages" takes all in; "direct loss of profits" does not.
    direct = DIRECT.search(text, extent) or DIRECT.search(text, Span(extent.end, min(body.end, extent.end + 40)))
    if heads_at and direct and direct.start() < begins and not OF_PROFITS.match(text, direct.end()):
        return True
    generic = _generic(text, extent)
    if generic and generic.start < begins and STRONG.found(text, Span(generic.start, min(body.end, generic.end + 60))):
        return True
    if INDIRECT.found(text, body) and not (direct and direct.start() < begins):
        return False
    if NO_LIABILITY.found(text, extent):
        return True
    # "no liability, direct or indirect": the noun stands before the body.
    noun = NOUN.found(text[: body.start][-40:])
    objectless = not heads_at and not generic and not _OBJECT.search(text[body.start : body.start + 60])
    return noun and bool(objectless or (direct and direct.start() < begins))


def _narrow(text: str, near: Span) -> Span | None:
    """The cause that an exclusion is confined to, unless performance at large is named before it."""
    cause = NARROW.search(text, near)
    if cause is None or BROAD.found(text, Span(near.start, cause.start())):
        return None
    return span_of(cause)


def _phrase(text: str, span: Span) -> Span:
    """``span`` drawn out to the noun it belongs to ("indirect" to "indirect or consequential damages")."""
    noun = _NOUN.match(text, span.start)
    return Span(span.start, max(span.end, noun.end())) if noun else span


def _list(text: str, body: Span) -> Span:
    start = body.start
    turn = _TURN.search(text, Span(min(body.start + 4, body.end), body.end))
    # "liable to the other, in contract or tort, for …": the turn stands before the list.
    while turn and turn.start() - body.start < 400 and not heads_named(text, Span(start, turn.start())):
        nxt = re.compile(r"\b(?:for|from)\b").search(text, turn.end(), body.end)
        if not nxt:
            return body
        start = nxt.start()
        turn = _TURN.search(text, Span(nxt.end(), body.end))
    return Span(start, turn.start() if turn else body.end)


def heads_named(text: str, span: Span) -> bool:
    """Whether ``span`` names any loss at all."""
    return any(p.found(text, span) for p in (INDIRECT, PROFITS, DIRECT, ANY_LOSS, ALL_KINDS, COVER, OUTLAY))


def _outside_brackets(text: str, span: Span) -> str:
    """``text`` with brackets that only illustrate ("(including …)") blanked within ``span``."""
    inside = re.sub(
        r"\((?:including|inclusive|such as|e\.g|for example|without|which|however)[^()]*\)",
        lambda m: " " * len(m[0]),
        text[span.start : span.end],
    )
    return text[: span.start] + inside + text[span.end :]


def _generic(text: str, extent: Span) -> Span | None:
    """ "any damages", "any loss": said of loss as such, not "any indirect damages"."""
    for match in ANY_LOSS.all(text, extent):
        following = text[match.end() : match.end() + 90]
        # "any loss, …, other than" or "any other damages, including special" still reach all loss;
        # "any losses or damages that are consequential" does not.
        if re.match(r"\s*(?:or \w+ )?(?:that|which) (?:is|are|constitute)", following):
            continue
        if OF_LOST.match(following) or OF_INDIRECT.match(text, match.end()):
            continue
        return span_of(match)
    match = ALL_KINDS.search(text, extent)
    if match and not INDIRECT.search(text, Span(extent.start, match.start())):
        return span_of(match)
    return None
