"""Builders for labelled items and audit results; every clause here is written for the tests."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipeline.base.types import (
    POSITIONS,
    AuditResult,
    Band,
    Citation,
    ClaimCheck,
    FailureCause,
    Faithfulness,
    Identity,
    Level,
    Verdict,
)
from pipeline.evaluation.labels import Reference, Sample

RULES, LEXICAL = Identity("rules", code="rules"), Identity("lexical", code="lexical")
SILENT = dict.fromkeys(POSITIONS, "silent") | {"P5": "meets"}


@pytest.fixture
def make_sample() -> Callable[..., Sample]:
    def make(
        item_id: str = "I1",
        verdicts: tuple[str, ...] = ("acceptable",),
        bands: tuple[str, ...] = ("low",),
        critical: bool = False,
        family: str = "acme",
        points: tuple[str, ...] = ("mutual waiver",),
    ) -> Sample:
        reference = Reference(
            version="1.1/1-abc",
            verdicts={Verdict(v): f"if {v}" for v in verdicts},
            bands={Band(b): f"if {b}" for b in bands},
            positions={p: Level(level) for p, level in SILENT.items()},
            kinds=("cap",),
            critical=critical,
            points=points,
            evidence=(),
            reason="because",
            uncertainty=None,
            agreed=True,
            ruling="both agree",
            source="adjudication",
            annotators=("A", "B"),
            adjudicated_at="2026-01-01",
        )
        return Sample(item_id, "Agreement", 0, 10, "0" * 64, family, (), "unknown", "unknown", "unknown", reference)

    return make


@pytest.fixture
def make_result() -> Callable[..., AuditResult]:
    def make(
        verdict: str = "acceptable", cause: str = "none", chunk: str | None = "c1", score: float = 0.9
    ) -> AuditResult:
        answered = verdict in ("acceptable", "risky", "off-standard")
        citation = Citation(chunk, "Other agreement", 0, 5, "words") if answered and chunk else None
        faithfulness = Faithfulness((ClaimCheck("a claim", cause == "none", "clause"),)) if answered else None
        return AuditResult(
            verdict=Verdict(verdict),
            reason="a claim",
            citation=citation,
            positions={},
            gate1_score=score,
            gate1_threshold=0.5,
            faithfulness=faithfulness,
            failure_cause=FailureCause(cause),
            auditor=RULES,
            judge=LEXICAL,
        )

    return make


def opinion(item_id: str = "I1", **changes: Any) -> dict[str, Any]:
    """The part that an annotation and an adjudication share."""
    return {
        "item_id": item_id,
        "kinds": ["damages-waiver"],
        "positions": {"P1": "meets", "P2": "silent", "P3": "silent", "P4": "meets", "P5": "meets", "P6": "silent"},
        "verdict": "acceptable",
        "allowed_verdicts": [{"verdict": "acceptable", "condition": "on the words"}],
        "risk_band": "low",
        "allowed_bands": [{"band": "low", "condition": "on the words"}],
        "critical": False,
        "evidence": [[10, 20]],
        "must_mention": ["mutual waiver"],
        "reason": "A mutual waiver of indirect loss.",
        "uncertainty": None,
    } | changes


def annotation(item_id: str = "I1", annotator: str = "A", **changes: Any) -> dict[str, Any]:
    return opinion(item_id) | {"annotator": annotator, "labelled_at": "2026-01-01"} | changes


def adjudication(item_id: str = "I1", **changes: Any) -> dict[str, Any]:
    cited = {"verdict": "acceptable", "risk_band": "low"}
    return (
        opinion(item_id)
        | {
            "opinions": {"A": cited, "B": cited},
            "agreed": True,
            "ruling": "both agree",
            "adjudicated_at": "2026-01-02",
            "rubric_version": "1.1",
        }
        | changes
    )


def item(item_id: str = "I1", **changes: Any) -> dict[str, Any]:
    return {
        "item_id": item_id,
        "title": f"Agreement {item_id}",
        "start": 10,
        "end": 90,
        "sha256": "a" * 64,
        "family": f"family-{item_id}",
        "categories": ["Cap On Liability"],
    } | changes


def write_lines(path: Path, rows: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture
def label_rows() -> dict[str, Callable[..., dict[str, Any]]]:
    return {"item": item, "annotation": annotation, "adjudication": adjudication}


@pytest.fixture
def label_folder(tmp_path: Path) -> Path:
    """Two items, two annotators, two rulings."""
    folder = tmp_path / "labels"
    write_lines(folder / "items.jsonl", [item("I1"), item("I2")])
    for annotator in "AB":
        rows = [annotation("I1", annotator), annotation("I2", annotator)]
        write_lines(folder / f"annotations_{annotator}.jsonl", rows)
    write_lines(folder / "adjudications.jsonl", [adjudication("I1"), adjudication("I2")])
    return folder
