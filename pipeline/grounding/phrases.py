"""How the rules auditor puts a level of a position into words.

Convention: every sentence names the position, says what the level means in the clause at hand, and
quotes the words that were read for it, verbatim, between “ and ”.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.types import Level

if TYPE_CHECKING:
    from pipeline.standard import Standard

#: At most this many words are quoted.
QUOTE_WORDS = 25
_QUOTE_MARK = re.compile('["“”„«»]')

_MEANS = {
    ("P1", Level.MEETS): "it binds both parties alike",
    ("P1", Level.DEPARTS): "it runs one way only",
    ("P1", Level.OFF): "it runs one way only, and the other party stays exposed",
    ("P2", Level.MEETS): "it sets a money ceiling that can be computed",
    ("P2", Level.DEPARTS): "its ceiling rests on a narrow basis",
    ("P2", Level.OFF): "it leaves liability unlimited",
    ("P3", Level.MEETS): "the ceiling is between one and three times its basis, or a stated sum",
    ("P3", Level.DEPARTS): "the ceiling is out of proportion to its basis",
    ("P4", Level.MEETS): "it excludes indirect or consequential loss for both parties",
    ("P4", Level.DEPARTS): "it excludes loss for one party only, or direct loss as well",
    ("P4", Level.OFF): "it excludes all liability of one party",
    ("P5", Level.FAILS): "the operative words cannot be judged from this text",
    ("P6", Level.MEETS): "its exceptions are customary ones",
    ("P6", Level.DEPARTS): "its exceptions are missing or unusual",
    ("P6", Level.OFF): "its exceptions are so wide that ordinary breach is uncapped",
}


def in_words(position: str, level: Level, quote: str | None) -> str:
    """The sentence for one position; a position or level without words of its own is named only."""
    said = _MEANS.get((position, level), f"the level is {level.value}")
    return f"{position}, {level.value}: {said}" + (f", in the words “{quote}”." if quote else ".")


def standard_sentence(standard: Standard, position: str, level: Level) -> str:
    """What the standard says of that level, quoted."""
    return f"The standard's level {level.value} of {position} is “{level_text(standard, position, level)}”."


def level_text(standard: Standard, position: str, level: Level) -> str:
    raise NotImplementedError


def quotable(words: str) -> str:
    """The longest stretch of ``words`` without a quotation mark, cut to :data:`QUOTE_WORDS` words."""
    piece = max(_QUOTE_MARK.split(words), key=len).strip()
    ends = [match.end() for match in re.finditer(r"\S+", piece)]
    return piece[: ends[QUOTE_WORDS - 1]] if len(ends) > QUOTE_WORDS else piece
