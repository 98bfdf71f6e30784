"""What input is taken: one clause of plain text, a small number of chunks."""

from __future__ import annotations

from pipeline.base.errors import UsageError
from pipeline.standard.reader import MAX_CHARACTERS

#: Longest clause in characters: what the reader reads. A longer one is refused, not read as saying nothing.
MAX_CLAUSE = MAX_CHARACTERS
#: Most chunks that one search gives.
MAX_K = 50
CLAUSE_TYPE = "liability"


def checked_text(text: str, what: str) -> str:
    """``text`` if it can be worked on, else a ``UsageError`` that says what is wrong with it."""
    if not text.strip():
        raise UsageError(f"the {what} is empty", f"give the text of a {what}")
    if len(text) > MAX_CLAUSE:
        raise UsageError(
            f"the {what} has {len(text):,} characters, more than {MAX_CLAUSE:,}", "give one clause, not a contract"
        )
    if "\x00" in text:
        raise UsageError(f"the {what} holds NUL characters", "give plain text")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise UsageError(f"the {what} is not valid Unicode (a lone surrogate)", "give UTF-8 text")
    return text


def checked_k(k: int) -> int:
    if not 1 <= k <= MAX_K:
        raise UsageError(f"k is {k}", f"give a number from 1 to {MAX_K}")
    return k
