"""Exposure: a party made to answer, with or without a limit; and words that only begin to limit."""

from __future__ import annotations

from pipeline.standard.grammar import Pattern, any_of

_UNLIMITED = (
    r"(?:unlimited|limitless|boundless|infinite|subject to no (?:\w+ )?(?:limit|cap|ceiling)"
    r"|(?<!, )(?<!including )without (?:any )?(?:limit|limitation|ceiling|cap)\b(?!,)|uncapped"
    r"|(?:not|never|in no (?:way|manner|event|respect)) (?:be )?(?:limited|capped|restricted)(?! to)"
    r"|not (?:be )?subject to any (?:\w+ )?(?:limit|cap|ceiling|maximum))"
)
#: To the end of the sentence: what names heads of loss ("nothing limits liability for fraud") is a carve-out.
NOTHING_LIMITS = Pattern(
    "nothing limits liability",
    r"\b(?:nothing (?:contained |set forth |stated )?(?:in|herein|under)\b[^;]{0,60}?"
    r"|(?:neither|no) party(?: shall| will)? ?)\b"
    r"(?:limits?|excludes?|restricts?|caps?)(?: or (?:limits?|excludes?|restricts?))?"
    r" (?:[\w'&.-]+ ){0,6}?liabilit(?:y|ies)(?: (?:of|to) (?!any|all)(?:[\w'&.-]+ ){0,5}?[\w'&.-]+)?"
    r"(?:,? (?:arising (?:out of|from|under)(?: or (?:relating to|in connection with))?|under|hereunder"
    r"|in connection with|relating to|with respect to|in respect of)(?: or (?:relating|related) to)?"
    r"(?: (?:this|the) agreement)?)?(?= ?(?:[.;]|$))",
)
UNLIMITED = (
    Pattern(
        "liability unlimited",
        rf"\b(?:liabilit\w+|exposure)\b(?:(?!liabilit)[^;]){{0,200}}?\b(?:is|are|shall|will|remains?)\b[^;]{{0,20}}?\b{_UNLIMITED}",
    ),
    Pattern(
        "knows no ceiling",
        r"\b(?:liabilit\w+|exposure)\b(?:(?!liabilit)[^;,]){0,60}?\b(?:knows?|has|have|shall have)\s"
        r"no (?:\w+ )?(?:limit|ceiling|cap|bound)s?\b",
    ),
    Pattern("liable in unlimited amount", r"\b(?:liable|responsible) in (?:an )?unlimited (?:amount|sum)s?\b"),
    Pattern(
        "neither liability is limited",
        r"\b(?:neither|no) party's liability\b[^;]{0,80}?\b(?:shall|will|is)(?: be)? "
        r"(?:subject to (?:a|any) (?:\w+ )?(?:limit|cap|ceiling|maximum)|(?:limited|capped)(?! to))\b",
    ),
    Pattern("unlimited liability", r"\bunlimited(?:ly)? (?:liab\w+|responsib\w+)"),
    Pattern("without limit in amount", r"\bwithout limit(?:ation)? (?:as to|in) amount"),
    Pattern(
        "liable without limit",
        r"\b(?:liable|responsible)\b[^;]{0,60}?,? (?<!including )without (?:any )?limit(?:ation)?\b(?!,)",
    ),
    Pattern(
        "liable without any cap",
        r"\b(?:liable|responsible)\b[^;]{0,240}? without any (?:cap|limit|ceiling)(?: or (?:cap|limit|ceiling))?\b",
    ),
    Pattern(
        "no cap applies to a party",
        r"\bno (?:\w+ )?(?:limit|cap|ceiling)s?(?: of any kind| whatsoever)? (?:shall |will )?appl(?:y|ies) to "
        r"(?:the )?(?:supplier|distributor|customer|client|licen[sc]ee|licen[sc]or|vendor|company|contractor|consultant"
        r"|seller|buyer|purchaser|provider|franchisee|franchisor|manufacturer|reseller|owner|operator|lessee|lessor)"
        r"(?=\s?(?:[.;,]|$)|'s? liabilit| (?:under|hereunder))",
    ),
    Pattern("liable up to any amount", r"\b(?:liable|responsible) up to (?:any|whatever) amount\b"),
    Pattern(
        "no ceiling applies",
        r"\bno (?:limit|cap|ceiling)\w*(?: of any (?:kind|nature|sort)| whatsoever)? (?:shall |will )?"
        r"appl(?:y|ies) to [^;]{0,60}?"
        r"liabilit\w+(?: of [^;,.]{2,40}\b)?",
    ),
    NOTHING_LIMITS,
    Pattern(
        "limits no liability of its own",
        r"\b(?:does|do|shall|will) not (?:in any (?:way|manner) )?(?:limit|restrict|exclude|cap) (?:its|their|his|her)"
        r" liabilit(?:y|ies)\b(?= (?:in any (?:way|manner)|under|hereunder|arising|whatsoever)\b| ?[.;,]|$)",
    ),
    Pattern(
        "no limit on liability",
        r"\bno (?:limit|cap|ceiling|maximum)\w* (?:on|to|of) (?:[\w'.&-]+ ){0,6}?(?:liabilit\w+|damages)",
    ),
)
#: Fully exposed, though no word says that there is no limit.
IN_FULL = Pattern(
    "liable in full",
    r"\s(?:(?:shall|will|must|is|are|remains?|be|remain) ){0,2}(?:(?:fully|wholly) (?:liable|responsible)\b"
    r"|(?:liable|responsible|answers?|answerable) in full\b"
    r"|(?:liable to )?(?:compensates?|answers?|reimburses?)\b[^;]{0,50}? "
    r"for (?:every|all|any and all) (?:loss|damage)\w*)",
)
#: What follows an exposure where it is confined to a head of its own.
CONFINED = Pattern(
    "confined to a head",
    r"^\s?(?:to [^;,]{2,40}? )?(?:for|in respect of|with respect to|where|if) "
    r"(?!any\b|all\b|(?:an? |its )?breach(?:es)? of (?:this|the) agreement|its obligations|the performance"
    r"|(?:an? |its |every )?(?:defaults?|breach(?:es)?)\s?[.;,])",
)
#: "liability for late payment is unlimited": the head stands before the verb.
HEADED = Pattern(
    "unlimited for a head",
    r"^liabilit\w+ (?:of [^;,]{2,40}? )?(?:to [^;,]{2,40}? )?(?:for|in respect of) "
    r"(?!any\b|all\b|(?:its |an? )?breach(?:es)? of (?:this|the) agreement|its obligations|the performance"
    r"|(?:direct )?damages|loss|claims)",
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
LIMITED_RECOURSE = Pattern(
    "limited recourse",
    r"\b(?:limited|non)-? ?recourse (?:obligation|liabilit)\w*"
    r"|\b(?:obligations?|liabilit(?:y|ies))\b[^;]{0,120}?\bpayable (?:solely|only|exclusively) (?:from|out of)\b"
    r"|\brecourse (?:shall|will|is|be)[^;]{0,30}? limited to\b",
)
SURVIVES = Pattern(
    "survives", r"\s(?:shall|will) (?:only )?(?:survive|expire|lapse)\b[^;]{0,80}?\b(?:period|years?|months?|until)\b"
)
BLACKED_OUT = Pattern("blacked out", r"\s(?:shall|will)(?: not)?(?: be)?\s?\[[ *.…]*\]")
HEADLESS = Pattern(
    "liability without a verb",
    r"\b(?:cumulative|aggregate|total|maximum|entire) (?:\w+ )?liability of [^;]{2,80}?(?= for\b| under\b|,|$)"
    r"|\b[a-z0-9&.\-]+(?:'s?) (?:(?:cumulative|aggregate|total|maximum|entire) )+"
    r"(?:liability|obligation|responsibility)\b",
)
GROSS_ONLY = Pattern(
    "liable for gross fault only",
    r"\bliab\w+\b[^;]{0,220}?\b(?:limited to|only (?:for|if|to the extent|in the case)|solely for"
    r"|except (?:for|in (?:the )?case|to the extent))\b[^;]{0,160}?\b(?:gross|wil+ful)(?: [a-z]+)?"
    r"|\bliabilit\w+\b[^;]{0,120}?\brestricted to\b[^;]{0,60}?\b(?:gross|wil+ful)(?: [a-z]+)?"
    r"|\b(?:only|solely) (?:be )?(?:liable|responsible)\b[^;]{0,60}?\b(?:gross|wil+ful)(?: [a-z]+)?"
    r"|\b(?:liable|responsible) (?:only|solely)\b[^;]{0,60}?\b(?:gross|wil+ful)(?: [a-z]+)?",
)
#: "It is not the case that neither party …": what a sentence denies is not read off it.
DENIED = Pattern(
    "denied",
    any_of(
        r"\bit is not (?:the case|true|agreed|intended)\b",
        r"\b(?:in no (?:event|case)|under no circumstances?) (?:shall|will|may|can|is|does) (?:neither|no) party\b",
        r"\bshall not be (?:construed|deemed|read|taken) (?:to mean|as (?:meaning|providing))\b",
    ),
)
