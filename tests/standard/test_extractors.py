"""A second standard is a YAML file and an entry in EXTRACTORS; nothing else is edited."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.base.errors import UsageError
from pipeline.base.types import Level, PositionReading, Verdict
from pipeline.standard import (
    EXTRACTORS,
    Reading,
    band_of,
    extractor,
    known_types,
    load_standard,
    read_clause,
    verdict_of,
)

SECOND = """
clause_type: governing-law
version: "1"
title: Governing law
positions:
  - id: P1
    name: Law named
    asks: The clause names a law.
    levels: {meets: a law is named, departs: the law is left open}
  - id: P5
    name: Self-contained
    asks: The clause can be judged from its words.
    levels: {meets: it can, fails: it cannot}
provenance: []
"""


def _read_law(text: str) -> Reading:
    named = "laws of" in text
    positions = {
        "P1": PositionReading(Level.MEETS if named else Level.DEPARTS, ("laws of",) if named else ()),
        "P5": PositionReading(Level.MEETS),
    }
    verdict = verdict_of(positions)
    return Reading(positions, ("governing-law",), verdict, band_of(verdict), critical=False)


def test_a_second_standard_needs_no_edit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "governing-law.yaml").write_text(SECOND, encoding="utf-8")
    monkeypatch.setitem(EXTRACTORS, "governing-law", _read_law)
    standard = load_standard("governing-law", tmp_path)
    assert known_types(tmp_path) == ["governing-law"]
    assert standard.level_text("P1", Level.DEPARTS) == "the law is left open"
    reading = extractor(standard.clause_type)("Governed by the laws of Ruritania.")
    assert reading.verdict is Verdict.ACCEPTABLE
    assert extractor("governing-law")("Governed by good sense.").verdict is Verdict.RISKY


def test_liability_is_read_by_its_reader() -> None:
    assert extractor("liability") is read_clause


def test_an_unknown_type_lists_the_known_ones() -> None:
    with pytest.raises(UsageError, match="use one of: liability"):
        extractor("governing-law")
