from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from pipeline.base.errors import CuadAuditError, UsageError
from pipeline.base.types import POSITIONS, Level
from pipeline.standard import known_types, load_standard


@pytest.fixture
def raw(root: Path) -> dict:
    return yaml.safe_load((root / "data/standard/liability.yaml").read_text(encoding="utf-8"))


@pytest.fixture
def write(tmp_path: Path) -> Callable[[object], Path]:
    def _write(value: object) -> Path:
        text = value if isinstance(value, str) else yaml.safe_dump(value)
        (tmp_path / "liability.yaml").write_text(text, encoding="utf-8")
        return tmp_path

    return _write


def test_the_liability_standard_has_the_six_positions_and_fifteen_sources() -> None:
    standard = load_standard()
    assert tuple(p.id for p in standard.positions) == POSITIONS
    assert len(standard.provenance) == 15
    shown = Counter(name for source in standard.provenance for name in source.positions)
    assert all(shown[name] >= 2 for name in POSITIONS)
    assert {level for p in standard.positions for level in p.levels} == set(Level) - {Level.SILENT}
    assert Level.OFF not in standard.position("P3").levels
    assert set(standard.position("P5").levels) == {Level.MEETS, Level.FAILS}


def test_the_words_of_a_level_can_be_asked_for() -> None:
    standard = load_standard()
    assert "both parties" in standard.level_text("P1", Level.MEETS)
    assert standard.level_text("P1", Level.SILENT) == "the clause does not speak to it"
    assert standard.asks("P1").endswith(".")
    with pytest.raises(KeyError):
        standard.position("P7")


def test_the_text_holds_every_level() -> None:
    standard = load_standard()
    text = standard.text()
    for position in standard.positions:
        assert position.asks in text
        assert all(words in text for words in position.levels.values())
    assert text.count("silent:") == 5


@pytest.mark.parametrize("name", ["indemnity", "../liability", "", "LIABILITY", "a" * 99])
def test_an_unknown_type_lists_the_known_ones(name: str) -> None:
    with pytest.raises(UsageError, match="use one of: liability"):
        load_standard(name)


def test_an_empty_folder_knows_none(tmp_path: Path) -> None:
    assert known_types(tmp_path) == []
    with pytest.raises(UsageError, match="use one of: none"):
        load_standard("liability", tmp_path)


def _set(path: str, value: object) -> Callable[[dict], None]:
    def change(raw: dict) -> None:
        *way, last = [int(part) if part.isdigit() else part for part in path.split(".")]
        target = raw
        for part in way:
            target = target[part]
        target[last] = value

    return change


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (_set("colour", "red"), "colour: Extra inputs are not permitted"),
        (_set("version", 1.1), "version: "),
        (_set("clause_type", "indemnity"), "clause_type: is 'indemnity'"),
        (_set("positions.0.id", "X1"), "positions.0.id: "),
        (_set("positions.1.id", "P1"), "positions: an id stands twice"),
        (_set("positions.0.levels", {"meets": "x"}), "positions.0.levels: "),
        (_set("positions.0.levels", {"meets": "x", "departs": " "}), "positions.0.levels.departs: "),
        (_set("positions.0.levels", {"meets": "x", "great": "y"}), "positions.0.levels.great"),
        (_set("positions.0.levels", {"meets": "x", False: "y"}), "positions.0.levels"),
        (_set("provenance.0.sha256", "abc"), "provenance.0.sha256: "),
        (_set("provenance.0.end", 1), "provenance.0.end: must be greater than start"),
        (_set("provenance.0.positions", ["P9"]), "provenance.0.positions: there is no position P9"),
        (_set("provenance.0.positions", []), "provenance.0.positions: "),
    ],
)
def test_a_wrong_file_is_one_line_that_names_the_place(
    raw: dict, write: Callable[[object], Path], change: Callable[[dict], None], where: str
) -> None:
    change(raw)
    with pytest.raises(CuadAuditError) as caught:
        load_standard(root=write(raw))
    assert where in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_clause_may_stand_once(raw: dict, write: Callable[[object], Path]) -> None:
    raw["provenance"].append(raw["provenance"][0])
    with pytest.raises(CuadAuditError, match="a clause stands twice"):
        load_standard(root=write(raw))


@pytest.mark.parametrize("text", ["a: [", "- 1", "", "\t"])
def test_what_is_no_standard_at_all(write: Callable[[object], Path], text: str) -> None:
    with pytest.raises(CuadAuditError, match=r"liability\.yaml"):
        load_standard(root=write(text))
