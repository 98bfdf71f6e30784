"""Claims whose truth is known, to judge the faithfulness judge by.

Made at run time from library clauses by the seeded operators of ``judge_operators``; nothing of a
contract is stored in git. A case puts a claim to the judge about *one* of the two texts that it
sees: the clause under audit or the cited chunk; the other text is a clause of another contract
family, so that a judge which looks into the wrong text is caught. Contract families are parted into
a *tuning* half, on which a judge may be tuned, and a *held_out* half, which measures it. Both halves
are balanced: as many faithful as unfaithful claims.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from pipeline.base.parallel import spread
from pipeline.base.types import Chunk
from pipeline.corpus.normalise import sha256
from pipeline.corpus.sample.draws import Draws
from pipeline.evaluation.clause_facts import facts, flat
from pipeline.evaluation.contrast_ceilings import with_ceiling
from pipeline.evaluation.judge_operators import FAITHFUL, OF_AMOUNTS, OPERATORS, Speaker, claims_of

TUNING, HELD_OUT = "tuning", "held_out"
HALVES = (TUNING, HELD_OUT)
#: How a claim calls the text that it is about.
CLAUSE, EVIDENCE = "clause", "evidence"
CALLED = {CLAUSE: "the clause", EVIDENCE: "the cited clause"}
#: Claims of one operator from one contract family.
PER_FAMILY = 2
#: Claims of one truth value in one half.
PER_HALF = 320
#: What ends the id of a clause that was given a sum.
SUM = "+sum"
#: A clause shorter than this has too little to claim anything about.
MIN_CLAUSE_WORDS = 12


@dataclass(frozen=True, slots=True)
class JudgeCase:
    """``about`` says which text the claim names: ``clause``, ``evidence`` (the cited chunk), ``standard``.

    ``faithful`` is whether that text supports the claim. ``family`` is the family of that text.
    ``unseen``: worded by a pattern that no claim of the tuning half uses.
    """

    case_id: str
    operator: str
    faithful: bool
    claim: str
    about: str
    clause: str
    cited: Chunk
    family: str
    half: str
    unseen: bool = False


def half_of(family: str) -> str:
    """Which half a family belongs to; fixed by its name, so that it never changes sides."""
    return HALVES[int(sha256(f"judge:{family}")[:2], 16) % 2]


def judge_cases(chunks: Sequence[Chunk], seed: int, per_half: int = PER_HALF, workers: int = 1) -> list[JudgeCase]:
    """Balanced cases from library chunks, sorted by case id.

    ``per_half`` is the most claims of one truth value in a half; where a half yields fewer of one
    kind, both kinds are cut to that. Raises ValueError with fewer than two families in a half.
    """
    usable = [c for c in sorted(chunks, key=lambda c: c.chunk_id) if len(c.text.split()) >= MIN_CLAUSE_WORDS]
    usable = [*usable, *with_a_sum(usable, seed)]
    families = {chunk.family: half_of(chunk.family) for chunk in usable}
    for half in HALVES:
        if list(families.values()).count(half) < 2:
            raise ValueError(f"claims for the {half} half need clauses of at least two contract families")
    made = spread(partial(_candidates, usable, families, seed), usable, workers)
    candidates = {case.case_id: case for case in made}.values()
    cases: list[JudgeCase] = []
    for half in HALVES:
        cases += balanced([case for case in candidates if case.half == half], OPERATORS, per_half, seed)
    return sorted(cases, key=lambda case: case.case_id)


def with_a_sum(chunks: Sequence[Chunk], seed: int) -> list[Chunk]:
    """Clauses that are a ceiling alone, held to a stated sum instead: few clauses state one of their own.
    Known by ``SUM`` in their ids."""
    made = []
    for chunk in chunks:
        said = f"${(1 + Draws(seed, 'sum', chunk.chunk_id).below(19)) * 50_000:,}"
        if changed := with_ceiling(flat(chunk.text), facts(chunk.text), said):
            made.append(replace(chunk, chunk_id=f"{chunk.chunk_id}{SUM}", text=changed))
    return made


def _candidates(every: Sequence[Chunk], halves: dict[str, str], seed: int, chunks: Sequence[Chunk]) -> list[JudgeCase]:
    """The claims about ``chunks``, beside each of which stands one of ``every`` of another family of its half."""
    found: list[JudgeCase] = []
    plain = [chunk for chunk in every if not chunk.chunk_id.endswith(SUM)]
    others = {
        family: [one for one in plain if one.family != family and halves[one.family] == half]
        for family, half in halves.items()
    }
    for chunk in chunks:
        draws = Draws(seed, "judge", chunk.chunk_id)
        half, other = halves[chunk.family], draws.pick(others[chunk.family])
        operators = OF_AMOUNTS if chunk.chunk_id.endswith(SUM) else None
        for about in (CLAUSE, EVIDENCE):
            speaker = Speaker(CALLED[about], draws, half == HELD_OUT)
            for made in claims_of(facts(chunk.text), facts(other.text), speaker, operators):
                clause, cited = (chunk, other) if about == CLAUSE else (other, chunk)
                key = f"{made.operator}\0{about}\0{clause.chunk_id}\0{cited.chunk_id}\0{made.claim}"
                found.append(
                    JudgeCase(
                        case_id=f"{made.operator}-{sha256(key)[:10]}",
                        operator=made.operator,
                        faithful=made.operator in FAITHFUL,
                        claim=made.claim,
                        about=about,
                        clause=facts(clause.text).text,
                        cited=cited,
                        family=chunk.family,
                        half=half,
                        unseen=made.unseen,
                    )
                )
    return found


def balanced(cases: Sequence[JudgeCase], operators: Sequence[str], most: int, seed: int) -> list[JudgeCase]:
    """As many faithful as unfaithful cases, at most ``most`` of each, spread over operators and families."""
    chosen = [_choose([c for c in cases if c.faithful is truth], operators, most, seed) for truth in (True, False)]
    keep = min(map(len, chosen))
    return [case for part in chosen for case in part[:keep]]


def _choose(cases: Sequence[JudgeCase], operators: Sequence[str], most: int, seed: int) -> list[JudgeCase]:
    """At most ``most`` cases: operators in turn, and within an operator families in turn."""
    queues: dict[str, list[JudgeCase]] = {}
    for operator in operators:
        draws = Draws(seed, "choose", operator)
        shuffled = draws.shuffled(sorted((c for c in cases if c.operator == operator), key=lambda c: c.case_id))
        taken: dict[str, int] = defaultdict(int)
        ranked = []
        for case in shuffled:
            ranked.append((taken[case.family], len(ranked), case))
            taken[case.family] += 1
        queues[operator] = [case for turn, _, case in sorted(ranked, key=lambda r: r[:2]) if turn < PER_FAMILY]
    chosen: list[JudgeCase] = []
    while len(chosen) < most and any(queues.values()):
        for queue in queues.values():
            if queue and len(chosen) < most:
                chosen.append(queue.pop(0))
    return chosen


def counts(cases: Iterable[JudgeCase]) -> dict[str, dict[str, int]]:
    """How many cases each half holds of each operator, zeros included."""
    table = Counter((case.half, case.operator) for case in cases)
    return {half: {operator: table[half, operator] for operator in OPERATORS} for half in HALVES}
