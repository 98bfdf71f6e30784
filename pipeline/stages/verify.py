"""Stage verify: the verdict engine on the audit memo that ``report`` wrote.

Every citation and quotation is checked against chunks, clauses and the standard; the memo is compared
with the record of audits. Writes the verdict (data/verify/, not in git: it quotes the memo) and counts
(metrics/verify.json). A memo that does not pass fails the stage, after both are written; where a threshold
leaves no clause answered there is no statement to verify: that is no pass, and a result to track all the same.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

from pipeline.base import records
from pipeline.base.errors import CuadAuditError, run
from pipeline.verification.engine import Evaluation, evaluate
from pipeline.verification.goal import load_goal
from pipeline.verification.identity import Refused
from pipeline.verification.verdict import Status, fails, to_json, to_yaml

READS: tuple[str, ...] = ()
GOAL = Path("conf/goals/audit-memo.yaml")
OUT = Path("data/verify")
OUTCOMES = Path("data/verdicts/outcomes.parquet")
METRICS = Path("metrics/verify.json")
#: Checks that the counts always name, zeros included.
CHECKS = (
    "R1",
    "R2",
    "attest_response",
    "citation-content-verify",
    "extract_citations",
    "privacy-precheck",
    "review_citations",
    "schema",
    "structure",
    "validate_citation",
)


def metrics(evaluation: Evaluation) -> dict[str, Any]:
    """Counts of the verdict, all of them declared."""
    verdict = evaluation.verdict
    by_check = Counter((f.check, f.status) for f in verdict.findings)
    names = sorted({*CHECKS, *(check for check, _ in by_check)})
    return {
        "pass": verdict.passed,
        "score": verdict.score,
        "delivery_blocked": evaluation.delivery_blocked,
        "reduced_mode": evaluation.reduced,
        "residual_count": verdict.residual_count,
        "citations": {"n": evaluation.citations, **{k.lower(): v for k, v in evaluation.outcomes.items()}},
        "quotations": evaluation.quotations,
        "findings": {status.value.lower(): sum(f.status is status for f in verdict.findings) for status in Status},
        "checks": {name: {s.value.lower(): by_check[name, s] for s in Status} for name in names},
    }


def main() -> int:
    try:
        evaluation = evaluate(load_goal(GOAL), Path())
    except Refused as refused:
        print(refused, file=sys.stderr)
        return refused.exit_code
    with records.atomic_folder(OUT) as out:
        records.write_text(out / "verdict.yaml", to_yaml(evaluation.verdict))
        records.write_text(out / "verdict.json", to_json(evaluation.verdict))
    records.write_json(METRICS, metrics(evaluation))
    verdict = evaluation.verdict
    print(f"verify: {verdict.summary}", file=sys.stderr)
    if not verdict.passed and not silent(OUTCOMES):
        first = next(iter(fails(verdict.findings)), None)
        where = f"{first.location}: {first.detail}" if first else verdict.summary
        raise CuadAuditError(
            f"{GOAL}: the memo does not pass ({verdict.residual_count} FAIL); {where}",
            f"see {OUT / 'verdict.yaml'}, mend what made the memo, and run `dvc repro`",
        )
    return 0


def silent(outcomes: Path) -> bool:
    """Whether the run answered no clause at all, by its own record."""
    return outcomes.exists() and "answered" not in records.read_columns(outcomes, ["outcome"])["outcome"]


if __name__ == "__main__":
    run(main)
