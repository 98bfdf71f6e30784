"""The six positions, each from the judged acts of a clause, with the words it rests on."""

from __future__ import annotations

import re

from pipeline.base.types import Level
from pipeline.standard.acts import ActKind
from pipeline.standard.exceptions import Item, Kind, one_sided
from pipeline.standard.exposures import ANSWERS_FOR, GROSS_ONLY, IN_FULL, LIMITED_RECOURSE
from pipeline.standard.finder import WITHOUT_LIMIT
from pipeline.standard.grammar import Pattern, span_of
from pipeline.standard.heads import INDIRECT, PROFITS
from pipeline.standard.judged import Judged, JudgedAct
from pipeline.standard.names import MUTUAL, same_party
from pipeline.standard.parties import Side
from pipeline.standard.redaction import REDACTION
from pipeline.standard.text import Span
from pipeline.standard.waivers import GIVING_UP
from pipeline.standard.wording import Evidence

BINDING = (ActKind.WAIVER, ActKind.CAP, ActKind.REMEDY, ActKind.TIME_BAR, ActKind.SURVIVAL)
GROSS_FAULT = ("gross negligence", "wilful misconduct", "fraud")
#: Verb phrases whose object may be a cause instead of a loss.
FREEING = ("in no event liable", "neither liable", "not liable", "no liability")
#: A party that answers for its own ordinary fault is not free of all liability.
FAULT = Pattern("ordinary fault", r"(?<!gross )(?<!grossly )\b(?:negligent(?:ly)?|negligence|fault)\b")
BY_LAW = Pattern(
    "as far as the law permits",
    r"\bto the (?:\w+ )?extent (?:permitted|permissible|allowed|allowable|possible) (?:by|under|at) "
    r"(?:\w+ )?(?:laws?|statutes?)\b",
)
EXCUSE = Pattern(
    "excuse",
    r"\bforce majeure\b|\bacts? of god\b|\bbeyond (?:its|the|their|such party's) (?:\w+ )?control\b",
)
_FOR = re.compile(r"\bfor (?:any|all|the|its|acts?|errors?|delays?|fail\w+|[a-z]+s)\b")
_LIABILITY_OF = re.compile(
    r"\bliabilit(?:y|ies) of (?:the )?(?!any\b|each|either|neither|both|an?\b|the part|such|part)[a-z0-9]"
)
DIRECT_ONLY = ("only direct", "limited to direct", "none but direct")


def read_p1(judged: Judged, acts: list[JudgedAct]) -> Evidence | None:
    """Mutuality: every limit both ways, one party alone, or one limited and the other exposed."""
    binding = [a for a in acts if a.act.kind in BINDING]
    exposing = [a for a in acts if a.act.kind is ActKind.EXPOSURE]
    if not binding and not exposing:
        return _carved_p1(judged, acts)
    one = [a for a in binding or exposing if a.bound.side is Side.ONE]
    open_ended = [a for a in exposing if a.act.name in (WITHOUT_LIMIT, IN_FULL.name) and a.bound.side is Side.ONE]
    if one and binding and any(not same_party(a.bound.name, b.bound.name) for a in open_ended for b in one):
        return Evidence(Level.OFF, "one exposed", (one[0].bound.span, open_ended[0].act.trigger))
    unlimited = [a for a in open_ended if a.act.name == WITHOUT_LIMIT]
    if unlimited and any(a.bound.side is Side.BOTH for a in binding):
        return Evidence(Level.OFF, "exposed alone", (unlimited[0].act.trigger,))
    single = [a for a in one if not _mirrored(a, one)] or (_answering(acts) if binding else [])
    if single:
        return Evidence(Level.DEPARTS, "one party", (single[0].bound.span,))
    if one:
        return Evidence(Level.MEETS, "mirrored", (one[0].bound.span, one[-1].bound.span))
    if exposed := _exposing(judged):
        return exposed
    sides = [a for a in binding or exposing if a.bound.side is Side.BOTH]
    if sides:
        return Evidence(Level.MEETS, "mutual", (sides[0].bound.span,))
    named = [a for a in binding if a.act.kind in (ActKind.WAIVER, ActKind.CAP, ActKind.TIME_BAR)]
    if named:
        return Evidence(Level.MEETS, "nobody named", (named[0].act.trigger,))
    return None


def _exposing(judged: Judged) -> Evidence | None:
    """The exception that exposes one party: all of them, or one that swallows the rule for that party."""
    item = _exposing_item(judged)
    return Evidence(Level.DEPARTS, "one-sided exception", (item.span,)) if item else None


def _exposing_item(judged: Judged) -> Item | None:
    text = judged.clause.norm
    if one_sided(list(judged.items)):
        return next(item for item in judged.items if item.party)
    for item in judged.items:
        if item.kind is Kind.WIDE and (item.party or _LIABILITY_OF.search(text, item.span.start, item.span.end)):
            return item
    return None


def _answering(acts: list[JudgedAct]) -> list[JudgedAct]:
    """One party made to answer for indirect loss, whatever a limit for both sides says beside it."""
    return [
        a
        for a in acts
        if a.act.name == ANSWERS_FOR.name
        and a.bound.side is Side.ONE
        and INDIRECT.found(a.found.masked, Span(a.act.trigger.start, a.act.body.end))
    ]


def _mirrored(act: JudgedAct, others: list[JudgedAct]) -> bool:
    """Another act of the same kind protects another party; "A's sole remedy, B's sole liability" are
    one limit seen from both ends and mirror nothing."""
    if act.act.kind is ActKind.REMEDY:
        return False
    gives = act.act.name in GIVING_UP
    for other in others:
        # "A is not liable, and B waives all claims" serves A alone: who gives up is not who is protected.
        if other.act.kind is not act.act.kind or not (act.bound.name and other.bound.name):
            continue
        same_role = (other.act.name in GIVING_UP) is gives
        if other is not act and same_role is not same_party(act.bound.name, other.bound.name):
            return True
    return False


def _carved_p1(judged: Judged, acts: list[JudgedAct]) -> Evidence | None:
    carved = [a for a in acts if a.act.kind is ActKind.CARVE_OUT]
    if not carved:
        return None
    text = judged.clause.norm
    if exposed := _exposing(judged):
        return exposed
    one = [a for a in carved if a.bound.side is Side.ONE]
    if one:
        return Evidence(Level.DEPARTS, "one party", (one[0].bound.span,))
    mutual = next((m for a in carved if (m := MUTUAL.search(text, a.act.sentence))), None)
    if mutual:
        return Evidence(Level.MEETS, "mutual", (span_of(mutual),))
    return Evidence(Level.MEETS, "nobody named", (carved[0].act.trigger,))


def read_p2_p3(acts: list[JudgedAct]) -> dict[str, Evidence]:
    """Ceiling basis and level: the worst of the ceilings that can be read."""
    # A share of a sum that stands elsewhere still has a level: the clause's own basis is what it names.
    ceilings = [a.ceiling for a in acts if a.ceiling and (a.ceiling.readable or a.ceiling.level_words)]
    found: dict[str, Evidence] = {}
    unlimited = [a for a in acts if a.act.kind is ActKind.EXPOSURE and a.act.name == WITHOUT_LIMIT]
    for c in ceilings:
        if c.basis is Level.DEPARTS:
            reason = "narrow basis" if c.level_words else "narrow remedy"
            found["P2"] = Evidence(Level.DEPARTS, reason, (c.basis_words,))
        elif c.basis is Level.MEETS and "P2" not in found:
            found["P2"] = Evidence(Level.MEETS, "stated sum" if c.stated else "fees", (c.basis_words,))
        if c.level is Level.DEPARTS:
            found["P3"] = Evidence(Level.DEPARTS, "level out of range", (c.level_words,))
        elif c.level is Level.MEETS and "P3" not in found:
            found["P3"] = Evidence(Level.MEETS, "fair level", (c.level_words,))
    if unlimited:
        found["P2"] = Evidence(Level.OFF, "unlimited", (unlimited[0].act.trigger,))
    return found


def read_p4(judged: Judged, acts: list[JudgedAct]) -> Evidence | None:
    """Indirect loss: the worst of the exclusions."""
    read = [e for a in acts if (e := _p4_of(judged, a, acts))]
    for level in (Level.OFF, Level.DEPARTS, Level.MEETS):
        for evidence in read:
            if evidence.level is level:
                return evidence
    return None


def _p4_of(judged: Judged, act: JudgedAct, acts: list[JudgedAct]) -> Evidence | None:
    text = act.found.masked
    if act.act.kind is ActKind.CAP:
        window = Span(act.act.subject.start, act.act.trigger.start)
        capped = INDIRECT.search(text, window) or PROFITS.search(text, window)
        if capped and act.bound.side is Side.ONE and not _with_direct(text, capped.start()):
            return Evidence(Level.DEPARTS, "indirect capped", (span_of(capped),))
        return None
    if act.act.kind is not ActKind.WAIVER or act.why or act.heads is None:
        return None
    loss = act.heads
    others = [a for a in acts if a.act.kind is ActKind.WAIVER and a.bound.side is Side.ONE]
    one = act.bound.side is Side.ONE and not _mirrored(act, others)
    if act.act.name in DIRECT_ONLY:
        # Beside a waiver of punitive damages "actual damages" are all that compensate.
        compensating = "direct" not in text[act.act.trigger.start : act.act.trigger.end]
        if compensating and any(a.heads and a.heads.punitive_only for a in acts):
            return None
        reason = "indirect one-sided" if one else "direct only"
        return Evidence(Level.DEPARTS if one else Level.MEETS, reason, (act.act.trigger,))
    words = loss.direct or loss.indirect or loss.profits
    if loss.punitive_only:
        return None
    if act.act.name == GROSS_ONLY.name:
        return Evidence(Level.OFF, "gross fault only", (act.act.trigger,))
    spared = _only_gross_fault(act) and not (loss.indirect or loss.profits)
    wholly = loss.everything and one and not any(FAULT.found(judged.clause.norm, item.span) for item in act.found.items)
    if (spared or wholly) and not loss.narrow:
        return Evidence(Level.OFF, "everything excluded", (words or act.act.trigger,))
    if words is None:
        if not (loss.everything or _frees_of(act)):
            return None
        words = act.act.trigger
    if one:
        return Evidence(Level.DEPARTS, "indirect one-sided", (loss.indirect or words,))
    if loss.direct or loss.everything or not (loss.indirect or loss.profits):
        return Evidence(Level.DEPARTS, "direct reached", (words,))
    return Evidence(Level.MEETS, "indirect excluded", (words,))


def _frees_of(act: JudgedAct) -> bool:
    """Freed of liability for a subject ("not liable for any defect"), whatever the loss is."""
    text, body = act.found.masked, act.act.body
    return act.act.name in FREEING and bool(_FOR.search(text, body.start, body.end)) and not EXCUSE.found(text, body)


def _only_gross_fault(act: JudgedAct) -> bool:
    """Whether all that is excepted is gross negligence, wilful misconduct or fraud."""
    subjects = [item.subject for item in act.found.items]
    return any(s in GROSS_FAULT[:2] for s in subjects) and all(s in GROSS_FAULT for s in subjects)


def _with_direct(text: str, start: int) -> bool:
    """ "direct or indirect": the cap is on loss of both kinds."""
    return "direct" in text[max(0, start - 14) : start]


def read_p5(judged: Judged, acts: list[JudgedAct]) -> tuple[Evidence, list[str]]:
    """Self-contained: at least one act that can be judged from the clause's own words."""
    if any(found.denied for found in judged.found):
        return Evidence(Level.FAILS, "nothing operative"), ["denied"]
    readable = [a for a in acts if not a.why]
    if readable:
        return Evidence(Level.MEETS, "operative words", (readable[0].act.trigger,)), []
    reasons = [a.why for a in acts] or ["fragment" if judged.fragment else "not about liability"]
    return Evidence(Level.FAILS, "nothing operative"), reasons


_DEPARTING = {
    Kind.OUTSIDE: "exception outside",
    Kind.NUMBER: "exception by number",
    Kind.OPEN: "exception open",
}


def read_p6(judged: Judged, acts: list[JudgedAct]) -> Evidence | None:
    """Carve-outs: a ceiling needs one; none may lie outside the list or swallow the rule."""
    items = judged.items if acts else ()  # an exception to nothing that can be read is none
    for item in items:
        if item.kind is Kind.WIDE:
            return Evidence(Level.OFF, "exception wide", (item.span,))
    for item in items:
        if item.kind in _DEPARTING:
            return Evidence(Level.DEPARTS, _DEPARTING[item.kind], (item.span,))
    for act in acts:
        if act.act.name == GROSS_ONLY.name:
            return Evidence(Level.MEETS, "permitted exception", (act.act.trigger,))
        bare = act.act.kind is ActKind.CAP and act.why in ("", "redacted") and not judged.items_for(act.found)
        if bare and not any(_redacted(judged, r) for r in act.found.regions):
            reason = "recourse without exception" if act.act.name == LIMITED_RECOURSE.name else "no exception"
            return Evidence(Level.DEPARTS, reason, (act.act.trigger,))
    for item in items:
        if item.kind is Kind.PERMITTED:
            return Evidence(Level.MEETS, "permitted exception", (item.span,))
    for act in acts:  # a ceiling wants an exception with a subject; a waiver yields to the law at least
        lawful = act.act.kind is ActKind.WAIVER and not act.why and BY_LAW.search(judged.clause.norm, act.act.sentence)
        if lawful:
            return Evidence(Level.MEETS, "permitted exception", (span_of(lawful),))
    return None


def _redacted(judged: Judged, region: Span) -> bool:
    return REDACTION.found(judged.clause.norm, region)
