"""This pipeline's own index as a source: chunks, audited clauses and standards, by id."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pipeline.base.errors import CuadAuditError
from pipeline.base.records import read_jsonl, read_table, sha256
from pipeline.verification.grammar import Citation
from pipeline.verification.sources import Found, SourceUnavailable
from pipeline.verification.words import content


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
                if sha256(text) == row["sha256"]:
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
    """Columns of a Parquet file as lists, of the rows whose value of one column is ``among`` some."""
    import pyarrow as pa

    try:
        table = read_table(path, columns)
        if among is None:
            return [table.column(column).to_pylist() for column in columns]
        rows = [i for i, value in enumerate(table.column(among[0]).to_pylist()) if value in among[1]]
        return [[table.column(column)[i].as_py() for i in rows] for column in columns]
    except (OSError, KeyError, pa.ArrowException) as error:
        raise CuadAuditError(f"{path}: cannot be read ({error})", "derive it again") from None
