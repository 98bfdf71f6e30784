"""Exceptions: what a source excepts, what a claim says is excepted, and that nothing is."""

from __future__ import annotations

import re

from pipeline.grounding.lexical.words import any_of, fold

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
_NONE = any_of(
    r"(?:no|without(?: any)?|not (?:a|one|any)(?: single)?|knows? no|has no|makes? no|never any) (?:exceptions?"
    r"|carve-?outs?)",
    r"(?:no|without) (?:\w+ )?exception",
    r"in every case",
    r"in all (?:cases|circumstances)",
    r"under (?:any|all) circumstances?",
    r"unconditional(?:ly)?",
    r"absolute(?:ly)?",
    r"nothing is excepted",
    r"always",
    r"invariably",
    r"exceptionless",
    r"at all times",
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
    r"[.;](?= |$)|(?:,|\)|\]) (?=(?:in no event|under no|neither|each party|either party|no party|the (?:total"
    r"|aggregate|maximum"
    r"|entire)|notwithstanding|in no case)\b|[\w&.' -]{1,40}? (?:shall|will|may|is|are)\b|(?:either|each"
    r"|a) party's\b)"
)
#: What a claim says when it says that something is caught as well.
_CAUGHT = re.compile(
    r"\b(?:reach(?:es)?|covers?|appl(?:y|ies) to|extends? to|catch(?:es)?|includes?|limits? liability for|excludes?)"
    r" (?P<subject>[^.;:,]+?)(?: as well| too| also|, like|[.;:,]|$)"
)
#: Where the main clause goes on after an exception that came first.
_MAIN = re.compile(r", (?=[^,]*\b(?:shall|will|is|are|may|must|falls|can|waives?|exceeds?|has|have)\b)")


def names_none(text: str) -> bool:
    """Whether a claim says that there is no exception, or that something holds in every case."""
    return bool(_NONE.search(fold(text)))


def has_some(text: str, widely: bool = False) -> bool:
    """Whether a source makes an exception; ``widely``: or has words that may open one."""
    plain = fold(text)
    return bool((_LEAD if widely else _OPENS).search(plain))


def subjects(text: str) -> list[str]:
    """What a sentence says is excepted, phrase by phrase."""
    return [_MAIN.split(match["subject"], maxsplit=1)[0] for match in _SUBJECT.finditer(fold(text))]


def caught(text: str) -> list[str]:
    """What a claim says is within a limit or exclusion, phrase by phrase."""
    return [match["subject"] for match in _CAUGHT.finditer(fold(text))]


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


def around(quotes: list[str], source: str) -> str:
    """The sentences of the source that the quotations stand in; the whole source without any."""
    plain = fold(source)
    parts = [
        part for part in re.split(r"(?<=[a-z\d)\]]{2}[.;]) ", plain) if any(fold(quote) in part for quote in quotes)
    ]
    return " ".join(parts) or plain
