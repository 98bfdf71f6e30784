"""Operators that make a claim of known truth from a clause: faithful ones and unfaithful ones.

An operator takes the facts of a clause (and of another clause) and seeded draws, and yields claims.
One that cannot apply yields nothing. A faithful and an unfaithful claim of one kind share their
sentence patterns, so that the pattern gives nothing away. Truth is against the one text that the
claim names: what only the other text says is unsupported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

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
from pipeline.evaluation.clause_parties import owes, pays
from pipeline.evaluation.judge_wordings import (
    AMOUNT,
    EXCEPTED,
    HEAD,
    LIABLE_TO,
    MUTUAL,
    NO_EXCEPTION,
    NOBODY,
    ONE_WAY,
    PAYS,
    PERIOD,
    PROTECTED,
    QUOTED,
    SECTION,
    TOO_WIDE,
    WHATEVER,
    Wordings,
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


#: Words by which an exception may be limited after all, at another level.
LIMITED_ANYWAY = r"and then|such (?:event|case)|subject to the|increased|up to|maximum|exceed .* exceed"


@dataclass(frozen=True, slots=True)
class Made:
    """A claim, and whether its wording is one that is kept for the held-out half."""

    operator: str
    claim: str
    unseen: bool = False


@dataclass(frozen=True)
class Speaker:
    """Puts claims into words. ``it`` is how a claim calls its text; ``held_out`` opens the unseen wordings."""

    it: str
    draws: Draws
    held_out: bool

    def say(self, operator: str, wordings: Wordings, *values: str) -> Made:
        unseen = self.held_out and self.draws.chance(0.5)
        pattern = self.draws.pick(wordings.unseen if unseen else wordings.shared)
        said = pattern.format(*values, it=self.it)
        return Made(operator, said[0].upper() + said[1:], unseen)

    def rephrased(self, operator: str, sentences: Sequence[str], always: bool = False) -> Iterator[Made]:
        """One of the sentences rephrased; with ``always`` as it is where none can be."""
        unseen = self.held_out and self.draws.chance(0.5)
        said = [rephrased for s in sentences if (rephrased := rephrase(s, self.draws, unseen))]
        if said or (always and sentences):
            yield Made(operator, self.draws.pick(said or sentences), unseen and bool(said))


Operator = Callable[[Facts, Facts, Speaker], Iterator[Made]]


def claims_of(clause: Facts, other: Facts, speaker: Speaker, operators: Sequence[Operator] | None = None) -> list[Made]:
    """Every claim that the operators (all by default) make about ``clause``."""
    return [made for operator in operators or ALL for made in operator(clause, other, speaker)]


def quoted_fact(clause: Facts, _: Facts, speaker: Speaker) -> Iterator[Made]:
    pieces = quotable_pieces(clause.text)
    if pieces:
        yield speaker.say("quoted_fact", QUOTED, speaker.draws.pick(pieces))


def paraphrase(clause: Facts, _: Facts, speaker: Speaker) -> Iterator[Made]:
    yield from speaker.rephrased("paraphrase", clipped(clause))


def amount_stated(clause: Facts, _: Facts, speaker: Speaker) -> Iterator[Made]:
    for amount in clause.amounts[:2]:
        yield speaker.say("inference", AMOUNT, say_amount(amount, speaker.draws))


def inference(clause: Facts, _: Facts, speaker: Speaker) -> Iterator[Made]:
    draws = speaker.draws
    yield from amount_stated(clause, _, speaker)
    for period in clause.periods[:1]:
        yield speaker.say("inference", PERIOD, say_period(period, draws))
    for kind, number in clause.sections[:1]:
        yield speaker.say("inference", SECTION, f"{kind} {number}")
    if clause.protected:
        yield speaker.say("inference", PROTECTED, clause.protected)
    if clause.owes:
        yield speaker.say("inference", LIABLE_TO, *clause.owes)
    if clause.pays:
        yield speaker.say("inference", PAYS, *clause.pays)
    if clause.mutual:
        yield speaker.say("inference", MUTUAL)
    if clause.excepted:
        yield speaker.say("inference", EXCEPTED, draws.pick(clause.excepted))
    if clause.heads:
        yield speaker.say("inference", HEAD, draws.pick(clause.heads))


def party_swapped(clause: Facts, _: Facts, speaker: Speaker) -> Iterator[Made]:
    for wordings, pair in ((LIABLE_TO, clause.owes), (PAYS, clause.pays)):
        if pair:
            yield speaker.say("party_swapped", wordings, *reversed(pair))
    if clause.protected and clause.counterparty:
        yield speaker.say("party_swapped", PROTECTED, clause.counterparty)
    for said in clipped(clause):
        pair = owes(said) or pays(said)
        if pair and pair in (clause.owes, clause.pays) and (swapped := exchanged(calm(said), *pair)):
            yield Made("party_swapped", swapped)
            return


def amount_changed(clause: Facts, _: Facts, speaker: Speaker) -> Iterator[Made]:
    for amount in clause.amounts[:2]:
        factors = (3, 5, 7) if amount.currency == "times" else (0.25, 0.5, 0.6) if amount.value >= 20 else (3, 4)
        options = [
            changed
            for factor in factors
            if (changed := Amount(int(amount.value * factor), amount.currency)) not in clause.amounts and changed.value
        ]
        if options:
            said = say_amount(speaker.draws.pick(options), speaker.draws)
            yield speaker.say("amount_changed", AMOUNT, said)


def period_changed(clause: Facts, _: Facts, speaker: Speaker) -> Iterator[Made]:
    for period in clause.periods[:1]:
        options = [
            changed
            for number in (2, 3, 4, 6, 9, 12, 18, 24, 30, 36, 60, 90)
            if (changed := Period(number, period.unit)) not in clause.periods
            and not {_days(changed)} & {_days(known) for known in clause.periods}
        ]
        said = say_period(speaker.draws.pick(options), speaker.draws)
        yield speaker.say("period_changed", PERIOD, said)


def negation_flipped(clause: Facts, _: Facts, speaker: Speaker) -> Iterator[Made]:
    flipped = [changed for sentence in clipped(clause) if (changed := flip_negation(sentence))]
    if flipped:
        yield from speaker.rephrased("negation_flipped", [speaker.draws.pick(flipped)], always=True)


def mutual_made_one_sided(clause: Facts, _: Facts, speaker: Speaker) -> Iterator[Made]:
    if clause.mutual:
        role = speaker.draws.pick(("the supplier", "the customer", "one of the parties", "the first party"))
        yield speaker.say("mutual_made_one_sided", ONE_WAY, role)


def exception_dropped(clause: Facts, _: Facts, speaker: Speaker) -> Iterator[Made]:
    if clause.excepts and clause.excepted:
        yield speaker.say("exception_dropped", NO_EXCEPTION)


def exception_invented(clause: Facts, _: Facts, speaker: Speaker) -> Iterator[Made]:
    yield speaker.say("exception_invented", EXCEPTED, speaker.draws.pick(_unnamed(clause.text)))


@lru_cache(maxsize=2048)
def _unnamed(text: str) -> tuple[str, ...]:
    """The subjects of which a clause has no word."""
    return tuple(name for name, shown in {**SUBJECTS, **RARE_SUBJECTS}.items() if not mentions(shown, text))


def section_changed(clause: Facts, _: Facts, speaker: Speaker) -> Iterator[Made]:
    for kind, number in clause.sections[:1]:
        head, dot, last = number.rpartition(".")
        options = [
            f"{head}{dot}{int(last) + step}"
            for step in (1, 2, 3, 5, 8)
            if not re.search(rf"(?<![\d.]){re.escape(head + dot)}{int(last) + step}\b", clause.text)
        ]
        if options:
            yield speaker.say("section_changed", SECTION, f"{kind} {speaker.draws.pick(options)}")


def fact_from_other_chunk(clause: Facts, other: Facts, speaker: Speaker) -> Iterator[Made]:
    name, draws, known = "fact_from_other_chunk", speaker.draws, words(clause.text)

    def foreign(text: str) -> bool:
        said = words(text)
        return len(said) >= 5 and len(said - known) >= 0.4 * len(said)

    pieces = [piece for piece in quotable_pieces(other.text) if foreign(piece)]
    if pieces:
        yield speaker.say(name, QUOTED, draws.pick(pieces))
    yield from speaker.rephrased(name, [sentence for sentence in clipped(other) if foreign(sentence)])
    for amount in other.amounts[:1]:
        if amount not in clause.amounts and str(amount.value) not in clause.text.replace(",", ""):
            yield speaker.say(name, AMOUNT, say_amount(amount, draws))
    for period in other.periods[:1]:
        if _days(period) not in {_days(one) for one in periods(clause.text)} and not mentions(
            rf"\b{period.number}\b|\b{in_words(period.number)}\b", clause.text
        ):
            yield speaker.say(name, PERIOD, say_period(period, draws))
    if other.protected and not mentions(re.escape(bare(other.protected)), clause.text):
        yield speaker.say(name, PROTECTED, other.protected)


def over_general(clause: Facts, _: Facts, speaker: Speaker) -> Iterator[Made]:
    if clause.indirect_only:
        yield speaker.say("over_general", TOO_WIDE)
    if clause.protected and clause.counterparty:
        yield speaker.say("over_general", NOBODY)
    if clause.excepted and not mentions(LIMITED_ANYWAY, clause.text):
        yield speaker.say("over_general", WHATEVER, speaker.draws.pick(clause.excepted))
    if clause.indirect_only:
        absent = [name for name, shown in HEADS.items() if not mentions(shown, clause.text)]
        if absent:
            yield speaker.say("over_general", HEAD, speaker.draws.pick(absent))


#: For a clause that was given an amount: only what concerns it.
OF_AMOUNTS: tuple[Operator, ...] = (amount_stated, amount_changed)
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


def clipped(clause: Facts) -> list[str]:
    """Its sentences, each cut to what a claim can hold; those that cannot be are left out."""
    return list(_clipped(clause.sentences))


@lru_cache(maxsize=2048)
def _clipped(sentences: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(said for sentence in sentences if (said := clip(sentence)))


def exchanged(said: str, *names: str) -> str | None:
    """The sentence with two names in each other's place, where each stands in it once."""
    one, other = (re.compile(rf"\b{re.escape(bare(name))}\b", re.IGNORECASE) for name in names)
    if not len(one.findall(said)) == 1 == len(other.findall(said)):
        return None
    swapped = other.sub(lambda _: bare(names[0]), one.sub("\0", said)).replace("\0", bare(names[1]))
    return f"{swapped.rstrip('.')}."


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
