"""Exceptions: what a source excepts, what a claim says is excepted, and that nothing is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from pipeline.grounding.lexical.words import KEPT, any_of, fold

#: What opens an exception in a contract.
_LEAD = any_of(
    r"except(?:ing|ed)?",
    r"exceptions?",
    r"other than",
    r"excluding",
    r"unless",
    r"save (?:for|as|that|in|the|and except)",
    r"but for",
    r"(?:shall|will|do|does|is|are) not (?:apply|applicable|limit|exclude|affect|restrict|extend|be construed)",
    r"inapplicable",
    r"without (?:affecting|prejudice|limiting)",
    r"nothing (?:in|contained)",
    r"with the exception",
    r"provided,? (?:however|that)",
    r"notwithstanding",
    r"carve[ds]?[- ]?outs?",
    r"to the extent",
    r"subject to",
    r"outside",
)
#: Of these, what is followed by the subjects themselves and nothing else.
_OPENS = any_of(
    r"except(?:ing|ed)?",
    r"other than",
    r"excluding(?!(?: the)? reimburs\w*| tax\w*| vat| cost\w*| expens\w*| interest)",
    r"unless caused by",
    r"but for",
    r"save (?:for|as|in|the)",
    r"(?:shall|will|do|does|is|are) not (?:apply|applicable)(?: to| in)?",
    r"without affecting",
    r"nothing in this",
    r"with the exception of",
)
_EXCEPTION = (
    r"(?:except\w*|carv\w+|exempt\w*|reservations?|qualifications?|provisos?|outs?|escapes?|left out"
    r"|falls? outside)"
)
_NOTHING = (
    r"(?:no|not|none|nothing|nobody|never|without|free (?:of|from)|lacks?|lacking|devoid of|absent|zero"
    r"|hardly)"
)
_NONE = any_of(
    rf"{_NOTHING}(?: \w+){{0,4}} {_EXCEPTION}",
    r"exceptions?(?: \w+){0,4} (?:not|none|nowhere|absent|missing|lacking)",
    r"(?:in|under|for) (?:all|every|each)(?: and every)?(?: possible| conceivable)? (?:case|circumstance|event)s?",
    r"(?:in|under|for) (?:all|every|each)(?: and every)?(?: possible| conceivable)? (?:situation|instance)s?",
    r"(?:in|under) any circumstances?",
    r"(?:whatever|no matter) (?:the|what|how|why|happens)(?: \w+)?",
    r"un(?:conditional|qualified|exceptional|restricted|reserved)(?:ly)?",
    r"absolute(?:ly)?",
    r"categorical(?:ly)?",
    r"across the board",
    r"always|invariably|universally|uniformly|at all times|exceptionless",
    r"applies to everything",
)
#: What a claim says is excepted: the words after the lead, up to the end of the phrase.
_SUBJECT = re.compile(
    r"\b(?:exceptions? (?:is made |are made |is |are |made )?(?:for|of|as to|covering|concerning)|except(?:ing"
    r"|ed)?(?: are| is)?"
    r"(?: for| in cases? of| as to| with respect to| with regard to| matters? of| where)?|excepted are"
    r"|carve-?outs? (?:for|of|covering)"
    r"|carve[sd]? out|other than(?: for)?|excluding|save for|with the exception of|unless(?: caused by)?|but for"
    r"|(?:does|do|shall|will) not apply to)(?: matters of| claims for| cases of)? (?P<subject>[^.;:]+)"
)
#: Where the words of an exception end in a source.
_STOP = re.compile(
    r"[.;](?= |$)|(?:,|\)|\]) (?=(?:in no event|under no|neither|each party|either party|no party|notwithstanding"
    r"|in no case"
    r"|the (?:total|aggregate|maximum|entire))\b"
    r"|[\w&.' -]{1,40}? (?:shall|will|may|is|are)\b"
    r"|(?:either|each|a) party's (?:total|aggregate|maximum|entire|cumulative|liability)\b)"
)
#: What a claim says when it says that something is caught as well.
_CAUGHT = re.compile(
    r"\b(?:even|including|not excepting|and also) (?P<also>[^.;:,]+?) (?:is|are|falls?|comes?|counts?)\b[^.;]*"
    r"(?:within|under|covered|caught|included|excluded|limited|capped|subject|barred)"
    r"|^(?:the )?(?P<first>[\w' -]{3,60}?) (?:is|are|falls?|comes?)(?: \w+){0,2} (?:within|under|covered|caught"
    r"|included|limited|capped"
    r"|subject|no exception|not excepted|not exempt\w*)\b"
    r"|\b(?:reach(?:es)?|covers?|appl(?:y|ies) to|extends? to|catch(?:es)?|includes?|limits? liability for"
    r"|excludes?|extends? even to|embraces?|takes? in|encompass(?:es)?)"
    r" (?P<subject>[^.;:,]+?)(?: as well| too| also|, like|[.;:,]|$)"
)
_DENIED = re.compile(r"(?:\bnot|\bnever|n't)(?: \w+)? $")
_IDIOM = re.compile(r"\bby virtue of\b|\bon behalf of\b|\bpursuant to\b|\bin accordance with\b|\baccording to\b")
_SENTENCE = re.compile(r"(?<=[a-z\d)\]]{2}[.;]) ")
#: Where the main clause goes on after an exception that came first.
_MAIN = re.compile(r", (?=[^,]*\b(?:shall|will|is|are|may|must|falls|can|waives?|exceeds?|has|have)\b)")


def names_none(text: str) -> bool:
    """Whether a claim says that there is no exception, or that something holds in every case; that no
    exception is made *for* something is about that thing."""
    return bool(_NONE.search(fold(text)))


@lru_cache(KEPT)
def has_some(text: str, widely: bool = False) -> bool:
    """Whether a source makes an exception; ``widely``: or has words that may open one."""
    plain = fold(text)
    return bool((_LEAD if widely else _OPENS).search(plain))


@lru_cache(KEPT)
def subjects(text: str) -> tuple[str, ...]:
    """What a sentence says is excepted, phrase by phrase."""
    plain = fold(text)
    said = [match["subject"] for match in _SUBJECT.finditer(plain)]
    said += [_caught(match) for match in _CAUGHT.finditer(plain) if _denied(plain, match)]
    return tuple(_MAIN.split(_IDIOM.sub(" ", subject), maxsplit=1)[0] for subject in said)


def _caught(match: re.Match[str]) -> str:
    return match["subject"] or match["also"] or match["first"]


def _denied(plain: str, match: re.Match[str]) -> bool:
    return bool(_DENIED.search(plain[max(0, match.start() - 24) : match.start()]))


def caught(text: str) -> list[str]:
    """What a claim says is within a limit or exclusion, phrase by phrase."""
    plain = fold(text)
    return [_caught(match) for match in _CAUGHT.finditer(plain) if not _denied(plain, match)]


@lru_cache(KEPT)
def without_exceptions(source: str) -> str:
    """The source with the words of its exceptions cut out."""
    plain = fold(source)
    kept, cursor = [], 0
    for lead in _OPENS.finditer(plain):
        if lead.start() < cursor:
            continue
        stop = _STOP.search(plain, lead.end())
        kept.append(plain[cursor : lead.start()])
        cursor = stop.start() if stop else len(plain)
    return " ".join([*kept, plain[cursor:]])


@lru_cache(KEPT)
def from_first(source: str) -> str:
    """The source from the sentence on in which the first words stand that may open an exception."""
    plain = fold(source)
    lead = _LEAD.search(plain)
    starts = [0, *(match.end() for match in _SENTENCE.finditer(plain))]
    return plain[max(start for start in starts if start <= lead.start()) :] if lead else ""


def around(quotes: Sequence[str], source: str) -> str:
    """The sentences of the source that the quotations stand in; the whole source without any."""
    plain = fold(source)
    parts = [part for part in _SENTENCE.split(plain) if any(fold(quote) in part for quote in quotes)]
    return " ".join(parts) or plain


#: What a claim says when it says that something is treated like the rest.
_AS_WELL = any_of(
    r"too|as well|also|likewise|even|alike|included|inclusive",
    r"like (?:everything|all|any|the rest|every)(?: \w+)?",
    r"(?:the )?same (?:goes|holds|applies|is true)",
    r"no (?:special|different|other) (?:treatment|rule|regime)?",
    r"no (?:difference|privilege)|not (?:spared|exempt\w*|excepted|privileged|carved out)",
    r"comes? under|falls? under|subject to",
)


def says_as_well(text: str) -> bool:
    return bool(_AS_WELL.search(fold(text)))
