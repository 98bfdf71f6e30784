"""The texts that an evaluation reads: contracts, library chunks, labelled clauses checked by digest."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipeline.errors import CuadAuditError
from pipeline.evaluation.labels import Sample
from pipeline.records import missing
from pipeline.types import Chunk


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
    """The library's chunks by id, out of data/index/library.parquet."""
    rows = parquet_rows(path, ("chunk_id", "title", "start", "end", "text", "categories", "family"))
    return {row["chunk_id"]: Chunk(**row | {"categories": tuple(row["categories"])}) for row in rows}


def clause_texts(samples: Sequence[Sample], contracts: Mapping[str, str]) -> dict[str, str]:
    """``{item_id: text}``; an error where the contract is not there or its words are not those labelled."""
    clauses = {}
    for sample in samples:
        if sample.title not in contracts:
            raise CuadAuditError(
                f"{sample.item_id}: no contract titled {sample.title!r}", "take labels and corpus of one making"
            )
        text = contracts[sample.title][sample.start : sample.end]
        if hashlib.sha256(text.encode()).hexdigest() != sample.sha256:
            raise CuadAuditError(
                f"{sample.item_id}: the text at its offsets is not the labelled one",
                "restore the labels, or derive data/raw again: `dvc repro download`",
            )
        clauses[sample.item_id] = text
    return clauses
