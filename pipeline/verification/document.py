"""A Markdown artifact as the engine reads it: front matter, sections, and statements with their citations.

A *statement* is the unit that a citation supports: in a list item the words up to and with its
citations, in a paragraph the sentence that holds the citation (a citation behind the full stop belongs to
the sentence before it). What a reader of the page would not see (HTML, comments, link definitions,
invisible characters) or what is no prose (code) carries no citation and is reported as hidden.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pipeline.verification.grammar import BRACKETS, Citation, extract
from pipeline.verification.plainyaml import Malformed, read
from pipeline.verification.quotations import Quotation, masked, quotations, stray_marks

#: Direction marks and zero-width signs can hide or reorder words; these few occur in honest text.
_HARMLESS = {"\u00ad", "\ufeff"}
_END = re.compile(r"[.!?]+[\"”“»’)]*(?=\s+[^\sa-z])")
_ABBREVIATION = re.compile(
    r"(?:\b(?:Art|Abs|lit|Ziff|E|S|N|Nr|No|Nos|vgl|bzw|z\.B|d\.h|i\.V\.m|ff|f|al|let|consid|p|v|vs|Inc|Ltd|Corp|Co|Sec|"
    r"Dr|Mr|Mrs|Prof|St|U\.S|e\.g|i\.e|cf|et al|Rz|ca|usw|resp)|\b[A-Z]|\b\d{1,2})\.$"
)
_FRONT = re.compile(r"\A---[ \t]*\r?\n(?P<yaml>.*?)^---[ \t]*\r?$\n?", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Statement:
    """``text`` with its citations taken out; ``raw`` as it stands; ``line`` in the file, from 1."""

    text: str
    raw: str
    line: int
    section: tuple[str, ...]
    bullet: bool
    citations: tuple[Citation, ...]
    quotes: tuple[Quotation, ...]
    open_marks: int = 0

    @property
    def place(self) -> str:
        return f"line {self.line}"


@dataclass(frozen=True)
class Heading:
    level: int
    title: str
    line: int


@dataclass(frozen=True)
class Document:
    front: dict[str, Any]
    headings: tuple[Heading, ...]
    statements: tuple[Statement, ...]
    hidden: tuple[tuple[int, str], ...] = ()
    text: str = field(default="", repr=False)

    @property
    def citations(self) -> list[tuple[Statement, Citation]]:
        return [(statement, citation) for statement in self.statements for citation in statement.citations]

    def in_section(self, title: str) -> list[Statement]:
        wanted = title.casefold()
        return [s for s in self.statements if any(part.casefold() == wanted for part in s.section)]


def front_matter(text: str) -> tuple[dict[str, Any], str, int]:
    """The front matter, the rest, and how many lines stand before the rest; raises ``Malformed``."""
    match = _FRONT.match(text.removeprefix("\ufeff"))
    if not match:
        raise Malformed("no front matter: the text does not begin with --- and a closing ---")
    value = read(match["yaml"])
    if not isinstance(value, dict):
        raise Malformed("the front matter is not a mapping")
    body = text.removeprefix("\ufeff")[match.end() :]
    return value, body, match[0].count("\n")


def parse(text: str) -> Document:
    """Read a Markdown artifact with front matter; raises ``Malformed``."""
    front, body, skipped = front_matter(text)
    return parse_body(body, front, skipped, text)


def parse_body(body: str, front: dict[str, Any] | None = None, skipped: int = 0, text: str = "") -> Document:
    from markdown_it import MarkdownIt

    env: dict[str, Any] = {}
    markdown = MarkdownIt("commonmark")
    try:
        tokens = markdown.parse(body.replace("\x00", "\ufffd"), env)
    except RecursionError:
        raise Malformed("nested too deeply") from None
    headings: list[Heading] = []
    statements: list[Statement] = []
    hidden = [(skipped + 1, f"a link definition of {name!r}") for name in env.get("references", {})]
    # Quoted words are a source's, whatever they hold: that they stand there is another check.
    hidden += [(line + skipped, what) for line, what in _invisible("\n".join(map(masked, body.split("\n"))))]
    path: list[Heading] = []
    depth, current = 0, None
    for token in tokens:
        line = (token.map[0] + 1 + skipped) if token.map else skipped + 1
        if token.type == "list_item_open":
            depth += 1
        elif token.type == "list_item_close":
            depth -= 1
        elif token.type == "heading_open":
            current = int(token.tag[1:])
        elif token.type in ("html_block", "code_block", "fence"):
            hidden.append((line, "HTML" if token.type == "html_block" else "code"))
        elif token.type == "inline":
            if any(map(_unseen, token.children or ())):
                # Quoted words are a source's, whatever they look like.
                shown = markdown.parseInline(masked(token.content), env)[0].children or ()
                hidden += [(line, child.type.replace("_", " ")) for child in shown if _unseen(child)]
            if current is not None:
                heading = Heading(current, " ".join(token.content.split()), line)
                path = [h for h in path if h.level < current] + [heading]
                headings.append(heading)
                current = None
            else:
                section = tuple(h.title for h in path)
                statements += _statements(token.content, line, section, depth > 0)
    return Document(front or {}, tuple(headings), tuple(statements), tuple(hidden), text or body)


def _unseen(child: Any) -> bool:
    """Inline parts whose words are not prose on the page."""
    return child.type in ("html_inline", "code_inline", "image", "link_open")


def _invisible(body: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(body.split("\n"), start=1):
        for sign in set(line):
            if unicodedata.category(sign) in ("Cf", "Cc", "Co") and sign not in _HARMLESS and sign not in "\t\r\n\f\v":
                yield number, f"an invisible character U+{ord(sign):04X}"


def _statements(content: str, line: int, section: tuple[str, ...], bullet: bool) -> list[Statement]:
    """Cut one block into statements. Quotations are opaque: nothing in them is a citation or an end."""
    veil = list(masked(content, "\u25a1"))
    cites = Cites(extract("".join(veil)))
    for citation in cites.all:
        veil[citation.start : citation.end] = "\u25a1" * (citation.end - citation.start)
    veiled = "".join(veil)
    ends = [
        m.end()
        for m in _END.finditer(veiled)
        if not _ABBREVIATION.search(veiled[max(0, m.start() - 12) : m.start() + 1])
    ]
    pieces = [(a, b) for a, b in zip([0, *ends], [*ends, len(content)], strict=True) if content[a:b].strip()]
    merged: list[tuple[int, int]] = []
    for start, end in pieces:
        inside = cites.within(start, end)
        if merged and inside and not re.search(r"\w", _bare(content, start, end, inside)):
            merged[-1] = (merged[-1][0], end)  # nothing but citations: they belong to what stands before
            continue
        leading = [c for c in inside if _apart(c, content[start : c.start])]
        cut = start
        if merged and leading and _follows_stop(content, merged[-1][1]):
            # "… . [chunk:x] Next sentence": the citation belongs to what stands before it.
            cut = leading[0].end
            for c in leading[1:]:
                if not re.search(r"\w", content[cut : c.start]):
                    cut = c.end
            cut += len(re.match(r"[\s)\];,]*", content[cut:end])[0])  # type: ignore[index]
            merged[-1] = (merged[-1][0], cut)
        merged.append((cut, end))
    if bullet:
        merged = _joined(merged, cites)
    return [_statement(content, line, section, bullet, a, b, cites) for a, b in merged if content[a:b].strip()]


class Cites:
    """Citations in order, found again by place."""

    def __init__(self, cites: list[Citation]) -> None:
        self.all = cites
        self._starts = [citation.start for citation in cites]

    def within(self, start: int, end: int) -> list[Citation]:
        return self.all[bisect_left(self._starts, start) : bisect_left(self._starts, end)]


def _bare(content: str, start: int, end: int, inside: list[Citation]) -> str:
    """``content[start:end]`` without its citations."""
    parts, at = [], start
    for citation in inside:
        parts.append(content[at : citation.start])
        at = citation.end
    return "".join([*parts, content[at:end]])


def _apart(citation: Citation, before: str) -> bool:
    """Whether a citation at the head of a piece stands apart from its sentence: in brackets of its own."""
    return not re.search(r"\w", before) and (citation.kind in BRACKETS or "(" in before)


def _follows_stop(content: str, end: int) -> bool:
    return content[:end].rstrip()[-1:] in '.!?"”“»’)'


def _joined(pieces: list[tuple[int, int]], cites: Cites) -> list[tuple[int, int]]:
    """In a list item, sentences without a citation rest on the next one that the item gives."""
    joined: list[tuple[int, int]] = []
    held: int | None = None
    for start, end in pieces:
        first = start if held is None else held
        if cites.within(start, end):
            joined.append((first, end))
            held = None
        else:
            held = first
    if held is not None:
        joined.append((held, pieces[-1][1]))
    return joined


def _statement(
    content: str, line: int, section: tuple[str, ...], bullet: bool, start: int, end: int, cites: Cites
) -> Statement:
    inside = cites.within(start, end)
    raw = content[start:end]
    text = _bare(content, start, end, inside)
    text = re.sub(r"\(\s*[;,]?\s*\)", "", text)
    text = " ".join(text.split())
    at = line + content.count("\n", 0, end - len(raw.lstrip()))
    return Statement(
        text, " ".join(raw.split()), at, section, bullet, tuple(inside), tuple(quotations(text)), stray_marks(text)
    )
