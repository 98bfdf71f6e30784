"""What ``--help`` and ``--version`` say: each command its own exit codes, and the installed version."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from pipeline import cli

#: Every command with its exit codes: 1 an error, 2 a wrong call and 130 Ctrl-C belong to all of them.
CODES = {
    "annotate": {0, 1, 2, 130},
    "audit": {0, 1, 2, 3, 4, 130},
    "compare": {0, 1, 2, 130},
    "demo": {0, 1, 2, 130},
    "evaluate": {0, 1, 2, 5, 6, 130},
    "gate": {0, 1, 2, 3, 130},
    "loop": {0, 1, 2, 5, 6, 130},
    "record": {0, 1, 2, 130},
    "search": {0, 1, 2, 3, 130},
    "serve": {0, 1, 2, 130},
    "standard": {0, 1, 2, 130},
}


def said(capsys, *arguments: str) -> str:
    with pytest.raises(SystemExit) as ended:
        cli.execute(list(arguments))
    assert ended.value.code == 0
    return capsys.readouterr().out


def test_every_command_is_listed(capsys):
    assert set(re.findall(r"^    ([a-z]+) ", said(capsys, "--help"), re.MULTILINE)) == set(CODES)


@pytest.mark.parametrize("command", sorted(CODES))
def test_a_command_lists_its_own_exit_codes_and_no_other(capsys, command):
    _, _, listed = said(capsys, command, "--help").partition("exit codes:\n")
    meanings = dict(re.findall(r"^  (\d+) +(\S.*)$", listed, re.MULTILINE))
    assert {int(code) for code in meanings} == CODES[command]
    assert len(set(meanings.values())) == len(meanings), "two codes that mean the same"


def test_the_version_is_the_installed_packages(capsys):
    assert said(capsys, "--version") == f"cuad-audit {metadata.version('cuad-audit')}\n"


def test_the_documentation_has_the_same_codes(root):
    """SERVING.md's table; 141, which a shell gives rather than a command, stands there alone."""
    rows = re.findall(r"^\| (\d+) \| (.*?) \|", (root / "docs/SERVING.md").read_text(), re.MULTILINE)
    documented = {int(code): set(CODES) if of == "all" else set(re.findall(r"`(\w+)`", of)) for code, of in rows}
    assert documented.pop(141) == set(CODES)
    assert {command: {code for code, of in documented.items() if command in of} for command in CODES} == CODES


def test_a_reader_that_goes_away_ends_the_command_with_141(root: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "pipeline.cli", "standard"]
    done = subprocess.run(command, cwd=root, stdout=writer, stderr=subprocess.PIPE, timeout=60, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")
