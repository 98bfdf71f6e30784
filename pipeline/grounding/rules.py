"""The rules auditor: the deterministic reader of the standard, made to answer like any auditor.

It reads the clause and every evidence chunk with the same reader. The verdict is what follows from
the clause; the evidence it relies on is the best-ranked chunk that shows the same level of a
position the verdict hangs on, or else another level of such a position, as a contrast. Where no
chunk speaks to any position that the clause speaks to, it abstains: it could not point at anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pipeline.grounding.agents import Meter
from pipeline.grounding.code import code_identity
from pipeline.grounding.phrases import in_words, quotable, standard_sentence
from pipeline.grounding.structure import CLAUSE, STANDARD
from pipeline.standard import EXTRACTORS, Reading, Standard
from pipeline.types import ANSWERS, AuditorAnswer, Claim, Evidence, Identity, Level, PositionReading, Verdict

#: The levels that a verdict hangs on.
DECISIVE = {
    Verdict.OFF_STANDARD: (Level.OFF,),
    Verdict.RISKY: (Level.DEPARTS,),
    Verdict.ACCEPTABLE: (Level.MEETS,),
    Verdict.INSUFFICIENT_GROUNDING: (Level.FAILS,),
}
#: P5 is about the clause's own text, so no other clause can support it.
_NOT_COMPARABLE = ("P5",)


class Support(NamedTuple):
    """A chunk that speaks to a position: ``same`` level as the clause, or another as a contrast."""

    chunk_id: str
    position: str
    reading: PositionReading
    quote: str
    same: bool


class RulesAuditor:
    """No model, no network; ``identity.code`` names the reader and the version of its code."""

    def __init__(self) -> None:
        self.identity = Identity(
            "rules", code=code_identity("pipeline.standard", "pipeline.grounding.rules", "pipeline.grounding.phrases")
        )

    def answer(self, clause: str, standard: Standard, evidence: Sequence[Evidence], meter: Meter) -> AuditorAnswer:  # noqa: ARG002
        read = EXTRACTORS[standard.clause_type]
        reading = read(clause)
        if reading.verdict not in ANSWERS:
            return abstain(reading, tuple(_said(reading, clause)))
        readings = [(item.chunk.chunk_id, item.chunk.text, read(item.chunk.text)) for item in evidence]
        support = next(supports(reading, readings), None)
        if support is None:
            return abstain(reading, ())
        return AuditorAnswer(
            verdict=reading.verdict.value,
            positions=reading.positions,
            claims=(
                *_said(reading, clause),
                Claim(
                    standard_sentence(standard, support.position, reading.positions[support.position].level), STANDARD
                ),
                Claim(_cited(support), support.chunk_id),
            ),
            chunk_id=support.chunk_id,
        )


def abstain(reading: Reading, claims: tuple[Claim, ...]) -> AuditorAnswer:
    return AuditorAnswer(Verdict.INSUFFICIENT_GROUNDING.value, reading.positions, claims, None)


def supports(reading: Reading, readings: Sequence[tuple[str, str, Reading]]) -> Iterator[Support]:
    """What each chunk can support, best first: a decisive position at the same level, a decisive
    position at another level, any position at the same level, any at another; by rank within each.
    """
    decisive = [name for name, level in _levels(reading.positions) if level in DECISIVE[reading.verdict]]
    spoken = [name for name, level in _levels(reading.positions) if level is not Level.SILENT]
    for names in (decisive, spoken):
        for same in (True, False):
            for chunk_id, text, other in readings:
                for name in names:
                    here, there = reading.positions[name], other.positions[name]
                    if there.level is Level.SILENT or (here.level == there.level) is not same:
                        continue
                    quote = next((words for words in map(quotable, there.words) if words and words in text), None)
                    if quote:
                        yield Support(chunk_id, name, there, quote, same)


def _levels(positions: Mapping[str, PositionReading]) -> list[tuple[str, Level]]:
    return [(name, item.level) for name, item in sorted(positions.items()) if name not in _NOT_COMPARABLE]


def _said(reading: Reading, clause: str) -> Iterator[Claim]:
    """One claim for each position that the clause speaks to."""
    for name, item in sorted(reading.positions.items()):
        if item.level is Level.SILENT or (name == "P5" and item.level is Level.MEETS):
            continue
        quote = next((words for words in map(quotable, item.words) if words and words in clause), None)
        yield Claim(in_words(name, item.level, quote), CLAUSE)


def _cited(support: Support) -> str:
    stands = "stands the same" if support.same else "stands otherwise"
    return f"The cited clause {stands} on {in_words(support.position, support.reading.level, support.quote)}"
