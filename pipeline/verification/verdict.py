"""The verdict of the engine: its nine fields, its findings, and how both are written.

Convention: a finding says what was checked (``check``: the name of the tool), where (``location``: a
line, a field or an id), what came out (``status``) and what that rests on (``evidence``); a verdict
never says how to reach a better score. ``Observed`` is a finding before it is numbered, with what the
score needs and the verdict does not show.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

#: Longest text that a finding carries; what is longer is cut and says so.
TEXT_LIMIT = 600


class Status(StrEnum):
    PASS = "PASS"
    FAIL = "FAIL"
    WARN = "WARN"


class Severity(StrEnum):
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


@dataclass(frozen=True, slots=True)
class Observed:
    """One observation. ``unit`` names what the profile's score counts (``citation``, ``section``, …;
    empty: the finding counts beside the score), ``action`` is what a worker has to do about a FAIL,
    ``executed`` is false where the check could not run and only the form was looked at."""

    status: Status
    check: str
    location: str
    detail: str
    evidence: str = ""
    severity: Severity = Severity.MEDIUM
    unit: str = ""
    action: str = ""
    executed: bool = True


@dataclass(frozen=True, slots=True)
class Finding:
    id: str
    status: Status
    check: str
    location: str
    detail: str
    evidence: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """``passed`` is written as ``pass``; ``residual_count`` is the number of FAIL findings."""

    passed: bool
    score: float
    iteration: int
    evaluator_role: str
    worker_role: str
    goal_id: str
    findings: tuple[Finding, ...]
    summary: str
    residual_count: int


def clip(text: str, limit: int = TEXT_LIMIT) -> str:
    """One line of at most ``limit`` characters, free of control characters."""
    line = " ".join(text[: 4 * limit].split())
    line = "".join(c if c.isprintable() else " " for c in line)
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def number(observed: Iterable[Observed]) -> tuple[Finding, ...]:
    """Findings F-001, F-002, … in the order in which they were observed."""
    return tuple(
        Finding(f"F-{index:03d}", o.status, o.check, clip(o.location, 200), clip(o.detail), clip(o.evidence))
        for index, o in enumerate(observed, start=1)
    )


def fails(findings: Iterable[Finding | Observed]) -> list[Any]:
    return [finding for finding in findings if finding.status is Status.FAIL]


def as_dict(verdict: Verdict) -> dict[str, Any]:
    """Plain values under the nine names, in their order."""
    findings = [
        {
            "id": f.id,
            "status": f.status.value,
            "check": f.check,
            "location": f.location,
            "detail": f.detail,
            "evidence": f.evidence,
        }
        for f in verdict.findings
    ]
    return {
        "pass": verdict.passed,
        "score": verdict.score,
        "iteration": verdict.iteration,
        "evaluator_role": verdict.evaluator_role,
        "worker_role": verdict.worker_role,
        "goal_id": verdict.goal_id,
        "findings": findings,
        "summary": verdict.summary,
        "residual_count": verdict.residual_count,
    }


def to_yaml(verdict: Verdict) -> str:
    import yaml

    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    return yaml.dump(as_dict(verdict), Dumper=dumper, sort_keys=False, allow_unicode=True, width=110)


def to_json(verdict: Verdict) -> str:
    import json

    return json.dumps(as_dict(verdict), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def feedback(verdict: Verdict, observed: Sequence[Observed]) -> str:
    """What a worker is told: the FAIL findings with the action required, and nothing else.

    ``observed`` are the observations that ``verdict.findings`` were numbered from, in the same order.
    """
    blocks = []
    for finding, seen in zip(verdict.findings, observed, strict=True):
        if finding.status is Status.FAIL:
            action = seen.action or "Mend what the finding names, or take the statement back."
            blocks.append(
                f"FAIL {finding.id}: {finding.detail} (at {finding.location})\n"
                f"Check: {finding.check}\nAction required: {action}\n"
            )
    return "\n".join(blocks)


def weaker(observed: Observed, note: str) -> Observed:
    """A PASS or FAIL that was looked at by its form only."""
    return replace(observed, detail=f"{observed.detail} {note}", executed=False)
