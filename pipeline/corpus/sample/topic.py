"""What one section of a contract is drawn from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Topic:
    """``headings`` and ``texts`` are templates; marks in a text name the CUAD category of its words."""

    headings: tuple[str, ...]
    texts: tuple[str, ...]
