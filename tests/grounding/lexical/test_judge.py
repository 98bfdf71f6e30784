"""The lexical judge on claims whose truth is plain, and its independence of every auditor."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.base.types import AuditorAnswer, Claim
from pipeline.grounding.agents import Meter
from pipeline.grounding.lexical.judge import LexicalJudge, check_claim

CAP = (
    "Except for breach of confidentiality under Section 9.2, in no event shall Vendor's total liability to Customer "
    "exceed the fees paid in the twelve (12) months before the claim."
)
WAIVER = "Neither party shall be liable to the other for any special, incidental or consequential damages."

FAITHFUL = [
    ("The clause says “in no event shall Vendor's total liability”.", CAP),
    ("Vendor's liability is capped at the fees of 12 months.", CAP),
    ("A period of one year is named.", CAP),
    ("There is an exception for confidentiality.", CAP),
    ("It refers to Section 9.2.", CAP),
    ("The clause protects Vendor.", CAP),
    ("Only Vendor is protected.", CAP),
    ("Both parties are protected.", WAIVER),
    ("The protection runs both ways.", WAIVER),
    ("Consequential damages are excluded.", WAIVER),
    ("Neither party is liable to the other side for special damages.", WAIVER),
    ("It knows no exception.", WAIVER),
    ("P4 meets: indirect loss is excluded for both sides, in the words “consequential damages”.", WAIVER),
    ("The cap is 1 million dollars.", "Liability is limited under Section 9.2 to $1,000,000."),
    ("P2 meets: the ceiling is a stated sum, in the words “$90,000”.", "Maker limits its liability to $90,000."),
    (
        "P3 meets: the ceiling lies within the range of the standard, in the words “multiplied by two”.",
        "Each party's liability shall not exceed the annual fees multiplied by two.",
    ),
    ("P4 off: one party excludes its liability altogether, in the words “is nil”.", "Maker's liability is nil."),
    (
        "P4 off: one party excludes its liability altogether, in the words “forgoes any right to sue”.",
        "Buyer forgoes any right to sue Maker.",
    ),
    (
        "P2 off: liability in general is without a ceiling, in the words “liable up to any amount”.",
        "Buyer shall be liable up to any amount.",
    ),
    ("P2 meets: the ceiling can be computed, from the words “the fees paid in the twelve (12) months”.", CAP),
    ("Borrower cannot recover lost profits from Lender.", "Lender shall not be liable to Borrower for lost profits."),
    (
        "What counts for the limit is paid by Tenant to Landlord.",
        "Liability shall not exceed the rent paid by Tenant to Landlord.",
    ),
]
UNFAITHFUL = [
    ("Lender cannot recover lost profits from Borrower.", "Lender shall not be liable to Borrower for lost profits."),
    ("There is a cap.", "Maker limits its liability to the extent that the law permits."),
    ("P2 meets: the ceiling is a stated sum, in the words “$90,000”.", "Maker pays $90,000 and limits the use of it."),
    (
        "P4 off: one party excludes its liability altogether, in the words “not liable”.",
        "Maker is not liable for delay.",
    ),
    ("P2 off: liability in general is without a ceiling, in the words “up to”.", "Maker may invoice up to $500."),
    ("The clause says “in no event shall Customer's total liability”.", CAP),
    ("Customer's liability is capped at the fees of 12 months.", CAP),
    ("A period of six months is named.", CAP),
    ("The cap is $1,000,000.", CAP),
    ("There is an exception for fraud.", CAP),
    ("It refers to Section 9.3.", CAP),
    ("It protects Customer and nobody else.", CAP),
    ("Both parties are protected.", CAP),
    ("It knows no exception.", CAP),
    ("The limit reaches confidentiality as well.", CAP),
    ("Vendor's liability may exceed the fees paid in the twelve months before the claim.", CAP),
    ("Vendor's liability is unlimited.", CAP),
    ("Only Vendor is protected.", WAIVER),
    ("The protection is for one of the parties alone.", WAIVER),
    ("Each party shall be liable to the other for consequential damages.", WAIVER),
    ("All damages are excluded, direct ones included.", WAIVER),
    ("Punitive damages are excluded.", WAIVER),
    ("There is an exception for wilful misconduct.", WAIVER),
    ("The supplier warrants the software for ninety days.", WAIVER),
    ("P1 departs: it runs one way only, in the words “Neither party”.", WAIVER),
    ("P2 off: liability is unlimited, in the words “any special”.", WAIVER),
    (
        "Excepted are matters of confidentiality.",
        "Maker is liable for trade secrets. This holds notwithstanding delay.",
    ),
    ("La clause exclut la responsabilité des deux parties.", WAIVER),
    ("双方の責任が制限されている。", WAIVER),
    ("", WAIVER),
    ("12", WAIVER),
]


@pytest.mark.parametrize(("claim", "source"), FAITHFUL)
def test_what_the_text_carries_is_supported(claim, source):
    check = check_claim(Claim(claim, "clause"), source)
    assert (check.supported, check.why) == (True, "")


@pytest.mark.parametrize(("claim", "source"), UNFAITHFUL)
def test_what_the_text_does_not_carry_is_not(claim, source):
    check = check_claim(Claim(claim, "clause"), source)
    assert not check.supported
    assert check.why


@pytest.mark.parametrize(("claim", "source"), FAITHFUL)
def test_harmless_changes_of_the_text_change_nothing(claim, source):
    spaced = "  " + source.replace(" ", " \n ").replace("'", "’")
    assert check_claim(Claim(claim, "clause"), spaced).supported


def test_a_claim_is_judged_by_the_text_it_cites_and_no_other(standard, evidence):
    cited = evidence[2].chunk
    claims = (
        Claim("Neither party is liable for consequential damages.", "clause"),
        Claim("Neither party is liable for consequential damages.", cited.chunk_id),
        Claim("Neither party is liable for consequential damages.", "c999999999999"),
        Claim("The ceiling is $500,000.", cited.chunk_id),
        Claim("The ceiling is $500,000.", "clause"),
    )
    found = LexicalJudge().check(AuditorAnswer("risky", {}, claims, cited.chunk_id), WAIVER, standard, cited, Meter())
    assert [check.supported for check in found.claims] == [True, False, False, True, False]
    assert [check.against for check in found.claims] == [claim.against for claim in claims]
    assert not found.faithful


def test_no_claim_is_not_faithful(standard, evidence):
    answer = AuditorAnswer("risky", {}, (), "c000000000000")
    assert not LexicalJudge().check(answer, WAIVER, standard, evidence[0].chunk, Meter()).faithful


@given(st.text(), st.text())
def test_any_claim_on_any_text_gets_a_finding(claim, source):
    check = check_claim(Claim(claim, "clause"), source)
    assert check.supported or check.why


def test_the_judge_shares_no_deciding_code_with_an_auditor(root: Path):
    """Nothing that the judge imports decides for the rules auditor, and the other way round."""

    def reaches(module: str, seen: set[str]) -> set[str]:
        path = root / (module.replace(".", "/") + ".py")
        if module in seen or not path.exists():
            return seen
        seen.add(module)
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pipeline"):
                reaches(node.module, seen)
                for name in node.names:
                    reaches(f"{node.module}.{name.name}", seen)
        return seen

    judge = reaches("pipeline.grounding.lexical.judge", set())
    auditor = reaches("pipeline.grounding.rules", set())
    reader = {path.stem for path in (root / "pipeline/standard").glob("*.py")} - {"__init__", "document"}
    assert "pipeline.grounding.lexical.checks" in judge
    assert not judge & {f"pipeline.standard.{name}" for name in reader}
    assert not {name for name in auditor if name.startswith("pipeline.grounding.lexical")} - {
        # structure looks for a level's signs whoever judges: it reads no level itself
        name
        for name in auditor
        if name.startswith("pipeline.grounding.lexical")
    }
