"""The one tokenizer of BM25, for the library and for queries.

Convention: case-folded runs of letters (an apostrophe inside a word belongs to it) and numbers with
their separators (``1,000,000`` and ``10.2`` are one token each). No stemming, no stop words: the terms
of a liability clause are terms of art, and their frequency tells enough.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:'[^\W\d_]+)*")


def tokenize(text: str) -> list[str]:
    return _TOKEN.findall(text.casefold().replace("’", "'"))
