from __future__ import annotations

import io
import subprocess
from pathlib import Path

import pytest

from pipeline import demo
from pipeline.base.errors import CuadAuditError


class Reader(io.BytesIO):
    """A pipe that gives few bytes at a time."""

    def read1(self, size: int = -1) -> bytes:
        return self.read(min(size, 7))


def test_progress_passes_and_lines_that_only_puzzle_do_not(capfdbinary):
    said = b"Running stage 'a':\n 10%|#\r 20%|##\rWARNING: No file hash info found for 'x'.\nlast"
    demo.relay(Reader(said))
    assert capfdbinary.readouterr().err == b"Running stage 'a':\n 10%|#\r 20%|##\rlast"


def test_outside_a_clone_it_says_where_to_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CuadAuditError, match=r"no dvc.yaml here; run it in the root of a clone"):
        demo.run_experiment()


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A git repository with an experiment ``demo`` on top of its only commit; gives its git command."""
    monkeypatch.chdir(tmp_path)
    for name in ("pipeline/code.py", "conf/config.yaml", "data/labels.jsonl", "dvc.yaml", "params.yaml", "dvc.lock"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text("cuad")

    def git(*words: str) -> str:
        identity = ("-c", "user.name=test", "-c", "user.email=test@example.invalid")
        return subprocess.run(["git", *identity, *words], check=True, capture_output=True, text=True).stdout.strip()

    git("init", "--quiet")
    git("add", "--all")
    git("commit", "--quiet", "--message=start")
    base = git("rev-parse", "HEAD")
    Path("params.yaml").write_text("sample")
    Path("dvc.lock").write_text("sample")
    git("commit", "--quiet", "--all", "--message=demo")
    git("update-ref", f"refs/exps/{base[:2]}/{base[2:]}/demo", "HEAD")
    git("reset", "--quiet", "--hard", base)
    return git


def test_a_demo_that_would_only_be_repeated_is_found(repository):
    commit = repository("for-each-ref", "--format=%(objectname)", "refs/exps")
    assert demo.earlier() == commit
    Path("README.md").write_text("new")
    Path("pipeline/untracked.py").write_text("new")
    repository("add", "README.md")
    repository("commit", "--quiet", "--message=words")
    assert demo.earlier() == commit, "what does not decide the result may change"


@pytest.mark.parametrize("name", ["pipeline/code.py", "conf/config.yaml", "data/labels.jsonl", "dvc.yaml"])
def test_a_demo_of_other_inputs_is_not_shown_again(repository, name):
    Path(name).write_text("changed")
    assert demo.earlier() is None
    repository("commit", "--quiet", "--all", "--message=changed")
    assert demo.earlier() is None


def test_without_an_earlier_demo_there_is_none(repository):
    repository("update-ref", "-d", repository("for-each-ref", "--format=%(refname)", "refs/exps"))
    assert demo.earlier() is None
