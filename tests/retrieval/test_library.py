"""The library: loading, searching, keeping a family out, and refusing what is not whole."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pipeline.base import records
from pipeline.base.errors import CuadAuditError, UsageError
from pipeline.base.types import Chunk
from pipeline.retrieval.bm25 import Bm25
from pipeline.retrieval.library import Library
from pipeline.retrieval.vectors import text_sha256

TEXTS = {
    "cap": ("Liability is capped at the fees paid in twelve months.", "acme"),
    "twin": ("Liability is capped at the fees paid in twelve months.", "bolt"),
    "loss": ("Neither party answers for lost profits.", "acme"),
    "law": ("Nothing limits liability for fraud.", "cord"),
}


@pytest.fixture
def index(tmp_path: Path, fake) -> Path:
    """An index folder, written by hand as the stage's contract says."""
    rows = [
        {
            "chunk_id": name,
            "span_id": name,
            "title": f"{family} agreement",
            "start": 10,
            "end": 10 + len(text),
            "text": text,
            "sha256": text_sha256(text),
            "categories": ["Cap On Liability"],
            "family": family,
            "split": "library",
            "kind": "span",
            "n_tokens": 9,
        }
        for name, (text, family) in TEXTS.items()
    ]
    library = pd.DataFrame(rows)
    texts = sorted({text for text, _ in TEXTS.values()} | {"A negative."}, key=text_sha256)
    folder = tmp_path / "index"
    records.write_parquet(folder / "library.parquet", library)
    records.write_parquet(folder / "texts.parquet", pd.DataFrame({"sha256": [text_sha256(text) for text in texts]}))
    np.save(folder / "vectors.npy", fake.embed(texts))
    Bm25.build(library["text"].tolist()).save(folder / "bm25")
    records.write_json(folder / "manifest.json", {"embedder": fake.identity, "library": len(rows)})
    return folder


def test_chunks_come_in_index_order_with_their_vectors(index, fake):
    library = Library.load(index)
    assert [chunk.chunk_id for chunk in library.chunks] == list(TEXTS)
    text = TEXTS["cap"][0]
    assert library.chunks[0] == Chunk("cap", "acme agreement", 10, 10 + len(text), text, ("Cap On Liability",), "acme")
    np.testing.assert_array_equal(library.vectors, fake.embed([text for text, _ in TEXTS.values()]))


@pytest.mark.parametrize("retriever", ["bm25", "dense", "rrf"])
def test_the_same_text_is_found_first_and_twins_stand_in_order(index, fake, retriever):
    query = TEXTS["cap"][0]
    found = Library.load(index).search(query, fake.embed([query]), 3, retriever)
    assert [evidence.rank for evidence in found] == list(range(1, len(found) + 1))
    assert [evidence.chunk.chunk_id for evidence in found[:2]] == ["cap", "twin"]
    assert found[0].score >= found[1].score
    if retriever == "dense":
        assert found[0].score == found[1].score == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("retriever", ["bm25", "dense", "rrf"])
def test_a_family_is_kept_out(index, fake, retriever):
    library, query = Library.load(index), "liability for lost profits capped"
    found = library.search(query, fake.embed([query]), 9, retriever, exclude_family="acme")
    assert found
    assert {evidence.chunk.family for evidence in found} <= {"bolt", "cord"}
    assert library.mask("acme").tolist() == [False, True, False, True]
    assert library.mask(None).all()
    assert library.mask("nobody").all()


@pytest.mark.parametrize("family", [None, "acme"])
@pytest.mark.parametrize("k", [1, 9])
def test_each_retriever_finds_what_it_finds_alone(index, fake, family, k):
    library, query = Library.load(index), "liability for lost profits capped"
    vector = fake.embed([query])
    assert library.search_each(query, vector, k, exclude_family=family) == {
        name: library.search(query, vector, k, name, exclude_family=family) for name in ("bm25", "dense", "rrf")
    }


def test_one_vector_may_stand_for_the_query(index, fake):
    library, vector = Library.load(index), fake.embed(["fees"])
    assert library.search("fees", vector[0], 4, "dense") == library.search("fees", vector, 4, "dense")


def test_a_chunk_is_looked_up_by_id(index):
    library = Library.load(index)
    assert library.chunk("law") is library.chunks[3]
    assert library.chunk("invented") is None


def test_an_unknown_retriever(index):
    with pytest.raises(UsageError, match="bm25, dense, rrf"):
        Library.load(index).search("x", None, 1, "splade")


def test_an_index_without_its_manifest_is_incomplete(index, tmp_path):
    (index / "manifest.json").unlink()
    for folder in (index, tmp_path / "nowhere"):
        with pytest.raises(CuadAuditError, match=r"no complete index .*; run `dvc repro"):
            Library.load(folder)


@pytest.mark.parametrize("name", ["library.parquet", "texts.parquet", "vectors.npy", "bm25/vocab.index.json"])
@pytest.mark.parametrize("damage", ["absent", "cut", "empty"])
def test_a_damaged_index_is_one_error(index, name, damage):
    path = index / name
    if damage == "absent":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:20] if damage == "cut" else b"")
    with pytest.raises(CuadAuditError, match=r"damaged index|no such file; run `dvc repro`"):
        Library.load(index)


@pytest.mark.parametrize("text", ["7", "[]", "{}", "null", '{"other": 1}'])
def test_bm25_parameters_of_another_shape_are_a_damaged_index(index, text):
    (index / "bm25/params.index.json").write_text(text)
    with pytest.raises(CuadAuditError, match="damaged index"):
        Library.load(index)


def test_a_manifest_of_another_shape_is_a_damaged_index(index):
    (index / "manifest.json").write_text("7")
    with pytest.raises(CuadAuditError, match="damaged index"):
        Library.load(index)


def test_a_text_without_a_vector_is_a_damaged_index(index, fake):
    records.write_parquet(index / "texts.parquet", pd.DataFrame({"sha256": ["0"]}))
    np.save(index / "vectors.npy", fake.embed(["x"]))
    with pytest.raises(CuadAuditError, match="damaged index"):
        Library.load(index)


def test_another_embedder_is_refused(index, fake, make_fake):
    library = Library.load(index)
    library.check(fake)
    with pytest.raises(CuadAuditError, match="built with"):
        library.check(make_fake(window=99))


def test_parts_that_do_not_fit_together():
    with pytest.raises(ValueError, match="1 chunks, 2 vectors, 1 indexed"):
        Library([Chunk("a", "t", 0, 1, "x")], np.zeros((2, 3)), Bm25.build(["x"]))


def test_loading_imports_no_pandas(index):
    code = (
        "import sys; from pathlib import Path; from pipeline.retrieval.library import Library;"
        "library = Library.load(Path(sys.argv[1])); library.search('fees', library.vectors[0], 3);"
        "print('pandas' in sys.modules, 'torch' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code, str(index)], check=True, capture_output=True, text=True)
    assert run.stdout.split() == ["False", "False"]
