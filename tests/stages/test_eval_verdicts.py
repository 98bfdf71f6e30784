"""The outcomes of the stage on a small recorded run: three own-written clauses, one library of two families."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pandas as pd
import pytest

from pipeline.base.errors import CuadAuditError
from pipeline.base.params import load
from pipeline.base.records import read_json, write_jsonl, write_parquet
from pipeline.stages import eval_verdicts

CLAUSES = {
    "I1": "Neither party is liable for indirect or consequential loss.",
    "I2": "Supplier has no liability of any kind to Customer.",
    "I3": "The cap is set out in Schedule 4.",
}
LEVELS = {
    "I1": {"P1": "meets", "P2": "silent", "P3": "silent", "P4": "meets", "P5": "meets", "P6": "silent"},
    "I2": {"P1": "departs", "P2": "silent", "P3": "silent", "P4": "off", "P5": "meets", "P6": "silent"},
    "I3": {"P1": "silent", "P2": "silent", "P3": "silent", "P4": "silent", "P5": "fails", "P6": "silent"},
}
WORDS = {
    "I1": {"P1": ["Neither party"], "P4": ["indirect or consequential loss"]},
    "I2": {"P1": ["Supplier"], "P4": ["no liability of any kind"]},
    "I3": {},
}
VERDICTS = {"I1": ("acceptable", "low"), "I2": ("off-standard", "high"), "I3": ("insufficient-grounding", "medium")}
SCORES = {"I1": 0.9, "I2": 0.8, "I3": 0.2}


def ruling(item_id: str) -> dict:
    verdict, band = VERDICTS[item_id]
    return {
        "item_id": item_id,
        "kinds": ["damages-waiver"],
        "positions": LEVELS[item_id],
        "verdict": verdict,
        "allowed_verdicts": [{"verdict": verdict, "condition": "on the words"}],
        "risk_band": band,
        "allowed_bands": [{"band": band, "condition": "on the words"}],
        "critical": item_id == "I2",
        "evidence": [],
        "must_mention": ["the words"],
        "reason": "as made",
        "uncertainty": None,
        "opinions": {},
        "agreed": True,
        "ruling": "by construction",
        "adjudicated_at": "2026-01-01",
        "rubric_version": "1.1",
        "annotator": "construction",
    }


def recorded(item_id: str, start: int) -> dict:
    clause, (verdict, _) = CLAUSES[item_id], VERDICTS[item_id]
    answered = verdict != "insufficient-grounding"
    reading = {name: {"level": level, "words": WORDS[item_id].get(name, [])} for name, level in LEVELS[item_id].items()}
    claims = [{"text": "a claim", "against": "clause"}, {"text": "another", "against": "c1"}] if answered else []
    checks = [{"claim": c["text"], "supported": True, "against": c["against"], "why": ""} for c in claims]
    return {
        "item_id": item_id,
        "title": "Agreement",
        "start": start,
        "end": start + len(clause),
        "sha256": hashlib.sha256(clause.encode()).hexdigest(),
        "family": f"family-{item_id}",
        "categories": [],
        "evidence": [{"chunk_id": "c1", "score": 0.03, "rank": 1}],
        "gate1": {"probe": SCORES[item_id], "cosine_top1": 0.0},
        "answer": {
            "verdict": verdict,
            "positions": reading,
            "claims": claims,
            "chunk_id": "c1" if answered else None,
        },
        "answer_failure": None,
        "faithfulness": {"claims": checks} if answered else None,
        "faithfulness_failure": None,
        "auditor": {"name": "rules", "model": "", "prompt_sha256": "", "code": "a"},
        "judge": {"name": "lexical", "model": "", "prompt_sha256": "", "code": "b"},
        "usage": {"calls": 0, "cached_calls": 0, "input_tokens": 0, "output_tokens": 0, "cost_usd": 0.0},
        "latency_s": 0.0,
    }


@pytest.fixture
def workspace(tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    text = "".join(f"{clause} " for clause in CLAUSES.values())
    starts = {item_id: text.index(clause) for item_id, clause in CLAUSES.items()}
    params = (root / "params.yaml").read_text()
    (tmp_path / "params.yaml").write_text(params)
    labels = tmp_path / "data/labels/cuad_dev"
    rows = [recorded(item_id, start) for item_id, start in starts.items()]
    named = ("item_id", "title", "start", "end", "sha256", "family", "categories")
    write_jsonl(labels / "items.jsonl", [{key: row[key] for key in named} for row in rows])
    write_jsonl(labels / "adjudications.jsonl", [ruling(item_id) for item_id in CLAUSES])
    contracts = {"title": ["Agreement", "Library agreement"], "text": [text, "a library and more"]}
    write_parquet(tmp_path / "data/raw/contracts.parquet", pd.DataFrame(contracts))
    chunk = {
        "chunk_id": "c1", "title": "Library agreement", "start": 0, "end": 9, "text": "a library", "categories": [[]],
        "family": "elsewhere",
    }  # fmt: skip
    write_parquet(tmp_path / "data/index/library.parquet", pd.DataFrame(chunk))
    write_jsonl(tmp_path / "data/verdicts/verdicts.jsonl", rows)
    return tmp_path


def run_at(workspace: Path, threshold: float) -> tuple[dict, pd.DataFrame]:
    path = workspace / "params.yaml"
    lines = [f"  threshold: {threshold}" if "  threshold:" in line else line for line in path.read_text().splitlines()]
    path.write_text("\n".join(lines) + "\n")
    settings = load(eval_verdicts.READS)
    eval_verdicts.write_outcomes(eval_verdicts.recorded(settings), settings)
    return read_json(workspace / "metrics/verdicts.json"), pd.read_parquet(workspace / "data/verdicts/outcomes.parquet")


def test_thresholds_are_applied_late(workspace: Path) -> None:
    metrics, table = run_at(workspace, 0.5)
    assert metrics["outcomes"] == {
        "n": 3, "answered": 2, "justified_abstention": 1, "unjustified_abstention": 0, "infra": 0
    }  # fmt: skip
    assert metrics["taxonomy"]["gate1"] == 1 and metrics["taxonomy"]["none"] == 2
    assert metrics["critical_recall"]["count"] == 1
    assert metrics["published_shape"]["citations_valid"] == {"n": 2, "count": 2}
    assert metrics["rates"]["coverage"]["rate"] is None  # three families are too few for a rate
    assert list(table["item_id"]) == ["I1", "I2", "I3"]
    assert list(table["verdict"]) == ["acceptable", "off-standard", "insufficient-grounding"]

    metrics, table = run_at(workspace, 0.85)
    assert metrics["outcomes"]["unjustified_abstention"] == 1
    assert metrics["unjustified_by_group"] == {"gate1": 1, "gate2": 0, "auditor": 0}
    assert metrics["critical"]["abstained"] == 1
    assert list(table["open_verdict"]) == ["acceptable", "off-standard", "insufficient-grounding"]


def test_embedded_code_has_no_latency(workspace: Path) -> None:
    assert run_at(workspace, 0.5)[1]["latency_s"].isna().all()


def test_a_citation_whose_words_have_moved_is_not_valid(workspace: Path) -> None:
    path = workspace / "data/raw/contracts.parquet"
    table = pd.read_parquet(path)
    table.loc[table["title"] == "Library agreement", "text"] = "in a library"
    write_parquet(path, table)
    metrics, _ = run_at(workspace, 0.5)
    assert metrics["published_shape"]["citations_valid"] == {"n": 2, "count": 0}


def test_an_auditor_that_abstains_is_told_from_gate1(workspace: Path) -> None:
    metrics, _ = run_at(workspace, 0.0)
    assert metrics["taxonomy"]["gate1"] == 0 and metrics["taxonomy"]["auditor_abstained"] == 1


def test_the_table_keeps_its_types_whatever_the_values(workspace: Path) -> None:
    some = run_at(workspace, 0.5)[1].dtypes
    metrics, none = run_at(workspace, 1.0)
    assert metrics["taxonomy"]["none"] == 0, "nothing is answered"
    assert list(some) == list(none.dtypes)


def test_same_inputs_same_bytes(workspace: Path) -> None:
    run_at(workspace, 0.5)
    first = [(workspace / name).read_bytes() for name in ("metrics/verdicts.json", "data/verdicts/outcomes.parquet")]
    shutil.rmtree(workspace / "metrics")
    run_at(workspace, 0.5)
    again = [(workspace / name).read_bytes() for name in ("metrics/verdicts.json", "data/verdicts/outcomes.parquet")]
    assert first == again


def test_metrics_hold_no_clause_text(workspace: Path) -> None:
    metrics, _ = run_at(workspace, 0.5)
    assert not any(clause in json.dumps(metrics) for clause in CLAUSES.values())


def test_items_left_out_are_an_error(workspace: Path) -> None:
    path = workspace / "data/verdicts/verdicts.jsonl"
    path.write_text("\n".join(path.read_text().splitlines()[:2]) + "\n")
    with pytest.raises(CuadAuditError, match="differ in 1 items"):
        run_at(workspace, 0.5)
