"""The text of labelled clauses, cut out of their contracts and checked against the label's digest."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from pipeline.errors import CuadAuditError
from pipeline.evaluation.labels import Sample
from pipeline.records import missing


def contract_texts(path: Path, titles: Sequence[str]) -> dict[str, str]:
    """``{title: text}`` of the named contracts out of data/raw/contracts.parquet."""
    import pyarrow.parquet as pq

    if not Path(path).exists():
        raise missing(path)
    table = pq.read_table(path, columns=["title", "text"], filters=[("title", "in", sorted(set(titles)))])
    return dict(zip(table["title"].to_pylist(), table["text"].to_pylist(), strict=True))


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
