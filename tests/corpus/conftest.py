"""Small corpora in CUAD's form, written here."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ALPHA = (
    "SUPPLY AGREEMENT between Alpha Widgets, Inc. and Beta Stores Ltd. The total liability of either party shall "
    "not exceed the fees paid in the twelve months before the claim. Nothing limits liability for fraud. This "
    "Agreement is governed by the laws of Ontario. Supplier keeps insurance of two million dollars."
)
GAMMA = (
    "HOSTING AGREEMENT of Gamma Clouds LLC. In no event is Host liable for lost profits. Customer may audit the "
    "books once a year, on ten days' notice. Host’s liability for breach of confidence is unlimited."
)
DELTA = "LICENCE of Delta Press plc. Licensee may print ten copies. No cap was agreed; each side bears its own risk."


def qa(title: str, context: str, category: str, *answers: str) -> dict[str, Any]:
    found = [{"text": words, "answer_start": context.index(words)} for words in answers]
    return {
        "id": f"{title}__{category}",
        "question": f"Highlight the parts related to {category!r}.",
        "answers": found,
        "is_impossible": not found,
    }


def contract(title: str, context: str, **answers: list[str]) -> dict[str, Any]:
    """A contract; the keyword ``Cap_On_Liability`` stands for the category of that name."""
    qas = [qa(title, context, category.replace("_", " "), *words) for category, words in answers.items()]
    return {"title": title, "paragraphs": [{"context": context, "qas": qas}]}


def small() -> dict[str, Any]:
    cap = "The total liability of either party shall not exceed the fees paid in the twelve months before the claim."
    carve = "Nothing limits liability for fraud."
    return {
        "version": "own",
        "data": [
            contract(
                "ALPHAWIDGETSINC_03_05_2011-EX-10.1-SUPPLY AGREEMENT",
                ALPHA,
                Cap_On_Liability=[cap],
                Uncapped_Liability=[carve, cap],
                Insurance=["Supplier keeps insurance of two million dollars."],
                Audit_Rights=[],
            ),
            contract(
                "Gamma Clouds LLC - Hosting Agreement",
                GAMMA,
                Cap_On_Liability=["In no event is Host liable for lost profits."],
                Uncapped_Liability=["Host’s liability for breach of confidence is unlimited."],
                Insurance=[],
                Audit_Rights=["Customer may audit the books once a year, on ten days' notice."],
            ),
            contract(
                "DeltaPressPlc_20190708_8-K_EX-10.2_777_EX-10.2_License Agreement",
                DELTA,
                Cap_On_Liability=[],
                Uncapped_Liability=[],
                Insurance=[],
                Audit_Rights=["Licensee may print ten copies."],
            ),
        ],
    }


def zipped(members: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


@pytest.fixture
def document() -> dict[str, Any]:
    """Three contracts: four distinct liability spans (one under both categories), three others."""
    return small()


@pytest.fixture
def make_contract() -> Callable[..., dict[str, Any]]:
    return contract


@pytest.fixture
def make_zip(tmp_path: Path) -> Callable[..., Path]:
    """Write a zip of ``{member: bytes}`` (or of a document, as CUADv1.json) and return its path."""

    def make(members: dict[str, Any], name: str = "data.zip") -> Path:
        if "data" in members and isinstance(members["data"], list):
            members = {"CUADv1.json": json.dumps(members).encode()}
        path = tmp_path / name
        path.write_bytes(zipped(members))
        return path

    return make
