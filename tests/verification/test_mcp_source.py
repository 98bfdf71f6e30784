"""Sources behind MCP servers, through the real client: sound, and killed before, during and after the checks."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import psutil
import pytest
import worlds

from pipeline.verification.engine import evaluate, open_sources
from pipeline.verification.gate import FORMAT_ONLY
from pipeline.verification.goal import load_goal
from pipeline.verification.grammar import parse_one
from pipeline.verification.sources import SourceUnavailable
from pipeline.verification.verdict import Status

HERE = Path(__file__).parent
LOOKUP = {"tool": "get_source"}


def world(folder, command, text=worlds.LEGAL_MEMO, **more):
    source = {"kind": "mcp", "name": "law", "command": command, "lookup": LOOKUP, "timeout_s": 20, **more}
    worlds.legal_world(folder, text, sources=[source])
    return load_goal(folder / "goal.yaml")


def small(folder, mode="serve", number=0):
    return [sys.executable, "-S", str(HERE / "small_mcp_server.py"), str(folder / "sources"), mode, str(number)]


def children() -> list[psutil.Process]:
    return [
        child
        for child in psutil.Process().children(recursive=True)
        if child.status() != psutil.STATUS_ZOMBIE and any("_server.py" in word for word in child.cmdline())
    ]


def reduced(evaluation, undone):
    verdict = evaluation.verdict
    assert not verdict.passed
    assert evaluation.reduced
    assert evaluation.outcomes["NOT_EXECUTED"] == undone
    marked = [f for f in verdict.findings if FORMAT_ONLY in f.detail]
    assert len(marked) == undone
    assert all(f.status is Status.WARN for f in marked)
    assert verdict.residual_count == 0, "what could not be checked is no FAIL"
    assert "Reduced mode" in verdict.summary
    assert verdict.score == 100 * (4 - undone) / 4


def test_a_server_of_the_sdk_serves(tmp_path):
    goal = world(tmp_path, [sys.executable, str(HERE / "law_server.py"), str(tmp_path / "sources")])
    evaluation = evaluate(goal, tmp_path)
    assert evaluation.verdict.passed, evaluation.verdict.findings
    assert evaluation.outcomes["VERIFIED"] == 4
    assert not children(), "the server is ended with the evaluation"


def test_a_small_server_serves_and_refutes(tmp_path):
    goal = world(tmp_path, small(tmp_path))
    with open_sources(goal.record, tmp_path) as registry:
        assert evaluate(goal, tmp_path, registry=registry).verdict.passed
        for old, new, outcome in (
            ("BGE 148 III 215", "BGE 140 III 1", "UNVERIFIED"),
            ("dauert zehn Jahre", "dauert zwölf Jahre", "MISMATCH"),
            ("E. 3.2", "E. 8", "UNVERIFIED"),
        ):
            evaluation = evaluate(goal, tmp_path, registry=registry, text=worlds.LEGAL_MEMO.replace(old, new))
            assert not evaluation.verdict.passed
            assert evaluation.delivery_blocked
            assert evaluation.outcomes[outcome] == 1


def test_killed_before_the_checks(tmp_path):
    goal = world(tmp_path, small(tmp_path))
    with open_sources(goal.record, tmp_path) as registry:
        source = registry.sources[0]
        source.before_call = lambda number: number == 1 and _kill_children()  # before the first question reaches it
        reduced(evaluate(goal, tmp_path, registry=registry), 4)


def test_a_server_that_cannot_be_started(tmp_path):
    for command in (["/nonexistent/server"], [sys.executable, "-c", "raise SystemExit(3)"], ["/bin/true"]):
        reduced(evaluate(world(tmp_path, command), tmp_path), 4)


def test_killed_during_the_checks(tmp_path):
    for number in (2, 4):
        reduced(evaluate(world(tmp_path, small(tmp_path, "die", number)), tmp_path), 5 - number)


def test_killed_after_the_checks(tmp_path):
    goal = world(tmp_path, small(tmp_path))
    with open_sources(goal.record, tmp_path) as registry:
        first = evaluate(goal, tmp_path, registry=registry)
        assert first.verdict.passed
        _kill_children()
        # what was looked up before is known; what was not cannot be asked any more
        assert evaluate(goal, tmp_path, registry=registry).verdict.passed
        late = evaluate(
            goal, tmp_path, registry=registry, text=worlds.LEGAL_MEMO.replace("148 III 215 E. 3.2", "140 III 7")
        )
        assert not late.verdict.passed
        assert late.reduced
        assert late.outcomes["UNVERIFIED"] == 0, "a dead server does not make a citation false"


@pytest.mark.parametrize(("mode", "undone"), [("hang", 3), ("error", 1)])
def test_a_server_that_hangs_or_fails(tmp_path, mode, undone):
    goal = world(tmp_path, small(tmp_path, mode, 2), timeout_s=1.5)
    started = time.monotonic()
    reduced(evaluate(goal, tmp_path), undone)
    assert time.monotonic() - started < 15
    assert not children()


def test_a_server_that_answers_garbage(tmp_path):
    reduced(evaluate(world(tmp_path, small(tmp_path, "garbage", 1), timeout_s=1.5), tmp_path), 4)


def test_a_tool_that_the_server_has_not(tmp_path):
    source = {"kind": "mcp", "command": small(tmp_path), "lookup": {"tool": "nothing"}}
    worlds.legal_world(tmp_path, sources=[source])
    goal = load_goal(tmp_path / "goal.yaml")
    with open_sources(goal.record, tmp_path) as registry, pytest.raises(SourceUnavailable, match="no tool 'nothing'"):
        registry.lookup(parse_one("Art. 100 OR"))


def test_a_second_source_answers_for_the_dead_one(tmp_path):
    dead = {"kind": "mcp", "name": "law", "command": ["/nonexistent"], "lookup": LOOKUP}
    worlds.legal_world(tmp_path, sources=[dead, {"kind": "folder", "path": "sources"}])
    assert evaluate(load_goal(tmp_path / "goal.yaml"), tmp_path).verdict.passed


def _kill_children():
    found = children()
    assert found, "there was no server to kill"
    for child in found:
        child.kill()
    psutil.wait_procs(found, 5)
