"""What a reader hands back: levels, the words they rest on, and sentences that say so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pipeline.base.types import Band, Level, PositionReading, Verdict


@dataclass(frozen=True, slots=True)
class Reading:
    """A clause read against one standard.

    ``positions``: level and verbatim words for each position; ``notes``: for every position that is
    not silent one sentence about the clause, its quotations in ASCII double quotes; ``missing``:
    sentences that say what could not be read; ``critical``: one side's liability for ordinary breach
    is unlimited or wholly excluded; ``confident``: false where the reader abstains.
    """

    positions: Mapping[str, PositionReading]
    kinds: tuple[str, ...]
    verdict: Verdict
    band: Band
    critical: bool
    notes: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    confident: bool = True

    def level(self, position: str) -> Level:
        return self.positions[position].level
