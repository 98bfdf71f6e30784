"""What a reason states, read by the offline rubric judge: concepts with a sign, amounts, other words.

A *term* is a concept of the standard's vocabulary with a sign: ``("mutual", True)`` is said by "both
parties" and by "not one-sided", ``("mutual", False)`` by "one-sided" and by "not mutual". A negation
turns the next concept of its segment round (segments end at commas, stops and "but"). Amounts are
equal after normalisation: ``$2,000,000`` and "two million dollars", "one year" and "12 months".

Of a quotation count the words, the amounts and the subjects, and not the signs: what a clause says in
its own words is no statement of the reason. Sentences on another text (the standard's level, the cited
clause) are no statements on the clause at all. Own patterns throughout: nothing here is shared with
the auditor or the faithfulness judge, whose reasons it judges.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from pipeline.grounding.quotes import quotations, without_quotations

Term = tuple[str, bool]


@dataclass(frozen=True, slots=True)
class Statement:
    """What one sentence says. ``words`` are stems of what is neither concept nor amount nor filler."""

    terms: frozenset[Term]
    amounts: frozenset[str]
    words: frozenset[str]


#: Subjects of exceptions and kinds of loss: they count in quotations too, and have no opposite.
SUBJECTS = {
    "indirect": r"indirect|consequential|special|incidental|punitive|exemplary",
    "direct": r"direct",
    "profits": r"(?:lost|loss of) profits?|profits?",
    "confidentiality": r"confidential(?:ity)?(?: information)?|secrecy|secrets?|non-?disclosure",
    "ip": r"intellectual property(?: rights?)?|ip|patents?|copyrights?|infringements?",
    "indemnity": r"indemni\w+",
    "fraud": r"fraud\w*",
    "gross negligence": r"gross(?:ly)? negligen\w+",
    "wilful": r"wil+ful(?:ly)?(?: misconduct| breach)?|intentional(?:ly)?(?: misconduct| breach)?",
    "injury": r"(?:personal |bodily )?injur\w+|bodily harm|death",
    "sums due": r"sums (?:due|owed)|amounts? (?:due|owing|owed)|unpaid \w+|payment (?:dut\w+|obligations?)",
}


def _says(terms: str, *alternatives: str) -> tuple[str, tuple[Term, ...]]:
    """A pattern and the terms that it states, written ``mutual+ ceiling-``; _ stands for a blank."""
    read = tuple((name[:-1].replace("_", " "), name[-1] == "+") for name in terms.split())
    return "|".join(alternatives), read


#: Phrases and the terms that they state, tried in this order at every place.
_PHRASES = (
    _says("", r"not (?:only|just|merely)", r"in no event", r"n(?:o|ot) (?:more|less|later|fewer) than"),
    _says(
        "mutual+ exclude+",
        r"(?:neither|no)(?: party| side| of them)?(?: \w+)? (?:claims?|recovers?|asks?|seeks?|liable|answers?|pays?)",
    ),
    _says("exclude+", r"(?:is |are |be )?not liable", r"(?:has |have |bears? )?no liability"),
    _says("exclude+", r"cannot (?:claim|recover)"),
    _says("exception-", r"(?:exceptions?|carve-?outs?) (?:is|are|were) (?:missing|absent|lacking)"),
    _says("by_number+ elsewhere+", r"sections? without (?:its|their|a) subjects?"),
    _says("fragment+", r"(?:no|without|nothing) operative(?: words)?", r"operative words (?:are )?missing"),
    _says("fragment+", r"(?:only a |a mere )?head(?:ing|line)(?: only| alone)"),
    _says("exception+", r"outside (?:of )?(?:the |its )?(?:cap|ceiling|limit|waiver|exclusion)"),
    _says("permitted-", r"(?:outside|not on) (?:the |its )?(?:permitted )?list"),
    _says("permitted+", r"(?:with)?in the (?:permitted )?list", r"on the (?:permitted )?list", r"permitted"),
    _says("mutual-", r"no(?:body| ?one) else", r"one[- ]sided(?:ness|ly)?", r"unilateral(?:ly)?"),
    _says("mutual-", r"(?:for |of |to )?(?:one|a single) (?:named )?(?:party|side)(?:'s)?(?: only| alone)?"),
    _says("mutual+", r"both(?: parties| sides| ways| groups)?", r"(?:either|each|neither|no) (?:party|side)(?:'s)?"),
    _says("mutual+", r"all parties", r"each", r"neither(?! an?\b)", r"either", r"mutual(?:ly|ity)?"),
    _says("mutual+", r"reciprocal(?:ly)?", r"alike", r"two-way"),
    _says("ceiling-", r"unlimited", r"uncapped", r"unrestricted", r"limitless"),
    _says("", r"limited to (?!\$|\d|the (?:lesser|amount|fee|sum)|fees|amounts|sums)"),
    _says("ceiling+", r"cap(?:s|ped|ping)?", r"ceilings?", r"limit(?:s|ed|ations?)?", r"maximum", r"held to"),
    _says("exclude+", r"exclu(?:de[sd]?|ding|sions?)", r"waive(?:[sd]|rs?)?", r"waiving", r"disclaim\w*"),
    _says("exclude+", r"shuts? out", r"gives? up", r"given up", r"free[sd](?: (?:it|them)sel(?:f|ves))?"),
    _says("exclude+", r"releases?d?", r"rul(?:es?|ed) out"),
    _says("everything+", r"all (?:of )?(?:its |their )?(?:liabilit(?:y|ies)|loss(?:es)?|damages?)", r"everything"),
    _says("everything+", r"altogether", r"wholly", r"entirely", r"whatsoever", r"of (?:any|every) kind"),
    _says("exception+", r"exceptions?", r"except(?:ed|ing|s)?", r"carve-?outs?", r"carved? out"),
    _says("exception+", r"save for", r"spared", r"exempt(?:ed|s|ions?)?"),
    _says("redacted+", r"redact(?:ed|ions?|s)", r"blacked out", r"blank(?:ed)?(?: out)?", r"withheld", r"masked"),
    _says("redacted+", r"asterisks?", r"struck out"),
    _says("by_number+", r"by number(?: only| alone)?"),
    _says(
        "elsewhere+",
        r"elsewhere",
        r"(?:in|to) (?:another|other|earlier|later) (?:sections?|parts?|clauses?|provisions?|articles?)",
        r"(?:stands? )?outside (?:of )?the (?:text|words|clause)",
        r"not (?:shown|in the (?:text|words|clause))",
    ),
    _says("fragment+", r"fragments?", r"cut off", r"br(?:eaks?|oken?) off", r"tail of", r"incomplete"),
    _says("time_bar+", r"time[- ]?bar(?:s|red)?", r"bar(?:s|red)?", r"lapses?d?", r"limitation period"),
    _says("time_bar+", r"(?:sue|brought|commenced|raised) within"),
    *((pattern, ((name, True),)) for name, pattern in SUBJECTS.items()),
)
_NEGATOR = (
    r"not|no|never|without|none|nor|nothing|nobody|hardly|lack(?:s|ing)?(?: of)?|fails? to|far from|by no means"
    r"|rather than|instead of|cannot|\w+n't|untrue|false|wrong|neither(?= an?\b)"
)
_BREAK = r"[,;:()]|\bbut\b|\bwhereas\b|\bthough\b|\byet\b|\bwhile\b"
_TOKEN = re.compile(
    "|".join(
        (
            *(f"(?P<p{number}>\\b(?:{pattern})\\b)" for number, (pattern, _) in enumerate(_PHRASES)),
            f"(?P<negator>\\b(?:{_NEGATOR})\\b)",
            f"(?P<break>{_BREAK})",
            r"(?P<word>[a-z0-9]+(?:\.[a-z0-9]+)*)",
        )
    )
)
_SUBJECT = re.compile("|".join(f"(?P<s{n}>\\b(?:{pattern})\\b)" for n, pattern in enumerate(SUBJECTS.values())))
_SUBJECT_NAMES = tuple(SUBJECTS)
#: Whom alone it works for: "the Agent only", "only the Agent", "protects the agent alone".
_ALONE = (
    (re.compile(r"\b([A-Z][\w.&'’-]*) (?:only|alone)\b"), r"\1 one-sided"),
    (re.compile(r"\b[Nn]either (?:the )?[A-Z][\w.&'’-]* nor\b"), "both"),
    (re.compile(r"\b[Oo]nly (?:the |for )?([A-Z][\w.&'’-]*)"), r"one-sided \1"),
    (re.compile(r"\b((?:protects?|binds?|caps|exposes?|frees?|serves?|limits|against)\b[^.;,:]*?) (?:only|alone)\b"),
     r"\1 one-sided"),
)  # fmt: skip
_OTHER_TEXT = re.compile(
    r"\bthe standard's level\b|\bthe cited clause\b|\b(?:an)?other (?:contract|clause|agreement)s?\b", re.IGNORECASE
)
_ONE_UNIT = re.compile(r"\ban? (?=(?:day|week|month|year)\b)")
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+")
#: Words that carry no point: grammar, and what every sentence on a limitation of liability is about.
_FILLER_WORDS = """
    a an and any are as at be been being by can could do does for from has have here if in into is it its itself may of
    on one or out over so such than that the their them there they this those to too under was were what which who whose
    will with would you us we because long only just also even still namely party parties side sides clause text word
    words liability liable reach reaches run runs bind binds protect protects protected protection cover covers serve
    serves stand stands sit sits lie lies carry carries make makes made include includes included apply applies speak
    speaks say says said read reads show shown state stated meets departs off fails p1 p2 p3 p4 p5 p6
"""
_FILLER = frozenset(_FILLER_WORDS.split())
_SAME = {
    **dict.fromkeys(("damage", "damages", "loss", "losses"), "loss"),
    **dict.fromkeys(("sum", "sums", "amount", "amounts", "figure", "figures"), "sum"),
    **dict.fromkeys(("fee", "fees", "charge", "charges", "price", "prices"), "fees"),
}

_ONES = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen
"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_VALUE = {w: n for n, w in enumerate(_ONES.split())} | {w: 10 * n for n, w in enumerate(_TENS.split(), start=2)}
_SCALE = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000, "k": 1_000, "m": 1_000_000}
_WORD = "|".join(sorted((*_VALUE, *_SCALE), key=len, reverse=True))
_DIGITS = r"\d[\d,]*(?:\.\d+)?"
_NUMBER = (
    rf"(?:{_DIGITS}(?:[\s-]?(?:hundred|thousand|million|billion|k|m)\b)?"
    rf"|(?:{_WORD})(?:[\s-]+(?:and\s+)?(?:{_WORD}))*\b)"
)
_DOLLARS = r"(?:us\s*)?dollars?|usd|euros?|pounds?"
_AMOUNT = re.compile(
    rf"(?P<before>us\$|[$€£]|\busd|\beur|\bgbp)\s*(?P<money>{_NUMBER})"
    rf"|\b(?P<number>{_NUMBER})(?:\s*\(\s*[\d,.]+\s*\))?[\s-]*"
    rf"(?P<unit>{_DOLLARS}|calendar\s+days?|days?|weeks?|months?|years?|%|per\s?cent|times\b|fold\b)"
)
#: Unit to (canonical unit, factor).
_UNIT = {"day": ("days", 1), "week": ("days", 7), "month": ("months", 1), "year": ("months", 12),
         "%": ("percent", 1), "percent": ("percent", 1), "times": ("times", 1), "fold": ("times", 1)}  # fmt: skip


def statements(text: str) -> list[Statement]:
    """What ``text`` states on the clause, sentence by sentence; of any text, and empty of an empty one."""
    return [statement(sentence) for sentence in _SENTENCE_END.split(text) if not _OTHER_TEXT.search(sentence)]


def amounts(text: str) -> frozenset[str]:
    """Every amount with its unit, normalised: ``2000000 money``, ``12 months``, ``25 percent``."""
    return frozenset(_amount(match) for match in _AMOUNT.finditer(text.lower()))


@lru_cache(maxsize=1024)
def statement(sentence: str) -> Statement:
    """What one sentence, point or condition says."""
    quoted = [_lower(quote) for quote in quotations(sentence)]
    own = without_quotations(sentence)
    for pattern, plain in _ALONE:
        own = pattern.sub(plain, own)
    own = _ONE_UNIT.sub("one ", _lower(own))
    found = amounts(own).union(*(amounts(quote) for quote in quoted))
    terms, words = _terms(_AMOUNT.sub(" ", own))
    for quote in quoted:
        bare = _AMOUNT.sub(" ", quote)
        terms |= {(_SUBJECT_NAMES[int(match.lastgroup[1:])], True) for match in _SUBJECT.finditer(bare)}
        words |= set(_stems(re.findall(r"[a-z0-9]+", bare)))
    return Statement(frozenset(terms), found, frozenset(words))


def _lower(text: str) -> str:
    return text.lower().replace("’", "'")


def _terms(text: str) -> tuple[set[Term], set[str]]:
    """Terms with their signs, and the stems of the other words."""
    terms: set[Term] = set()
    words: list[str] = []
    turned = False
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        if kind == "negator":
            turned = not turned
        elif kind == "break":
            turned = False
        elif kind == "word":
            words.append(match.group())
        else:
            said = _PHRASES[int(kind[1:])][1]
            terms |= {(name, sign is not turned) for name, sign in said}
            turned = False
    return terms, set(_stems(words))


def _stems(words: list[str]) -> Iterator[str]:
    for word in words:
        if (word not in _FILLER and len(word) > 1) or word.isdigit():
            yield _SAME.get(word, word[:6])


def _amount(match: re.Match[str]) -> str:
    if match["money"]:
        return f"{_value(match['money']):.10g} money"
    unit = re.sub(r"calendar\s+|\s", "", match["unit"])
    name, factor = _UNIT.get(unit if unit in _UNIT else unit.removesuffix("s"), ("money", 1))
    return f"{_value(match['number']) * factor:.10g} {name}"


def _value(number: str) -> float:
    """``2,000,000``, ``1.5 million``, ``five hundred thousand``, ``twenty-five``."""
    total, part = 0.0, 0.0
    for token in re.findall(rf"{_DIGITS}|[a-z]+", number):
        if token[0].isdigit():
            part += float(token.replace(",", ""))
        elif token == "hundred":
            part = (part or 1) * 100
        elif token in _SCALE:
            total += (part or 1) * _SCALE[token]
            part = 0.0
        else:
            part += _VALUE.get(token, 0)
    return total + part
