"""Where an exception begins and ends inside a sentence.

A region opens with a lead-in ("except for", "other than", "subject to Section …"). A leading one ends
where the operative words start, a bracketed one with its bracket, a trailing one with the sentence.
"""

from __future__ import annotations

from pipeline.standard.grammar import Pattern, any_of, span_of
from pipeline.standard.text import Span

_UNIT = r"(?:sub-?)?(?:section|clause|article|paragraph)"
_SUMS = r"(?:any )?amounts? (?:due|owed|payable)"
LEAD_IN = Pattern(
    "lead-in",
    r"\b(?:"
    + any_of(
        r"(?:so long as|to the extent)"
        r"(?= [^;]{0,80}?\b(?:does|do|did|is|are|was|were) not (?:arise|result|caused|due))",
        r"except(?:ing)?(?: only)?(?! that [a-z]+ (?:may|shall|will) not)"
        r"(?!(?: for)? direct (?:damages?|loss(?:es)?)\b(?! (?:arising|caused|resulting|due|to|for|in|from)\b))",
        r"save(?: and except| as| for| that| in| the| to|,)",
        r"with the exception of",
        r"apart from",
        r"but not(?= in the (?:case|event))",
        r"other than(?! (?:th(?:at|ose) (?:provided|listed|set|described|stated|expressly)|direct|actual|general"
        r"|the right|to the extent (?!awarded|paid|payable|required|caused|due|such)|a party hereto|money|monetary))",
        r"exclud(?:ing|ed)(?= (?:any liabilit|liabilit|claims?\b|breach|any breach"
        r"|non-?performance|indemn|gross|wil+ful|losses arising|cases|only"
        rf"|{_SUMS}|its|each party|a party|obligations))",
        r"unless (?!and until|commenced|made|brought|otherwise|an? (?:action|suit|claim|proceeding|higher)"
        r"|[a-z]+ receives|written|noti(?:ce|fied)|such (?:action|claim|notice)|buyer|it is)",
        r"subject(?: only)? to(?= (?:and without|(?:this |the (?:provisions|terms|exceptions|exclusions|limitations) "
        rf"(?:of|in|set forth in) )?{_UNIT}|(?:the |each party's |a party's |its |their )?(?:\w+ ){{0,2}}indemn"
        r"|the (?:following )?exce))",
        rf"without (?:prejudice to|affecting)(?= (?:the provisions of )?{_UNIT}s?\b)",
        r"without (?:limiting|prejudice to)(?= [^,;]{0,60}?\b(?:indemn|confiden|gross|liability for))",
    )
    + r")\b",
)
PROVISO = Pattern("proviso", r"\b(?:provided|except)[,;]? ?(?:(?:further|however|always|that|also)[,;]? ?)+")

#: "…, fraud excepted": the exception stands before the word.
POSTPOSED = Pattern("postposed exception", r"(?:(?<=, )|(?<=\())[^,;()]{3,80}? (?:are |is )?excepted\b")

_SIZE = r"(?:total|aggregate|cumulative|maximum|entire|sole|overall|collective|party's|liability|and|exclusive)"
OPERATIVE_START = Pattern(
    "operative start",
    r"(?:[,:;)\]]|\bhereof|\bherein|\bhereunder|^)\s*(?:\(?[a-z0-9]{1,3}\)\s?)?(?=(?:and |then )?"
    r"(?:(?:notwithstanding|to the (?:maximum|fullest|greatest|extent)|in addition)\b[^,;]{0,90}, ?)?"
    r"(?:\(?[a-z0-9]{1,2}\) ?)?(?:"
    + any_of(
        r"to (?:(?:an?|the) (?:\w+ )?(?:amount|sum|maximum|total|fees|charges|price)|[$£€\d])",
        r"in no (?:event|case|way|circumstance)",
        r"under no (?:circ|legal|theory)",
        r"at no time",
        r"neither|nor shall|no party|no action|none of|nothing",
        r"(?:each|either|a|any|one|no|the) part(?:y|ies)(?:'s?)? (?:\w+ ){0,6}"
        r"(?:shall|will|may|waives?|hereby|agrees?|disclaims?|specifically|be liable)\b",
        rf"(?:[a-z0-9.&]+ ){{0,2}}[a-z0-9.&]+'s? (?:{_SIZE}[ ,]+){{0,5}}liabilit",
        rf"(?:the |any (?:and all )?|all )(?:{_SIZE}[ ,]+){{0,4}}(?:liabilit|responsibilit)\w+"
        r"(?! (?:which|that|for which))",
        r"(?:any|all)(?: and all)? (?:claims?|actions?|suits?|proceedings?)\b[^;,]{0,160}? (?:shall|will|must) "
        r"(?:be )?(?:barred|brought|commenced|filed|instituted|asserted|waived)",
        r"such limit|the (?:foregoing|above) limit",
        r"(?:if|where) (?:any|the|a|an|there)\b",
        r"in the event (?!of)",
        r"(?:this|it) shall",
        r"(?:the )?(?:aggregate|total|cumulative|maximum) (?:damages|amounts?|sums?)|damages for which",
        r"[a-z0-9.& ]{1,40} (?:shall|will) be (?:solely )?(?:liable|responsible)",
        r"[a-z0-9.& ]{1,40},? (?:shall|will|is|are) (?:not be liable|have no|in no event|not have)",
    )
    + r"))",
)
#: "…, except for …, and then any such liability shall be limited to …": a limit on what is excepted.
LIMITED_AGAIN = Pattern(
    "limited again",
    r"[,:;]? (?:and|but) (?:then|in (?:such|that|any such|which) (?:event|case)s?)\b(?=[^;]{0,120}?\b"
    r"(?:liabilit|damages)[^;]{0,200}?\b(?:limited to|exceed)\b)",
)
#: An exception that begins this near to the start of its sentence leads it.
LEADING = 25


def regions_of(text: str, sentence: Span) -> list[Span]:
    """The stretches of ``sentence`` that take something out of a limit, in order, none overlapping."""
    found: list[Span] = []
    position = sentence.start
    while position < sentence.end:
        lead = LEAD_IN.search(text, Span(position, sentence.end))
        if not lead:
            break
        start = lead.start()
        if text[start - 1 : start] == "(":
            end = _closing(text, start, sentence.end) or _fallback(text, sentence, start)
        else:
            stop = OPERATIVE_START.search(text, Span(lead.end(), sentence.end))
            again = LIMITED_AGAIN.search(text, Span(lead.end(), stop.start() if stop else sentence.end))
            end = again.start() if again else stop.start() if stop else _fallback(text, sentence, start)
        found.append(Span(start, end))
        position = max(end, start + 1)
    postposed = (span_of(match) for match in POSTPOSED.all(text, sentence))
    found += [one for one in postposed if all(one.end <= other.start or other.end <= one.start for other in found)]
    return sorted(found, key=lambda region: region.start)


def _fallback(text: str, sentence: Span, start: int) -> int:
    """No operative start in sight: a leading exception ends at its first comma, a trailing one never."""
    leading = start - sentence.start < LEADING or text[start - 1 : start] == "("
    leading = leading and "," in text[start : sentence.end]
    return text.index(",", start) if leading else sentence.end


def _closing(text: str, start: int, end: int) -> int:
    """Where the bracket that opened before ``start`` closes; 0 if it never does."""
    depth = 1
    for index in range(start, end):
        depth += {"(": 1, ")": -1}.get(text[index], 0)
        if depth == 0:
            return index
    return 0
