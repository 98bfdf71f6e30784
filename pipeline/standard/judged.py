"""Acts judged one by one: who is bound, which amount, which heads, and whether it can be read."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property

from pipeline.base.types import Level
from pipeline.standard.acts import REACH, Act, ActKind
from pipeline.standard.carveouts import NAMED_HEADS
from pipeline.standard.ceiling import REMEDY, Ceiling, ceiling
from pipeline.standard.claimants import claimant, remedy_bound
from pipeline.standard.exceptions import Item, Kind
from pipeline.standard.exposures import BLACKED_OUT, GROSS_ONLY, HEADLESS, LIMITED_RECOURSE
from pipeline.standard.finder import WITHOUT_LIMIT, Found
from pipeline.standard.grammar import Pattern, span_of
from pipeline.standard.heads import INDIRECT, OWN_BREACH, Heads, heads
from pipeline.standard.names import MUTUAL
from pipeline.standard.numbers import MONEY
from pipeline.standard.parties import Bound, Side, bound, cap_bound
from pipeline.standard.redaction import REDACTION
from pipeline.standard.references import ELSEWHERE
from pipeline.standard.text import Clause, Span
from pipeline.standard.waivers import NO_CLAIM

NO_LIABILITY_ATTACHES = "no liability attaches"
LIABILITY_EXCLUDED = "liability excluded"
RELEASED = "released from liability"
LIABILITY_NIL = "liability nil"
DAMAGES_EXCLUDED = "damages excluded"
_BY = re.compile(r"\bby (?:the )?(?P<name>[a-z0-9&.' -]{2,40})$")
DAMAGES_NAMED = Pattern(
    "damages named",
    r"\b(?:monetary damages|money damages|specific performance|equitable relief|injuncti\w+|damages "
    r"(?:at law|available)|direct damages)\b",
)
ASSUMES = re.compile(
    r" ?(?:the )?(?P<name>(?!there|it|this|such|that)[a-z0-9&.\- ]{2,40}?) (?:hereby )?(?:shall |will )?"
    r"(?:assumes?|accepts?|bears?|undertakes?|does|do|have|has)\b"
)
_FOR_SOMETHING = re.compile(r"\b(?:for|from|caused|where|if|in respect|with respect|in connection|due to)\b")
EACH = re.compile(r"\b(?:each|both)\b")
AS_FOLLOWS = re.compile(r"[^.;]{0,40}?\b(?:as follows|the following)")
_APPLIES_TO = re.compile(r"\bno [^;]{0,60}?\bappl(?:y|ies) to (?:the )?(?P<name>[a-z0-9&.\-]+)$")
_COPULA = re.compile(r"\b(?:shall be|will be|shall|will|is|are|may|include|limited to)\b")
REMEDY_NAMED = Pattern(
    "remedy named",
    r"\b(?:terminat\w+|cancel\w*|out-of-pocket|reimburs\w+|liquidated damages|acquisition|return|payment)\b",
)
LIQUIDATED = Pattern("liquidated damages", r"\bliquidated damages\b")


@dataclass(frozen=True)
class Judged:
    """A clause with everything that was found in it."""

    clause: Clause
    found: tuple[Found, ...]

    @cached_property
    def items(self) -> tuple[Item, ...]:
        return tuple(item for found in self.found for item in found.items)

    @cached_property
    def shared_items(self) -> tuple[Item, ...]:
        """Exceptions that stand in a sentence of their own and so qualify the whole clause."""
        return tuple(
            item for found in self.found if any(a.kind is ActKind.CARVE_OUT for a in found.acts) for item in found.items
        )

    def items_for(self, found: Found) -> list[Item]:
        return [*found.items, *(item for item in self.shared_items if item not in found.items)]

    @property
    def fragment(self) -> bool:
        """No stop at the end, or no capital at the start: the text is cut out of a sentence."""
        raw = self.clause.raw.strip()
        return not raw.endswith((".", ";", ":", '"', ")")) or raw[:1].islower() or len(raw.split()) < 8


@dataclass(frozen=True, slots=True)
class JudgedAct:
    """``why`` is empty where the act can be judged, else a key of ``wording.MISSING``."""

    act: Act
    found: Found
    bound: Bound
    ceiling: Ceiling | None = None
    heads: Heads | None = None
    why: str = ""


def judge_act(clause: Clause, found: Found, act: Act) -> JudgedAct:
    text = found.masked
    if act.kind is ActKind.CAP:
        who = cap_bound(text, act.subject, act.trigger)
        if act.name == LIMITED_RECOURSE.name:  # no sum and no fees, but the assets that answer are named
            return JudgedAct(act, found, who)
        if act.name == HEADLESS.name:
            return JudgedAct(act, found, who, Ceiling.unread("missing"), None, "missing")
        amount = ceiling(text, act.body)
        return JudgedAct(act, found, who, amount, None, "" if amount.readable else amount.why)
    if act.name == GROSS_ONLY.name:
        return JudgedAct(act, found, cap_bound(text, act.subject, act.trigger), None, heads(text, act.body))
    if act.name == BLACKED_OUT.name:
        return JudgedAct(act, found, _owner_or_subject(text, act), None, None, "redacted")
    if act.name == DAMAGES_EXCLUDED:
        near = Span(max(act.sentence.start, act.trigger.start - REACH), act.trigger.end)
        return JudgedAct(act, found, _waived_by(text, act, near), None, heads(text, near))
    if act.name in (LIABILITY_EXCLUDED, LIABILITY_NIL):
        who = cap_bound(text, Span(act.sentence.start, act.trigger.end), act.trigger)
        loss = heads(text, Span(act.subject.start, act.body.end))
        return JudgedAct(act, found, who, None, _all_of_it(loss, text, Span(act.subject.start, act.body.end)))
    if act.kind is ActKind.WAIVER:
        who = (
            _owner_or_subject(text, act, act.sentence.start)
            if act.name == "limited to direct"
            else bound(text, act.subject, act.body)
        )
        loss = heads(text, act.body)
        if act.name == RELEASED:
            loss = _all_of_it(loss, text, act.body)
        if act.name in NO_CLAIM and who.side is Side.BOTH and not MUTUAL.search(text, act.subject):
            # Whoever gives up the claims, and were it two: the one that they would be against is free.
            who = Bound(Side.ONE, act.subject, _last_name(text, act.subject))
        at_large = OWN_BREACH.found(text, act.body)
        if (at_large or act.name in (NO_LIABILITY_ATTACHES, *NO_CLAIM)) and not (loss.indirect or loss.profits):
            loss = replace(loss, everything=True)
        said = (
            loss.indirect
            or loss.profits
            or loss.direct
            or act.name in ("only direct", "limited to direct", "none but direct")
        )
        hidden = REDACTION.found(text, act.body) and not said
        cut = not said and act.body.end == len(text) and not clause.raw.rstrip().endswith((".", ";", ")", '"'))
        return JudgedAct(act, found, who, None, loss, "redacted" if hidden else "fragment" if cut else "")
    if act.kind is ActKind.REMEDY:
        return _remedy(text, found, act)
    if act.kind is ActKind.TIME_BAR:
        hidden = REDACTION.found(text, act.trigger)
        return JudgedAct(act, found, claimant(text, act.sentence), why="redacted" if hidden else "")
    if act.kind is ActKind.SURVIVAL:
        elsewhere = ELSEWHERE.found(text, act.subject)
        return JudgedAct(act, found, cap_bound(text, act.subject, act.subject), why="elsewhere" if elsewhere else "")
    if act.kind is ActKind.CARVE_OUT:
        # "Supplier is liable without limit for …" names who is exposed; other carve-outs name limits.
        named = act.name == NAMED_HEADS
        who = (
            cap_bound(text, Span(act.sentence.start, act.trigger.end), act.trigger)
            if named
            else Bound(Side.NOBODY, act.trigger)
        )
        # "Neither party excludes liability for indirect loss" carves out the very loss that is waived.
        if not any(i.kind is not Kind.OPEN for i in found.items) and INDIRECT.found(text, act.body):
            return JudgedAct(act, found, who, why="unread")
        return JudgedAct(act, found, who, why="" if found.items or not REDACTION.found(text, act.body) else "redacted")
    return JudgedAct(act, found, _exposed(text, act))


def cut_off(act: JudgedAct) -> bool:
    """Whether the text breaks off where one side's liability as such is being excluded."""
    return act.why == "fragment" and act.bound.side is Side.ONE and act.heads is not None and act.heads.everything


def _last_name(text: str, subject: Span) -> str:
    return re.split(r"\b(?:and|or|nor)\b", text[subject.start : subject.end])[-1].strip(" ,")


def _all_of_it(loss: Heads, text: str, near: Span) -> Heads:
    """Liability as such is excluded where the words name no head of loss and nothing that it is for."""
    spoken = text[near.start : near.end]
    named = loss.indirect or loss.profits or loss.direct or loss.narrow or _FOR_SOMETHING.search(spoken)
    return loss if named else replace(loss, everything=True)


def _exposed(text: str, act: Act) -> Bound:
    """Who answers: the owner of the unlimited liability, before or after the words that unbind it."""
    before = Span(act.subject.start, min(act.subject.end, act.trigger.start))
    if act.name == WITHOUT_LIMIT:
        for trigger in (act.trigger, act.sentence):
            owner = cap_bound(text, act.subject, trigger)
            if owner.side is not Side.NOBODY:
                return owner
        taken = ASSUMES.match(text, before.start, act.trigger.end)
        if EACH.search(text, before.start, before.end) or (taken and not MUTUAL.search(taken["name"])):
            return bound(text, span_of(taken, "name") if taken else before, act.body)
        applied = _APPLIES_TO.search(text, act.trigger.start, act.trigger.end)
        return Bound(Side.ONE, span_of(applied, "name"), applied["name"]) if applied else owner
    return bound(text, act.subject, act.body)


def _content(text: str, act: Act) -> Span:
    """What the sole remedy is: the words after "shall be", or all of the sentence where it stands before."""
    copula = _COPULA.search(text, act.trigger.end, act.sentence.end)
    if copula and AS_FOLLOWS.match(text, copula.end()):
        return Span(copula.end(), len(text))
    return Span(copula.end(), act.sentence.end) if copula else act.sentence


def _waived_by(text: str, act: Act, near: Span) -> Bound:
    """Who gives up the damages ("are waived by Buyer"), else whose liability the sentence speaks of."""
    by = _BY.search(text, act.trigger.start, act.trigger.end)
    if by and not MUTUAL.search(by["name"]):
        return Bound(Side.ONE, span_of(by, "name"), by["name"])
    return cap_bound(text, near, act.trigger)


def _owner_or_subject(text: str, act: Act, start: int | None = None) -> Bound:
    """Whose liability it is where a noun says so ("the liability of …"), else who the subject is."""
    owned = cap_bound(text, Span(act.subject.start if start is None else start, act.subject.end), act.subject)
    return owned if owned.side is not Side.NOBODY else bound(text, act.subject, act.body)


def _remedy(text: str, found: Found, act: Act) -> JudgedAct:
    """A sole remedy is judged where the clause says what it is; repair or refund is a narrow basis."""
    who = remedy_bound(text, act.sentence, act.trigger)
    said = _content(text, act)
    narrow = REMEDY.search(text, said)
    if narrow:
        return JudgedAct(act, found, who, Ceiling(Level.DEPARTS, Level.SILENT, True, "", span_of(narrow)))
    if LIQUIDATED.found(text, act.sentence) and not MONEY.found(text, act.sentence):
        return JudgedAct(act, found, who, why="elsewhere")
    elsewhere, named = ELSEWHERE.search(text, said), REMEDY_NAMED.search(text, said)
    first = named and not (elsewhere and elsewhere.start() < named.start())
    if DAMAGES_NAMED.found(text, said) or MONEY.found(text, said) or first:
        return JudgedAct(act, found, who)
    return JudgedAct(act, found, who, why="elsewhere" if elsewhere else "missing")
