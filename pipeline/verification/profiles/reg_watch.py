"""reg-watch: every watched topic checked against current sources; each change decided; only material ones surfaced.

Form: YAML, ``form: reg-watch``. A topic is current if it was checked within ``max_age_days`` before the goal
record's ``as_of``, against at least one source that exists. Each change cites the source that shows it, carries
a relevance decision with its reason, and is surfaced exactly if it is material.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, field_validator

from pipeline.verification.gate import UNIT, Use, use_of
from pipeline.verification.profiles.base import Context, Examined, Form, SchemaError, extracted, read_yaml, run_gate
from pipeline.verification.score import Part, count
from pipeline.verification.settings import day
from pipeline.verification.sources import SourceUnavailable
from pipeline.verification.verdict import Observed, Severity, Status

FORM = "reg-watch"
CURRENT, RELEVANCE, SURFACED = "topic-current", "relevance-decision", "surfaced-changes"
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=5000)]


class Change(Form):
    id: Text
    summary: Text
    citation: Text
    relevance: Literal["material", "not-material"] | None = None
    reason: str = ""
    surfaced: bool


class Topic(Form):
    topic: Text
    checked_on: datetime.date
    sources: Annotated[list[Text], Field(min_length=1)]
    changes: list[Change] = Field(default_factory=list)

    @field_validator("checked_on", mode="before")
    @classmethod
    def whole_day(cls, value: Any) -> Any:
        return day(value)


class Watch(Form):
    form: str
    topics: list[Topic]


def examine(text: str, context: Context) -> Examined:
    settings = context.goal.settings
    watch = read_yaml(text, Watch, FORM)
    names = [topic.topic.casefold() for topic in watch.topics]
    ids = [change.id for topic in watch.topics for change in topic.changes]
    for what, values in (("topics: a topic", names), ("changes: an id", ids)):
        if len(set(values)) < len(values):
            raise SchemaError(f"{what} stands twice")
    gate = run_gate([_use(t, c) for t in watch.topics for c in t.changes], context)
    known = {topic.topic.casefold(): topic for topic in watch.topics}
    observed = []
    checked = 0
    for name in settings.topics:
        found = list(_topic(name, known.get(name.casefold()), context))
        checked += sum(o.status is not Status.FAIL for o in found)
        observed += found
    for topic in watch.topics:
        if topic.topic.casefold() not in {name.casefold() for name in settings.topics}:
            action = "Report only the watched topics."
            observed.append(
                Observed(
                    Status.FAIL, CURRENT, topic.topic, "a topic that is not watched", "", Severity.LOW, action=action
                )
            )
        observed += [o for change in topic.changes for o in _change(topic, change)]
    needs = [*extracted(gate, context)] if ids else []
    observed = [*needs, *gate.observed, *observed]
    parts = [
        count("topic", 0.4, observed),
        count("change", 0.4, observed, empty_passes=True),
        Part(UNIT, 0.2, gate.valid, gate.total, empty_passes=not ids),
    ]
    undone = [o.check for o in observed if not o.executed and o.check == CURRENT]
    return Examined(observed, parts, gate, critical_undone=undone)


def _use(topic: Topic, change: Change) -> Use:
    return use_of(change.summary, change.citation, f"{topic.topic} change {change.id}")


def _topic(name: str, topic: Topic | None, context: Context) -> Iterator[Observed]:
    settings = context.goal.settings
    if topic is None:
        action = "Check the topic against its sources and report it."
        yield Observed(Status.FAIL, CURRENT, name, "the topic was not checked", "", Severity.HIGH, "topic", action)
        return
    age = (settings.as_of - topic.checked_on).days
    if not 0 <= age <= settings.max_age_days:
        what = "in the future" if age < 0 else f"{age} days ago, more than {settings.max_age_days}"
        action = "Check the topic again, and date it by that."
        yield Observed(
            Status.FAIL, CURRENT, name, f"checked {what}", str(topic.checked_on), Severity.HIGH, "topic", action
        )
        return
    for source in topic.sources:
        (citation,) = use_of("", source, name).citations
        action = "Check the topic against sources that exist."
        if citation.problem:
            detail = f"{source!r} is no citation: {citation.problem}"
            yield Observed(Status.FAIL, CURRENT, name, detail, source, Severity.HIGH, "topic", action)
            continue
        try:
            found = context.registry.lookup(citation)
        except SourceUnavailable as error:
            detail = f"{source} is well formed (format only — existence not verified): {error}"
            yield Observed(Status.WARN, CURRENT, name, detail, source, Severity.HIGH, "topic", executed=False)
            continue
        if found is None:
            yield Observed(Status.FAIL, CURRENT, name, f"no source {source}", source, Severity.HIGH, "topic", action)
        elif context.log is None or not context.log.traces(citation):
            detail = f"{source} was not retrieved in this run, so it was not checked"
            yield Observed(Status.FAIL, CURRENT, name, detail, source, Severity.HIGH, "topic", action)
        else:
            yield Observed(Status.PASS, CURRENT, name, f"checked on {topic.checked_on} against {source}", unit="topic")


def _change(topic: Topic, change: Change) -> Iterator[Observed]:
    place = f"{topic.topic} change {change.id}"
    if change.relevance is None or len(change.reason.split()) < 3:
        action = "Decide whether the change is material, and give the reason in a sentence."
        detail = "the change carries no relevance decision with a reason"
        yield Observed(Status.FAIL, RELEVANCE, place, detail, change.summary, Severity.HIGH, "change", action)
        return
    if change.surfaced != (change.relevance == "material"):
        what = "surfaced although not material" if change.surfaced else "material and not surfaced"
        action = "Surface the material changes, and no others."
        yield Observed(Status.FAIL, SURFACED, place, what, change.summary, Severity.HIGH, "change", action)
        return
    yield Observed(Status.PASS, RELEVANCE, place, f"{change.relevance}: {change.reason}", unit="change")
