"""Recorded audits turned into outcome rows: thresholds are applied here, and nothing is asked again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pipeline.base.errors import CuadAuditError
from pipeline.base.types import AuditResult, Chunk
from pipeline.evaluation.labels import Sample
from pipeline.evaluation.outcomes import OutcomeRow, outcome_row
from pipeline.grounding.rows import result_of

#: Gate 1 open: every score passes.
OPEN = float("-inf")
LookUp = Callable[[str], Chunk | None]


def decided(
    samples: Sequence[Sample],
    rows: Sequence[Mapping[str, Any]],
    clauses: Mapping[str, str],
    chunk: LookUp,
    score: str,
    threshold: float,
) -> dict[str, AuditResult]:
    """The result of every sample at ``threshold``, by item, in the order of the samples.

    ``rows`` are those of data/verdicts/verdicts.jsonl, ``chunk`` looks the library up by chunk id. A
    sample without its row, or a row without its sample, is an error: nothing is left out silently.
    """
    by_item = {row["item_id"]: row for row in rows}
    labelled = {sample.item_id for sample in samples}
    if by_item.keys() != labelled:
        odd = sorted(by_item.keys() ^ labelled)
        raise CuadAuditError(
            f"labels and recorded verdicts differ in {len(odd)} items ({odd[0]})", "run `dvc repro collect_verdicts`"
        )
    return {
        sample.item_id: result_of(by_item[sample.item_id], clauses[sample.item_id], score, threshold, chunk)
        for sample in samples
    }


def outcome_rows(
    samples: Sequence[Sample],
    rows: Sequence[Mapping[str, Any]],
    clauses: Mapping[str, str],
    chunks: Mapping[str, Chunk],
    contracts: Mapping[str, str],
    score: str,
    threshold: float,
) -> list[OutcomeRow]:
    """One outcome a sample, in the order of the samples; ``contracts``: title to text."""
    results, opened = (decided(samples, rows, clauses, chunks.get, score, at) for at in (threshold, OPEN))
    by_item = {row["item_id"]: row for row in rows}
    return [
        _outcome(sample, by_item[sample.item_id], results[sample.item_id], opened[sample.item_id], chunks, contracts)
        for sample in samples
    ]


def asks_a_model(row: Mapping[str, Any]) -> bool:
    """Whether the auditor or the judge of a recorded audit is a model, and not embedded code."""
    return any(row[agent]["model"] for agent in ("auditor", "judge"))


def measured_latency(row: Mapping[str, Any]) -> float | None:
    """Seconds of the model calls; None out of a batch, and where no model is asked: the time of embedded
    code is not recorded, because it would differ on every run."""
    return row["latency_s"] if asks_a_model(row) else None


def _outcome(
    sample: Sample,
    row: Mapping[str, Any],
    result: AuditResult,
    opened: AuditResult,
    chunks: Mapping[str, Chunk],
    contracts: Mapping[str, str],
) -> OutcomeRow:
    answer = row["answer"] or {"verdict": "", "positions": {}}
    return outcome_row(
        sample,
        result,
        opened,
        {item["chunk_id"]: chunks[item["chunk_id"]].family for item in row["evidence"]},
        contracts,
        auditor_verdict=answer["verdict"],
        auditor_levels={name: reading["level"] for name, reading in answer["positions"].items()},
        latency_s=measured_latency(row),
    )
