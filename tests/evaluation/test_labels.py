from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.base.errors import CuadAuditError
from pipeline.base.types import Band, Verdict
from pipeline.evaluation.label_schema import Adjudication
from pipeline.evaluation.labels import load_labels, parse_lines, version_name


def append(path: Path, row: dict) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")


def test_committed_labels_load(root: Path) -> None:
    labels = load_labels(root / "data/labels/cuad_dev")
    assert len(labels.samples) == 80
    assert {name: len(opinions) for name, opinions in labels.opinions.items()} == {"A": 80, "B": 80}
    assert len({sample.family for sample in labels.samples}) == 80
    assert {sample.reference.source for sample in labels.samples} == {"adjudication"}
    assert sum(sample.reference.critical for sample in labels.samples) == 2
    assert sum(len(sample.reference.verdicts) > 1 for sample in labels.samples) == 28


def test_committed_labels_hold_no_contract_text(root: Path) -> None:
    for path in (root / "data/labels/cuad_dev").glob("*.jsonl"):
        for line in path.read_text(encoding="utf-8").splitlines():
            assert "text" not in json.loads(line)


def test_reference_keeps_every_allowed_answer_in_order(label_folder: Path, label_rows) -> None:
    cited = {"verdict": "acceptable", "risk_band": "low"}
    append(
        label_folder / "adjudications.jsonl",
        label_rows["adjudication"](
            "I2",
            verdict="risky",
            allowed_verdicts=[
                {"verdict": "risky", "condition": "if the fees are small"},
                {"verdict": "acceptable", "condition": "if the fees are large"},
            ],
            risk_band="medium",
            allowed_bands=[{"band": "medium", "condition": "x"}, {"band": "low", "condition": "y"}],
            opinions={"A": cited, "B": cited},
        ),
    )
    reference = load_labels(label_folder).samples[1].reference
    assert list(reference.verdicts.items()) == [
        (Verdict.RISKY, "if the fees are small"),
        (Verdict.ACCEPTABLE, "if the fees are large"),
    ]
    assert list(reference.bands) == [Band.MEDIUM, Band.LOW]
    assert reference.preferred is Verdict.RISKY
    assert not reference.abstention_allowed


def test_appending_makes_a_version_and_keeps_the_old_one(label_folder: Path, label_rows) -> None:
    old = load_labels(label_folder)
    append(label_folder / "adjudications.jsonl", label_rows["adjudication"]("I1", ruling="looked at again"))
    new = load_labels(label_folder)
    assert new.version != old.version
    assert new.samples[0].reference.ruling == "looked at again"
    again = load_labels(label_folder, old.version)
    assert again == old
    assert again.samples[0].reference.version == old.version


def test_a_rewritten_ruling_makes_the_old_version_unloadable(label_folder: Path, label_rows) -> None:
    old = load_labels(label_folder).version
    path = label_folder / "adjudications.jsonl"
    lines = path.read_text().splitlines()
    path.write_text("\n".join([json.dumps(label_rows["adjudication"]("I1", ruling="rewritten")), lines[1]]) + "\n")
    with pytest.raises(CuadAuditError, match="append-only"):
        load_labels(label_folder, old)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"verdict": "fine"}, "verdict"),
        ({"surprise": 1}, "surprise"),
        ({"critical": "no"}, "critical"),
        ({"allowed_verdicts": []}, "allowed_verdicts"),
        ({"allowed_verdicts": [{"verdict": "risky", "condition": "x"}]}, "begin with the verdict"),
        ({"allowed_bands": [{"band": "low", "condition": ""}]}, "condition"),
        ({"positions": {"P1": "meets"}}, "positions"),
        ({"kinds": []}, "kinds"),
        ({"reason": "word " * 46}, "46 words"),
        ({"must_mention": ["a", "b", "c", "d"]}, "must_mention"),
        ({"evidence": [[5, 20]]}, "outside the clause"),
        ({"evidence": [[20, 20]]}, "empty"),
        ({"item_id": "I9"}, "not in items.jsonl"),
        ({"opinions": {"A": {"verdict": "acceptable", "risk_band": "low"}}}, "two opinions"),
        (
            {
                "opinions": {
                    "A": {"verdict": "risky", "risk_band": "low"},
                    "B": {"verdict": "acceptable", "risk_band": "low"},
                }
            },
            "not in the annotations",
        ),
        ({"adjudicated_at": "yesterday"}, "isoformat"),
    ],
)
def test_a_bad_ruling_is_named_by_file_and_line(label_folder: Path, label_rows, change: dict, message: str) -> None:
    append(label_folder / "adjudications.jsonl", label_rows["adjudication"]("I1") | change)
    with pytest.raises(CuadAuditError, match=message) as error:
        load_labels(label_folder)
    assert "adjudications.jsonl:3:" in str(error.value)


def test_a_changed_opinion_is_appended_and_leaves_the_ruling_on_the_old_one(label_folder: Path, label_rows) -> None:
    changed = label_rows["annotation"](
        "I1",
        "A",
        verdict="risky",
        allowed_verdicts=[{"verdict": "risky", "condition": "x"}],
        risk_band="medium",
        allowed_bands=[{"band": "medium", "condition": "x"}],
    )
    before = load_labels(label_folder)
    append(label_folder / "annotations_A.jsonl", changed)
    after = load_labels(label_folder)
    assert after.opinions["A"]["I1"].verdict is Verdict.RISKY
    assert after.samples == before.samples and after.version == before.version


def test_not_json_names_file_and_line(label_folder: Path) -> None:
    with (label_folder / "annotations_B.jsonl").open("a") as file:
        file.write("{oops\n")
    with pytest.raises(CuadAuditError, match=r"annotations_B\.jsonl:3:"):
        load_labels(label_folder)


def test_an_item_that_stands_twice_is_an_error(label_folder: Path, label_rows) -> None:
    append(label_folder / "items.jsonl", label_rows["item"]("I1"))
    with pytest.raises(CuadAuditError, match=r"items\.jsonl:3: I1 stands twice"):
        load_labels(label_folder)


def test_missing_folder_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(CuadAuditError, match="no such file"):
        load_labels(tmp_path)


def test_labels_by_construction_need_no_opinions(tmp_path: Path, label_rows) -> None:
    folder = tmp_path / "made"
    folder.mkdir()
    append(folder / "items.jsonl", label_rows["item"]("I1"))
    append(folder / "adjudications.jsonl", label_rows["adjudication"]("I1", opinions={}, annotator="construction"))
    labels = load_labels(folder)
    assert labels.opinions == {}
    assert labels.samples[0].reference.annotators == ("construction",)
    assert labels.samples[0].reference.source == "construction"


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet=st.characters(blacklist_characters="\n", blacklist_categories=("Cs",)), min_size=1))
def test_any_line_parses_or_is_named(line: str) -> None:
    try:
        parse_lines(Path("f.jsonl"), [line], Adjudication)
    except CuadAuditError as error:
        assert str(error).startswith("f.jsonl:1:")


def test_version_depends_on_every_line() -> None:
    assert version_name("1.1", ["a", "b"]) != version_name("1.1", ["a", "c"])
    assert version_name("1.1", ["ab"]) != version_name("1.1", ["a", "b"])
