"""data/negatives: texts that no audit of liability should speak to."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from pipeline.base import records

STRATA = {"gibberish", "other-domain", "near-domain", "cross-reference"}


@pytest.fixture(scope="module")
def rows(root: Path) -> list[dict[str, str]]:
    return records.read_jsonl(root / "data" / "negatives" / "negatives.jsonl")


def test_schema(rows: list[dict[str, str]]) -> None:
    for row in rows:
        assert set(row) == {"id", "stratum", "text"}
        assert all(isinstance(value, str) and value.strip() for value in row.values())
    assert len({row["id"] for row in rows}) == len(rows)
    assert len({" ".join(row["text"].lower().split()) for row in rows}) == len(rows)


def test_every_stratum_has_enough(rows: list[dict[str, str]]) -> None:
    counts = Counter(row["stratum"] for row in rows)
    assert set(counts) == STRATA
    assert min(counts.values()) >= 12
    assert sum(counts.values()) >= 60


def test_lengths_and_languages_vary(rows: list[dict[str, str]]) -> None:
    lengths = [len(row["text"]) for row in rows]
    assert min(lengths) < 10
    assert max(lengths) > 180
    assert sum(not row["text"].isascii() for row in rows) >= 5


def test_no_cross_reference_carries_an_amount_of_its_own(rows: list[dict[str, str]]) -> None:
    for row in rows:
        if row["stratum"] == "cross-reference":
            assert not re.search(r"[$€£]|\bmonths?\b|indirect|consequential", row["text"], re.IGNORECASE)
