"""What commands share on the way out: JSON for pipes, colour for people at a terminal.

Text of contracts can hold terminal control sequences: what is shown to a person has everything that
does not print replaced.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from pipeline.base.types import AuditResult, Verdict

if TYPE_CHECKING:
    from rich.console import Console

VERDICT, ABSTAINED, INFRA = 0, 3, 4
_STYLE = {
    Verdict.ACCEPTABLE: "bold green",
    Verdict.RISKY: "bold yellow",
    Verdict.OFF_STANDARD: "bold red",
    Verdict.INSUFFICIENT_GROUNDING: "bold cyan",
    Verdict.ESCALATE_INFRA: "bold magenta",
}


def exit_code(result: AuditResult) -> int:
    if result.verdict is Verdict.ESCALATE_INFRA:
        return INFRA
    return ABSTAINED if result.verdict is Verdict.INSUFFICIENT_GROUNDING else VERDICT


def print_json(value: Any, lines: bool = False) -> None:
    """``lines``: one line without blanks around it, flushed, for JSONL."""
    print(json.dumps(value, ensure_ascii=False, indent=None if lines else 2), flush=lines)


def printable(text: str) -> str:
    return "".join(character if character.isprintable() or character in "\n\t" else "�" for character in text)


def console() -> Console:
    """A console that colours only at a terminal, obeys NO_COLOR, and leaves a closed pipe to ``errors.run``."""
    from rich import console

    class Console(console.Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return Console(file=sys.stdout, highlight=False, soft_wrap=not sys.stdout.isatty())


def show(result: AuditResult) -> None:
    """An audit for people."""
    from rich.text import Text

    out = console()
    out.print(Text(result.verdict.value, _STYLE[result.verdict]))
    out.print(Text(printable(result.reason)))
    if result.citation:
        cited = result.citation
        out.print(Text(f"\nevidence {cited.chunk_id}: {printable(cited.contract)} [{cited.start}:{cited.end}]", "bold"))
        out.print(Text(printable(" ".join(cited.text.split()))))
    if result.positions:
        out.print(Text("\npositions", "bold"))
        for name, reading in sorted(result.positions.items()):
            words = printable("; ".join(" ".join(words.split()) for words in reading.words))
            out.print(Text(f"  {name} {reading.level.value:8} {words}".rstrip()))
    unsupported = [item for item in result.faithfulness.claims if not item.supported] if result.faithfulness else []
    if unsupported:
        out.print(Text("\nnot supported", "bold"))
        for item in unsupported:
            out.print(Text(printable(f"  {item.claim} ({item.why})")))
    cause = f", cause {result.failure_cause.value}" if result.failure_cause.value != "none" else ""
    gate = f"gate 1 {result.gate1_score:.3f} against {result.gate1_threshold:.3f}"
    out.print(Text(f"\n{gate}{cause}; auditor {result.auditor.name}, judge {result.judge.name}", "dim"))
