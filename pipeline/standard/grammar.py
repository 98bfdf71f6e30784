"""Named patterns: the smallest unit of the grammar, each with a name, a text and tests of its own.

Convention: a pattern is a regular expression over ``Clause.norm`` and is searched within one
sentence, where a stop is a decimal point or an abbreviation and ends nothing. Every pattern
registers itself under its name, so that a test can demand an example and a counter-example of each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from pipeline.standard.text import Span

#: Stands in for text that is masked out: it is no word, no space and no punctuation of a clause.
MASK = "\x1f"
PATTERNS: dict[str, Pattern] = {}


@dataclass(frozen=True)
class Pattern:
    """A named regular expression; ``search`` and ``all`` look only inside ``span`` if one is given.

    It is compiled when it is first looked for: whoever wants the standard alone does not wait for all."""

    name: str
    expression: str

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return re.compile(self.expression)

    def __post_init__(self) -> None:
        if self.name in PATTERNS:
            raise ValueError(f"two patterns are named {self.name}")
        PATTERNS[self.name] = self

    def search(self, text: str, span: Span | None = None) -> re.Match[str] | None:
        return self.compiled.search(text, *bounds(text, span))

    def all(self, text: str, span: Span | None = None) -> Iterator[re.Match[str]]:
        return self.compiled.finditer(text, *bounds(text, span))

    def found(self, text: str, span: Span | None = None) -> bool:
        return self.search(text, span) is not None


def any_of(*alternatives: str) -> str:
    """One expression out of several, tried in order."""
    return "|".join(alternatives)


def bounds(text: str, span: Span | None) -> tuple[int, int]:
    return (span.start, span.end) if span else (0, len(text))


def first(patterns: Sequence[Pattern], text: str, span: Span | None = None) -> re.Match[str] | None:
    """The leftmost match of any pattern; of two that start together the earlier pattern's."""
    matches = [match for pattern in patterns if (match := pattern.search(text, span))]
    return min(matches, key=lambda match: match.start(), default=None)


def every(patterns: Sequence[Pattern], text: str, span: Span | None = None) -> list[re.Match[str]]:
    """All matches from left to right, none overlapping one before it."""
    matches = sorted((m for p in patterns for m in p.all(text, span)), key=lambda match: match.start())
    kept: list[re.Match[str]] = []
    for match in matches:
        if not kept or match.start() >= kept[-1].end():
            kept.append(match)
    return kept


def span_of(match: re.Match[str], group: str | int = 0) -> Span:
    return Span(*match.span(group))


def mask(text: str, spans: Sequence[Span]) -> str:
    """``text`` with every span blanked out, so that offsets stay. What stands in brackets becomes
    spaces, so that the sentence around it reads on."""
    characters = list(text)
    for span in spans:
        bracketed = text[span.start - 1 : span.start] == "(" and text[span.end : span.end + 1] == ")"
        characters[span.start : span.end] = (" " if bracketed else MASK) * (span.end - span.start)
    return "".join(characters)
