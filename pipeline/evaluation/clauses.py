"""The texts that an evaluation reads: contracts, library chunks, labelled clauses checked by digest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipeline.corpus.normalise import sha256
from pipeline.errors import CuadAuditError
from pipeline.evaluation.label_schema import Item
from pipeline.evaluation.labels import Sample
from pipeline.records import missing
from pipeline.types import Chunk

#: The columns that make a chunk.
CHUNK = ("chunk_id", "title", "start", "end", "text", "categories", "family")


def parquet_rows(path: Path, columns: Sequence[str] | None = None) -> list[dict[str, Any]]:
    """The rows of a small Parquet file, all columns by default. Read by pyarrow alone: a stage that must
    be quick cannot wait for pandas and pyarrow's data sets to be imported."""
    import pyarrow.parquet as pq

    if not Path(path).exists():
        raise missing(path)
    with pq.ParquetFile(path) as file:
        return file.read(columns=None if columns is None else list(columns)).to_pylist()


def contract_texts(path: Path) -> dict[str, str]:
    """``{title: text}`` out of data/raw/contracts.parquet."""
    return {row["title"]: row["text"] for row in parquet_rows(path, ("title", "text"))}


def library_chunks(path: Path) -> dict[str, Chunk]:
    """The library's chunks by id, in its order, out of data/index/library.parquet."""
    return {row["chunk_id"]: _chunk(row) for row in parquet_rows(path, CHUNK)}


def chunks_of_the_library(path: Path) -> list[Chunk]:
    """The same chunks out of data/chunks/chunks.parquet, where no index is needed; those of evaluation
    clauses are no part of the library."""
    rows = parquet_rows(path, (*CHUNK, "kind", "split"))
    return [_chunk(row) for row in rows if (row["kind"], row["split"]) == ("span", "library")]


def _chunk(row: Mapping[str, Any]) -> Chunk:
    return Chunk(**{name: row[name] for name in CHUNK} | {"categories": tuple(row["categories"])})


def clause_texts(samples: Sequence[Sample], contracts: Mapping[str, str]) -> dict[str, str]:
    """``{item_id: text}``; an error where the contract is not there or its words are not those labelled."""
    return {sample.item_id: clause_text(sample, contracts) for sample in samples}


def clause_text(item: Sample | Item, contracts: Mapping[str, str]) -> str:
    """The words of one labelled clause, cut out of its contract and checked against its sha256."""
    if item.title not in contracts:
        raise CuadAuditError(
            f"{item.item_id}: no contract titled {item.title!r}", "take labels and corpus of one making"
        )
    text = contracts[item.title][item.start : item.end]
    if sha256(text) != item.sha256:
        raise CuadAuditError(
            f"{item.item_id}: the text at its offsets is not the labelled one",
            "restore the labels, or derive data/raw again: `dvc repro download`",
        )
    return text
