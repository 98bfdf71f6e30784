"""RubricJudge: is a reason sound? Does it make the required points, and meet a condition?

The judge is blind: what it is given names neither the candidate nor the human label nor the other
candidate. It gets the clause, the reason, the points that any sound reason makes, and the conditions
under which answers hold, without saying which answer. Its identity is recorded with every score.
Offline it is deterministic over what the reason states; with a model it asks through the seam.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Protocol

from pydantic import BaseModel, ConfigDict, Field

from pipeline.base.types import FailureCause
from pipeline.corpus.normalise import sha256
from pipeline.evaluation.prompts import load_prompt
from pipeline.evaluation.statements import Statement, statement, statements
from pipeline.grounding.code import code_identity
from pipeline.llm.request import Completion, CompletionRequest, Llm, LlmFailure, Result, json_schema

RUBRIC = (
    "A sound reason makes every required point, in whatever words, and says nothing against it. A condition is met "
    "where the reason states it, or states facts from which it follows."
)
#: Share of a point's other words that a reason has to hold for the offline judge.
ENOUGH = 0.5
#: Causes of a failed call that mean "the judge answered, and could not be read".
UNREADABLE = (FailureCause.INFRA_MALFORMED, FailureCause.INFRA_TRUNCATED)


@dataclass(frozen=True, slots=True)
class RubricRequest:
    """All that a rubric judge may see."""

    clause: str
    reason: str
    points: tuple[str, ...]
    conditions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RubricScore:
    """``points`` made and ``conditions`` met, in the order of the request; ``why`` for people."""

    points: tuple[bool, ...]
    conditions: tuple[bool, ...]
    why: str = ""

    @property
    def quality(self) -> float:
        """Share of the required points that the reason makes."""
        return sum(self.points) / len(self.points)


@dataclass(frozen=True, slots=True)
class RubricFailure:
    """The judge gave no score: ``unreadable`` where it answered and could not be read, else infra."""

    unreadable: bool
    detail: str


@dataclass(frozen=True, slots=True)
class RubricIdentity:
    name: str
    model: str
    rubric_sha256: str
    prompt_sha256: str
    schema_sha256: str


class RubricJudge(Protocol):
    identity: RubricIdentity

    def score(self, requests: Sequence[RubricRequest]) -> list[RubricScore | RubricFailure]: ...


class OfflineRubricJudge:
    """Deterministic. A point is made where the reason states it: every concept of the point with the same
    sign (a negated one counts as its opposite), every amount equal, and of its other words at least
    :data:`ENOUGH`. Where the reason states a concept both ways, all of the point has to stand in one
    sentence. It errs towards "not made"; :mod:`pipeline.evaluation.rubric_cases` measures it."""

    def __init__(self) -> None:
        code = code_identity("pipeline.evaluation.statements", "pipeline.evaluation.statements", *_CODE)
        self.identity = RubricIdentity("offline", "", sha256(RUBRIC), "", sha256(code))

    def score(self, requests: Sequence[RubricRequest]) -> list[RubricScore | RubricFailure]:
        return [self._one(request) for request in requests]

    def _one(self, request: RubricRequest) -> RubricScore:
        said = statements(request.reason)
        points = tuple(states(said, point) for point in request.points)
        missing = [point for point, made in zip(request.points, points, strict=True) if not made]
        return RubricScore(
            points,
            tuple(states(said, condition) for condition in request.conditions),
            f"not made: {'; '.join(missing)}" if missing else "every point is made",
        )


#: What else decides, for the identity.
_CODE = ("pipeline.evaluation.rubric_judge", "pipeline.grounding.quotes")


def states(said: Sequence[Statement], wanted: str) -> bool:
    """Whether ``said`` states what is wanted; what has no content of its own ("on the words") asks for nothing."""
    asked = statement(wanted)
    if _holds(asked, said):
        terms = {term for one in said for term in one.terms}
        both_ways = any((name, not sign) in terms for name, sign in asked.terms)
        return not both_ways or any(_holds(asked, [one], with_words=False) for one in said)
    return False


def _holds(asked: Statement, said: Sequence[Statement], with_words: bool = True) -> bool:
    terms = frozenset().union(*(one.terms for one in said))
    amounts = frozenset().union(*(one.amounts for one in said))
    words = frozenset().union(*(one.words for one in said))
    if not (asked.terms <= terms and asked.amounts <= amounts):
        return False
    return not with_words or len(asked.words & words) >= ENOUGH * len(asked.words)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Answer(_Strict):
    number: Annotated[int, Field(ge=1)]
    holds: bool
    why: str


class RubricOutput(_Strict):
    """What a model answers: one entry for each numbered point and condition."""

    points: list[_Answer]
    conditions: list[_Answer]


class ModelRubricJudge:
    """A model behind the seam. An answer that misses a point or a condition is unreadable, not a zero."""

    def __init__(self, name: str, llm: Llm, model: str, max_tokens: int, prompt: str = "rubric-v1") -> None:
        self._llm, self._max_tokens = llm, max_tokens
        self._prompt = load_prompt(prompt)
        self.identity = RubricIdentity(
            name, model, sha256(RUBRIC), self._prompt.sha256, sha256(str(json_schema(RubricOutput)))
        )

    def score(self, requests: Sequence[RubricRequest]) -> list[RubricScore | RubricFailure]:
        asked = [self.request(request) for request in requests]
        results = self._llm.complete_many(asked, "rubric")
        return [read(request, result) for request, result in zip(requests, results, strict=True)]

    def request(self, request: RubricRequest) -> CompletionRequest:
        parts = {
            "clause": request.clause,
            "reason": request.reason,
            "points": _numbered(request.points),
            "conditions": _numbered(request.conditions),
        }
        user = "\n\n".join(f"<{name}>\n{_fenced(text)}\n</{name}>" for name, text in parts.items())
        return CompletionRequest(
            model=self.identity.model,
            system=f"{self._prompt.text}\n\n{RUBRIC}",
            user=user,
            schema=RubricOutput,
            max_tokens=self._max_tokens,
            prompt_sha256=self._prompt.sha256,
        )


def read(request: RubricRequest, result: Result) -> RubricScore | RubricFailure:
    """A model's result as a score; which kind of failure it is, otherwise."""
    if isinstance(result, LlmFailure):
        return RubricFailure(result.cause in UNREADABLE, str(result))
    assert isinstance(result, Completion)
    given: RubricOutput = result.value
    points = _in_order(given.points, len(request.points))
    conditions = _in_order(given.conditions, len(request.conditions))
    if points is None or conditions is None:
        return RubricFailure(True, "the judge's answer does not have one entry for each point and condition")
    missing = [answer.why for answer in given.points if not answer.holds]
    return RubricScore(points, conditions, "; ".join(missing) or "every point is made")


def _in_order(answers: Sequence[_Answer], expected: int) -> tuple[bool, ...] | None:
    by_number = {answer.number: answer.holds for answer in answers}
    if len(answers) != expected or set(by_number) != set(range(1, expected + 1)):
        return None
    return tuple(by_number[number] for number in range(1, expected + 1))


def _numbered(lines: Sequence[str]) -> str:
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, start=1))


def _fenced(text: str) -> str:
    return text.replace("<", "&lt;").replace(">", "&gt;")
