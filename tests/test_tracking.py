from __future__ import annotations

import json
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest
import yaml

from pipeline import tracking
from pipeline.base.errors import CuadAuditError, UsageError
from pipeline.base.records import write_json, write_parquet

OUTS = ("data/raw", "data/index/bm25", "data/report")


@pytest.fixture(scope="module")
def migrated(tmp_path_factory):
    """A store made once; each test takes a copy, because a migration costs seconds."""
    folder = tmp_path_factory.mktemp("store")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DVC_ROOT", str(folder))
        with tracking.lock():
            tracking.open_store()
    return folder / "mlflow.db"


@pytest.fixture
def result(root, tmp_path, monkeypatch, migrated):
    """A folder that holds a small result, as `dvc repro` leaves it before `track`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    monkeypatch.delenv("DVC_EXP_NAME", raising=False)
    shutil.copy(migrated, tmp_path / "mlflow.db")
    shutil.copy(root / "params.yaml", tmp_path)
    agent = {"name": "rules", "model": "", "prompt_sha256": "", "code": "x"}
    write_json(
        tmp_path / "metrics/verdicts.json",
        {
            "taxonomy": {"gate1": 3, "gate2_unfaithful": 0},
            "auditor": agent,
            "judge": {**agent, "name": "lexical"},
            "reference_version": "1.1",
            "coverage": {"n": 4, "count": 2, "rate": 0.5, "low": None, "high": None},
            "passed": True,
            "a@b": 1,
            "curve": [1, 2],
        },
    )
    table = pd.DataFrame({"item_id": ["L1", "L2"], "verdict": ["risky", "acceptable"], "chunks": [["a"], []]})
    for path in tracking.TABLES.values():
        write_parquet(tmp_path / path, table)
    (tmp_path / "plots").mkdir()
    (tmp_path / "plots/risk.png").write_bytes(b"png")
    lock = {"stages": {"download": {"cmd": "x", "outs": [{"path": path, "md5": "0" * 32} for path in OUTS]}}}
    (tmp_path / "dvc.lock").write_text(yaml.safe_dump(lock))
    return tmp_path


def stored(run_id):
    from mlflow import MlflowClient

    return MlflowClient(tracking_uri=tracking.store_uri()), MlflowClient(tracking.store_uri()).get_run(run_id)


@pytest.mark.usefixtures("result")
def test_a_run_holds_parameters_metrics_tags_datasets_tables_and_figures():
    run_id = tracking.track()
    client, run = stored(run_id)
    assert run.info.status == "FINISHED"
    assert run.data.params["gate1.threshold"] == str(tracking.params.load_all().gate1.threshold)
    assert run.data.metrics["taxonomy/gate1"] == 3
    assert run.data.metrics["taxonomy/gate2_unfaithful"] == 0, "zeros are reported"
    assert run.data.metrics["verdicts/coverage/rate"] == 0.5
    assert run.data.metrics["verdicts/a_b"] == 1
    assert "verdicts/coverage/low" not in run.data.metrics
    assert run.data.tags["dvc.lock.sha256"] == tracking.fingerprint()
    assert run.data.tags["auditor"] == "rules"
    assert run.data.tags["judge"] == "lexical"
    assert run.data.tags["reference.version"] == "1.1"
    assert [item.dataset.name for item in run.inputs.dataset_inputs] == ["data/index/bm25", "data/raw"]
    names = {artifact.path for artifact in client.list_artifacts(run_id)}
    assert names == {*tracking.TABLES, "risk.png"}


def test_the_same_result_makes_no_second_run_and_another_one_does(result):
    first = tracking.track()
    assert tracking.track() == first
    lock = yaml.safe_load((result / "dvc.lock").read_text())
    lock["stages"]["track"] = {"cmd": "y"}
    (result / "dvc.lock").write_text(yaml.safe_dump(lock))
    assert tracking.track() == first, "track's own entry is no part of the result"
    lock["stages"]["slice"] = {"cmd": "z"}
    (result / "dvc.lock").write_text(yaml.safe_dump(lock))
    assert tracking.track() != first


@pytest.mark.usefixtures("result")
def test_a_run_that_was_killed_half_way_is_written_anew():
    with tracking.lock():
        client = tracking.open_store()
        experiment = tracking.experiment_id(client, "cuad-audit cuad")
        half = client.create_run(experiment, tags={"dvc.lock.sha256": tracking.fingerprint()}).info.run_id
    run_id = tracking.track()
    assert run_id != half
    assert stored(half)[1].info.lifecycle_stage == "deleted"


def test_two_first_uses_at_once_leave_one_sound_store(result):
    (result / "mlflow.db").unlink()
    command = [sys.executable, "-m", "pipeline.tracking"]
    running = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    errors = [process.communicate(timeout=120)[1] for process in running]
    assert [process.returncode for process in running] == [0, 0], errors
    assert sum("written" in text for text in errors) == 1, "one writes the run, the other finds it"


def test_a_missing_lock_names_the_command(result):
    (result / "dvc.lock").unlink()
    with pytest.raises(CuadAuditError, match=r"dvc.lock: no such file; run `dvc repro`"):
        tracking.track()


def test_parameters_that_did_not_make_the_result_write_no_run(result):
    pinned = yaml.safe_load((result / "params.yaml").read_text())
    stages = yaml.safe_load((result / "dvc.lock").read_text())["stages"]
    known = {"gate1.threshold": pinned["gate1"]["threshold"], "evaluation": pinned["evaluation"]}
    stages["eval_verdicts"] = {"cmd": "x", "params": {"params.yaml": known}}
    (result / "dvc.lock").write_text(yaml.safe_dump({"stages": stages}))
    tracking.track()  # those are the parameters at hand
    for section, key, said in (("gate1", "threshold", "gate1.threshold is 0.99"), ("evaluation", "seed", "seed is 99")):
        other = {**pinned, section: {**pinned[section], key: 0.99 if key == "threshold" else 99}}
        (result / "params.yaml").write_text(yaml.safe_dump(other))
        with pytest.raises(UsageError, match=f"{said}.*; run `dvc repro`"):
            tracking.track()


@pytest.mark.usefixtures("result")
def test_a_call_that_is_not_known_is_a_usage_error():
    done = subprocess.run([sys.executable, "-m", "pipeline.tracking", "serve"], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("error: tracking: unknown call serve")


def test_every_dataset_that_is_logged_is_an_output_of_a_stage(root):
    stages = yaml.safe_load((root / "dvc.yaml").read_text())["stages"].values()
    outs = [out for stage in stages for out in stage.get("outs", []) if isinstance(out, str)]
    for folder in tracking.DATASETS:
        assert any(out == folder or out.startswith(f"{folder}/") for out in outs), folder


def test_a_table_of_a_run_comes_back_and_another_does_not(result):
    run_id = tracking.track()
    path = tracking.download_table(run_id, "outcomes.json", result)
    assert '"L1"' in path.read_text()
    with pytest.raises(UsageError, match="MLflow run"):
        tracking.download_table("0" * 32, "outcomes.json", result)


def test_a_table_is_the_one_that_mlflow_itself_would_log(result):
    frame = pd.DataFrame({"n": [1, 2], "verdict": ["a/é", None], "x": [0.5, None], "ok": [True, None], "item_id": "L"})
    for path in tracking.TABLES.values():
        write_parquet(result / path, frame)
    run_id = tracking.track()
    client, run = stored(run_id)
    theirs = client.create_run(run.info.experiment_id).info.run_id
    ordered = frame[["item_id", "verdict", "n", "x", "ok"]]
    for name in tracking.TABLES:
        client.log_table(theirs, ordered.copy(), name)
    shown = [client.get_run(name).data.tags["mlflow.loggedArtifacts"] for name in (run_id, theirs)]
    assert shown[0] == shown[1], "by this tag the comparison page finds the tables"
    for name in tracking.TABLES:
        texts = [Path(client.download_artifacts(run, name)).read_text() for run in (run_id, theirs)]
        assert json.loads(texts[0]) == json.loads(texts[1])


def test_a_list_in_a_table_is_told_as_text_and_the_key_comes_first(tmp_path):
    write_parquet(tmp_path / "t.parquet", pd.DataFrame({"chunks": [["a", "b"], []], "item_id": ["L1", "L2"]}))
    told = json.loads(tracking.table(tmp_path / "t.parquet"))
    assert told == {"columns": ["item_id", "chunks"], "data": [["L1", "['a', 'b']"], ["L2", "[]"]]}


def test_a_new_store_is_the_one_that_mlflow_itself_would_make(migrated, tmp_path):
    from mlflow.store.tracking.sqlalchemy_store import SqlAlchemyStore

    SqlAlchemyStore(f"sqlite:///{tmp_path / 'theirs.db'}", str(migrated.with_name("mlartifacts"))).engine.dispose()
    assert contents(migrated) == contents(tmp_path / "theirs.db")
    assert not list(migrated.parent.glob(".mlflow.db*")), "the part that was renamed is gone"


def contents(database):
    """Schema and rows of a database without times; a migration makes some indices and constraints in any order."""
    with closing(sqlite3.connect(database)) as connection:
        lines = "\n".join(connection.iterdump())
    return sorted(re.sub(r"\b\d{13}\b", "<time>", line).strip(" \t,") for line in lines.split("\n"))
