"""The words of each recipe against levels that were worked out from the rubric by hand."""

from __future__ import annotations

import re
from functools import cache

import pytest

from pipeline.base.types import Level
from pipeline.corpus.sample.draws import Draws
from pipeline.corpus.sample.liability import ALL_PIECES, LiabilityClause, compose
from pipeline.corpus.sample.recipes import RECIPES

SLOTS = {
    "a": "the Supplier",
    "A": "The Supplier",
    "b": "Brandt",
    "B": "Brandt",
    "payer": "Brandt",
    "sum": "$500,000",
    "nominal": "$5,000",
    "goods": "Products",
    "years": "two (2) years",
    "letter": "C",
    "sec_conf": "9",
    "head_conf": "Confidentiality",
    "sec_indem": "11",
    "head_indem": "Indemnification",
    "far1": "41.2",
    "far2": "63",
}
#: P1 to P6 of every recipe, from the rubric and its notes, not from the code.
EXPECTED = {
    "cap-mutual": "mmmsmd",  # a ceiling without any exception departs on P6
    "cap-mutual-listed": "mmmsmm",
    "cap-mutual-outside": "mmmsmd",
    "cap-mutual-numbers": "mmmsmd",
    "cap-mutual-open": "mmmsmd",
    "cap-mutual-wide": "mmmsmo",
    "cap-mutual-narrow": "mdmsmm",  # the level is measured against the clause's own basis
    "cap-mutual-level": "mmdsmm",
    "cap-mutual-exposed": "dmmsmm",  # the whole exception exposes one party
    "cap-one": "dmmsmd",
    "cap-one-listed": "dmmsmm",
    "cap-one-narrow": "ddmsmd",
    "cap-one-level": "dmdsmd",
    "cap-one-narrow-level": "dddsmd",
    "cap-redacted-mutual": "msssfd",
    "cap-redacted-mutual-listed": "msssfm",
    "cap-redacted-one": "dsssfd",
    "cap-redacted-waiver": "mssmmm",  # the waiver is left and operates
    "cap-elsewhere-mutual": "msssfs",
    "cap-elsewhere-one": "dsssfs",
    "both-mutual-listed": "mmmmmm",
    "both-mutual-outside": "mmmmmd",
    "both-one": "dmmdmd",
    "waiver-mutual": "mssmms",  # a bare waiver is silent on P6
    "waiver-mutual-listed": "mssmmm",
    "waiver-mutual-numbers": "mssmmd",
    "waiver-mutual-exposed": "dssmmm",
    "waiver-mutual-direct": "mssdms",
    "waiver-one": "dssdms",
    "waiver-one-direct": "dssdms",
    "carve-out-listed": "msssmm",
    "carve-out-outside": "msssmd",
    "carve-out-numbers": "msssmd",
    "carve-out-exposed": "dsssmm",
    "carve-out-wide": "msssmo",
    "exclude-all-one": "dssoms",
    "negligence-only-one": "dssomm",
    "negligence-only-mutual": "mssomm",
    "unlimited-one": "dossms",
    "unlimited-mutual": "mossms",
    "asymmetric-cap": "oomsmd",
    "asymmetric-waiver": "ossdms",
    "indemnity-limit-mutual": "mmmsmd",
    "indemnity-limit-one": "dmmsmd",
    "named-head-unlimited": "dsssms",  # a named head without limit is not unlimited liability
    "termination-waiver-mutual": "mssdms",
    "termination-waiver-one": "dssdms",
    "remedy-replace": "ddssms",
    "remedy-elsewhere-one": "dsssfs",
    "remedy-elsewhere-none": "ssssfs",
    "time-bar-mutual": "msssms",
    "time-bar-mutual-sums": "msssmm",
    "time-bar-one": "dsssms",
    "waiver-cut": "mssmms",
    "fragment-heading": "ssssfs",
    "fragment-tail": "ssssfs",
    "fragment-head-mutual": "msssfs",
    "fragment-head-one": "dsssfs",
    "redacted-heads": "dsssfs",
    "not-liability": "ssssfs",
}
MUTUAL = re.compile(
    r"\b(either|neither|each|no|a|an indemnifying|the indemnifying) party\b|each party|"
    r"supplier to brandt, and of brandt to the supplier|neither the supplier nor brandt",
    re.IGNORECASE,
)
NO_CEILING = re.compile(
    r"unlimited|without (any )?(limit|limitation)|no (limit|limitation|ceiling)\b|not (be )?(limited|capped)|"
    r"not subject to any (cap|ceiling|maximum|limit)|subject to (any|a) (monetary )?(limit|ceiling|cap)",
    re.IGNORECASE,
)


@cache
def clauses(recipe: str, number: int = 40) -> tuple[LiabilityClause, ...]:
    return tuple(compose(recipe, Draws(recipe, n), SLOTS) for n in range(number))


def test_the_expectations_cover_every_recipe() -> None:
    assert set(EXPECTED) == set(RECIPES)
    assert {name for name, (_, spec) in RECIPES.items() if spec is None} == set(ALL_PIECES)


@pytest.mark.parametrize("recipe", sorted(RECIPES))
def test_levels_and_form(recipe: str) -> None:
    for clause in clauses(recipe):
        assert "".join(level[0] for level in clause.positions.values()) == EXPECTED[recipe]
        assert not set(clause.text + clause.before + clause.after) & set("{}|<>⟦⟧¦")
        assert not re.search(r"  | [.,;:]|[.,;]{2}", clause.text)
        assert clause.text == clause.text.strip()
        assert clause.before or clause.text[0].isupper()
        assert clause.kinds
        assert set(clause.categories) <= {"Cap On Liability", "Uncapped Liability"}
        for start, end in clause.evidence:
            assert 0 <= start < end <= len(clause.text)
            assert 1 <= len(clause.text[start:end].split()) <= 25


@pytest.mark.parametrize("recipe", [name for name, (_, spec) in RECIPES.items() if spec and spec.mutual])
def test_mutual_clauses_say_so_or_name_nobody(recipe: str) -> None:
    for clause in clauses(recipe):
        nobody = not re.search("supplier|brandt", clause.text, re.IGNORECASE)
        if recipe != "carve-out-exposed":
            assert MUTUAL.search(clause.text) or nobody


@pytest.mark.parametrize("recipe", [name for name, (_, spec) in RECIPES.items() if spec and not spec.mutual])
def test_one_sided_clauses_bind_one_party(recipe: str) -> None:
    for clause in clauses(recipe):
        assert not re.search(r"\b(either|neither|each) party\b", clause.text, re.IGNORECASE)
        assert re.search("the supplier", clause.text, re.IGNORECASE)


def test_missing_amounts_are_missing() -> None:
    for recipe, expected in EXPECTED.items():
        for clause in clauses(recipe):
            if recipe.startswith("cap-redacted") or recipe == "redacted-heads":
                assert "[" in clause.text
            if recipe.startswith("cap-elsewhere"):
                assert re.search("(section|schedule|exhibit|annex) ([A-Z]|41.2)", clause.text, re.IGNORECASE)
            if "cap" in clause.kinds and expected[4] == "f":
                assert "500,000" not in clause.text


def test_only_unlimited_liability_is_said_to_have_no_ceiling() -> None:
    for recipe, expected in EXPECTED.items():
        for clause in clauses(recipe):
            if expected[1] == "o":
                assert NO_CEILING.search(clause.text), clause.text
            elif recipe != "named-head-unlimited":
                assert "unlimited" not in clause.text.lower()


def test_levels_of_the_ceiling_show_in_the_words() -> None:
    low_or_high = re.compile(
        r"(?<!and )one-half|fifty percent|twenty-five percent|thirty percent|one quarter of|\$5,000|"
        r"(five|ten|six|four) \(\d+\) times",
        re.IGNORECASE,
    )
    short = re.compile(
        r"(six|three|two) \(\d\) (calendar )?months|calendar (month|quarter)|billing period|shipment|unit|delivery",
        re.IGNORECASE,
    )
    for recipe, expected in EXPECTED.items():
        for clause in clauses(recipe):
            if "cap" in clause.kinds and expected[2] in "md":
                assert bool(low_or_high.search(clause.text)) == (expected[2] == "d"), clause.text
            if "cap" in clause.kinds and expected[1] == "d":
                assert short.search(clause.text), clause.text


@pytest.mark.parametrize("recipe", sorted(RECIPES))
def test_wordings_are_many(recipe: str) -> None:
    distinct = {clause.text.lower() for clause in clauses(recipe)}
    assert len(distinct) >= (30 if RECIPES[recipe][1] else 5)


def test_capitals_and_sentence_case_both_occur() -> None:
    upper = [clause.text.isupper() for recipe in RECIPES for clause in clauses(recipe)]
    assert 0.2 < sum(upper) / len(upper) < 0.4


def test_evidence_is_cut_at_twenty_five_words_never_inside_one() -> None:
    for recipe in RECIPES:
        for clause in clauses(recipe):
            for _, end in clause.evidence:
                assert end == len(clause.text) or not (clause.text[end - 1].isalnum() and clause.text[end].isalnum())


def test_a_verdict_that_the_words_allow_comes_with_its_condition() -> None:
    for recipe in RECIPES:
        for clause in clauses(recipe, 5):
            verdicts = [verdict for verdict, _ in clause.allowed]
            assert verdicts[0] == clause.verdict
            assert len(set(verdicts)) == len(verdicts)
            assert all(condition for _, condition in clause.allowed)
    # The notes of the rubric that give an alternate.
    assert [v for v, _ in clauses("cap-mutual-open")[0].allowed] == ["risky", "acceptable"]
    assert [v for v, _ in clauses("negligence-only-one")[0].allowed] == ["off-standard", "risky"]
    assert [v for v, _ in clauses("remedy-elsewhere-one")[0].allowed] == ["insufficient-grounding", "risky"]


def test_a_quote_stands_for_each_position_that_is_not_silent() -> None:
    for recipe in RECIPES:
        for clause in clauses(recipe, 5):
            spoken = [level for level in clause.positions.values() if level != Level.SILENT]
            assert len(clause.evidence) == len(spoken)
