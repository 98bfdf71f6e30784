"""Counts of what happened, every declared category present, zeros included.

Convention: ``n`` counts items; a category that did not occur counts 0 and is never left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from pipeline.base.types import AUDITOR_VERDICTS, POSITIONS, Band, FailureCause, Verdict
from pipeline.evaluation.outcomes import PUBLISHED_GROUPS, Outcome, OutcomeRow, is_abstention
from pipeline.standard.measure import macro_f1

#: What a critical item can be called.
CRITICAL_CALLS = (*(band.value for band in reversed(Band)), "abstained", "infra")


def counted(values: Iterable[str], declared: Iterable[str]) -> dict[str, int]:
    """How often each declared value occurs; an undeclared value is a programming error."""
    counts = Counter(str(value) for value in values)
    table = {str(name): counts.pop(str(name), 0) for name in declared}
    if counts:
        raise ValueError(f"undeclared categories: {sorted(counts)}")
    return table


def outcome_counts(rows: Sequence[OutcomeRow]) -> dict[str, int]:
    return {"n": len(rows), **counted((row.outcome for row in rows), Outcome)}


def verdict_counts(rows: Sequence[OutcomeRow]) -> dict[str, int]:
    return counted((row.verdict for row in rows), Verdict)


def failure_taxonomy(rows: Sequence[OutcomeRow]) -> dict[str, int]:
    """How often each declared cause occurs."""
    return counted((row.failure_cause for row in rows), FailureCause)


def abstentions_by_cause(rows: Sequence[OutcomeRow]) -> dict[str, dict[str, int]]:
    """Justified and unjustified abstentions under every cause that is an abstention."""
    causes = [cause for cause in FailureCause if cause is not FailureCause.NONE and not cause.is_infra]
    return {
        kind: counted((row.failure_cause for row in rows if row.outcome == outcome), causes)
        for kind, outcome in (
            ("justified", Outcome.JUSTIFIED_ABSTENTION),
            ("unjustified", Outcome.UNJUSTIFIED_ABSTENTION),
        )
    }


def unjustified_by_group(rows: Sequence[OutcomeRow]) -> dict[str, int]:
    """Unjustified abstentions by gate 1, gate 2 and auditor: the groups of earlier published work."""
    causes = [row.failure_cause for row in rows if row.outcome == Outcome.UNJUSTIFIED_ABSTENTION]
    groups = {name: sum(cause in group for cause in causes) for name, group in PUBLISHED_GROUPS.items()}
    if sum(groups.values()) != len(causes):
        raise ValueError("an unjustified abstention has a cause outside the groups")
    return groups


def confusion(rows: Sequence[OutcomeRow]) -> dict[str, dict[str, int]]:
    """Preferred verdict of the reference by verdict given."""
    return {
        reference.value: counted((row.verdict for row in rows if row.reference_verdict == reference), Verdict)
        for reference in AUDITOR_VERDICTS
    }


def critical_counts(rows: Sequence[OutcomeRow]) -> dict[str, int]:
    """What the critical items were called."""
    critical = [row for row in rows if row.critical]
    return {"n": len(critical), **counted((row.critical_called for row in critical), CRITICAL_CALLS)}


def position_counts(rows: Sequence[OutcomeRow], references: dict[str, dict[str, str]]) -> dict[str, dict[str, Any]]:
    """Per position: the auditor's level against the reference's, ``{"n", "right", "macro_f1", "confusion"}``.

    ``references`` maps item id to the reference's levels; items without an auditor's answer are left out.
    Macro-F1 is the unweighted mean over the levels that occur in the reference; None without items.
    """
    levels = ("meets", "departs", "off", "silent", "fails")
    tables: dict[str, dict[str, Any]] = {}
    read = [(references[row.item_id], _levels(row)) for row in rows if row.levels]
    for position in POSITIONS:
        pairs = Counter((reference[position], given.get(position, "?")) for reference, given in read)
        tables[position] = {
            "n": len(read),
            "right": sum(count for (expected, given), count in pairs.items() if expected == given),
            "macro_f1": macro_f1(pairs) if pairs else None,
            "confusion": {e: {g: pairs[e, g] for g in (*levels, "?") if pairs[e, g]} for e in levels},
        }
    return tables


def published_shape(rows: Sequence[OutcomeRow]) -> dict[str, Any]:
    """The table of earlier published work, in counts. ``adversarial_held`` is filled in by the review."""
    answered = [row for row in rows if row.outcome == Outcome.ANSWERED]
    cited = [row for row in rows if row.citation_valid is not None]
    return {
        "n": len(rows),
        "non_abstained": len(answered),
        "justified_abstention": sum(row.outcome == Outcome.JUSTIFIED_ABSTENTION for row in rows),
        "unjustified_abstention": unjustified_by_group(rows) | {"total": sum(map(_unjustified, rows))},
        "infra": sum(row.outcome == Outcome.INFRA for row in rows),
        "exact_matches": {"n": len(answered), "count": sum(bool(row.verdict_preferred) for row in answered)},
        "allowed_matches": {"n": len(answered), "count": sum(bool(row.verdict_allowed) for row in answered)},
        "citations_valid": {"n": len(cited), "count": sum(bool(row.citation_valid) for row in cited)},
        "adversarial_held": None,
    }


def hallucinations(rows: Sequence[OutcomeRow]) -> int:
    """Reasons that gate 2 found unfaithful; counted whether or not abstaining was right for the item."""
    return sum(row.failure_cause == FailureCause.GATE2_UNFAITHFUL for row in rows if is_abstention(row))


def _unjustified(row: OutcomeRow) -> bool:
    return row.outcome == Outcome.UNJUSTIFIED_ABSTENTION


def _levels(row: OutcomeRow) -> dict[str, str]:
    return dict(pair.split("=", 1) for pair in row.levels.split())
