from __future__ import annotations

from collections import Counter

import pytest

from pipeline.base.types import Chunk
from pipeline.corpus.sample.draws import Draws
from pipeline.evaluation.clause_facts import Amount, Period, facts
from pipeline.evaluation.judge_claims import HALVES, PER_FAMILY, counts, half_of, judge_cases, with_a_sum
from pipeline.evaluation.judge_operators import FAITHFUL, UNFAITHFUL, Speaker, claims_of
from pipeline.evaluation.rephrasing import calm, clip, flip_negation, quotable_pieces, rephrase, reword

MUTUAL = (
    "Except for breach of confidentiality or gross negligence, in no event shall either party be liable to the other "
    "party for any indirect, special or consequential damages arising out of this Agreement."
)
ONE_SIDED = (
    "IN NO EVENT SHALL SUPPLIER BE LIABLE TO CUSTOMER FOR ANY INDIRECT OR CONSEQUENTIAL DAMAGES. SUPPLIER'S TOTAL "
    "LIABILITY SHALL NOT EXCEED $250,000 OR THE FEES OF TWELVE (12) MONTHS UNDER SECTION 9.2."
)


def made(text: str, other: str = ONE_SIDED, it: str = "the clause") -> dict[str, list[str]]:
    table: dict[str, list[str]] = {}
    for seed in range(24):  # the draws pick among patterns: look at several
        for claim in claims_of(facts(text), facts(other), Speaker(it, Draws(seed), held_out=seed % 2 == 1)):
            table.setdefault(claim.operator, []).append(claim.claim)
    return table


def test_facts_of_a_mutual_clause() -> None:
    read = facts(MUTUAL)
    assert read.mutual and read.protected is None
    assert read.excepted == ("confidentiality", "gross negligence")
    assert read.heads == ("indirect", "consequential", "special")
    assert read.amounts == () and read.periods == () and read.sections == ()


def test_facts_of_a_one_sided_clause() -> None:
    read = facts(ONE_SIDED)
    assert not read.mutual
    assert (read.protected, read.counterparty) == ("Supplier", "Customer")
    assert read.amounts == (Amount(250_000, "$"),)
    assert read.periods == (Period(12, "month"),)
    assert read.sections == (("Section", "9.2"),)
    assert read.excepted == () and not read.excepts


@pytest.mark.parametrize(
    "text",
    [
        "Each party waives claims; in no event shall Supplier be liable to Customer.",  # both are spoken of
        "In no event shall it be liable for any loss.",  # a pronoun names no party
        "In no event shall Supplier be liable to Customer, and Customer shall not be liable to Supplier.",
    ],
)
def test_who_is_protected_is_left_open_where_it_may_be_both(text: str) -> None:
    assert facts(text).protected is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("within ninety (90) days", (Period(90, "day"),)),
        ("the 6 months before", (Period(6, "month"),)),
        ("a two-year period", (Period(2, "year"),)),
        ("twelve (10) months", ()),  # the words and the figure disagree: nothing is beyond doubt
        ("several months", ()),
    ],
)
def test_periods(text: str, expected: tuple[Period, ...]) -> None:
    assert facts(text).periods == expected


def test_unfaithful_claims_contradict_the_clause_they_are_made_from() -> None:
    table = made(ONE_SIDED, MUTUAL)
    assert any("liability of Customer to Supplier" in claim for claim in table["party_swapped"])
    assert not any("liability of Supplier to Customer" in claim for claim in table["party_swapped"])
    assert any("liability of Supplier to Customer" in claim for claim in table["inference"])
    assert all("250,000" not in claim and "250000" not in claim for claim in table["amount_changed"])
    assert all("12" not in claim and "twelve" not in claim for claim in table["period_changed"])
    assert all("9.2" not in claim for claim in table["section_changed"])
    assert all("shall be liable" in c or "will be liable" in c or "may exceed" in c for c in table["negation_flipped"])
    assert all("shall not" not in c and "in no event" not in c.lower() for c in table["negation_flipped"])
    assert "exception_dropped" not in table  # there is none to drop
    assert "mutual_made_one_sided" not in table
    assert all("supplier" not in claim.lower() for claim in table["fact_from_other_chunk"])


def test_whose_payments_measure_the_limit_is_turned_round() -> None:
    text = "Each party's liability under this order shall not exceed the fees paid by Buyer to Seller in the last year."
    table = made(text)
    assert {*table["party_swapped"]} & {"The limit hangs on what Seller pays to Buyer."}
    assert {*table["inference"]} & {"The limit hangs on what Buyer pays to Seller."}
    whole = (
        "Each party's liability under this order shall not exceed the fees paid by Seller to Buyer in the last year."
    )
    assert whole in table["party_swapped"]


def test_claims_of_a_mutual_clause() -> None:
    table = made(MUTUAL)
    one_way = ("only", "alone", "nobody else", "stays exposed", "no one but", "privilege", "but not")
    assert all(any(words in c.lower() for words in one_way) for c in table["mutual_made_one_sided"])
    assert table["exception_dropped"]
    said = " ".join(table["exception_invented"])
    assert "confidentiality" not in said and "gross negligence" not in said
    assert "party_swapped" not in table and "amount_changed" not in table


def test_a_clause_without_liability_words_makes_no_claim_of_limits() -> None:
    table = made("The Distributor shall use reasonable efforts to promote the goods throughout the territory.", MUTUAL)
    assert set(table) <= {"quoted_fact", "exception_invented", "fact_from_other_chunk"}


def test_quotations_are_verbatim() -> None:
    text = f"{MUTUAL}\n   {ONE_SIDED}"
    flat = " ".join(text.split())
    assert quotable_pieces(text)
    for claim in made(text)["quoted_fact"]:
        assert claim.split("“")[1].split("”")[0] in flat


@pytest.mark.parametrize(
    ("sentence", "flipped"),
    [
        (
            "Neither party shall be liable for indirect loss under this contract.",
            "Each party shall be liable for indirect loss under this contract.",
        ),
        (
            "In no event shall either party be liable for lost data or goodwill.",
            "Each party shall be liable for lost data or goodwill.",
        ),
        (
            "The total liability of Supplier shall not exceed $5,000.",
            "The total liability of Supplier may exceed $5,000.",
        ),
        ("Neither party shall not be liable for anything at all here.", None),  # a double negative
        ("The buyer shall pay every invoice within the agreed time.", None),
    ],
)
def test_negation_is_turned_round_once_or_not_at_all(sentence: str, flipped: str | None) -> None:
    assert flip_negation(sentence) == flipped


@pytest.mark.parametrize(
    "sentence",
    [
        "or otherwise shall be liable for any loss of the goods that were delivered.",  # begins in the middle
        "Supplier shall not be liable to the buyer for any special,",  # ends in the middle
        # what is cut away takes back what stays
        "Supplier shall not be liable for any loss of any kind that the buyer may suffer by reason of delay of the "
        "carrier, whether or not the carrier was at fault, except where the loss follows from fraud of Supplier.",
    ],
)
def test_no_claim_is_made_from_what_is_no_whole_sentence(sentence: str) -> None:
    assert clip(sentence) == ""


def test_a_cut_falls_between_words_and_never_in_a_number() -> None:
    long = (
        "In no event shall Supplier be liable to Customer under this order or any other order for a total amount that "
        "is more than the sum of US$2,000,000 and the sums paid by Customer in the year before the claim arose."
    )
    assert not clip(long).endswith("US$2")


def test_a_carve_out_from_either_partys_liability_is_no_mutual_limit() -> None:
    assert not facts("The limits of this Section do not apply to either party's liability for fraud or theft.").mutual
    assert facts("Either party's total liability under this order shall not exceed $5,000.").mutual


def test_rephrasing_changes_words_and_keeps_figures() -> None:
    said = rephrase("Supplier's aggregate liability arising out of this order shall not exceed $5,000.", Draws(1))
    assert said is not None and "$5,000" in said and "aggregate" not in said and "arising out of" not in said
    assert rephrase("The buyer pays.", Draws(1)) is None
    assert calm("SUPPLIER SHALL PAY NOTHING") == "Supplier shall pay nothing"
    assert calm("Supplier shall pay NOTHING") == "Supplier shall pay NOTHING"


def test_wordings_kept_for_the_held_out_half_stay_there() -> None:
    cases = judge_cases(chunks(), seed=20, per_half=60)
    assert not any(case.unseen for case in cases if case.half == "tuning")
    assert any(case.unseen for case in cases if case.half == "held_out")
    said = rephrase("Supplier's aggregate liability arising out of this order shall not exceed $5,000.", Draws(1), True)
    assert said is not None and "combined" in said and "$5,000" in said
    assert rephrase("Any liability relating to this order shall be paid by the insurer.", Draws(1), True) is None


def test_rewording_leaves_quotations_alone() -> None:
    claim = "The clause says: “no exception is named”."
    assert reword(claim) == "The clause states: “no exception is named”."
    assert reword("Anything else.") != "Anything else."


def chunks(families: int = 40) -> list[Chunk]:
    made = []
    for number in range(families):
        for kind, text in enumerate((MUTUAL, ONE_SIDED.replace("250,000", f"{number + 2}00,000"))):
            made.append(Chunk(f"c{number:03d}{kind}", f"T{number}", 0, len(text), text, (), f"family{number}"))
    return made


def test_cases_are_balanced_grouped_and_seeded() -> None:
    cases = judge_cases(chunks(), seed=20, per_half=60)
    assert cases == judge_cases(list(reversed(chunks())), seed=20, per_half=60)
    assert cases != judge_cases(chunks(), seed=21, per_half=60)
    for half in HALVES:
        mine = [case for case in cases if case.half == half]
        assert sum(case.faithful for case in mine) == sum(not case.faithful for case in mine) == 60
        assert all(half_of(case.family) == half for case in mine)
        assert max(Counter((case.family, case.operator) for case in mine).values()) <= PER_FAMILY
    assert set(counts(cases)["tuning"]) == {*FAITHFUL, *UNFAITHFUL}
    assert len({case.case_id for case in cases}) == len(cases)


def test_a_ceiling_is_given_a_sum_for_claims_of_amounts_alone() -> None:
    clause = "Vendor's total liability under this order shall not exceed the fees paid by Client."
    plain = [Chunk(f"p{n}", "T", 0, 9, clause, (), f"family{n}") for n in range(12)]
    given = {chunk.chunk_id: chunk for chunk in with_a_sum(plain, seed=20)}
    assert [chunk_id.removesuffix("+sum") for chunk_id in given] == [chunk.chunk_id for chunk in plain]
    assert all(facts(chunk.text).amounts for chunk in given.values())
    assert with_a_sum(chunks(), seed=20) == []  # more than a ceiling: left alone
    cases = judge_cases(plain, seed=20, per_half=60)
    about_sums = [c for c in cases if "$" in (c.clause if c.about == "clause" else c.cited.text)]
    assert {case.operator for case in about_sums} == {"inference", "amount_changed"}
    # the text that a claim is not about is a clause as it stands
    assert all(case.cited.chunk_id not in given for case in cases if case.about == "clause")


def test_the_other_text_comes_from_another_family_of_the_same_half() -> None:
    cases = judge_cases(chunks(), seed=20, per_half=40)
    assert {case.about for case in cases} == {"clause", "evidence"}
    for case in cases:
        if case.about == "evidence":
            assert case.cited.family == case.family
        else:
            assert case.cited.family != case.family
            assert half_of(case.cited.family) == case.half


def test_one_family_is_not_enough() -> None:
    with pytest.raises(ValueError, match="two contract families"):
        judge_cases(chunks(1), seed=20)
