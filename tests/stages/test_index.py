"""The index stage: what is embedded, what is written, and that it is whole or absent."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pipeline.base import params, records
from pipeline.base.errors import CuadAuditError
from pipeline.corpus.chunk import COLUMNS
from pipeline.retrieval.library import Library
from pipeline.retrieval.vectors import text_sha256
from pipeline.stages import index as stage

BM25 = params.Bm25(method="lucene", k1=1.2, b=0.5)


class FakeEmbedder:
    """Words and two specials are tokens; a vector tells a text's length and words."""

    dim, window = 3, 8
    identity = {"name": "fake", "weights_sha256": "0" * 64, "window": 8}  # noqa: RUF012

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) + 2 for text in texts]

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        rows = np.array([[len(text), len(text.split()), 1] for text in texts], dtype=np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def chunks(*rows: tuple[str, str, str]) -> records.Rows:
    """Rows of (text, kind, split)."""
    table = [
        (f"c{n}", f"s{n}", "A Inc", n, n + len(text), text, text_sha256(text), ["Cap"], f"f{n}", split, kind, 5)
        for n, (text, kind, split) in enumerate(rows)
    ]
    return [dict(zip(COLUMNS, row, strict=True)) for row in table]


CHUNKS = chunks(
    ("Fees cap all liability.", "span", "library"),
    ("No lost profits.", "span", "queries"),
    ("Fees cap all liability.", "span", "library"),
    ("Rent is due.", "negative", "library"),
)
LONG = "One two three four five six. Seven eight nine ten eleven twelve."


def write(folder: Path, written: list[str]) -> dict:
    return stage.write_index(folder, CHUNKS, written, FakeEmbedder(), BM25)


def test_every_distinct_text_has_one_vector(tmp_path):
    manifest = write(tmp_path / "index", ["Soup of the day.", "Rent is due."])
    texts = pd.read_parquet(tmp_path / "index/texts.parquet")
    expected = {"Fees cap all liability.", "No lost profits.", "Rent is due.", "Soup of the day."}
    assert texts["sha256"].tolist() == sorted(map(text_sha256, expected))
    assert texts["of"].tolist() == texts["sha256"].tolist()
    vectors = np.load(tmp_path / "index/vectors.npy")
    row = texts["sha256"].tolist().index(text_sha256("No lost profits."))
    np.testing.assert_array_equal(vectors[row], FakeEmbedder().embed(["No lost profits."])[0])
    assert manifest["texts"] == len(vectors) == 4


def test_a_long_negative_is_embedded_in_pieces_beside_the_whole():
    table = stage.texts_to_embed([], [LONG], FakeEmbedder())
    pieces = ["One two three four five six.", "Seven eight nine ten eleven twelve."]
    assert sorted(row["text"] for row in table) == sorted([LONG, *pieces])
    assert {row["of"] for row in table} == {text_sha256(LONG)}


def test_the_library_is_the_chosen_spans_of_the_library_side(tmp_path):
    manifest = write(tmp_path / "index", ["Soup."])
    library = Library.load(tmp_path / "index")
    assert [chunk.chunk_id for chunk in library.chunks] == ["c0", "c2"]
    assert manifest["library"] == 2
    assert list(pd.read_parquet(tmp_path / "index/library.parquet").columns) == list(COLUMNS)
    assert json.loads((tmp_path / "index/bm25/params.index.json").read_text())["k1"] == 1.2
    assert library.search("liability", None, 5, "bm25")[0].chunk.chunk_id == "c0"


def test_twice_the_same_bytes(tmp_path):
    for name in ("one", "two"):
        write(tmp_path / name, ["Soup.", LONG])
    files = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*") if path.is_file())
    assert len(files) >= 9
    assert all((tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes() for file in files)


def test_a_failure_leaves_the_former_index(tmp_path, monkeypatch):
    write(tmp_path / "index", ["Soup."])
    before = (tmp_path / "index/manifest.json").read_bytes()

    def fails(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(np, "save", fails)
    with pytest.raises(OSError, match="disk full"):
        write(tmp_path / "index", ["Other soup."])
    assert (tmp_path / "index/manifest.json").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["index"]


def test_no_library_is_an_error(tmp_path):
    with pytest.raises(CuadAuditError, match="no chunk of the library side"):
        stage.write_index(tmp_path / "index", CHUNKS[1:2], [], FakeEmbedder(), BM25)


def test_the_stage_with_the_real_model(workspace: Callable[..., Path]) -> None:
    workspace()
    records.write_rows(stage.CHUNKS, CHUNKS, COLUMNS)
    records.write_jsonl(stage.WRITTEN, [{"text": "Soup of the day.", "stratum": "other"}])
    stage.main()
    library = Library.load(stage.OUT)
    assert library.vectors.shape == (2, 384)
    metrics = json.loads(stage.METRICS.read_text())
    assert metrics == {"chunks": 4, "dim": 384, "library": 2, "texts": 4, "window": 256, "written_negatives": 1}
    first = {path: path.read_bytes() for path in stage.OUT.rglob("*") if path.is_file()}
    stage.main()  # from the cache: the same bytes
    assert {path: path.read_bytes() for path in stage.OUT.rglob("*") if path.is_file()} == first
