"""Running a worker: a command without a shell, with a time limit, its output bounded, nothing left behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.base.errors import UsageError
from pipeline.verification.identity import split

#: Seconds between the request to end and the kill.
GRACE_S = 2.0


@dataclass(frozen=True, slots=True)
class WorkerRun:
    """``problem`` is empty where the worker ended by itself with exit code 0."""

    exit_code: int | None
    output: str
    problem: str


def words_of(command: str) -> list[str]:
    """The command's words; ``UsageError`` where there is no command in it."""
    if "\x00" in command:
        raise UsageError("--worker: a NUL character in the command", "take it out")
    words = split(command)
    if not words or not words[0].strip():
        raise UsageError("--worker: no command", "give the program that writes the artifact")
    return words


def run_worker(
    words: Sequence[str], root: Path, feedback: str, environment: dict[str, str], timeout_s: float, max_output: int
) -> WorkerRun:
    """Run ``words`` in ``root`` with ``feedback`` on stdin; kill its whole process group at the time limit."""
    try:
        process = subprocess.Popen(
            list(words),
            cwd=root,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, **environment},
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        return WorkerRun(None, "", f"the worker could not be started: {error}")
    kept = bytearray()

    def drain() -> None:
        assert process.stdout
        with contextlib.suppress(OSError, ValueError):
            while block := process.stdout.read1(65536):  # type: ignore[attr-defined]
                kept.extend(block[: max(0, max_output - len(kept))])

    def feed() -> None:
        assert process.stdin
        with contextlib.suppress(OSError, ValueError):
            process.stdin.write(feedback.encode())
            process.stdin.close()

    threads = [threading.Thread(target=target, daemon=True) for target in (drain, feed)]
    for thread in threads:
        thread.start()
    problem = ""
    try:
        process.wait(timeout_s)
    except subprocess.TimeoutExpired:
        problem = f"the worker took longer than {timeout_s:g} s and was ended"
    finally:
        # Also after a regular end: what it started in the background may not write on.
        _end_group(process)
    for thread in threads:
        thread.join(GRACE_S)
    for stream in (process.stdin, process.stdout):
        with contextlib.suppress(OSError, ValueError):
            stream.close()  # type: ignore[union-attr]
    output = bytes(kept).decode("utf-8", errors="replace")
    if not problem and process.returncode != 0:
        problem = f"the worker ended with exit code {process.returncode}"
    return WorkerRun(process.returncode, output, problem)


def _end_group(process: subprocess.Popen[bytes]) -> None:
    for sign in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, sign)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GRACE_S)
            if sign is signal.SIGTERM and not _alive(process.pid):
                return


def _alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True
