"""Acts: what a sentence does to liability.

It excludes heads of loss (waiver), caps an amount (cap), leaves one remedy (remedy), bars claims
after a time (time bar), takes something out of a limit (carve-out), makes a party answer (exposure)
or lets an obligation lapse (survival). Each kind has a module with the verb phrases that do it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from pipeline.standard.grammar import MASK
from pipeline.standard.text import Span


class ActKind(StrEnum):
    """The values are the kinds of the rubric's labels, ``survival`` apart."""

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


#: No clause of the corpus does more than a handful of things; a text with more acts than this is no clause,
#: and comparing them would take long.
MOST_ACTS = 60
#: How far before its verb a subject may begin.
REACH = 240
_BOUNDARY = re.compile(rf"[;:{MASK}]")


def subject_before(text: str, sentence: Span, verb: int, reach: int = REACH) -> Span:
    """What stands before the verb at ``verb``, back to the last boundary of the sentence."""
    start = max(sentence.start, verb - reach)
    for boundary in _BOUNDARY.finditer(text, start, verb):
        start = boundary.end()
    return Span(start, verb)
