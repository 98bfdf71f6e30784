"""A small repository to serve from: own-written clauses under the real embedder, with labels."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pandas as pd
import pytest
import yaml

from pipeline.base import params, records
from pipeline.base.records import sha256
from pipeline.corpus.chunk import COLUMNS
from pipeline.retrieval.embedder import load_embedder
from pipeline.stages.index import write_index

if (tests := str(Path(__file__).resolve().parents[1])) not in sys.path:
    sys.path.insert(0, tests)  # helpers are modules of the tests, not of the product

from serving.clauses import BREAD, LABELLED, LIBRARY


@pytest.fixture(scope="session")
def world(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with params.yaml, index, probe, contracts and three labelled clauses."""
    folder = tmp_path_factory.mktemp("world")
    settings = yaml.safe_load((root / "params.yaml").read_text(encoding="utf-8"))
    settings["gate1"] |= {"score": "cosine_top1", "threshold": 0.45}
    settings["auditor"], settings["judge"] = {"name": "rules"}, {"name": "lexical"}
    settings["source"]["labels"] = "data/labels"
    (folder / "params.yaml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    rows = [
        (f"c{n:012d}", f"s{n}", f"Contract {n}", 0, len(text), text, sha256(text), ["Cap On Liability"], f"family{n}",
         "library", "span", 20)
        for n, text in enumerate(LIBRARY)
    ]  # fmt: skip
    embedder = load_embedder("minilm", "onnx", 256, root / ".cache")
    chunks = [dict(zip(COLUMNS, row, strict=True)) for row in rows]
    write_index(folder / "data/index", chunks, [BREAD], embedder, params.Bm25(**settings["bm25"]))
    records.write_json(folder / "data/calibration/probe.json", {"coef": [0.0] * 384, "intercept": 1.0})
    nothing = pd.DataFrame({"span_id": ["s0"], "kind": ["negative"], "probe": [0.1]})
    records.write_parquet(folder / "data/calibration/scores.parquet", nothing)
    titles = [f"Labelled {item_id}" for item_id in LABELLED]
    contracts = pd.DataFrame({"title": titles, "text": [f"1. {text}" for text in LABELLED.values()]})
    records.write_parquet(folder / "data/raw/contracts.parquet", contracts)
    items = [
        {"item_id": item_id, "title": title, "start": 3, "end": 3 + len(text), "sha256": sha256(text),
         "family": f"family{n}", "categories": ["Cap On Liability"]}
        for n, (title, (item_id, text)) in enumerate(zip(titles, LABELLED.items(), strict=True))
    ]  # fmt: skip
    records.write_jsonl(folder / "data/labels/items.jsonl", items)
    return folder


@pytest.fixture
def environment(root: Path, world: Path) -> dict[str, str]:
    """The environment of a subprocess that works in ``world``: the model comes from the real cache."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ANTHROPIC", "MLFLOW", "DVC"))}
    return {
        **kept,
        "CUAD_AUDIT_ROOT": str(world),
        "DVC_ROOT": str(root),
        "PYTHONPATH": str(root),
        "OMP_NUM_THREADS": "1",
    }
