"""Reasons of which it is known whether they make a point: what the offline rubric judge is measured on.

All are written for the purpose. ``TUNING`` was in view while the judge was written or mended;
``HELD_OUT`` was written when that was done, by the same hand, and nothing was mended by it: its figures
are the ones to quote. Whoever mends the judge by them owes new ones. A case is one reason and one point (or one
condition), and whether a careful reader would say that the reason makes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from pipeline.evaluation.rubric_judge import RubricJudge, RubricRequest, RubricScore


class RubricCase(NamedTuple):
    kind: str
    reason: str
    point: str
    made: bool


TUNING = tuple(
    RubricCase(*case)
    for case in (
        ("same words", "The cap is mutual and carries no exception.", "mutual cap", True),
        ("same words", "The cap is mutual and carries no exception.", "no exception", True),
        ("same words", "Liability is unlimited.", "liability is unlimited", True),
        ("paraphrase", "The ceiling binds both sides alike.", "mutual cap", True),
        ("paraphrase", "Indirect loss is excluded for both parties.", "mutual waiver of consequential damages", True),
        ("paraphrase", "It speaks of one party only, namely the Agent.", "protects Agent only", True),
        ("paraphrase", "There is no ceiling on what the Seller owes.", "liability is uncapped", True),
        ("paraphrase", "The amount was blacked out.", "the cap amount is redacted", True),
        ("paraphrase", "Carve-outs are missing altogether.", "no exception", True),
        ("paraphrase", "What is excepted lies in a section that is not shown.", "exceptions sit elsewhere", True),
        ("negation", "The cap is not mutual.", "mutual cap", False),
        ("negation", "Liability is not unlimited.", "liability is unlimited", False),
        ("negation", "Nothing here excludes indirect loss.", "waiver of indirect loss", False),
        ("negation", "The waiver does not run both ways.", "mutual waiver", False),
        ("negation", "The waiver does not run both ways.", "one-sided waiver", True),
        ("negation", "It carries an exception for fraud.", "no exception", False),
        ("negation", "The cap is by no means one-sided.", "mutual cap", True),
        ("amount", "The cap is $25,000 for both parties.", "mutual cap of $25,000", True),
        ("amount", "The cap is $52,000 for both parties.", "mutual cap of $25,000", False),
        ("amount", "Both are capped at two million dollars.", "mutual $2,000,000 cap", True),
        ("amount", "Both are capped at twelve months of fees.", "cap of one year of fees", True),
        ("amount", "Both are capped at six months of fees.", "cap of twelve months of fees", False),
        ("amount", "A quarter, 25 percent, of the price is the limit.", "cap of 25% of the price", True),
        ("amount", "The bar falls after 60 days.", "sixty-day bar", True),
        ("other side", "The waiver serves the Vendor alone.", "mutual waiver", False),
        ("other side", "The waiver protects both parties.", "protects Vendor only", False),
        ("absent", "A mutual cap on all liability.", "confidentiality is the exception", False),
        ("absent", "Looks fine to me.", "mutual waiver of indirect loss", False),
        ("absent", "The cap is mutual.", "mutual cap of $10,000", False),
        ("said of another text", "The cited clause stands otherwise: it is mutual.", "mutual cap", False),
        ("quoted", "The exception reads “EXCEPT FOR BREACH OF CONFIDENTIALITY”.", "confidentiality excepted", True),
        (
            "quoted",
            "Both are freed, in the words “shall not be liable for indirect loss”.",
            "waiver of indirect loss",
            True,
        ),
        ("condition", "The base of the percentage stands in another section.", "if the base is fixed elsewhere", True),
        ("condition", "The cap binds the Agent alone.", "if the exceptions are read as open", False),
        ("condition", "A mutual waiver of indirect loss.", "on the words: a mutual waiver of indirect loss", True),
        ("same words", "One-sided: the waiver protects Licensor only.", "protects Licensor only", True),
        ("same words", "A mutual waiver; fraud is the exception.", "fraud is the exception", True),
        ("same words", "The period is redacted.", "the period is redacted", True),
        ("paraphrase", "Each party's exposure is held to the same maximum.", "mutual cap", True),
        ("paraphrase", "Neither side can claim consequential damages.", "mutual waiver of indirect loss", True),
        ("paraphrase", "Only the Carrier is protected.", "protects Carrier only", True),
        ("paraphrase", "The Supplier answers without limit.", "liability without a ceiling", True),
        ("paraphrase", "No exceptions are made to the limit.", "no exception", True),
        ("paraphrase", "The text breaks off before the sum is named.", "fragment ends before the amount", True),
        ("paraphrase", "Breach of secrecy stays outside the cap.", "confidentiality is the exception", True),
        ("paraphrase", "All liability of the Bank is shut out, direct damage too.", "direct damages included", True),
        ("paraphrase", "One party frees itself of everything.", "all liability excluded", True),
        ("negation", "This is no mutual waiver.", "mutual waiver", False),
        ("negation", "The clause never caps liability.", "liability is capped", False),
        ("negation", "Fraud is not excepted.", "fraud is the exception", False),
        ("negation", "The sum is not redacted.", "the sum is redacted", False),
        ("negation", "The protection isn't mutual.", "one-sided protection", True),
        ("negation", "Indirect loss is not excluded.", "mutual waiver of indirect loss", False),
        ("negation", "There is no lack of exceptions: fraud and injury.", "no exception", False),
        ("negation", "Far from being one-sided, it binds both.", "one-sided waiver", False),
        ("amount", "The ceiling is USD 1.5 million.", "cap of $1,500,000", True),
        ("amount", "The ceiling is USD 1.5 million.", "cap of $15,000,000", False),
        ("amount", "Claims lapse after two years.", "bar of 24 months", True),
        ("amount", "Claims lapse after two years.", "one-year time bar", False),
        ("amount", "Fees of the last 12 months are the ceiling.", "cap of twelve months' fees", True),
        ("amount", "The cap is three times the fees.", "cap of two times the fees", False),
        ("amount", "The ceiling is ten per cent of the price.", "cap of 10% of the price", True),
        ("amount", "Each is capped at $5,000.", "mutual cap of five thousand dollars", True),
        ("other side", "Both parties waive consequential loss.", "waiver for Company only", False),
        ("other side", "The carve-out hurts the Agent alone.", "mutual carve-out", False),
        ("other side", "Liability is capped at the fees paid.", "liability without a ceiling", False),
        ("other side", "Only indirect loss is excluded.", "direct damages included", False),
        ("absent", "The cap is mutual.", "indemnities excepted", False),
        ("absent", "The clause deals with assignment.", "time bar of one year", False),
        ("absent", "Indirect loss is excluded for one party.", "cap equals fees paid", False),
        ("said of another text", "The standard's level meets of P1 reads “binds both parties”.", "mutual cap", False),
        ("quoted", "Capped, in the words “IN NO EVENT MORE THAN $40,000”.", "cap of $40,000", True),
        ("quoted", "A ceiling for one side, in the words “Lessor's total liability”.", "mutual ceiling", False),
        ("condition", "Section 9 is named by number, its subject is not shown.", "if Section 9 is not shown", True),
        ("condition", "A mutual waiver of indirect loss.", "if the exceptions swallow the cap", False),
        ("condition", "Mutual, on the words.", "on the words of the clause as they stand", True),
        ("same words", "Mutual waiver, but the indemnities are excepted.", "mutual waiver", True),
        ("same words", "A cap on the fees of the last twelve months.", "cap of twelve months of fees", True),
        (
            "paraphrase",
            "Whatever the breach costs, neither can ask for consequential loss.",
            "mutual waiver of indirect loss",
            True,
        ),
        ("paraphrase", "What the Publisher may owe is not limited in amount.", "liability without a ceiling", True),
        ("paraphrase", "The limitation works in favour of Newco and nobody else.", "protects Newco only", True),
        ("paraphrase", "Claims for bodily harm are exempt from the ceiling.", "personal injury excepted", True),
        (
            "paraphrase",
            "Only a headline is given; there is nothing operative.",
            "fragment without operative words",
            True,
        ),
        (
            "paraphrase",
            "Either side must sue within a year or lose the claim.",
            "one-year time bar for either party",
            True,
        ),
        ("paraphrase", "The figure has been replaced by asterisks.", "amount redacted", True),
        ("paraphrase", "The clause allows no carve-outs of any sort.", "no exception", True),
        ("paraphrase", "Direct losses are also ruled out, for both.", "direct loss excluded", True),
        ("paraphrase", "Responsibility is capped for one side; the other has no cap.", "one-sided cap", True),
        ("negation", "It would be wrong to call this waiver mutual.", "mutual waiver", False),
        ("negation", "Gross negligence is not among the exceptions.", "gross negligence excepted", False),
        ("negation", "The ceiling isn't subject to any exception.", "no exception", True),
        ("negation", "The ceiling isn't subject to any exception.", "fraud is the exception", False),
        ("negation", "Neither a cap nor a waiver is to be found.", "mutual cap", False),
        ("negation", "No amount is redacted, all figures can be read.", "amount redacted", False),
        (
            "negation",
            "The Buyer does not waive indirect loss; the Seller does.",
            "mutual waiver of indirect loss",
            False,
        ),
        ("negation", "Liability cannot be called uncapped.", "liability is uncapped", False),
        ("negation", "The parties are not equally bound: the cap is one-sided.", "mutual cap", False),
        ("amount", "Recovery tops out at $750,000, a limit for each party.", "mutual cap of $750,000", True),
        ("amount", "Recovery tops out at $750, a limit for each party.", "mutual cap of $750,000", False),
        ("amount", "The limit is one hundred thousand dollars.", "cap of $100,000", True),
        ("amount", "The limit looks back ninety (90) days.", "cap of ninety days of fees", False),
        ("amount", "The bar runs for eighteen months.", "bar of one and a half years", True),
        ("amount", "The cap is 150% of the fees.", "cap of 150 percent of the fees", True),
        ("amount", "The cap is 15% of the fees.", "cap of 150 percent of the fees", False),
        ("amount", "A cap equal to the fees of thirty-six months.", "cap of three years of fees", True),
        ("other side", "Both may claim lost profits; there is no waiver.", "waiver of lost profits", False),
        ("other side", "A one-sided exclusion for the Host.", "mutual exclusion", False),
        ("other side", "The exceptions stay within the permitted list.", "exception outside the list", False),
        ("other side", "An exception lies outside the permitted list.", "exception outside the list", True),
        ("absent", "A mutual ceiling that can be computed.", "mutual waiver of indirect loss", False),
        ("absent", "The exceptions are usual ones.", "confidentiality and fraud excepted", False),
        ("absent", "The clause protects the Host only.", "protects Guest only", False),
        (
            "said of another text",
            "The cited clause stands the same, P6 departs: the ceiling carries no exception.",
            "no exception",
            False,
        ),
        ("said of another text", "Other contracts in the library make the cap mutual.", "mutual cap", False),
        (
            "quoted",
            "The cap is open to doubt, in the words “the greater of fees paid and $5,000”.",
            "cap of $5,000",
            True,
        ),
        ("quoted", "It reads “each party shall bear its own costs”, which is no limit.", "mutual cap", False),
        (
            "condition",
            "The exceptions are named by number only.",
            "as long as the exceptions by number are not shown",
            True,
        ),
        ("condition", "The remedy is replacement alone.", "if the remedies prove close to nothing", False),
    )
)
HELD_OUT = tuple(
    RubricCase(*case)
    for case in (
        ("same words", "The waiver is mutual and excludes indirect loss.", "mutual waiver of indirect loss", True),
        ("same words", "The exceptions are named by number only.", "exceptions by number only", True),
        (
            "paraphrase",
            "Loss of a consequential kind is off limits for either company.",
            "mutual waiver of indirect loss",
            True,
        ),
        ("paraphrase", "There is no upper bound to what Fabrikam must pay.", "liability is unlimited", True),
        ("paraphrase", "Fabrikam alone enjoys the shelter of the ceiling.", "cap protects Fabrikam only", True),
        ("paraphrase", "Breaches of trade secrets fall outside the limit.", "confidentiality is the exception", True),
        ("paraphrase", "The passage stops in the middle of a sentence.", "fragment", True),
        ("paraphrase", "Both must bring their claims inside two years.", "two-year time bar for both", True),
        ("paraphrase", "The percentage has been taken out of the public copy.", "percentage redacted", True),
        ("paraphrase", "The cap applies across the board, nothing is carved out.", "no exception", True),
        ("paraphrase", "The vendor escapes all liability, for direct loss as well.", "all liability excluded", True),
        ("paraphrase", "Reciprocal: each side's liability ends at the fees paid.", "mutual cap at the fees paid", True),
        ("negation", "Nobody could call the cap mutual.", "mutual cap", False),
        ("negation", "Intellectual property is not carved out.", "IP infringement excepted", False),
        ("negation", "The clause has no exception whatever.", "indemnities are the exception", False),
        ("negation", "The period isn't blanked out.", "period redacted", False),
        ("negation", "The waiver never reaches direct loss.", "direct loss is excluded too", False),
        ("negation", "The exclusion is not confined to one party.", "one-sided exclusion", False),
        ("negation", "The Agent's liability is not without limit.", "liability without a ceiling", False),
        ("negation", "Not even fraud is excepted.", "fraud is the exception", False),
        ("negation", "The limit doesn't work for both parties.", "mutual limit", False),
        ("amount", "The ceiling lies at three hundred thousand US dollars.", "cap of $300,000", True),
        ("amount", "The ceiling lies at $3,000,000.", "cap of $300,000", False),
        ("amount", "The fees of the past year are the ceiling.", "cap of twelve months of fees", True),
        ("amount", "A ceiling of EUR 2 million.", "cap of two million euros", True),
        ("amount", "The ceiling is twice the annual fees.", "cap of two times the annual fees", True),
        ("amount", "Notice within thirty (30) days.", "notice within 30 days", True),
        ("amount", "Notice within thirteen days.", "notice within 30 days", False),
        ("amount", "The cap is 50 percent of the order.", "cap of 5% of the order", False),
        ("other side", "Liability for breach is uncapped for both.", "mutual cap", False),
        ("other side", "The Lessee is protected, the Lessor is not.", "mutual protection", False),
        ("other side", "The exceptions are all permitted ones.", "an exception outside the permitted list", False),
        ("absent", "A mutual cap of $90,000.", "confidentiality excepted", False),
        ("absent", "Wilful misconduct is excepted.", "gross negligence excepted", False),
        ("absent", "The exclusion protects the Lessor only.", "cap equals fees received", False),
        (
            "said of another text",
            "The cited clause stands the same, P1 meets: both sides are bound.",
            "binds both parties",
            False,
        ),
        ("said of another text", "The standard asks for a mutual cap.", "mutual cap", False),
        (
            "quoted",
            "P6 meets, in the words “other than for fraud or personal injury”.",
            "fraud and injury are the exceptions",
            True,
        ),
        ("quoted", "In the words “the Lessor shall not exceed the speed limit” there is no ceiling.", "ceiling", False),
        (
            "condition",
            "The base of the percentage is fixed in another section.",
            "if the base is fixed elsewhere",
            True,
        ),
        ("condition", "The cap is mutual.", "if the redacted sum proves nominal", False),
    )
)


def measured(judge: RubricJudge, cases: Sequence[RubricCase]) -> dict[str, Any]:
    """How often the judge agrees with the truth: counts, both errors apart, and by kind. A case that the
    judge failed on is unscored: neither right nor wrong."""
    scores = judge.score([RubricRequest("", case.reason, (case.point,), ()) for case in cases])
    judged = [
        (case, score.points[0] is case.made)
        for case, score in zip(cases, scores, strict=True)
        if isinstance(score, RubricScore)
    ]
    wrong = [case for case, right in judged if not right]
    return {
        "n": len(cases),
        "unscored": len(cases) - len(judged),
        "right": len(judged) - len(wrong),
        "made_but_denied": sum(case.made for case in wrong),
        "not_made_but_granted": sum(not case.made for case in wrong),
        "kinds": {
            kind: {
                "n": sum(case.kind == kind for case in cases),
                "right": sum(right for case, right in judged if case.kind == kind),
            }
            for kind in dict.fromkeys(case.kind for case in cases)
        },
    }
