"""A second standard is a YAML file and its extractor: the contract takes it without an edit."""

from __future__ import annotations

import pytest

from pipeline.base.types import Chunk, Evidence, FailureCause, Level, PositionReading, Verdict
from pipeline.grounding.contract import audit
from pipeline.grounding.lexical.judge import LexicalJudge
from pipeline.grounding.rules import RulesAuditor
from pipeline.standard import EXTRACTORS, Reading, band_of, load_standard, verdict_of

STANDARD = """
clause_type: warranty
version: "1"
title: Warranty of goods
positions:
  - id: P1
    name: Length
    asks: The goods are warranted for a year or more.
    levels:
      meets: a warranty of twelve months or more
      departs: a shorter one
  - id: P5
    name: Self-contained
    asks: The words can be judged.
    levels:
      meets: they can
      fails: they cannot
provenance: []
"""


def read_warranty(text: str) -> Reading:
    words = next((words for words in ("twelve months", "thirty days") if words in text), "")
    level = {"twelve months": Level.MEETS, "thirty days": Level.DEPARTS}.get(words, Level.SILENT)
    positions = {
        "P1": PositionReading(level, (words,) if words else ()),
        "P5": PositionReading(Level.MEETS if words else Level.FAILS),
    }
    verdict = verdict_of(positions)
    note = {"P1": f'P1 {level.value}: the goods are warranted for "{words}".'} if words else {}
    return Reading(positions, ("warranty",), verdict, band_of(verdict), critical=False, notes=note)


@pytest.fixture
def warranty(tmp_path, monkeypatch):
    (tmp_path / "warranty.yaml").write_text(STANDARD)
    monkeypatch.setitem(EXTRACTORS, "warranty", read_warranty)
    return load_standard("warranty", tmp_path)


@pytest.mark.parametrize(
    ("clause", "verdict"),
    [
        ("Seller warrants the goods for twelve months from delivery.", Verdict.ACCEPTABLE),
        ("Seller warrants the goods for thirty days from delivery.", Verdict.RISKY),
        ("Seller warrants the goods as set out in Annex B.", Verdict.INSUFFICIENT_GROUNDING),
    ],
)
def test_the_contract_takes_it(warranty, clause, verdict):
    other = "The goods are warranted by Maker for twelve months."
    evidence = (Evidence(Chunk("c1", "Other", 0, len(other), other, (), "other"), 1.0, 1),)
    result = audit(clause, warranty, evidence, 1.0, 0.5, RulesAuditor(), LexicalJudge())
    assert result.verdict is verdict
    if verdict is not Verdict.INSUFFICIENT_GROUNDING:
        assert result.failure_cause is FailureCause.NONE
        assert result.citation.chunk_id == "c1"
