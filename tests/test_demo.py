from __future__ import annotations

import io

import pytest

from pipeline import demo
from pipeline.errors import CuadAuditError


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
