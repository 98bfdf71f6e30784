"""Every named pattern with an example that it finds and one that it must not find.

The clauses are our own. A pattern without both is an error of this file.
"""

from __future__ import annotations

import pytest

import pipeline.standard  # noqa: F401  (importing the readers registers their patterns)
from pipeline.standard.grammar import MASK, PATTERNS, Pattern, any_of, every, first, mask
from pipeline.standard.text import Span, read_text

#: name: (found, not found)
EXAMPLES: dict[str, tuple[str, str]] = {
    # who is bound
    "each to the other": ("of Alder to Birch, and of Birch to Alder", "of Alder to Birch, and of Cedar to Alder"),
    "amount one may recover": ("the sum that Maker may recover", "the sum that may be paid"),
    "mutual party": ("Neither of the parties is liable", "a third party is liable"),
    "liable to the other": ("liable to the other for", "liable to the other reseller"),
    "each of two": ("each of Alder and Birch", "each of its officers and staff"),
    "possessor": ("Supplier's total aggregate liability", "Supplier's invoices"),
    "liability of": ("the liability of Agent under this deed", "liability of any kind"),
    "liable to a named party": (" to Buyer for loss", " to the other for loss"),
    "liable subject": ("Carrier shall not be liable", "Carrier shall deliver the goods"),
    "neutral body": ("the arbitration panel", "the contractor"),
    "claims of one party": ("claims by Tenant", "claims of any kind"),
    "claim of one party": ("may be brought by Licensee", "may be brought by either party"),
    "left with no other remedy": ("Maker may have a refund and shall have no other remedy", "Maker may ask"),
    "at its option": ("at Maker's option", "at the customer site"),
    "one party agrees": ("Tenant agrees that the remedy", "the remedy is agreed"),
    # references and redactions
    "reference": ("Sections 4.2(a) and 5 hereof", "in four sections"),
    "elsewhere": ("as set forth in Exhibit C", "the price of the goods"),
    "redaction": ("shall not exceed [***]", "shall not exceed (fifty)"),
    # exceptions
    "fraud": ("for fraudulent acts", "for late delivery"),
    "wilful misconduct": ("wilful or reckless misconduct", "wilful breach"),
    "gross negligence": ("grossly negligent", "negligent"),
    "death or personal injury": ("bodily injury", "injury to reputation"),
    "confidentiality": ("duties of confidence and confidentiality", "duties of care"),
    "intellectual property": ("infringement of patents", "breach of warranty"),
    "indemnities": ("its indemnification duties", "its delivery duties"),
    "sums due": ("failure to pay any fees", "failure to deliver"),
    "what the law forbids to limit": ("which cannot be excluded", "which can be excluded"),
    "ordinary breach": ("any breach of this Agreement", "wilful breach of this Agreement"),
    "left open": (" as otherwise provided herein", " fraud"),
    "outside the list": ("breach of the warranty of title", "gross fault"),
    "named party": ("Vendor's breach", "each party's breach"),
    "lead-in": ("except for fraud", "excepted goods"),
    "proviso": ("provided, however, that", "the goods provided"),
    "operative start": (", in no event shall Maker", ", in silver or gold"),
    # carve-outs
    "limits shall not apply": ("These limitations shall not apply to fraud", "These limitations shall apply even if"),
    "nothing shall limit": ("Nothing in this deed limits liability for fraud", "Nothing in this deed is secret"),
    "no limit applies": ("None of the foregoing limitations shall apply", "None of the goods shall apply"),
    "in no event shall limits apply": ("in no event shall this limit apply to fraud", "in no event shall Maker pay"),
    "inapplicable to": ("The cap shall be inapplicable to fraud", "The cap shall be reviewed"),
    "excluded from the limits": ("Fraud is excluded from these limitations", "Fraud is excluded from the list"),
    "no party limits": ("Neither party excludes or limits its liability", "Neither party shall be late"),
    "without limit for named heads": ("Maker is liable without limit for fraud", "Maker is liable for fraud"),
    "exceptions to the limits": ("The following are exceptions to the limit", "The following are exceptional goods"),
    # money, multiples, periods
    "money": ("a sum of USD 2,500,000", "a sum of goods"),
    "multiple": ("two and a half, that is 250%, of it", "two crates"),
    "period": ("in the twelve (12) months", "in the monthly report"),
    # ceilings
    "fees": ("all royalties", "all goods"),
    "paid": ("amounts payable", "amounts of goods"),
    "one unit or shipment": ("the price paid for the affected product", "the fees under this deed"),
    "at issue": ("giving rise to the claim", "delivered in spring"),
    "unit price": ("the purchase price of the goods", "the purchase of the company"),
    "order at issue": ("the purchase order", "the fees"),
    "short period": ("the quarter in which", "the quarter of a pound"),
    "monthly": ("the monthly fee", "twelve months"),
    "yearly": ("in each contract year", "twenty years"),
    "look-back": ("immediately preceding", "a fixed sum"),
    "repair, replacement or refund": ("repair or replace the unit", "pay the fee"),
    "lesser of": ("the lesser of (a) and (b)", "the greater of (a) and (b)"),
    "greater of": ("the greater of (a) and (b)", "the lesser of (a) and (b)"),
    "insurance": ("the insurance in force", "the assurance given"),
    "price": ("the contract price", "the contract"),
    # heads of loss
    "indirect loss": ("consequential damages", "direct damages"),
    "lost profits and the like": ("loss of anticipated profits", "loss of the crate"),
    "direct loss": ("any direct or indirect loss", "any indirect loss"),
    "cover": ("the cost of substitute goods", "the goods"),
    "outlay": ("investments made", "profits made"),
    "property": ("damage to tangible property", "intellectual property"),
    "any loss": ("any damages whatsoever", "any indirect damages"),
    "all kinds": ("damages of any kind", "damages for delay"),
    "liability as such": ("any liability whatsoever", "any liability for indirect loss"),
    "narrow scope": ("upon termination of this deed", "under this deed"),
    "performance at large": ("the performance of, or use of, the system", "the termination"),
    "loss as such": ("losses", "suits"),
    "liability as a noun": ("shall have no liability ", "shall not be liable "),
    "turn to cause": ("arising from this deed", "and goodwill"),
    # waivers
    "in no event liable": ("In no event shall Maker be liable", "In no event shall Maker be late"),
    "neither liable": ("Neither party shall be liable", "Neither party shall be late"),
    "not liable": ("Maker shall not in any way be liable", "Maker shall not be late"),
    "no liability": ("Maker accepts no liability", "Maker accepts no orders"),
    "in no event recover": ("In no event may Buyer recover lost profits", "In no event may Buyer resell"),
    "no liability attaches": ("no liability of any kind attaches to Maker in", "no label attaches to Maker in"),
    "waives": ("Tenant hereby waives all claims", "Tenant hereby leaves the house"),
    "disclaims": ("Maker expressly disclaims all liability", "Maker expressly claims all land"),
    "liability excluded": ("liability for indirect loss is excluded", "liability for indirect loss is capped"),
    "excludes liability": ("the indemnity excludes liability for", "the indemnity includes liability for"),
    "not entitled to recover": ("Buyer may not recover lost profits", "Buyer may not resell the goods"),
    "shall not include": ("damages of the Buyer shall not include profits", "goods shall not include spares"),
    "owes nothing": ("Maker will not owe any compensation", "Maker will not own any patents"),
    "no right to damages": ("Dealer shall have no right to damages", "Dealer shall have no right to resell"),
    "not required to pay": ("in no event shall Maker be required to pay", "Maker shall be required to pay"),
    "only direct": ("Maker shall only be liable for direct damages", "Maker shall be liable for direct damages"),
    "limited to direct": ("remedies are limited to direct damages", "remedies are limited to repair"),
    "none but direct": ("Maker will have no liability for any damages other than direct ones", "other than direct"),
    # caps
    "shall not exceed": ("liability shall not in any year exceed", "liability shall be paid"),
    "in no event exceed": ("in no event will its liability exceed", "its liability may exceed"),
    "not to exceed": ("a sum not to exceed ten", "a sum to be agreed"),
    "exceeds": ("any amount in excess of", "any amount of"),
    "no more than": ("no more than the fees", "more of the fees"),
    "more than an amount": ("more than the amount paid", "more than two years"),
    "limited to": ("is limited in the aggregate to", "including but not limited to"),
    "limits its liability to": ("may limit its liability to", "may limit its output to"),
    "up to": ("up to a maximum of $5", "up to date"),
    "maximum liability is": ("The maximum liability of Maker shall be", "The maximum load shall be"),
    "liability shall equal": ("liability of Maker shall be equal to", "weight shall be equal to"),
    "liability word": ("compensation", "delivery"),
    "authority to spend": ("may settle any claim for ", "may not be liable for "),
    "not limited to": ("including but not ", "is hereby "),
    "time ahead": (" two (2) years after the act", " the fees paid"),
    "duration ahead": (" a continuous period", " the fees paid"),
    "liability anew": ("Buyer's liability", "the event giving rise to such liability"),
    # remedies and time bars
    "sole remedy": ("the sole and exclusive remedy", "the non-exclusive right"),
    "remedies are exclusive": ("the remedies above are exclusive", "the remedies above are useful"),
    "limited to mending": ("its liability is limited to the repair of", "its liability is limited to fees"),
    "mending at its option": ("Maker shall, at its option, repair or replace", "Maker shall repair or replace"),
    "only responsible for mending": ("only be responsible for replacement", "only be responsible for delivery"),
    "remedy limited to mending": ("remedies shall be limited to repair", "remedies shall be cumulative"),
    "time bar": ("no action may be brought more than two years", "no action may be brought"),
    "time bar blacked out": ("no claim may be made more than [*] after", "no claim may be made after"),
    "brings a claim": ("must be commenced", "must be delivered"),
    "damages named": ("specific performance", "repair"),
    "remedy named": ("termination", "repair"),
    "liquidated damages": ("liquidated damages", "damages"),
    # exposure and fragments
    "liability unlimited": ("liability of Maker is unlimited", "liability of Maker is limited"),
    "neither liability is limited": ("Neither party's liability is subject to a limit", "Neither party's name"),
    "no ceiling applies": ("no ceiling applies to the liability of Maker", "no ceiling leaks"),
    "liable in full": ("Maker is liable in full", "Maker is liable in part"),
    "confined to a head": (" for damage caused by its staff", " for any breach"),
    "unlimited liability": ("bears unlimited liability", "bears limited liability"),
    "without limit in amount": ("without limitation as to amount", "including without limitation"),
    "liable without limit": ("liable to Buyer without limit", "liable to Buyer"),
    "no limit on liability": ("there is no cap on Maker's liability", "there is no cap on Maker's output"),
    "answers for": ("Maker shall be liable for any damage", "Maker shall be paid for any work"),
    "indemnifies": ("Maker shall indemnify Buyer", "Maker shall inform Buyer"),
    "survives": ("these duties shall survive for a period", "these duties shall end"),
    "blacked out": ("Maker shall not be [***]", "Maker shall not be late"),
    "liability without a verb": ("the aggregate liability of Maker for all claims", "the liability of Maker"),
    "liable for gross fault only": ("liability is limited to gross negligence", "liability is limited to fees"),
    "payable by": ("the compensation payable by Maker", "the compensation payable by either party"),
    "second owner": (", or Birch under this deed", ", or its staff under this deed"),
    "nothing limits liability": (
        "Nothing in this deed limits Maker's liability.",
        "Nothing here limits liability for fraud.",
    ),
    "limits no liability of its own": (
        "Maker does not limit its liability.",
        "Maker does not limit its liability for fraud.",
    ),
    "unlimited for a head": ("liability for late payment is unlimited", "liability for any loss is unlimited"),
    "limited recourse": ("these are limited recourse obligations", "these are lasting obligations"),
    "limited again": (", and then any such liability is limited to $500", " and then Maker shall deliver"),
    "released from liability": ("Maker is released from all liability", "Maker is released from escrow"),
    "damages excluded": ("special damages are waived by both", "special damages are payable"),
    "no power to award": ("they have no power to award special damages", "they are empowered to award special damages"),
    "excuse": ("an event of force majeure", "an event of default"),
    "ordinary fault": ("its negligent acts", "its gross negligence"),
    "as far as the law permits": ("to the fullest extent permitted by law", "to the extent required by law"),
    "sweeping": ("or any breach whatsoever", "any breach of the duty of confidence"),
    "liability nil": ("Tenant's liability shall be nil.", "the liability is nil for late payment"),
    "no claim against": ("Buyer shall have no claim against Maker.", "Buyer has no claim against the directors"),
    "brings no claim against": (
        "Buyer may not bring any claim against Maker.",
        "Buyer may not bring any claim against Maker after two years.",
    ),
    "knows no ceiling": ("the liability of Tenant knows no ceiling", "the ceiling is known"),
    "liable in unlimited amount": ("shall be liable in unlimited amount", "liable in an amount of $5"),
    # what was left unread
    "speaks of liability": ("Maker is immune", "Notices are in writing"),
    "note on scope": ("The foregoing serves Maker", "Notices are in writing"),
    "own breach at large": (" for its failure to perform.", " for its failure to perform owing to a strike."),
    "without any limit": ("may recover its loss without limit", "including without limitation its loss"),
    "postposed exception": ("$250,000, theft excepted.", "goods of an accepted kind"),
    "liable without any cap": ("Maker is liable for its acts, without any cap or limit", "liable without any delay"),
    "no cap applies to a party": ("No monetary cap applies to Lessee.", "No cap applies to fraud."),
    "gives up suing": (" hereby forgoes any right to sue Maker", " waives its right to sue the other party"),
    "liable up to any amount": ("liable up to any amount", "liable up to an amount of $5"),
    "wholly": ("No monetary cap applies to Dealer", "a cap of $500 applies to Dealer"),
    "confirms a limit": (
        "These limitations shall apply even if a remedy fails",
        "These limitations shall apply even if a remedy fails, but to Maker alone",
    ),
    "letters of another script": ("Makеr", "Maker § 5 – café"),
    "disguised word": ("Maker shall n0t be 1iable", "the 10th day of week 1, 100k"),
    "English function word": ("the cap", "Gesamthaftung ausgeschlossen"),
    "denied": ("It is not the case that Maker is liable", "It is the case"),
}


def test_every_pattern_has_its_examples() -> None:
    assert sorted(EXAMPLES) == sorted(PATTERNS)


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_pattern_finds_its_example_and_not_the_other(name: str) -> None:
    found, not_found = (read_text(text).norm for text in EXAMPLES[name])
    assert PATTERNS[name].found(found), found
    assert not PATTERNS[name].found(not_found), not_found


def test_a_name_stands_once() -> None:
    with pytest.raises(ValueError, match="two patterns are named money"):
        Pattern("money", "x")


def test_patterns_look_only_inside_their_span() -> None:
    text = "fraud and fraud"
    assert [m.start() for m in PATTERNS["fraud"].all(text, Span(5, 15))] == [10]


def test_first_is_leftmost_and_every_overlaps_nothing() -> None:
    fraud, cap = PATTERNS["fraud"], PATTERNS["exceeds"]
    text = "fraud exceeds fraud"
    assert first((cap, fraud), text).start() == 0
    assert [m.group() for m in every((cap, fraud), text)] == ["fraud", "exceeds", "fraud"]
    assert first((cap,), "nothing") is None


def test_masked_text_keeps_its_length_and_brackets_become_blanks() -> None:
    text = "limited (except fraud) to ten, save theft"
    masked = mask(text, [Span(9, 21), Span(31, 41)])
    assert len(masked) == len(text)
    assert masked == "limited (" + " " * 12 + ") to ten, " + MASK * 10


def test_any_of_joins_alternatives() -> None:
    assert any_of("a", "b") == "a|b"
