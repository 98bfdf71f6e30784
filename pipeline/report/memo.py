"""The audit memo: what the audits found, each sentence with the text that it rests on.

Form (Markdown with front matter, ``form: audit-memo``): one section an answered clause with its verdict
and one bullet a claim, which ends in its citation: ``[clause:ITEM]`` the audited clause,
``[standard:liability]`` the standard, ``[chunk:ID]`` a retrieved chunk. Abstentions follow with their
causes and cite nothing. The verdict engine checks every citation and quotation of it (stage verify).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import yaml

Row = Mapping[str, Any]
NOTICE = (
    "This memo was written by a program for a study. The labels it is measured against come from "
    "language-model passes, not lawyers. Nothing in it is legal advice."
)


def citation(against: str, item_id: str, clause_type: str = "liability") -> str:
    """``clause``, ``standard`` or a chunk id as the memo cites it."""
    if against == "clause":
        return f"[clause:{item_id}]"
    if against == "standard":
        return f"[standard:{clause_type}]"
    return f"[chunk:{against}]"


def finding(outcome: Row, claims: Iterable[Row]) -> list[str]:
    """One answered clause: heading, verdict, a bullet a claim."""
    heading = f"### {outcome['item_id']}: {outcome['title']} [{outcome['start']}, {outcome['end']}]"
    verdict = f"Verdict: **{outcome['verdict']}** (band {outcome['band']})."
    bullets = [
        f"- {' '.join(claim['text'].split())} {citation(claim['against'], outcome['item_id'])}" for claim in claims
    ]
    return [heading, "", verdict, "", *bullets, ""]


def memo(outcomes: Sequence[Row], recorded: Sequence[Row], front: Mapping[str, Any]) -> str:
    """The whole memo. ``outcomes`` are rows of outcomes.parquet, ``recorded`` of verdicts.jsonl."""
    claims = {row["item_id"]: (row["answer"] or {}).get("claims", []) for row in recorded}
    answered = [row for row in outcomes if row["outcome"] == "answered"]
    silent = [row for row in outcomes if row["outcome"] != "answered"]
    lines = ["---", yaml.safe_dump({"form": "audit-memo", **front}, sort_keys=True).strip(), "---", ""]
    lines += ["# Audit memo", "", NOTICE, "", "## Summary", ""]
    lines += [f"{len(outcomes)} clauses were audited: {len(answered)} answered, {len(silent)} not.", ""]
    lines += ["## Findings", ""]
    for row in answered:
        lines += finding(row, claims[row["item_id"]])
    lines += ["## Not answered", ""]
    lines += [f"- {row['item_id']}: {row['verdict']}, cause {row['failure_cause']}." for row in silent] or ["- none"]
    return "\n".join(lines) + "\n"
