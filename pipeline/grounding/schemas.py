"""What a model is asked to return. ``verdict`` and ``chunk_id`` are plain strings on purpose: a value
outside the lists has to reach the contract, which counts it, instead of failing as malformed."""

from __future__ import annotations

from functools import cache
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from pipeline.base.types import Level


class _Output(BaseModel):
    model_config = ConfigDict(extra="forbid")


class PositionOutput(_Output):
    position: str = Field(description="the id of the position, as in the standard, e.g. P1")
    level: Level
    words: list[str] = Field(description="verbatim from the clause; empty if silent")


class ClaimOutput(_Output):
    text: str = Field(description="one short sentence")
    against: str = Field(description="`clause`, `standard` or the chosen chunk's id")


class AuditorOutput(_Output):
    positions: list[PositionOutput] = Field(description="one entry for each position of the standard")
    verdict: str = Field(description="acceptable, risky, off-standard or insufficient-grounding")
    chunk_id: str | None = Field(description="the id of the evidence chunk relied on; null without a verdict")
    claims: list[ClaimOutput]


class CheckOutput(_Output):
    number: int
    supported: bool
    why: str


class JudgeOutput(_Output):
    checks: list[CheckOutput] = Field(description="one entry for each claim")


@cache
def judge_output(claims: int) -> type[JudgeOutput]:
    """The schema for that many claims: each is spoken to once. Anything else is a malformed answer and
    no opinion, and is noticed where answers are read, so that it is asked again and never kept."""

    class JudgeOutputForAll(JudgeOutput):
        @model_validator(mode="after")
        def _each_once(self) -> Self:
            if sorted(check.number for check in self.checks) != list(range(1, claims + 1)):
                raise ValueError(f"the checks are not numbered 1 to {claims}")
            return self

    JudgeOutputForAll.__name__ = JudgeOutput.__name__
    return JudgeOutputForAll
