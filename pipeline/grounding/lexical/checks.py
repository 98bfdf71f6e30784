"""The checks: each takes a claim apart in one respect and says what of it the source does not carry.

Convention: a check gets a :class:`Sentence` and the source and returns the reason why the claim is
unsupported, or None.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from pipeline.grounding.lexical import (
    actors,
    exceptions,
    flows,
    generality,
    levels,
    polarity,
    quantities,
    roles,
    sections,
    shares,
    vocabulary,
)
from pipeline.grounding.lexical.words import KEPT, Word, fold, stem, stems, words
from pipeline.grounding.quotes import quotations, stands, without_quotations

#: A claim may have this share of content words that the source has not (paraphrase), and no more.
FOREIGN_SHARE = 0.3
#: ... or this many where something else about it is checked to the letter.
FOREIGN_WORDS = 3
_LETTER = re.compile("[A-Za-z]")


@dataclass(frozen=True)
class Sentence:
    """A claim: ``quotes`` are its quotations, ``own`` its own words."""

    text: str
    clause_type: str = levels.CLAUSE_TYPE

    @cached_property
    def quotes(self) -> tuple[str, ...]:
        return quotations(self.text)

    @cached_property
    def headers(self) -> list[tuple[str, str]]:
        """The levels of positions that it states."""
        return levels.headers(without_quotations(self.text))

    @cached_property
    def says_absent(self) -> bool:
        return levels.says_absent(self.text)

    @cached_property
    def own(self) -> str:
        """Its own words: no quotation, no header; where it speaks of a level, "indirect loss" is a
        head of the standard, under which falls whatever the level's check accepts."""
        own = levels.without_headers(without_quotations(self.text))
        return own.replace("indirect loss", "loss") if self.headers else own


def unquoted(claim: Sentence, source: str) -> str | None:
    for quote in claim.quotes:
        if not stands(quote, source):
            return f"the source does not say “{quote}”"
    return None


def level(claim: Sentence, source: str) -> str | None:
    if claim.clause_type != levels.CLAUSE_TYPE:
        return None
    return next(
        (why for position, of in claim.headers if (why := levels.unseen(position, of, claim.quotes, source))), None
    )


def absence(claim: Sentence, source: str) -> str | None:
    return levels.not_absent(claim.own, source) if claim.says_absent else None


def section(claim: Sentence, source: str) -> str | None:
    asked, _ = sections.references(claim.own)
    there = sections.numbering(source)
    lacking = sorted(one for one in asked if not any(sections.within(one, other) for other in there))
    return f"the source names no section {lacking[0]}" if lacking else None


def quantity(claim: Sentence, source: str) -> str | None:
    _, skip = sections.references(claim.own)
    there = quantities.quantities(source)
    for asked in quantities.quantities(claim.own, skip):
        if not any(asked.agrees(other) for other in there):
            return f"the source does not give {asked.shown}"
    return None


def mutuality(claim: Sentence, source: str) -> str | None:
    if claim.headers:  # the level's own check has looked
        speaks = actors.speaks_of_both(source) or len(actors.liable(source)) != 1
        return None if speaks or not actors.says_together(claim.own) else "the source does not speak of both parties"
    scope = " ".join(claim.quotes) or source
    there = actors.liable(source)
    only = actors.exclusive(claim.own)
    if only or actors.says_one_sided(claim.own):
        if actors.BOTH in actors.liable(scope) or (not there and actors.says_together(scope)):
            return "the source speaks of both parties"
        for party in filter(None, only):
            if not actors.names_party(party, source):
                return f"the source does not name {party}"
        if only and (other := _freed_as_well(only, source)):
            return f"the source speaks of {other} as well"
    elif actors.says_together(claim.own) and len(shares.parties(source)) > 1:
        return _not_of_both(claim, source)
    elif actors.says_together(claim.own) and actors.BOTH not in there and (there or not actors.speaks_of_both(source)):
        return "the source does not speak of both parties"
    return None


def _freed_as_well(only: tuple[str, ...], source: str) -> str | None:
    """Another party whose liability the source limits or excludes too."""
    for other in sorted(shares.parties(source)):
        own = shares.share_of(other, source)
        limited = ("liable", True) in polarity.verbs(own) or polarity.Says.CAPPED in polarity.says(own)
        if limited and len(shares.parties(source)) > 1 and not any(actors.same_party(other, one) for one in only):
            return other
    return None


def _not_of_both(claim: Sentence, source: str) -> str | None:
    """Where a source speaks of several: what a claim says of both is said of both, or of each in turn."""
    parties = shares.parties(source)
    for party in sorted(parties - {actors.BOTH}):
        unlimited = polarity.Says.UNLIMITED in polarity.says(shares.own_share(party, source))
        if unlimited and polarity.Says.LIMITED in polarity.claims(claim.own):
            return f"of {party} the source says that liability is unlimited"
    for party in (actors.BOTH,) if actors.BOTH in parties else sorted(parties):
        if why := _not_in_share(claim, shares.share_of(party, source)):
            return f"of {party} {why}"
    return None


def bound_party(claim: Sentence, source: str) -> str | None:
    there = actors.bound(source)
    for asked in sorted(actors.bound(claim.own), key=lambda one: (one.role, one.party)):
        if asked.party == actors.BOTH:
            continue
        if not actors.names_party(asked.party, source):
            return f"the source does not name {asked.party}"
        known = {other.party for other in there if other.role == asked.role}
        if not known or actors.BOTH in known or any(actors.same_party(asked.party, other) for other in known):
            continue
        return f"in the source it is not {asked.party} that is {asked.role}"
    return None


def share(claim: Sentence, source: str) -> str | None:
    """Where the source speaks of several parties: what the claim says of one of them, its part says."""
    if claim.headers:
        return None
    for party in _parties_of(claim):
        if (own := _share(party, source)) and (why := _not_in_share(claim, own)):
            return f"of {party} {why}"
    return None


def _parties_of(claim: Sentence) -> list[str]:
    """The single parties of whose liability a claim speaks; of a ceiling's, the one that it names."""
    said = actors.liable(claim.own) - {actors.BOTH}
    named = _named(claim.own)
    return sorted(said or (named if len(named) == 1 and polarity.Says.CAPPED in polarity.claims(claim.own) else ()))


def _share(party: str, source: str) -> str:
    """What the source says of ``party``, where it speaks of others too; empty where it does not."""
    return shares.share_of(party, source) if len(shares.parties(source)) > 1 else ""


def _not_in_share(claim: Sentence, own: str) -> str | None:
    why = quantity(claim, own) or said_of_liability(claim, own) or negation(claim, own)
    heads = [word for word in _foreign(claim.own, own) if word in vocabulary.heads_of_loss()]
    return why or (f"the source does not say “{heads[0]}”" if heads else None)


def turned(claim: Sentence, source: str) -> str | None:
    """Who pays whom, and who is liable to whom, the other way round."""
    return None if claim.headers else flows.turned_round(claim.own, source)


def compared(claim: Sentence, source: str) -> str | None:
    """One party's ceiling held against the other's: reckoned where each has one sum, else unsupported."""
    named = _named(claim.own)
    said = shares.compares(claim.own, named)
    if said is None or shares.compares(source, _named(source)) is not None:
        return None
    how, other = said
    first = sorted(named - {other}) or sorted(shares.parties(source))  # "both caps" are of nobody by name
    sums = [shares.sum_of(name, source) for name in (*first, *filter(None, [other]))]
    if len(sums) != 2 or None in sums or not shares.holds(how, *sums):
        return "the source does not compare the parties so"
    return None


@lru_cache(KEPT)
def _named(text: str) -> frozenset[str]:
    """The parties that a text names, each as it is written there."""
    stems_of_names, plain = roles.names(text), fold(text)
    return frozenset(plain[word.start : word.end] for word in words(text) if word.stem in stems_of_names)


def better_off(claim: Sentence, source: str) -> str | None:
    """A claim without a pattern of its own, but with one party in it and a word for protection."""
    if flows.stated(claim.own, source):  # `turned` has looked
        return None
    party = actors.better_off(claim.own, roles.names(claim.own))
    known = {stem(part) for other in actors.liable(source) for part in other.split()}
    if party is None or not known or actors.BOTH in actors.liable(source) or party in known:
        return None
    return f"in the source it is not {party} whose liability is spoken of"


def swallowed(claim: Sentence, source: str) -> str | None:
    """Something that the source excepts and the claim says is treated like the rest."""
    if not exceptions.says_as_well(claim.own):
        return None
    rest = exceptions.without_exceptions(source)
    for word in _content_words(claim.own):
        shown = fold(claim.own)[word.start : word.end]
        if shown in vocabulary.telling_words() and not _foreign(shown, source) and _foreign(shown, rest):
            return f"the source excepts “{shown}”"
    return None


def role(claim: Sentence, source: str) -> str | None:
    stranger = roles.swapped(claim.own, source)
    return f"in the source {stranger} does not stand in that place" if stranger else None


def excepted(claim: Sentence, source: str) -> str | None:
    if exceptions.names_none(claim.own):
        scope = exceptions.around(claim.quotes, source) if claim.headers else source
        return "the source makes exceptions" if exceptions.has_some(scope) else None
    # A claim about a level speaks in the standard's terms; that what it names is there, `content` checks.
    subjects = [] if claim.headers else exceptions.subjects(claim.own)
    if subjects and not exceptions.has_some(source, widely=True):
        return "the source makes no exception"
    for subject in subjects:
        foreign = _foreign(subject, exceptions.from_first(source))
        if foreign:
            return f"the source makes no exception for “{foreign[0]}”"
    rest = exceptions.without_exceptions(source)
    if ("liable", True) in polarity.verbs(claim.own) and not exceptions.has_some(claim.own, widely=True):
        for word in _content_words(claim.own):  # not liable for what the source excepts
            shown = fold(claim.own)[word.start : word.end]
            if shown in vocabulary.telling_words() and not _foreign(shown, source) and _foreign(shown, rest):
                return f"the source excepts “{shown}”"
    for subject in () if claim.headers else exceptions.caught(claim.own):
        if not _foreign(subject, source) and _foreign(subject, rest):
            return f"the source excepts “{subject}”"
    return None


def general(claim: Sentence, source: str) -> str | None:
    if generality.says_direct(claim.own) and not generality.covers_direct(source):
        return "the source does not speak of direct damages"
    if generality.says_everything(claim.own) and not generality.covers_everything(source):
        return "the source does not go as far"
    return None


def said_of_liability(claim: Sentence, source: str) -> str | None:
    lacking = polarity.claims(claim.own) - polarity.says(source)
    return f"the source does not say that {min(lacking)}" if lacking else None


def negation(claim: Sentence, source: str) -> str | None:
    if polarity.hangs_on_a_condition(claim.own):
        return None
    there = polarity.verbs(source)
    for party in _parties_of(claim):
        there |= polarity.verbs(_share(party, source))
    for verb, negated in sorted(polarity.verbs(claim.own)):
        if (verb, negated) not in there and (verb, not negated) in there:
            return f"the source {'does not deny' if negated else 'denies'} “{verb}”"
    return None


def content(claim: Sentence, source: str) -> str | None:
    """Words that carry content and are not the source's, nor as good as one of the source's: none of
    the trade's own words, and few of the others."""
    asked = _content_words(claim.own)
    lacking = _foreign(claim.own, source)
    telling = [word for word in lacking if word in vocabulary.telling_words()]
    allowed = max(FOREIGN_SHARE * len(asked), FOREIGN_WORDS if _has_hard_fact(claim) else 0)
    if telling or len(lacking) > allowed:
        return f"the source does not speak of “{(telling or lacking)[0]}”"
    return None


def legible(claim: Sentence, source: str) -> str | None:  # noqa: ARG001
    """The words can be compared at all: they are written in Latin letters."""
    if claim.own.isascii() and _LETTER.search(claim.own):
        return None
    letters = [character for character in claim.own if character.isalpha()]
    foreign = sum(not character.isascii() for character in letters)
    nothing = not letters and not claim.quotes
    return "it cannot be read" if nothing or foreign > 0.3 * len(letters) else None


def _has_hard_fact(claim: Sentence) -> bool:
    """Whether something else about the claim is checked to the letter."""
    own = claim.own
    return bool(
        claim.quotes
        or sections.references(own)[0]
        or quantities.quantities(own)
        or actors.bound(own)
        or actors.exclusive(own)
        or actors.says_together(own)
        or exceptions.subjects(own)
        or any(fold(own)[word.start : word.end] in vocabulary.telling_words() for word in words(own))
    )


@lru_cache(KEPT)
def _content_words(text: str) -> tuple[Word, ...]:
    free = vocabulary.free_words()
    return tuple(
        word for word in words(text) if word.stem not in free and not word.stem[0].isdigit() and word.stem not in "$€£%"
    )


def _foreign(text: str, source: str) -> list[str]:
    there = stems(source)
    plain = fold(text)
    return [
        plain[word.start : word.end]
        for word in _content_words(text)
        if vocabulary.as_good_as(word.stem).isdisjoint(there)
    ]


CHECKS = (
    legible,
    unquoted,
    level,
    section,
    quantity,
    mutuality,
    bound_party,
    share,
    turned,
    compared,
    role,
    better_off,
    swallowed,
    excepted,
    general,
    said_of_liability,
    negation,
    content,
)
#: A claim that something is missing has no words of the source to be found.
CHECKS_OF_ABSENCE = (unquoted, level, absence)


def why_unsupported(text: str, source: str, clause_type: str = levels.CLAUSE_TYPE) -> str:
    """The first reason why a claim is not supported by the source; empty if it is."""
    claim = Sentence(text, clause_type)
    checks = CHECKS_OF_ABSENCE if claim.says_absent else CHECKS
    return next((why for check in checks if (why := check(claim, source))), "")
