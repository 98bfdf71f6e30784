"""Acts: what a sentence does to liability, found by the verb phrases that do it.

Six kinds: it excludes heads of loss (waiver), caps an amount (cap), leaves one remedy (remedy), bars
claims after a time (time bar), takes something out of a limit (carve-out) or makes a party answer
(exposure). Carve-outs have a module of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from pipeline.standard.grammar import MASK, Pattern
from pipeline.standard.text import Span


class ActKind(StrEnum):
    WAIVER = "damages-waiver"
    CAP = "cap"
    REMEDY = "exclusive-remedy"
    TIME_BAR = "time-bar"
    CARVE_OUT = "carve-out"
    EXPOSURE = "uncapped"
    SURVIVAL = "survival"


@dataclass(frozen=True, slots=True)
class Act:
    """``subject``: whose liability; ``trigger``: the verb phrase; ``body``: what follows it;
    ``sentence``: where it stands; ``name``: the pattern that found it."""

    kind: ActKind
    subject: Span
    trigger: Span
    body: Span
    sentence: Span
    name: str = ""


_SUBJ = rf"[^;:{MASK}]"
_AUX = r"(?:shall|will|should|may|can|must|would|does|do|is|are|be|has|have|had)"
_LIABLE = (
    r"(?:(?:be |been )?(?:held |made |deemed )?(?:\w+ly |in any way |in any manner |in any event )?(?:liable|responsible|answerable|accountable)\b"
    r"|(?:have|has|bear|incur|assume|accept|owe)s? (?:any|no) (?:further |other |such )?(?:obligations? (?:and|or) )?(?:liabilit(?:y|ies)|responsibility|obligation)\b)"
)
_NEVER = r"(?:in no (?:event|case|way|circumstances?|instance)|under no (?:circumstances?|event|legal theory)|at no time|nor(?= (?:shall|will)\b))\b"

WAIVER = (
    Pattern(
        "in no event liable",
        rf"\b{_NEVER}[^;:]{{0,140}}?\b(?:shall|will|should|may|can|does|is|are|must|would),?\s+(?P<subject>{_SUBJ}{{1,420}}?)\s+(?:not )?{_LIABLE}",
    ),
    Pattern(
        "neither liable",
        rf"(?P<subject>\b(?:neither|no party|none of|no (?:shareholder|member|officer|director|[a-z]+ party)){_SUBJ}{{0,300}}?)\s(?:shall|will|is|are|be|has|have|shall be|may)\b[^;:]{{0,70}}?\b(?:{_LIABLE}|liable|responsible|any liabilit\w+|entitled to (?:recover|claim|receive)|recover|seek)\b",
    ),
    Pattern(
        "not liable",
        rf"(?P<subject>{_SUBJ}{{1,240}}?)\s(?:{_AUX}\s?)?(?:not|never|in no (?:event|way|case|circumstances?)|under no circumstances|no longer)\b[^;:]{{0,44}}?(?: {_AUX}(?: or be)?)?\s?{_LIABLE}",
    ),
    Pattern(
        "no liability",
        rf"(?P<subject>{_SUBJ}{{1,240}}?)\s(?:(?:shall|will|does|do|hereby|expressly) ){{0,2}}(?:have|has|assumes?|accepts?|bears?|undertakes?|be under|is under|are under)\s(?:absolutely )?no (?:further |other |such )?(?:(?:obligations?|liabilit(?:y|ies)|responsibilit(?:y|ies))(?: (?:and|or|nor|whatsoever),? )?)+",
    ),
    Pattern(
        "waives",
        rf"(?P<subject>{_SUBJ}{{1,240}}?)\s(?:(?:shall|will|hereby|expressly|irrevocably|specifically|also|additionally|to|agrees?|unconditionally|knowingly|voluntarily|does|do)[ ,]+){{0,4}}(?:waives?|disclaims?|releases?|forgoe?s?|foregoe?s?|relinquish\w*|renounces?)\b(?=[^;]{{0,260}}?\b(?:damages?|liabilit|loss(?:es)?|claims?)\b)",
    ),
    Pattern(
        "liability excluded",
        r"\bliabilit(?:y|ies)(?: and/or \w+ obligations)?(?P<subject>[^;]{0,220}?) (?:is|are|shall be|will be)(?: hereby)?:?(?: [a-z][.)])? (?:excluded|disclaimed|precluded)\b",
    ),
    Pattern(
        "excludes liability",
        rf"(?P<subject>{_SUBJ}{{1,240}}?)\s(?:(?:shall|will|does|do|expressly|specifically) ){{0,3}}exclud(?:e|es) (?:any |all )?liabilit(?:y|ies)(?= for)",
    ),
    Pattern(
        "not entitled to recover",
        rf"(?P<subject>{_SUBJ}{{1,240}}?)\s(?:(?:shall|will|may|can|is|are|be|agrees?|to|hereby)\s?){{0,3}}(?:not|neither|never)(?: be)?(?: entitled)?(?: to)? ?(?:claim|assert|seek|recover|award|receive|sue for|collect)\b(?=[^;]{{0,200}}?\b(?:damages?|compensation|loss(?:es)?|profits?)\b)",
    ),
    Pattern(
        "shall not include",
        rf"(?P<subject>\b(?:liabilit(?:y|ies)|award|recovery|remed(?:y|ies)|damages){_SUBJ}{{0,240}}?)\s(?:shall|will) not include\b",
    ),
    Pattern(
        "no right to damages",
        rf"(?P<subject>{_SUBJ}{{1,240}}?)\s(?:(?:shall|will) )?(?:have|has) no (?:rights?|claims?|entitlements?|recourse) (?:to|for|against)\b(?=[^;]{{0,90}}?\b(?:damages?|compensation|indemn|loss|reimburs))",
    ),
    Pattern(
        "not required to pay",
        rf"\b(?:{_NEVER})[^;:]{{0,80}}?\b(?:shall|will)\s(?P<subject>{_SUBJ}{{1,160}}?)\s(?:be )?(?:required|obligated|obliged|liable) to (?:pay|compensate|reimburse)",
    ),
    Pattern(
        "only direct",
        rf"(?P<subject>{_SUBJ}{{1,240}}?)\s(?:shall|will|is|are)\s(?=[^;]{{0,80}}?\b(?:only|solely)\b)(?:only |solely )?(?:be )?(?:liable|responsible)(?: only| solely)?(?: to [^;,]{{1,40}}?)?(?: only| solely)? (?:for|to)(?: any)?(?: \w+){{0,3}}? (?:direct|actual) (?:damages?|loss(?:es)?)",
    ),
    Pattern(
        "limited to direct",
        rf"(?P<subject>{_SUBJ}{{0,240}}?)\b(?:shall|will|is|are)(?: be)? limited (?:solely |only )?to(?:,? and (?:shall|will) not exceed,?)? (?:the |recover\w* (?:of )?|any |proven |[\w']+ ){{0,4}}?(?:direct|actual)(?:,? \w+){{0,4}}? (?:damages?|loss(?:es)?|costs?|expenses?)(?![^;]{{0,140}}?(?:exceed|not more than|up to))",
    ),
    Pattern(
        "none but direct",
        rf"(?P<subject>{_SUBJ}{{1,240}}?)\s(?:(?:shall|will|do|does)\s)(?:not )?have (?:no |any )?liability (?:to \w+ )?for any damages other than direct",
    ),
)
#: "It is not the case that neither party …": what a sentence denies is not read off it.
DENIED = Pattern(
    "denied",
    r"\bit is not (?:the case|true|agreed|intended)\b|\bshall not be (?:construed|deemed|read|taken) (?:to mean|as (?:meaning|providing))\b",
)
CAP = Pattern(
    "cap",
    r"(?:\b(?:shall|will|may|can|must|does|do|should)\s+(?:not|never|in no (?:event|case|way)|under no circumstances)\b(?:[^;]{0,120}?)\bexceed\b|\b(?:in no (?:event|case)|under no circumstances?) [^;]{0,300}?\bexceed\b"
    r"|\b(?:not|never) (?:to )?(?:exceed|be (?:greater|more|higher) than|be in excess of)\b|\bexceed(?:s|ing)?\b|\bin excess(?: in the aggregate)? of\b|\b(?:no|be|not) (?:greater|more|higher) than\b|\b(?:greater|more) than(?=[^;]{0,60}?(?:[$£€\[]|\bamount|\bper claim))"
    r"|(?<!not )(?<!without )\b(?:limited|capped|restricted)\b(?:,? \w+){0,12}?(?: ?\( *\)| ?\x1f+)?,? (?:to|at)\b(?! the (?:extent|following provisions))|\b(?:limit|limits) (?:its|the|their) liability [^;]{0,60}?\bto\b|\bup to(?: a (?:maximum|total|limit))?(?: \w+)? ?(?:of)?(?=[^;]{0,40}?(?:[$£€]|\d|\bthe greater|\bthe lesser|\bamount))"
    r"|\bmaximum(?: \w+){0,2} liabilit(?:y|ies)\b[^;]{0,320}?\b(?:is|shall be|will be|equals)\b|\bliabilit(?:y|ies)\b[^;]{0,200}?\b(?:shall|will) (?:be )?equal(?: to)?\b)",
)
AUTHORITY = Pattern(
    "authority to spend",
    r"\b(?:may|authorized to|entitled to|right to|permitted to) (?:\w+ )?(?:settle|incur|spend|expend|approve|order|purchase|borrow)\b[^;]{0,80}$",
)
LIABILITY = Pattern(
    "liability word",
    r"\b(?:liab\w+|damages?|obligat\w+|responsib\w+|remed\w+|recover\w*|indemnif\w+|indemnity|compensat\w+|reimburse\w*|contribut\w+|loss(?:es)?|claims|remediation|exposure)\b",
)
INCLUDING = Pattern(
    "not limited to",
    r"(?:including|includes?|inclusive of|,|without|but)[^;]{0,24}?(?:not|without being|without)[ ,]*(?:be )?$",
)
REMEDY = Pattern(
    "sole remedy",
    r"(?<!non-)\b(?:sole|exclusive|only|entire|full)(?:(?: and|,| or| &|/) ?(?:exclusive|sole|entire|only|complete))* (?:(?:rights?|obligations?|liabilit(?:y|ies)|responsibilit(?:y|ies)(?=[^;]{0,60}?(?:remed|liabilit|repair|replac|refund|to provide))|remed(?:y|ies)|recourse)(?:,? and |,? or |, )?)+"
    r"|\bremed(?:y|ies)\b[^;]{0,120}?\b(?:are|is|shall be|will be) (?:the )?(?:sole|exclusive|limited to)|\b(?:are|is) all (?:the )?remedies\b|\b(?:remed(?:y|ies)|liabilit(?:y|ies)|obligation|responsibilit(?:y|ies))[^;]{0,160}?\blimited to (?:the )?(?:[\w' ]{0,40}?)?(?:repair|replac|refund|re-?perform|supply)"
    r"|\bonly (?:be )?(?:responsible|liable) for (?:the )?(?:repair|replac)",
)
REMEDY_LIMITED = Pattern(
    "remedy limited to repair",
    r"\b(?:remed(?:y|ies)|liabilit(?:y|ies)|obligations?)\b[^;]{0,60}?\b(?:be|is|are) (?:\w+ )?limited to (?:the )?(?:[\w' ]{0,40}?)?(?:repair|replac|refund|re-?perform)",
)
TIME_BAR = Pattern(
    "time bar",
    r"\b(?:actions?|claims?|suits?|proceedings?|arbitrations?|cause of action|demands?)\b[^.]{0,420}?\b(?:more than|later than|within|beyond|unless|after|prior to)\b[^.]{0,120}?"
    r"(?:\b(?:\d+|one|two|three|four|five|six|twelve|eighteen|twenty[- ]four|thirty|sixty|ninety|one hundred[a-z -]*)\b[^.]{0,8}?(?:\(\d+\))?|\[[ *]*\]|\d+)[ -]?(?:calendar |business )?(?:years?|months?|days?|hours?)\b|\b(?:actions?|claims?|suits?|proceedings?)\b[^;]{0,420}?\b(?:more|later) than \[[ *]*\] (?:after|from|following)\b",
)
BRINGS = Pattern(
    "brings a claim",
    r"\b(?:brought|bring|commenc\w*|institut\w*|filed|file|assert\w*|maintain\w*|barred|deemed (?:to be )?waived|are waived|made in writing|be made|accept any claims?|arbitrat\w+ must|raise[sd]?|submitted|notice of (?:such|the|any) claim)\b",
)
EXPOSURE = Pattern(
    "answers for",
    rf"(?P<subject>{_SUBJ}{{1,160}}?)\s(?:shall|will|must|agrees? to|is|are|hereby)\s(?:be |remain |at all times be |bear )?(?:(?:solely|fully|entirely|strictly|wholly|jointly and severally|exclusively|directly|unconditionally) )?"
    r"(?:liable|responsible|answerable|full responsibility|all (?:risk|liability))\b[^;]{0,60}?\b(?:for|of) (?:any|all|the|its|every|each)\b[^;]{0,80}?(?:loss|damage|liabilit|cost|injur|claim|act|breach|expense)\w*",
)
UNLIMITED = Pattern(
    "unlimited",
    r"\bliabilit\w+\b[^;]{0,100}?\b(?:is|are|shall be|will be|remains?)\b[^;]{0,20}?\b(?:unlimited|(?<!, )(?<!including )without (?:any )?(?:limit|limitation|ceiling|cap)\b(?!,)|uncapped|not (?:be )?(?:limited|capped)(?! to))|\bunlimited(?:ly)? (?:liab\w+|responsib\w+)|\bwithout limit(?:ation)? (?:as to|in) amount|\b(?:liable|responsible)\b[^;]{0,30}?,? without (?:any )?limit\b|\bno (?:limit|cap|ceiling)\w* (?:on|to|of) (?:\w+ ){0,3}liabilit",
)
INDEMNIFIES = Pattern(
    "indemnifies",
    rf"(?P<subject>{_SUBJ}{{1,160}}?)\s(?:shall|will|agrees? to|hereby)\s(?:\w+,? (?:and )?)?(?:defend,? )?indemnif(?:y|ies)\b",
)
SURVIVES = Pattern(
    "survives",
    rf"(?P<subject>{_SUBJ}{{1,200}}?)\s(?:shall|will) (?:only )?(?:survive|expire|lapse)\b[^;]{{0,80}}?\b(?:period|years?|months?|until)\b",
)
BLACKED_OUT = Pattern("blacked out", rf"(?P<subject>{_SUBJ}{{1,200}}?)\s(?:shall|will)(?: not)?(?: be)?\s?\[[ *.…]*\]")
HEADLESS = Pattern(
    "liability without a verb",
    r"\b(?:cumulative|aggregate|total|maximum|entire) (?:\w+ )?liability of (?P<subject>[^;]{2,80}?)(?= for\b| under\b|,|$)",
)
GROSS_ONLY = Pattern(
    "liable for gross negligence only",
    r"\bliab\w+\b[^;]{0,220}?\b(?:limited to|only (?:for|if|to the extent|in the case)|solely for|except (?:for|in (?:the )?case|to the extent))\b[^;]{0,160}?\b(?:gross|wil+ful)",
)
