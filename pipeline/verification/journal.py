"""What a loop keeps: one folder a run, one line an iteration, appended and never changed.

``start.json`` holds what may not change while the loop runs (digests of goal record and sources).
``iterations.jsonl`` has a line an iteration, each with the digest of the line before it and of the files
in ``iteration-001/``: artifact, verdict, feedback, output of the worker.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.base.errors import CuadAuditError
from pipeline.base.records import read_json, read_jsonl, write_bytes, write_json

FILES = ("artifact", "verdict.yaml", "verdict.json", "feedback.txt", "worker.log")


@dataclass(frozen=True, slots=True)
class Iteration:
    """One recorded iteration; ``score`` and ``passed`` as the verdict had them."""

    number: int
    score: float
    passed: bool
    residual_count: int
    citations: int
    stop: str
    artifact: str
    feedback: str


class Journal:
    """The record of one run in ``folder``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lines = folder / "iterations.jsonl"
        self._known = self._lines.read_bytes() if self._lines.exists() else b""

    @property
    def start(self) -> dict[str, Any] | None:
        path = self.folder / "start.json"
        return read_json(path) if path.exists() else None

    def begin(self, start: dict[str, Any]) -> None:
        write_json(self.folder / "start.json", start)

    def untouched(self) -> bool:
        """Whether the record on disk is what this process wrote or read."""
        return (self._lines.read_bytes() if self._lines.exists() else b"") == self._known

    def iterations(self) -> list[Iteration]:
        """Every recorded iteration, its files checked against their digests."""
        try:
            return self._read()
        except (KeyError, TypeError, ValueError, OSError) as error:
            problem = f"{self._lines}: not a record of iterations ({error})"
            raise CuadAuditError(problem, "start a new loop with --new") from None

    def _read(self) -> list[Iteration]:
        found: list[Iteration] = []
        before = ""
        rows = read_jsonl(self._lines) if self._lines.exists() else []
        lines = [line for line in self._known.split(b"\n") if line.strip()]
        for row, line in zip(rows, lines, strict=True):
            folder = self.place(row.get("number", 0))
            files = {name: _digest(folder / name) for name in FILES}
            if row.get("before") != before or row.get("files") != files or row.get("number") != len(found) + 1:
                raise CuadAuditError(
                    f"{self._lines}: the record of iteration {len(found) + 1} was changed",
                    "start a new loop with --new",
                )
            before = hashlib.sha256(line).hexdigest()
            texts = [
                (folder / name).read_text(encoding="utf-8", errors="replace") for name in ("artifact", "feedback.txt")
            ]
            values = {k: row[k] for k in ("number", "score", "passed", "residual_count", "citations", "stop")}
            found.append(Iteration(**values, artifact=texts[0], feedback=texts[1]))
        return found

    def place(self, number: int) -> Path:
        return self.folder / f"iteration-{number:03d}"

    def append(self, one: Iteration, files: dict[str, str]) -> None:
        """Write the files of an iteration, then its line: an iteration without a line was cut short."""
        folder = self.place(one.number)
        for name in FILES:
            write_bytes(folder / name, files[name].encode("utf-8", errors="surrogatepass"))
        lines = [line for line in self._known.split(b"\n") if line.strip()]
        row = {
            "number": one.number,
            "score": one.score,
            "passed": one.passed,
            "residual_count": one.residual_count,
            "citations": one.citations,
            "stop": one.stop,
            "files": {name: _digest(folder / name) for name in FILES},
            "before": hashlib.sha256(lines[-1]).hexdigest() if lines else "",
        }
        line = (json.dumps(row, sort_keys=True) + "\n").encode()
        with self._lines.open("ab") as file:
            file.write(line)
        self._known += line


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def latest(folder: Path) -> Path | None:
    """The newest run in a loop's folder."""
    runs = sorted(folder.glob("run-[0-9][0-9][0-9]*"))
    return runs[-1] if runs else None


def following(folder: Path) -> Path:
    """The folder of the next run; no earlier one is touched."""
    newest = latest(folder)
    number = int(newest.name.removeprefix("run-")) + 1 if newest else 1
    return folder / f"run-{number:03d}"
