"""The checks: each takes a claim apart in one respect and says what of it the source does not carry.

Convention: a check gets a :class:`Sentence` and the source and returns the reason why the claim is
unsupported, or None.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from pipeline.grounding.lexical import parties, polarity, quantities, quoted, sections, vocabulary
from pipeline.grounding.lexical.words import fold, stem, words


@dataclass(frozen=True)
class Sentence:
    """A claim: ``quotes`` are its quotations, ``own`` its own words."""

    text: str

    @cached_property
    def quotes(self) -> list[str]:
        return quoted.quotations(self.text)

    @cached_property
    def own(self) -> str:
        return quoted.without_quotations(self.text)


def unquoted(claim: Sentence, source: str) -> str | None:
    for quote in claim.quotes:
        if not quoted.stands(quote, source):
            return f"the source does not say “{quote}”"
    return None


def section(claim: Sentence, source: str) -> str | None:
    asked, _ = sections.references(claim.own)
    lacking = asked - sections.numbering(source)
    return f"the source names no section {sorted(lacking)[0]}" if lacking else None


def quantity(claim: Sentence, source: str) -> str | None:
    _, skip = sections.references(claim.own)
    there = quantities.quantities(source)
    for asked in quantities.quantities(claim.own, skip):
        if not any(asked.agrees(other) for other in there):
            return f"the source does not give {asked.shown}"
    return None


def mutuality(claim: Sentence, source: str) -> str | None:
    scope = " ".join(claim.quotes) or source
    if parties.says_one_sided(claim.own):
        named = [bound for bound in parties.bound(source) if bound.party != parties.BOTH]
        if parties.says_mutual(scope) and not named:
            return "the source binds both parties"
    elif parties.says_mutual(claim.own) and not parties.is_mutual(source):
        return "the source does not speak of both parties"
    return None


def bound_party(claim: Sentence, source: str) -> str | None:
    there = parties.bound(source)
    for asked in parties.bound(claim.own):
        if asked.party == parties.BOTH:
            continue
        known = {other.party for other in there if other.role == asked.role}
        if asked.party in known:
            continue
        if set(asked.party.split()) - {word for word in fold(source).replace("'s", " ").split()} and not _in(
            asked.party, source
        ):
            return f"the source does not name {asked.party}"
        opposite = {other.party for other in there if other.role != asked.role}
        if asked.party in opposite or (known == {parties.BOTH}):
            return f"in the source it is not {asked.party} that is {asked.role}"
    return None


def polarity_of(claim: Sentence, source: str) -> str | None:
    lacking = polarity.says(claim.own) - polarity.says(source)
    return f"the source does not say that {min(lacking)}" if lacking else None


def content(claim: Sentence, source: str) -> str | None:
    """Words that carry content and are not the source's, nor as good as one of the source's."""
    there = {word.stem for word in words(source)}
    asked = [
        word for word in words(claim.own) if word.stem not in vocabulary.free_words() and not word.stem[0].isdigit()
    ]
    lacking = [word for word in asked if not vocabulary.as_good_as(word.stem) & there]
    if len(lacking) > 0:
        shown = fold(claim.own)[lacking[0].start : lacking[0].end]
        return f"the source does not speak of “{shown}”"
    return None


def _in(name: str, source: str) -> bool:
    there = {word.stem for word in words(source)}
    return all(stem(part) in there for part in name.replace("'s", "").split())


CHECKS = (unquoted, section, quantity, mutuality, bound_party, polarity_of, content)
