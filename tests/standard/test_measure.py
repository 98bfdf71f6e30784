from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pandas as pd
import pytest

from pipeline.base import records
from pipeline.base.errors import CuadAuditError
from pipeline.standard.measure import load_pairs, macro_f1, measure, render

MUTUAL = "Neither party is liable for indirect loss."
TOTAL = "Maker shall have no liability to Buyer, whether in contract, tort or otherwise."
NOTHING = "The parties shall meet every quarter."


def _label(name: str, levels: str, allowed: list[str], critical: bool = False) -> dict:
    words = {"m": "meets", "d": "departs", "o": "off", "s": "silent", "f": "fails"}
    return {
        "item_id": name,
        "positions": {f"P{i}": words[letter] for i, letter in enumerate(levels, start=1)},
        "allowed_verdicts": [{"verdict": verdict, "condition": ""} for verdict in allowed],
        "critical": critical,
    }


def test_macro_f1_by_hand() -> None:
    # meets: 2 hits, 1 said too often, 0 missed -> 4/5; departs: 1 hit, 0 too often, 1 missed -> 2/3.
    # "off" is said but never true, so it has no score of its own.
    confusion = {("meets", "meets"): 2, ("departs", "meets"): 1, ("departs", "departs"): 1, ("departs", "off"): 0}
    assert macro_f1(confusion) == pytest.approx((4 / 5 + 2 / 3) / 2)
    assert macro_f1({}) == 0


def test_the_four_figures() -> None:
    measured = measure(
        [
            (_label("a", "mssmms", ["acceptable"]), MUTUAL),
            (_label("b", "dssoms", ["off-standard"], critical=True), TOTAL),
            (_label("c", "ssssfs", ["insufficient-grounding", "risky"]), NOTHING),
            (_label("d", "dssdms", ["risky"]), MUTUAL),  # the reader does not agree with this label
        ]
    )
    assert (measured.n, measured.match) == (4, 3)
    assert (measured.auditable, measured.covered) == (4, 3)
    assert (measured.critical, measured.critical_high) == (1, 1)
    assert measured.confusion["P1"][("departs", "meets")] == 1
    assert measured.misses == ("d risky > acceptable VERDICT P1:departs>meets P4:departs>meets",)
    shown = render(measured, verbose=True)
    assert "3/4 = 0.750" in shown and "d risky" in shown


def test_nothing_to_measure_is_nought() -> None:
    assert "0/0" in render(measure([]))


def _folder(tmp_path: Path, sha256: str | None = None, title: str = "T") -> tuple[Path, Path]:
    text = f"Preamble. {MUTUAL} End."
    start = text.index(MUTUAL)
    digest = sha256 or hashlib.sha256(MUTUAL.encode()).hexdigest()
    item = {"item_id": "a", "title": title, "start": start, "end": start + len(MUTUAL), "sha256": digest}
    labels = tmp_path / "labels"
    records.write_jsonl(labels / "items.jsonl", [item])
    records.write_jsonl(labels / "adjudications.jsonl", [_label("a", "mssmms", ["acceptable"])])
    contracts = tmp_path / "contracts.parquet"
    records.write_parquet(contracts, pd.DataFrame({"title": ["T"], "text": [text]}))
    return labels, contracts


def test_labels_meet_their_text_by_title_and_offsets(tmp_path: Path) -> None:
    pairs = load_pairs(*_folder(tmp_path))
    assert [text for _, text in pairs] == [MUTUAL]
    assert measure(pairs).match == 1


def test_the_last_ruling_on_a_clause_is_in_force(tmp_path: Path) -> None:
    labels, contracts = _folder(tmp_path)
    first = records.read_jsonl(labels / "adjudications.jsonl")
    records.write_jsonl(labels / "adjudications.jsonl", [*first, _label("a", "mssmms", ["risky"])])
    measured = measure(load_pairs(labels, contracts))
    assert (measured.n, measured.match) == (1, 0)


def test_an_archive_in_squad_form_serves_as_well(tmp_path: Path) -> None:
    labels, contracts = _folder(tmp_path)
    text = pd.read_parquet(contracts)["text"][0]
    archive = tmp_path / "archive.json"
    archive.write_text(json.dumps({"data": [{"title": "T", "paragraphs": [{"context": text}]}]}), encoding="utf-8")
    assert load_pairs(labels, archive) == load_pairs(labels, contracts)


def test_a_text_that_is_not_the_labelled_one_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CuadAuditError, match="another sha256"):
        load_pairs(*_folder(tmp_path, sha256="0" * 64))
    with pytest.raises(CuadAuditError, match="no contract X"):
        load_pairs(*_folder(tmp_path, title="X"))
