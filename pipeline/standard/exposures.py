"""Exposure: a party made to answer, with or without a limit; and words that only begin to limit."""

from __future__ import annotations

from pipeline.standard.grammar import Pattern, any_of

UNLIMITED = (
    Pattern(
        "liability unlimited",
        r"\bliabilit\w+\b[^;]{0,100}?\b(?:is|are|shall be|will be|remains?)\b[^;]{0,20}?\b(?:unlimited|"
        r"(?<!, )(?<!including )without (?:any )?(?:limit|limitation|ceiling|cap)\b(?!,)|uncapped|not "
        r"(?:be )?(?:limited|capped)(?! to))",
    ),
    Pattern("unlimited liability", r"\bunlimited(?:ly)? (?:liab\w+|responsib\w+)"),
    Pattern("without limit in amount", r"\bwithout limit(?:ation)? (?:as to|in) amount"),
    Pattern("liable without limit", r"\b(?:liable|responsible)\b[^;]{0,30}?,? without (?:any )?limit\b"),
    Pattern("no limit on liability", r"\bno (?:limit|cap|ceiling)\w* (?:on|to|of) (?:[\w'.&-]+ ){0,3}liabilit"),
)
ANSWERS_FOR = Pattern(
    "answers for",
    r"\s(?:shall|will|must|agrees? to|is|are|hereby)\s(?:be |remain |at all times be |bear )?(?:"
    r"(?:solely|fully|entirely|strictly|wholly|jointly and severally|exclusively|directly"
    r"|unconditionally) )?(?:liable|responsible|answerable|full responsibility|all (?:risk"
    r"|liability))\b[^;]{0,60}?\b(?:for|of) (?:any|all|the|its|every|each)\b[^;]{0,80}?(?:loss|damage"
    r"|liabilit|cost|injur|claim|act|breach|expense)\w*",
)
INDEMNIFIES = Pattern(
    "indemnifies", r"\s(?:shall|will|agrees? to|hereby)\s(?:\w+,? (?:and )?)?(?:defend,? )?indemnif(?:y|ies)\b"
)
SURVIVES = Pattern(
    "survives", r"\s(?:shall|will) (?:only )?(?:survive|expire|lapse)\b[^;]{0,80}?\b(?:period|years?|months?|until)\b"
)
BLACKED_OUT = Pattern("blacked out", r"\s(?:shall|will)(?: not)?(?: be)?\s?\[[ *.…]*\]")
HEADLESS = Pattern(
    "liability without a verb",
    r"\b(?:cumulative|aggregate|total|maximum|entire) (?:\w+ )?liability of (?P<subject>[^;]{2,80}?)"
    r"(?= for\b| under\b|,|$)",
)
GROSS_ONLY = Pattern(
    "liable for gross fault only",
    r"\bliab\w+\b[^;]{0,220}?\b(?:limited to|only (?:for|if|to the extent|in the case)|solely for"
    r"|except (?:for|in (?:the )?case|to the extent))\b[^;]{0,160}?\b(?:gross|wil+ful)",
)
#: "It is not the case that neither party …": what a sentence denies is not read off it.
DENIED = Pattern(
    "denied",
    any_of(
        r"\bit is not (?:the case|true|agreed|intended)\b",
        r"\bshall not be (?:construed|deemed|read|taken) (?:to mean|as (?:meaning|providing))\b",
    ),
)
