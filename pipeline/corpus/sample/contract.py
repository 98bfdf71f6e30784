"""One contract's text with its annotated spans, assembled from a family's wordings.

Every section is drawn from a stream that the family owns, so that the contracts of one company
repeat each other; a contract moves a few sections to a stream of its own, and has its own
counterparty, dates, sums and liability clause.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pipeline.corpus.sample import (
    boilerplate,
    boilerplate_operations,
    names,
    terms_commercial,
    terms_legal,
    terms_property,
)
from pipeline.corpus.sample.draws import Draws
from pipeline.corpus.sample.liability import LiabilityClause
from pipeline.corpus.sample.markup import Span, expand, strip_marks

TERMS = {**terms_commercial.TERMS, **terms_legal.TERMS, **terms_property.TERMS}
BODY = {**boilerplate.ANCHORS, **boilerplate.GENERAL, **boilerplate_operations.OPERATIONS}
TOPICS = {**BODY, **TERMS}
#: Topics that open and close every contract.
_FIRST, _LAST = ("supply", "price"), ("entire", "counter")
_LIABILITY = "liability"
_SECOND_PARAGRAPH = 0.6  # share of the sections without annotations that have two
_REDRAWN = 0.15  # share of sections in which a contract departs from its family
_SENTENCE_START = re.compile(r"((?:^|[.?] )(?:⟦[^:⟦⟧]+:)*)([a-z])")

_PHRASES = {
    "days": "{thirty (30)|sixty (60)|ninety (90)|forty-five (45)|one hundred twenty (120)|twenty (20)} days",
    "years": "{one (1) year|two (2) years|three (3) years|five (5) years|eighteen (18) months}",
    "ordinal": "{first|second|third|fifth|tenth}",
}
_HEADINGS = (
    "Limitation of Liability",
    "Liability",
    "Limits on Liability and Remedies",
    "Damages and Claims",
    "Allocation of Risk",
    "Liability; Remedies; Claims",
)
_PREAMBLE = (
    'This ⟦Document Name:<kind>⟧ (this "Agreement") is {made|entered into} {as of|on} ⟦Agreement Date:<signed>⟧ '
    '{between|by and between} ⟦Parties:<p_name>⟧, a company {organized|formed} in <state> (⟦Parties:"<p_role>"⟧), '
    'and ⟦Parties:<c_name>⟧, with its {principal office|seat} in <city> (⟦Parties:"<c_role>"⟧).',
    'THIS ⟦Document Name:<kind>⟧ (the "Agreement"), dated ⟦Agreement Date:<signed>⟧ {and effective|and taking '
    'effect} on ⟦Effective Date:<effective>⟧ (the "Effective Date"), {is made by|is concluded between} '
    '⟦Parties:<p_name>⟧ (⟦Parties:"<p_role>"⟧) and ⟦Parties:<c_name>⟧ (⟦Parties:"<c_role>"⟧).',
    '⟦Parties:<p_name>⟧ (⟦Parties:"<p_role>"⟧) and ⟦Parties:<c_name>⟧ (⟦Parties:"<c_role>"⟧) {sign|conclude} this '
    '⟦Document Name:<kind>⟧ ("Agreement") on ⟦Agreement Date:<signed>⟧. ⟦Effective Date:It {is effective|takes '
    'effect} {as of|from} <effective>⟧ (the "Effective Date").',
)
_RECITALS = (
    "WHEREAS, <p> {makes|offers|provides} the <goods> and <c> {wishes|desires} to {obtain|order} them {in|for} "
    "<territory>; {NOW, THEREFORE,|it is agreed that} the parties {agree as follows|undertake what follows}:",
    "<P> {has experience|is active} in the field of the <goods>. <C> {seeks|looks for} a {partner|source} for "
    "<territory>. {The parties therefore agree|They therefore agree}:",
    "{Background|Recitals}. {For some years|Since last year} the parties have {talked about|tested} the <goods> in "
    "<territory>. They now {set down|record} the terms {of|for} their {dealings|cooperation}.",
)
_CLOSING = (
    "IN WITNESS WHEREOF, the parties have {signed|executed} this Agreement {on the date first written|by their "
    "officers}.\n\n<p_name>\nBy: ____________________\n\n<c_name>\nBy: ____________________",
    "Signed for <p_name>: ____________________\n\nSigned for <c_name>: ____________________",
)
_NUMBERINGS: tuple[Callable[[int, str], str], ...] = (
    lambda number, heading: f"{number}. {heading.upper()}\n",
    lambda number, heading: f"{number}. {heading}. ",
    lambda number, heading: f"ARTICLE {number}\n{heading}\n\n",
    lambda number, heading: f"Section {number}. {heading}.\n",
)


@dataclass(frozen=True, slots=True)
class Family:
    """What the contracts of one company share; ``sections`` are topics in order."""

    index: int
    company: names.Company
    kind: names.ContractType
    company_provides: bool
    goods: str
    naming: int
    numbering: int
    sections: tuple[str, ...]
    headings: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Contract:
    """``spans`` are labelled with category names, sorted by position; ``clauses`` say where each
    liability clause starts."""

    title: str
    text: str
    spans: tuple[Span, ...]
    clauses: tuple[tuple[int, LiabilityClause], ...]


def make_family(seed: int, index: int) -> Family:
    draws = Draws(seed, "family", index)
    kind = draws.pick(names.TYPES)
    terms = draws.sample(sorted(TERMS), 8 + draws.below(6))
    general = [topic for topic in sorted(BODY) if topic not in (*_FIRST, *_LAST, *boilerplate.ANCHORS)]
    middle = draws.shuffled([*terms, *draws.sample(general, 7 + draws.below(6)), *boilerplate.ANCHORS])
    # Limits of liability stand in the second half, as they mostly do.
    middle.insert(len(middle) // 2 + draws.below(len(middle) // 2), _LIABILITY)
    sections = (*_FIRST, *middle, *_LAST)
    return Family(
        index=index,
        company=names.company(seed, index),
        kind=kind,
        company_provides=draws.chance(0.65),
        goods=draws.pick(kind.goods),
        naming=draws.below(3),
        numbering=draws.below(len(_NUMBERINGS)),
        sections=sections,
        headings={
            topic: draws.pick(_HEADINGS if topic == _LIABILITY else TOPICS[topic].headings) for topic in sections
        },
    )


def contract_slots(seed: int, family: Family, number: int) -> dict[str, str]:
    """The names, dates and sums of contract ``number``, and the section numbers that it refers to."""
    draws = Draws(seed, "contract", number, "slots")
    other = names.counterparty(draws)
    provider, payer = (family.company, other) if family.company_provides else (other, family.company)
    p, p_start = _reference(family.naming, provider, family.kind.provider)
    c, c_start = _reference(family.naming, payer, family.kind.payer)
    year, month, day = _date(draws)
    at = {topic: str(place) for place, topic in enumerate(family.sections, start=1)}
    letter = draws.pick("ABCDEFG")
    return {
        **_PHRASES,
        "p": p,
        "P": p_start,
        "c": c,
        "C": c_start,
        "p_name": provider.name,
        "c_name": payer.name,
        "p_role": family.kind.provider,
        "c_role": family.kind.payer,
        "payer": c,
        "kind": family.kind.name,
        "goods": family.goods,
        "state": draws.pick(names.STATES),
        "city": draws.pick(names.STATES),
        "territory": draws.pick(names.TERRITORIES),
        "signed": f"{names.MONTHS[month - 1]} {day}, {year}",
        "effective": f"{names.MONTHS[month % 12]} 1, {year + (month == 12)}",
        "money": f"${(1 + draws.below(80)) * 25_000:,}",
        "sum": _sum(draws),
        "nominal": f"${(2 + draws.below(17)) * 500:,}",
        "count": f"{(1 + draws.below(60)) * 50:,}",
        "percent": draws.pick(
            ("two percent (2%)", "five percent (5%)", "8%", "ten percent", "twelve percent (12%)", "15%")
        ),
        "letter": letter,
        # Beyond the last section: nothing in the contract tells what these deal with.
        "far1": f"{41 + draws.below(20)}.{1 + draws.below(9)}",
        "far2": str(61 + draws.below(20)),
        "sec_conf": at["conf"],
        "head_conf": family.headings["conf"],
        "sec_indem": at["indem"],
        "head_indem": family.headings["indem"],
    }


def liability_slots(slots: Mapping[str, str], draws: Draws) -> dict[str, str]:
    """``slots`` with the roles in a liability clause: mostly the party that provides is protected."""
    a, b = ("p", "c") if draws.chance(0.75) else ("c", "p")
    return {**slots, "a": slots[a], "A": slots[a.upper()], "b": slots[b], "B": slots[b.upper()]}


def write_contract(
    seed: int, family: Family, number: int, place: int, slots: Mapping[str, str], clauses: list[LiabilityClause]
) -> Contract:
    """Contract ``number`` of the corpus, ``place`` (from 0) of its family, around its ``clauses``."""
    own = Draws(seed, "contract", number, "own")
    title_draws = Draws(seed, "contract", number, "title")
    title = names.title(family.company.filed, family.kind.name, _date(title_draws), place + 1, title_draws)

    def stream(topic: str) -> Draws:
        redrawn = place > 0 and own.chance(_REDRAWN)
        return Draws(seed, "contract", number, topic) if redrawn else Draws(seed, "family", family.index, topic)

    builder = _Builder()
    opening = stream("opening")
    builder.add(f"{family.kind.name.upper()}\n\n")
    builder.add_marked(expand(opening.pick(_PREAMBLE), opening, slots))
    builder.add("\n\n")
    builder.add_marked(_sentences(expand(opening.pick(_RECITALS), opening, slots)))
    for section, topic in enumerate(family.sections, start=1):
        builder.add("\n\n" + _NUMBERINGS[family.numbering](section, family.headings[topic]))
        if topic == _LIABILITY:
            _add_liability(builder, section, clauses)
        else:
            draws = stream(topic)
            # The body is often told in two paragraphs; two wordings of one term would contradict each other.
            wordings = 2 if topic in BODY and draws.chance(_SECOND_PARAGRAPH) else 1
            for count, template in enumerate(draws.sample(TOPICS[topic].texts, wordings)):
                builder.add("\n\n" if count else "")
                builder.add_marked(_sentences(expand(template, draws, slots)))
    builder.add("\n\n")
    builder.add_marked(expand(opening.pick(_CLOSING), opening, slots))
    text, spans = builder.finish()
    return Contract(title, text, spans, tuple(builder.clauses))


class _Builder:
    """Text under construction and the spans in it."""

    def __init__(self) -> None:
        self.clauses: list[tuple[int, LiabilityClause]] = []
        self._parts: list[str] = []
        self._length = 0
        self._spans: list[Span] = []

    def add(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)

    def add_marked(self, marked: str) -> None:
        text, spans = strip_marks(marked)
        for label, start, end in spans:
            # A mark may take in the blank that follows a choice; an annotation has none.
            trimmed = text[start:end].strip(" ,")
            begin = self._length + start + text[start:end].index(trimmed)
            self._spans.append(Span(label, begin, begin + len(trimmed)))
        self.add(text)

    def add_clause(self, clause: LiabilityClause) -> None:
        self.clauses.append((self._length, clause))
        for category in clause.categories:
            self._spans.append(Span(category, self._length, self._length + len(clause.text)))
        self.add(clause.text)

    def finish(self) -> tuple[str, tuple[Span, ...]]:
        ordered = sorted(set(self._spans), key=lambda span: (span.start, span.end, span.label))
        return "".join(self._parts), tuple(ordered)


def _add_liability(builder: _Builder, section: int, clauses: list[LiabilityClause]) -> None:
    for number, clause in enumerate(clauses, start=1):
        builder.add(f"{section}.{number} " if number == 1 else f"\n\n{section}.{number} ")
        if clause.before:
            builder.add(clause.before + " ")
        builder.add_clause(clause)
        if clause.after:
            builder.add(" " + clause.after)


def _reference(naming: int, company: names.Company, role: str) -> tuple[str, str]:
    """How the text names a party, within a sentence and at its start."""
    return ((role, role), (f"the {role}", f"The {role}"), (company.short, company.short))[naming]


def _sentences(marked: str) -> str:
    """A capital at the start of every sentence, whatever a choice put there."""
    return _SENTENCE_START.sub(lambda match: match.group(1) + match.group(2).upper(), marked)


def _date(draws: Draws) -> tuple[int, int, int]:
    return 1998 + draws.below(22), 1 + draws.below(12), 1 + draws.below(28)


def _sum(draws: Draws) -> str:
    """A sum that is not nominal, in one of the ways in which contracts write sums."""
    words, figure = draws.pick(
        (
            ("one hundred thousand", "100,000"),
            ("two hundred fifty thousand", "250,000"),
            ("five hundred thousand", "500,000"),
            ("seven hundred fifty thousand", "750,000"),
            ("one million", "1,000,000"),
            ("two million", "2,000,000"),
            ("five million", "5,000,000"),
        )
    )
    return draws.pick((f"${figure}", f"{words} dollars (${figure})", f"US${figure}", f"{words} United States dollars"))
