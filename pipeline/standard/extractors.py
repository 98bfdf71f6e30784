"""Readers by clause type: a second standard is a YAML file and an entry here."""

from __future__ import annotations

from collections.abc import Callable

from pipeline.base.errors import UsageError
from pipeline.standard.reader import read_clause
from pipeline.standard.reading import Reading

EXTRACTORS: dict[str, Callable[[str], Reading]] = {"liability": read_clause}


def extractor(clause_type: str) -> Callable[[str], Reading]:
    """The reader of ``clause_type``; unknown ones are a ``UsageError`` that lists those known."""
    try:
        return EXTRACTORS[clause_type]
    except KeyError:
        known = ", ".join(sorted(EXTRACTORS))
        raise UsageError(f"no extractor reads the clause type {clause_type!r}", f"use one of: {known}") from None
