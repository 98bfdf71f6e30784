from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from pipeline.base import records
from pipeline.base.errors import CuadAuditError
from pipeline.corpus.slice import SPAN_COLUMNS
from pipeline.stages import chunk as stage

CAP = "The Supplier's total liability is limited to the fees paid under this order in the past twelve months. "


def spans(title: str, *texts: str) -> records.Rows:
    rows = []
    for number, text in enumerate(texts):
        start = 1000 * number
        row = (f"s{number}", title, start, start + len(text), text, "", ["Cap On Liability"], "fam", "library")
        rows.append(dict(zip(SPAN_COLUMNS, row, strict=True)))
    return rows


def test_chunks_fit_the_window_of_the_embedder(workspace: Callable[..., Path]) -> None:
    workspace(embedder={"window": 64})
    chosen, negatives = spans("A Inc - x", CAP.strip(), (CAP * 8).strip()), spans("B Inc - x", "Insurance is kept.")
    records.write_rows(Path("data/slice/spans.parquet"), chosen, SPAN_COLUMNS)
    records.write_rows(Path("data/slice/negatives.parquet"), negatives, SPAN_COLUMNS)
    stage.main()

    chunks = pd.read_parquet("data/chunks/chunks.parquet")
    assert chunks["n_tokens"].max() <= 64
    assert chunks["chunk_id"].is_unique
    assert list(chunks["kind"]) == ["negative"] + ["span"] * (len(chunks) - 1)
    long = chunks[chunks["span_id"] == "s1"]
    assert len(long) > 1
    assert " ".join(long["text"]) == (CAP * 8).strip()
    assert all(text.endswith("months.") for text in long["text"])
    metrics = json.loads(Path("metrics/chunk.json").read_text())
    assert metrics["max_tokens"] == 64
    assert metrics["span"]["spans_cut"] == 1

    first = Path("data/chunks/chunks.parquet").read_bytes()
    stage.main()
    assert Path("data/chunks/chunks.parquet").read_bytes() == first


def test_without_the_slice(workspace: Callable[..., Path]) -> None:
    workspace()
    with pytest.raises(CuadAuditError, match=r"data/slice/spans\.parquet: no such file"):
        stage.main()
