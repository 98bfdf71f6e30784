"""When two texts are the same text: normal form for comparison, a key for a place in a contract."""

from __future__ import annotations

import unicodedata

from pipeline.base.records import sha256

_ASCII = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′´`", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        "…": "...",
        "\u00ad": None,  # soft hyphen
        "\u200b": None,  # zero-width space
        "\ufeff": None,
    }
)


def normalise(text: str) -> str:
    """Case folded, compatibility characters composed, quotes and dashes ASCII, whitespace collapsed.

    Idempotent. Two spans with the same normal form say the same words.
    """
    # Folding can undo composition and the reverse, so both are applied until nothing moves.
    while True:
        folded = " ".join(unicodedata.normalize("NFKC", text.translate(_ASCII)).casefold().split())
        if folded == text:
            return folded
        text = folded


def span_key(title: str, start: int, end: int) -> str:
    """Twelve hex digits that name a span by contract and offsets, whatever its text or category."""
    return sha256(f"{title}\0{start}\0{end}")[:12]
