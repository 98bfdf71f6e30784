"""Where quoted words stand in a text: the way back from a quotation to offsets.

Convention: words stand where they do under the project's rule for quotations (``grounding.quotes``):
typography and whitespace apart, word for word. The answer is offsets into the text as it is. Of several
places the first is taken that begins and ends between words, else the first.
"""

from __future__ import annotations

from functools import lru_cache

from pipeline.grounding.quotes import plain


def locate(words: str, text: str) -> tuple[int, int] | None:
    """(start, end) of ``words`` in ``text``; None where they do not stand there, or are empty."""
    needle = plain(words)
    if not needle:
        return None
    shown, offsets = _plain_with_offsets(text)
    first = None
    at = shown.find(needle)
    while at >= 0:
        end = at + len(needle)
        place = (offsets[at], offsets[end - 1] + 1)
        if _between_words(shown, at) and _between_words(shown, end):
            return place
        first = first or place
        at = shown.find(needle, at + 1)
    return first


def _between_words(text: str, place: int) -> bool:
    return not (0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum())


@lru_cache(maxsize=64)
def _plain_with_offsets(text: str) -> tuple[str, tuple[int, ...]]:
    """``plain(text)``, but for outer blanks, and for each of its characters the place in ``text``."""
    shown: list[str] = []
    offsets: list[int] = []
    for index, character in enumerate(text):
        one = " " if character.isspace() else plain(character)
        if one and not (one == " " and shown and shown[-1] == " "):
            shown.append(one)
            offsets.append(index)
    return "".join(shown), tuple(offsets)
