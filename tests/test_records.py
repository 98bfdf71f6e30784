from __future__ import annotations

import json
import math

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline import records
from pipeline.errors import CuadAuditError
from pipeline.types import AuditResult, Citation, FailureCause, Faithfulness, Identity, Level, PositionReading, Verdict

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


@pytest.mark.parametrize("read", [records.read_json, records.read_jsonl, records.read_parquet])
def test_a_missing_file_names_the_command_that_derives_it(tmp_path, read):
    with pytest.raises(CuadAuditError, match=r"no such file; run `dvc repro`"):
        read(tmp_path / "none")


def test_parquet_is_the_same_bytes_twice(tmp_path):
    table = pd.DataFrame({"title": ["ä", "b"], "categories": [["x", "y"], []], "score": [0.1, None]})
    for name in ("one", "two"):
        records.write_parquet(tmp_path / name, table.copy())
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert records.read_parquet(tmp_path / "one")["categories"].map(list).tolist() == [["x", "y"], []]


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
