"""The form of a standard's file, for pydantic: strict types, no unknown key, nothing empty."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Text = Annotated[str, Field(min_length=1, pattern=r"\S")]
PositionId = Annotated[str, Field(pattern=r"^P[1-9]\d?$")]
LevelName = Literal["meets", "departs", "off", "fails"]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class PositionFile(_Strict):
    id: PositionId
    name: Text
    asks: Text
    levels: Annotated[dict[LevelName, Text], Field(min_length=2)]


class SourceFile(_Strict):
    title: Text
    start: Annotated[int, Field(ge=0)]
    end: Annotated[int, Field(gt=0)]
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    positions: Annotated[list[PositionId], Field(min_length=1)]
    shows: Text


class StandardFile(_Strict):
    clause_type: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,40}$")]
    version: Text
    title: Text
    positions: Annotated[list[PositionFile], Field(min_length=1)]
    provenance: list[SourceFile]
