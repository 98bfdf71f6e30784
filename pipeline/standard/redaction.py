"""Words that a filing has blacked out."""

from __future__ import annotations

from pipeline.standard.grammar import Pattern, any_of
from pipeline.standard.text import Span

REDACTION = Pattern(
    "redaction",
    any_of(
        r"\[\s*(?:\*[ *]*|\.{2,}|-+|x{2,}|redacted|omitted|confidential[^\]]{0,30}|intentionally [^\]]{0,20})?\s*\]",
        r"\*{2,}",
        r"\(\*+\)",
    ),
)


def redactions(text: str, span: Span | None = None) -> list[Span]:
    """Every redaction mark in ``span``."""
    return [Span(*match.span()) for match in REDACTION.all(text, span)]
