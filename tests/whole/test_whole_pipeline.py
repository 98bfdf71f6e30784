"""The whole pipeline on a small sample corpus, as a user runs it: twice, killed, and with one threshold changed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

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
