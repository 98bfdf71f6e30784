"""adversarial-converge: weaknesses that the adversary raised and nobody answered.

Form: YAML, ``form: adversarial-review``. Robustness, the score: 100 less ten points for each point of
severity of an unanswered weakness, in shares of all severity raised. Passes with no unanswered
weakness above the threshold, or when the score moved less than 5 over two iterations in a row, each
with a changed artifact. A weakness once raised stays raised: one that is gone is a FAIL.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated

from pydantic import Field, StringConstraints

from pipeline.verification.gate import Use, use_of
from pipeline.verification.profiles.base import (
    Context,
    Examined,
    Form,
    Past,
    SchemaError,
    extracted,
    read_yaml,
    run_gate,
)
from pipeline.verification.score import Part
from pipeline.verification.verdict import Observed, Severity, Status
from pipeline.verification.words import content

CHECK = "robustness"
FORM = "adversarial-review"
SMALL_MOVE = 5.0
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=5000)]


class Answer(Form):
    text: Text
    citations: list[Text] = Field(default_factory=list)


class Weakness(Form):
    id: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,60}$")]
    raised_by: Text
    severity: Annotated[float, Field(ge=0, le=10, strict=False)]
    text: Text
    answer: Answer | None = None


class Review(Form):
    form: str
    subject: Text
    weaknesses: Annotated[list[Weakness], Field(max_length=1000)]


def examine(text: str, context: Context) -> Examined:
    settings = context.goal.settings
    review = _read(text)
    uses = list(_uses(review))
    gate = run_gate(uses, context)
    bad = {o.location for o in gate.observed if o.status is Status.FAIL}
    observed = [*extracted(gate, context), *gate.observed]
    answered, raised = 0.0, 0.0
    open_above = []
    for weakness in review.weaknesses:
        problem = _unanswered(weakness, settings.min_answer_words)
        if not problem and any(location.startswith(f"weakness {weakness.id} ") for location in bad):
            problem = "its answer rests on a citation that does not hold"
        raised += weakness.severity
        answered += 0.0 if problem else weakness.severity
        observed.append(_observed(weakness, problem, settings.threshold))
        if problem and weakness.severity > settings.threshold:
            open_above.append(weakness.id)
    vanished = list(_vanished(review, context.history))
    observed += vanished
    if len(review.weaknesses) < settings.min_weaknesses:
        detail = f"{len(review.weaknesses)} weaknesses were raised, and the goal asks for {settings.min_weaknesses}"
        action = "Let the adversary examine the subject."
        observed.append(Observed(Status.FAIL, CHECK, "weaknesses", detail, "", Severity.HIGH, action=action))
    if raised == 0:  # only weaknesses without weight, or none where none are asked for
        answered = raised = float(bool(review.weaknesses) or not settings.min_weaknesses)
    parts = [Part("weakness", 1.0, answered, raised)]
    converged = (
        bool(open_above) and not vanished and _converged(text, 100 * answered / raised if raised else 0.0, context)
    )
    if converged:
        observed = [_settled(o) for o in observed]
        observed.append(
            Observed(Status.PASS, CHECK, "history", "the score moved less than 5 over two iterations in a row")
        )
    return Examined(observed, parts, gate, passes_below_100=not open_above or converged)


def _read(text: str) -> Review:
    review = read_yaml(text, Review, FORM)
    ids = [weakness.id for weakness in review.weaknesses]
    if len(set(ids)) < len(ids):
        raise SchemaError("weaknesses: an id stands twice")
    return review


def _uses(review: Review) -> list[Use]:
    uses = []
    for weakness in review.weaknesses:
        if weakness.answer is not None:
            text = weakness.answer.text
            place = f"weakness {weakness.id} answer"
            cited = [use_of(text, citation, place) for citation in weakness.answer.citations]
            if cited:
                citations = tuple(citation for use in cited for citation in use.citations)
                uses.append(Use(text, citations, place, "", cited[0].quotes))
            else:
                from pipeline.verification.quotations import quotations, stray_marks

                uses.append(Use(text, (), place, "", tuple(quotations(text)), stray_marks(text)))
    return uses


def _unanswered(weakness: Weakness, least: int) -> str:
    """Why a weakness counts as unanswered, or the empty string."""
    if weakness.answer is None:
        return "nobody answered it"
    if not weakness.answer.citations:
        return "its answer cites nothing"
    said, asked = set(content(weakness.answer.text)), set(content(weakness.text))
    if len(weakness.answer.text.split()) < least:
        return f"its answer has fewer than {least} words"
    if not said & asked:
        return "its answer speaks of something else"
    if said <= asked:
        return "its answer only repeats it"
    return ""


def _observed(weakness: Weakness, problem: str, threshold: float) -> Observed:
    place = f"weakness {weakness.id}"
    if not problem:
        return Observed(Status.PASS, CHECK, place, "answered", weakness.text, unit="weakness")
    detail = f"severity {weakness.severity:g}: {problem}"
    if weakness.severity > threshold:
        action = "Answer the weakness on its point, with a source that supports the answer."
        severity = Severity.HIGH if weakness.severity >= 8 else Severity.MEDIUM
        return Observed(Status.FAIL, CHECK, place, detail, weakness.text, severity, "weakness", action)
    return Observed(Status.WARN, CHECK, place, detail, weakness.text, Severity.LOW, "weakness")


def _vanished(review: Review, history: list[Past] | tuple[Past, ...]) -> list[Observed]:
    """Weaknesses of earlier iterations that are gone or were made harmless."""
    now = {weakness.id: weakness for weakness in review.weaknesses}
    observed: dict[str, Observed] = {}
    for past in history:
        try:
            before = _read(past.text)
        except SchemaError:
            continue
        for weakness in before.weaknesses:
            left = now.get(weakness.id)
            if left is None or left.severity < weakness.severity or left.text != weakness.text:
                what = "is gone" if left is None else "was changed"
                action = "Answer the weakness as it was raised."
                observed[weakness.id] = Observed(
                    Status.FAIL, CHECK, f"weakness {weakness.id}", f"a weakness that was raised {what}", weakness.text,
                    Severity.HIGH, action=action,
                )  # fmt: skip
    return list(observed.values())


def _converged(text: str, score: float, context: Context) -> bool:
    """Two moves in a row of less than 5 points, each from one artifact to a different one."""
    past = [*context.history, Past(text, score)][-3:]
    if len(past) < 3 or len({p.text for p in past}) < 3:
        return False
    return all(abs(later.score - earlier.score) < SMALL_MOVE for earlier, later in pairwise(past))


def _settled(observed: Observed) -> Observed:
    """After convergence an open weakness is a residual risk, told as a warning."""
    if observed.check == CHECK and observed.status is Status.FAIL and observed.unit == "weakness":
        return Observed(
            Status.WARN, CHECK, observed.location, f"{observed.detail}; left open, the score has converged",
            observed.evidence, observed.severity, observed.unit,
        )  # fmt: skip
    return observed
