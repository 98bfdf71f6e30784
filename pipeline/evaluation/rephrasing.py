"""Rewording that keeps the meaning, and the one rewording that turns it round.

Both work on the words of a contract sentence by tables of equivalent phrases. A sentence that the
tables do not touch enough is not rephrased (None), so that a "paraphrase" is never a mere copy.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from pipeline.corpus.sample.draws import Draws
from pipeline.evaluation.clause_facts import flat

_I = re.IGNORECASE
#: A claim is built from at most this many words of a sentence.
MAX_WORDS = 34
MIN_WORDS = 7
#: A quotation has between these many words.
QUOTE_WORDS = (6, 18)

#: Phrases of contracts and what says the same.
SAME: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        r"in no event (?:shall|will) (?:either|any) party be liable",
        ("neither party is liable", "neither party will be liable", "under no circumstances is a party liable"),
    ),
    (r"shall not be liable", ("is not liable", "will not be liable", "bears no liability", "does not have to answer")),
    (r"will not be liable", ("is not liable", "shall not be liable", "bears no liability", "does not have to answer")),
    (
        r"neither party (?:shall|will) be liable",
        (
            "neither party is liable",
            "no liability falls on either party",
            "no party is liable",
            "neither side is liable",
        ),
    ),
    (r"(?:shall|will) not exceed", ("may not exceed", "is not to exceed", "must stay within", "is capped at")),
    (r"(?:shall|will) (?:in no event|under no circumstances) exceed", ("may never exceed",)),
    (r"(?:shall|will) be limited to", ("is limited to", "goes no further than")),
    (r"arising out of or (?:in connection with|relating to|related to)", ("from or relating to", "connected with")),
    (r"arising out of", ("arising from", "resulting from", "that stem from")),
    (r"including,? (?:but not limited to|without limitation),?", ("including", "such as")),
    (r"notwithstanding anything (?:to the contrary )?(?:contained )?(?:herein|in this agreement),?", ("in any case,",)),
    (r"hereunder", ("under this agreement", "under this contract")),
    (r"pursuant to", ("under", "according to", "by virtue of")),
    (r"prior to", ("before", "ahead of")),
    (r"preceding", ("before",)),
    (r"in the event of", ("in case of",)),
    (r"in the event that", ("if",)),
    (r"with respect to", ("as to", "regarding", "concerning")),
    (r"in connection with", ("related to", "in relation to")),
    (r"an aggregate", ("a total", "an overall")),
    (r"aggregate", ("total", "overall")),
    (r"party's entire liability", ("party's whole liability",)),
    (r"damages? or loss(?:es)?", ("losses or damage",)),
    (r"loss of profits?", ("lost profits",)),
    (r"lost profits?", ("loss of profit",)),
    (r"regardless of", ("whatever", "irrespective of")),
    (r"whether or not", ("even if",)),
    (r"possibility of such (?:damages|loss(?:es)?)", ("possibility that they occur",)),
    (r"commenced", ("begun", "started")),
    (r"the other party", ("the other side",)),
    (r"shall", ("will",)),
)
#: The same for wordings that are kept for the held-out half; tried before those above.
SAME_UNSEEN: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"(?:shall|will) not be liable", ("cannot be held liable",)),
    (r"neither party (?:shall|will) be liable", ("no liability attaches to either party",)),
    (r"in no event (?:shall|will) (?:either|any) party be liable", ("a party is never liable",)),
    (r"(?:shall|will) not exceed", ("stays at or below",)),
    (r"(?:shall|will) be limited to", ("is confined to",)),
    (r"arising out of", ("coming from",)),
    (r"pursuant to", ("in accordance with",)),
    (r"an aggregate", ("a combined",)),
    (r"aggregate", ("combined",)),
    (r"prior to", ("earlier than",)),
    (r"hereunder", ("by virtue of this agreement",)),
    (r"with respect to", ("as regards",)),
    (r"in connection with", ("to do with",)),
    (r"including,? (?:but not limited to|without limitation),?", ("for instance",)),
)
#: Negations, and their opposite. Each is applied at most once, to the first that fits.
OPPOSITE: tuple[tuple[str, str], ...] = (
    (
        r"\bin no event (?:shall|will) either party(?P<who>[^.;]{0,40}?) be liable\b",
        r"each party\g<who> shall be liable",
    ),
    (r"\bneither party (?P<modal>shall|will) be liable\b", r"each party \g<modal> be liable"),
    (r"\bneither party (?P<modal>shall|will) have any liability\b", r"each party \g<modal> have liability"),
    (r"\bin no event (?:shall|will) (?P<who>[\w&.\- ]{2,30}?) be liable\b", r"\g<who> shall be liable"),
    (r"\b(?P<modal>shall|will) not be liable\b", r"\g<modal> be liable"),
    (r"\b(?P<modal>shall|will) have no liability\b", r"\g<modal> have full liability"),
    (r"\b(?:shall|will) not exceed\b", "may exceed"),
    (r"\b(?:shall|will) (?:in no event|under no circumstances) exceed\b", "may exceed"),
    (r"\b(?P<modal>shall|will) not apply\b", r"\g<modal> apply"),
)
_NEGATION = re.compile(r"\b(?:not|no|never|neither|nor|none|nothing|without)\b", _I)
_VERB = re.compile(r"\b(?:shall|will|may|must)\b|\b(?:is|are) (?:not )?(?:limited|liable|the)\b", _I)
_MIDDLE = re.compile(r"(?:or|and|hereof|hereto|thereof|whether|but|nor|including|which|that|marketing)\b", _I)
_PROVISO = re.compile(r"except\w*|provided|unless|however|but\b", _I)
#: Words in a part that is cut away which may take back what stays.
_QUALIFIER = re.compile(
    r"\b(?:except\w*|provided|unless|other than|however|but|exceed|limited|more|after|later|within|until|only|if|where|"
    r"when|beyond|save|excluding)\b",
    _I,
)
_LIABLE = re.compile(r"\bliab\w+", _I)
_LIABLE_FOR = re.compile(r"\bliab\w+\b.*\b(?:for|exceed|limited)\b", _I)
#: Where a cut would leave a list of adjectives, or a phrase, without its noun.
_OPEN_END = re.compile(
    r"\b(?:indirect|incidental|consequential|special|punitive|exemplary|direct|collateral|any|all|for|of|or|and|the|a|to|exceed|"
    r"including|twelve|implied|express|statutory|multiple|treble)$",
    _I,
)
_SHOUTED = re.compile(r"\b[A-Z]{2,}\b")
_STOPS = "a an and any as at be by for from in is it its of on or shall such that the this to will with"
_STOP = frozenset(_STOPS.split())
#: Harmless rewordings of a claim, outside its quotations: "reads different, says the same".
HARMLESS = tuple(
    (re.compile(pattern), same)
    for pattern, same in (
        (r"\bnames\b", "gives"),
        (r"\brefers to\b", "points to"),
        (r"\bprotects\b", "shields"),
        (r"\bThere is an exception for\b", "An exception is made for"),
        (r"\bmakes an exception for\b", "has an exception for"),
        (r"\bis stated\b", "is given"),
        (r"\bis mentioned\b", "is named"),
        (r"\bis named\b", "is stated"),
        (r"\bspeaks of\b", "mentions"),
        (r"\bsays:", "states:"),
        (r"\breads\b", "has the words"),
        (r"\bis not liable\b", "will not be liable"),
        (r"\bare excluded\b", "are ruled out"),
        (r"\bexcludes\b", "rules out"),
        (r"\bBoth parties\b", "The two parties"),
        (r"\bshall\b", "will"),
    )
)


def calm(text: str) -> str:
    """A sentence shouted in capitals, in lower case but for its first letter; others as they are."""
    text = flat(text)
    if len(_SHOUTED.findall(text)) < 0.5 * max(len(text.split()), 1):
        return text
    text = text.lower()
    return text[:1].upper() + text[1:]


def clip(sentence: str) -> str:
    """A whole sentence, or its beginning up to a comma where it is too long for a claim; else "".

    What is cut away may qualify what stays, so a sentence that excepts or provides later is not cut.
    A fragment (no verb, or it begins in the middle) is no sentence.
    """
    sentence = re.sub(r"^\W*\(?[a-z0-9ivx]{1,4}[.)]\s+", "", flat(sentence), flags=_I)
    if not sentence[:1].isupper() or _MIDDLE.match(sentence) or not _VERB.search(sentence):
        return ""
    tokens = sentence.split()
    if len(tokens) <= MAX_WORDS:
        return "" if _open(sentence) else sentence
    kept = " ".join(tokens[:MAX_WORDS])
    kept = kept[: max(kept.rfind(", "), 0)]  # not the comma inside a number
    whole = len(kept.split()) >= MIN_WORDS + 3 and kept.count("(") == kept.count(")") and _VERB.search(kept)
    # "is not liable to the buyer" without the "for ..." that follows would say too much.
    heads = _LIABLE.search(kept) is None or _LIABLE_FOR.search(kept) is not None
    return kept if whole and heads and not _open(kept) and not _QUALIFIER.search(sentence[len(kept) :]) else ""


def _open(text: str) -> bool:
    """Whether the words end in the middle of something."""
    return _OPEN_END.search(text.rstrip(" .;:,")) is not None or any(
        _PROVISO.search(word) for word in text.split()[-4:]
    )


def rephrase(sentence: str, draws: Draws, unseen: bool = False) -> str | None:
    """The sentence with at least two phrases replaced by equivalent ones, or None. ``unseen``: with at
    least one from the table that is kept for the held-out half."""
    text = calm(sentence)
    if len(text.split()) < MIN_WORDS or not re.search(
        r"\b(?:liab\w+|damages|remed\w+|claims?|loss(?:es)?)\b", text, _I
    ):
        return None
    text, kept_back = _replace(text, SAME_UNSEEN, draws) if unseen else (text, 0)
    text, others = _replace(text, SAME, draws)
    if kept_back + others < 2 or (unseen and not kept_back):
        return None
    text = text.strip(" ,;:-").rstrip(".")
    return f"{text[:1].upper()}{text[1:]}."


def _replace(text: str, table: tuple[tuple[str, tuple[str, ...]], ...], draws: Draws) -> tuple[str, int]:
    """Each phrase of the table replaced once where it stands; the text and how many were."""
    replaced = 0
    for pattern, options in table:
        text, count = _word(pattern).subn(draws.pick(options), text, count=1)
        replaced += count
    return text, replaced


@cache
def _word(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\b{pattern}\b", _I)


def flip_negation(sentence: str) -> str | None:
    """The sentence with its one operative negation turned round; None if there is none or several."""
    text = calm(sentence)
    if len(text.split()) < MIN_WORDS:
        return None
    for pattern, opposite in OPPOSITE:
        match = re.search(pattern, text, _I)
        if match is None:
            continue
        # A second negation nearby, or an exception before it, leaves the meaning of the flip open.
        if len(_NEGATION.findall(match.group())) != 1 or _NEGATION.search(text[: match.start()]):
            return None
        if _NEGATION.search(text[match.end() : match.end() + 25]):
            return None
        flipped = f"{text[: match.start()]}{match.expand(opposite)}{text[match.end() :]}".strip(" ,;:-").rstrip(".")
        return f"{flipped[:1].upper()}{flipped[1:]}."
    return None


@lru_cache(maxsize=2048)
def quotable_pieces(text: str) -> tuple[str, ...]:
    """Stretches that can be quoted: between commas and stops, without quotation marks or redactions."""
    pieces = []
    for piece in re.split(r"(?<=[,;:.])\s+", flat(text)):
        said = piece.strip(" ,;:.()")
        if QUOTE_WORDS[0] <= len(said.split()) <= QUOTE_WORDS[1] and not re.search(r"[\"“”*_\[\]]", said):
            pieces.append(said)
    return tuple(pieces)


@lru_cache(maxsize=4096)
def words(text: str) -> frozenset[str]:
    """The content words, cut to six letters so that forms of one word agree."""
    return frozenset(token[:6] for token in re.findall(r"[a-z0-9]+", text.lower()) if token not in _STOP)


def reword(claim: str) -> str:
    """A harmless rewording of a claim: another word or two outside its quotations, the same meaning."""
    parts = re.split(r"(“[^”]*”)", claim)
    for index in range(0, len(parts), 2):
        for pattern, same in HARMLESS:
            parts[index] = pattern.sub(same, parts[index], count=1)
    said = "".join(parts)
    return said if said != claim else f"It is said that {claim[0].lower()}{claim[1:]}"
