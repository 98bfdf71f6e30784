"""Names: how a clause says who is meant, one party or both, and where a name begins and ends."""

from __future__ import annotations

import re

from pipeline.standard.grammar import MASK, Pattern, any_of, span_of
from pipeline.standard.text import Span

MUTUAL = Pattern(
    "mutual party",
    any_of(
        (
            r"\b(?:neither|either|each|no|any|both|all|one|a|the|that|such|other|another|every|first|injured|aggrieved|affected|innocent|breaching"
            r"|non-?breaching|defaulting|non-?defaulting|terminating|indemnifying|indemnified|infringing|liable"
            r"|responsible|disclosing|receiving)(?: of)?(?: the)?(?: such| respective| other)? (?<!third )part(?:y"
            r"|ies)\b(?! claiming)"
        ),
        r"\b(?:you|we|us) (?:and|nor|or) (?:you|we|us)\b",
        r"\bmutually?\b",
        r"\bindemnit(?:or|ee)\b",
        r"\beach of us\b",
        r"\bone another\b",
        r"\beach other\b",
        r"^parties\b",
        r"\b(?:them each|each|both|they)\s*$",
    ),
)
RECIPROCAL = Pattern(
    "liable to the other",
    any_of(
        (
            r"\bto (?:the other\b(?! reseller)|each other|one another|another party|the others\b|other party\b"
            r"|either party)"
        ),
        r"\b(?:against|from|by) (?:the other(?! entit| person)|each other|one another)\b",
    ),
)
EACH_OF = Pattern(
    "each of two", r"\beach of (?!its|their|the following)[^;,]{1,60}? and |\bboth (?!of its|its)[^;,]{2,40}? and "
)
#: "the liability of A to B, and of B to A"
MIRRORED = Pattern(
    "each to the other",
    r"\b(?:of|by) (?P<a>[^,;]{2,40}?) to (?P<b>[^,;]{2,40}?),? and (?:that )?(?:of|by) (?P=b) to (?P=a)\b",
)
#: "the liability of A or B": the second of two owners.
SECOND_OWNER = Pattern(
    "second owner",
    r"^,? (?:or|and|nor) (?:of )?(?P<name>(?:the )?(?!its|their|any|all|each)[a-z0-9&.\-]+(?: [a-z0-9&.\-]+){0,3}?)"
    r"(?= (?:under|with|in|arising|hereunder|will|shall|is|from|resulting|for)\b|[,;.(]|$)",
)
RECOVERS = Pattern(
    "amount one may recover",
    r"\b(?:sum|amount)s? (?:that |which )?(?P<name>(?:the )?(?!may|it|be\b)[a-z0-9&.\- ]{2,40}?) "
    r"(?:may|can|shall) recover\b",
)
POSSESSOR = Pattern(
    "possessor",
    r"(?P<name>(?:[a-z0-9&.\-]+ ){0,3}[a-z0-9&.\-]+(?:'s?,?|s',?|s(?= (?:sole|exclusive|entire|maximum"
    r"|total) ))|\b(?:your|our|my)) (?:\([^)]{1,60}\) )?(?:and (?:its|their) affiliates'? )?(?:(?:sole"
    r"|entire|total|aggregate|cumulative|maximum|exclusive|overall|full|only|liability|collective"
    r"|combined|monetary|financial|and|or|indemnification|indemnity|contractual|respective|joint|direct"
    r"|potential|whole|exclusive)[ ,]+){0,6}(?:liab|obligation|responsibilit|remed|damages|indemn"
    r"|exposure|recovery|recourse|liable|rights? against|dut(?:y|ies) to indemn)",
)
OWNED_BY = Pattern(
    "liability of",
    r"(?:liabilit(?:y|ies)|obligations?|responsibilit(?:y|ies)|remed(?:y|ies)|damages|recovery)(?: and "
    r"(?:obligations?|liabilit(?:y|ies)))?(?:(?<=liability) (?:per|for) \w+)? (?:of|incurred by"
    r"|on the part of) (?P<name>(?:the )?(?!any kind|warrant|agreement|section|parag|clause|breach|this"
    r"|any nature|such|whatever|every)[a-z0-9&.'\- ]{2,60}?)(?= (?:to|for|under|with|in|arising"
    r"|hereunder|will|shall|is|and|from|or|resulting|whether|related)\b|[,;(]|$)",
)
_GENERIC = re.compile(
    r"^(?:(?:any|all|each|either|other|its|their|his|the|of|respective|our|your|authorized|third[- ]party|and|or"
    r"|affiliated) )*"
    r"(?:affiliates?|subsidiar(?:y|ies)|parents?|officers?|directors?|employees?|agents?|suppliers|licensors"
    r"|licensees|sub-?licensees|members?"
    r"|contractors|sub-?contractors|representatives?|shareholders?|stockholders?|successors?|assigns?|personnel"
    r"|managers?|trustees?|partners"
    r"|service providers|vendors|consultants|advisors|inventors|attorneys|insurers|distributors|customers"
    r"|companies|entit(?:y|ies)|person"
    r"|principals?|owners|control(?:ling)? persons?|members? of[^,]*|information providers|sponsors|heirs"
    r"|predecessors|staff|servants|volunteers)\b"
)
_EDGE = re.compile(
    r"^(?:(?:and|or|that|the|any|also|further|however|notwithstanding|agrees|hereby|in|to|by|of|for|all|if) )+"
    r"|[ ,(]+$"
)
_VERB = re.compile(r"\b(?:hereby|agrees?|shall|will|does|do|to|acknowledges?)\b.*$")
_PRONOUNS = {"we": "us", "us": "us", "our": "us", "you": "you", "your": "you"}
PAYABLE_BY = Pattern(
    "payable by",
    r"\b(?:compensation|damages|amounts?|sums?|payments?) (?:payable|paid|due|owed) by (?:the )?"
    r"(?!either|any|each|a party|one)(?P<name>[a-z0-9&.\-]+)",
)
LIABLE_TO = Pattern(
    "liable to a named party",
    rf"^[^;{MASK}]{{0,60}}?\bto (?P<name>(?!the other|each other|one another|any other|another"
    r"|be\b)[a-z][^,.;(]{1,50})",
)
LIABLE_SUBJECT = Pattern(
    "liable subject",
    any_of(
        (
            r"(?P<name>(?:the |no )?(?!it |this |such |that |there )[a-z0-9&.\- ()]{2,60}?)(?: shall| will| is| are"
            r"| be)(?: not| in no event| only| solely)?(?: be| remain)?(?: held| only| solely| fully| wholly)? "
            r"(?:liable|responsible|required|obligated|obliged)\b"
        ),
        (
            r"\b(?:shall|will) (?P<inner>(?:the |an? )?(?!not |it |this |such |that |there )[a-z0-9&.\- ]{2,40}?) be "
            r"(?:held )?(?:liable|responsible|required|obligated|obliged)\b"
        ),
    ),
)
#: Words that stand before a party's name and are no part of it.
_BEFORE_NAME = re.compile(
    r"^.*\b(?:shall|will|event|that|and|or|nor|in|no|to|agrees?|circumstances?|case|any|of|for|by|hereunder|if"
    r"|however|foregoing|above|contrary|therefore|herein|hereof|neither|be|is|are)\b[ ,]*(?=\S)"
)
_TAIL = re.compile(
    r"(?:\bthat\b|\((?![a-z0-9]{1,4}\))|[:;]|, ?(?!(?:and|or|nor)\b)|\b(?:therefore|accordingly|hereunder|except)\b) *"
)


def names_in(text: str) -> list[str]:
    """The parties that a list names, the generic ones (affiliates, officers, suppliers) left out."""
    text = re.sub(r"\([^)]*\)?", " ", text)
    text = re.sub(r"\b(?:any (?:other )?|the )?members? of (?:the )?", "", text)
    parts = re.split(r",? (?:and/or|and|or|nor) |,|;", text)
    owned = next(
        (i for i, part in enumerate(parts) if i and re.match(r" ?(?:any (?:of )?)?(?:its|their)\b", part)), None
    )
    names = [_VERB.sub("", _EDGE.sub("", part.strip())).strip() for part in parts[:owned]]
    return [n for n in names if len(n) > 1 and not _GENERIC.match(n) and not n.startswith(("its ", "their "))]


def tail(text: str, subject: Span) -> Span:
    """The last noun phrase of ``subject``: what stands before it ("In addition, …") speaks of other
    things, but a list ("A, B and C") stays whole."""
    mutual = list(MUTUAL.all(text, subject))
    cut = subject.start
    for match in _TAIL.finditer(text, subject.start, subject.end):
        rest = text[match.end() : subject.end]
        if rest.strip() and not re.match(r"(?:and|or|nor)\b|[a-z0-9]{1,3}\)$", rest.strip()):
            cut = match.end()
    if mutual and mutual[-1].start() < cut and re.match(r"\s*(?:its|their|nor|and|or)\b", text[cut : subject.end]):
        cut = mutual[-1].start()
    return Span(cut, subject.end)


def name_at(text: str, span: Span) -> Span:
    """``span`` without the words before the name, ended at a word's end."""
    lead = _BEFORE_NAME.match(text[span.start : span.end])
    start = span.start + (lead.end() if lead else 0)
    end = span.end
    while end < len(text) and text[end].isalpha():
        end += 1
    return Span(start, end)


def same_party(one: str, other: str) -> bool:
    """Whether two names are of one party: the same, or one part of the other."""
    a, b = (re.sub(r"(?:'s\b|'|\bthe\b|[^a-z0-9 ])", "", name).strip() for name in (one, other))
    if a in _PRONOUNS and b in _PRONOUNS:
        return _PRONOUNS[a] == _PRONOUNS[b]
    return not a or not b or a in b or b in a


def owners(text: str, window: Span) -> list[re.Match[str]]:
    """The owners of a liability in ``window``: "Supplier's total liability", "liability of Agent"."""
    found = [*POSSESSOR.all(text, window), *OWNED_BY.all(text, window)]
    found = [m for m in found if not re.match(r"(?:the )?(?:third|its|their|day)\b", m["name"])]
    return sorted(found, key=lambda match: match.start())


def second_owner(text: str, match: re.Match[str], end: int) -> Span | None:
    """The party that shares the liability of ``match`` ("the liability of A or B")."""
    other = SECOND_OWNER.search(text[match.end() : end])
    if not other or _GENERIC.match(other["name"]):
        return None
    return Span(match.end() + other.start("name"), match.end() + other.end("name"))


def owner_of(text: str, match: re.Match[str]) -> str:
    name = name_at(text, span_of(match, "name"))
    return re.sub(r"^the |'s?$", "", text[name.start : name.end])
