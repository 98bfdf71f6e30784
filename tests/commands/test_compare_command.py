from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from pipeline import cli
from pipeline.base.errors import CuadAuditError, UsageError
from pipeline.base.records import write_rows
from pipeline.evaluation.outcomes import COLUMNS, OutcomeRow

FIELDS = dict.fromkeys(OutcomeRow.__dataclass_fields__, "")


def outcome(number: int, right: bool) -> OutcomeRow:
    verdict = "acceptable" if right else "risky"
    return OutcomeRow(
        **FIELDS
        | {
            "item_id": f"I{number:02d}", "family": f"f{number}", "start": 0, "end": 1, "critical": False,
            "reference_version": "1.1/9-a", "reference_verdict": "acceptable", "allowed_verdicts": "acceptable",
            "outcome": "answered", "failure_cause": "none", "verdict": verdict, "verdict_allowed": right,
            "verdict_preferred": right, "band_allowed": right, "citation_valid": True, "claims": 1,
            "claims_supported": 1, "gate1_score": 0.5, "gate1_threshold": 0.5, "open_allowed": right,
            "levels_right": 6, "cost_usd": 0.0, "latency_s": 0.0, "reason": f"reason {number}",
        }
    )  # fmt: skip


def write(folder: Path, wrong: range) -> Path:
    rows = [outcome(number, number not in wrong) for number in range(20)]
    write_rows(folder / "data/verdicts/outcomes.parquet", map(asdict, rows), COLUMNS)
    return folder


@pytest.fixture
def workspace(tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    shutil.copy(root / "params.yaml", folder / "params.yaml")
    monkeypatch.setenv("CUAD_AUDIT_ROOT", str(folder))
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.usefixtures("workspace")
def test_two_folders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = write(tmp_path / "a", range(8)), write(tmp_path / "b", range(1))
    assert cli.execute(["compare", str(first), str(second)]) == 0
    shown = capsys.readouterr().out
    assert "20 items" in shown and "reference 1.1/9-a" in shown
    assert "A 12, B 19 of 20; +0.350 [" in shown
    assert "items flipped: 7" in shown
    assert "I01: mended" in shown and "  A risky" in shown and "  B acceptable" in shown


@pytest.mark.usefixtures("workspace")
def test_json_for_pipes_and_a_table_as_mlflow_keeps_it(tmp_path: Path, capsys) -> None:
    first = write(tmp_path / "a", range(8))
    rows = [asdict(outcome(number, True)) for number in range(20)]
    table = {"columns": list(rows[0]), "data": [list(row.values()) for row in rows]}
    (tmp_path / "run").mkdir()
    (tmp_path / "run/outcomes.json").write_text(json.dumps(table))
    assert cli.execute(["compare", str(first), str(tmp_path / "run"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["measures"]["allowed_verdict"]["difference"]["value"] == pytest.approx(0.4)


def test_a_git_revision_that_dvc_tracks(workspace: Path, capsys) -> None:
    def sh(*command: str) -> None:
        subprocess.run(command, cwd=workspace, check=True, capture_output=True)

    dvc = (sys.executable, "-m", "dvc")
    sh("git", "init", "-q")
    sh("git", "config", "user.email", "a@b.c")
    sh("git", "config", "user.name", "a")
    sh(*dvc, "init", "-q")
    write(workspace, range(8))
    sh(*dvc, "add", "-q", "data/verdicts/outcomes.parquet")
    sh("git", "add", "-A")
    sh("git", "commit", "-qm", "first")
    write(workspace, range(0))
    assert cli.execute(["compare", "HEAD", ".", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["flips"]) == 8


def test_what_is_no_run_is_one_line_with_the_mend(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (workspace / "README.md").write_text("no table")
    (workspace / "empty").mkdir()
    write_rows(workspace / "other.parquet", [{"item_id": "I1"}], {"item_id": "string"})
    (workspace / "broken.json").write_text('{"columns": ["a"]}')
    for name, problem, mend in (
        ("nothing", "no run named 'nothing' (", "give a folder"),
        ("empty", "empty: no data/verdicts/outcomes.parquet in it", "dvc repro"),
        (".", ".: no data/verdicts/outcomes.parquet in it", "dvc repro"),
        ("README.md", "README.md: not a table of outcomes", "name a run"),
        ("broken.json", "broken.json: not a table of outcomes", "name a run"),
        ("other.parquet", "no outcomes (no column family)", "name a run"),
    ):
        with pytest.raises(UsageError) as caught:
            cli.execute(["compare", name, "."])
        assert problem in caught.value.problem and mend in caught.value.mend
        assert "\n" not in str(caught.value)
    assert capsys.readouterr() == ("", "")  # and nothing beside that line


@pytest.mark.usefixtures("workspace")
def test_one_run_is_not_enough() -> None:
    with pytest.raises(UsageError, match=r"HEAD alone: nothing to compare it with; give two runs"):
        cli.execute(["compare", "HEAD"])


def test_a_path_is_the_callers_and_not_the_repositorys(
    workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(workspace, range(2))
    write(tmp_path / "elsewhere/run", range(8))
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert cli.execute(["compare", "run", ".", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["flips"]) == 6


@pytest.mark.usefixtures("workspace")
def test_runs_on_different_reference_versions_are_refused(tmp_path: Path) -> None:
    first = write(tmp_path / "a", range(2))
    rows = [asdict(outcome(number, True)) | {"reference_version": "1.2/9-b"} for number in range(20)]
    write_rows(tmp_path / "b/outcomes.parquet", rows, COLUMNS)
    with pytest.raises(CuadAuditError, match=r"different reference versions \(1.1/9-a, 1.2/9-b\)"):
        cli.execute(["compare", str(first), str(tmp_path / "b")])
