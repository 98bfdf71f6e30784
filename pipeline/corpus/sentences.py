"""Where sentences of a contract end: a small rule, tuned to cut too little rather than wrongly.

A sentence ends at ``.``, ``!`` or ``?``, closing quotes and brackets included, where whitespace and
then a capital, a digit, an opening quote or a bracket follow; and at a blank line. It does not end
after an abbreviation (``Inc.``, ``No.``, ``e.g.``), an initial (``J. Smith``, ``U.S.``), a section
number (``9.2. Limitation``, ``Section 9. Limitation.``, ``(a). Each``).
"""

from __future__ import annotations

import re

_ABBREVIATED = """
    inc corp ltd co llc llp lp plc bros assn dept div gmbh
    no nos sec secs art arts para paras cl ch ex exh sched app fig figs vol pp p pt ver rev amend
    mr mrs ms dr prof jr sr hon messrs esq st ave blvd rd
    e.g i.e etc viz cf al seq vs v ca approx est incl excl max min resp temp tel
    u.s u.k e.u a.m p.m n.a n.v b.v s.a l.p p.o d.b.a f.o.b c.i.f
    jan feb mar apr jun jul aug sep sept oct nov dec
"""
_ABBREVIATIONS = frozenset(_ABBREVIATED.split())
# The end mark with what closes after it, then whitespace, then how a sentence may start.
# The lookbehind keeps a row of dots from being tried at each of its dots.
_END = re.compile(r"""(?<![.!?])[.!?]+["'”’)\]]*(?=\s+(?:["'“‘(\[]*[A-Z0-9À-Þ*]|\([a-z]{1,4}\)\s))|(?=\n[ \t]*\n)""")
# The word before the full stop, brackets and quotes stripped: letters, digits, inner stops.
_LAST = re.compile(r"[^\s\"'“”‘’()\[\]]+$")
_NUMBER = re.compile(r"(?:\d+(?:\.\d+)*|[ivxlc]+|[A-Za-z])$", re.IGNORECASE)
_REFERENCE = re.compile(r"(?:section|sections|article|articles|clause|clauses|paragraph|exhibit|schedule|§)\s*$", re.I)


def sentence_ends(text: str) -> list[int]:
    """Offsets just after each sentence, ascending, the last being ``len(text)``."""
    ends = [match.end() for match in _END.finditer(text) if _is_end(text, match)]
    return [*(end for end in dict.fromkeys(ends) if 0 < end < len(text)), len(text)]


def _is_end(text: str, match: re.Match[str]) -> bool:
    mark = match.group()
    if not mark or mark[0] != "." or mark.startswith(".."):
        return True  # a blank line, `!`, `?`, an ellipsis before a capital
    # Only the words just before can matter; looking further back would cost the square of the length.
    before = text[max(0, match.start() - 40) : match.start()]
    last = _LAST.search(before)
    if last is None:
        # `(a). Each`: a bracketed number closes nothing.
        return re.search(r"\((?:\d+|[ivxlc]+|[a-z])\)$", before, re.IGNORECASE) is None
    word = last.group().casefold()
    if word in _ABBREVIATIONS or word.rpartition("-")[2] in _ABBREVIATIONS:
        return False
    if not _NUMBER.fullmatch(word):
        return True
    # A lone number or letter: a heading's number at the start of a line or sentence, `Section 9.`
    # before its heading, an initial. A number in running text (`within 30. The`) does end one.
    lead = before[: last.start()].rstrip(" \t")
    at_start = not lead or lead[-1] in "\n.;:!?"
    is_initial = len(word) == 1 and word.isalpha()
    is_reference = _REFERENCE.search(lead) is not None and _heading(text, match.end())
    return not (at_start or is_initial or is_reference)


def _heading(text: str, end: int) -> bool:
    """Whether what follows reads like a heading (few capitalised words and a stop), not a sentence."""
    following = re.match(
        r"\s+((?:[A-Z][\w'&/-]*[ ,]*(?:(?:and|of|or|to|on|for|the) )?){1,6})[.:]", text[end : end + 120]
    )
    return following is not None
