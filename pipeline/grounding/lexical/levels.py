"""Claims about the level of a position: "P2 meets: ...". What a level needs to be seen in the text.

Convention: a level is supported where the text, or the words quoted for it, show the signs that the
level cannot do without. This is a necessary condition, read from the words alone; a sign against a
level (a mutual clause said to protect one party alone, liability said to be unlimited where it is
not) makes it unsupported. Positions of other standards have no signs here and are not judged.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from pipeline.grounding.lexical import actors, exceptions, generality, polarity, quantities, shares
from pipeline.grounding.lexical.words import KEPT, any_of, fold

#: The standard whose positions these are; of another standard's positions no sign is known.
CLAUSE_TYPE = "liability"
_HEADER = re.compile(
    r"\b(P\d{1,2})[ ,:(]+(?:is |level |the level )?[“\"']?(meets|departs|off|silent"
    r"|fails)\b[”\"')]*:?"
)

_MONEY = re.compile(
    r"[$€£] ?\d|\d[\d,.]* ?(?:dollars|euros?|pounds|usd|eur|gbp|rmb|yen|%|m\b)"
    r"|\b(?:dollars|euros?|pounds|usd|fees?|price|prices|amounts?|sums?|payments?|paid|payable|due|compensation"
    r"|received"
    r"|remuneration|charges?|consideration|value|revenues?|royalt(?:y|ies)|proceeds|commissions?|premiums?|costs?"
    r"|purchase|rent|salary|contributions?|insurance|limits?|per ?cent|percentage)\b"
)
_NARROW = any_of(
    r"repairs?|repaired|replace\w*|refund\w*|correct\w*|re-?perform\w*|credits?|reimburs\w*|return|shipments?"
    r"|units?|items?|orders?",
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|\d+) ?(?:\(\d+\) ?)?[- ]?(?:months?|days?"
    r"|weeks?|quarters?)",
    r"month(?:ly)?|quarter(?:ly)?|week(?:ly)?|day|sole|exclusive|prices?|costs?|remed(?:y|ies)|products?"
    r"|services?|goods|particular|specific|defective",
)
_EXCLUDES = any_of(
    r"not?|neither|nor|never|none|waive\w*|releas\w+|disclaim\w*|exclu\w+|limit\w*|only|sole|bar(?:red)?"
    r"|fore?go\w*|relinquish\w*|"
    r"exempt\w*|free|gives? up|without|harmless|cannot|beyond|exceed\w*|other than",
)
#: A sentence that does something, not one that only names it ("audit this as a waiver").
_OPERATIVE = any_of(
    r"shall|will|is|are|may|can|cannot|must|not|no|neither|nor|never|waives?|excludes?|disclaims?|limits?|has|have"
    r"|releases?|agrees?|hereby|only|sole"
)
_INDIRECT = any_of(
    r"indirect|special|consequential|consequent|incidental|punitive|exemplary|lost|loss(?:es)?|profits?"
    r"|revenues?|goodwill|good will|"
    r"data|savings|anticipated|prospective|reliance|treble|economic|interruption|business|use|direct|actual",
)
_REDACTED = re.compile(
    r"\[\s*(?:\*|_|…|\.{2,}|redacted|omitted|●|-)[^\]]*\]|\*{2,}|_{3,}|\bredacted\b|\[\s*\]"
    r"|\[[^\]]{0,3}\]"
)
_ELSEWHERE = any_of(
    r"(?:set (?:forth|out)|specified|provided(?: for)?|described|stated|defined|contained|referred to"
    r"|accordance|pursuant|under|in|by|of|to)"
    r" (?:in |to |with |the |this |that |such )*(?:sections?|clauses?|articles?|paragraphs?|schedules?"
    r"|exhibits?|annex|appendix|agreement|"
    r"foregoing|preceding|following|above|below)",
    r"sections?|articles?|clauses?|paragraphs?|above|below|foregoing|herein|preceding|following|exhibit|schedule",
)


#: Liability that is left for these alone is excluded for the rest.
_BUT_FOR = any_of(r"limited to", r"only", r"except\w*", r"unless", r"to the extent", r"other than")
_SUBJECT = any_of(
    r"fraud\w*|negligen\w+|misconduct|indemnif?\w+|confiden\w+|intellectual|infring\w+|death|injur\w+|law"
    r"|paym\w+|breach\w*"
)
#: What a claim says when it says that something is not there.
_ABSENCE = any_of(r"what is missing", r"(?:is|are) missing", r"no operative words", r"cannot be (?:judged|read)")


def says_absent(text: str) -> bool:
    return bool(_ABSENCE.search(fold(text)))


def not_absent(text: str, source: str) -> str | None:
    """Why what a claim calls missing is not."""
    if "redact" in fold(text) and not _REDACTED.search(source):
        return "nothing in the text is redacted"
    return _not_judgeable(source, source)


_UNLIMITED = any_of(
    r"(?:liabilit(?:y|ies)|exposure) [^.;]{0,80}?(?:shall|will|is|are|has|have|knows?)(?: be| remain)?"
    r" (?:unlimited|uncapped|unrestricted|infinite|limitless|without (?:any )?(?:limit|ceiling|cap)\w*"
    r"|no (?:limit|ceiling|cap)|subject to no (?:limit|ceiling|cap)|not (?:be )?(?:limited|capped)(?! to))",
    r"unlimited(?:ly)? (?:liabilit(?:y|ies)|liable)",
    r"(?:fully|wholly) liable",
    r"(?:liable|responsible) (?:[^.;,]{0,40} )?(?:without (?:any )?(?:limit|limitation|ceiling|cap)|in full"
    r"|in (?:an )?unlimited amount)",
    r"no (?:\w+ )?(?:limit|ceiling|cap|maximum)(?: of any kind)? (?:shall|will|applies|on)",
)
_WHOLLY = any_of(
    r"no (?:liability|responsibility) (?:whatsoever|of any kind|at all)",
    r"no (?:liability|responsibility)(?: to [\w.&' -]{2,30}?)?(?=[.;]|$)",
    r"not be liable (?:whatsoever|in any way)",
    r"not be liable for (?:any|all) (?:loss|damage|liability|claim)\w*(?: or \w+)?(?: of any kind| whatsoever)",
    r"liabilit(?:y|ies) [^.;]{0,60}?(?:is|are|shall be|will be) (?:(?:wholly|totally|entirely|fully|completely)"
    r" (?:excluded|disclaimed|waived)|nil|none|zero)",
    r"(?:absolved|immune|exempt|released|discharged|free) (?:from|of) (?:all|any|every|suit)",
    r"no (?:claims?|recourse|remed(?:y|ies))(?: whatsoever| of any kind)? against",
    r"(?:may|shall|will) not (?:bring|make|assert|raise) any (?:claim|suit|action)\w* against",
)
#: Exclusions that name no damages and yet leave nothing: of one's own breach, of the right to sue.
_AT_LARGE = re.compile(
    r"\bfor (?:any |all |its |their |the )?(?:own )?"
    r"(?:breach(?:es)?|defaults?|fail(?:ures?|ing) to perform|non-?performance)\b"
    r"|\brights? to (?:sue|(?:bring|make) (?:any )?(?:claims?|actions?|suits?) against)\b"
)
#: What is unlimited for these alone is an exception to a limit.
_FOR_HEADS = re.compile(
    r",? (?:for|in respect of|in (?:the )?cases? of|with respect to|where|if|to the extent)\b[^.;]{0,60}?\b(?:fraud"
    r"|wil|gross|death|injur|confiden|indemn|infring|intellectual|misconduct|law)"
)
_FACTOR = re.compile(r"\d|\b(?:multiplied|divided) by\b")
_SENTENCE = re.compile(r"(?<=[a-z\d)\]\"]{2}[.!?]) ")
_PART = re.compile(r"(?<=[a-z\d)\]\"]{2}[.;:!?]) ")


@lru_cache(KEPT)
def _parts(source: str) -> tuple[str, ...]:
    """The sentences of a source and their parts between semicolons, folded."""
    return tuple(_PART.split(fold(source).replace("nothing in this", "")))


@lru_cache(KEPT)
def danger(source: str) -> str | None:
    """What no clause that is acceptable can say outright, sentence by sentence: one party without a limit,
    or one party without liability. An exception or limit counts only in the same sentence: before liability
    that is unlimited ("but for fraud it shall be unlimited"), anywhere beside liability that is excluded."""
    freed = []
    for part in _parts(source):
        for match in _UNLIMITED.finditer(part):
            before = part[: match.end()]  # "shall not exceed the fees, but for fraud it shall be unlimited"
            leads = exceptions.has_some(before) or re.search(r"exceed|limited to", before)
            if not leads and not _FOR_HEADS.match(part, match.end()):
                return "the text says that liability is unlimited"
        if _WHOLLY.search(part) and not actors.speaks_of_both(part) and not exceptions.has_some(part):
            freed.append(part)
    parties = {party for part in freed for party in actors.liable(part)}
    if freed and len(parties) < 2:  # each of two freed in turn mirror each other
        return "the text frees one party of all liability"
    return None


def headers(text: str) -> list[tuple[str, str]]:
    """The levels that a claim states: (position, level)."""
    return [(match[1], match[2]) for match in _HEADER.finditer(text)]


def without_headers(text: str) -> str:
    return _HEADER.sub(" ", text)


def unseen(position: str, level: str, words: Sequence[str], source: str) -> str | None:
    """What the level lacks in the source, or None. ``words`` are quoted for it and stand in it."""
    return _unseen(position, level, " ".join(words) or source, source)


@lru_cache(KEPT)
def _unseen(position: str, level: str, words: str, source: str) -> str | None:
    check = _CHECKS.get((position, level))
    return check(words, source) if check else None


#: Words without which a sentence is not about who answers for what.
_ANSWERS = re.compile(
    r"liab|damage|loss|recover|recourse|claim|remed|waiv|releas|exceed|obligat|responsib|indemn|answer|limit|exclu"
    r"|\bcaps?\b|action|suit|compensat|entitled|brought|proceeding"
)


def _mutual(words: str, source: str) -> str | None:
    # What is said of both parties elsewhere ("each party shall keep this secret") binds nobody's liability.
    near = exceptions.around([words], source)
    if fold(words) in near and not (_ANSWERS.search(near) or _REDACTED.search(near)):
        return "the sentence of the words is not about liability"
    alone = [part for part in _parts(source) if _limits_one(part)]
    if len({party for part in alone for party in actors.liable(part)}) == 1:
        return "another sentence limits one party alone"
    for party in shares.parties(source) - {actors.BOTH}:
        own = shares.own_share(party, source)
        if _UNLIMITED.search(own) and not actors.speaks_of_both(own):
            return "the text leaves one party without a limit"
    if _frees_one_and_binds_the_other(source):
        return "the text frees one party and makes the other liable"
    # Two parties whose liability is spoken of mirror each other.
    if actors.speaks_of_both(source) or len(actors.liable(source)) != 1:
        return None
    return "the text does not speak of both parties"


def _frees_one_and_binds_the_other(source: str) -> bool:
    parties = shares.parties(source)
    if actors.BOTH in parties or len(parties) < 2:
        return False
    said = [polarity.verbs(shares.own_share(party, source)) for party in parties]
    freed = [("liable", True) in verbs for verbs in said]
    return any(freed) and any(("liable", False) in verbs and not free for verbs, free in zip(said, freed, strict=True))


@lru_cache(KEPT)
def _limits_one(part: str) -> bool:
    """Whether a sentence caps the liability of one named party and speaks of no other."""
    caps = polarity.Says.CAPPED in polarity.says(part)
    return caps and not actors.speaks_of_both(part) and len(actors.liable(part)) == 1


def _sentence_of(words: str, source: str) -> str:
    """The sentence of a source that quoted words stand in, folded; all of it where they stand in several."""
    plain = fold(source)
    return next((one for one in _SENTENCE.split(plain) if fold(words) in one), plain)


def _one_party(words: str, source: str) -> str | None:  # noqa: ARG001
    if actors.says_together(words):
        return "the words speak of both parties alike"
    return None


def _ceiling(words: str, source: str) -> str | None:
    if not (_MONEY.search(fold(words)) or re.search(r"\d{3}", words)):
        return "the words name no amount and no basis for one"
    said = polarity.says(_sentence_of(words, source))
    return None if polarity.Says.CAPPED in said else "the text sets no ceiling"


def _multiple(words: str, source: str) -> str | None:
    if not (_MONEY.search(fold(words)) or quantities.quantities(words) or _FACTOR.search(fold(words))):
        return "the words name no amount and no multiple"
    return None if polarity.Says.CAPPED in polarity.says(source) else "the text sets no ceiling"


def _narrow(words: str, source: str) -> str | None:
    return None if _NARROW.search(fold(words)) or _NARROW.search(fold(source)) else "the text shows no narrow basis"


def _unlimited(words: str, source: str) -> str | None:  # noqa: ARG001
    said = polarity.says(source)
    if polarity.Says.UNLIMITED in said or polarity.Says.ASSUMED in said:
        return None
    return "the text does not say that liability is unlimited"


def _indirect(words: str, source: str) -> str | None:
    if not _INDIRECT.search(fold(words)):
        return "the words name no indirect loss"
    near = polarity.without_denied_limits(_sentence_of(words, source))
    return None if _EXCLUDES.search(near) and _OPERATIVE.search(near) else "the text excludes nothing"


def _loss(words: str, source: str) -> str | None:  # noqa: ARG001
    return None if _EXCLUDES.search(fold(source)) else "the text excludes nothing"


def _everything(words: str, source: str) -> str | None:  # noqa: ARG001
    plain = fold(source)
    if _WHOLLY.search(plain):
        return None
    if not _EXCLUDES.search(plain):
        return "the text excludes nothing"
    if generality.covers_everything(source) or _BUT_FOR.search(plain) or _AT_LARGE.search(plain):
        return None
    return "the text does not exclude everything"


def _exception(words: str, source: str) -> str | None:
    plain = fold(source)
    if exceptions.has_some(source, widely=True) or _SUBJECT.search(fold(words)) or _BUT_FOR.search(plain):
        return None
    return "the text makes no exception"


def _no_or_odd_exception(words: str, source: str) -> str | None:  # noqa: ARG001
    said = polarity.says(source)
    if exceptions.has_some(source, widely=True) or polarity.Says.CAPPED in said:
        return None
    return "the text has neither a ceiling nor an exception"


def _not_judgeable(words: str, source: str) -> str | None:  # noqa: ARG001
    plain = fold(source)
    whole = source.strip()[:1].isupper() and source.strip()[-1:] in ".;)"
    speaks = re.search(r"\bliab|\bdamages?\b|\bclaims?\b", plain)
    if _REDACTED.search(source) or _ELSEWHERE.search(plain) or not whole or not speaks or len(plain.split()) < 12:
        return None
    return None if not _operative(plain) else "the text can be judged from its own words"


def _operative(plain: str) -> bool:
    return bool(re.search(r"\b(?:not|no|neither|never)\b[^.;]{0,60}\bliab", plain) and len(plain.split()) >= 12)


_CHECKS = {
    ("P1", "meets"): _mutual,
    ("P1", "departs"): _one_party,
    ("P1", "off"): _one_party,
    ("P2", "meets"): _ceiling,
    ("P2", "departs"): _narrow,
    ("P2", "off"): _unlimited,
    ("P3", "meets"): _multiple,
    ("P3", "departs"): _multiple,
    ("P4", "meets"): _indirect,
    ("P4", "departs"): _loss,
    ("P4", "off"): _everything,
    ("P5", "fails"): _not_judgeable,
    ("P6", "meets"): _exception,
    ("P6", "departs"): _no_or_odd_exception,
    ("P6", "off"): _exception,
}
