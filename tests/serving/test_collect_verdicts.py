"""The stage in a folder of its own: every labelled clause recorded, whatever gate 1 would say."""

from __future__ import annotations

import json
import shutil

import pandas as pd
import pytest
from serving.clauses import LABELLED

from pipeline import records
from pipeline.corpus.normalise import span_key
from pipeline.errors import CuadAuditError
from pipeline.grounding.rows import result_of
from pipeline.retrieval.library import Library
from pipeline.stages import collect_verdicts
from pipeline.types import FailureCause


@pytest.fixture
def workspace(world, root, tmp_path, monkeypatch):
    folder = tmp_path / "workspace"
    shutil.copytree(world, folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("DVC_ROOT", str(root))
    return folder


@pytest.fixture
def rows(workspace):
    collect_verdicts.main()
    return [json.loads(line) for line in (workspace / "data/verdicts/verdicts.jsonl").read_text().splitlines()]


def test_every_item_has_its_row_in_order(rows):
    assert [row["item_id"] for row in rows] == list(LABELLED)
    assert [row["answer"]["verdict"] for row in rows][:2] == ["acceptable", "insufficient-grounding"]
    assert all(set(row["gate1"]) == {"cosine_top1", "cosine_top5", "probe"} for row in rows)
    assert all(row["usage"]["calls"] == 0 and row["latency_s"] == 0 for row in rows)


def test_what_gate_one_would_stop_is_recorded_as_well(workspace, rows):
    library = Library.load(workspace / "data/index")
    text = LABELLED["L3"]
    assert rows[2]["answer"] is not None
    assert result_of(rows[2], text, "cosine_top1", 0.45, library.chunk).failure_cause is FailureCause.GATE1
    assert result_of(rows[2], text, "cosine_top1", -1.0, library.chunk).failure_cause is FailureCause.AUDITOR_ABSTAINED


def test_no_evidence_comes_from_the_clauses_own_family(workspace, rows):
    library = Library.load(workspace / "data/index")
    for row in rows:
        assert row["family"] not in {library.chunk(item["chunk_id"]).family for item in row["evidence"]}


def test_a_clause_that_the_probe_was_fitted_on_gets_its_out_of_fold_score(workspace):
    key = span_key("Labelled L1", 3, 3 + len(LABELLED["L1"]))
    scores = pd.read_parquet("data/calibration/scores.parquet")
    seen = pd.DataFrame({"span_id": [f"s{key}"] * 2, "kind": ["positive"] * 2, "probe": [0.25, 0.75]})
    records.write_parquet(collect_verdicts.SCORES, pd.concat([scores, seen], ignore_index=True))
    collect_verdicts.main()
    rows = [json.loads(line) for line in (workspace / "data/verdicts/verdicts.jsonl").read_text().splitlines()]
    assert rows[0]["gate1"]["probe"] == 0.75  # the best of its pieces
    assert rows[1]["gate1"]["probe"] == pytest.approx(0.731058579)  # what the world's probe says of everything


def test_without_a_probe_the_other_scores_are_recorded(workspace):
    collect_verdicts.PROBE.unlink()
    collect_verdicts.main()
    rows = [json.loads(line) for line in (workspace / "data/verdicts/verdicts.jsonl").read_text().splitlines()]
    assert all(set(row["gate1"]) == {"cosine_top1", "cosine_top5"} for row in rows)


def test_a_second_run_writes_the_same_bytes(workspace, rows):
    first = (workspace / "data/verdicts/verdicts.jsonl").read_bytes()
    collect_verdicts.main()
    assert (workspace / "data/verdicts/verdicts.jsonl").read_bytes() == first
    assert rows


def test_a_label_of_another_corpus_is_an_error(workspace):
    items = workspace / "data/labels/items.jsonl"
    items.write_text(items.read_text().replace('"start": 3', '"start": 4'))
    with pytest.raises(CuadAuditError, match="L1: the text at its offsets is not the labelled one"):
        collect_verdicts.main()
    items.write_text(items.read_text().replace("Labelled L1", "Unknown"))
    with pytest.raises(CuadAuditError, match="no contract titled"):
        collect_verdicts.main()
