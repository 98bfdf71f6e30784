"""nda-batch-clean: every document classified, every off-threshold clause flagged with its playbook reference.

Form: YAML, ``form: nda-batch``. The engine, not the worker, decides what is off threshold: it compares
the value of each clause with the playbook of the goal record, and finds the value in the words that the clause
quotes from its document. A topic of the playbook that a document does not report is unclassified too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from pipeline.verification.gate import UNIT, Use, use_of
from pipeline.verification.profiles.base import Context, Examined, Form, SchemaError, extracted, read_yaml, run_gate
from pipeline.verification.score import Part, count
from pipeline.verification.settings import PlaybookRule
from pipeline.verification.verdict import Observed, Severity, Status
from pipeline.verification.words import numbers

FORM = "nda-batch"
CLASSIFY, FLAG = "classification", "playbook-flag"
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=5000)]


class Clause(Form):
    topic: Text
    value: float | str = Field(union_mode="left_to_right")
    quote: Text
    flagged: bool
    playbook_ref: str = ""


class Document(Form):
    document: Text
    classification: Literal["GREEN", "YELLOW", "RED"]
    clauses: list[Clause]


class Batch(Form):
    form: str
    documents: list[Document]


def examine(text: str, context: Context) -> Examined:
    settings = context.goal.settings
    batch = read_yaml(text, Batch, FORM)
    names = [d.document for d in batch.documents]
    if len(set(names)) < len(names):
        raise SchemaError("documents: a document stands twice")
    gate = run_gate(list(_uses(batch)), context)
    observed = [*extracted(gate, context), *gate.observed]
    rules = {rule.topic: rule for rule in settings.playbook}
    known = {d.document: d for d in batch.documents}
    for name in settings.documents:
        observed += _document(name, known.get(name), rules)
    for name in sorted(set(known) - set(settings.documents)):
        action = "Report only the documents of the batch."
        detail = "a document that is not in the batch"
        observed.append(Observed(Status.FAIL, CLASSIFY, name, detail, "", Severity.MEDIUM, action=action))
    parts = [
        count("document", 0.4, observed),
        count("clause", 0.4, observed, empty_passes=True),
        Part(UNIT, 0.2, gate.valid, gate.total, empty_passes=context.goal.record.success_condition.allow_no_citations),
    ]
    return Examined(observed, parts, gate)


def _uses(batch: Batch) -> Iterator[Use]:
    for document in batch.documents:
        for index, clause in enumerate(document.clauses):
            place = f"{document.document} clauses.{index}"
            yield use_of(f"{clause.topic}: “{clause.quote}”", f"doc:{document.document}", place)


def off_threshold(value: float | str, rule: PlaybookRule) -> str:
    """Why a value is off the rule's threshold, or the empty string."""
    if rule.allowed is not None:
        allowed = [word.casefold() for word in rule.allowed]
        if " ".join(str(value).split()).casefold() not in allowed:
            return f"{value!r} is not among {', '.join(rule.allowed)}"
    if rule.max is None and rule.min is None:
        return ""
    if not isinstance(value, float | int):
        return f"{value!r} is no number"
    if rule.max is not None and value > rule.max:
        return f"{value:g} is above {rule.max:g}"
    if rule.min is not None and value < rule.min:
        return f"{value:g} is below {rule.min:g}"
    return ""


def _document(name: str, document: Document | None, rules: dict[str, PlaybookRule]) -> Iterator[Observed]:
    if document is None:
        action = "Classify the document GREEN, YELLOW or RED and report its clauses."
        detail = "the document is not classified"
        yield Observed(Status.FAIL, CLASSIFY, name, detail, "", Severity.HIGH, "document", action)
        return
    worst, off = "GREEN", ""
    for index, clause in enumerate(document.clauses):
        place = f"{name} clauses.{index}"
        rule = rules.get(clause.topic)
        if rule is None:
            action = "Use the topics of the playbook."
            detail = f"the playbook has no topic {clause.topic!r}"
            yield Observed(Status.FAIL, FLAG, place, detail, "", Severity.MEDIUM, "clause", action)
            continue
        if not _in_words(clause):
            action = "Report the value that the clause states."
            detail = f"the value {clause.value!r} is not in the words quoted for it"
            yield Observed(Status.FAIL, FLAG, place, detail, clause.quote, Severity.HIGH, "clause", action)
            continue
        why = off_threshold(clause.value, rule)
        if why:
            worst, off = ("RED" if rule.red or worst == "RED" else "YELLOW"), why
        yield _flag(place, clause, rule, why)
    reported = {clause.topic for clause in document.clauses}
    for topic in sorted(set(rules) - reported):
        action = f"Report what the document says on {topic!r}."
        detail = f"the topic {topic!r} is not reported"
        yield Observed(Status.FAIL, CLASSIFY, name, detail, "", Severity.MEDIUM, "document", action)
    if document.classification == worst:
        yield Observed(Status.PASS, CLASSIFY, name, f"classified {worst}", off, unit="document")
    else:
        action = "Classify by the playbook: GREEN with nothing off threshold, RED with a red rule broken, else YELLOW."
        detail = f"classified {document.classification}, and by the playbook it is {worst}"
        yield Observed(Status.FAIL, CLASSIFY, name, detail, off, Severity.HIGH, "document", action)


def _flag(place: str, clause: Clause, rule: PlaybookRule, why: str) -> Observed:
    if not why:
        if clause.flagged:
            return Observed(
                Status.WARN, FLAG, place, "flagged although within the threshold", "", Severity.LOW, "clause"
            )
        return Observed(Status.PASS, FLAG, place, "within the threshold", clause.quote, unit="clause")
    action = f"Flag the clause with the playbook reference {rule.ref}."
    if not clause.flagged:
        return Observed(
            Status.FAIL,
            FLAG,
            place,
            f"off threshold and not flagged: {why}",
            clause.quote,
            Severity.HIGH,
            "clause",
            action,
        )
    if clause.playbook_ref.strip() != rule.ref:
        detail = f"flagged with {clause.playbook_ref!r}, and the rule is {rule.ref}"
        return Observed(Status.FAIL, FLAG, place, detail, clause.quote, Severity.MEDIUM, "clause", action)
    return Observed(Status.PASS, FLAG, place, f"flagged with {rule.ref}: {why}", clause.quote, unit="clause")


def _in_words(clause: Clause) -> bool:
    if isinstance(clause.value, float | int):
        return f"{clause.value:g}" in numbers(clause.quote)
    return " ".join(clause.value.split()).casefold() in " ".join(clause.quote.split()).casefold()
