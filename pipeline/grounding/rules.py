"""The rules auditor: the deterministic reader of the standard, made to answer like any auditor.

It reads the clause and every evidence chunk with the same reader. The verdict is what follows from
the clause; the evidence it relies on is the best-ranked chunk that shows the same level of a
position the verdict hangs on, or else another level of such a position, as a contrast. Where no
chunk speaks to any position that the clause speaks to, it abstains: it could not point at anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from pipeline.base.types import ANSWERS, AuditorAnswer, Claim, Evidence, Identity, Level, Verdict
from pipeline.grounding.agents import CLAUSE, STANDARD, Meter
from pipeline.grounding.code import code_identity
from pipeline.grounding.phrases import cited_sentence, clause_sentence, standard_sentence
from pipeline.standard import EXTRACTORS, Reading, Standard

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
    """A chunk that speaks to a position: at the ``same`` level as the clause, or at another."""

    chunk_id: str
    position: str
    reading: Reading
    same: bool


class RulesAuditor:
    """No model, no network; ``identity.code`` names the reader and the version of its code."""

    def __init__(self) -> None:
        self.identity = Identity(
            "rules", code=code_identity("pipeline.standard", "pipeline.grounding.rules", "pipeline.grounding.phrases")
        )

    def answer(self, clause: str, standard: Standard, evidence: Sequence[Evidence], meter: Meter) -> AuditorAnswer:  # noqa: ARG002
        read = partial(_read, standard.clause_type)
        reading = read(clause)
        if reading.verdict not in ANSWERS:
            return abstain(reading, [*_said(reading), *(Claim(text, CLAUSE) for text in reading.missing)])
        readings = [(item.chunk.chunk_id, read(item.chunk.text)) for item in evidence]
        support = next(supports(reading, readings), None)
        if support is None:
            return abstain(reading, [])
        position, level = support.position, reading.level(support.position)
        return AuditorAnswer(
            verdict=reading.verdict.value,
            positions=reading.positions,
            claims=(
                *_said(reading),
                Claim(standard_sentence(standard, position, level), STANDARD),
                Claim(cited_sentence(position, support.reading, support.same), support.chunk_id),
            ),
            chunk_id=support.chunk_id,
        )


@lru_cache(maxsize=4096)
def _read(clause_type: str, text: str) -> Reading:
    """A reading is kept: the same library chunks come up again and again."""
    return EXTRACTORS[clause_type](text)


def abstain(reading: Reading, claims: list[Claim]) -> AuditorAnswer:
    """No verdict; the claims say what was read and what is missing."""
    return AuditorAnswer(Verdict.INSUFFICIENT_GROUNDING.value, reading.positions, tuple(claims), None)


def supports(reading: Reading, readings: Sequence[tuple[str, Reading]]) -> Iterator[Support]:
    """What each chunk can support, best first: a decisive position at the same level, a decisive
    position at another level, any position at the same level, any at another; by rank within each.
    """
    decisive = [name for name, level in _levels(reading) if level in DECISIVE[reading.verdict]]
    spoken = [name for name, level in _levels(reading) if level is not Level.SILENT]
    for names in (decisive, spoken):
        for same in (True, False):
            for chunk_id, other in readings:
                for name in names:
                    level = other.level(name)
                    if (
                        level is not Level.SILENT
                        and (level is reading.level(name)) is same
                        and other.positions[name].words
                    ):
                        yield Support(chunk_id, name, other, same)


def _levels(reading: Reading) -> list[tuple[str, Level]]:
    return [(name, item.level) for name, item in sorted(reading.positions.items()) if name not in _NOT_COMPARABLE]


def _said(reading: Reading) -> Iterator[Claim]:
    """One claim for each position that the clause speaks to; that P5 is met goes without saying."""
    for name, item in sorted(reading.positions.items()):
        if item.level is not Level.SILENT and (name, item.level) != ("P5", Level.MEETS):
            yield Claim(clause_sentence(name, reading), CLAUSE)
