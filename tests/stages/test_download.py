from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from pipeline.base.errors import CuadAuditError
from pipeline.corpus import fetch
from pipeline.stages import download

Workspace = Callable[..., Path]
Archives = dict[str, tuple[Path, str]]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_both_archives_give_the_same_bytes(
    workspace: Workspace, archives: Archives, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for name, (path, _) in archives.items():
        folder = workspace(name)
        monkeypatch.setenv("CUAD_ARCHIVE", str(path))
        download.main()
        found.append(contents(folder / "data"))
    assert found[0] == found[1]
    assert list(found[0]) == ["raw/contracts.parquet", "raw/questions.parquet", "raw/spans.parquet"]
    assert len(pd.read_parquet("data/raw/spans.parquet")) == 13_823
    assert len(pd.read_parquet("data/raw/questions.parquet")) == 20_910


def test_the_network_goes_by_the_cache_of_the_real_repository(
    workspace: Workspace, archives: Archives, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """In a throw-away workspace DVC_ROOT names the real one, whose cache holds the archive: no network."""
    workspace()
    kept = tmp_path / "repository" / ".cache" / "downloads" / "data.zip"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(archives["one"][0].read_bytes())
    monkeypatch.setenv("DVC_ROOT", str(tmp_path / "repository"))
    download.main()
    assert Path("data/raw/contracts.parquet").exists()
    assert not Path(".cache").exists()


def refused(match: str) -> None:
    """The stage refuses with one line, and leaves nothing."""
    with pytest.raises(CuadAuditError, match=match) as caught:
        download.main()
    assert "\n" not in str(caught.value)
    assert not Path("data").exists() or not list(Path("data").iterdir())


def test_no_network(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace()
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(fetch.fetch, "__defaults__", (2, 0.01))  # two tries, no pause
    refused(r"127\.0\.0\.1.*CUAD_ARCHIVE=PATH.*source=sample")


def test_another_file(workspace: Workspace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    other = tmp_path / "other.zip"
    other.write_bytes(b"something else")
    workspace()
    monkeypatch.setenv("CUAD_ARCHIVE", str(other))
    refused(r"other\.zip: not a zip archive; download CUAD's data\.zip again")
    monkeypatch.setenv("CUAD_ARCHIVE", str(tmp_path / "absent.zip"))
    refused(r"absent\.zip: no such file")


@pytest.mark.parametrize(
    ("members", "match"),
    [
        ({"CUADv1.json": b"not json"}, r"mine\.zip: CUADv1\.json: not JSON"),
        ({"CUADv1.json": b'{"data": 3}'}, r"mine\.zip: CUADv1\.json: 'data' is not of type list"),
        ({"other.json": b"{}"}, r"mine\.zip: holds 0 files CUADv1\.json"),
        ({"CUADv1.json": b"{}", "../x": b""}, "lies outside the folder"),
    ],
)
def test_an_accepted_archive_that_is_no_cuad(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, members: dict[str, bytes], match: str
) -> None:
    path = tmp_path / "mine.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    digest = download.archive.file_sha256(path)
    source = {"name": "cuad", "url": "http://127.0.0.1:9/data.zip", "digests": [digest], "labels": "x"}
    workspace(source=source)
    monkeypatch.setenv("CUAD_ARCHIVE", str(path))
    refused(match)


def test_counts_that_are_not_the_published_ones(
    workspace: Workspace, archives: Archives, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with zipfile.ZipFile(archives["one"][0]) as archive:
        document = json.loads(archive.read("CUADv1.json"))
    del document["data"][7]
    path = tmp_path / "mine.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("CUADv1.json", json.dumps(document))
    digest = download.archive.file_sha256(path)
    workspace(source={"name": "cuad", "url": "http://127.0.0.1:9/x", "digests": [digest], "labels": "x"})
    monkeypatch.setenv("CUAD_ARCHIVE", str(path))
    refused("509 contracts where CUAD has 510")


# Writes the first table and then hangs in the second, as a stage may that is killed.
HANGS = """
import time
from pipeline.base import records
from pipeline.stages import download
write, calls = records.write_rows, []
def hang(path, *table):
    calls.append(path)
    if len(calls) == 2:
        print("hanging", flush=True)
        time.sleep(60)
    write(path, *table)
records.write_rows = hang
download.main()
"""


@pytest.mark.parametrize("before", [False, True])
def test_sigkill_leaves_no_half_written_folder(
    root: Path, workspace: Workspace, archives: Archives, monkeypatch: pytest.MonkeyPatch, before: bool
) -> None:
    workspace()
    monkeypatch.setenv("CUAD_ARCHIVE", str(archives["one"][0]))
    out = Path("data/raw")
    if before:
        download.main()
    kept = contents(out) if before else None

    environment = {**os.environ, "PYTHONPATH": str(root)}
    with subprocess.Popen([sys.executable, "-c", HANGS], stdout=subprocess.PIPE, env=environment, text=True) as stage:
        assert stage.stdout is not None
        assert stage.stdout.readline() == "hanging\n"
        stage.send_signal(signal.SIGKILL)
    assert stage.returncode == -signal.SIGKILL
    assert (contents(out) if out.exists() else None) == kept

    download.main()  # the next run goes through
    assert len(contents(out)) == 3


def test_the_process_ends_with_one_line_and_a_code(root: Path, workspace: Workspace, tmp_path: Path) -> None:
    folder = workspace()
    environment = {**os.environ, "PYTHONPATH": str(root), "CUAD_ARCHIVE": str(tmp_path / "absent.zip")}
    command = [sys.executable, "-m", "pipeline.stages.download"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
