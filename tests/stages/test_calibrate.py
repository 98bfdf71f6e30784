"""The calibrate stage in a folder of its own, on synthetic vectors."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pipeline.base import records
from pipeline.base.errors import CuadAuditError
from pipeline.grounding import gate1
from pipeline.retrieval.library import vectors_of
from pipeline.stages import calibrate


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.fixture
def folder(tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Forty families with chunks and vectors, and three negatives of the project's own."""
    rng = np.random.default_rng(8)
    rows, vectors = [], {}
    for family in range(40):
        for number in range(8):
            kind = "span" if number < 3 else "negative"
            text = f"clause {number} of family {family}"
            vector = rng.normal(0, 1, 8)
            vector[0] += 3 if kind == "span" else -3
            vectors[digest(text)] = vector
            row = {"span_id": f"s{family}-{number // 2}", "categories": ["Cap On Liability"], "kind": kind}
            if kind == "negative":
                row["categories"] = ["Audit Rights", "Governing Law"] if number == 7 else ["Audit Rights"]
                row["span_id"] = f"n{family}-{number // 2}"
            rows.append(
                row
                | {"chunk_id": f"c{family}-{number}", "text": text, "sha256": digest(text)}
                | {"family": f"f{family}", "split": "queries" if family % 4 == 0 else "library"}
            )
    written = [
        {"id": f"N{i}", "text": f"made up {i}", "stratum": "gibberish" if i else "near-domain"} for i in range(3)
    ]
    for row in written:
        vectors[digest(row["text"])] = rng.normal(0, 1, 8)
    shutil.copy(root / "params.yaml", tmp_path)
    monkeypatch.chdir(tmp_path)
    records.write_parquet(calibrate.CHUNKS, pd.DataFrame(rows))
    records.write_jsonl(calibrate.WRITTEN, written)
    order = sorted(vectors)
    records.write_parquet(calibrate.INDEX / "texts.parquet", pd.DataFrame({"sha256": order}))
    table = np.array([vectors[key] for key in order])
    np.save(calibrate.INDEX / "vectors.npy", (table / np.linalg.norm(table, axis=1, keepdims=True)).astype("f4"))
    return tmp_path


def test_the_stage_scores_every_unit_and_writes_the_probe_that_serving_reads(folder, capsys):
    calibrate.main()
    scores = records.read_parquet(folder / "data/calibration/scores.parquet").set_index("unit_id")
    assert len(scores) == 40 * 8 + 3
    assert scores["kind"].value_counts().to_dict() == {"negative": 203, "positive": 120}
    assert scores.loc["c1-7", "category"] == "Audit Rights; Governing Law"
    assert set(scores["stratum"]) == {"corpus", "gibberish", "near-domain"}
    probe = gate1.Probe.load(folder / "data/calibration/probe.json")
    chunks = records.read_parquet(calibrate.CHUNKS)
    vectors = vectors_of(calibrate.INDEX, chunks["sha256"].tolist())
    library = ((chunks["kind"] == "span") & (chunks["split"] == "library")).to_numpy()
    for row in (0, 5):  # family f0 is held out, and scored as serving would
        for kind in gate1.KINDS:
            served = gate1.evidence_score(kind, vectors[row], vectors[library], probe)
            assert scores.loc[chunks["chunk_id"][row], kind] == pytest.approx(served, abs=1e-6)
    metrics = records.read_json(calibrate.METRICS)
    assert metrics["counts"]["queries"]["positives"] == {"units": 30, "families": 10}
    assert metrics["scores"]["probe"]["auroc"]["library"]["value"] > 0.99
    assert {row["name"]: row["n"] for row in metrics["categories"]} == {"Audit Rights": 200, "Governing Law": 40}
    assert "probe: AUROC" in capsys.readouterr().out


def test_a_second_run_writes_the_same_bytes(folder):
    written = []
    for _ in range(2):
        calibrate.main()
        files = [*sorted((folder / "data/calibration").iterdir()), calibrate.METRICS]
        written.append({path.name: path.read_bytes() for path in files})
    assert written[0] == written[1]
    assert set(written[0]) == {"scores.parquet", "curve.parquet", "probe.json", "calibration.json"}


@pytest.mark.usefixtures("folder")
def test_thresholds_in_use_are_not_among_what_it_reads():
    assert not any(read in ("gate1", "gate1.threshold", "gate1.score") for read in calibrate.READS)
    params = Path("params.yaml").read_text()
    calibrate.main()
    before = calibrate.METRICS.read_bytes()
    Path("params.yaml").write_text(params.replace("threshold: 0.5", "threshold: 0.9"))
    calibrate.main()
    assert calibrate.METRICS.read_bytes() == before


def test_an_index_that_lacks_texts_is_named(folder):
    records.write_jsonl(calibrate.WRITTEN, [{"id": "N1", "text": "never embedded", "stratum": "gibberish"}])
    with pytest.raises(CuadAuditError, match="no vector for 1 of 321 texts"):
        calibrate.main()
    assert not (folder / "data/calibration").exists()


@pytest.mark.usefixtures("folder")
def test_no_vectors_is_an_error_with_a_mend():
    (calibrate.INDEX / "vectors.npy").unlink()
    with pytest.raises(CuadAuditError, match=r"vectors\.npy: no such file; run `dvc repro`"):
        calibrate.main()
