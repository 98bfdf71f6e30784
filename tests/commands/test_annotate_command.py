from __future__ import annotations

import builtins
import hashlib
import json
from datetime import datetime, timedelta
from pathlib import Path

import pandas as pd
import pytest

from pipeline import cli
from pipeline.base.errors import CuadAuditError, UsageError
from pipeline.base.records import write_jsonl, write_parquet
from pipeline.evaluation.labels import load_items

CLAUSE = "Neither party is liable for indirect loss."
CONTRACT = f"Agreement. {CLAUSE} End."


@pytest.fixture
def labels(tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "params.yaml").write_bytes((root / "params.yaml").read_bytes())
    monkeypatch.setenv("CUAD_AUDIT_ROOT", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    write_parquet(tmp_path / "data/raw/contracts.parquet", pd.DataFrame({"title": ["A"], "text": [CONTRACT]}))
    start = CONTRACT.index(CLAUSE)
    spans = [("A", "Cap On Liability", 0, 10), ("A", "Uncapped Liability", 0, 10), ("A", "Cap On Liability", 0, 9)]
    spans = pd.DataFrame(spans, columns=["title", "category", "start", "end"])
    write_parquet(tmp_path / "data/raw/spans.parquet", spans)
    write_parquet(tmp_path / "data/slice/contracts.parquet", pd.DataFrame({"title": ["A"], "family": ["acme"]}))
    item = {
        "item_id": "I1", "title": "A", "start": start, "end": start + len(CLAUSE),
        "sha256": hashlib.sha256(CLAUSE.encode()).hexdigest(), "family": "a", "categories": [],
    }  # fmt: skip
    write_jsonl(tmp_path / "labels/items.jsonl", [item])
    return tmp_path / "labels"


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    given = iter(lines)

    def read(_: str) -> str:
        try:
            return next(given)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr(builtins, "input", read)


OPINION = ("damages-waiver", "meets", "", "", "meets", "", "", "", "", "none", "", "", "none", "", "indirect loss", "",
           "mutual waiver", "", "A mutual waiver.", "")  # fmt: skip


def test_from_two_blind_opinions_to_an_exported_reference(labels: Path, monkeypatch, capsys) -> None:
    where = ["--labels", str(labels)]
    for name in "AB":
        typed(monkeypatch, *OPINION)
        assert cli.execute(["annotate", "label", "--as", name, *where]) == 0
        assert CLAUSE in capsys.readouterr().out
    assert cli.execute(["annotate", "disagreements", *where]) == 0
    assert capsys.readouterr().out == ""
    typed(monkeypatch, "A", "both read it alike")
    assert cli.execute(["annotate", "adjudicate", *where]) == 0
    capsys.readouterr()
    assert cli.execute(["annotate", "check", *where]) == 0
    assert capsys.readouterr().out.startswith("1 references, version 1.1/1-")
    assert cli.execute(["annotate", "export", *where]) == 0
    exported = json.loads(capsys.readouterr().out)
    (sample,) = exported["samples"]
    assert sample["reference"]["verdicts"] == {"acceptable": "on the words"}
    assert sample["reference"]["ruling"] == "both read it alike"
    assert sample["reference"]["source"] == "adjudication"
    ruled_at = datetime.fromisoformat(sample["reference"]["adjudicated_at"])
    assert ruled_at.utcoffset() == timedelta(0) and "T" in sample["reference"]["adjudicated_at"]
    assert CLAUSE not in json.dumps(exported)  # references hold no contract text
    typed(monkeypatch)
    assert cli.execute(["annotate", "adjudicate", *where]) == 0  # nothing is left to rule on
    assert len((labels / "adjudications.jsonl").read_text().splitlines()) == 1


def test_a_clause_is_added_from_the_derived_contracts(labels: Path, tmp_path: Path, capsys) -> None:
    where = ["annotate", "add", "--labels", str(labels), "--title", "A"]
    assert cli.execute([*where, "--start", "0", "--end", "10"]) == 0
    assert f"I2 appended, 10 characters: {labels}/items.jsonl:2" in capsys.readouterr().err
    (tmp_path / "clause.txt").write_text("End.\n")
    assert cli.execute([*where, "--clause", "clause.txt", "--id", "X", "--jurisdiction", "Utopia"]) == 0
    by_offset, by_words = load_items(labels)["I2"], load_items(labels)["X"]
    assert by_offset.sha256 == hashlib.sha256(b"Agreement.").hexdigest()
    assert (by_offset.family, by_offset.categories) == ("acme", ("Cap On Liability", "Uncapped Liability"))
    assert (by_words.start, by_words.end, by_words.jurisdiction) == (len(CONTRACT) - 4, len(CONTRACT), "Utopia")
    assert CLAUSE not in (labels / "items.jsonl").read_text()
    written = (labels / "items.jsonl").read_bytes()
    for wrong, problem in (
        (["--start", "0", "--end", "10"], "items.jsonl:2: I2 has the place of"),
        (["--clause", "clause.txt", "--start", "3"], "clause.txt: the contract has other words at 3 to 7"),
        (["--start", "0", "--end", "999"], "no stretch"),
        (["--start", "0", "--end", "9", "--id", "I1"], "items.jsonl:1: I1 has the id of I1"),
        (["--clause", "nothing.txt"], "nothing.txt"),
    ):
        with pytest.raises(UsageError, match=problem):
            cli.execute([*where, *wrong])
    with pytest.raises(UsageError, match="no contract titled 'B'"):
        cli.execute([*where[:-1], "B", "--start", "0", "--end", "9"])
    assert (labels / "items.jsonl").read_bytes() == written


def test_the_first_item_makes_the_folder(labels: Path) -> None:
    fresh = labels.parent / "fresh"
    assert cli.execute(["annotate", "add", "--labels", str(fresh), "--title", "A", "--start", "0", "--end", "9"]) == 0
    assert list(load_items(fresh)) == ["L001"]


def test_wrong_calls(labels: Path) -> None:
    where = ["--labels", str(labels)]
    with pytest.raises(UsageError, match="not a plain name"):
        cli.execute(["annotate", "label", "--as", "../x", *where])
    with pytest.raises(UsageError, match="no item I9"):
        cli.execute(["annotate", "label", "--as", "A", "--item", "I9", *where])
    with pytest.raises(CuadAuditError, match="no such file"):
        cli.execute(["annotate", "check", *where])
