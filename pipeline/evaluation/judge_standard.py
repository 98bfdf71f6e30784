"""Claims about the standard whose truth is known: gate 2 is shown it too, and auditors cite it.

They follow from the document itself: what a level of a position reads, in its own words; against it the words
of another level, of another position, and its own with one thing changed. There is one standard, so nothing is
held out here: a judge may have been tuned on it, and these claims are no part of its bar.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pipeline.base.types import Chunk
from pipeline.corpus.normalise import sha256
from pipeline.corpus.sample.draws import Draws
from pipeline.evaluation.clause_facts import flat
from pipeline.evaluation.judge_claims import JudgeCase, balanced
from pipeline.grounding.agents import STANDARD

if TYPE_CHECKING:
    from pipeline.standard import Standard

FAITHFUL = ("standard_quoted", "standard_said")
UNFAITHFUL = ("standard_level_swapped", "standard_position_swapped", "standard_altered")
OPERATORS = (*FAITHFUL, *UNFAITHFUL)
#: The most claims of one truth value.
MOST = 60
#: What a position asks stands beside its levels.
ASKS = "asks"
#: How a claim puts a level's words: quoted, or as its own. ``asks`` has patterns of its own.
QUOTED = {
    False: (
        "The standard's level {level} of {position} reads “{text}”.",
        "At {position} the standard describes {level} as “{text}”.",
        "The words of the standard for {level} at {position} are “{text}”.",
    ),
    True: ("The standard says of {position}: “{text}”.", "What {position} asks for reads “{text}”."),
}
SAID = {
    False: (
        "At {position}, {level} stands for this: {text}.",
        "The standard counts as {level} at {position}: {text}.",
        "Of {position} it is {level} if this holds: {text}.",
    ),
    True: ("The standard asks at {position}: {text}.", "What {position} asks is this: {text}."),
}
#: One thing changed, so that a level says what it does not; the first that fits.
ALTERED = (
    ("at least 12 months", "at least 3 months"),
    ("fewer than 12 months", "fewer than 36 months"),
    ("between one and three times", "between one and nine times"),
    ("above three times", "above seven times"),
    ("10,000 dollars", "90,000 dollars"),
    ("one named party", "both parties"),
    ("one party only", "both parties alike"),
    ("both parties", "one party"),
    ("expressly unlimited", "expressly capped"),
    ("unlimited", "limited"),
    ("one party excludes", "both parties exclude"),
    ("without any exception", "with a single exception"),
    ("every exception", "no exception"),
    ("uncapped", "capped"),
    ("does no harm", "is fatal"),
    ("lies in another section", "stands in the clause"),
    ("both ways", "one way"),
    ("can be computed", "need not be computed"),
    ("stands in proportion", "need not stand in proportion"),
    ("can be judged", "need not be judged"),
    ("has exceptions", "has no exceptions"),
)
Words = dict[tuple[str, str], str]


def standard_cases(chunks: Sequence[Chunk], standard: Standard, seed: int) -> list[JudgeCase]:
    """Balanced cases about the standard, sorted by id. What the judge sees beside it (a clause and a cited
    chunk, of two families) are library chunks; a family is here a level of a position."""
    draws = Draws(seed, "judge", STANDARD)
    read = _words(standard)
    beside = {
        (position.id, turn): _two(chunks, Draws(seed, "judge", STANDARD, position.id, turn))
        for position in standard.positions
        for turn in range(2)
    }
    cases = {}
    for operator, (position, level), claim in _claims(read, draws):
        clause, cited = beside[position, draws.below(2)]
        case_id = f"{operator}-{sha256(claim)[:10]}"
        cases[case_id] = JudgeCase(
            case_id=case_id,
            operator=operator,
            faithful=operator in FAITHFUL,
            claim=claim,
            about=STANDARD,
            clause=flat(clause.text),
            cited=cited,
            family=f"{position} {level}",
            half=STANDARD,
        )
    return sorted(balanced(list(cases.values()), OPERATORS, MOST, seed), key=lambda case: case.case_id)


def _words(standard: Standard) -> Words:
    return {
        (position.id, level): text.rstrip(".")
        for position in standard.positions
        for level, text in [(ASKS, position.asks), *((one.value, words) for one, words in position.levels.items())]
    }


def _claims(read: Words, draws: Draws) -> Iterator[tuple[str, tuple[str, str], str]]:
    """(operator, position and level, claim)."""
    for place, text in read.items():
        position, level = place
        yield "standard_quoted", place, _put(place, text, draws, quoted=True)
        yield "standard_said", place, _put(place, text, draws, quoted=False)
        levels = [other for (name, one), other in read.items() if name == position and one not in (level, ASKS)]
        positions = [other for (name, one), other in read.items() if name != position and one == level]
        for operator, others in (("standard_level_swapped", levels), ("standard_position_swapped", positions)):
            if others and (level != ASKS or operator == "standard_position_swapped"):
                yield operator, place, _put(place, draws.pick(others), draws, quoted=draws.chance(0.5))
        changed = next((text.replace(old, new, 1) for old, new in ALTERED if old in text), None)
        if changed:
            for quoted in (True, False):
                yield "standard_altered", place, _put(place, changed, draws, quoted)


def _put(place: tuple[str, str], text: str, draws: Draws, quoted: bool) -> str:
    position, level = place
    patterns = (QUOTED if quoted else SAID)[level == ASKS]
    return draws.pick(patterns).format(position=position, level=level, text=text)


def _two(chunks: Sequence[Chunk], draws: Draws) -> tuple[Chunk, Chunk]:
    ordered = sorted(chunks, key=lambda chunk: chunk.chunk_id)
    one = draws.pick(ordered)
    return one, draws.pick([chunk for chunk in ordered if chunk.family != one.family])
