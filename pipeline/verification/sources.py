"""Where citations are looked up: one protocol, one registry; the kinds of source have modules of their own.

A source says which kinds of citation it knows and finds one by its key. It returns what it found, or
``None`` where there is no such thing, or raises ``SourceUnavailable`` where it cannot say: the difference
between a false citation and a check that could not run.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from pipeline.base.records import read_jsonl
from pipeline.verification.grammar import BRACKETS, Citation, extract, parse_one

SWISS = ("bge", "decision", "statute", "commentary")


class SourceUnavailable(Exception):
    """The source cannot be asked just now; the message says why."""


@dataclass(frozen=True, slots=True)
class Found:
    """A source's answer: ``text`` whole, ``fields`` its named parts (pinpoints, levels), ``date`` ISO or empty."""

    key: str
    source: str
    text: str
    fields: Mapping[str, str] = field(default_factory=dict)
    title: str = ""
    date: str = ""


class Source(Protocol):
    name: str

    def knows(self, citation: Citation) -> bool: ...

    def lookup(self, citation: Citation) -> Found | None: ...

    def find(self, query: str, limit: int) -> list[Found]: ...

    def close(self) -> None: ...


class Registry:
    """Every source of a goal record; each citation is asked for once.

    ``failures`` collects what could not be asked, by source name.
    """

    def __init__(self, sources: Sequence[Source]) -> None:
        self.sources = list(sources)
        self.failures: dict[str, str] = {}
        self._seen: dict[tuple[str, str], Found | None] = {}

    def lookup(self, citation: Citation) -> Found | None:
        """The first source that has it. ``None``: every source that knows the kind answered, none has it.
        Raises ``SourceUnavailable`` where none has it and one of them could not be asked, or where no
        source knows the kind."""
        key = (citation.kind, citation.key)
        if key in self._seen:
            return self._seen[key]
        trouble, asked = "", False
        for source in self.sources:
            if not source.knows(citation):
                continue
            asked = True
            try:
                found = source.lookup(citation)
            except SourceUnavailable as error:
                self.failures[source.name] = str(error)
                trouble = trouble or f"{source.name}: {error}"
                continue
            if found is not None:
                self._seen[key] = found
                return found
        if trouble:
            raise SourceUnavailable(trouble)
        if not asked:
            raise SourceUnavailable(f"no source of the goal record holds citations of the kind {citation.kind}")
        self._seen[key] = None
        return None

    def find(self, query: str, limit: int = 5) -> list[Found]:
        found: list[Found] = []
        for source in self.sources:
            try:
                found += source.find(query, limit)
            except SourceUnavailable as error:
                self.failures[source.name] = str(error)
        return found[:limit]

    def close(self) -> None:
        for source in self.sources:
            source.close()

    def __enter__(self) -> Registry:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def pinpoint(found: Found, citation: Citation) -> tuple[str, str]:
    """The text that a citation points at, and what is wrong with its place.

    Without a place, the whole text. ``E. 3.2`` covers its own subdivisions (``E. 3.2.1``); ``S. 217`` and
    ``ff.`` need no field of their own where the source is not divided that way.
    """
    place = " ".join(re.sub(r"\bff?\.", " ", citation.pinpoint).split())
    if not place:
        return found.text, ""
    steps = [step for step in re.split(r"\s+(?=(?:Abs\.|lit\.|Ziff\.|E\.|S\.|N)\s)", place) if step]
    if citation.kind in BRACKETS:
        steps = [place]
    names = list(found.fields)
    for wanted in (place, *reversed(steps)):
        hits = [n for n in names if n == wanted or n.startswith((f"{wanted}.", f"{wanted} "))]
        if hits:
            missing = [s for s in steps if s not in place.split(wanted) and not any(s in n for n in names)]
            return " ".join(
                found.fields[n] for n in hits
            ), f"no place {missing[0]}" if missing and wanted != place else ""
    if not names:
        return found.text, "the source is not divided, so that the place cannot be checked"
    return found.text, f"there is no {place} in it"


class RetrievalLog:
    """What a run retrieved (R1): keys of sources, and for each audited item the keys of its own evidence.

    JSONL rows of two shapes: a recorded audit (``item_id`` with ``evidence`` of ``chunk_id``), or a
    retrieval (``results``: citation strings, or objects with ``citation``, ``chunk_id`` or ``id``).
    """

    def __init__(self) -> None:
        self.keys: set[str] = set()
        self.items: dict[str, set[str]] = {}
        self.rows = 0

    @classmethod
    def load(cls, paths: Iterable[Path]) -> RetrievalLog:
        log = cls()
        for path in paths:
            for row in read_jsonl(path):
                log.add(row)
        return log

    def add(self, row: Mapping[str, Any]) -> None:
        self.rows += 1
        if isinstance(row.get("evidence"), list) and isinstance(row.get("item_id"), str):
            chunks = {f"chunk:{e['chunk_id']}" for e in row["evidence"] if isinstance(e, dict) and "chunk_id" in e}
            own = f"clause:{row['item_id']}"
            self.items[row["item_id"]] = chunks | {own}
            self.keys |= chunks | {own}
        for result in row.get("results", []) if isinstance(row.get("results"), list) else []:
            self.keys |= set(_keys(result))

    def traces(self, citation: Citation, item: str = "") -> bool:
        """Whether the citation was retrieved; inside an item's section, for that item."""
        if citation.kind == "standard":  # given to every audit, not retrieved
            return True
        return citation.key in self.items.get(item, self.keys)


def _keys(result: Any) -> Iterable[str]:
    if isinstance(result, str):
        yield from (citation.key for citation in extract(result) if not citation.problem)
        if (one := parse_one(result)) is not None:
            yield one.key
    elif isinstance(result, Mapping):
        for name, value in result.items():
            if isinstance(value, str):
                if name == "chunk_id":
                    yield f"chunk:{value}"
                elif name in ("citation", "id", "source", "document"):
                    yield from _keys(value)
                    yield f"doc:{value}"


def fingerprint(paths: Iterable[Path], exclude: Iterable[Path] = ()) -> str:
    """Hex sha256 over names and bytes of files and folders: to see whether a source was changed."""
    left_out = {Path(path).resolve() for path in exclude}
    digest = hashlib.sha256()
    for path in sorted(map(Path, paths)):
        files = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
        for file in files:
            if file.resolve() in left_out:
                continue
            digest.update(json.dumps(str(file)).encode())
            digest.update(hashlib.sha256(file.read_bytes()).digest() if file.is_file() else b"-")
    return digest.hexdigest()
