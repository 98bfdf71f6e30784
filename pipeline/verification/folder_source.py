"""A folder of documents as a source of citations."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pipeline.base.errors import CuadAuditError
from pipeline.verification.grammar import Citation, parse_one
from pipeline.verification.sources import SWISS, Found, SourceUnavailable
from pipeline.verification.words import content


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
