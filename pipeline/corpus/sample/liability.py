"""Liability clauses with their labels, composed from parts whose levels are known.

A recipe says what a clause is to do; the wording is drawn. Positions follow from the recipe by the
rubric (version 1.1), verdict, bands and critical from the positions by ``rules``. Nothing here
reads the finished text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pipeline.base.types import POSITIONS, Level, Verdict
from pipeline.corpus.sample import liability_parts as parts
from pipeline.corpus.sample import liability_sentences as sentences
from pipeline.corpus.sample.draws import Draws
from pipeline.corpus.sample.liability_pieces import BOTH, CAP, PIECES, UNCAPPED, Piece
from pipeline.corpus.sample.liability_short import SHORT_PIECES
from pipeline.corpus.sample.markup import Span, expand, lower_first, strip_marks, upper_first
from pipeline.corpus.sample.recipes import RECIPES, Composed
from pipeline.corpus.sample.rules import verdict_of

ALL_PIECES: Mapping[str, Piece] = {**PIECES, **SHORT_PIECES}
_LETTERS = {"m": Level.MEETS, "d": Level.DEPARTS, "o": Level.OFF, "s": Level.SILENT, "f": Level.FAILS}
#: A quote is at most this long.
MAX_EVIDENCE_WORDS = 25
MAX_REASON_WORDS = 45
_CAPITALS = 0.3  # share of clauses printed in capitals, as such clauses often are


@dataclass(frozen=True, slots=True)
class LiabilityClause:
    """An annotated clause: ``before`` and ``after`` stand around it in its section, unannotated.

    ``evidence`` holds offsets into ``text``, one for each position that is not silent."""

    recipe: str
    before: str
    text: str
    after: str
    categories: tuple[str, ...]
    kinds: tuple[str, ...]
    positions: Mapping[str, Level]
    verdict: Verdict
    allowed: tuple[tuple[str, str], ...]
    evidence: tuple[tuple[int, int], ...]
    must_mention: tuple[str, ...]
    reason: str
    uncertainty: str | None = None


@dataclass(frozen=True, slots=True)
class _Draft:
    """A clause before its marks are taken out; ``¦`` parts before, text and after."""

    marked: str
    kinds: tuple[str, ...]
    positions: dict[str, Level]
    filings: tuple[tuple[str, ...], ...]
    points: tuple[str, ...]
    reason: str
    condition: str
    alternates: tuple[tuple[str, str], ...] = ()
    uncertainty: str | None = None


def compose(recipe: str, draws: Draws, slots: Mapping[str, str]) -> LiabilityClause:
    """Write one clause. ``slots`` names the parties ``a`` and ``b``, sums and section numbers."""
    spec = RECIPES[recipe][1]
    standard = draws.pick(parts.CEILINGS["standard"]).template
    filled = {**sentences.PHRASES, **slots, "standard": standard}
    draft = _from_piece(ALL_PIECES[recipe], draws, filled) if spec is None else _from_parts(spec, draws, filled)
    marked = draft.marked.upper() if draws.chance(_CAPITALS) else draft.marked
    before, marked_text, after = _split(marked)
    text, spans = strip_marks(upper_first(marked_text) if not before else marked_text)
    verdict = verdict_of(draft.positions)
    return LiabilityClause(
        recipe=recipe,
        before=before,
        text=text,
        after=after,
        categories=tuple(sorted(draws.pick(draft.filings))),
        kinds=draft.kinds,
        positions=draft.positions,
        verdict=verdict,
        allowed=((verdict.value, draft.condition), *draft.alternates),
        evidence=_evidence(text, spans, draft.positions),
        must_mention=draft.points[:3],
        reason=" ".join(draft.reason.split()[:MAX_REASON_WORDS]),
        uncertainty=draft.uncertainty,
    )


def _split(marked: str) -> tuple[str, str, str]:
    if "¦" not in marked:
        return "", marked, ""
    before, text, after = marked.split("¦")
    return before.strip(), text.strip(), strip_marks(after)[0].strip()


def _evidence(text: str, spans: list[Span], positions: Mapping[str, Level]) -> tuple[tuple[int, int], ...]:
    """One quote for each position that is not silent, its own words or else those that operate."""
    marks = {digit: span for span in reversed(spans) for digit in span.label}
    operative = next((marks[digit] for digit in "52461" if digit in marks), Span("", 0, len(text)))
    quotes = []
    for position in POSITIONS:
        if positions[position] != Level.SILENT:
            span = marks.get(position[1], operative)
            quotes.append((span.start, _at_most(text, span.start, span.end)))
    return tuple(quotes)


def _at_most(text: str, start: int, end: int) -> int:
    """The end of the first ``MAX_EVIDENCE_WORDS`` words of ``text[start:end]``."""
    words = 0
    in_word = False
    for at in range(start, end):
        if text[at].isspace():
            in_word = False
        elif not in_word:
            in_word = True
            words += 1
            if words > MAX_EVIDENCE_WORDS:
                return start + len(text[start:at].rstrip())
    return end


def _from_piece(piece: Piece, draws: Draws, slots: Mapping[str, str]) -> _Draft:
    def fill(template: str) -> str:
        return expand(template, draws, slots)

    return _Draft(
        marked=fill(draws.pick(piece.texts)),
        kinds=piece.kinds,
        positions={position: _LETTERS[letter] for position, letter in zip(POSITIONS, piece.levels, strict=True)},
        filings=piece.filings,
        points=tuple(fill(point) for point in piece.points),
        reason=upper_first(fill(piece.reason)),
        condition=piece.condition,
        alternates=piece.alternates,
        uncertainty=piece.uncertainty and fill(piece.uncertainty),
    )


def _from_parts(spec: Composed, draws: Draws, slots: Mapping[str, str]) -> _Draft:
    ceiling = draws.pick(parts.CEILINGS[spec.ceiling]) if spec.ceiling else None
    waiver = draws.pick(parts.WAIVERS[spec.waiver]) if spec.waiver else None
    exceptions = parts.EXCEPTIONS[spec.exceptions] if spec.exceptions else None
    positions = _positions(spec.mutual, ceiling, waiver, exceptions)
    filled = dict(slots)
    if ceiling:
        filled["ceiling"] = ceiling.template
    if waiver:
        filled["waived"] = waiver.template
    if exceptions:
        filled["excepted"] = _excepted(exceptions, draws)
    # Where nothing is excepted, the ceiling itself is what P6 rests on.
    marked = _clause(spec, exceptions, draws, filled).replace("⟦CAP:", "⟦23:" if exceptions else "⟦236:")
    points = _points(spec, ceiling, waiver, exceptions, draws, slots)
    return _Draft(
        marked=marked,
        kinds=_kinds(ceiling, waiver, exceptions),
        positions=positions,
        filings=_filings(ceiling, exceptions),
        points=points,
        reason=upper_first("; ".join(points)) + ".",
        condition=_condition(verdict_of(positions)),
        alternates=_alternates(spec, positions, ceiling, exceptions),
        uncertainty=exceptions.uncertainty if exceptions else None,
    )


def _positions(
    mutual: bool, ceiling: parts.Ceiling | None, waiver: parts.Waiver | None, exceptions: parts.Exceptions | None
) -> dict[str, Level]:
    """The rubric on the parts. A limit whose whole exception exposes one party departs on P1; a
    ceiling in money without exception departs on P6, a bare waiver is silent there; a missing
    amount fails P5 unless a waiver is left that operates."""
    both_ways = mutual and not (exceptions and exceptions.one_sided)
    unexcepted = Level.DEPARTS if ceiling and ceiling.money else Level.SILENT
    return {
        "P1": Level.MEETS if both_ways else Level.DEPARTS,
        "P2": ceiling.p2 if ceiling else Level.SILENT,
        "P3": ceiling.p3 if ceiling else Level.SILENT,
        "P4": Level.SILENT if waiver is None else waiver.level if mutual else Level.DEPARTS,
        "P5": Level.FAILS if ceiling and not ceiling.stated and waiver is None else Level.MEETS,
        "P6": exceptions.level if exceptions else unexcepted,
    }


def _excepted(exceptions: parts.Exceptions, draws: Draws) -> str:
    """The exceptions as one noun phrase; those that decide the level come last, as they often do."""
    count = exceptions.least + draws.below(exceptions.most - exceptions.least + 1)
    permitted = draws.sample(parts.EXCEPTIONS["listed"].items, draws.below(exceptions.listed + 1))
    items = permitted + draws.sample(exceptions.items, count)
    if len(items) > 2 and draws.chance(0.4):
        items = [f"({numeral}) {item}" for numeral, item in zip(("i", "ii", "iii", "iv", "v"), items, strict=False)]
    return ", ".join(items[:-1]) + (draws.pick((" or ", " and ")) if len(items) > 1 else "") + items[-1]


def _clause(spec: Composed, exceptions: parts.Exceptions | None, draws: Draws, slots: Mapping[str, str]) -> str:
    """The whole clause, marks in place: lead-in, ceiling, waiver, trailing exception."""

    def fill(*templates: str) -> str:
        return expand(draws.pick(templates), draws, slots)

    limits = []
    if spec.ceiling:
        limits.append(fill(*(sentences.CAP_MUTUAL if spec.mutual else sentences.CAP_ONE)))
    if spec.waiver:
        limits.append(fill(*(sentences.WAIVER_MUTUAL if spec.mutual else sentences.WAIVER_ONE)))
    limits = draws.shuffled(limits)
    if not limits:
        # Words that name no party run both ways.
        nobody = exceptions.one_sided or (exceptions.level == Level.MEETS and draws.chance(0.2))
        return fill(*(sentences.CARVE_OUT_ONE if nobody else sentences.CARVE_OUT_MUTUAL)) + "."
    if exceptions is None:
        return ". ".join(limits) + "."
    is_open = spec.exceptions == "open"
    if is_open or draws.chance(0.5):
        lead = fill(sentences.LEAD_OPEN if is_open else sentences.LEAD)
        if len(limits) == 1:
            return f"{lead}{lower_first(limits[0])}."
        # One exception to both limits has to say so: they are limbs of one sentence.
        return f"{lead}(a) {lower_first(limits[0])}; and (b) {lower_first(limits[1])}."
    if len(limits) == 1:
        return limits[0] + fill(*sentences.TRAIL) + "."
    return ". ".join([*limits, fill(*sentences.TRAIL_BOTH)]) + "."


def _kinds(
    ceiling: parts.Ceiling | None, waiver: parts.Waiver | None, exceptions: parts.Exceptions | None
) -> tuple[str, ...]:
    present = (("cap", ceiling), ("damages-waiver", waiver), ("carve-out", exceptions))
    return tuple(kind for kind, part in present if part)


def _filings(ceiling: parts.Ceiling | None, exceptions: parts.Exceptions | None) -> tuple[tuple[str, ...], ...]:
    """The category sets under which annotators file such clauses."""
    if exceptions is None:
        return ((CAP,),)
    if ceiling is None:
        return ((UNCAPPED,), BOTH)
    return (BOTH, BOTH, (CAP,), (UNCAPPED,))


def _points(
    spec: Composed,
    ceiling: parts.Ceiling | None,
    waiver: parts.Waiver | None,
    exceptions: parts.Exceptions | None,
    draws: Draws,
    slots: Mapping[str, str],
) -> tuple[str, ...]:
    """What any sound reason has to say, most telling first where there are more than three."""
    stands_alone = ceiling is None and waiver is None
    exposes_one = exceptions is not None and exceptions.one_sided
    points = ["stand-alone carve-out"] if stands_alone else []
    if not spec.mutual:
        points.append(expand("protects <a> only", draws, slots))
    elif not (stands_alone and exposes_one):
        points.append("runs both ways" if stands_alone else "the limit runs both ways")
    points += [part.point for part in (exceptions, ceiling, waiver) if part]
    if ceiling and ceiling.money and exceptions is None:
        points.append("no exception at all")
    return tuple(points)


def _condition(verdict: Verdict) -> str:
    return {
        Verdict.ACCEPTABLE: "on the words: nothing departs from the standard",
        Verdict.RISKY: "on the words: at least one position departs from the standard",
        Verdict.OFF_STANDARD: "ordinary breach is left without a ceiling",
        Verdict.INSUFFICIENT_GROUNDING: "the amount is not in the text",
    }[verdict]


def _alternates(
    spec: Composed,
    positions: Mapping[str, Level],
    ceiling: parts.Ceiling | None,
    exceptions: parts.Exceptions | None,
) -> tuple[tuple[str, str], ...]:
    """Other verdicts that a careful reader could defend from the words."""
    if positions["P5"] == Level.FAILS:
        readable = Level.DEPARTS in (positions["P1"], positions["P6"])
        return (("risky", "on what can be read, whatever the amount is"),) if readable and not spec.mutual else ()
    if ceiling and not ceiling.stated:
        return (("insufficient-grounding", "if the redacted ceiling is held to decide the clause"),)
    tested = [p for p in ("P1", "P2", "P3", "P4") if positions[p] in (Level.DEPARTS, Level.OFF)]
    if exceptions and exceptions.alternate and not tested:
        return (exceptions.alternate,)
    return ()
