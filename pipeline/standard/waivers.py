"""Waivers: the verb phrases that exclude heads of loss, and the subject and object of each."""

from __future__ import annotations

import re
from dataclasses import replace

from pipeline.standard.acts import MOST_ACTS, Act, ActKind, subject_before
from pipeline.standard.grammar import MASK, Pattern, span_of
from pipeline.standard.heads import heads_named
from pipeline.standard.names import tail
from pipeline.standard.text import Span

_SUBJECT = rf"[^;:{MASK}]"
_AUX = r"(?:shall|will|should|may|can|must|would|does|do|is|are|be|has|have|had)"
_NOUN = r"(?:liabilit(?:y|ies)|responsibilit(?:y|ies)|obligations?)"
_LIABLE = (
    r"(?:(?:be |been )?(?:held |made |deemed )?(?:\w+ly |in any way |in any manner |in any event )?"
    r"(?:liable|responsible|answerable|accountable)\b"
    r"|(?:have|has|bear|incur|assume|accept|owe)s? (?:any|no) (?:further |other |such )?"
    rf"(?:obligations? (?:and|or) )?{_NOUN}\b)"
)
_NEVER = (
    r"(?:in no (?:event|case|way|circumstances?|instance)|under no (?:circumstances?|event|legal theory)"
    r"|at no time|nor(?= (?:shall|will)\b))\b"
)
_LOSS_AHEAD = r"(?=[^;]{0,200}?\b(?:damages?|compensation|loss(?:es)?|profits?)\b)"
_DIRECT_LOSS = r"(?:damages?|loss(?:es)?|costs?|expenses?)"

#: A claim cut off after a time, in one forum, on notice or against staff is not every claim.
_NOT_NARROWED = (
    r"(?![^;]{0,240}?\b(?:years?|months?|days?|after|later than|unless|until|officers?|directors?|employees?|agents?"
    r"|shareholders?|stockholders?|members?|affiliates?|assets|except|other than|third part(?:y|ies)|infring\w+)\b)"
)

#: In the order in which they are tried: of two that find the same verb the earlier one counts.
#: Where a pattern has no ``subject`` group, the subject is what stands before it.
WAIVERS = (
    Pattern(
        "none but direct",
        r"\s(?:(?:shall|will|do|does)\s)(?:not )?have (?:no |any )?liability (?:to \w+ )?"
        r"for any damages other than direct"
        r"|\s(?:(?:shall|will|do|does|is|are)\s)(?:not )?(?:be )?liable (?:to [^;,]{1,40}? )?for (?:any )?"
        r"(?:damages?|loss(?:es)?) (?:except|other than)(?: for)? direct (?:damages?|loss)",
    ),
    Pattern(
        "in no event liable",
        rf"\b{_NEVER}[^;:]{{0,140}}?\b(?:shall|will|should|may|can|does|is|are|must|would),?\s+"
        rf"(?P<subject>{_SUBJECT}{{1,420}}?)\s+(?:not )?{_LIABLE}",
    ),
    Pattern(
        "neither liable",
        r"(?P<subject>\b(?:neither|no party|none of|no (?:shareholder|member|officer|director|[a-z]+ party))"
        rf"{_SUBJECT}{{0,300}}?)\s(?:shall|will|is|are|be|has|have|shall be|may)\b[^;:]{{0,70}}?\b"
        rf"(?:{_LIABLE}|liable|responsible|any liabilit\w+|entitled to (?:recover|claim|receive)|recover|seek|award"
        r"|(?<=may )claim|(?<=shall )claim|(?<=can )claim"
        r"|(?:a|any) claims? against)\b",
    ),
    Pattern(
        "in no event recover",
        rf"\b{_NEVER}[^;:]{{0,80}}?\b(?:shall|will|may|can)\s(?P<subject>{_SUBJECT}{{1,160}}?)\s"
        rf"(?:recover|claim|seek|be entitled to)\b{_LOSS_AHEAD}",
    ),
    Pattern(
        "not liable",
        rf"\s(?:{_AUX}\s?)?(?:not|never|in no (?:event|way|case|circumstances?)|under no circumstances|no longer)\b"
        rf"(?:(?!\b(?:who|which|that)\b)[^;:]){{0,44}}?(?: {_AUX}(?: or be)?)?\s?{_LIABLE}",
    ),
    Pattern(
        "no liability",
        r"\s(?:(?:shall|will|does|do|hereby|expressly) ){0,2}"
        r"(?:have|has|assumes?|accepts?|bears?|incurs?|owes?|undertakes?|be under|is under|are under)\s"
        r"(?:absolutely )?no "
        rf"(?:further |other |such )?(?:{_NOUN}(?: (?:and|or|nor|whatsoever),? )?){{1,4}}",
    ),
    Pattern(
        "no liability attaches",
        r"\bno liabilit(?:y|ies)(?: of any (?:kind|nature|sort)| whatsoever)? (?:shall |will )?"
        r"(?:be imposed|rests?|attach(?:es)?|lies?|falls?) (?:with|to|upon|on|against) "
        rf"(?P<subject>{_SUBJECT}{{2,60}}?)(?= (?:in|for|under|by|as|arising|hereunder)\b|[,.]|$)",
    ),
    Pattern(
        "waives",
        r"\s(?:(?:shall|will|hereby|expressly|irrevocably|specifically|also|additionally|to|agrees?|unconditionally"
        r"|knowingly|voluntarily|does|do)[ ,]+){0,4}"
        r"(?:waives?|releases?|forgoe?s?|foregoe?s?|relinquish\w*|renounces?|gives? up)\b"
        r"(?=[^;]{0,260}?\b(?:damages?|liabilit\w+|loss(?:es)?|claims?)\b)",
    ),
    Pattern(
        "disclaims",
        r"\s(?:(?:shall|will|hereby|expressly|specifically|also|additionally|to|agrees?|does|do)[ ,]+){0,4}"
        r"disclaims?\b(?=[^;]{0,260}?\b(?:damages?|liabilit\w+|loss(?:es)?|claims?)\b)",
    ),
    Pattern(
        "liability excluded",
        r"\bliabilit(?:y|ies)(?: and/or \w+ obligations)?(?P<subject>[^;]{0,220}?) (?:is|are|shall be|will be)"
        r"(?: (?:hereby|wholly|totally|fully|entirely|completely|expressly))*:?(?: [a-z][.)])? "
        r"(?:excluded|disclaimed|precluded)\b",
    ),
    Pattern(
        "liability nil",
        r"\b(?:liabilit(?:y|ies)|exposure)\b(?P<subject>[^;,]{0,60}?) (?:is|are|shall be|will be)"
        r" (?:nil|none|zero|non-existent)(?=\W*(?:$|[.;]|in (?:all|any|every)|at all))",
    ),
    Pattern(
        "no claim against",
        r"\s(?:(?:shall|will|does) )?(?:(?:have|has)(?: absolutely)? no|not have any) (?:(?:other|further) )?"
        r"(?:claims?|recourse|remed(?:y|ies)|rights? of (?:action|recourse)|cause of action)"
        r"(?: (?:or|nor|and) (?:claims?|recourse|remed(?:y|ies)))?(?: (?:of any (?:kind|nature)|whatsoever))? against "
        r"(?!any (?:of|other|third|officer)|third|the other party's|either|each)" + _NOT_NARROWED,
    ),
    Pattern(
        "brings no claim against",
        r"\s(?:may|shall|will|can) (?:not|never) (?:bring|make|assert|pursue|raise|file|maintain) any "
        r"(?:claims?|suits?|actions?|proceedings?)(?: (?:of any (?:kind|nature)|whatsoever))? against "
        r"(?!any (?:of|other|third|officer)|third|either|each)" + _NOT_NARROWED,
    ),
    Pattern(
        "gives up suing",
        r"\s(?:(?:shall|will|hereby|expressly|irrevocably) ){0,3}(?:waives?|forgoe?s?|foregoe?s?|relinquish(?:es)?"
        r"|renounces?|gives? up) (?:any|all|every|its|the)(?: and all)? (?:right|rights) (?:to sue"
        r"|to (?:bring|make) (?:any )?(?:claims?|actions?|suits?) against) (?!the other|either|each|third)"
        + _NOT_NARROWED,
    ),
    Pattern(
        "released from liability",
        r"\s(?:(?:is|are|shall be|will be|be) )(?:hereby |fully |forever |wholly )*(?:released|exempt(?:ed)?|relieved"
        r"|discharged|freed?|absolved|immune|exonerated)(?: and discharged)? (?:from|of) "
        r"(?=(?:[a-z]+ ){0,5}?(?:liabilit(?:y|ies)|responsibilit|suits?\b|claims?\b))",
    ),
    Pattern(
        "damages excluded",
        r"\b(?:damages|loss(?:es)?)\b(?P<subject>[^;]{0,60}?) (?:is|are|shall be|will be)(?: hereby| expressly)? "
        r"(?:waived|excluded|disclaimed)\b(?: by [^;,.]{2,40})?",
    ),
    Pattern(
        "excludes liability",
        r"\s(?:(?:shall|will|does|do|expressly|specifically) ){0,3}exclud(?:e|es) (?:any |all )?"
        r"liabilit(?:y|ies)(?= for|(?: to [^,;.]{2,40}?)?(?:,? (?:whether|however|arising|under)\b|\s?[.;]|$))",
    ),
    Pattern(
        "not entitled to recover",
        r"\s(?:(?:shall|will|may|can|is|are|be|agrees?|to|hereby)\s?){0,3}(?:not|neither|never)(?: be)?(?: entitled)?"
        rf"(?: to)? ?(?:claim|assert|seek|recover|award|receive|sue for|collect)\b{_LOSS_AHEAD}",
    ),
    Pattern(
        "no power to award",
        r"\s(?:(?:(?:shall|will|may|does|do) )?(?:have no|not have(?: the| any)?|has no)"
        r" (?:authority|power|right|jurisdiction)(?: (?:or|and) (?:authority|power|jurisdiction))?"
        r"|(?:(?:is|are) not|(?:shall|will|may) not be) (?:empowered|authori[sz]ed|permitted))"
        rf" to (?:award|grant|order)\b{_LOSS_AHEAD}",
    ),
    Pattern(
        "owes nothing",
        r"\s(?:(?:shall|will|does|do) ){0,2}(?:not|never) "
        rf"(?:owe|(?:be )?(?:required|obliged|obligated) to (?:pay|compensate|reimburse))\b{_LOSS_AHEAD}",
    ),
    Pattern(
        "shall not include",
        r"(?P<subject>\b(?:liabilit(?:y|ies)|award|recovery|remed(?:y|ies)|damages)"
        rf"{_SUBJECT}{{0,240}}?)\s(?:shall|will) not include\b",
    ),
    Pattern(
        "no right to damages",
        r"\s(?:(?:shall|will) )?(?:have|has) no (?:rights?|claims?|entitlements?|recourse) (?:to|for|against)\b"
        r"(?=[^;]{0,90}?\b(?:damages?|compensation|indemn|loss|reimburs))",
    ),
    Pattern(
        "not required to pay",
        rf"\b{_NEVER}[^;:]{{0,80}}?\b(?:shall|will)\s(?P<subject>{_SUBJECT}{{1,160}}?)\s(?:be )?"
        r"(?:required|obligated|obliged|liable) to (?:pay|compensate|reimburse)",
    ),
    Pattern(
        "only direct",
        r"\s(?:shall|will|is|are)\s(?=[^;]{0,80}?\b(?:only|solely)\b)(?:only |solely )?(?:be )?"
        r"(?:liable|responsible)(?: only| solely)?(?: to [^;,]{1,40}?)?(?: only| solely)? (?:for|to)(?: any)?"
        r"(?: \w+){0,3}? (?:direct|actual) (?:damages?|loss(?:es)?)",
    ),
    Pattern(
        "limited to direct",
        r"\b(?:shall|will|is|are)(?: be)? limited (?:solely |only )?to(?:,? and (?:shall|will) not exceed,?)? "
        r"(?:the |recover\w* (?:of )?|any |proven |[\w']+ ){0,4}?(?:direct|actual)(?:,? \w+){0,4}? "
        rf"{_DIRECT_LOSS}(?![^;]{{0,140}}?(?:exceed|not more than|up to))",
    ),
)
#: Patterns whose subject group is exact: it stands between auxiliary and verb, or begins the phrase.
_EXACT = (
    "in no event liable",
    "in no event recover",
    "neither liable",
    "not required to pay",
    "liability excluded",
    "liability nil",
    "damages excluded",
    "shall not include",
    "no liability attaches",
)
#: Whoever may bring no claim at all leaves the other side free of all liability.
NO_CLAIM = ("no claim against", "brings no claim against", "gives up suing")
#: Patterns whose subject is the side that gives something up, not the side that is protected.
GIVING_UP = ("waives", "in no event recover", "not entitled to recover", "no right to damages", *NO_CLAIM)
#: Two verbs whose ends lie closer than this are one.
_SAME_VERB = 25
_JOINT = re.compile(r"(?:[,;] ?|\b)(?:and|nor|or|but) (?=\S)")
_LOSS_BEFORE = re.compile(r"\b(?:damages?|loss(?:es)?|profits?)\b,? (?:and|nor|or|but) (?=\S)")
_SHARED = re.compile(r"^(?:[^;]*\b)?(?:and|or|nor|but)(?: it| they)?\s*$")


def waivers(text: str, sentence: Span) -> list[Act]:
    """The exclusions of ``sentence`` in order, each with its subject and, as body, its object."""
    found: list[Act] = []
    for pattern in WAIVERS:
        for match in pattern.all(text, sentence):
            named = "subject" in pattern.compiled.groupindex
            trigger = Span(match.end("subject") if named else match.start(), match.end())
            if trigger.start == trigger.end:  # "no liability attaches to Maker": the subject comes last
                trigger = Span(match.start(), match.end())
            if any(_same_verb(other.trigger, trigger) for other in found):
                continue
            before = span_of(match, "subject") if named else subject_before(text, sentence, match.start())
            subject = _subject(text, before, found, pattern.name in _EXACT)
            found.append(Act(ActKind.WAIVER, subject, trigger, trigger, sentence, pattern.name))
            if len(found) > MOST_ACTS:
                return found
    found.sort(key=lambda act: act.trigger.start)
    # "shall not be liable, and shall have no obligation": the second verb has no subject of its own.
    found = [act for i, act in enumerate(found) if not i or not _SHARED.search(_words(text, act.subject))]
    following = [*found[1:], None][: len(found)]
    return [replace(act, body=_object(text, act, after)) for act, after in zip(found, following, strict=True)]


def _same_verb(one: Span, other: Span) -> bool:
    return abs(one.end - other.end) < _SAME_VERB or one.start <= other.end <= one.end


def _words(text: str, span: Span) -> str:
    return text[span.start : span.end]


def _object(text: str, act: Act, following: Act | None) -> Span:
    """From the verb to the next act's subject; to the end of the sentence where that names no loss
    ("will have no liability for, and each party waives, …": the object stands after the next verb)."""
    start = act.trigger.end
    if following is None:
        return Span(start, act.sentence.end)
    near = Span(start, max(start, following.subject.start or following.trigger.start))
    return near if heads_named(text, near) else Span(start, act.sentence.end)


def _subject(text: str, subject: Span, found: list[Act], exact: bool) -> Span:
    """The subject without what belongs to an act before it; where the verb follows it, its tail."""
    start = max([subject.start, *(a.trigger.end for a in found if a.trigger.end <= subject.end)])
    if start > subject.start:  # what stands before the last joint still belongs to the act before
        for joint in _JOINT.finditer(text, start, subject.end):
            start = joint.end()
    subject = Span(max(start, text.rfind(MASK, start, subject.end) + 1), subject.end)
    if exact:
        return subject
    subject = tail(text, subject)
    # "…, multiplied or consequential damages, and each party": no subject names a loss.
    for loss in _LOSS_BEFORE.finditer(text, subject.start, subject.end):
        subject = Span(loss.end(), subject.end)
    return subject
