"""citations-clean: every citation valid, R1, R2. Score = valid / total × 100, pass at 100.

Form: Markdown with front matter, ``form`` as the goal record says (``audit-memo`` by default). For an
audit memo the record of audits is compared as well (``attest_response``).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pipeline.base.errors import CuadAuditError
from pipeline.verification.attest import attest, item_of
from pipeline.verification.document import Document
from pipeline.verification.gate import ATTEST, REVIEW, UNIT, Use
from pipeline.verification.goal import PipelineSource
from pipeline.verification.index_source import read_columns
from pipeline.verification.profiles.base import (
    Context,
    Examined,
    extracted,
    hidden,
    quoted_headings,
    read_markdown,
    run_gate,
    sections,
    uncited,
)
from pipeline.verification.score import Part
from pipeline.verification.verdict import Observed, Severity, Status

AUDIT_MEMO = "audit-memo"


def uses_of(document: Document) -> list[Use]:
    """Every statement as a use: with its citations, and inside an item's section with that item."""
    return [
        Use(s.text, s.citations, s.place, item_of(s), s.quotes, s.open_marks)
        for s in document.statements
        if s.citations or s.quotes or s.open_marks
    ]


def examine(text: str, context: Context) -> Examined:
    settings = context.goal.settings
    document = read_markdown(text, settings.form)
    gate = run_gate(uses_of(document), context)
    observed = [*hidden(document), *quoted_headings(document), *extracted(gate, context), *gate.observed]
    observed += sections(document, settings.required)
    loose = uncited(document, settings.cited)
    observed += loose or [Observed(Status.PASS, REVIEW, "artifact", "every statement that needs a citation has one")]
    undone = []
    if settings.form == AUDIT_MEMO and ATTEST in context.goal.record.evaluator.checks:
        attested = _attested(document, context)
        undone = [o.check for o in attested if not o.executed]
        observed += attested
    allowed = context.goal.record.success_condition.allow_no_citations
    return Examined(observed, [Part(UNIT, 1.0, gate.valid, gate.total, allowed)], gate, critical_undone=undone)


def _attested(document: Document, context: Context) -> list[Observed]:
    source = next((s for s in context.goal.record.sources if isinstance(s, PipelineSource)), None)
    try:
        if source is None:
            raise CuadAuditError("no pipeline source in the goal record", "name one")
        from pipeline.base.records import read_jsonl

        audits = read_jsonl(context.root / source.audits)
        outcomes = _outcomes(context.root / context.goal.settings.outcomes) if context.goal.settings.outcomes else None
        return attest(document, audits, outcomes)
    except (CuadAuditError, KeyError, TypeError, ValueError, AttributeError, OSError) as error:
        said = error.problem if isinstance(error, CuadAuditError) else f"{type(error).__name__} {error}"
        detail = f"the memo could not be compared with the record of audits: {said}"
        return [Observed(Status.WARN, ATTEST, "memo", detail, "", Severity.HIGH, executed=False)]


def _outcomes(path: Path) -> list[dict[str, Any]]:
    columns = ["item_id", "outcome", "verdict", "band", "failure_cause"]
    if not path.is_file():
        raise CuadAuditError(f"{path}: no such file", "derive it")
    return [dict(zip(columns, row, strict=True)) for row in zip(*read_columns(path, columns), strict=True)]
