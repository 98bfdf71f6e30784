"""Recorded audits turned into outcome rows: thresholds are applied here, and nothing is asked again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pipeline.base.errors import CuadAuditError
from pipeline.base.types import AuditResult, Chunk
from pipeline.evaluation.labels import LabelSet, Sample
from pipeline.evaluation.outcomes import OutcomeRow, outcome_row
from pipeline.grounding.rows import result_of

#: Gate 1 open: every score passes.
OPEN = float("-inf")


@dataclass(frozen=True)
class Recorded:
    """Labelled clauses and what was recorded of them, with the thresholds in force.

    ``rows`` are those of data/verdicts/verdicts.jsonl, ``contracts`` title to text, ``clauses`` item to
    text, ``chunks`` the library by chunk id, ``score`` the kind of evidence score that gate 1 looks at.
    """

    labels: LabelSet
    rows: Sequence[Mapping[str, Any]]
    contracts: Mapping[str, str]
    clauses: Mapping[str, str]
    chunks: Mapping[str, Chunk]
    score: str
    threshold: float

    @cached_property
    def by_item(self) -> dict[str, Mapping[str, Any]]:
        """The row of every sample; one without the other is an error: nothing is left out silently."""
        rows = {row["item_id"]: row for row in self.rows}
        labelled = {sample.item_id for sample in self.labels.samples}
        if odd := sorted(rows.keys() ^ labelled):
            raise CuadAuditError(
                f"labels and recorded verdicts differ in {len(odd)} items ({odd[0]})",
                "run `dvc repro collect_verdicts`",
            )
        return rows

    @cached_property
    def results(self) -> dict[str, AuditResult]:
        """The result of every sample at ``threshold``, by item, in the order of the samples."""
        return self.decided(self.threshold)

    def decided(self, threshold: float) -> dict[str, AuditResult]:
        return {
            sample.item_id: result_of(
                self.by_item[sample.item_id], self.clauses[sample.item_id], self.score, threshold, self.chunks.get
            )
            for sample in self.labels.samples
        }


def outcome_rows(given: Recorded) -> list[OutcomeRow]:
    """One outcome a sample, in the order of the samples."""
    opened = given.decided(OPEN)
    return [_outcome(given, sample, opened[sample.item_id]) for sample in given.labels.samples]


def asks_a_model(row: Mapping[str, Any]) -> bool:
    """Whether the auditor or the judge of a recorded audit is a model, and not embedded code."""
    return any(row[agent]["model"] for agent in ("auditor", "judge"))


def measured_latency(row: Mapping[str, Any]) -> float | None:
    """Seconds of the model calls; None out of a batch, and where no model is asked: the time of embedded
    code is not recorded, because it would differ on every run."""
    return row["latency_s"] if asks_a_model(row) else None


def _outcome(given: Recorded, sample: Sample, opened: AuditResult) -> OutcomeRow:
    row = given.by_item[sample.item_id]
    answer = row["answer"] or {"verdict": "", "positions": {}}
    return outcome_row(
        sample,
        given.results[sample.item_id],
        opened,
        {item["chunk_id"]: given.chunks[item["chunk_id"]].family for item in row["evidence"]},
        given.contracts,
        auditor_verdict=answer["verdict"],
        auditor_levels={name: reading["level"] for name, reading in answer["positions"].items()},
        latency_s=measured_latency(row),
    )
