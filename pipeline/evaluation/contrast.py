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

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pipeline.corpus.sample.draws import Draws
from pipeline.evaluation import contrast_templates as t
from pipeline.evaluation.clause_facts import facts, flat
from pipeline.types import Chunk

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
    """``base`` and ``changed`` differ in what the operator changed. ``ceiling`` says, for the confusion
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
    base, changed, ceiling = MAKERS[operator](frame, draws)
    return _pair(operator, "template", f"frame:{name}", base, changed, EXPECTED[operator], ceiling)


def _pair(
    operator: str, source: str, family: str, base: str, changed: str, expected: str, ceiling: tuple[str, str] = ("", "")
) -> Pair:
    digest = hashlib.sha256(f"{operator}\0{base}\0{changed}".encode()).hexdigest()[:10]
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
Maker = Callable[[str, Draws], tuple[str, str, tuple[str, str]]]


def _cap_removed(frame: str, draws: Draws) -> tuple[str, str, tuple[str, str]]:
    drawn = t.draw(draws)
    return drawn.clause(frame), drawn.fill(draws.pick(t.NO_CEILING)), _OPENED


def _cap_made_unlimited(frame: str, draws: Draws) -> tuple[str, str, tuple[str, str]]:
    drawn = t.draw(draws)
    return drawn.clause(frame), drawn.fill(draws.pick(t.UNLIMITED)), _OPENED


def _carve_out_swallows_cap(frame: str, draws: Draws) -> tuple[str, str, tuple[str, str]]:
    drawn = t.draw(draws)
    wide = (*drawn.exceptions[:1], draws.pick(t.SWALLOWING))
    return drawn.clause(frame), drawn.clause(frame, exceptions=wide), _OPENED


def _waiver_made_total(frame: str, draws: Draws) -> tuple[str, str, tuple[str, str]]:
    drawn = t.draw(draws)
    return drawn.fill(frame), drawn.fill(draws.pick(t.EXCLUDED)), ("", "")


def _mutual_made_one_sided(frame: str, draws: Draws) -> tuple[str, str, tuple[str, str]]:
    drawn = t.draw(draws)
    return drawn.clause(frame), drawn.clause(frame, own=f"{drawn.names[0]}'s"), _CAPPED


def _multiple_raised(frame: str, draws: Draws) -> tuple[str, str, tuple[str, str]]:
    low, high = (t.MULTIPLE_CAP.format(multiple=draws.pick(m)) for m in (t.LOW_MULTIPLES, t.HIGH_MULTIPLES))
    drawn = t.draw(draws, low)
    return drawn.clause(frame), drawn.clause(frame, cap=high), _CAPPED


def _amount_redacted(frame: str, draws: Draws) -> tuple[str, str, tuple[str, str]]:
    drawn = t.draw(draws, draws.pick(t.SUMS))
    return drawn.clause(frame), drawn.clause(frame, cap=draws.pick(t.REDACTED)), _CAPPED


def _moved(frame: str, draws: Draws) -> tuple[str, str, tuple[str, str]]:
    drawn = t.draw(draws)
    elsewhere = draws.pick(t.ELSEWHERE).format(number=2 + draws.below(12))
    return drawn.clause(frame), drawn.clause(frame, cap=elsewhere), _CAPPED


def _names_changed(frame: str, draws: Draws) -> tuple[str, str, tuple[str, str]]:
    drawn = t.draw(draws)
    owned = f"{drawn.names[0]}'s"
    base = drawn.clause(frame, own=owned)
    return base, _renamed(base, dict(zip(drawn.names, draws.pick(t.OTHER_NAMES), strict=True))), _CAPPED


def _renumbered(frame: str, draws: Draws) -> tuple[str, str, tuple[str, str]]:
    text, number = t.draw(draws).clause(frame), 2 + draws.below(9)
    return f"{number}.1 {text}", f"{number + 6}.3 {text}", _CAPPED


def _case_changed(frame: str, draws: Draws) -> tuple[str, str, tuple[str, str]]:
    text = t.draw(draws).clause(frame)
    return text, text.upper(), _CAPPED


def _whitespace_changed(frame: str, draws: Draws) -> tuple[str, str, tuple[str, str]]:
    text = t.draw(draws).clause(frame)
    return text, broken(text, draws), _CAPPED


def _exceptions_reordered(frame: str, draws: Draws) -> tuple[str, str, tuple[str, str]]:
    drawn = t.draw(draws)
    return drawn.clause(frame), drawn.clause(frame, exceptions=drawn.exceptions[::-1]), _CAPPED


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

_NEITHER = re.compile(r"\bneither\s+party\s+(?P<modal>shall|will)\s+be\s+liable\b(?!\s+to\s+(?!the\s+other))", re.I)
_EITHER = re.compile(
    r"\bin\s+no\s+event\s+(?P<modal>shall|will)\s+either\s+party\s+be\s+liable\b(?!\s+to\s+(?!the\s+other))", re.I
)
_EXCEED = re.compile(
    r"\b(?:each|either)\s+party's\s+(?P<what>(?:\w+\s+){0,3}?liability)(?P<scope>[^.;]{0,80}?)\s+(?:shall|will)\s+"
    r"not\s+exceed\s+[^.;]+",
    re.I,
)


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

    if read.mutual and not read.excepts and read.indirect_only and (one_sided := _made_one_sided(text)):
        yield pair("mutual_made_one_sided", one_sided, NOT_BETTER)
    unlimited = _EXCEED.sub(r"each party's \g<what>\g<scope> shall be unlimited", text, count=1)
    if unlimited != text and len(read.sentences) == 1 and "except" not in text.lower():
        yield pair("cap_made_unlimited", unlimited, HIGH, _OPENED)
    if read.protected:
        names = {
            name.removeprefix("the "): new for name, new in zip(_names(read), draws.pick(t.OTHER_NAMES), strict=False)
        }
        renamed = _renamed(text, names)
        if renamed != text:
            yield pair("names_changed", renamed, SAME)
    renumbered = re.sub(r"(?<=\bSection )(\d{1,2})(?=[.\s,;)(])", lambda m: str(int(m[1]) + 3), text, flags=re.I)
    if renumbered != text:
        yield pair("renumbered", renumbered, SAME)
    yield pair("case_changed", text.lower() if text.isupper() else text.upper(), SAME)
    yield pair("whitespace_changed", broken(text, draws), SAME)


def _made_one_sided(text: str) -> str | None:
    """A mutual waiver as one party's own, or None where another word would still bind both."""
    for pattern in (_NEITHER, _EITHER):
        changed, count = pattern.subn(r"Supplier \g<modal> not be liable", text, count=1)
        if count:
            changed = re.sub(r"\bto\s+the\s+other(?:\s+party)?\b", "to Customer", changed, count=1, flags=re.I)
            changed = re.sub(r"\bsuch\s+party\b", "Supplier", changed, flags=re.I)
            still = re.search(
                r"\b(?:(?:either|neither|each|both|a|any|other)\s+part(?:y|ies)|parties)\b", changed, re.I
            )
            return None if still else changed.upper() if text.isupper() else changed
    return None


def _names(read) -> list[str]:
    return [name for name in (read.protected, read.counterparty) if name]


def _renamed(text: str, names: dict[str, str]) -> str:
    """Each name replaced wherever it stands as a whole word, in capitals where it stands in capitals."""
    for old, new in names.items():
        text = re.sub(
            rf"\b{re.escape(old)}\b",
            lambda m, new=new: new.upper() if m[0].isupper() and len(m[0]) > 1 else new,
            text,
            flags=re.IGNORECASE,
        )
    return text


def broken(text: str, draws: Draws) -> str:
    """The same words over several lines, with doubled blanks here and there."""
    words = text.split(" ")
    gaps = [draws.pick((" ", " ", " ", "  ", "\n", "\n      ")) for _ in words[1:]]
    return words[0] + "".join(gap + word for gap, word in zip(gaps, words[1:], strict=True))
