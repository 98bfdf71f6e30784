"""Recorded audits: everything that ``decide`` needs, kept as one JSON object, thresholds left out.

A row of ``data/verdicts/verdicts.jsonl`` holds, for one labelled clause:
``item_id``, ``title``, ``start``, ``end``, ``sha256``, ``family``, ``categories``:
which clause; ``clause_type``: the standard it is held against;
``evidence`` [{``chunk_id``, ``score``, ``rank``}]: what was retrieved, best first;
``gate1`` {score kind: score}: under every kind, so that a changed one costs nothing;
``answer`` or ``answer_failure`` {``cause``, ``detail``}: what the auditor said, or why it could not;
``faithfulness`` or ``faithfulness_failure``: the same of the judge; both null where no judge is needed
(:func:`pipeline.grounding.contract.needs_judge`);
``auditor``, ``judge``: their identities;
``usage`` and ``latency_s``: of the model calls that made these answers, the same on every rerun; zero
where no model is asked; ``latency_s`` is null where an answer came out of a batch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pipeline.base.errors import CuadAuditError
from pipeline.base.records import from_dict, to_dict
from pipeline.base.types import (
    AuditorAnswer,
    AuditResult,
    Chunk,
    Evidence,
    FailureCause,
    Faithfulness,
    Identity,
    Usage,
)
from pipeline.grounding.agents import Meter
from pipeline.grounding.contract import decide
from pipeline.grounding.limits import CLAUSE_TYPE
from pipeline.llm.request import LlmFailure


def to_row(
    item: Mapping[str, Any],
    evidence: Sequence[Evidence],
    gate1: Mapping[str, float],
    answer: AuditorAnswer | LlmFailure,
    faithfulness: Faithfulness | LlmFailure | None,
    auditor: Identity,
    judge: Identity,
    meter: Meter,
    clause_type: str = CLAUSE_TYPE,
) -> dict[str, Any]:
    """The row of one audit; ``item`` names the clause."""
    named = ("item_id", "title", "start", "end", "sha256", "family", "categories")
    return {
        **{name: item[name] for name in named},
        "clause_type": clause_type,
        "evidence": [{"chunk_id": e.chunk.chunk_id, "score": e.score, "rank": e.rank} for e in evidence],
        "gate1": dict(gate1),
        "answer": to_dict(answer) if isinstance(answer, AuditorAnswer) else None,
        "answer_failure": _failure(answer),
        "faithfulness": to_dict(faithfulness) if isinstance(faithfulness, Faithfulness) else None,
        "faithfulness_failure": _failure(faithfulness),
        "auditor": to_dict(auditor),
        "judge": to_dict(judge),
        "usage": to_dict(meter.usage),
        "latency_s": meter.seconds,
    }


def inputs_of(row: Mapping[str, Any], clause: str, score: str, chunk: Callable[[str], Chunk | None]) -> dict[str, Any]:
    """The arguments of ``decide`` for a recorded row, all but ``gate1_threshold``.

    ``clause`` is its text, ``score`` the kind of gate-1 score, ``chunk`` looks evidence up by id (as
    ``Library.chunk`` does).
    """
    evidence = []
    for item in row["evidence"]:
        found = chunk(item["chunk_id"])
        if found is None:
            raise CuadAuditError(
                f"{row['item_id']}: evidence {item['chunk_id']} is not in the index",
                "run `dvc repro`, so that verdicts and index are of one making",
            )
        evidence.append(Evidence(found, item["score"], item["rank"]))
    if score not in row["gate1"]:
        raise CuadAuditError(f"{row['item_id']}: no gate-1 score {score!r}", f"choose one of {sorted(row['gate1'])}")
    return {
        "clause": clause,
        "evidence": evidence,
        "gate1_score": row["gate1"][score],
        "answer": _read(AuditorAnswer, row["answer"], row["answer_failure"]),
        "faithfulness": _read(Faithfulness, row["faithfulness"], row["faithfulness_failure"]),
        "auditor": from_dict(Identity, row["auditor"]),
        "judge": from_dict(Identity, row["judge"]),
        "usage": from_dict(Usage, row["usage"]),
        "clause_type": row.get("clause_type", CLAUSE_TYPE),
    }


def result_of(
    row: Mapping[str, Any], clause: str, score: str, threshold: float, chunk: Callable[[str], Chunk | None]
) -> AuditResult:
    """The result that the recorded audit has at ``threshold``."""
    return decide(gate1_threshold=threshold, **inputs_of(row, clause, score, chunk))


def _failure(value: object) -> dict[str, str] | None:
    return {"cause": value.cause.value, "detail": value.detail} if isinstance(value, LlmFailure) else None


def _read(record: type, value: Any, failure: Mapping[str, str] | None) -> Any:
    if failure is not None:
        return LlmFailure(FailureCause(failure["cause"]), failure["detail"])
    return None if value is None else from_dict(record, value)
