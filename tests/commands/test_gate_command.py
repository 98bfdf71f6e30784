from __future__ import annotations

from pathlib import Path

import pytest

from pipeline import cli
from pipeline.base.errors import CuadAuditError
from pipeline.base.records import write_json


@pytest.mark.parametrize(("outcome", "code"), [("pass", 0), ("fail", 1), ("inconclusive", 3)])
def test_the_exit_code_is_the_gates(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], outcome: str, code: int
) -> None:
    step = {"name": "critical_recall", "outcome": outcome, "why": "because"}
    path = tmp_path / "review.json"
    write_json(path, {"gate": {"outcome": outcome, "decided_by": "critical_recall", "steps": [step]}})
    assert cli.execute(["gate", str(path)]) == code
    assert f"gate: {outcome} (critical_recall)" in capsys.readouterr().out


@pytest.mark.parametrize("value", [{"scores": {}}, [1]])
def test_a_file_without_a_gate(tmp_path: Path, value: object) -> None:
    write_json(tmp_path / "other.json", value)
    with pytest.raises(CuadAuditError, match=r"other\.json: holds no gate; name a review\.json"):
        cli.execute(["gate", str(tmp_path / "other.json")])


def test_no_review_yet(tmp_path: Path) -> None:
    with pytest.raises(CuadAuditError, match="dvc repro"):
        cli.execute(["gate", str(tmp_path / "review.json")])
