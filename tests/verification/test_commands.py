"""``cuad-audit evaluate`` and ``cuad-audit loop`` as a person calls them."""

from __future__ import annotations

import json

import pytest
import worlds
import yaml

from pipeline.base.errors import UsageError
from pipeline.cli import execute


@pytest.fixture
def call(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(worlds.ROOT)
    worlds.legal_world(tmp_path)

    def run(*words):
        code = execute([words[0], str(tmp_path / "goal.yaml"), "--root", str(tmp_path), *words[1:]])
        out = capsys.readouterr()
        return code, out.out, out.err

    return run


def test_a_pass_as_yaml_and_as_json(call):
    code, out, _ = call("evaluate")
    assert code == 0
    verdict = yaml.safe_load(out)
    assert list(verdict) == worlds.FIELDS
    assert (verdict["pass"], verdict["score"], verdict["worker_role"]) == (True, 100.0, "writer")
    code, out, _ = call("evaluate", "--json")
    assert (code, json.loads(out)) == (0, verdict)
    assert all(list(f) == ["id", "status", "check", "location", "detail", "evidence"] for f in verdict["findings"])
    assert [f["id"] for f in verdict["findings"]] == [f"F-{n:03d}" for n in range(1, len(verdict["findings"]) + 1)]


@pytest.mark.parametrize("text", [None, "", worlds.LEGAL_MEMO.replace("148", "147")])
def test_no_pass_has_its_own_code(call, tmp_path, text):
    memo = tmp_path / "out/memo.md"
    memo.unlink() if text is None else memo.write_text(text)
    code, out, _ = call("evaluate")
    verdict = yaml.safe_load(out)
    assert (code, verdict["pass"]) == (6, False)
    assert verdict["residual_count"] >= 1
    if not text:
        assert verdict["score"] == 0


def test_the_artifact_is_left_as_it_was(call, tmp_path):
    before = (tmp_path / "out/memo.md").read_bytes()
    call("evaluate")
    assert (tmp_path / "out/memo.md").read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["goal.yaml", "log.jsonl", "out", "sources"]


def test_a_bad_goal_record_is_a_wrong_call(call, tmp_path):
    (tmp_path / "goal.yaml").write_text("goal_id: [")
    with pytest.raises(UsageError, match=r"goal\.yaml"):
        call("evaluate")


@pytest.mark.parametrize("command", [("evaluate",), ("loop", "--worker", "true")])
def test_a_root_that_is_no_folder_is_a_wrong_call(tmp_path, command, monkeypatch):
    worlds.legal_world(tmp_path)
    monkeypatch.chdir(tmp_path)
    for name in ("nowhere", "goal.yaml"):
        with pytest.raises(UsageError, match=f"--root .*{name}: no such folder"):
            execute([command[0], str(tmp_path / "goal.yaml"), "--root", str(tmp_path / name), *command[1:]])


def test_a_log_that_is_not_there_or_broken_is_named(call, tmp_path):
    for text in (None, "{", "[1]\n"):
        log = tmp_path / "log.jsonl"
        log.unlink(missing_ok=True) if text is None else log.write_text(text)
        with pytest.raises(UsageError, match="retrieval_log"):
            call("evaluate")


def test_without_a_log_every_citation_fails_r1(call, tmp_path):
    (tmp_path / "goal.yaml").write_text(yaml.safe_dump(worlds.legal_goal(retrieval_log=[])))
    code, out, _ = call("evaluate")
    assert code == 6
    assert sum(f["check"] == "R1" and f["status"] == "FAIL" for f in yaml.safe_load(out)["findings"]) == 4


def test_the_loop(call, tmp_path):
    code, out, err = call("loop", "--worker", "true", "--state", str(tmp_path / "state"))
    assert (code, yaml.safe_load(out)["pass"]) == (0, True)
    assert "stopped after 1 iterations (pass)" in err
    code, out, _ = call("loop", "--worker", "false", "--state", str(tmp_path / "state"), "--new")
    assert (code, yaml.safe_load(out)["pass"]) == (6, False)
