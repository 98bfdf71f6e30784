"""Compare a fresh run of the pipeline with the results in git: run it in the run's folder.

The outputs of download, slice, chunk and BM25 must be the same bytes. What hangs on embeddings may
differ in the last bits, since another processor rounds differently: no metric may move by more than
TOLERANCE (counts: by more than that share).
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

EXACT = ("data/raw", "data/slice", "data/chunks", "data/index/bm25", "data/index/library.parquet")
TOLERANCE = 0.001
#: Measured time is no result: it may differ.
TIMES = ("latency", "seconds")


def committed(path: str) -> str:
    return subprocess.run(["git", "show", f"HEAD:{path}"], capture_output=True, text=True, check=True).stdout


def digests(lock: str) -> dict[str, str]:
    stages = yaml.safe_load(lock)["stages"].values()
    return {out["path"]: out["md5"] for stage in stages for out in stage.get("outs", [])}


def leaves(tree: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(tree, dict | list):
        for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree):
            yield from leaves(value, f"{path}.{key}")
    else:
        yield path, tree


def moved(old: Any, new: Any) -> bool:
    numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in (old, new))
    return abs(new - old) > TOLERANCE * max(1, abs(old)) if numbers else old != new


def main() -> int:
    problems = []
    before, after = digests(committed("dvc.lock")), digests(Path("dvc.lock").read_text())
    for path in EXACT:
        same = before[path] == after[path]
        print(f"{'same bytes' if same else 'OTHER BYTES'}  {path}")
        problems += [] if same else [f"{path}: {before[path]} in git, {after[path]} now"]
    names = subprocess.run(["git", "ls-files", "metrics"], capture_output=True, text=True, check=True).stdout.split()
    if sorted(names) != sorted(map(str, Path("metrics").glob("*.json"))):
        problems.append("metrics/: other files than in git")
    for name in names:
        old, new = dict(leaves(json.loads(committed(name)))), dict(leaves(json.loads(Path(name).read_text())))
        keys = [key for key in old.keys() | new.keys() if not any(time in key for time in TIMES)]
        bad = sorted(key for key in keys if key not in old or key not in new or moved(old[key], new[key]))
        print(f"{len(keys) - len(bad)} of {len(keys)} values agree  {name}")
        problems += [f"{name}: {key.lstrip('.')}: {old.get(key)} in git, {new.get(key)} now" for key in bad]
    print("\n".join(problems[:40]), file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
