"""Where citations are looked up: one protocol, three kinds of source, one registry.

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

from pipeline.errors import CuadAuditError
from pipeline.records import read_jsonl
from pipeline.verification.grammar import BRACKETS, Citation, extract, parse_one
from pipeline.verification.words import content

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


class FolderSource:
    """Markdown or text documents: the front matter names what each is cited as (``citations``).

    ``title`` and ``date`` may stand beside it. Headings whose title is a place (``E. 3.2``, ``Abs. 1``, ``N 4``,
    ``p. 3``) are its fields. Every document can also be cited by its file name as ``[doc:NAME]``.
    """

    def __init__(self, name: str, path: Path, exclude: Iterable[Path] = ()) -> None:
        self.name, self.path = name, Path(path)
        self._exclude = {Path(p).resolve() for p in exclude}
        self._documents: dict[str, Found] | None = None

    def knows(self, citation: Citation) -> bool:
        return citation.kind in (*SWISS, "doc")

    def lookup(self, citation: Citation) -> Found | None:
        return self.documents().get(citation.key)

    def find(self, query: str, limit: int) -> list[Found]:
        wanted = set(content(query))
        unique = {id(found): found for found in self.documents().values()}.values()
        scored = [(len(wanted & set(content(found.title + " " + found.text))), found.key, found) for found in unique]
        return [found for score, _, found in sorted(scored, key=lambda s: (-s[0], s[1])) if score][:limit]

    def close(self) -> None:
        self._documents = None

    def documents(self) -> dict[str, Found]:
        if self._documents is None:
            if not self.path.is_dir():
                raise SourceUnavailable(f"no folder {self.path}")
            self._documents = {}
            for path in sorted(self.path.rglob("*")):
                if path.suffix in (".md", ".txt") and path.is_file() and path.resolve() not in self._exclude:
                    self._read(path)
        return self._documents

    def _read(self, path: Path) -> None:
        from pipeline.verification.document import front_matter
        from pipeline.verification.plainyaml import Malformed

        text = path.read_text(encoding="utf-8", errors="replace")
        front: dict[str, Any] = {}
        body = text
        if text.startswith("---"):
            try:
                front, body, _ = front_matter(text)
            except Malformed as error:
                raise CuadAuditError(f"{path}: {error}", "mend the source document") from None
        named = front.get("citations") or []
        names = [name for name in (named if isinstance(named, list) else [named]) if isinstance(name, str)]
        title, date = str(front.get("title", path.stem)), str(front.get("date", ""))
        own = f"doc:{path.relative_to(self.path).as_posix()}"
        keys = [own, f"doc:{path.stem}"]
        for name in names:
            citation = parse_one(name)
            if citation is None or citation.problem:
                raise CuadAuditError(f"{path}: citations: {name!r} is no citation", "mend the source document")
            keys.append(citation.key)
        found = Found(keys[2] if names else own, self.name, body, _fields(body), title, date)
        for key in keys:
            self._documents.setdefault(key, found)  # type: ignore[union-attr]


def _fields(body: str) -> dict[str, str]:
    """The text under each heading, by the heading's title."""
    fields: dict[str, str] = {}
    current, lines = "", []
    for line in body.split("\n"):
        heading = re.match(r"#{1,6}\s+(.*\S)\s*$", line)
        if heading:
            if current:
                fields[current] = "\n".join(lines).strip()
            current, lines = " ".join(heading[1].split()), []
        else:
            lines.append(line)
    if current:
        fields[current] = "\n".join(lines).strip()
    return fields


class PipelineSource:
    """Chunks and audited clauses of this pipeline, and its standards, by id; files are read when needed."""

    def __init__(self, name: str, chunks: Path, contracts: Path, audits: Path, standards: Path) -> None:
        self.name = name
        self._paths = {"chunks": Path(chunks), "contracts": Path(contracts), "audits": Path(audits)}
        self._standards = Path(standards)
        self._chunks: dict[str, tuple[str, str]] | None = None
        self._clauses: dict[str, Found] | None = None

    def knows(self, citation: Citation) -> bool:
        return citation.kind in ("chunk", "clause", "standard")

    def lookup(self, citation: Citation) -> Found | None:
        name = citation.key.partition(":")[2]
        if citation.kind == "standard":
            return self._standard(name)
        if citation.kind == "clause":
            return self.clauses().get(name)
        text = self.chunks().get(name)
        return Found(citation.key, self.name, text[1], {}, text[0]) if text else None

    def find(self, query: str, limit: int) -> list[Found]:
        """Chunks that share the most words with ``query``; the ranked search is the server's ``search_clauses``."""
        wanted = set(content(query))
        scored = ((len(wanted & set(content(text))), key, title, text) for key, (title, text) in self.chunks().items())
        best = sorted((row for row in scored if row[0]), key=lambda row: (-row[0], row[1]))[:limit]
        return [Found(f"chunk:{key}", self.name, text, {}, title) for _, key, title, text in best]

    def close(self) -> None:
        self._chunks = self._clauses = None

    def chunks(self) -> dict[str, tuple[str, str]]:
        if self._chunks is None:
            table = self._table("chunks", ["chunk_id", "title", "text"])
            self._chunks = {i: (title, text) for i, title, text in zip(*table, strict=True)}
        return self._chunks

    def clauses(self) -> dict[str, Found]:
        """The audited clauses, cut from their contracts and checked against the recorded sha256."""
        if self._clauses is None:
            rows = self._read_audits()
            titles = {row["title"] for row in rows}
            names, bodies = self._table("contracts", ["title", "text"], ("title", titles))
            texts = dict(zip(names, bodies, strict=True))
            self._clauses = {}
            for row in rows:
                text = texts.get(row["title"], "")[row["start"] : row["end"]]
                if hashlib.sha256(text.encode()).hexdigest() == row["sha256"]:
                    self._clauses[row["item_id"]] = Found(f"clause:{row['item_id']}", self.name, text, {}, row["title"])
        return self._clauses

    def _read_audits(self) -> list[dict[str, Any]]:
        try:
            rows = read_jsonl(self._paths["audits"])
        except (CuadAuditError, UnicodeDecodeError, OSError) as error:
            raise SourceUnavailable(f"{self._paths['audits']}: {error}") from None
        kinds = {"item_id": str, "title": str, "start": int, "end": int, "sha256": str}
        if any(not isinstance(row.get(name), kind) for row in rows for name, kind in kinds.items()):
            raise SourceUnavailable(f"{self._paths['audits']}: not a record of audits")
        return rows

    def _table(self, name: str, columns: list[str], among: tuple[str, set[str]] | None = None) -> list[list[Any]]:
        path = self._paths[name]
        if not path.is_file():
            raise SourceUnavailable(f"no file {path}")
        try:
            return read_columns(path, columns, among)
        except CuadAuditError as error:
            raise SourceUnavailable(str(error)) from None

    def _standard(self, clause_type: str) -> Found | None:

        path = self._standards / f"{clause_type}.yaml"
        if "/" in clause_type or not path.is_file():
            if not self._standards.is_dir():
                raise SourceUnavailable(f"no folder {self._standards}")
            return None
        from pipeline.standard import load_standard

        standard = load_standard(clause_type, self._standards)
        fields = {
            f"{position.id} {level.value}": words
            for position in standard.positions
            for level, words in position.levels.items()
        }
        return Found(f"standard:{clause_type}", self.name, standard.text(), fields, standard.title)


def read_columns(path: Path, columns: list[str], among: tuple[str, set[str]] | None = None) -> list[list[Any]]:
    """Columns of a Parquet file as lists, of the rows whose value of one column is ``among`` some.

    ``ParquetFile`` and no arrays from lists: both ``read_table`` and ``pa.array`` import pandas, which costs
    more than all else here.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            table = file.read(columns=columns)
        if among is None:
            return [table.column(column).to_pylist() for column in columns]
        rows = [i for i, value in enumerate(table.column(among[0]).to_pylist()) if value in among[1]]
        return [[table.column(column)[i].as_py() for i in rows] for column in columns]
    except (OSError, KeyError, pa.ArrowException) as error:
        raise CuadAuditError(f"{path}: cannot be read ({error})", "derive it again") from None


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
