"""timeline-sourced: every event sourced and verified, every date conflict flagged, every deadline anchored.

Form: YAML, ``form: timeline``. An event names its document, the locus in it and a quotation; the quotation
has to stand there and hold the event's date. Two entries of one ``subject`` with different dates are a conflict,
and so are two dates that the sources of one subject state; each is flagged with both dates and both sources.
A deadline hangs on a sourced event: its date is the event's date plus its days. An unflagged conflict or a
floating deadline fails at once: the score is 0.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from itertools import combinations
from typing import Annotated, Any

from pydantic import Field, StringConstraints, field_validator

from pipeline.verification.gate import UNIT, Use, use_of
from pipeline.verification.grammar import MONTHS
from pipeline.verification.profiles.base import Context, Examined, Form, SchemaError, extracted, read_yaml, run_gate
from pipeline.verification.score import Part, count
from pipeline.verification.settings import day
from pipeline.verification.verdict import Observed, Severity, Status

FORM = "timeline"
SOURCED, CONFLICT, DEADLINE = "event-sourced", "date-conflict", "deadline-anchored"
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=5000)]
Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,60}$")]
_ENGLISH = (
    "january february march april may june july august september october november december".split()  # noqa: SIM905
)
_MONTH = {**MONTHS, **{name: number for number, name in enumerate(_ENGLISH, start=1)}}


class Sourced(Form):
    document: Text
    locus: Text
    quote: Text


class Event(Form):
    id: Id
    subject: Text
    date: datetime.date
    what: Text
    source: Sourced

    @field_validator("date", mode="before")
    @classmethod
    def whole_day(cls, value: Any) -> Any:
        return day(value)


class Conflict(Form):
    events: Annotated[list[Id], Field(min_length=2, max_length=2)]
    dates: Annotated[list[datetime.date], Field(min_length=2, max_length=2)]
    sources: Annotated[list[Text], Field(min_length=2, max_length=2)]

    @field_validator("dates", mode="before")
    @classmethod
    def whole_days(cls, value: Any) -> Any:
        return [day(item) for item in value] if isinstance(value, list) else value


class Deadline(Form):
    id: Id
    what: Text
    date: datetime.date
    anchor: str = ""
    days: Annotated[int, Field(ge=-36500, le=36500)] | None = None

    @field_validator("date", mode="before")
    @classmethod
    def whole_day(cls, value: Any) -> Any:
        return day(value)


class TimelineArtifact(Form):
    form: str
    events: list[Event]
    conflicts: list[Conflict] = Field(default_factory=list)
    deadlines: list[Deadline] = Field(default_factory=list)


def dates_in(text: str) -> set[datetime.date]:
    """Every whole date that a text states: ISO, 3.4.2021, 3. April 2021, April 3, 2021, 3 April 2021."""
    found = set()
    names = "|".join(sorted(_MONTH, key=len, reverse=True))
    for y, m, d in re.findall(r"\b(\d{4})-(\d{2})-(\d{2})\b", text):
        found.add((int(y), int(m), int(d)))
    for d, m, y in re.findall(r"\b(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})\b", text):
        found.add((int(y), int(m), int(d)))
    for d, m, y in re.findall(rf"\b(\d{{1,2}})(?:\.|st|nd|rd|th)?\s+({names})\s+(\d{{4}})\b", text, re.IGNORECASE):
        found.add((int(y), _MONTH[m.lower()], int(d)))
    for m, d, y in re.findall(rf"\b({names})\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+(\d{{4}})\b", text, re.IGNORECASE):
        found.add((int(y), _MONTH[m.lower()], int(d)))
    days = set()
    for y, m, d in found:
        try:
            days.add(datetime.date(y, m, d))
        except ValueError:
            continue
    return days


def examine(text: str, context: Context) -> Examined:
    timeline = read_yaml(text, TimelineArtifact, FORM)
    ids = [entry.id for entry in (*timeline.events, *timeline.deadlines)]
    if len(set(ids)) < len(ids):
        raise SchemaError("events and deadlines: an id stands twice")
    uses = {event.id: _use(event) for event in timeline.events}
    gate = run_gate(list(uses.values()), context)
    bad = {o.location for o in gate.observed if o.status is Status.FAIL or not o.executed}
    undone = {o.location for o in gate.observed if not o.executed}
    events = [
        _event(event, uses[event.id].location in bad, uses[event.id].location in undone) for event in timeline.events
    ]
    sound = {event.id for event, seen in zip(timeline.events, events, strict=True) if seen.status is not Status.FAIL}
    conflicts = list(_conflicts(timeline))
    deadlines = [_deadline(deadline, timeline, sound) for deadline in timeline.deadlines]
    observed = [*extracted(gate, context), *gate.observed, *events, *conflicts, *deadlines]
    least = context.goal.settings.min_events
    if len(timeline.events) < least:
        detail = f"{len(timeline.events)} events, and the goal asks for {least}"
        observed.append(
            Observed(Status.FAIL, SOURCED, "events", detail, "", Severity.HIGH, action="Report the events.")
        )
    at_once = any(o.status is Status.FAIL for o in (*conflicts, *deadlines))
    parts = [Part("at once", 1.0, 0, 1)] if at_once else [
        count("event", 0.6, observed),
        count("deadline", 0.2, observed, empty_passes=True),
        Part(UNIT, 0.2, gate.valid, gate.total),
    ]  # fmt: skip
    return Examined(observed, parts, gate)


def _use(event: Event) -> Use:
    place = f"event {event.id}"
    source = event.source
    return use_of(f"{event.what}: “{source.quote}”", f"doc:{source.document}#{source.locus}", place)


def _event(event: Event, bad: bool, undone: bool) -> Observed:
    place = f"event {event.id}"
    action = "Name the document and the place where the event and its date stand, and quote them word for word."
    if event.date not in dates_in(event.source.quote):
        detail = f"the words quoted do not state the date {event.date}"
        return Observed(Status.FAIL, SOURCED, place, detail, event.source.quote, Severity.HIGH, "event", action)
    if undone:
        detail = "the source could not be asked, so the event is not verified"
        return Observed(Status.WARN, SOURCED, place, detail, event.source.quote, Severity.HIGH, "event", executed=False)
    if bad:
        detail = "the source does not bear the event out"
        return Observed(Status.FAIL, SOURCED, place, detail, event.source.quote, Severity.HIGH, "event", action)
    detail = f"{event.date} stands in {event.source.document}, {event.source.locus}"
    return Observed(Status.PASS, SOURCED, place, detail, event.source.quote, unit="event")


def _label(event: Event) -> str:
    return f"{event.source.document} {event.source.locus}"


def _conflicts(timeline: TimelineArtifact) -> Iterator[Observed]:
    """One observation a pair of entries of one subject with different dates."""
    events = {event.id: event for event in timeline.events}
    flagged: dict[frozenset[str], Conflict] = {frozenset(c.events): c for c in timeline.conflicts}
    real = set()
    action = "Flag the conflict with both events, both dates and both sources."
    for one, other in combinations(timeline.events, 2):
        if one.subject.casefold() != other.subject.casefold() or one.date == other.date:
            continue
        pair = frozenset((one.id, other.id))
        real.add(pair)
        place = f"events {one.id} and {other.id}"
        conflict = flagged.get(pair)
        if conflict is None:
            detail = f"{one.subject}: {one.date} against {other.date}, and no conflict is flagged"
            yield Observed(Status.FAIL, CONFLICT, place, detail, "", Severity.HIGH, action=action)
        elif set(conflict.dates) != {one.date, other.date} or {" ".join(s.split()) for s in conflict.sources} != {
            _label(one),
            _label(other),
        }:
            detail = f"the flag does not name both dates and both sources ({_label(one)}; {_label(other)})"
            yield Observed(Status.FAIL, CONFLICT, place, detail, "", Severity.HIGH, action=action)
        else:
            yield Observed(Status.PASS, CONFLICT, place, f"flagged: {one.date} against {other.date}")
    for pair in flagged.keys() - real:
        known = pair <= events.keys() and len(pair) == 2
        what = "these events do not conflict" if known else "a conflict between events that are not there"
        place = f"events {' and '.join(sorted(pair))}"
        yield Observed(Status.FAIL, CONFLICT, place, what, "", Severity.MEDIUM, action="Flag conflicts that exist.")


def _deadline(deadline: Deadline, timeline: TimelineArtifact, sound: set[str]) -> Observed:
    place = f"deadline {deadline.id}"
    events = {event.id: event for event in timeline.events}
    action = "Anchor the deadline to a sourced event, with the number of days from it."
    anchor = events.get(deadline.anchor)
    if anchor is None:
        detail = "the deadline floats: it is anchored to no event"
    elif deadline.anchor not in sound:
        detail = f"the deadline floats: its event {deadline.anchor} has no sound source"
    elif deadline.days is None:
        detail = "the deadline floats: the days from its event are not given"
    else:
        due = anchor.date + datetime.timedelta(days=deadline.days)
        if due == deadline.date:
            return Observed(
                Status.PASS, DEADLINE, place, f"{due}: {deadline.days} days from {anchor.id}", unit="deadline"
            )
        detail = f"{deadline.days} days from {anchor.date} is {due}, not {deadline.date}"
    return Observed(Status.FAIL, DEADLINE, place, detail, deadline.what, Severity.HIGH, "deadline", action)
