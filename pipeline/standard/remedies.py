"""Sole remedies and time bars: what a party is left with, and until when it may claim."""

from __future__ import annotations

from pipeline.standard.grammar import Pattern, any_of

_NOUN = (
    r"(?:rights?|obligations?|liabilit(?:y|ies)"
    r"|responsibilit(?:y|ies)(?=[^;]{0,60}?(?:remed|liabilit|repair|replac|refund|to provide))|remed(?:y|ies)"
    r"|recourse)"
)
_MENDING = r"(?:repair|replac|refund|re-?perform|supply)"

SOLE_REMEDIES = (
    Pattern(
        "sole remedy",
        r"(?<!non-)\b(?:sole|exclusive|only|entire|full)(?:(?: and|,| or| &|/) ?(?:exclusive|sole|entire"
        rf"|only|complete))* (?:{_NOUN}(?:,? and |,? or |, )?){{1,4}}",
    ),
    Pattern(
        "remedies are exclusive",
        any_of(
            r"\bremed(?:y|ies)\b[^;]{0,120}?\b(?:are|is|shall be|will be) (?:the )?(?:sole|exclusive|limited to)",
            r"\b(?:are|is) all (?:the )?remedies\b",
            r"\bno (?:other )?remed(?:y|ies)\b[^;]{0,80}?\bother than\b|\bno (?:other|further) remed(?:y|ies)\b",
        ),
    ),
    Pattern(
        "limited to mending",
        r"\b(?:remed(?:y|ies)|liabilit(?:y|ies)|obligation|responsibilit(?:y|ies))[^;]{0,160}?\blimited to "
        rf"(?:the )?(?:[\w' ]{{0,40}}?)?{_MENDING}",
    ),
    Pattern(
        "mending at its option",
        r"\b(?:shall|will)[ ,]*(?:at its (?:sole |own )?(?:option|election|discretion|expense)[ ,]*){1,2}"
        r"(?:either |to )?(?:promptly )?(?:repair|replace|refund|re-?perform|correct)",
    ),
    Pattern("only responsible for mending", r"\bonly (?:be )?(?:responsible|liable) for (?:the )?(?:repair|replac)"),
)
#: Counts beside a waiver in the same sentence.
REMEDY_LIMITED = Pattern(
    "remedy limited to mending",
    r"\b(?:remed(?:y|ies)|liabilit(?:y|ies)|obligations?)\b[^;]{0,60}?\b(?:be|is|are) "
    rf"(?:\w+ )?limited to (?:the )?(?:[\w' ]{{0,40}}?)?{_MENDING}",
)

_COUNT = (
    r"(?:\b(?:\d+|one|two|three|four|five|six|twelve|eighteen|twenty[- ]four|thirty|sixty|ninety"
    r"|one hundred[a-z -]*)\b"
    r"[^.]{0,8}?(?:\(\d+\))?|\[[ *]*\]|\d+)"
)
TIME_BARS = (
    Pattern(
        "time bar",
        r"\b(?:actions?|claims?|suits?|proceedings?|arbitrations?|cause of action|demands?)\b[^.]{0,420}?\b"
        r"(?:more than|later than|within|beyond|unless|after"
        rf"|prior to)\b[^.]{{0,120}}?{_COUNT}[ -]?(?:calendar |business )?(?:years?|months?|days?|hours?)\b",
    ),
    Pattern(
        "time bar blacked out",
        r"\b(?:actions?|claims?|suits?|proceedings?)\b[^;]{0,420}?\b(?:more|later) than \[[ *]*\] (?:after"
        r"|from|following)\b",
    ),
)
BRINGS = Pattern(
    "brings a claim",
    r"\b(?:brought|bring|commenc\w*|institut\w*|filed|file|assert\w*|maintain\w*|barred|deemed "
    r"(?:to be )?waived|are waived|made in writing|be made|accept any claims?|arbitrat\w+ must"
    r"|raise[sd]?|submitted|notice of (?:such|the|any) claim|notified)\b",
)
