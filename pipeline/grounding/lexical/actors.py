"""Who is bound: both parties or one, which one, and in which role a sentence puts it.

Convention: a party is its words in lower case without article; :data:`BOTH` stands for the parties
together (neither, either, each, both). A :class:`Bound` puts a party into a role: ``liable`` (its
liability is spoken of: limited, excluded or assumed), ``creditor`` (liable *to* it), ``waives`` (it
gives up claims).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from pipeline.grounding.lexical.words import KEPT, any_of, fold, stems, words

BOTH = "both"
LIABLE, CREDITOR, WAIVES = "liable", "creditor", "waives"

_ONE = r"[\w.&'/-]+"
_NAME = rf"(?P<party>{_ONE}(?: {_ONE}){{0,4}}?)"
# Words with one way to part them: a slot that may part a word anywhere costs its length to the sixth power.
_SLOT = rf"(?P<party>{_ONE}(?:(?: |, (?=inc|llc|ltd|l\.)){_ONE}){{0,5}}?)"
_MODAL = r"(?:shall|will|may|is|are|does|do|has|have|would|can|cannot|must)"
_LIABLE = r"(?:liable|liability|responsible|responsibility|obligated|accountable|answerable)"
_ADJECTIVES = (
    r"(?:(?:total|aggregate|maximum|entire|cumulative|sole|overall|combined|exclusive|and|full|whole|"
    r"potential|contractual|monetary|annual|collective) )*"
)
_NO_EVENT = r"(?:in no event|under no circumstances?|in no case|at no time|on no account|in no circumstances?)"
_HERE = (
    r"(?:^|[.,;:)] ?(?:(?:and|or|but|nor|while|whereas) )?|\bthat |\band |\bor |\bbut |\bwhile |\bwhereas |\bthen "
    r"|\bhereunder )(?:the |both )?"
)
_BEFORE_END = (
    rf"(?= (?:{_MODAL}|under|to|for|in|with|arising|and|or|hereunder|by|on|if|that|which|beyond|from|alone|only|as)\b"
    r"|[,.;:)]|$)"
)
_PATTERNS = tuple(
    (role, re.compile(pattern))
    for role, pattern in (
        (LIABLE, rf"\b(?:shall|will|may|can) {_SLOT} (?:be|have)(?: held| any| no)*(?: further| other)? {_LIABLE}"),
        (LIABLE, rf"{_NO_EVENT}(?: whatsoever)? {_MODAL} {_SLOT} (?:be|have|incur|assume|bear)\b"),
        (LIABLE, rf"\b(?:liabilit(?:y|ies)|obligations?|responsibility) of (?:the )?{_NAME}{_BEFORE_END}"),
        (
            LIABLE,
            rf"\b(?:liabilit(?:y|ies)|obligations?|responsibility) of (?:the )?{_ONE}(?: {_ONE}){{0,3}}?"
            rf" (?:or|and|nor) (?:of )?(?:the )?{_NAME}{_BEFORE_END}",
        ),
        (
            LIABLE,
            rf"\b(?:no|any|full) {_LIABLE} (?:falls|rests|lies|is placed|attaches) (?:on|upon|with"
            rf"|to) (?:the )?{_NAME}{_BEFORE_END}",
        ),
        (
            LIABLE,
            rf"\b(?:spares?|relieves?|lets?|frees?|benefits?|safeguards?|insulates?|excuses?|serves?)"
            rf" (?:the )?{_NAME}{_BEFORE_END}",
        ),
        (
            LIABLE,
            r"\b(?:beneficiary|one protected|protected (?:party|side)|party (?:protected|favou?red)) (?:is|being)"
            rf" (?:the )?{_NAME}{_BEFORE_END}",
        ),
        (
            LIABLE,
            rf"\b(?:for|to) (?:the )?{_NAME}'s? (?:sole |own |exclusive )?(?:benefit|advantage|protection|favou?r)\b",
        ),
        (
            LIABLE,
            rf"\b(?:protects?|shields?|favou?rs?|exempts?|releases?|in favou?r of|benefit of|caps?"
            rf"|protection (?:is )?for) (?:only |solely )?(?:the )?{_NAME}{_BEFORE_END}",
        ),
        (
            CREDITOR,
            rf"{_LIABLE}(?: in any (?:way|manner)| in any respect)? (?:to|towards"
            rf"|against) (?:the )?{_NAME}{_BEFORE_END}",
        ),
    )
)
#: Patterns that try a name at every joint of the text: what stands before and between name and verb, and the words
#: behind it. Without those no name is tried.
_SLOTS = tuple(
    (role, re.compile(rf" {tail}"), re.compile(rf"{_HERE}{before}{_SLOT}{between} {tail}"))
    for role, before, between, tail in (
        (
            LIABLE,
            "",
            "",
            r"(?:caps?|limits?|restricts?|excludes?|disclaims?) (?:all )?(?:its|their|his) (?:own )?",
        ),
        (LIABLE, "", "", r"(?:(?:does|do|shall|will) )?(?:not )?answers? for\b"),
        (
            LIABLE,
            "",
            r"(?:, (?:however|though|in turn|for its part),)?",
            rf"{_MODAL}(?: hereby| in no event| under no circumstances?)?(?: not| no| never| only)?"
            rf"(?: be| have| incur| accept| assume| bear)?(?: held| fully| solely| any| no| full| not)*"
            rf"(?: further| other)? {_LIABLE}",
        ),
        (
            LIABLE,
            "",
            "",
            r"(?:(?:is|are) the (?:one|party|side|only|sole)|benefits|enjoys|(?<!lost )profits from"
            r"|gets the (?:benefit|protection|limit))\b",
        ),
        (
            LIABLE,
            r"(?:it is |only )?(?:the )?",
            "",
            r"(?:whose liability|(?:is|are) (?:\w+ )?(?:protected|shielded|exempt|released|uncapped|unlimited))",
        ),
        (
            WAIVES,
            "",
            "",
            r"(?:\w+ly |hereby |also )*(?:waives?|forgoes?|foregoes?|relinquish(?:es)?)\b",
        ),
    )
)
_OWNER = re.compile(
    rf"(?:^|[ (])(?:the )?(?P<party>(?:[\w.&/-]+ ){{0,3}}[\w.&/-]+)(?:'s|') {_ADJECTIVES}(?:liabilit|obligation)"
)
_TOGETHER = any_of(
    r"(?:neither|either|each|both|no|any|a|all|one)(?: of)?(?: the)?(?: other)? (?:part(?:y|ies)|sides?)",
    r"(?:the|such|that|these|those|its|respective|breaching|defaulting|indemnif\w+|non-breaching|disclosing"
    r"|receiving|injured"
    r"|claiming|prevailing|affected|applicable) part(?:y|ies)",
    r"each other",
    r"one another",
    r"(?:the )?other",
)
_NEITHER_NOR = re.compile(
    r"\b(?:neither|either|each of|both) (?:the )?([\w.&'-]+(?: [\w.&'-]+){0,3}?),? (?:nor|or|and) (?:the )?"
    r"(?!its\b|any\b|their\b|all\b|direct|indirect|consequential|special)"
)
#: The one to the other, and the other to the one.
_MIRRORED = re.compile(r"\b(\w+)(?:'s? \w+)? to (?:the )?(\w+)\b.{0,40}?\b\2(?:'s? \w+)? to (?:the )?\1\b")
_SAYS_TOGETHER = any_of(
    r"neither (?:of the )?(?:part(?:y|ies)|sides?)",
    r"(?:either|each|both|all|no)(?: of)?(?: the)? (?:part(?:y|ies)|sides?)",
    r"mutual(?:ly|ity)?",
    r"both ways",
    r"(?:the )?(?:two )?parties alike",
    r"each other",
    r"both",
    r"(?:the )?two parties",
    r"one (?:party|side) and (?:of )?the other",
    r"reciprocal(?:ly)?",
    r"nobody|no one|everyone|everybody|anyone|whoever|all concerned|all signatories",
)
_SIDE = r"(?:part(?:y|ies)|sides?|of them|of the two|counterpart(?:y|ies)|signatory|beneficiary)"
_SAYS_ONE_SIDED = any_of(
    r"one[- ](?:sided|way)(?: only)?(?:ly)?",
    rf"(?:one|a single|a lone)(?: \w+){{0,2}} {_SIDE}(?:'s)?(?: \w+){{0,2}} (?:only|alone|exclusively)",
    rf"(?:only|just|solely|exclusively|merely)(?: \w+){{0,3}} (?:one|a single)(?: \w+){{0,2}} {_SIDE}",
    r"unilateral(?:ly)?",
    r"not (?:a )?(?:mutual|reciprocal|shared)(?: \w+)?",
    r"non-(?:mutual|reciprocal)",
    r"without reciproc\w+",
    rf"(?:but )?not (?:for |to |by )?(?:the )?(?:other|both|second)(?: {_SIDE})?",
    rf"(?:the )?other (?:{_SIDE} )?(?:is|gets|has|receives|enjoys|remains|stays)(?: \w+){{0,3}} (?:nothing|no"
    rf"|none|not|unprotected|exposed|"
    rf"empty-handed|without)",
    r"nothing for (?:the )?other",
    rf"leaves (?:the )?other(?: {_SIDE})? (?:unprotected|exposed|without)",
)
_BENEFITS = (
    r"(?:is|are|benefits?|may|will|shall|has|gets?|enjoys?|can|gains?|profits?|receives?|stands?|counts?|needs?"
    r"|pays?|owes?)"
)
_FOR = (
    r"(?:for|protects?|shields?|limits?|binds?|of|favou?rs?|exempts?|to|serves?|helps?|spares?|relieves?"
    r"|covers?|benefits?|"
    r"in favou?r of|by|with|on)"
)
_EXCLUSIVE = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b(?:only|solely|exclusively|just|merely)(?: (?:for|to|in favou?r of|by"
        rf"|of))? (?:the )?{_NAME} {_BENEFITS}\b",
        rf"\b{_FOR} (?:only |solely |exclusively |just "
        rf"|merely )?(?:the )?{_NAME}(?:'s)?(?: \w+){{0,2}}? (?:alone|only|exclusively|solely)\b",
        rf"\b{_FOR} (?:the )?{_NAME},? (?:and|but) (?:nobody|no one|not|none|never)\b",
        rf"\b{_FOR} (?:only|solely|exclusively|just|merely|nobody but|none but"
        rf"|no one but) (?:the )?{_NAME}{_BEFORE_END}",
        rf"(?:^|[.,;:] ?|\bthat )(?:the )?{_NAME} (?:alone|only|exclusively) {_BENEFITS}\b",
        rf"(?:^|[.,;:] ?|\bthat )(?:the )?{_NAME} (?:is|are) the (?:only|sole|single) ",
        rf"\bthe (?:only|sole|single) (?:\w+ ){{1,4}}(?:is|are) (?:the )?{_NAME}{_BEFORE_END}",
        rf"\b(?:nobody|no one|none) (?:but|except|other than) (?:the )?{_NAME}{_BEFORE_END}",
        rf"\bit is (?:only |just )?(?:the )?{_NAME} (?:alone|only)\b",
    )
)
#: A party that is nobody in particular: one side, whichever it is.
_ANYBODY = any_of(
    r"(?:one|first|second|single|former|latter|stronger"
    r"|weaker)(?: of the)?(?: named)? (?:part(?:y|ies)|sides?)"
)
_NO_PARTY_WORDS = """
not nor it this that such any all no the a an and or of to in for by with event circumstances case liability liabilities
damages damage loss losses total aggregate maximum entire cumulative sole its their his her which there what
clause section agreement provision sentence limitation exclusion cap ceiling foregoing other extent respect
however provided notwithstanding except claim claims nothing be have shall will is are herein hereunder under
only also thereof excluded agreed overall combined contract tort warranty breach text words limit direct full
unlimited liable responsible whose who amount amounts protection whoever they matters whom party parties side
sides equals sum sums fees payments"""
_NO_PARTY = frozenset(_NO_PARTY_WORDS.split())


@dataclass(frozen=True, slots=True)
class Bound:
    role: str
    party: str


@lru_cache(KEPT)
def says_together(text: str) -> bool:
    """Whether a claim says that something holds for both parties."""
    plain = fold(text).replace("names no party", "")
    return bool(_SAYS_TOGETHER.search(plain)) and not says_one_sided(text) and not exclusive(text)


@lru_cache(KEPT)
def says_one_sided(text: str) -> bool:
    return bool(_SAYS_ONE_SIDED.search(fold(text)))


@lru_cache(KEPT)
def exclusive(text: str) -> tuple[str, ...]:
    """The parties that a claim says are the only ones; an unnamed one ("one of the parties") is ""."""
    found = []
    plain = fold(text)
    for pattern in _EXCLUSIVE:
        for match in pattern.finditer(plain):
            party = match["party"]
            found += [""] if _ANYBODY.search(party) else [name for name in _names(party) if name != BOTH]
    return tuple(found)


@lru_cache(KEPT)
def speaks_of_both(text: str) -> bool:
    """Whether a text speaks of the parties together anywhere, or of one and the other by name."""
    plain = fold(text)
    return bool(_TOGETHER.search(plain) or _NEITHER_NOR.search(plain) or _MIRRORED.search(plain))


@lru_cache(KEPT)
def bound(text: str) -> frozenset[Bound]:
    """Every party that the text puts into a role."""
    plain = fold(text)
    found = {
        Bound(role, party)
        for role, pattern in (*_PATTERNS, *((role, slot) for role, needs, slot in _SLOTS if needs.search(plain)))
        for match in pattern.finditer(plain)
        for party in _names(match["party"])
    }
    if "'" in plain and ("liabilit" in plain or "obligation" in plain):
        found |= {Bound(LIABLE, party) for match in _OWNER.finditer(plain) for party in _names(_owner(match["party"]))}
    if _NEITHER_NOR.search(plain):
        found.add(Bound(LIABLE, BOTH))
    return frozenset(found)


@lru_cache(KEPT)
def liable(text: str) -> frozenset[str]:
    """The parties whose liability the text speaks of; where both waive, it is that of both."""
    return frozenset(one.party for one in bound(text) if one.role == LIABLE or one == Bound(WAIVES, BOTH))


def same_party(one: str, other: str) -> bool:
    """Whether two names are of one party: the words of one are among the other's."""
    first, second = set(one.replace("'s", "").split()), set(other.replace("'s", "").split())
    return first <= second or second <= first


def names_party(name: str, text: str) -> bool:
    """Whether the text has the words of a party's name."""
    there = stems(text)
    return all(word.stem in there for word in words(name) if word.stem not in ("'s", "s"))


#: Words of a sentence about who is better off.
_PROTECTION = any_of(
    r"protect\w*|shield\w*|favou?r\w*|benefi\w+|limit\w*|exclud\w+|exempt\w*|spar(?:e|es|ed)|reliev\w+"
    r"|releas\w+|advantage"
    r"|interest|safe\w*|help\w*|serv(?:e|es|ing)|escap\w+|caps?|capped|invok\w+|rel(?:y|ies) on|responsib\w+"
    r"|answer\w*|insulat\w+"
)


def better_off(text: str, named: frozenset[str]) -> str | None:
    """The one party that a claim says is protected, whatever its words; ``named`` are the parties it names."""
    if len(named) != 1 or bound(text) or not _PROTECTION.search(fold(text)):
        return None
    return next(iter(named))


def _owner(words: str) -> str:
    """Of the words before "'s liability" those that name its owner: what stands behind a verb or any
    other word that is no part of a name."""
    kept: list[str] = []
    for word in reversed(words.split()):
        stops = word in _NO_PARTY or re.fullmatch(_MODAL, word) or re.search(r"\d", word)
        if stops and word not in ("party", "a", "each", "either", "neither", "no"):
            break
        kept.append(word)
    return " ".join(reversed(kept))


def _names(slot: str) -> list[str]:
    slot = re.split(rf"(?:^|(?<= )){_MODAL}(?= |$)", slot.strip(" ,."))[0]
    slot = re.sub(r"'s?$", "", slot.strip(" ,."))
    if _TOGETHER.search(slot) and not _ANYBODY.search(slot) and not re.search(r"\bthird\b|\bother part", slot):
        return [BOTH]
    names = []
    for part in re.split(r",| and | or | nor |/", slot):
        name = " ".join(word for word in part.split() if word not in ("the", "a", "an", "hereby", "such"))
        name = re.sub(r"'s?$", "", name)
        if name and not (set(name.split()) & _NO_PARTY) and re.search("[a-z]{2}", name) and not _ANYBODY.search(name):
            names.append(name)
    return names
