"""The reader of liability clauses: positions P1 to P6 from the words, verdict and band by the rules.

Deterministic and total: every string gives a ``Reading``, and a text that cannot be read (redacted,
cut off, pointing elsewhere, not about liability, longer than a clause) gives P5 ``fails``.
"""

from __future__ import annotations

from collections.abc import Mapping

from pipeline.base.types import POSITIONS, Level, PositionReading, Verdict
from pipeline.standard.acts import MOST_ACTS, ActKind
from pipeline.standard.exceptions import Kind
from pipeline.standard.finder import find
from pipeline.standard.judged import Judged, cut_off, judge_act
from pipeline.standard.positions import read_p1, read_p2_p3, read_p4, read_p5, read_p6
from pipeline.standard.reading import Reading
from pipeline.standard.residue import unread, unread_exposure
from pipeline.standard.rules import band_of, critical_of, verdict_of
from pipeline.standard.text import Clause, read_text
from pipeline.standard.wording import Evidence, missing_sentences, note, quote_words

#: Longer than any clause of the corpus by far: beyond it the text is no clause.
MAX_CHARACTERS = 12_000


def read_clause(text: str) -> Reading:
    """Read one clause against the liability standard."""
    if not text.strip() or len(text) > MAX_CHARACTERS:
        return _unread(text[:MAX_CHARACTERS], "too long" if text.strip() else "empty")
    clause = read_text(text)
    judged = Judged(clause, tuple(find(clause)))
    if sum(len(found.acts) for found in judged.found) > MOST_ACTS:
        return _unread(text, "too long")
    acts = [judge_act(clause, found, act) for found in judged.found for act in found.acts]
    evidence = {
        "P1": read_p1(judged, acts),
        **read_p2_p3(acts),
        "P4": read_p4(judged, acts),
        "P6": read_p6(judged, acts),
    }
    evidence["P5"], missing = read_p5(judged, acts)
    verdict = verdict_of({name: found.level for name, found in evidence.items() if found})
    # Nothing is acceptable of which a sentence on liability was left out.
    if (verdict is Verdict.ACCEPTABLE and unread(judged)) or (verdict is Verdict.RISKY and unread_exposure(judged)):
        evidence["P5"], missing = Evidence(Level.FAILS, "left unread"), ["unread"]
    # One side's liability is excluded in words that break off: what for stays open.
    elif verdict in (Verdict.ACCEPTABLE, Verdict.RISKY) and any(cut_off(act) for act in acts):
        evidence["P5"], missing = Evidence(Level.FAILS, "left unread"), ["fragment"]
    return _reading(clause, {k: v for k, v in evidence.items() if v}, _kinds(judged, acts), missing)


def _unread(text: str, reason: str) -> Reading:
    failed = {"P5": Evidence(Level.FAILS, "nothing operative")}
    return _reading(read_text(text), failed, ("fragment",), [reason])


def _reading(clause: Clause, evidence: dict[str, Evidence], kinds: tuple[str, ...], missing: list[str]) -> Reading:
    positions = _positions(clause, evidence)
    verdict, critical = verdict_of(positions), critical_of(positions)
    return Reading(
        positions=positions,
        kinds=kinds,
        verdict=verdict,
        band=band_of(verdict, critical),
        critical=critical,
        notes={name: note(name, evidence[name], clause) for name in POSITIONS if name in evidence},
        missing=missing_sentences(missing),
        confident=positions["P5"].level is Level.MEETS,
    )


def _positions(clause: Clause, evidence: Mapping[str, Evidence | None]) -> dict[str, PositionReading]:
    return {
        name: PositionReading(found.level, tuple(w for s in found.spans if (w := quote_words(clause, s))))
        if (found := evidence.get(name))
        else PositionReading(Level.SILENT)
        for name in POSITIONS
    }


def _kinds(judged: Judged, acts: list) -> tuple[str, ...]:
    kinds = {act.act.kind for act in acts}
    names = [kind.value for kind in ActKind if kind in kinds and kind is not ActKind.SURVIVAL]
    if ActKind.SURVIVAL in kinds:
        names.append("time-bar")
    if (
        any(item.kind in (Kind.PERMITTED, Kind.OUTSIDE, Kind.NUMBER) for item in judged.items)
        and "carve-out" not in names
    ):
        names.append("carve-out")
    return tuple(names) or (("fragment",) if judged.fragment else ("not-liability",))
