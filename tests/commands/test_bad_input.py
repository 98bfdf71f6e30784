"""Every command with what a newcomer gives it wrongly: one line with the mend, no traceback, a documented exit code."""

from __future__ import annotations

import shutil
import sys

import pytest

from pipeline import cli

#: Commands that take a path, and where it goes.
TAKE_A_PATH = {
    "audit": ("audit", "{}"),
    "audit --jsonl": ("audit", "--jsonl", "{}"),
    "evaluate": ("evaluate", "{}"),
    "loop": ("loop", "{}", "--worker", "true"),
    "gate": ("gate", "{}"),
    "compare": ("compare", "{}", "{}"),
    "annotate": ("annotate", "check", "--labels", "{}"),
}
BAD = {
    "missing": None,
    "empty.json": b"",
    "binary.json": bytes(range(256)) * 8,
    "broken.json": b'{"a":',
    "list.json": b"[1, 2]",
    "other.json": b'{"gate": {"outcome": "maybe", "steps": 3}}',
    "text.json": b'"text"',
    "binary.parquet": bytes(range(256)) * 8,
    "folder": "folder",
}


@pytest.fixture
def call(root, tmp_path, monkeypatch, capsys):
    """The command in this process, in a repository without derived data: (exit code, stdout, stderr)."""
    repository = tmp_path / "repository"
    repository.mkdir()
    shutil.copy(root / "params.yaml", repository)
    shutil.copytree(root / "conf", repository / "conf")
    here = tmp_path / "here"
    here.mkdir()
    for name, data in BAD.items():
        if data == "folder":
            (here / name).mkdir()
        elif data is not None:
            (here / name).write_bytes(data)
    monkeypatch.setenv("CUAD_AUDIT_ROOT", str(repository))
    monkeypatch.setenv("DVC_ROOT", str(repository))

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.chdir(here)
        monkeypatch.setattr(sys, "argv", ["cuad-audit", *arguments])
        with pytest.raises(SystemExit) as ended:
            cli.run(cli.execute)
        return ended.value.code, *capsys.readouterr()

    return run


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("command", TAKE_A_PATH)
def test_a_bad_path_is_one_line(call, command, name):
    code, out, err = call(*(word.format(name) for word in TAKE_A_PATH[command]))
    assert code in (1, 2)
    assert out == ""
    assert err.startswith("error: ") and err.count("\n") == 1 and "; " in err


@pytest.mark.parametrize(
    ("arguments", "mend"),
    [
        (("search", "liability"), "make demo"),
        (("audit", "text.json"), "make demo"),
        (("gate",), "dvc repro"),
        (("record",), "dvc repro"),
        (("compare", ".", "."), "dvc repro"),
        (("annotate", "label", "--as", "C"), "dvc repro"),
        (("annotate", "check"), "dvc repro"),
    ],
)
def test_without_derived_data_the_mend_is_named(call, arguments, mend):
    code, out, err = call(*arguments)
    assert code in (1, 2)
    assert out == ""
    assert err.count("\n") == 1 and mend in err


def test_the_gate_is_that_of_the_repository_wherever_one_stands(call):
    code, _, err = call("gate")
    assert code == 1
    assert "error: metrics/review.json" in err, "relative to the repository"


def test_a_file_where_a_folder_is_to_be_made_is_one_line(call):
    code, _, err = call("record", "--cassette", "folder")
    assert code == 1
    assert err.count("\n") == 1 and "folder" in err
