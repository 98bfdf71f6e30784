"""The texts that an evaluation reads: contracts, library chunks, labelled clauses checked by digest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.base.errors import CuadAuditError
from pipeline.base.records import read_rows
from pipeline.base.types import CHUNK, Chunk
from pipeline.corpus.normalise import sha256

if TYPE_CHECKING:
    from pipeline.evaluation.label_schema import Item
    from pipeline.evaluation.labels import Sample


def contract_texts(path: Path) -> dict[str, str]:
    """``{title: text}`` out of data/raw/contracts.parquet."""
    return {row["title"]: row["text"] for row in read_rows(path, ("title", "text"))}


def library_chunks(path: Path) -> dict[str, Chunk]:
    """The library's chunks by id, in its order, out of data/index/library.parquet."""
    return {row["chunk_id"]: Chunk.of(row) for row in read_rows(path, CHUNK)}


def chunks_of_the_library(path: Path) -> list[Chunk]:
    """The same chunks out of data/chunks/chunks.parquet, where no index is needed; those of evaluation
    clauses are no part of the library."""
    rows = read_rows(path, (*CHUNK, "kind", "split"))
    return [Chunk.of(row) for row in rows if (row["kind"], row["split"]) == ("span", "library")]


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
