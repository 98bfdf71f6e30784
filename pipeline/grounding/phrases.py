"""How the rules auditor puts a reading into sentences that can be checked against one text each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.base.types import Level

if TYPE_CHECKING:
    from pipeline.standard import Reading, Standard

_STRAIGHT = re.compile('"([^"]*)"')


def clause_sentence(position: str, reading: Reading) -> str:
    """What the reader says of that position in the clause, its quotations between “ and ”."""
    note = reading.notes.get(position, "")
    return _STRAIGHT.sub("“\\1”", note)


def standard_sentence(standard: Standard, position: str, level: Level) -> str:
    """What the standard says of that level, quoted."""
    return f"The standard's level {level.value} of {position} reads “{standard.level_text(position, level)}”."


def cited_sentence(position: str, reading: Reading, same: bool) -> str:
    """What the cited clause says at that position: the same as the clause under audit, or otherwise."""
    said = clause_sentence(position, reading).removeprefix(f"{position} {reading.level(position).value}: ")
    stands = "stands the same" if same else "stands otherwise"
    return f"The cited clause {stands}, {position} {reading.level(position).value}: {said}"
