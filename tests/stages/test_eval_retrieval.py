"""The eval_retrieval stage in a folder of its own, with a real small library on disk."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pipeline.base import params, records
from pipeline.base.errors import CuadAuditError
from pipeline.retrieval.bm25 import Bm25
from pipeline.stages import eval_retrieval

CAP, UNCAPPED = "Cap On Liability", "Uncapped Liability"


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def clause(number: int) -> tuple[str, list[str]]:
    """Own-written clauses in three kinds that differ in their words."""
    if number % 4 == 0:
        return f"Nothing in part {number} limits liability for fraud or wilful default.", [UNCAPPED]
    if number % 4 == 1:
        return f"Except for fraud, liability under part {number} is capped at the annual fees.", [CAP, UNCAPPED]
    return f"The aggregate liability under part {number} is capped at the annual fees.", [CAP]


@pytest.fixture
def folder(tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Forty library families and twenty query families, one span each; query span s40 has two pieces. Forty
    negatives stand beside them, on subjects of their own."""
    shutil.copy(root / "params.yaml", tmp_path)
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    spans, chunks, vectors = [], [], {}
    for number in range(60):
        text, categories = clause(number)
        split = "library" if number < 40 else "queries"
        common = {"span_id": f"s{number}", "title": f"t{number}", "categories": categories, "family": f"f{number}"}
        spans.append(common | {"start": 0, "end": len(text), "text": text, "split": split})
        for start, end in [(0, 20), (20, len(text))] if number == 40 else [(0, len(text))]:
            piece = text[start:end]
            vector = rng.normal(0, 0.3, 6)
            vector[number % 4] += 2
            vectors[digest(piece)] = vector / np.linalg.norm(vector)
            chunks.append(
                common
                | {"chunk_id": f"c{number}-{start}", "start": start, "end": end, "text": piece}
                | {"sha256": digest(piece), "split": split, "kind": "span"}
            )
    for number in range(40):
        text, vector = f"Invoices under order {number} are payable in thirty days.", np.zeros(6)
        vector[5] = 1
        vectors[digest(text)] = vector
        chunks.append(
            {"span_id": f"n{number}", "title": f"t{number}", "categories": ["Payment"], "family": f"f{number}"}
            | {"chunk_id": f"n{number}-0", "start": 900, "end": 900 + len(text), "text": text}
            | {"sha256": digest(text), "split": "library", "kind": "negative"}
        )
    records.write_parquet(eval_retrieval.SPANS, pd.DataFrame(spans))
    records.write_parquet(eval_retrieval.CHUNKS, pd.DataFrame(chunks))
    order = sorted(vectors)
    index = eval_retrieval.INDEX
    records.write_parquet(index / "texts.parquet", pd.DataFrame({"sha256": order}))
    np.save(index / "vectors.npy", np.array([vectors[key] for key in order], dtype=np.float32))
    library = pd.DataFrame(chunks)
    library = library[(library["split"] == "library") & (library["kind"] == "span")]
    records.write_parquet(index / "library.parquet", library)
    bm25 = params.load(("bm25",)).bm25
    Bm25.build(library["text"].tolist(), bm25.method, bm25.k1, bm25.b).save(index / "bm25")
    records.write_json(index / "manifest.json", {"bm25": {"method": bm25.method, "k1": bm25.k1, "b": bm25.b}})
    return tmp_path


def test_the_stage_ranks_by_every_retriever_under_every_protocol(folder, capsys):
    eval_retrieval.main()
    table = records.read_parquet(folder / "data/retrieval/per_query.parquet")
    assert table.groupby(["protocol", "ranker"]).size().to_dict() == {
        (protocol, ranker): queries
        for protocol, queries in (("single", 25), ("set", 20), ("distractors", 20))
        for ranker in ("bm25", "dense", "rrf", "majority", "constant", "random")
    }
    metrics = records.read_json(eval_retrieval.METRICS)
    by_set = metrics["protocols"]["set"]["rankers"]
    assert by_set["bm25"]["overall"]["p_at_1"]["value"] == 1
    assert by_set["bm25"]["overall"]["p_at_1"]["value"] > by_set["random"]["overall"]["p_at_1"]["value"]
    assert metrics["protocols"]["single"]["ceiling"] == {
        "queries": 25,
        "texts": 20,
        "most_right": 20,
        "p_at_1": 0.8,
    }
    best = max(
        metrics["protocols"]["single"]["rankers"][name]["overall"]["p_at_1"]["value"] for name in ("bm25", "rrf")
    )
    assert best <= 0.8
    among = metrics["protocols"]["distractors"]
    assert among["counts"]["library_chunks"] == 80
    p_at_1 = {name: ranker["overall"]["p_at_1"]["value"] for name, ranker in among["rankers"].items()}
    assert p_at_1["bm25"] == 1
    assert p_at_1["majority"] == 0, "of all categories, Payment is the most frequent"
    assert p_at_1["random"] == pytest.approx(by_set["random"]["overall"]["p_at_1"]["value"] / 2)
    assert metrics["rule"]["baseline"] == "bm25"
    assert "rule: " in capsys.readouterr().out


@pytest.mark.usefixtures("folder")
def test_a_second_run_writes_the_same_bytes():
    written = []
    for _ in range(2):
        eval_retrieval.main()
        written.append([path.read_bytes() for path in (eval_retrieval.OUT, eval_retrieval.METRICS)])
    assert written[0] == written[1]


@pytest.mark.usefixtures("folder")
def test_all_pieces_of_a_span_are_its_query():
    chunks = records.read_rows(eval_retrieval.CHUNKS)
    vectors = eval_retrieval.piece_vectors(chunks[::-1], ["s40", "s41"], eval_retrieval.INDEX)
    assert {key: len(value) for key, value in vectors.items()} == {"s40": 2, "s41": 1}
    assert vectors["s40"][0] @ vectors["s40"][0] == pytest.approx(1, abs=1e-6)
    starts = [row for row in chunks if row["start"] == 0]
    first = eval_retrieval.piece_vectors(starts, ["s40"], eval_retrieval.INDEX)
    assert (vectors["s40"][0] == first["s40"][0]).all(), "in the order of the text"


@pytest.mark.usefixtures("folder")
def test_an_index_that_does_not_fit_is_named():
    chunks = [row | {"sha256": "0" * 64} for row in records.read_rows(eval_retrieval.CHUNKS)]
    with pytest.raises(CuadAuditError, match="no vector for 1 of 1 texts"):
        eval_retrieval.piece_vectors(chunks, ["s41"], eval_retrieval.INDEX)
    (eval_retrieval.INDEX / "manifest.json").unlink()
    with pytest.raises(CuadAuditError, match="no complete index"):
        eval_retrieval.main()
    assert not eval_retrieval.METRICS.exists()
