"""``make demo``: the whole pipeline on the embedded sample corpus, and a summary a person can read.

DVC's own isolation runs it (``dvc exp run --temp``), so that params.yaml, dvc.lock and metrics in
git stay as they are; the result is the experiment ``demo``, which `dvc exp show` lists. Where nothing
that decides the result has changed since, that experiment is shown again: DVC itself would rerun most
stages, because its run cache keeps none that has outputs in git. What the command line needs to serve
the sample library is left in the cache folder (``DEMO``), so that `cuad-audit audit` works right after
the demo.
"""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, BinaryIO

from pipeline.base.cache import cache_dir
from pipeline.base.errors import CuadAuditError
from pipeline.base.records import atomic_folder, to_dict
from pipeline.grounding.engine import Engine, Place
from pipeline.report import tables as report
from pipeline.report.tables import Table

EXPERIMENT = "demo"
#: What decides the result; params.yaml, dvc.lock, metrics/ and plots/ in git are those of CUAD.
INPUTS = ("pipeline", "conf", "data", "dvc.yaml", "requirements.lock")
#: What serving reads, as the pipeline's folders are laid out.
SERVED = ("data/index", "data/calibration", "params.yaml")
METRICS = ("calibration", "retrieval", "verdicts", "review")
#: A progress bar ends its lines with a carriage return.
ENDS = re.compile(rb"(?<=[\r\n])")
NOISE = (b"WARNING: No file hash info found", b"To apply the results", b"\tdvc exp apply")

CITED = (
    "Except for breach of confidentiality, neither party's total liability under this Agreement shall exceed "
    "the fees paid or payable by Customer in the twelve (12) months before the claim arose, and neither party "
    "shall be liable for indirect or consequential damages."
)
ABSTAINED = "Knead the dough for ten minutes, let it rest in a warm place, and bake it until the crust is golden."


def demo_folder() -> Path:
    return cache_dir() / "demo"


def relay(source: BinaryIO) -> None:
    """Pass on what DVC and the stages say, without the lines that only puzzle here: outs of the CUAD results in
    git that no cache holds, and the advice to apply the demo over them."""
    rest = b""
    while chunk := source.read1(4096):
        *lines, rest = ENDS.split(rest + chunk)
        sys.stderr.buffer.writelines(line for line in lines if not line.startswith(NOISE))
        sys.stderr.buffer.flush()
    sys.stderr.buffer.write(rest)


def dvc(*arguments: str) -> int:
    """Run DVC of this very environment; its progress goes to the terminal."""
    command = [sys.executable, "-m", "dvc", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0) as process:
        relay(io.BufferedReader(process.stdout))
    return process.returncode


def run_experiment() -> None:
    """The whole pipeline with ``source=sample``, in a throw-away copy; replaces an earlier demo."""
    if not Path("dvc.yaml").exists():
        raise CuadAuditError("demo: no dvc.yaml here", "run it in the root of a clone of the repository")
    subprocess.run(
        [sys.executable, "-m", "dvc", "exp", "remove", "--quiet", EXPERIMENT], stderr=subprocess.DEVNULL, check=False
    )
    if dvc("exp", "run", "--temp", "--name", EXPERIMENT, "-S", "source=sample"):
        raise CuadAuditError("demo: a stage failed (see above)", "mend it and run `make demo` again")


def git(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *arguments], capture_output=True, text=True, check=False)


def earlier() -> str | None:
    """The commit of an earlier demo whose code, settings and data in git are those of the working tree; None if
    there is none. Untracked files count for nothing, as in ``dvc exp run --temp``."""
    commits = git("for-each-ref", "--format=%(objectname)", f"refs/exps/*/*/{EXPERIMENT}").stdout.split()
    return next((commit for commit in commits if not git("diff", "--quiet", commit, "--", *INPUTS).returncode), None)


def fetch(target: Path, revision: str = EXPERIMENT) -> dict[str, Any]:
    """Copy what serving needs out of the experiment into ``target``; return its metrics by name."""
    from dvc.api import DVCFileSystem

    files = DVCFileSystem(".", rev=revision)
    with atomic_folder(target) as part:
        for path in SERVED:
            (part / path).parent.mkdir(parents=True, exist_ok=True)
            files.get(path, str(part / path), recursive=True)
    return {name: json.loads(files.read_text(f"metrics/{name}.json")) for name in METRICS}


def show(title: str, text: str) -> None:
    print(f"\n{title}\n{'─' * len(title)}\n{text}")


def tables(metrics: dict[str, Any]) -> list[Table]:
    in_force = metrics["verdicts"]["gate1"]
    return [
        report.gate(metrics["calibration"], in_force),
        report.retrieval(metrics["retrieval"]),
        report.outcomes(metrics["verdicts"]),
        report.taxonomy(metrics["verdicts"]),
        report.release(metrics["review"]),
    ]


def results(new: bool = False) -> dict[str, Any]:
    """The metrics of an earlier demo that a run would only repeat, or else (``new``: always) of a run."""
    if not new and (commit := earlier()):
        try:
            metrics = fetch(demo_folder(), commit)
        except OSError:  # its data were removed from the DVC cache
            pass
        else:
            note = "demo: nothing has changed since the last one; its results again (`cuad-audit demo --new` reruns it)"
            print(note, file=sys.stderr)
            return metrics
    run_experiment()
    return fetch(demo_folder())


def main(new: bool = False) -> None:
    """Run, fetch, and print the summary; both audits at its end are made here and now, on the demo's index."""
    metrics = results(new)
    for table in tables(metrics):
        show(table.title, table.text("simple"))
    engine = Engine(Place(demo_folder(), demo=True))
    for title, clause in (("One cited verdict", CITED), ("One abstention", ABSTAINED)):
        show(f"{title}, as raw JSON", f"clause: {clause}\n")
        print(json.dumps(to_dict(engine.audit(clause)), indent=2, ensure_ascii=False))
    print("\nNext: `.venv/bin/cuad-audit audit FILE`, `make ui` (MLflow), `make repro` (real CUAD).")
