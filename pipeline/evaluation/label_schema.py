"""What a line of a label file has to look like; see docs/EVALUATION.md for the meaning of each key.

Three kinds of line, one JSON object each: an *item* (which clause: contract title, offsets, hash; no
contract text), an *annotation* (one independent opinion) and an *adjudication* (the ruling that
cites the opinions). Strict: an unknown key, a wrong type or a value off the rubric is an error.
Offsets are characters into the contract's text, end excluded.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from pipeline.base.types import AUDITOR_VERDICTS, POSITIONS, Band, Level, Verdict

#: Annotators whose ruling cites no two opinions: the label follows from how the clause was made (the
#: sample corpus), or one pass alone stands for the ruling, and says so.
WITHOUT_OPINIONS = ("construction", "single-pass")
KINDS = (
    "cap",
    "damages-waiver",
    "uncapped",
    "carve-out",
    "exclusive-remedy",
    "time-bar",
    "indemnity-limit",
    "fragment",
    "not-liability",
)
MAX_REASON_WORDS = 45
MAX_POINTS = 3

Text = Annotated[str, Field(min_length=1)]
Offset = Annotated[int, Field(ge=0)]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Kind = Literal[*KINDS]


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Item(_Line):
    """Which clause, and the context in which it is judged. Jurisdiction, role and context may be unknown."""

    item_id: Text
    title: Text
    start: Offset
    end: Offset
    sha256: Sha256
    family: Text
    categories: tuple[str, ...] = ()
    jurisdiction: str | None = None
    contract_role: str | None = None
    context: str | None = None

    @model_validator(mode="after")
    def _offsets(self) -> Self:
        if self.end <= self.start:
            raise ValueError(f"end {self.end} is not after start {self.start}")
        return self


class AllowedVerdict(_Line):
    verdict: Verdict
    condition: Text


class AllowedBand(_Line):
    band: Band
    condition: Text


class _Opinion(_Line):
    """What annotations and adjudications share."""

    item_id: Text
    kinds: Annotated[tuple[Kind, ...], Field(min_length=1)]
    positions: dict[str, Level]
    verdict: Verdict
    allowed_verdicts: Annotated[tuple[AllowedVerdict, ...], Field(min_length=1)]
    risk_band: Band
    allowed_bands: Annotated[tuple[AllowedBand, ...], Field(min_length=1)]
    critical: bool
    evidence: tuple[tuple[Offset, Offset], ...]
    must_mention: Annotated[tuple[Text, ...], Field(min_length=1, max_length=MAX_POINTS)]
    reason: Text
    uncertainty: str | None

    @model_validator(mode="after")
    def _rubric(self) -> Self:
        if tuple(sorted(self.positions)) != POSITIONS:
            raise ValueError(f"positions are {sorted(self.positions)}, not {list(POSITIONS)}")
        for position, level in self.positions.items():
            if (level is Level.FAILS and position != "P5") or (
                position == "P5" and level not in (Level.MEETS, Level.FAILS)
            ):
                raise ValueError(f"{position} cannot be {level.value}")
        verdicts = [allowed.verdict for allowed in self.allowed_verdicts]
        bands = [allowed.band for allowed in self.allowed_bands]
        if any(verdict not in AUDITOR_VERDICTS for verdict in (*verdicts, self.verdict)):
            raise ValueError("escalate-infra is no label")
        if verdicts[0] is not self.verdict or len(set(verdicts)) != len(verdicts):
            raise ValueError("allowed_verdicts must be distinct and begin with the verdict")
        if bands[0] is not self.risk_band or len(set(bands)) != len(bands):
            raise ValueError("allowed_bands must be distinct and begin with the risk band")
        if len(self.reason.split()) > MAX_REASON_WORDS:
            raise ValueError(f"reason has {len(self.reason.split())} words, at most {MAX_REASON_WORDS} are allowed")
        if any(end <= start for start, end in self.evidence):
            raise ValueError("an evidence span is empty")
        return self


def _is_time(value: str) -> str:
    """An ISO date or date and time, kept as written."""
    try:
        date.fromisoformat(value)
    except ValueError:
        datetime.fromisoformat(value)
    return value


class Annotation(_Opinion):
    """One opinion, by one annotator, blind to the others."""

    annotator: Text
    labelled_at: Text

    @model_validator(mode="after")
    def _time(self) -> Self:
        _is_time(self.labelled_at)
        return self


class CitedOpinion(_Line):
    """An opinion as an adjudication cites it: what it must agree with in the annotation."""

    verdict: Verdict
    risk_band: Band


class Adjudication(_Opinion):
    """The ruling on one item. It cites two opinions and says why, or its annotator says why it has none."""

    opinions: dict[str, CitedOpinion] = Field(default_factory=dict)
    agreed: bool
    ruling: Text
    adjudicated_at: Text
    rubric_version: Text
    annotator: str | None = None

    @model_validator(mode="after")
    def _cites(self) -> Self:
        _is_time(self.adjudicated_at)
        if len(self.opinions) < 2 and self.annotator not in WITHOUT_OPINIONS:
            raise ValueError(f"an adjudication cites two opinions, or its annotator is one of {WITHOUT_OPINIONS}")
        return self
