"""Operators that make a claim of known truth from a clause: faithful ones and unfaithful ones.

An operator takes the facts of a clause (and of another clause) and seeded draws, and yields claims.
One that cannot apply yields nothing. A faithful and an unfaithful claim of one kind share their
sentence patterns, so that the pattern gives nothing away. Truth is against the one text that the
claim names: what only the other text says is unsupported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pipeline.corpus.sample.draws import Draws
from pipeline.evaluation.clause_facts import (
    HEADS,
    RARE_SUBJECTS,
    SUBJECTS,
    Amount,
    Facts,
    Period,
    in_words,
    mentions,
    periods,
)
from pipeline.evaluation.rephrasing import calm, clip, flip_negation, quotable_pieces, rephrase, words

#: Faithful operators, then unfaithful ones.
FAITHFUL = ("quoted_fact", "paraphrase", "inference")
UNFAITHFUL = (
    "party_swapped",
    "amount_changed",
    "period_changed",
    "negation_flipped",
    "mutual_made_one_sided",
    "exception_dropped",
    "exception_invented",
    "section_changed",
    "fact_from_other_chunk",
    "over_general",
)
OPERATORS = (*FAITHFUL, *UNFAITHFUL)

QUOTED = ("{it} says: “{}”.", "In the words of the text: “{}”.", "{it} reads “{}”.")
AMOUNT = ("{it} names {}.", "A figure of {} is stated.", "{it} works with {}.")
PERIOD = ("A period of {} is named.", "{it} speaks of {}.", "The time stated is {}.")
SECTION = ("{it} refers to {}.", "There is a reference to {}.", "{} is mentioned.")
PROTECTED = ("{it} protects {}.", "It is {} whose liability is limited or excluded.", "{it} works in favour of {}.")
MUTUAL = ("The protection runs both ways.", "Both parties are protected.", "{it} protects the one party and the other.")
ONE_WAY = ("Only {} is protected.", "The protection is for {} alone.", "{it} protects {} and nobody else.")
EXCEPTED = ("There is an exception for {}.", "{it} makes an exception for {}.", "Excepted are matters of {}.")
NO_EXCEPTION = (
    "{it} knows no exception.",
    "There is no exception of any kind.",
    "{it} holds in every case, without exception.",
)
HEAD = ("{} damages are excluded.", "{it} excludes {} damages.", "No {} damages can be claimed.")
TOO_WIDE = (
    "All damages are excluded, direct ones included.",
    "{it} excludes every kind of damages.",
    "Not even direct damages can be claimed.",
)
NOBODY = ("No party to the agreement can be held liable.", "All parties are protected, whoever they are.")
#: Words by which an exception may be limited after all, at another level.
LIMITED_ANYWAY = r"and then|such (?:event|case)|subject to the|increased|up to|maximum|exceed .* exceed"
WHATEVER = ("The limit reaches {} as well.", "Claims about {} are limited too, like all others.")


@dataclass(frozen=True, slots=True)
class Made:
    """A claim before it is placed: ``it`` in a pattern has been filled with how the text is called."""

    operator: str
    claim: str


Operator = Callable[[Facts, Facts, str, Draws], Iterator[Made]]


def claims_of(clause: Facts, other: Facts, it: str, draws: Draws) -> list[Made]:
    """Every claim that the operators make about ``clause``; ``it`` is how a claim calls the text."""
    return [made for operator in ALL for made in operator(clause, other, it, draws)]


def _say(patterns: tuple[str, ...], it: str, draws: Draws, *values: str) -> str:
    said = draws.pick(patterns).format(*values, it=it)
    return said[0].upper() + said[1:]


def quoted_fact(clause: Facts, _: Facts, it: str, draws: Draws) -> Iterator[Made]:
    pieces = quotable_pieces(clause.text)
    if pieces:
        yield Made("quoted_fact", _say(QUOTED, it, draws, draws.pick(pieces)))


def paraphrase(clause: Facts, _: Facts, it: str, draws: Draws) -> Iterator[Made]:  # noqa: ARG001
    said = [rephrased for s in clause.sentences if (rephrased := rephrase(clip(s), draws))]
    if said:
        yield Made("paraphrase", draws.pick(said))


def inference(clause: Facts, _: Facts, it: str, draws: Draws) -> Iterator[Made]:
    for amount in clause.amounts[:1]:
        yield Made("inference", _say(AMOUNT, it, draws, say_amount(amount, draws)))
    for period in clause.periods[:1]:
        yield Made("inference", _say(PERIOD, it, draws, say_period(period, draws)))
    for kind, number in clause.sections[:1]:
        yield Made("inference", _say(SECTION, it, draws, f"{kind} {number}"))
    if clause.protected:
        yield Made("inference", _say(PROTECTED, it, draws, clause.protected))
    if clause.mutual:
        yield Made("inference", _say(MUTUAL, it, draws))
    if clause.excepted:
        yield Made("inference", _say(EXCEPTED, it, draws, draws.pick(clause.excepted)))
    if clause.heads:
        yield Made("inference", _say(HEAD, it, draws, draws.pick(clause.heads)))


def party_swapped(clause: Facts, _: Facts, it: str, draws: Draws) -> Iterator[Made]:
    if clause.protected and clause.counterparty:
        yield Made("party_swapped", _say(PROTECTED, it, draws, clause.counterparty))
    if clause.protected:
        names = (bare(clause.protected), bare(clause.counterparty) or "\0")
        one, other = (re.compile(rf"\b{re.escape(name)}\b", re.IGNORECASE) for name in names)
        for sentence in map(clip, clause.sentences):
            said = calm(sentence)
            if clause.counterparty and len(one.findall(said)) == 1 == len(other.findall(said)):
                swapped = other.sub(lambda _: names[0], one.sub("\0", said)).replace("\0", names[1])
                yield Made("party_swapped", f"{swapped.rstrip('.')}.")
                return


def amount_changed(clause: Facts, _: Facts, it: str, draws: Draws) -> Iterator[Made]:
    for amount in clause.amounts[:1]:
        factors = (3, 5, 7) if amount.currency == "times" else (0.25, 0.5, 0.6) if amount.value >= 20 else (3, 4)
        options = [
            changed
            for factor in factors
            if (changed := Amount(int(amount.value * factor), amount.currency)) not in clause.amounts and changed.value
        ]
        if options:
            yield Made("amount_changed", _say(AMOUNT, it, draws, say_amount(draws.pick(options), draws)))


def period_changed(clause: Facts, _: Facts, it: str, draws: Draws) -> Iterator[Made]:
    for period in clause.periods[:1]:
        options = [
            changed
            for number in (2, 3, 4, 6, 9, 12, 18, 24, 30, 36, 60, 90)
            if (changed := Period(number, period.unit)) not in clause.periods
            and not {_days(changed)} & {_days(known) for known in clause.periods}
        ]
        yield Made("period_changed", _say(PERIOD, it, draws, say_period(draws.pick(options), draws)))


def negation_flipped(clause: Facts, _: Facts, it: str, draws: Draws) -> Iterator[Made]:  # noqa: ARG001
    flipped = [changed for s in clause.sentences if (changed := flip_negation(clip(s)))]
    if flipped:
        said = draws.pick(flipped)
        yield Made("negation_flipped", rephrase(said, draws) or said)


def mutual_made_one_sided(clause: Facts, _: Facts, it: str, draws: Draws) -> Iterator[Made]:
    if clause.mutual:
        role = draws.pick(("the supplier", "the customer", "one of the parties", "the first party"))
        yield Made("mutual_made_one_sided", _say(ONE_WAY, it, draws, role))


def exception_dropped(clause: Facts, _: Facts, it: str, draws: Draws) -> Iterator[Made]:
    if clause.excepts and clause.excepted:
        yield Made("exception_dropped", _say(NO_EXCEPTION, it, draws))


def exception_invented(clause: Facts, _: Facts, it: str, draws: Draws) -> Iterator[Made]:
    absent = [name for name, shown in {**SUBJECTS, **RARE_SUBJECTS}.items() if not mentions(shown, clause.text)]
    yield Made("exception_invented", _say(EXCEPTED, it, draws, draws.pick(absent)))


def section_changed(clause: Facts, _: Facts, it: str, draws: Draws) -> Iterator[Made]:
    for kind, number in clause.sections[:1]:
        head, dot, last = number.rpartition(".")
        options = [
            f"{head}{dot}{int(last) + step}"
            for step in (1, 2, 3, 5, 8)
            if not re.search(rf"(?<![\d.]){re.escape(head + dot)}{int(last) + step}\b", clause.text)
        ]
        if options:
            yield Made("section_changed", _say(SECTION, it, draws, f"{kind} {draws.pick(options)}"))


def fact_from_other_chunk(clause: Facts, other: Facts, it: str, draws: Draws) -> Iterator[Made]:
    known = words(clause.text)

    def foreign(text: str) -> bool:
        said = words(text)
        return len(said) >= 5 and len(said - known) >= 0.4 * len(said)

    pieces = [piece for piece in quotable_pieces(other.text) if foreign(piece)]
    if pieces:
        yield Made("fact_from_other_chunk", _say(QUOTED, it, draws, draws.pick(pieces)))
    said = [r for s in other.sentences if foreign(clip(s)) and (r := rephrase(clip(s), draws))]
    if said:
        yield Made("fact_from_other_chunk", draws.pick(said))
    for amount in other.amounts[:1]:
        if amount not in clause.amounts and str(amount.value) not in clause.text.replace(",", ""):
            yield Made("fact_from_other_chunk", _say(AMOUNT, it, draws, say_amount(amount, draws)))
    for period in other.periods[:1]:
        if _days(period) not in {_days(known) for known in periods(clause.text)} and not mentions(
            rf"\b{period.number}\b|\b{in_words(period.number)}\b", clause.text
        ):
            yield Made("fact_from_other_chunk", _say(PERIOD, it, draws, say_period(period, draws)))
    name = other.protected
    if name and not mentions(re.escape(bare(name)), clause.text):
        yield Made("fact_from_other_chunk", _say(PROTECTED, it, draws, name))


def over_general(clause: Facts, _: Facts, it: str, draws: Draws) -> Iterator[Made]:
    if clause.indirect_only:
        yield Made("over_general", _say(TOO_WIDE, it, draws))
    if clause.protected and clause.counterparty:
        yield Made("over_general", _say(NOBODY, it, draws))
    if clause.excepted and not mentions(LIMITED_ANYWAY, clause.text):
        yield Made("over_general", _say(WHATEVER, it, draws, draws.pick(clause.excepted)))
    absent = [name for name, shown in HEADS.items() if not mentions(shown, clause.text)]
    if clause.indirect_only and absent:
        yield Made("over_general", _say(HEAD, it, draws, draws.pick(absent)))


ALL: tuple[Operator, ...] = (
    quoted_fact,
    paraphrase,
    inference,
    party_swapped,
    amount_changed,
    period_changed,
    negation_flipped,
    mutual_made_one_sided,
    exception_dropped,
    exception_invented,
    section_changed,
    fact_from_other_chunk,
    over_general,
)


def bare(name: str | None) -> str:
    return (name or "").removeprefix("the ")


def say_amount(amount: Amount, draws: Draws) -> str:
    """One of the usual ways to write it."""
    number = f"{amount.value:,}"
    if amount.currency == "times":
        return draws.pick((f"{in_words(amount.value) or amount.value} times", f"{amount.value} times"))
    if amount.currency == "%":
        return draws.pick((f"{amount.value}%", f"{amount.value} percent"))
    name = {"$": "dollars", "€": "euros", "£": "pounds"}[amount.currency]
    return draws.pick((f"{amount.currency}{number}", f"{number} {name}", f"{amount.value} {name}"))


def say_period(period: Period, draws: Draws) -> str:
    unit = period.unit + ("s" if period.number != 1 else "")
    spelled = in_words(period.number)
    forms = [f"{period.number} {unit}"]
    if spelled:
        forms += [f"{spelled} {unit}", f"{spelled} ({period.number}) {unit}"]
    return draws.pick(forms)


def _days(period: Period) -> int:
    """Length for the comparison "another way to say the same": a year is twelve months, a month 30 days."""
    return period.number * {"day": 1, "week": 7, "month": 30, "year": 360}[period.unit]
