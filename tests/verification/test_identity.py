"""Worker and evaluator: what makes them one, through aliases, models, prompts and commands."""

from __future__ import annotations

import subprocess
import sys

import pytest
import worlds
import yaml

from pipeline.base.errors import UsageError
from pipeline.verification.engine import evaluate, identities
from pipeline.verification.goal import load_goal
from pipeline.verification.identity import REFUSED, Refused, plain_command

SAME = [
    ("the role", {"role": "auditor"}, {"role": "auditor"}, {}),
    ("case and blanks", {"role": "Legal Auditor"}, {"role": "  legal  AUDITOR "}, {}),
    ("dashes for blanks", {"role": "legal-auditor"}, {"role": "legal_auditor"}, {}),
    ("full-width letters", {"role": "ａｕｄｉｔｏｒ"}, {"role": "auditor"}, {}),
    ("an invisible sign", {"role": "audi\u200btor"}, {"role": "auditor"}, {}),
    ("an alias", {"role": "writer"}, {"role": "checker"}, {"aliases": {"checker": "writer"}}),
    ("a chain of aliases", {"role": "a"}, {"role": "d"}, {"aliases": {"d": "C", "c": "B ", "b": "a"}}),
    ("an alias in another case", {"role": "w"}, {"role": "Check-Er"}, {"aliases": {"checker": "W"}}),
    ("the model", {"role": "a", "model": "model-x"}, {"role": "b", "model": "Model-X"}, {}),
    ("a model of another role", {"role": "a", "model": "m-1"}, {"role": "b", "model": "role:a"}, {}),
    (
        "a model through two roles",
        {"role": "a", "model": "m-1"},
        {"role": "b", "model": "role:c"},
        {"roles": {"c": {"model": "Role: A"}}},
    ),
    (
        "an alias of a model",
        {"role": "a", "model": "fast"},
        {"role": "b", "model": "m-1"},
        {"aliases": {"fast": "m-1"}},
    ),
    (
        "a model given in the table of roles",
        {"role": "a"},
        {"role": "b", "model": "m-1"},
        {"roles": {"A": {"model": "m-1"}}},
    ),
    (
        "model and prompt",
        {"role": "a", "model": "m", "prompt": "Judge  it."},
        {"role": "b", "model": "m", "prompt": "judge it."},
        {},
    ),
    ("a prompt on one side only", {"role": "a", "model": "m", "prompt": "x"}, {"role": "b", "model": "m"}, {}),
    ("the command", {"role": "a", "command": "prog -x 1"}, {"role": "b", "command": "prog  -x '1'"}, {}),
    (
        "a command in a wrapper",
        {"role": "a", "command": "env A=1 nice -n 5 prog"},
        {"role": "b", "command": "prog"},
        {},
    ),
    (
        "a command in a shell",
        {"role": "a", "command": "bash -lc -c 'prog --now'"},
        {"role": "b", "command": "prog --now"},
        {},
    ),
    (
        "python with options",
        {"role": "a", "command": "python3 -u -m m.n"},
        {"role": "b", "command": "python -m m.n"},
        {},
    ),
    ("the engine as worker", {"role": "a", "command": "cuad-audit evaluate g.yaml"}, {"role": "b"}, {}),
    ("the stage as worker", {"role": "a", "command": "timeout 9 python -m pipeline.stages.verify"}, {"role": "b"}, {}),
]
OTHERS = [
    ({"role": "a"}, {"role": "b"}, {}),
    ({"role": "a", "model": "m", "prompt": "write"}, {"role": "b", "model": "m", "prompt": "judge"}, {}),
    ({"role": "a", "model": "m-1"}, {"role": "b", "model": "m-2"}, {}),
    ({"role": "a", "command": "prog one"}, {"role": "b", "command": "prog two"}, {}),
    ({"role": "a"}, {"role": "b"}, {"aliases": {"x": "a", "y": "b"}}),
]


def goal(tmp_path, worker, evaluator, extra):
    record = worlds.legal_goal(worker=worker, evaluator=evaluator, **extra)
    return load_goal(worlds.write(tmp_path / "goal.yaml", yaml.safe_dump(record, allow_unicode=True)))


@pytest.mark.parametrize(("worker", "evaluator", "extra"), [case[1:] for case in SAME], ids=[case[0] for case in SAME])
def test_one_agent_is_refused_whatever_it_is_called(tmp_path, worker, evaluator, extra):
    with pytest.raises(Refused) as refused:
        evaluate(goal(tmp_path, worker, evaluator, extra), tmp_path)
    first, rest = str(refused.value).split("\n", 1)
    assert first == "REFUSED: worker and evaluator resolve to the same agent/role."
    assert first == REFUSED
    assert "different roles" in rest


@pytest.mark.parametrize(("worker", "evaluator", "extra"), OTHERS)
def test_two_agents_are_two(tmp_path, worker, evaluator, extra):
    one, other = identities(goal(tmp_path, worker, evaluator, extra).record, tmp_path)
    assert one != other


@pytest.mark.parametrize(
    "extra",
    [
        {"aliases": {"a": "b", "b": "a"}},
        {"roles": {"a": {"model": "role:z"}, "z": {"model": "role:a"}}},
        {"roles": {"a": {"model": "role:nobody"}}},
    ],
)
def test_a_circle_or_a_dead_end_is_an_error(tmp_path, extra):
    with pytest.raises(UsageError):
        identities(goal(tmp_path, {"role": "a"}, {"role": "checker"}, extra).record, tmp_path)


def test_a_prompt_is_its_file_s_words(tmp_path):
    worlds.write(tmp_path / "p/one.md", "Judge it.")
    worlds.write(tmp_path / "p/two.md", "Judge\n it. ")
    worker, evaluator = (
        {"role": "a", "model": "m", "prompt": "p/one.md"},
        {"role": "b", "model": "m", "prompt": "p/two.md"},
    )
    with pytest.raises(Refused):
        identities(goal(tmp_path, worker, evaluator, {}).record, tmp_path)


def test_a_link_to_a_program_is_the_program(tmp_path):
    program = worlds.write(tmp_path / "real.sh", "#!/bin/sh\n")
    program.chmod(0o755)
    (tmp_path / "link.sh").symlink_to(program)
    assert plain_command("./link.sh x", tmp_path) == plain_command(f"nohup {program} x", tmp_path)


def test_an_open_quotation_mark_in_a_command_is_an_error(tmp_path):
    with pytest.raises(UsageError, match="quotation"):
        plain_command("prog 'x", tmp_path)


def test_the_command_line_refuses_with_an_exit_code_of_its_own(root, tmp_path):
    record = worlds.legal_goal(worker={"role": "Checker"})
    path = worlds.write(tmp_path / "goal.yaml", yaml.safe_dump(record))
    done = subprocess.run(
        [sys.executable, "-m", "pipeline.cli", "evaluate", str(path)],
        capture_output=True,
        text=True,
        cwd=root,
        check=False,
    )
    assert done.returncode == 5
    assert done.stdout == ""
    assert done.stderr.split("\n")[0] == REFUSED
