from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from pipeline.base.errors import CuadAuditError
from pipeline.base.records import write_parquet
from pipeline.evaluation.clauses import clause_texts, contract_texts

TEXT = "Preamble. Neither party is liable for indirect loss. End."


def test_a_clause_is_cut_out_and_checked(tmp_path: Path, make_sample) -> None:
    path = tmp_path / "contracts.parquet"
    write_parquet(path, pd.DataFrame({"title": ["Agreement", "Other"], "text": [TEXT, "x"]}))
    texts = contract_texts(path)
    assert texts == {"Agreement": TEXT, "Other": "x"}
    clause = TEXT[10:52]
    sample = replace(make_sample(), start=10, end=52, sha256=hashlib.sha256(clause.encode()).hexdigest())
    assert clause_texts([sample], texts) == {"I1": clause}
    with pytest.raises(CuadAuditError, match="not the labelled one"):
        clause_texts([replace(sample, end=51)], texts)
    with pytest.raises(CuadAuditError, match="no contract titled"):
        clause_texts([replace(sample, title="Elsewhere")], texts)


def test_no_corpus_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(CuadAuditError, match="dvc repro"):
        contract_texts(tmp_path / "contracts.parquet")
