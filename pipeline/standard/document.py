"""A standard as a document: its positions, their levels in words, and the clauses it was drawn from.

A standard is one YAML file, ``data/standard/<clause_type>.yaml``, read strictly: an unknown or missing
key, a wrong type or a level that does not exist is one line that names the place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from pipeline.base.errors import CuadAuditError, UsageError
from pipeline.base.types import Level

#: Beside the code, so that a server finds it whatever the current folder is.
ROOT = Path(__file__).resolve().parents[2] / "data" / "standard"
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,40}")


@dataclass(frozen=True, slots=True)
class Position:
    """One position: what the standard asks, and each level in words (no closing stop)."""

    id: str
    name: str
    asks: str
    levels: dict[Level, str]


@dataclass(frozen=True, slots=True)
class Source:
    """A clause that a position was drawn from: contract, character offsets, digest of its text, the
    positions it shows, and a sentence on what it shows. The text itself is never stored."""

    title: str
    start: int
    end: int
    sha256: str
    positions: tuple[str, ...]
    shows: str


@dataclass(frozen=True, slots=True)
class Standard:
    """The standard for one clause type."""

    clause_type: str
    version: str
    title: str
    positions: tuple[Position, ...]
    provenance: tuple[Source, ...]

    def position(self, name: str) -> Position:
        """The position called ``name``; ``KeyError`` if there is none."""
        for position in self.positions:
            if position.id == name:
                return position
        raise KeyError(name)

    def level_text(self, position: str, level: Level) -> str:
        """What ``level`` means at ``position``, in the standard's words; ``silent`` has one meaning."""
        if level is Level.SILENT:
            return "the clause does not speak to it"
        return self.position(position).levels[level]

    def asks(self, position: str) -> str:
        """What the standard asks at ``position``: one sentence."""
        return self.position(position).asks

    def text(self) -> str:
        """The whole standard in words, the same for the same file: for prompts and for people."""
        lines = [f"{self.title} (standard {self.clause_type}, version {self.version})"]
        for position in self.positions:
            lines += ["", f"{position.id} {position.name}. {position.asks}"]
            lines += [f"  {level.value}: {words}" for level, words in position.levels.items()]
            if Level.FAILS not in position.levels:
                lines.append(f"  silent: {self.level_text(position.id, Level.SILENT)}")
        return "\n".join(lines)


def known_types(root: Path = ROOT) -> list[str]:
    """The clause types that have a standard, sorted."""
    return sorted(path.stem for path in Path(root).glob("*.yaml"))


def load_standard(clause_type: str = "liability", root: Path = ROOT) -> Standard:
    """Read and check the standard of ``clause_type``; ``UsageError`` where there is none,
    ``CuadAuditError`` where the file is not a standard."""
    path = Path(root) / f"{clause_type}.yaml"
    if not _NAME.fullmatch(clause_type) or not path.is_file():
        known = ", ".join(known_types(root)) or "none"
        raise UsageError(f"no standard for the clause type {clause_type[:60]!r}", f"use one of: {known}")
    standard = _parse(path)
    if standard.clause_type != clause_type:
        raise _wrong(path, f"clause_type: is {standard.clause_type!r}, the file says {clause_type!r}")
    ids = [position.id for position in standard.positions]
    if len(set(ids)) != len(ids):
        raise _wrong(path, "positions: an id stands twice")
    for index, source in enumerate(standard.provenance):
        unknown = [name for name in source.positions if name not in ids]
        if unknown:
            raise _wrong(path, f"provenance.{index}.positions: there is no position {unknown[0]}")
        if source.end <= source.start:
            raise _wrong(path, f"provenance.{index}.end: must be greater than start")
    places = [(source.title, source.start, source.end) for source in standard.provenance]
    if len(set(places)) != len(places):
        raise _wrong(path, "provenance: a clause stands twice")
    return standard


def _parse(path: Path) -> Standard:
    # Lazy: together a third of a second, and readers of clauses need neither.
    import yaml
    from pydantic import ValidationError

    from pipeline.standard.schema import StandardFile

    try:
        raw = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise _wrong(path, f"not YAML ({error})") from None
    try:
        parsed = StandardFile.model_validate(raw)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the document"
        raise _wrong(path, f"{where}: {first['msg']}") from None
    positions = tuple(
        Position(p.id, p.name, p.asks, {Level(level): words for level, words in p.levels.items()})
        for p in parsed.positions
    )
    sources = tuple(Source(s.title, s.start, s.end, s.sha256, tuple(s.positions), s.shows) for s in parsed.provenance)
    return Standard(parsed.clause_type, parsed.version, parsed.title, positions, sources)


def _wrong(path: Path, what: str) -> CuadAuditError:
    return CuadAuditError(f"{path}: {what}", 'mend that place in the file (YAML wants "off" in quotes)')
