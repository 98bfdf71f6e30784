"""What a goal record may set for its profile, one strict model a profile (``settings:`` in the record)."""

from __future__ import annotations

import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator, model_validator

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300)]


class Settings(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class CitationsClean(Settings):
    """``form`` of the front matter; sections that must be there; sections where each statement is cited.
    ``outcomes``: the table of outcomes that an audit memo has to agree with."""

    form: Name = "audit-memo"
    required_sections: list[Name] | None = None
    cited_sections: list[Name] | None = None
    outcomes: str = ""

    @property
    def required(self) -> list[str]:
        return DEFAULT_REQUIRED.get(self.form, []) if self.required_sections is None else self.required_sections

    @property
    def cited(self) -> list[str]:
        return DEFAULT_CITED.get(self.form, ["*"]) if self.cited_sections is None else self.cited_sections


#: Sections by the artifact's form; ``*`` stands for every section.
DEFAULT_REQUIRED = {"audit-memo": ["Summary", "Findings", "Not answered"]}
DEFAULT_CITED = {"audit-memo": ["Findings"]}


class PlaybookClause(Settings):
    """A clause that a draft has to hold: the words of ``must_contain``, all of them, in one section."""

    ref: Name
    section: Name
    must_contain: Annotated[list[Name], Field(min_length=1)]


class Draft(Settings):
    template: Name
    required_sections: Annotated[list[Name], Field(min_length=1)]
    playbook: list[PlaybookClause] = []
    cited_sections: list[Name] = ["*"]
    min_words: Annotated[int, Field(ge=1)] = 5


class Adversarial(Settings):
    """``threshold``: a weakness of a higher severity (0 to 10) has to be answered."""

    threshold: Annotated[float, Field(ge=0, le=10, strict=False)] = 5
    min_answer_words: Annotated[int, Field(ge=1)] = 5
    min_weaknesses: Annotated[int, Field(ge=0)] = 1


class PlaybookRule(Settings):
    """The threshold of one topic: a number at most or at least, or one of the allowed words."""

    ref: Name
    topic: Name
    max: float | None = Field(default=None, strict=False)
    min: float | None = Field(default=None, strict=False)
    allowed: list[str] | None = None
    red: bool = False

    @model_validator(mode="after")
    def one_threshold(self) -> PlaybookRule:
        if self.max is None and self.min is None and not self.allowed:
            raise ValueError("give max, min or allowed")
        return self


class NdaBatch(Settings):
    documents: Annotated[list[Name], Field(min_length=1)]
    playbook: Annotated[list[PlaybookRule], Field(min_length=1)]


class RegWatch(Settings):
    topics: Annotated[list[Name], Field(min_length=1)]
    as_of: datetime.date
    max_age_days: Annotated[int, Field(ge=0)] = 30

    @field_validator("as_of", mode="before")
    @classmethod
    def whole_day(cls, value: Any) -> Any:
        return day(value)


class Timeline(Settings):
    min_events: Annotated[int, Field(ge=1)] = 1


def day(value: Any) -> Any:
    """A date from a YAML date or from text in ISO form; anything else stays, for pydantic to refuse."""
    if isinstance(value, datetime.datetime):
        return value.date()
    if isinstance(value, str):
        try:
            return datetime.date.fromisoformat(value.strip())
        except ValueError:
            return value
    return value


ProfileName = Literal[
    "citations-clean", "draft-passes-gate", "adversarial-converge", "nda-batch-clean", "reg-watch", "timeline-sourced"
]
SETTINGS: dict[str, type[Settings]] = {
    "citations-clean": CitationsClean,
    "draft-passes-gate": Draft,
    "adversarial-converge": Adversarial,
    "nda-batch-clean": NdaBatch,
    "reg-watch": RegWatch,
    "timeline-sourced": Timeline,
}
