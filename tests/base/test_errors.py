from __future__ import annotations

import errno
import gc
import os
from pathlib import Path

import pytest

from pipeline.base.errors import GARBAGE, CuadAuditError, UsageError, run


@pytest.fixture(autouse=True)
def usual_garbage():
    """What ``run`` sets holds for the process, which here is that of all tests."""
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)
    gc.unfreeze()


def ended(main, capsys) -> tuple[int, str]:
    with pytest.raises(SystemExit) as end:
        run(main)
    return end.value.code, capsys.readouterr().err


def failing(error: BaseException):
    def main() -> None:
        raise error

    return main


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (CuadAuditError("x: bad\nline", "mend  it"), 1, "error: x: bad line; mend it\n"),
        (UsageError("no clause", "give one"), 2, "error: no clause; give one\n"),
        (KeyboardInterrupt(), 130, "error: interrupted; run the same command again\n"),
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), 1,
         "error: the disk: no space left on device; mend the path or its rights, or make room\n"),
        (PermissionError(errno.EACCES, "Permission denied", "data/out"), 1,
         "error: data/out: permission denied; mend the path or its rights, or make room\n"),
    ],
)  # fmt: skip
def test_an_error_is_one_line_with_its_code(capsys, error, code, said):
    assert ended(failing(error), capsys) == (code, said)


def test_a_folder_where_a_file_is_wanted_is_one_line(capsys, tmp_path):
    assert ended(lambda: Path(tmp_path).read_text() and None, capsys) == (
        1, f"error: {tmp_path}: is a directory; mend the path or its rights, or make room\n"
    )  # fmt: skip


@pytest.mark.parametrize("error", [ValueError("a bug"), ConnectionResetError("the network")])
def test_a_bug_keeps_its_traceback(error):
    with pytest.raises(type(error)):
        run(failing(error))


def test_the_value_of_main_is_the_exit_code(capsys):
    assert ended(lambda: 3, capsys) == (3, "")
    assert ended(lambda: None, capsys) == (0, "")


def test_garbage_is_looked_for_less_often(capsys):
    asked = []
    ended(lambda: asked.append(gc.get_threshold()[0]), capsys)
    assert asked == [GARBAGE]
    assert gc.get_freeze_count() > 0, "nor is it looked for as the process ends"
