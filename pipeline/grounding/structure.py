"""What an answer must be before a judge is asked: a reason that rests on and quotes what it
cites, positions whose words stand in the clause, and the verdict that follows from those positions.

These are look-ups, no judgement: each fault is an unsupported check with the reason why. The signs that a
level cannot do without are the lexical judge's; they are looked for whoever the judge is, so that a
model judge that a clause talks round is not the last to look.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pipeline.base.types import AuditorAnswer, Chunk, ClaimCheck, Level, Verdict
from pipeline.grounding.agents import CLAUSE, STANDARD
from pipeline.grounding.lexical import levels
from pipeline.grounding.limits import CLAUSE_TYPE
from pipeline.grounding.quotes import quotations, stands, verbatim
from pipeline.standard import verdict_of

#: The one position that no words of the clause can show: it is met where nothing is missing.
SELF_CONTAINED = "P5"


def structural_faults(
    answer: AuditorAnswer, clause: str, cited: Chunk, clause_type: str = CLAUSE_TYPE
) -> tuple[ClaimCheck, ...]:
    """Every fault of an answer that cites ``cited``; empty where a judge may be asked."""
    return tuple(_faults(answer, {CLAUSE: clause, cited.chunk_id: cited.text}, cited.chunk_id, clause_type))


def _faults(answer: AuditorAnswer, texts: Mapping[str, str], cited: str, clause_type: str) -> Iterator[ClaimCheck]:
    clause = texts[CLAUSE]
    for claim in answer.claims:
        if claim.against != STANDARD and claim.against not in texts:
            yield ClaimCheck(claim.text, False, claim.against, "it rests on a text that the answer does not cite")
            continue
        for quote in quotations(claim.text) if claim.against in texts else ():
            if not stands(quote, texts[claim.against]):
                yield ClaimCheck(claim.text, False, claim.against, f"the text does not say “{quote}”")
    for against, what in ((CLAUSE, "the clause"), (cited, "the cited evidence")):
        if not any(claim.against == against for claim in answer.claims):
            yield ClaimCheck("", False, against, f"no claim rests on {what}")
    for name, reading in sorted(answer.positions.items()):
        for words in reading.words:
            if not verbatim(words, clause):
                yield ClaimCheck(f"{name} {reading.level}: “{words}”", False, CLAUSE, "the words are not in the clause")
        if reading.level in (Level.OFF, Level.MEETS) and not reading.words and name != SELF_CONTAINED:
            yield ClaimCheck(f"{name} {reading.level}", False, CLAUSE, "no words of the clause are given for it")
    if clause_type == levels.CLAUSE_TYPE:
        yield from _signs(answer, clause)
    follows = verdict_of(answer.positions)
    if follows != answer.verdict:
        yield ClaimCheck(
            f"verdict {answer.verdict}", False, STANDARD, f"from the positions as given follows {follows.value}"
        )


def _signs(answer: AuditorAnswer, clause: str) -> Iterator[ClaimCheck]:
    """Levels that lack their signs, and an acceptable clause that says outright what none can say."""
    for name, reading in sorted(answer.positions.items()):
        if (why := levels.unseen(name, reading.level.value, reading.words, clause)) is not None:
            yield ClaimCheck(f"{name} {reading.level}", False, CLAUSE, why)
    if answer.verdict == Verdict.ACCEPTABLE and (why := levels.danger(clause)) is not None:
        yield ClaimCheck(f"verdict {answer.verdict}", False, CLAUSE, why)
