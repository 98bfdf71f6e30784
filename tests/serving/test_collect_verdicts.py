"""The stage in a folder of its own: every labelled clause recorded, whatever gate 1 would say."""

from __future__ import annotations

import argparse
import json
import re
import shutil

import pandas as pd
import pytest
import yaml
from fakes.anthropic_api import FakeAnthropic, Step, say
from serving.clauses import LABELLED

from pipeline.base import records
from pipeline.base.errors import CuadAuditError
from pipeline.base.types import FailureCause
from pipeline.commands import record
from pipeline.corpus.normalise import span_key
from pipeline.grounding.rows import result_of
from pipeline.retrieval.library import Library
from pipeline.stages import collect_verdicts


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


AUDITOR, JUDGE = "claude-sonnet-5-5", "claude-haiku-5-5"


def scripted(body: dict) -> Step:
    """An auditor that can read one kind of clause, and a judge that supports what it is given."""
    asked = body["messages"][0]["content"]
    if body["model"] == JUDGE:
        claims = asked.count("<claim number=")
        return say({"checks": [{"number": n + 1, "supported": True, "why": "it says so"} for n in range(claims)]})
    clause = asked.partition("<clause>")[2]
    chunk_id, text = re.search(r'<evidence id="(\w+)">\n(.*)\n</evidence>', asked).groups()
    if "neither party" not in clause:
        return say({"positions": [], "verdict": "insufficient-grounding", "chunk_id": None, "claims": []})
    levels = {"P1": "meets", "P5": "meets"}
    words = {"P1": ["neither party"]}
    return say(
        {
            "positions": [{"position": p, "level": level, "words": words.get(p, [])} for p, level in levels.items()],
            "verdict": "acceptable",
            "chunk_id": chunk_id,
            "claims": [
                {"text": "P1 meets: it binds “neither party”.", "against": "clause"},
                {"text": f"The cited clause says “{' '.join(text.split()[:5])}”.", "against": chunk_id},
            ],
        }
    )


@pytest.fixture
def live(workspace, root, monkeypatch):
    """The workspace with live agents, its own cache, and a fake of the API in the place of the real one."""
    (workspace / ".cache").mkdir()
    (workspace / ".cache/models").symlink_to(root / ".cache/models")
    (workspace / "conf").symlink_to(root / "conf")
    monkeypatch.setenv("DVC_ROOT", str(workspace))
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test")
    configure(workspace, "anthropic")
    with FakeAnthropic(scripted) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        yield server


def configure(workspace, name: str, **more: str) -> None:
    settings = yaml.safe_load((workspace / "params.yaml").read_text())
    for role, model, prompt in (("auditor", AUDITOR, "auditor-v1"), ("judge", JUDGE, "judge-v1")):
        settings[role] = {"name": name, "model": model, "prompt": prompt, "max_tokens": 8192, **more}
    (workspace / "params.yaml").write_text(yaml.safe_dump(settings))


def written(workspace) -> list[dict]:
    return [json.loads(line) for line in (workspace / "data/verdicts/verdicts.jsonl").read_text().splitlines()]


def test_it_runs_on_models_and_pays_once(workspace, live):
    collect_verdicts.main()
    rows, asked = written(workspace), live.count()
    assert [row["answer"]["verdict"] for row in rows] == ["acceptable", *["insufficient-grounding"] * 2]
    assert rows[0]["faithfulness"] is not None
    assert rows[0]["usage"]["calls"] == 2
    assert rows[0]["usage"]["cost_usd"] > 0
    assert asked == 4  # three auditors and one judge: an abstention without reasons needs none
    collect_verdicts.main()
    assert written(workspace) == rows
    assert live.count() == asked


def test_without_a_key_the_rows_are_written_and_the_stage_says_what_to_mend(workspace, live, monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    with pytest.raises(CuadAuditError, match="set ANTHROPIC_API_KEY"):
        collect_verdicts.main()
    assert {row["answer_failure"]["cause"] for row in written(workspace)} == {"infra_auth"}
    assert live.count() == 0


def test_what_is_recorded_is_played_back_without_a_model(workspace, live, monkeypatch, capsys):
    cassette = workspace / "cassette.jsonl"
    record.run(argparse.Namespace(cassette=str(cassette)))
    assert str(cassette) in capsys.readouterr().out
    collect_verdicts.main()
    rows, asked = written(workspace), live.count()
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    configure(workspace, "replay", cassette=str(cassette))
    collect_verdicts.main()
    replayed = written(workspace)
    assert live.count() == asked
    assert [{**row, "auditor": None, "judge": None} for row in replayed] == [
        {**row, "auditor": None, "judge": None} for row in rows
    ]
    assert "sk-ant-test" not in cassette.read_text()
