"""The sample corpus: invented contracts in CUAD's form, with liability labels known by construction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pipeline.base.errors import CuadAuditError
from pipeline.corpus.sample.contract import (
    Contract,
    Family,
    contract_slots,
    liability_slots,
    make_family,
    write_contract,
)
from pipeline.corpus.sample.draws import Draws
from pipeline.corpus.sample.labels import CATEGORIES, adjudication, item, question
from pipeline.corpus.sample.liability import LiabilityClause, compose
from pipeline.corpus.sample.recipes import RECIPES

VERSION = "sample_v1"
#: Times that a clause is drawn again where the corpus already holds its very words.
_REDRAWS = 6
_SECOND_CLAUSE = 0.6  # share of families whose contracts carry a second liability clause
#: What a second clause is: the plain limits that carve-outs and remedies stand beside.
_SECOND = ("waiver-mutual", "waiver-mutual-listed", "cap-mutual-listed", "cap-one", "waiver-one", "both-mutual-listed")


@dataclass(frozen=True)
class SampleCorpus:
    """``squad``: the corpus in SQuAD 2.0 form. ``labels``: rows by file name, as in ``data/labels``."""

    squad: dict[str, Any]
    labels: dict[str, list[dict[str, Any]]]


def generate(contracts: int, families: int, seed: int) -> SampleCorpus:
    """Write ``contracts`` contracts of ``families`` companies; the same arguments give the same bytes.

    Work and size grow with ``contracts`` alone. Every recipe of liability clause occurs once
    ``contracts`` reaches a round of them (80). Raises ``CuadAuditError`` for sizes that cannot be."""
    _check(contracts, families)
    deck = _deck(seed)
    made = [make_family(seed, index) for index in range(families)]
    members = [0] * families
    seen: set[str] = set()
    documents: list[dict[str, Any]] = []
    items: list[dict[str, Any]] = []
    rulings: list[dict[str, Any]] = []
    for number in range(contracts):
        # Every family has a contract before any has a second.
        index = number if number < families else Draws(seed, "contract", number, "family").below(families)
        family, place = made[index], members[index]
        members[index] += 1
        slots = contract_slots(seed, family, number)
        clauses = [_own_clause(seed, number, deck[number % len(deck)], slots, seen)]
        second = _second_clause(seed, family, slots, beside=clauses[0])
        labelled = 1
        if second is not None:
            if second.text not in seen:
                seen.add(second.text)
                labelled = 2
            clauses.append(second)
        contract = write_contract(seed, family, number, place, slots, clauses)
        documents.append(_document(contract))
        for start, clause in contract.clauses[:labelled]:
            item_id = f"S{len(items) + 1:05d}"
            items.append(item(item_id, contract.title, start, clause, family.company.family))
            rulings.append(adjudication(item_id, start, clause))
    return SampleCorpus({"version": VERSION, "data": documents}, {"items.jsonl": items, "adjudications.jsonl": rulings})


def _check(contracts: int, families: int) -> None:
    for key, value in (("contracts", contracts), ("families", families)):
        if value < 1:
            raise CuadAuditError(f"source.{key}: {value} is not positive", "ask for at least 1")
    if contracts < families:
        raise CuadAuditError(
            f"source.contracts: {contracts} contracts cannot make {families} families",
            "ask for at least as many contracts as families",
        )


def _deck(seed: int) -> list[str]:
    """A round of recipes, each as often as its weight, shuffled."""
    cards = [recipe for recipe in sorted(RECIPES) for _ in range(RECIPES[recipe][0])]
    return Draws(seed, "deck").shuffled(cards)


def _own_clause(seed: int, number: int, recipe: str, slots: dict[str, str], seen: set[str]) -> LiabilityClause:
    """The contract's own clause, in words that the corpus does not hold yet if a few draws find any."""
    for attempt in range(_REDRAWS):
        draws = Draws(seed, "contract", number, "clause", attempt)
        clause = compose(recipe, draws, liability_slots(slots, draws))
        if clause.text not in seen:
            break
    seen.add(clause.text)
    return clause


def _second_clause(seed: int, family: Family, slots: dict[str, str], beside: LiabilityClause) -> LiabilityClause | None:
    """The clause that a family's contracts share but for names and sums. A carve-out never stands alone."""
    draws = Draws(seed, "family", family.index, "second")
    wanted = draws.chance(_SECOND_CLAUSE)
    if not wanted and not beside.recipe.startswith("carve-out"):
        return None
    recipe = draws.pick(_SECOND)
    clause = compose(recipe, draws, liability_slots(slots, draws))
    return None if clause.text == beside.text else clause


def _document(contract: Contract) -> dict[str, Any]:
    answers: dict[str, list[dict[str, Any]]] = {category: [] for category in CATEGORIES}
    for label, start, end in contract.spans:
        answers[label].append({"text": contract.text[start:end], "answer_start": start})
    questions = [
        {
            "id": f"{contract.title}__{category}",
            "question": question(category),
            "answers": found,
            "is_impossible": not found,
        }
        for category, found in answers.items()
    ]
    return {"title": contract.title, "paragraphs": [{"context": contract.text, "qas": questions}]}
