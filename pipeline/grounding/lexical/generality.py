"""How general a sentence is: every kind of damages, direct ones included, everything else too."""

from __future__ import annotations

import re
from functools import lru_cache

from pipeline.grounding.lexical.words import KEPT, any_of, fold

#: What a claim says when it says that damages of every kind are excluded.
_LOSS = r"(?:damages?|loss(?:es)?|liabilit(?:y|ies)|claims?|harm|compensation|recovery|responsibility|redress)"
_EVERYTHING = any_of(
    rf"(?:all|every|any|each)(?: and (?:all|every))?(?: \w+){{0,2}} (?:kinds?|types?|forms?|sorts?|heads?"
    rf"|categor(?:y|ies)) of {_LOSS}",
    rf"(?:all|every|any|any and all|each and every|whatever)(?: other| possible| conceivable)? {_LOSS}"
    r"(?! of (?:\w+ )?(?:profits?|revenues?|data|business|goodwill|use|income|savings))",
    r"(?:no|not (?:one|a single)) (?:kind|type|head|form|sort|category)(?: of \w+)? (?:\w+ )?(?:left|spared|recoverable"
    r"|remains|open|allowed|excepted)",
    rf"{_LOSS} (?:across the board|in (?:its|their) entirety|without distinction|as a whole|as such)",
    r"(?:nothing|no recovery)(?: at all)? (?:is |remains |can be |may be )?(?:left|recoverable|claimed|recovered)",
    rf"{_LOSS} of (?:every|any|all|whatever|whichever)(?: \w+)? (?:kinds?|types?|sorts?|nature|description)",
    rf"no {_LOSS} (?:whatsoever|at all|whatever)",
    rf"no {_LOSS} of any (?:kind|sort|type|nature)",
    r"(?:whole|entire|complete|total|full|blanket|wholesale)(?:ly)? (?:exclu\w+|exempt\w*|release\w*|waive\w*)",
    r"(?:excludes?|bars?|rules? out|waives?|releases?) everything",
    r"everything is (?:excluded|barred|ruled out|waived)",
    r"nothing (?:at all )?(?:can|may|is) (?:be )?(?:recover\w*|claim\w*)",
    rf"{_LOSS},? (?:whatever|whichever|regardless of|no matter) (?:its|their|the|what|of)(?: \w+)?",
)
_DIRECT = re.compile(r"(?<![a-z-])direct(?! result| cause| or indirect result)\b")
_DIRECT_EXCEPTED = re.compile(
    r"\b(?:other than|except(?: for)?|limited to|only|excluding|to|actual|recover(?:y of)?|for)(?: \w+){0,2} direct\b"
    r"|\bdirect(?:,? \w+){0,3} damages?(?: \w+){0,3} (?:only|up to)\b"
)
_DIRECT_TOO = re.compile(
    r"\b(?:direct|direct,)(?: \w+,?| and/or| or| and){0,3}? (?:or |and "
    r"|and/or )?(?:indirect|consequential|incidental|special)\b"
)
_DIRECT_LEFT = re.compile(
    r"\b(?:kept to|limited to|only|other than|except(?: for)?|left|besides|beyond"
    r"|not) (?:the )?direct\b"
)
_ANYTHING = any_of(
    r"(?:any|all|no|every)(?: and all)?(?: other)? (?:damages?|loss(?:es)?|liabilit(?:y|ies)|claims?|costs?"
    r"|responsibility|obligations?)",
    r"(?:any|every|whatever|whatsoever) (?:kind|nature|type)",
    r"of any (?:kind|nature|type)",
    r"whatsoever",
    r"entire",
    r"any (?:\w+,? ){1,6}(?:or|and) other damages",
)


def says_everything(text: str) -> bool:
    return bool(_EVERYTHING.search(fold(text)))


def says_direct(text: str) -> bool:
    """Whether a claim says that direct damages are caught, and not that they are what is left."""
    plain = fold(text)
    return bool(_DIRECT.search(plain)) and not _DIRECT_LEFT.search(plain)


@lru_cache(KEPT)
def covers_everything(source: str) -> bool:
    """Whether the source speaks of damages, loss or liability of any kind, or of direct ones as well."""
    plain = fold(source)
    return bool(_ANYTHING.search(plain) or covers_direct(source))


@lru_cache(KEPT)
def covers_direct(source: str) -> bool:
    """Whether the source excludes direct damages: named beside others, and not as what is left over."""
    plain = fold(source)
    if _DIRECT_TOO.search(plain):
        return True
    return bool(_DIRECT.search(plain)) and not _DIRECT_EXCEPTED.search(plain)
