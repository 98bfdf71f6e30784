"""Minimal pairs: one change to a clause that must move the answer in a known direction, or must not.

Pairs come from own-written templates and, at run time, from library clauses; no contract text is kept
in git. What is expected of a pair:

- ``high``: the changed clause is called high, the other is not (*critical*: a miss is dangerous);
- ``worse``: both are answered, and the changed one is riskier;
- ``not_better``: both are answered, the changed one is not less risky, and riskier where the other
  was acceptable;
- ``abstain``: the changed clause can no longer be judged, and the other was;
- ``same``: the same verdict for both, abstention included.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pipeline.base.types import Chunk
from pipeline.corpus.normalise import sha256
from pipeline.corpus.sample.draws import Draws
from pipeline.evaluation import contrast_templates as t
from pipeline.evaluation.clause_facts import facts, flat
from pipeline.evaluation.contrast_ceilings import (
    made_mutual,
    multiplied,
    swallowed_by_exception,
    with_ceiling,
    without_ceiling,
)
from pipeline.evaluation.contrast_changes import (
    broken,
    made_one_sided,
    made_total,
    renamed,
    subjects_swapped,
    with_exceptions,
)

HIGH, WORSE, NOT_BETTER, ABSTAIN, SAME = "high", "worse", "not_better", "abstain", "same"
#: Operators whose changed clause exposes or strips a party entirely.
CRITICAL = ("cap_removed", "cap_made_unlimited", "carve_out_swallows_cap", "waiver_made_total")
MOVING = (*CRITICAL, "mutual_made_one_sided", "multiple_raised", "amount_redacted", "moved_to_other_section")
KEEPING = ("names_changed", "renumbered", "case_changed", "whitespace_changed", "exceptions_reordered")
OPERATORS = (*MOVING, *KEEPING)
#: Pairs from templates: of each critical operator, of each other one.
PER_CRITICAL, PER_OTHER = 48, 20
#: Pairs from library clauses, of each operator.
PER_LIBRARY = 24


@dataclass(frozen=True, slots=True)
class Pair:
    """``base`` and ``changed`` differ in what the operator changed. ``family`` is what pairs are clustered
    by: the contract family, or the own-written template that is tested. ``ceiling`` says, for the confusion
    of capped with uncapped, what each of the two is: ``capped``, ``uncapped`` or empty."""

    pair_id: str
    operator: str
    source: str
    family: str
    base: str
    changed: str
    expected: str
    ceiling: tuple[str, str] = ("", "")

    @property
    def critical(self) -> bool:
        return self.operator in CRITICAL


def contrast_pairs(chunks: Sequence[Chunk], seed: int) -> list[Pair]:
    """Pairs from templates and from library ``chunks``, sorted by id; the same for the same seed."""
    pairs = {pair.pair_id: pair for pair in (*template_pairs(seed), *library_pairs(chunks, seed))}
    return sorted(pairs.values(), key=lambda pair: pair.pair_id)


def template_pairs(seed: int) -> Iterator[Pair]:
    for operator in OPERATORS:
        wanted = PER_CRITICAL if operator in CRITICAL else PER_OTHER
        made: dict[str, Pair] = {}
        for turn in range(wanted * 20):
            pair = _from_template(operator, turn, Draws(seed, "contrast", operator, turn))
            made.setdefault(pair.pair_id, pair)
            if len(made) == wanted:
                break
        yield from made.values()


def _from_template(operator: str, turn: int, draws: Draws) -> Pair:
    frames = t.WAIVERS if operator == "waiver_made_total" else t.CEILINGS
    names = t.ONE_SENTENCE if EXPECTED[operator] == ABSTAIN else tuple(frames)
    name = names[turn % len(names)]
    frame = frames[name]
    made = MAKERS[operator](frame, draws)
    cluster = f"changed:{made.tested}" if made.tested else f"frame:{name}"
    return _pair(operator, "template", cluster, made.base, made.changed, EXPECTED[operator], made.ceiling)


def _pair(
    operator: str, source: str, family: str, base: str, changed: str, expected: str, ceiling: tuple[str, str] = ("", "")
) -> Pair:
    digest = sha256(f"{operator}\0{base}\0{changed}")[:10]
    return Pair(f"{operator}-{digest}", operator, source, family, base, changed, expected, ceiling)


EXPECTED = {
    **dict.fromkeys(CRITICAL, HIGH),
    "mutual_made_one_sided": WORSE,
    "multiple_raised": WORSE,
    "amount_redacted": ABSTAIN,
    "moved_to_other_section": ABSTAIN,
    **dict.fromkeys(KEEPING, SAME),
}
_CAPPED, _OPENED = ("capped", "capped"), ("capped", "uncapped")


class Made(NamedTuple):
    """The two clauses; ``tested`` is the own-written template that the changed one rests on, where it
    is not the frame of both: then it, and not the frame, is what the pair gives evidence of."""

    base: str
    changed: str
    ceiling: tuple[str, str] = ("", "")
    tested: str = ""


Maker = Callable[[str, Draws], Made]


def _cap_removed(frame: str, draws: Draws) -> Made:
    drawn = t.draw(draws)
    said = draws.pick(t.NO_CEILING)
    return Made(drawn.clause(frame), drawn.fill(said), _OPENED, said)


def _cap_made_unlimited(frame: str, draws: Draws) -> Made:
    drawn = t.draw(draws)
    said = draws.pick(t.UNLIMITED)
    return Made(drawn.clause(frame), drawn.fill(said), _OPENED, said)


def _carve_out_swallows_cap(frame: str, draws: Draws) -> Made:
    drawn = t.draw(draws)
    said = draws.pick(t.SWALLOWING)
    return Made(drawn.clause(frame), drawn.clause(frame, exceptions=(*drawn.exceptions[:1], said)), _OPENED, said)


def _waiver_made_total(frame: str, draws: Draws) -> Made:
    drawn = t.draw(draws)
    said = draws.pick(t.EXCLUDED)
    return Made(drawn.fill(frame), drawn.fill(said), tested=said)


def _mutual_made_one_sided(frame: str, draws: Draws) -> Made:
    drawn = t.draw(draws)
    return Made(drawn.clause(frame), drawn.clause(frame, own=f"{drawn.names[0]}'s"), _CAPPED)


def _multiple_raised(frame: str, draws: Draws) -> Made:
    low, high = (t.MULTIPLE_CAP.format(multiple=draws.pick(m)) for m in (t.LOW_MULTIPLES, t.HIGH_MULTIPLES))
    drawn = t.draw(draws, low)
    return Made(drawn.clause(frame), drawn.clause(frame, cap=high), _CAPPED)


def _amount_redacted(frame: str, draws: Draws) -> Made:
    drawn = t.draw(draws, draws.pick(t.SUMS))
    return Made(drawn.clause(frame), drawn.clause(frame, cap=draws.pick(t.REDACTED)), _CAPPED)


def _moved(frame: str, draws: Draws) -> Made:
    drawn = t.draw(draws)
    elsewhere = draws.pick(t.ELSEWHERE).format(number=2 + draws.below(12))
    return Made(drawn.clause(frame), drawn.clause(frame, cap=elsewhere), _CAPPED)


def _names_changed(frame: str, draws: Draws) -> Made:
    drawn = t.draw(draws)
    owned = f"{drawn.names[0]}'s"
    base = drawn.clause(frame, own=owned)
    return Made(base, renamed(base, dict(zip(drawn.names, draws.pick(t.OTHER_NAMES), strict=True))), _CAPPED)


def _renumbered(frame: str, draws: Draws) -> Made:
    text, number = t.draw(draws).clause(frame), 2 + draws.below(9)
    return Made(f"{number}.1 {text}", f"{number + 6}.3 {text}", _CAPPED)


def _case_changed(frame: str, draws: Draws) -> Made:
    text = t.draw(draws).clause(frame)
    return Made(text, text.upper(), _CAPPED)


def _whitespace_changed(frame: str, draws: Draws) -> Made:
    text = t.draw(draws).clause(frame)
    return Made(text, broken(text, draws), _CAPPED)


def _exceptions_reordered(frame: str, draws: Draws) -> Made:
    drawn = t.draw(draws)
    return Made(drawn.clause(frame), drawn.clause(frame, exceptions=drawn.exceptions[::-1]), _CAPPED)


MAKERS: dict[str, Maker] = {
    "cap_removed": _cap_removed,
    "cap_made_unlimited": _cap_made_unlimited,
    "carve_out_swallows_cap": _carve_out_swallows_cap,
    "waiver_made_total": _waiver_made_total,
    "mutual_made_one_sided": _mutual_made_one_sided,
    "multiple_raised": _multiple_raised,
    "amount_redacted": _amount_redacted,
    "moved_to_other_section": _moved,
    "names_changed": _names_changed,
    "renumbered": _renumbered,
    "case_changed": _case_changed,
    "whitespace_changed": _whitespace_changed,
    "exceptions_reordered": _exceptions_reordered,
}


def library_pairs(chunks: Sequence[Chunk], seed: int) -> Iterator[Pair]:
    """At most :data:`PER_LIBRARY` pairs of each operator, one a contract family."""
    taken: dict[str, set[str]] = {}
    ordered = Draws(seed, "contrast", "library").shuffled(sorted(chunks, key=lambda chunk: chunk.chunk_id))
    for chunk in ordered:
        for pair in _from_library(chunk, Draws(seed, "contrast", chunk.chunk_id)):
            families = taken.setdefault(pair.operator, set())
            if chunk.family not in families and len(families) < PER_LIBRARY:
                families.add(chunk.family)
                yield pair


def _from_library(chunk: Chunk, draws: Draws) -> Iterator[Pair]:
    text, read = flat(chunk.text), facts(chunk.text)

    def pair(operator: str, changed: str, expected: str, ceiling: tuple[str, str] = ("", "")) -> Pair:
        return _pair(operator, "library", chunk.family, text, changed, expected, ceiling)

    if read.mutual and not read.excepts and read.indirect_only:
        if one_sided := made_one_sided(text):
            yield pair("mutual_made_one_sided", one_sided, NOT_BETTER)
        if total := made_total(text, read):
            yield pair("waiver_made_total", total, HIGH)
    opened = {
        "cap_removed": without_ceiling(text, read, "shall not be limited in amount"),
        "cap_made_unlimited": without_ceiling(text, read, "shall be unlimited"),
        "carve_out_swallows_cap": swallowed_by_exception(text, read, draws),
    }
    yield from (pair(operator, changed, HIGH, _OPENED) for operator, changed in opened.items() if changed)
    if read.protected:
        names = {
            name.removeprefix("the "): new for name, new in zip(_names(read), draws.pick(t.OTHER_NAMES), strict=False)
        }
        with_others = renamed(text, names)
        if with_others != text:
            yield pair("names_changed", with_others, SAME)
    renumbered = re.sub(r"(?<=\bSection )(\d{1,2})(?=[.\s,;)(])", lambda m: str(int(m[1]) + 3), text, flags=re.I)
    if renumbered != text:
        yield pair("renumbered", renumbered, SAME)
    yield pair("case_changed", text.lower() if text.isupper() else text.upper(), SAME)
    yield pair("whitespace_changed", broken(text, draws), SAME)
    multiple, permitted = draws.pick(t.HIGH_MULTIPLES), draws.sample(t.EXCEPTIONS, 2)
    if (mutual := made_mutual(text, read)) and (raised := multiplied(mutual, facts(mutual), multiple)):
        # As it stands the ceiling serves one party or has no exceptions, and a higher one could not be worse.
        sides = (with_exceptions(side, facts(side), permitted) for side in (mutual, raised))
        yield _pair("multiple_raised", "library", chunk.family, *sides, WORSE, _CAPPED)
    elif raised := multiplied(text, read, multiple):
        yield pair("multiple_raised", raised, NOT_BETTER, _CAPPED)
    if redacted := with_ceiling(text, read, draws.pick(t.REDACTED)):
        elsewhere = draws.pick(t.ELSEWHERE).format(number=2 + draws.below(12))
        yield pair("amount_redacted", redacted, ABSTAIN, _CAPPED)
        yield pair("moved_to_other_section", with_ceiling(text, read, elsewhere), ABSTAIN, _CAPPED)
    subjects = draws.sample((*t.EXCEPTIONS, t.NOT_PERMITTED), 3)
    if swapped := subjects_swapped(text):
        yield pair("exceptions_reordered", swapped, SAME)
    elif excepting := with_exceptions(text, read, subjects):
        # The clause has no exception to reorder: both sides carry one more sentence.
        reordered = with_exceptions(text, read, subjects[::-1])
        yield _pair("exceptions_reordered", "library", chunk.family, excepting, reordered, SAME)


def _names(read) -> list[str]:
    return [name for name in (read.protected, read.counterparty) if name]
