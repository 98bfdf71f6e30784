from __future__ import annotations

import json
import math
import subprocess
import sys

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.base import records
from pipeline.base.errors import CuadAuditError
from pipeline.base.types import (
    AuditResult,
    Citation,
    FailureCause,
    Faithfulness,
    Identity,
    Level,
    PositionReading,
    Verdict,
)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path):
    target = tmp_path / "file.txt"
    records.write_text(target, "old")
    with pytest.raises(RuntimeError), records.atomic_path(target) as part:
        part.write_text("half")
        raise RuntimeError
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["file.txt"]


def test_a_failed_folder_leaves_the_old_one_and_nothing_else(tmp_path):
    target = tmp_path / "folder"
    with records.atomic_folder(target) as part:
        (part / "a").write_text("1")
    with pytest.raises(RuntimeError), records.atomic_folder(target) as part:
        (part / "b").write_text("2")
        raise RuntimeError
    assert [path.name for path in target.iterdir()] == ["a"]
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_folder_is_replaced_whole(tmp_path):
    target = tmp_path / "folder"
    for name in ("a", "b"):
        with records.atomic_folder(target) as part:
            (part / name).write_text("")
    assert [path.name for path in target.iterdir()] == ["b"]


@given(st.dictionaries(st.text(), json_values))
def test_json_round_trip(tmp_path_factory, value):
    path = tmp_path_factory.mktemp("json") / "value.json"
    records.write_json(path, value)
    assert records.read_json(path) == json.loads(json.dumps(records.rounded(value)))


def test_json_is_sorted_rounded_and_finite(tmp_path):
    path = tmp_path / "value.json"
    records.write_json(path, {"b": 1 / 3, "a": -0.0})
    assert path.read_text() == '{\n  "a": 0.0,\n  "b": 0.333333333\n}\n'
    with pytest.raises(ValueError):
        records.write_json(path, {"a": math.nan})


@given(st.lists(st.dictionaries(st.text(), json_values)))
def test_jsonl_round_trip(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("jsonl") / "rows.jsonl"
    records.write_jsonl(path, rows)
    assert records.read_jsonl(path) == json.loads(json.dumps(records.rounded(rows)))


@pytest.mark.parametrize("line", ["{", "[1]", "nul"])
def test_a_bad_line_is_named(tmp_path, line):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"a": 1}\n' + line + "\n")
    with pytest.raises(CuadAuditError, match=r"rows.jsonl:2: not"):
        records.read_jsonl(path)


@pytest.mark.parametrize("read", [records.read_json, records.read_jsonl, records.read_parquet, records.read_rows])
def test_a_missing_file_names_the_command_that_derives_it(tmp_path, read):
    with pytest.raises(CuadAuditError, match=r"no such file; run `dvc repro`"):
        read(tmp_path / "none")


def test_parquet_is_the_same_bytes_twice(tmp_path):
    table = pd.DataFrame({"title": ["ä", "b"], "categories": [["x", "y"], []], "score": [0.1, None]})
    for name in ("one", "two"):
        records.write_parquet(tmp_path / name, table.copy())
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert records.read_parquet(tmp_path / "one")["categories"].map(list).tolist() == [["x", "y"], []]


COLUMNS = {"name": "string", "tags": "strings", "n": "int64", "score": "float64", "right": "bool"}
cells = {
    "name": st.text(st.characters(exclude_categories=["Cs"])),
    "tags": st.lists(st.text(st.characters(exclude_categories=["Cs"]))),
    "n": st.integers(-(2**63), 2**63 - 1),
    "score": st.floats(allow_nan=False, allow_infinity=False),
    "right": st.booleans(),
}


@given(st.lists(st.fixed_dictionaries({}, optional={name: cell | st.none() for name, cell in cells.items()})))
def test_rows_round_trip(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("rows") / "rows.parquet"
    records.write_rows(path, rows, COLUMNS)
    expected = [{name: row.get(name) for name in COLUMNS} for row in rows]
    assert records.read_rows(path) == expected
    assert records.read_columns(path, ["n"]) == {"n": [row["n"] for row in expected]}


def test_rows_and_frames_write_the_same_bytes(tmp_path):
    rows = [{"title": "ä\n", "n": 2**40, "score": 0.1}, {"title": "", "n": -1, "score": None}] * 40_000
    records.write_rows(tmp_path / "rows", rows, {"title": "string", "n": "int64", "score": "float64"})
    records.write_parquet(tmp_path / "frame", pd.DataFrame(rows))
    assert (tmp_path / "rows").read_bytes() == (tmp_path / "frame").read_bytes()
    assert records.read_parquet(tmp_path / "rows", ["n"])["n"].sum() == 40_000 * (2**40 - 1)


def test_a_key_that_is_no_column_is_refused(tmp_path):
    with pytest.raises(ValueError, match="unexpected field"):
        records.write_rows(tmp_path / "rows", [{"title": "x", "other": 1}], {"title": "string"})
    assert not (tmp_path / "rows").exists()


def test_rows_need_no_pandas(tmp_path):
    code = f"""
import sys
from pathlib import Path
from pipeline.base import records
records.write_rows(Path({str(tmp_path / "rows")!r}), [{{"tags": ["x"]}}], {{"tags": "strings"}})
records.read_rows(Path({str(tmp_path / "rows")!r}))
sys.exit("pandas" in sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_record_survives_json():
    result = AuditResult(
        verdict=Verdict.RISKY,
        reason="P1 departs.",
        citation=Citation("c1", "A", 0, 3, "abc"),
        positions={"P1": PositionReading(Level.DEPARTS, ("Supplier",))},
        gate1_score=0.7,
        gate1_threshold=0.5,
        faithfulness=Faithfulness(()),
        failure_cause=FailureCause.NONE,
        auditor=Identity("rules", code="pipeline.standard"),
        judge=Identity("lexical", code="pipeline.grounding.lexical"),
    )
    assert records.from_dict(AuditResult, json.loads(json.dumps(records.to_dict(result)))) == result
