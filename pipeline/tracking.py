"""``track``: one MLflow run for the result that dvc.lock pins; ``ui``: the pages that compare runs.

The only importer of MLflow. The store is SQLite at the repository's root (the plain file store is
refused by current MLflow), also under ``dvc exp run --temp``. A run is found again by the
fingerprint of dvc.lock, so running ``track`` twice makes no second run; a run that was killed half
way is removed and written anew. Tables and figures lie at the artifact root, because the
comparison page shows nothing that lies in a folder.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sqlite3
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml
from filelock import FileLock

from pipeline.base import params
from pipeline.base.cache import cache_dir, repository
from pipeline.base.errors import CuadAuditError, UsageError, run
from pipeline.base.records import missing, read_json, read_table

if TYPE_CHECKING:
    from mlflow import MlflowClient

METRICS = Path("metrics")
PLOTS = Path("plots")
TABLES = {
    "outcomes.json": Path("data/verdicts/outcomes.parquet"),
    "queries.json": Path("data/retrieval/per_query.parquet"),
    "judge_claims.json": Path("data/judge/claims.parquet"),
    "contrast_pairs.json": Path("data/review/contrast.parquet"),
    "adversarial_clauses.json": Path("data/review/adversarial.parquet"),
    "scores.json": Path("data/review/scores.parquet"),
}
#: Columns that stand first, because the page compares what follows the key.
FIRST = ("item_id", "verdict", "failure_cause", "outcome", "reference_verdict")
#: Derived data whose DVC digests are logged as MLflow datasets: every output at or below these.
DATASETS = ("data/raw", "data/slice", "data/chunks", "data/index", "data/verdicts")
#: The most metrics that MLflow takes in one call.
BATCH = 1000
ILLEGAL = re.compile(r"[^\w\-. /:]")
KEY_LIMIT = 250


def fingerprint(lock: Path = Path("dvc.lock")) -> str:
    """Hex sha256 of dvc.lock without the entry of ``track`` itself: the identity of a result."""
    stages = {name: stage for name, stage in locked(lock).items() if name != "track"}
    return hashlib.sha256(json.dumps(stages, sort_keys=True).encode()).hexdigest()


def digests(lock: Path = Path("dvc.lock")) -> dict[str, str]:
    """The digest of every output that dvc.lock pins, by path."""
    return {out["path"]: out["md5"] for stage in locked(lock).values() for out in stage.get("outs", [])}


def locked(lock: Path) -> dict[str, Any]:
    """The stages of dvc.lock by name."""
    if not lock.exists():
        raise missing(lock)
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the same grammar, ten times as fast
    return yaml.load(lock.read_text(encoding="utf-8"), Loader=loader).get("stages", {})


def refuse_other_parameters(flat: Mapping[str, Any], lock: Path = Path("dvc.lock")) -> None:
    """``UsageError`` where params.yaml, ``flat``, is not what the result in dvc.lock was made with: its run would
    show the parameters of another."""
    for stage in locked(lock).values():
        for key, then in params.flatten(stage.get("params", {}).get("params.yaml", {})).items():
            if flat.get(key, then) != then:
                raise UsageError(
                    f"params.yaml: {key} is {flat[key]}, and {then} in the result that dvc.lock pins", "run `dvc repro`"
                )


def numbers(tree: Any, prefix: str = "") -> Iterator[tuple[str, float]]:
    """Every number in nested JSON by its path, joined with ``/``; a truth value counts 0 or 1.

    Lists are left out: a curve is a table or a figure, not a metric.
    """
    if isinstance(tree, Mapping):
        for key, value in tree.items():
            yield from numbers(value, f"{prefix}/{key}" if prefix else str(key))
    elif isinstance(tree, bool | int | float):
        yield ILLEGAL.sub("_", prefix)[:KEY_LIMIT], float(tree)


def collect_metrics(folder: Path = METRICS) -> dict[str, float]:
    """All of metrics/*.json flat, and the failure taxonomy a second time as ``taxonomy/<label>``."""
    found: dict[str, float] = {}
    for path in sorted(folder.glob("*.json")):
        tree = read_json(path)
        found.update(numbers(tree, path.stem))
        if path.stem == "verdicts":
            found.update(numbers(tree["taxonomy"], "taxonomy"))
    return found


def store_uri() -> str:
    return f"sqlite:///{(repository() / 'mlflow.db').resolve()}"


def lock() -> FileLock:
    cache_dir().mkdir(parents=True, exist_ok=True)
    return FileLock(cache_dir() / "mlflow.lock")


def open_store() -> MlflowClient:
    """A client of the store; call it under ``lock()``: two first uses at once would corrupt it.

    A new store is made in memory, since MLflow's migrations commit hundreds of times and a disk makes each
    one wait; it is then copied beside its place and renamed, so that a kill leaves none half made.
    """
    os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
    os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")
    from mlflow import MlflowClient

    target = (repository() / "mlflow.db").resolve()
    if not target.exists():
        from mlflow.store.tracking.sqlalchemy_store import SqlAlchemyStore

        print("setting up the MLflow store mlflow.db", file=sys.stderr)
        part = target.with_name(".mlflow.db.part")
        part.unlink(missing_ok=True)
        engine = SqlAlchemyStore("sqlite://", str(target.with_name("mlartifacts"))).engine
        with closing(sqlite3.connect(part)) as copy:
            engine.raw_connection().driver_connection.backup(copy)
        engine.dispose()
        part.replace(target)
    return MlflowClient(tracking_uri=f"sqlite:///{target}")


def experiment_id(client: MlflowClient, name: str) -> str:
    found = client.get_experiment_by_name(name)
    if found:
        return found.experiment_id
    return client.create_experiment(name, (repository() / "mlartifacts").resolve().as_uri())


def finished_run(client: MlflowClient, experiment: str, digest: str) -> str | None:
    """The id of the run of this result; runs of it that did not finish are deleted on the way."""
    done = None
    for found in client.search_runs([experiment], f"tags.`dvc.lock.sha256` = '{digest}'"):
        if found.info.status == "FINISHED":
            done = found.info.run_id
        else:
            client.delete_run(found.info.run_id)
    return done


def describe(everything: params.Params) -> str:
    """A run's name: what is most often changed, and the experiment where DVC names one."""
    gate = everything.gate1
    told = f"{everything.auditor.name}, {gate.score} at {gate.threshold:g}"
    return f"{told} ({os.environ['DVC_EXP_NAME']})" if os.environ.get("DVC_EXP_NAME") else told


def tags(everything: params.Params, digest: str) -> dict[str, str]:
    """What finds a run again and what names the agents behind it."""
    verdicts = read_json(METRICS / "verdicts.json")
    prompts = [verdicts[role]["prompt_sha256"] for role in ("auditor", "judge")]
    return {
        "dvc.lock.sha256": digest,
        "dvc.exp": os.environ.get("DVC_EXP_NAME", ""),
        "prompt.sha256": " ".join(prompt for prompt in prompts if prompt),
        "reference.version": str(verdicts["reference_version"]),
        "auditor": verdicts["auditor"]["name"],
        "judge": verdicts["judge"]["name"],
        "source": everything.source.name,
    }


def track() -> str:
    """Write the run of the result at hand and return its id; one that is there is left as it is."""
    everything = params.load_all()
    refuse_other_parameters(params.flatten(params.as_dict(everything)))
    digest = fingerprint()
    with lock():
        client = open_store()
        experiment = experiment_id(client, f"cuad-audit {everything.source.name}")
        done = finished_run(client, experiment, digest)
        if done:
            print(f"MLflow run {done} holds this result already", file=sys.stderr)
            return done
        run_id = client.create_run(experiment, tags=tags(everything, digest), run_name=describe(everything)).info.run_id
        write(client, run_id, everything)
        client.set_terminated(run_id)
    print(f"MLflow run {run_id} written; `make ui` shows it", file=sys.stderr)
    return run_id


def write(client: MlflowClient, run_id: str, everything: params.Params) -> None:
    """Parameters, metrics, datasets, tables and figures of the result into one open run."""
    from mlflow.entities import Dataset, DatasetInput, InputTag, Metric, Param, RunTag
    from mlflow.utils.mlflow_tags import MLFLOW_LOGGED_ARTIFACTS

    now = int(time.time() * 1000)
    derived = [InputTag("mlflow.data.context", "derived")]
    inputs = [
        DatasetInput(Dataset(path, digest[:36], "dvc", path), derived)
        for path, digest in sorted(digests().items())
        if any(path == folder or path.startswith(f"{folder}/") for folder in DATASETS)
    ]
    client.log_inputs(run_id, inputs)
    for name, path in TABLES.items():
        client.log_text(run_id, table(path), name)
    for figure in sorted(PLOTS.glob("*.png")):
        client.log_artifact(run_id, str(figure))
    flat = params.flatten(params.as_dict(everything))
    shown = json.dumps([{"path": name, "type": "table"} for name in TABLES])
    client.log_batch(
        run_id,
        params=[Param(key, str(value)) for key, value in flat.items()],
        tags=[RunTag(MLFLOW_LOGGED_ARTIFACTS, shown)],
    )
    # Last, because each call above loads what the run holds so far.
    metrics = [Metric(key, value, now, 0) for key, value in sorted(collect_metrics().items())]
    for first in range(0, len(metrics), BATCH):
        client.log_batch(run_id, metrics=metrics[first : first + BATCH])


def table(path: Path) -> str:
    """A Parquet file as the JSON that MLflow's ``log_table`` writes, which would take a pandas frame for it.

    The columns in ``FIRST`` lead; a list becomes its text, because the page shows no lists.
    """
    import orjson

    stored = read_table(path)
    names = sorted(stored.column_names, key=lambda name: FIRST.index(name) if name in FIRST else len(FIRST))
    cells = stored.select(names).to_pydict().values()
    rows = [[str(cell) if isinstance(cell, list) else cell for cell in row] for row in zip(*cells, strict=True)]
    return orjson.dumps({"columns": names, "data": rows}).decode()


def download_table(run_id: str, name: str, folder: Path) -> Path:
    """Copy a table of a run into ``folder``; ``UsageError`` where there is no such run or table."""
    from mlflow.exceptions import MlflowException

    with lock():
        try:
            return Path(open_store().download_artifacts(run_id, name, str(folder)))
        except (MlflowException, OSError) as error:
            raise UsageError(f"MLflow run {run_id}: {error}", "`make ui` lists the runs") from None


def ui(port: int = 5000) -> None:
    """Serve the comparison pages on loopback until Ctrl-C."""
    with lock():
        open_store()
    print(f"MLflow on http://127.0.0.1:{port} (Ctrl-C ends it)", file=sys.stderr)
    # Without its job runner the server is two processes instead of ten.
    os.environ.update(MLFLOW_SERVER_ENABLE_JOB_EXECUTION="false", MLFLOW_DISABLE_TELEMETRY="true")
    command = ["mlflow", "ui", "--backend-store-uri", store_uri(), "--host", "127.0.0.1", "--port", str(port)]
    try:
        os.execvp(sys.executable, [sys.executable, "-m", *command])
    except OSError as error:
        raise CuadAuditError(f"mlflow ui: {error}", "run `make setup`") from None


def main() -> None:
    match sys.argv[1:]:
        case []:
            track()
        case ["ui"]:
            ui()
        case ["ui", port] if port.isdigit():
            ui(int(port))
        case other:
            raise UsageError(f"tracking: unknown call {' '.join(other)}", "call it without arguments, or `ui [PORT]`")


if __name__ == "__main__":
    run(main)
