"""Who is bound: both sides, or one party that the clause names.

Convention: a *subject* is the stretch of a clause that says whose liability is spoken of. It is
mutual where it says so ("either party", "each of A and B"), where the words after it do ("liable to
the other"), or where it names nobody.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from pipeline.standard.grammar import MASK, Pattern, span_of
from pipeline.standard.text import Span


class Side(StrEnum):
    BOTH = "both"
    ONE = "one"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Bound:
    """``name`` is the party that is named where ``side`` is ONE, in lower case; ``span`` what was read."""

    side: Side
    span: Span
    name: str = ""


MUTUAL = Pattern(
    "mutual party",
    r"\b(?:neither|either|each|no|any|both|all|one|a|the|that|such|other|another|every|first|breaching|non-?breaching|defaulting"
    r"|non-?defaulting|terminating|indemnifying|indemnified|infringing|liable|responsible|disclosing|receiving)"
    r"(?: of)?(?: the)?(?: such| respective| other)? (?<!third )part(?:y|ies)\b(?! claiming)"
    r"|\b(?:you|we|us) (?:and|nor|or) (?:you|we|us)\b|\bmutually?\b|\bindemnit(?:or|ee)\b|\beach of us\b|\bone another\b|\beach other\b"
    r"|^parties\b|\b(?:them each|each|both|they)\s*$",
)
RECIPROCAL = Pattern(
    "liable to the other",
    r"\bto (?:the other\b(?! reseller)|each other|one another|another party|the others\b|other party\b|either party)"
    r"|\b(?:against|from|by) (?:the other(?! entit| person)|each other|one another)\b",
)
EACH_OF = Pattern(
    "each of two", r"\beach of (?!its|their|the following)[^;,]{1,60}? and |\bboth (?!of its|its)[^;,]{2,40}? and "
)
POSSESSOR = Pattern(
    "possessor",
    r"(?P<name>(?:[a-z0-9&.\-]+ ){0,3}[a-z0-9&.\-]+(?:'s?,?|s',?|s(?= (?:sole|exclusive|entire|maximum|total) ))|\b(?:your|our|my)) (?:\([^)]{1,60}\) )?(?:and (?:its|their) affiliates'? )?"
    r"(?:(?:sole|entire|total|aggregate|cumulative|maximum|exclusive|overall|full|only|liability|collective|combined|monetary|financial"
    r"|and|or|indemnification|indemnity|contractual|respective|joint|direct|potential|whole|exclusive)[ ,]+){0,6}"
    r"(?:liab|obligation|responsibilit|remed|damages|indemn|exposure|recovery|recourse|liable)",
)
OWNED_BY = Pattern(
    "liability of",
    r"(?:liabilit(?:y|ies)|obligations?|responsibilit(?:y|ies)|remed(?:y|ies)|damages|recovery)(?: and (?:obligations?|liabilit(?:y|ies)))?"
    r"(?:(?<=liability) (?:per|for) \w+)? (?:of|incurred by|on the part of) (?P<name>(?:the )?(?!any kind|warrant|agreement|section|parag|clause|breach|this|any nature|such|whatever|every)[a-z0-9&.'\- ]{2,60}?)"
    r"(?= (?:to|for|under|with|in|arising|hereunder|will|shall|is|and|from|or|resulting|whether|related)\b|[,;(]|$)",
)
_GENERIC = re.compile(
    r"^(?:(?:any|all|each|either|other|its|their|his|the|of|respective|our|your|authorized|third[- ]party|and|or|affiliated) )*"
    r"(?:affiliates?|subsidiar(?:y|ies)|parents?|officers?|directors?|employees?|agents?|suppliers|licensors|licensees|sub-?licensees|members?"
    r"|contractors|sub-?contractors|representatives?|shareholders?|stockholders?|successors?|assigns?|personnel|managers?|trustees?|partners"
    r"|service providers|vendors|consultants|advisors|inventors|attorneys|insurers|distributors|customers|companies|entit(?:y|ies)|person"
    r"|principals?|owners|control(?:ling)? persons?|members? of[^,]*|information providers|sponsors|heirs|predecessors|staff|servants|volunteers)\b"
)
_EDGE = re.compile(
    r"^(?:(?:and|or|that|the|any|also|further|however|notwithstanding|agrees|hereby|in|to|by|of|for|all|if) )+|[ ,(]+$"
)
_VERB = re.compile(r"\b(?:hereby|agrees?|shall|will|does|do|to|acknowledges?)\b.*$")
LIABLE_TO = Pattern(
    "liable to a named party",
    rf"^[^;{MASK}]{{0,60}}?\bto (?P<name>(?!the other|each other|one another|any other|another|be\b)[a-z][^,.;(]{{1,50}})",
)
LIABLE_SUBJECT = Pattern(
    "liable subject",
    r"(?P<name>(?:the |no )?(?!it |this |such |that |there )[a-z0-9&.\- ()]{2,60}?)(?: shall| will| is| are| be)(?: not| in no event| only| solely)?(?: be)?(?: held| only| solely)?"
    r" (?:liable|responsible|required|obligated)\b"
    r"|\b(?:shall|will) (?P<inner>(?:the |an? )?(?!not |it |this |such |that |there )[a-z0-9&.\- ]{2,40}?) be (?:held )?(?:liable|responsible|required|obligated)\b",
)
NEUTRAL = Pattern(
    "neutral body",
    r"\b(?:arbitrat\w+|tribunal|court|panel|award|mediator|judge|indemnit(?:y|ies)|indemnification|agreement|section [\\d.]+|damages|recovery)s?$",
)
CLAIMS_OF = Pattern(
    "claims of one party",
    r"\b(?:claims?|losses|damages) (?:\w+ )?(?:of|by|from) (?:the )?(?!any|such|every|each|either|third|way|reason)(?P<name>[a-z0-9&.\-]+)",
)
CLAIM_OF = Pattern(
    "claim of one party",
    r"\b(?:brought|commenced|instituted|filed|asserted|made|maintained) by (?:the )?(?!either|any party|a party|both|any of the part|one party|each|the part|party)(?P<by>[a-z0-9&.\- ]{2,40})"
    r"|\b(?:claims?|actions?) (?:by|of|from) (?:the )?(?!either|any\b|the|every|a party|third|action)(?P<of>[a-z0-9&.\-]+)|\bagainst (?:the )?(?!the other|each other|either|any party|a party|party|other)(?P<against>[a-z0-9&.\-]+)"
    r"|\b(?P<may>[a-z0-9&.\-]+) may have against|^(?P<subject>[a-z0-9&.\- ]{2,40}) (?:will|shall|may) not (?:accept|bring|be liable)|\bunless (?:the )?(?P<notified>[a-z]+) receives"
    r"|\b(?:filed|lodged|made|submitted) (?:with|to) (?:the )?(?!court|arbitrat|american|other)(?P<with>[a-z0-9&.\-]+)",
)
#: "A Participant … to any other Participant": every member of a class alike.
_CLASS = re.compile(r"^(?:an?|any|each|no|every) [a-z-]+$")
#: Words that stand before a party's name and are no part of it.
_BEFORE_NAME = re.compile(
    r"^.*\b(?:shall|will|event|that|and|or|nor|in|no|to|agrees?|circumstances?|case|any|of|for|by|hereunder|if|however|foregoing|above|contrary|therefore|herein|hereof|neither|be|is|are)\b[ ,]*(?=\S)"
)
_TAIL = re.compile(r"(?:\bthat\b|\((?![a-z0-9]{1,4}\))|[:;]|, ?(?!(?:and|or|nor)\b)|\b(?:therefore|accordingly|hereunder|except)\b) *")


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
    mutual = [m for m in MUTUAL.all(text, subject)]
    cut = subject.start
    for match in _TAIL.finditer(text, subject.start, subject.end):
        rest = text[match.end() : subject.end]
        if rest.strip() and not re.match(r"(?:and|or|nor)\b|[a-z0-9]{1,3}\)$", rest.strip()):
            cut = match.end()
    if mutual and mutual[-1].start() < cut and re.match(r"\s*(?:its|their|nor|and|or)\b", text[cut : subject.end]):
        cut = mutual[-1].start()
    return Span(cut, subject.end)


def _name(text: str, span: Span) -> Span:
    """``span`` without the words before the name, ended at a word's end."""
    lead = _BEFORE_NAME.match(text[span.start : span.end])
    start = span.start + (lead.end() if lead else 0)
    end = span.end
    while end < len(text) and text[end].isalpha():
        end += 1
    return Span(start, end)


def bound(text: str, subject: Span, after: Span) -> Bound:
    """Who ``subject`` binds; ``after`` holds the words that follow ("liable to the other")."""
    mutual = MUTUAL.search(text, subject) or EACH_OF.search(text, subject)
    if mutual:
        return Bound(Side.BOTH, span_of(mutual))
    words = text[subject.start : subject.end].replace(MASK, " ").strip(" ,")
    near = Span(after.start, min(after.end, after.start + 90))
    wide = Span(subject.end, near.end)
    to_named = LIABLE_TO.search(text[near.start : near.end])
    reciprocal = RECIPROCAL.search(text, wide)
    if reciprocal and not (to_named and near.start + to_named.start("name") < reciprocal.start()):
        return Bound(Side.BOTH, span_of(reciprocal))
    if not words or NEUTRAL.search(words):
        return Bound(Side.NOBODY, subject)
    if _CLASS.match(words) and re.search(rf"\bother {re.escape(words.split()[-1])}", text[near.start : near.end]):
        return Bound(Side.BOTH, subject)
    named = names_in(re.sub(r"^.*?\b(?:neither|none of)\b", "", words))
    distinct = [n for i, n in enumerate(named) if not any(same_party(n, other) for other in named[:i])]
    if len(distinct) >= 2 and not to_named:
        return Bound(Side.BOTH, subject)
    return Bound(Side.ONE, subject, named[0] if named else words)


def same_party(one: str, other: str) -> bool:
    """Whether two names are of one party: the same, or one part of the other."""
    a, b = (re.sub(r"(?:'s\b|'|\bthe\b|[^a-z0-9 ])", "", name).strip() for name in (one, other))
    return not a or not b or a in b or b in a


def owners(text: str, window: Span) -> list[re.Match[str]]:
    """The owners of a liability in ``window``: "Supplier's total liability", "liability of Agent"."""
    found = [*POSSESSOR.all(text, window), *OWNED_BY.all(text, window)]
    found = [m for m in found if not re.match(r"(?:the )?(?:third|its|their|day)\b", m["name"])]
    return sorted(found, key=lambda match: match.start())


def cap_bound(text: str, subject: Span, trigger: Span) -> Bound:
    """Who a cap protects: the owner of the liability that is capped."""
    window = Span(subject.start, max(subject.start, trigger.end))
    owned = owners(text, window)
    for match in owned:
        mutual = MUTUAL.search(text, _name(text, span_of(match))) or MUTUAL.search(match.group())
        if mutual:
            return Bound(Side.BOTH, _name(text, span_of(match)))
    if owned:
        whole = EACH_OF.search(text, window) or RECIPROCAL.search(text, window)
        if whole:
            return Bound(Side.BOTH, span_of(whole))
        names = [_owner(text, m) for m in owned if re.search(r"liab|oblig|respons", m.group().replace(m["name"], ""))]
        if len(names) >= 2 and not same_party(names[0], names[1]):
            return Bound(Side.BOTH, Span(owned[0].start(), owned[1].end()))
        return Bound(Side.ONE, _name(text, span_of(owned[0])), _owner(text, owned[0]))
    said = MUTUAL.search(text, window) or RECIPROCAL.search(text, window) or EACH_OF.search(text, window)
    if said:
        return Bound(Side.BOTH, span_of(said))
    liable = LIABLE_SUBJECT.search(text, window)
    if liable:
        name = _name(text, span_of(liable, "name" if liable["name"] else "inner"))
        return Bound(Side.ONE, name, text[name.start : name.end])
    claims = CLAIMS_OF.search(text, window)
    if claims:
        return Bound(Side.ONE, span_of(claims), claims["name"])
    return Bound(Side.NOBODY, trigger)


def _owner(text: str, match: re.Match[str]) -> str:
    name = _name(text, span_of(match, "name"))
    return re.sub(r"^the |'s?$", "", text[name.start : name.end])


def claimant(text: str, sentence: Span) -> Bound:
    """Whose claims a time bar cuts off: one named party's, or everybody's."""
    one = CLAIM_OF.search(text, sentence)
    mutual = MUTUAL.search(text, sentence)
    if mutual and not (one and one.start() < mutual.start()):
        return Bound(Side.BOTH, span_of(mutual))
    if one:
        name = next(value for value in one.groupdict().values() if value)
        return Bound(Side.ONE, span_of(one), name.strip())
    return Bound(Side.NOBODY, sentence)


AT_OPTION = Pattern(
    "at its option",
    r"\bat (?:the )?(?P<name>[a-z0-9&.\-]+(?: [a-z0-9&.\-]+)?)(?:'s|s') (?:sole |own )?(?:option|expense|discretion|election|cost)\b",
)
AGREES = Pattern(
    "one party agrees",
    r"^(?:the )?(?P<name>[a-z0-9&.,\- ]{2,40}?) (?:hereby )?(?:acknowledges?(?: and agrees?)?|agrees?) that\b",
)


def remedy_bound(text: str, sentence: Span, trigger: Span) -> Bound:
    """Whose remedy or liability a sole-remedy clause narrows."""
    near = Span(sentence.start, trigger.end)
    for match in owners(text, sentence):
        if match.end() >= trigger.start:
            mutual = MUTUAL.search(match.group())
            return Bound(Side.BOTH if mutual else Side.ONE, _name(text, span_of(match)), _owner(text, match))
    liable = LIABLE_SUBJECT.search(text, Span(tail(text, Span(sentence.start, trigger.start)).start, trigger.end))
    mutual = MUTUAL.search(text, sentence)
    if liable and not MUTUAL.search(liable["name"] or liable["inner"]):
        name = _name(text, span_of(liable, "name" if liable["name"] else "inner"))
        return Bound(Side.ONE, name, text[name.start : name.end])
    if mutual:
        return Bound(Side.BOTH, span_of(mutual))
    option = AT_OPTION.search(text, sentence)
    if option and not MUTUAL.search(option["name"]):
        return Bound(Side.ONE, span_of(option), option["name"])
    agrees = AGREES.search(text[sentence.start : sentence.end])
    if agrees:
        start = sentence.start + agrees.start("name")
        return Bound(Side.ONE, Span(start, start + len(agrees["name"])), agrees["name"])
    owned = owners(text, near)
    if owned:
        return Bound(Side.ONE, _name(text, span_of(owned[0])), _owner(text, owned[0]))
    return Bound(Side.NOBODY, sentence)
