"""Who decides: the protocols of auditor and faithfulness judge, and the rule that they are two.

Conventions: an agent gives its :class:`Identity`; a call that fails raises ``LlmFailure`` and
nothing else; tokens and dollars go to the :class:`Meter` that the caller hands in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from pipeline.base.errors import CuadAuditError
from pipeline.base.types import AuditorAnswer, Chunk, Evidence, Faithfulness, Identity, Usage

if TYPE_CHECKING:
    from pipeline.standard import Standard


#: What a claim may rest on, besides the id of the cited chunk.
CLAUSE = "clause"
STANDARD = "standard"


class Meter:
    """Adds up what the calls of one audit used; ``seconds`` is the time spent in model calls, None once
    a call's time is not known (an answer out of a batch)."""

    def __init__(self) -> None:
        self.usage = Usage()
        self.seconds: float | None = 0.0

    def add(self, usage: Usage, seconds: float | None = 0.0) -> None:
        self.usage += usage
        self.seconds = None if seconds is None or self.seconds is None else self.seconds + seconds


class Auditor(Protocol):
    """Reads a clause against a standard and says what it relied on; raises ``LlmFailure``."""

    identity: Identity

    def answer(self, clause: str, standard: Standard, evidence: Sequence[Evidence], meter: Meter) -> AuditorAnswer: ...


class FaithfulnessJudge(Protocol):
    """Checks every claim of an answer against the text it cites; raises ``LlmFailure``."""

    identity: Identity

    def check(
        self, answer: AuditorAnswer, clause: str, standard: Standard, cited: Chunk | None, meter: Meter
    ) -> Faithfulness: ...


def same_agent(one: Identity, other: Identity) -> bool:
    """The same model under the same prompt, or the same deciding code (a module or its package)."""
    if one.model and other.model:
        return _plain(one.model) == _plain(other.model) and one.prompt_sha256 == other.prompt_sha256
    if one.code and other.code:
        first, second = f"{_plain(one.code)}.", f"{_plain(other.code)}."
        return first.startswith(second) or second.startswith(first)
    return False


def refuse_same_agent(auditor: Identity, judge: Identity) -> None:
    """Raise ``CuadAuditError`` where the auditor would judge itself."""
    if same_agent(auditor, judge):
        shared = f"model {auditor.model} and one prompt" if auditor.model else f"deciding code {auditor.code}"
        raise CuadAuditError(
            f"auditor {auditor.name} and judge {judge.name} are the same agent: they share {shared}",
            "choose another auditor or judge, e.g. -S judge=lexical",
        )


def _plain(name: str) -> str:
    """Case and blanks do not make another agent, nor does the hash behind ``#`` (a version)."""
    return "".join(name.partition("#")[0].split()).casefold()
