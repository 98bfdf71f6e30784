"""The whole pipeline on a small sample corpus, as a user runs it: twice, killed, and with one threshold changed."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

DERIVED_FROM_THRESHOLD = {"eval_verdicts", "review", "report", "verify", "track"}


def stages_run(output: str) -> list[str]:
    """The stages that DVC says it ran, in order."""
    return [line.split("'")[1] for line in output.splitlines() if line.startswith("Running stage")]


def outputs(checkout) -> dict[str, str]:
    """The digest of everything that DVC pins, by path."""
    stages = yaml.safe_load((checkout.folder / "dvc.lock").read_text())["stages"].values()
    return {out["path"]: out["md5"] for stage in stages for out in stage.get("outs", [])}


@pytest.fixture(scope="module")
def first(checkout):
    made = checkout()
    made.output = made.dvc("repro")
    made.git("add", "--all")
    made.git("commit", "--quiet", "--message=results")
    return made


def test_every_stage_runs_and_a_second_repro_runs_none(first):
    stages = yaml.safe_load((first.folder / "dvc.yaml").read_text())["stages"]
    assert set(stages_run(first.output)) == set(stages)
    assert stages_run(first.dvc("repro")) == []


def test_another_folder_gives_the_same_bytes(first, checkout):
    second = checkout()
    second.dvc("repro", "report")
    theirs = outputs(second)
    assert theirs.keys() <= outputs(first).keys()
    assert theirs == {path: digest for path, digest in outputs(first).items() if path in theirs}


def test_a_changed_threshold_reruns_arithmetic_alone(first):
    ran = set(stages_run(first.dvc("exp", "run", "--name", "looser", "-S", "gate1.threshold=0.01")))
    assert "eval_verdicts" in ran
    assert ran <= DERIVED_FROM_THRESHOLD
    shown = first.dvc("exp", "show", "--csv")
    assert "looser" in shown and "release_gate" in shown
    assert len(shown.splitlines()[0].split(",")) < 200, "a table that nobody can read"
    assert "threshold" in first.dvc("params", "diff")
    assert "gate1_threshold" in first.dvc("metrics", "diff")
    assert "index.html" in first.dvc("plots", "show")
    first.git("checkout", "--quiet", ".")


@pytest.fixture
def queue(first):
    """The derived checkout, for a queue: no worker outlives the test, whatever becomes of it."""
    yield first
    for pidfile in (first.folder / ".dvc/tmp/exps/celery").glob("dvc-exp-worker-*.pid"):
        pid = int(pidfile.read_text())
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has ended, as it should
            if b"queue-worker" in Path(f"/proc/{pid}/cmdline").read_bytes():
                os.killpg(os.getpgid(pid), signal.SIGKILL)


def test_a_sweep_goes_through_the_queue(queue):
    """The worker is a daemon that ends some seconds after the last experiment; it holds the pipe that ``run``
    reads, so `dvc queue start` is waited for like any other command."""
    before = {name: (queue.folder / name).read_bytes() for name in ("params.yaml", "dvc.lock", "metrics/summary.json")}
    queue.dvc("exp", "run", "--queue", "--name", "sweep", "-S", "gate1.threshold=0.2,0.9")
    queue.dvc("queue", "start")
    shown = list(csv.DictReader(io.StringIO(queue.dvc("exp", "show", "--csv"))))
    swept = {float(row["gate1.threshold"]): row for row in shown if row["Experiment"].startswith("sweep")}
    assert set(swept) == {0.2, 0.9}
    for threshold, row in swept.items():
        assert float(row["gate1_threshold"]) == threshold, "a metric of its own"
        verdicts = json.loads(queue.git("show", f"{row['rev']}:metrics/verdicts.json"))
        assert verdicts["taxonomy"]["none"] == int(row["answered"])
        swept[threshold] = {**row, "gate1": verdicts["taxonomy"]["gate1"]}
    assert swept[0.2]["gate1"] < swept[0.9]["gate1"]
    assert int(swept[0.2]["answered"]) > int(swept[0.9]["answered"])
    assert {name: (queue.folder / name).read_bytes() for name in before} == before, "the workspace stays as it is"


def test_a_clean_clone_has_nothing_to_do_without_the_data(first, tmp_path):
    first.git("clone", "--quiet", str(first.folder), str(tmp_path / "clone"))
    clone = type(first)(tmp_path / "clone")
    assert stages_run(clone.dvc("repro", "--allow-missing")) == []


def test_a_stage_killed_half_way_is_recovered(first, checkout):
    killed = checkout()
    vectors = killed.folder / ".cache" / "vectors"
    process = subprocess.Popen(
        [sys.executable, "-m", "dvc", "repro", "index"],
        cwd=killed.folder, env=killed.environment, start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    deadline = time.monotonic() + 240
    while not any(vectors.rglob("*")) and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    assert process.poll() is None, "the stage ended before it could be killed"
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert not (killed.folder / "data/index/manifest.json").exists(), "nothing half-written passes for an index"
    killed.dvc("repro", "index")
    expected = outputs(first)
    assert all(expected[path] == digest for path, digest in outputs(killed).items())
    assert not list((killed.folder / "data").glob(".*.part"))
