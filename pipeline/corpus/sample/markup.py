"""The small template language of the sample corpus, and the marks that become offsets.

A template holds choices ``{shall|will|}`` (which nest), slots ``<name>`` (filled from a mapping;
a slot's value may be a template itself) and marks ``⟦label:words⟧`` (which nest). ``expand`` settles
choices and slots; ``strip_marks`` takes the marks out and returns where the marked words stand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from pipeline.corpus.sample.draws import Draws

_TOKEN = re.compile(r"([{}|]|<[A-Za-z0-9_]+>)")
_MARK = re.compile(r"⟦([^:⟦⟧]+):|⟧")
_MARK_PREFIX = re.compile(r"(?:⟦[^:⟦⟧]+:)*")
#: First words that lose their capital when something is put before the sentence.
_LOWERED = frozenset(
    (
        "A",
        "All",
        "An",
        "Any",
        "Each",
        "Either",
        "For",
        "If",
        "In",
        "It",
        "Liability",
        "Neither",
        "No",
        "None",
        "Nothing",
        "The",
        "Under",
    )
)


class Span(NamedTuple):
    """Marked words: ``text[start:end]`` carries ``label``."""

    label: str
    start: int
    end: int


class _Slot(NamedTuple):
    name: str


class _Choice(NamedTuple):
    options: tuple[tuple, ...]


@lru_cache(maxsize=4096)
def _parse(template: str) -> tuple:
    """The template as a tuple of strings, slots and choices; a lone brace is a ValueError."""
    stack: list[list[list]] = [[[]]]
    for token in _TOKEN.split(template):
        if not token:
            continue
        if token == "{":
            stack.append([[]])
        elif token == "|" and len(stack) > 1:
            stack[-1].append([])
        elif token == "}":
            if len(stack) == 1:
                raise ValueError(f"a brace closes nothing: {template!r}")
            options = tuple(tuple(option) for option in stack.pop())
            stack[-1][-1].append(_Choice(options))
        elif token[0] == "<":
            stack[-1][-1].append(_Slot(token[1:-1]))
        else:
            stack[-1][-1].append(token)
    if len(stack) > 1:
        raise ValueError(f"a brace is left open: {template!r}")
    return tuple(stack[0][0])


def expand(template: str, draws: Draws, slots: Mapping[str, str]) -> str:
    """Settle every choice by a draw and fill every slot; an unknown slot is a KeyError."""
    parts: list[str] = []
    _expand(_parse(template), draws, slots, parts)
    return "".join(parts)


def _expand(nodes: tuple, draws: Draws, slots: Mapping[str, str], parts: list[str]) -> None:
    for node in nodes:
        if isinstance(node, str):
            parts.append(node)
        elif isinstance(node, _Slot):
            value = slots[node.name]
            if "{" in value or "<" in value:
                _expand(_parse(value), draws, slots, parts)
            else:
                parts.append(value)
        else:
            _expand(draws.pick(node.options), draws, slots, parts)


def strip_marks(marked: str) -> tuple[str, list[Span]]:
    """The text without its marks, and the marked spans in the order in which they open."""
    parts: list[str] = []
    length = 0
    at = 0
    open_marks: list[int] = []
    spans: list[Span] = []
    for match in _MARK.finditer(marked):
        piece = marked[at : match.start()]
        parts.append(piece)
        length += len(piece)
        at = match.end()
        if match.group(1) is not None:
            open_marks.append(len(spans))
            spans.append(Span(match.group(1), length, length))
        else:
            index = open_marks.pop()
            spans[index] = spans[index]._replace(end=length)
    if open_marks:
        raise ValueError(f"a mark is left open: {marked!r}")
    parts.append(marked[at:])
    return "".join(parts), spans


def lower_first(sentence: str) -> str:
    """The sentence as it stands after a lead-in: a small first word loses its capital, a name keeps it."""
    prefix = _MARK_PREFIX.match(sentence).end()
    word = re.match(r"[A-Za-z]*", sentence[prefix:]).group()
    if word in _LOWERED:
        return sentence[:prefix] + sentence[prefix].lower() + sentence[prefix + 1 :]
    return sentence


def upper_first(sentence: str) -> str:
    """The sentence with a capital at its start, marks skipped."""
    prefix = _MARK_PREFIX.match(sentence).end()
    return sentence[:prefix] + sentence[prefix : prefix + 1].upper() + sentence[prefix + 1 :]
