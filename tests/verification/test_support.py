"""check_claim_support: hand-made claims of known truth against one text each."""

from __future__ import annotations

import pytest

from pipeline.verification.support import Support, check

CAP = (
    "In no event shall Supplier's aggregate liability exceed the fees paid by Customer "
    "in the twelve (12) months before the "
    "claim. This limit does not apply to fraud. Customer shall indemnify Supplier against third-party claims."
)
WAIVER = "Neither party shall be liable for indirect damages. Customer shall be liable for payment of all sums due."
VOID = "Eine Abrede, welche die Haftung für grobe Fahrlässigkeit zum vornherein ausschliesst, ist nichtig."
STANDARD = {"P1 meets": "the limit binds both parties", "P1 departs": "the limit binds one named party only"}

TRUE = [
    ("Supplier's liability shall not exceed the fees paid in the 12 months before the claim.", CAP),
    ("The limit does not apply to fraud.", CAP),
    ("The clause caps the liability of the Supplier at “the fees paid by Customer in the twelve (12) months”.", CAP),
    ("Customer indemnifies Supplier against third-party claims.", CAP),
    ("Neither party is liable for indirect damages.", WAIVER),
    ("The Customer is liable for payment of sums due.", WAIVER),
    (
        "Zum vornherein ist eine Abrede unwirksam, welche die Haftung für grobe Fahrlässigkeit ausschliesst.",
        VOID,
    ),
    ("P1 meets: it binds both sides alike, in the words “Neither party”.", WAIVER),
    ("P4 meets: indirect loss is excluded for both sides, in the words “indirect damages”.", WAIVER),
    (
        "P2 meets: the ceiling can be computed, from the words “the fees paid by Customer in the twelve (12) months”.",
        CAP,
    ),
    ("P1 departs: the clause speaks of one party only, in the words “Supplier's aggregate liability”.", CAP),
]
FALSE = [
    ("a number", "Supplier's liability shall not exceed the fees paid in the 24 months before the claim.", CAP),
    ("a number in words", "Supplier's liability shall not exceed the fees of six months before the claim.", CAP),
    ("a percentage", "Supplier's liability shall not exceed 50% of the fees paid before the claim.", CAP),
    ("a party that is not there", "The Licensor's liability shall not exceed the fees paid before the claim.", CAP),
    (
        "parties exchanged",
        "The Supplier is liable for payment of all sums due.",
        WAIVER.replace("Neither party", "Supplier"),
    ),
    ("the negation dropped", "Supplier's liability shall exceed the fees paid in the 12 months before the claim.", CAP),
    (
        "a negation added",
        "The Customer is not liable for payment of all sums due.",
        "Customer is liable for payment of all sums due.",
    ),
    ("the exception turned", "The limit does apply to fraud.", "This limit does not apply to fraud."),
    (
        "void made valid",
        "Die Abrede, welche die Haftung für grobe Fahrlässigkeit ausschliesst, ist gültig.",
        VOID,
    ),
    ("a quotation altered", "The clause speaks of “the fees payable by Customer”.", CAP),
    ("a quotation of another text", "The clause speaks of “indirect damages”.", CAP),
    (
        "a quotation torn from its negation",
        "It says that the limit may “apply to fraud”.",
        CAP.replace("does not", "shall not"),
    ),
    ("another subject", "The governing law is that of Switzerland and disputes go to arbitration.", CAP),
    ("nothing said", "It is so.", CAP),
    (
        "a level against its words",
        "P1 departs: the clause binds both sides alike, in the words “Neither party”.",
        WAIVER,
    ),
    (
        "a level against its quotation",
        "P1 departs: the clause speaks of one party only, in the words “Neither party”.",
        WAIVER,
    ),
    (
        "a level negated",
        "P4 meets: indirect loss is not excluded for both sides, in the words “indirect damages”.",
        WAIVER,
    ),
    ("two levels", "P1 meets and P4 departs: it binds both sides, in the words “Neither party”.", WAIVER),
    ("words of another position", "P6 meets: it binds both sides alike, in the words “Neither party”.", WAIVER),
]


@pytest.mark.parametrize(("claim", "text"), TRUE)
def test_a_true_claim_is_not_refuted(claim, text):
    said = check(claim, text)
    assert said.status is Support.SUPPORTED, said.reason


@pytest.mark.parametrize(("claim", "text"), [case[1:] for case in FALSE], ids=[case[0] for case in FALSE])
def test_a_false_claim_is_refuted(claim, text):
    said = check(claim, text)
    assert said.status is Support.MISMATCH, said
    assert said.reason


def test_a_statement_on_the_standard_quotes_the_level_that_it_names():
    text = "\n".join(STANDARD.values())
    good = "The standard's level meets of P1 reads “the limit binds both parties”."
    assert check(good, text, STANDARD).status is Support.SUPPORTED
    for old, new in (("meets", "departs"), ("meets", "off"), ("P1", "P2"), ("both", "one named")):
        assert check(good.replace(old, new), text, STANDARD).status is Support.MISMATCH
    clause = "P1 meets: it binds both sides alike, in the words “both parties”."
    assert check(clause, text, STANDARD).status is Support.MISMATCH


def test_a_level_on_words_that_do_not_show_it_is_partial():
    said = check(
        "P1 meets: the clause binds both sides alike, in the words “to the other”.", "It owes nothing to the other."
    )
    assert said.status is Support.PARTIAL
