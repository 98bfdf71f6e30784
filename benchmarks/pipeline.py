"""The pipeline's times as ratios to a reference in the same run, on real CUAD from nothing.

``CUAD_ARCHIVE=PATH python -m benchmarks.pipeline``: clones the repository into a temporary folder with
an empty cache and measures there

- the full run (``dvc repro --force``) against embedding its texts alone, in a process of its own with
  an empty cache, once before the run and once after it, because a machine's speed drifts. The aim is 1.3 on two
  cores. As after ``make setup``, the clone's byte code is compiled;
- ``dvc repro`` with nothing changed, and ``dvc exp run -S gate1.threshold=...``, against starting DVC
  (``dvc --version``).

Nothing here asserts: a time depends on the machine, and a ratio on its load. On a machine with neighbours one run
in three was a tenth above the others: take the middle of several.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FLOOR = """
import sys
from pathlib import Path
from pipeline.base import params, records
from pipeline.retrieval.embedder import CachedEmbedder, load_embedder
from pipeline.stages.index import CHUNKS, WRITTEN
chunks = records.read_parquet(CHUNKS, ["text"])["text"]
written = [row["text"] for row in records.read_jsonl(WRITTEN)]
e = params.load(["embedder"]).embedder
cache = Path(sys.argv[1])
embedder = CachedEmbedder(load_embedder(e.name, e.runtime, e.window, cache), cache)
print(len(embedder.embed(sorted({*chunks, *written}))), "texts")
"""


def timed(*command: str, cwd: Path) -> float:
    """Wall seconds of a command that must succeed."""
    start = time.perf_counter()
    subprocess.run(command, cwd=cwd, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def cloned(root: Path, clone: Path) -> Path:
    subprocess.run(["git", "clone", "--quiet", str(root), str(clone)], check=True)
    subprocess.run([sys.executable, "-m", "compileall", "-qq", "pipeline"], cwd=clone, check=True)
    return clone


def main() -> None:
    root = Path(__file__).resolve().parents[1]
    if "CUAD_ARCHIVE" not in os.environ:
        sys.exit("error: CUAD_ARCHIVE is not set; name the archive, so that no download is timed")
    dvc = (sys.executable, "-m", "dvc")
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    with tempfile.TemporaryDirectory() as folder:
        clone, texts = (cloned(root, Path(folder) / name) for name in ("clone", "texts"))
        # What is embedded is known once the first stages have run: in a clone of their own, and in no ratio.
        timed(*dvc, "repro", "chunk", cwd=texts)

        def floor(cache: str) -> float:
            return timed(sys.executable, "-c", FLOOR, str(Path(folder) / cache), cwd=texts)

        before = floor("before")
        full = timed(*dvc, "repro", "--force", cwd=clone)
        alone = (before + floor("after")) / 2
        start = min(timed(*dvc, "--version", cwd=clone) for _ in range(3))
        nothing = min(timed(*dvc, "repro", cwd=clone) for _ in range(3))
        threshold = timed(*dvc, "exp", "run", "-S", "gate1.threshold=0.61", cwd=clone)
    print(f"full run            {full:7.1f} s   {full / alone:5.2f} x embedding its texts alone ({alone:.1f} s)")
    print(f"repro, no change    {nothing:7.1f} s   {nothing / start:5.2f} x starting DVC ({start:.1f} s)")
    print(f"changed threshold   {threshold:7.1f} s   {threshold / start:5.2f} x starting DVC")


if __name__ == "__main__":
    main()
