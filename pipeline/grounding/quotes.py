"""Verbatim quotation: the one comparison by which words are said to stand in a text.

Convention (the project's rule for quotations): typographic quotes, dashes, whitespace and line
breaks are normalised, and nothing else; the words and their case have to agree.
"""

from __future__ import annotations

import re

_TYPOGRAPHY = str.maketrans(
    {
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"'),
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4`", "'"),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        "\u00ad": None,  # soft hyphen
        "\ufeff": None,
        "\u200b": None,
    }
)
_SPACE = re.compile(r"\s+")


def plain(text: str) -> str:
    """``text`` with ASCII quotes and dashes and single blanks."""
    return _SPACE.sub(" ", text.translate(_TYPOGRAPHY)).strip()


def verbatim(words: str, text: str) -> bool:
    """Whether ``words`` stand in ``text``; empty words stand nowhere."""
    needle = plain(words)
    return bool(needle) and needle in plain(text)
