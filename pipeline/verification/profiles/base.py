"""What every profile is given, what it hands back, and how the two forms of artifact are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from pipeline.verification.document import Document, parse
from pipeline.verification.gate import EXTRACT, R2, REVIEW, GateResult, Use, review
from pipeline.verification.goal import Goal, errors_by_field
from pipeline.verification.plainyaml import Malformed, read
from pipeline.verification.score import Part
from pipeline.verification.sources import Registry, RetrievalLog
from pipeline.verification.support import Opinion
from pipeline.verification.verdict import Observed, Severity, Status

Model = TypeVar("Model", bound=BaseModel)


class Form(BaseModel):
    """Base of the forms of YAML artifacts: strict, without unknown fields."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class SchemaError(Exception):
    """The artifact is not of the form that the profile judges; the message names field and reason."""


@dataclass(frozen=True)
class Past:
    """An earlier iteration: its artifact, the score it got, and how many citations it had."""

    text: str
    score: float
    citations: int = 0


@dataclass(frozen=True)
class Context:
    goal: Goal
    registry: Registry
    log: RetrievalLog | None
    root: Path
    history: Sequence[Past] = ()
    opinion: Opinion | None = None


@dataclass
class Examined:
    """A profile's result. ``passes_below_100``: the profile's own rule lets it pass with a lower score."""

    observed: list[Observed]
    parts: list[Part]
    gate: GateResult
    passes_below_100: bool = False
    critical_undone: list[str] = field(default_factory=list)


def read_markdown(text: str, form: str) -> Document:
    try:
        document = parse(text)
    except Malformed as error:
        raise SchemaError(f"not Markdown with front matter: {error}") from None
    found = document.front.get("form")
    if found != form:
        raise SchemaError(f"form: the front matter says {found!r}, the profile judges {form!r}")
    return document


def read_yaml(text: str, model: type[Model], form: str) -> Model:
    try:
        value = read(text)
    except Malformed as error:
        raise SchemaError(f"not plain YAML: {error}") from None
    if not isinstance(value, dict):
        raise SchemaError("not a mapping of fields")
    if value.get("form") != form:
        raise SchemaError(f"form: the artifact says {value.get('form')!r}, the profile judges {form!r}")
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise SchemaError(errors_by_field(error)) from None
    except RecursionError:
        raise SchemaError("nested too deeply") from None


def run_gate(uses: Sequence[Use], context: Context) -> GateResult:
    return review(uses, context.registry, context.log, context.opinion)


def extracted(gate: GateResult, context: Context) -> list[Observed]:
    """How many citations there are; too few of them is a FAIL unless the goal record allows none."""
    wanted = context.goal.record.success_condition
    least = 0 if wanted.allow_no_citations else max(wanted.min_citations, 1)
    if gate.total < least:
        detail = f"{gate.total} citations, and the goal asks for {least}"
        action = "Cite the source of every statement; an artifact without citations cannot be checked."
        return [Observed(Status.FAIL, EXTRACT, "artifact", detail, "", Severity.HIGH, action=action)]
    return [Observed(Status.PASS, EXTRACT, "artifact", f"{gate.total} citations")]


def hidden(document: Document) -> list[Observed]:
    """What a reader of the page does not see is no part of an artifact."""
    action = "Take it out, or write it as prose."
    return [
        Observed(Status.FAIL, REVIEW, f"line {line}", f"the artifact holds {what}", "", Severity.HIGH, action=action)
        for line, what in document.hidden
    ]


def quoted_headings(document: Document) -> list[Observed]:
    """Headings are not statements, so a quotation in one could not be traced."""
    from pipeline.verification.quotations import quotations

    return [
        Observed(
            Status.FAIL,
            R2,
            f"line {heading.line}",
            "a heading holds a quotation, which no citation can carry",
            heading.title,
            Severity.MEDIUM,
            action="Quote in a sentence that ends in its citation.",
        )
        for heading in document.headings
        if quotations(heading.title)
    ]


def sections(document: Document, required: Sequence[str]) -> list[Observed]:
    """One observation a required section, of the unit ``section``: there once, and with words in it."""
    observed = []
    for title in required:
        count = sum(heading.title.casefold() == title.casefold() for heading in document.headings)
        filled = bool(document.in_section(title))
        if count == 1 and filled:
            observed.append(Observed(Status.PASS, "structure", title, "the section is there", unit="section"))
        else:
            what = "missing" if not count else "empty" if count == 1 else f"there {count} times"
            action = f"Write the section {title!r} once, with its content."
            observed.append(
                Observed(
                    Status.FAIL,
                    "structure",
                    title,
                    f"the required section is {what}",
                    "",
                    Severity.MEDIUM,
                    "section",
                    action,
                )
            )
    return observed


def uncited(document: Document, cited_sections: Sequence[str]) -> list[Observed]:
    """Statements without a citation where each needs one (``*``: everywhere), and doubled statements."""
    observed = []
    wanted = {title.casefold() for title in cited_sections}
    seen: dict[tuple[Any, ...], int] = {}
    for statement in document.statements:
        inside = "*" in wanted or any(part.casefold() in wanted for part in statement.section)
        if inside and not statement.citations and not _verdict_line(statement.text):
            action = "Cite the source that supports the statement, or, where the goal allows removal, take it back."
            observed.append(
                Observed(
                    Status.FAIL,
                    REVIEW,
                    statement.place,
                    "a statement without a citation",
                    statement.text,
                    Severity.HIGH,
                    action=action,
                )
            )
        if statement.citations:
            key = (statement.section, statement.text.casefold(), tuple(c.canonical for c in statement.citations))
            if key in seen:
                action = "Say it once."
                detail = f"the statement of line {seen[key]} again: repetition adds nothing"
                observed.append(
                    Observed(Status.FAIL, REVIEW, statement.place, detail, statement.text, Severity.LOW, action=action)
                )
            seen.setdefault(key, statement.line)
    return observed


def _verdict_line(text: str) -> bool:
    """The memo's line that states a verdict: it follows from the statements below it (see ``attest``)."""
    return text.startswith("Verdict: **")
