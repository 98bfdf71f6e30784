"""The loop: feedback, stop rules, resumption, and workers that try to game it."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time

import psutil
import pytest
import worlds
import yaml

from pipeline.base.errors import CuadAuditError, UsageError
from pipeline.verification.goal import load_goal
from pipeline.verification.identity import Refused
from pipeline.verification.loop import LIMIT, PASS, STALLED, TAMPERED, loop
from pipeline.verification.verdict import Status
from pipeline.verification.worker import run_worker, words_of

GOOD = worlds.LEGAL_MEMO
BAD = GOOD.replace("BGE 148 III 215", "BGE 149 III 215").replace("dauert zehn Jahre", "dauert zwei Jahre")
HALF = GOOD.replace("dauert zehn Jahre", "dauert zwei Jahre")

PRELUDE = """import os, sys, json, pathlib
feedback = sys.stdin.read()
n = int(os.environ["CUAD_AUDIT_ITERATION"])
artifact = pathlib.Path(os.environ["CUAD_AUDIT_ARTIFACT"])
assert pathlib.Path(os.environ["CUAD_AUDIT_FEEDBACK"]).read_text() == feedback
here = pathlib.Path(__file__).parent
texts = json.loads((here / "texts.json").read_text())
with (here / "heard.jsonl").open("a") as heard:
    names = sorted(name for name in os.environ if name.startswith("CUAD_AUDIT"))
    heard.write(json.dumps({"n": n, "feedback": feedback, "names": names}) + "\\n")
def write(text):
    artifact.parent.mkdir(parents=True, exist_ok=True)
    artifact.write_text(text)
"""


@pytest.fixture
def play(tmp_path):
    """A world with a goal; ``play(script, texts, **goal changes)`` runs the loop with a scripted worker."""

    def run(script, texts=(), new=False, **changes):
        limits = {"max_iterations": 6, "worker_timeout_s": 20, **changes.pop("limits", {})}
        if not (tmp_path / "goal.yaml").exists():
            worlds.legal_world(tmp_path, "", limits=limits, **changes)
            (tmp_path / "out/memo.md").unlink()
        worlds.write(tmp_path / "w/texts.json", json.dumps(list(texts)))
        worlds.write(tmp_path / "w/worker.py", PRELUDE + script)
        command = f"{sys.executable} -S {tmp_path}/w/worker.py"
        return loop(load_goal(tmp_path / "goal.yaml"), tmp_path, command, tmp_path / "state", new, say=lambda _: None)

    run.root = tmp_path
    run.heard = lambda: [json.loads(line) for line in (tmp_path / "w/heard.jsonl").read_text().splitlines()]
    run.record = lambda: [
        json.loads(line) for line in (tmp_path / "state/run-001/iterations.jsonl").read_text().splitlines()
    ]
    return run


IN_TURN = "write(texts[min(n, len(texts)) - 1])\n"


class TestFeedback:
    def test_only_fails_are_handed_back_with_the_action(self, play):
        result = play(IN_TURN, [BAD, HALF, GOOD])
        assert (result.stop, result.iterations, result.evaluation.verdict.passed) == (PASS, 3, True)
        heard = play.heard()
        assert heard[0]["feedback"] == ""
        block = r"FAIL F-\d{3}: .+\nCheck: \S+\nAction required: .+\n"
        assert re.fullmatch(rf"({block}\n?)+", heard[1]["feedback"])
        assert heard[1]["feedback"].count("FAIL F-") > heard[2]["feedback"].count("FAIL F-") >= 1

    def test_neither_score_nor_pass_nor_warnings_reach_the_worker(self, play):
        play(IN_TURN, [BAD, HALF, GOOD])
        for row in play.heard():
            said = row["feedback"].lower()
            for word in ("score", "pass", "warn", "residual", "75", "50.0"):
                assert word not in said
            assert row["names"] == ["CUAD_AUDIT_ARTIFACT", "CUAD_AUDIT_FEEDBACK", "CUAD_AUDIT_ITERATION"]


class TestStops:
    def test_at_the_limit(self, play):
        result = play(IN_TURN, [BAD, HALF], limits={"max_iterations": 2})
        assert (result.stop, result.iterations) == (LIMIT, 2)
        assert not result.evaluation.verdict.passed

    def test_when_the_score_has_not_risen_for_two_iterations(self, play):
        result = play(IN_TURN, [BAD, HALF, HALF, HALF, GOOD])
        assert (result.stop, result.iterations) == (STALLED, 4)

    def test_a_rise_in_between_goes_on(self, play):
        result = play(IN_TURN, [BAD, BAD, HALF, HALF, GOOD])
        assert (result.stop, result.iterations) == (PASS, 5)

    def test_a_worker_that_fails_or_writes_nothing(self, play):
        result = play("sys.exit(3) if n == 1 else None\nn == 3 and write(texts[0])\n", [GOOD])
        assert (result.stop, result.iterations) == (PASS, 3)
        assert [row["score"] for row in play.record()] == [0.0, 0.0, 100.0]
        heard = play.heard()
        assert "exit code 3" in heard[1]["feedback"]
        assert "missing" in heard[2]["feedback"]


class TestRecord:
    def test_every_iteration_is_kept(self, play):
        result = play(IN_TURN, [BAD, HALF, GOOD])
        for number, text in enumerate((BAD, HALF, GOOD), start=1):
            folder = result.folder / f"iteration-{number:03d}"
            assert (folder / "artifact").read_text() == text
            verdict = yaml.safe_load((folder / "verdict.yaml").read_text())
            assert verdict == json.loads((folder / "verdict.json").read_text())
            assert verdict["iteration"] == number
        assert [row["passed"] for row in play.record()] == [False, False, True]

    def test_a_new_loop_touches_no_earlier_run(self, play):
        play(IN_TURN, [BAD, HALF, GOOD])
        before = {p: p.read_bytes() for p in (play.root / "state/run-001").rglob("*") if p.is_file()}
        again = play(IN_TURN, [GOOD])
        assert again.folder.name == "run-002"
        assert {p: p.read_bytes() for p in (play.root / "state/run-001").rglob("*") if p.is_file()} == before

    def test_a_killed_loop_resumes(self, play):
        worlds.legal_world(play.root, "", limits={"max_iterations": 5, "worker_timeout_s": 60})
        script = (
            "if n == 2 and not (here / 'second').exists():\n    (here / 'second').touch()\n "
            "   import time; time.sleep(60)\n"
        )
        worlds.write(play.root / "w/texts.json", json.dumps([BAD, HALF, GOOD]))
        worlds.write(play.root / "w/worker.py", PRELUDE + script + IN_TURN)
        call = [
            sys.executable,
            "-m",
            "pipeline.cli",
            "loop",
            str(play.root / "goal.yaml"),
            "--root",
            str(play.root),
            "--state",
            str(play.root / "state"),
            "--worker",
            f"{sys.executable} -S {play.root}/w/worker.py",
            "--json",
        ]
        first = subprocess.Popen(call, cwd=worlds.ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _wait_for(play.root / "w/second")
        first.send_signal(signal.SIGKILL)
        first.wait(10)
        before = play.record()
        assert len(before) == 1
        done = subprocess.run(call, cwd=worlds.ROOT, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 0, done.stderr
        assert "resumed after iteration 1" in done.stderr
        assert json.loads(done.stdout)["pass"] is True
        assert play.record()[:1] == before
        assert [row["number"] for row in play.record()] == [1, 2, 3]
        _end_sleepers(play.root)

    def test_a_changed_record_is_not_resumed(self, play):
        play(IN_TURN, [BAD, HALF], limits={"max_iterations": 2})
        run = play.root / "state/run-001"
        lines = (run / "iterations.jsonl").read_text().replace('"stop": "limit"', '"stop": ""')
        (run / "iterations.jsonl").write_text(lines)
        (run / "iteration-001/verdict.json").write_text("{}")
        with pytest.raises(CuadAuditError, match="was changed"):
            play(IN_TURN, [GOOD])

    def test_two_loops_of_one_goal_do_not_run_at_once(self, play):
        from filelock import FileLock

        (play.root / "state").mkdir()
        with FileLock(play.root / "state/.lock"), pytest.raises(UsageError, match="another loop"):
            play(IN_TURN, [GOOD])


EDITS = {
    "the failing citations deleted": lambda text: text.replace(" (BGE 149 III 215 E. 3.2)", ""),
    "the failing statements deleted": lambda text: re.sub(
        r"Eine Klausel[^\n]*\n|Die Verjährung[^(]*\([^)]*\)\.\n", "", text
    ),
    "everything deleted": lambda text: text.split("## Analyse")[0],
    "padded with true statements": lambda text: (
        text
        + "\n".join(
            (
                f"Zulässig bleibt die Wegbedingung der Haftung für leichte Fahrlässigkeit, Satz "
                f"{n} (BSK OR I-Muster, Art. 100 N 4)."
            )
            for n in range(40)
        )
    ),
    "padded with the same statement": lambda text: text + "\n" + text.strip().split("\n")[-1] * 30,
    "its own text quoted": lambda text: text.replace("BGE 149 III 215 E. 3.2", "doc:memo.md").replace(
        "(doc:memo.md)", "[doc:memo.md]"
    ),
    "hidden in a comment": lambda text: text.replace("(BGE 149 III 215 E. 3.2)", "<!-- (BGE 149 III 215 E. 3.2) -->"),
    "hidden in code": lambda text: text.replace("(BGE 149 III 215 E. 3.2)", "`(BGE 149 III 215 E. 3.2)`"),
    "its role renamed to the evaluator's": lambda text: text.replace(
        "form:", "worker: checker\nevaluator: writer\nform:"
    ),
    "a verdict written into it": lambda text: text.replace("form:", "pass: true\nscore: 100\nform:") + "\npass: true\n",
    "the section renamed": lambda text: text.replace("## Analyse", "## Anhang"),
}


class TestGaming:
    @pytest.mark.parametrize("name", EDITS)
    def test_an_edit_that_only_games_does_not_pass(self, play, name):
        """Iteration 1 is honestly bad; from then on the worker only plays its trick."""
        result = play(IN_TURN, [BAD, EDITS[name](BAD), EDITS[name](HALF)])
        assert not result.evaluation.verdict.passed
        assert result.stop in (STALLED, LIMIT)
        assert not any(row["passed"] for row in play.record())

    def test_deleting_what_fails_is_no_mend_even_where_the_rest_is_sound(self, play):
        result = play(IN_TURN, [BAD, EDITS["the failing statements deleted"](BAD)])
        assert any(
            "when the loop began" in f.detail for f in result.evaluation.verdict.findings if f.status is Status.FAIL
        )

    def test_unless_the_goal_record_allows_removal(self, play):
        result = play(IN_TURN, [BAD, EDITS["the failing statements deleted"](BAD)], limits={"allow_removal": True})
        assert result.stop == PASS

    @pytest.mark.parametrize(
        "trick",
        [
            "goal = here.parent / 'goal.yaml'\ngoal.write_text(goal.read_text().replace('legal-memo', 'memo'))\n",
            "goal = here.parent / 'goal.yaml'\ngoal.write_text(goal.read_text() + '\\n')\n",
            "(here.parent / 'goal.yaml').unlink()\n",
            "(here.parent / 'goal.yaml').write_text('goal_id: x')\n",
        ],
    )
    def test_editing_the_goal_record_ends_the_loop(self, play, trick):
        result = play(IN_TURN + trick, [GOOD])
        assert (result.stop, result.evaluation.verdict.passed) == (TAMPERED, False)
        assert "goal record" in result.evaluation.verdict.findings[0].detail

    def test_writing_a_source_ends_the_loop(self, play):
        trick = (
            "(here.parent / 'sources/own.md').write_text('---\\ncitations: [\"BGE 149 III "
            "215\"]\\n---\\n## E. 3.2\\n\\n' + texts[0])\n"
        )
        result = play(trick + IN_TURN, [BAD])
        assert (result.stop, result.evaluation.verdict.passed) == (TAMPERED, False)

    def test_forging_the_record_ends_the_loop(self, play):
        trick = "lines = here.parent / 'state/run-001/iterations.jsonl'\nlines.write_text('{\"passed\": true}\\n')\n"
        result = play(IN_TURN + trick, [BAD])
        assert (result.stop, result.evaluation.verdict.passed) == (TAMPERED, False)

    def test_a_source_in_the_artifact_s_own_place_is_no_source(self, play):
        """The folder of sources holds the artifact itself: it cannot be cited."""
        text = GOOD.replace("(BGE 148 III 215 E. 3.2)", "[doc:memo.md]")
        result = play(
            IN_TURN,
            [text],
            sources=[
                {"kind": "folder", "name": "own", "path": "out"},
                {"kind": "folder", "path": "sources"},
            ],
            limits={"max_iterations": 1},
        )
        assert not result.evaluation.verdict.passed
        assert result.evaluation.outcomes["UNVERIFIED"] == 1

    def test_the_loop_s_own_record_is_no_source(self, play):
        with pytest.raises(UsageError, match="inside the source"):
            play(IN_TURN, [GOOD], sources=[{"kind": "folder", "path": "."}])

    def test_a_worker_that_is_the_evaluator_is_refused(self, play):
        worlds.legal_world(play.root, GOOD)
        goal = load_goal(play.root / "goal.yaml")
        for command in (
            "cuad-audit evaluate goal.yaml",
            "python -m pipeline.stages.verify",
            "env X=1 cuad-audit loop g",
        ):
            with pytest.raises(Refused):
                loop(goal, play.root, command, play.root / "state")
        worlds.legal_world(play.root, GOOD, evaluator={"role": "checker", "command": "judge-program --now"})
        with pytest.raises(Refused):
            loop(load_goal(play.root / "goal.yaml"), play.root, "nice judge-program --now", play.root / "state")


class TestWorker:
    def run(self, tmp_path, script, timeout=20, limit=1000, feedback=""):
        words = [sys.executable, "-S", "-c", script]
        return run_worker(words, tmp_path, feedback, {}, timeout, limit)

    def test_no_shell_reads_the_command(self, tmp_path):
        words = words_of("printf '%s' 'a; touch x' $HOME `id` && false | cat > y")
        done = run_worker(words, tmp_path, "", {}, 10, 1000)
        assert done.output == "a; touch x$HOME`id`&&false|cat>y"
        assert list(tmp_path.iterdir()) == []

    def test_output_is_bounded(self, tmp_path):
        done = self.run(tmp_path, "print('x' * 10_000_000)")
        assert (done.problem, len(done.output)) == ("", 1000)

    def test_a_worker_that_does_not_read_its_feedback(self, tmp_path):
        assert self.run(tmp_path, "pass", feedback="x" * 1_000_000).problem == ""

    def test_time_is_limited_and_nothing_is_left_behind(self, tmp_path):
        script = (
            "import os, time, pathlib, signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
            "os.fork()\npathlib.Path(f'pid-{os.getpid()}').touch()\ntime.sleep(60)"
        )
        started = time.monotonic()
        done = self.run(tmp_path, script, timeout=1)
        assert "longer than 1 s" in done.problem
        assert time.monotonic() - started < 15
        for pid in (int(path.name[4:]) for path in tmp_path.glob("pid-*")):
            until = time.monotonic() + 10
            while _alive(pid) and time.monotonic() < until:
                time.sleep(0.05)
            assert not _alive(pid)

    @pytest.mark.parametrize("command", ["", "  ", "''", "a 'b", "a\x00b"])
    def test_no_command_is_a_usage_error(self, command):
        with pytest.raises(UsageError):
            words_of(command)

    def test_a_program_that_is_not_there(self, tmp_path):
        assert "could not be started" in run_worker(["/nonexistent"], tmp_path, "", {}, 5, 100).problem


def _alive(pid):
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _wait_for(path, seconds=30):
    until = time.monotonic() + seconds
    while not path.exists():
        assert time.monotonic() < until, f"{path} did not appear"
        time.sleep(0.05)


def _end_sleepers(root):
    """The worker of the killed loop sleeps on in a session of its own."""
    for process in psutil.process_iter(["cmdline"]):
        if any(str(root / "w/worker.py") in word for word in process.info["cmdline"] or []):
            process.kill()
