from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from pipeline.base.errors import CuadAuditError, UsageError
from pipeline.stages import download
from pipeline.stages import slice as stage

Workspace = Callable[..., Path]
Archives = dict[str, tuple[Path, str]]


def run_both(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUAD_ARCHIVE", str(archive))
    download.main()
    stage.main()


def test_same_bytes_from_either_archive_and_metrics_that_agree(
    workspace: Workspace, archives: Archives, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for name, (path, _) in archives.items():
        folder = workspace(name)
        run_both(path, monkeypatch)
        names = ("data/slice/contracts", "data/slice/spans", "data/slice/negatives")
        found.append(
            [*((folder / f"{name}.parquet").read_bytes() for name in names), Path("metrics/slice.json").read_bytes()]
        )
    assert found[0] == found[1]

    metrics = json.loads(Path("metrics/slice.json").read_text())
    spans, negatives = (pd.read_parquet(f"data/slice/{name}.parquet") for name in ("spans", "negatives"))
    assert metrics["spans"]["distinct"] == len(spans)
    assert metrics["negatives"]["distinct"] == len(negatives)
    assert metrics["spans"]["labels"] + metrics["negatives"]["labels"] == 13_823
    contracts = pd.read_parquet("data/slice/contracts.parquet")
    assert metrics["contracts"] == len(contracts) == 510
    assert metrics["families"] == contracts["family"].nunique()
    families = spans.groupby("split")["family"].agg(set)
    assert not families["library"] & families["queries"]


def test_an_unknown_category_leaves_nothing(
    workspace: Workspace, archives: Archives, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace(slice={"categories": ["Capped Liability"]})
    with pytest.raises(UsageError, match=r"near names: .*Uncapped Liability"):
        run_both(archives["one"][0], monkeypatch)
    assert not Path("data/slice").exists()
    assert not Path("metrics").exists()


def test_all_categories(workspace: Workspace, archives: Archives, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace(slice={"categories": ["all"]})
    run_both(archives["one"][0], monkeypatch)
    assert len(pd.read_parquet("data/slice/spans.parquet")) == 13_823
    negatives = pd.read_parquet("data/slice/negatives.parquet")
    assert len(negatives) == 0
    assert list(negatives.columns) == list(pd.read_parquet("data/slice/spans.parquet").columns)


def test_without_the_corpus(workspace: Workspace) -> None:
    workspace()
    with pytest.raises(CuadAuditError, match=r"data/raw/contracts\.parquet: no such file"):
        stage.main()
