"""Cross-references: a section named by number, with or without the subject it deals with."""

from __future__ import annotations

from pipeline.standard.grammar import Pattern, any_of
from pipeline.standard.text import Span

_PARENS = r"(?:\s?\([a-z0-9]{1,5}\))"
_NUMBER = rf"(?:\d+(?:\.\d+)*(?:\.[a-z]\b)?|[ivxlc]+\b(?:\.\d+)*){_PARENS}*"
_UNIT = (
    r"(?:sub-?)?(?:sections?|articles?|clauses?|paragraphs?|numerals?|schedules?|exhibits?|appendi(?:x|ces)"
    r"|annex(?:es)?"
    r"|attachments?)"
)
_SEPARATOR = r"(?:,? (?:and|or|and/or|through|to) |, | & |/)"
REFERENCE = Pattern(
    "reference",
    any_of(
        (
            rf"\b{_UNIT} (?:{_NUMBER}|(?<=exhibit )[a-z]\b|(?<=schedule )[a-z]\b|(?<=annex )[a-z]\b|"
            rf"(?<=appendix )[a-z]\b)(?:{_SEPARATOR}(?:{_UNIT} )?{_NUMBER}|(?<=\)){_SEPARATOR}\([a-hj-uw-z\d]\)(?= "
            r"(?:hereof|above|below|and|or)\b|[,.;]|$))*(?: hereof| above| below| of this agreement)?"
        ),
        rf"\bthis (?:sub-?)?(?:section|article|clause|paragraph)\b(?! {_NUMBER})",
    ),
)
ELSEWHERE = Pattern(
    "elsewhere",
    any_of(
        r"\b(?:the )?(?:foregoing|preceding|above|aforementioned)\b",
        (
            r"\b(?:set (?:forth|out)|provided(?: for)?|stated|specified|described|contained|expressed|listed)"
            r"(?: herein)?(?: expressly)? (?:in|under|above|below|by|elsewhere)\b"
        ),
        rf"\b(?:under|pursuant to|in|of) (?:this )?{_UNIT}\b",
        r"\bthis (?:sub-?)?(?:section|article|clause|paragraph)\b",
        r"\bthose (?:expressly )?(?:stated|set)\b",
    ),
)


def references(text: str, span: Span | None = None) -> list[Span]:
    """Every section reference in ``span``."""
    return [Span(*match.span()) for match in REFERENCE.all(text, span)]
