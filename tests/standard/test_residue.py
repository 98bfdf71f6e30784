"""Nothing is acceptable of which a sentence on liability was left unread. Every clause is our own."""

from __future__ import annotations

import pytest

from pipeline.base.types import Band, Level, Verdict
from pipeline.standard import read_clause

MUTUAL = "Neither party is liable for indirect damages. "

#: Sentences that no pattern knows: with each the clause is unread.
UNREAD = [
    "Maker: no liability.",
    "Buyer's only comfort is that Maker answers for no loss.",
    "No monetary cap applies to Dealer.",
    "Buyer may in its discretion set what it recovers.",
    "The foregoing shall apply to Maker only.",
    "The preceding sentence is deleted.",
    "Provided, however, that Buyer's liability is not so limited.",
    "In this deed 'neither party' means Maker.",
    "Tenant answers to Landlord with all it has.",
    "Dealer shall make Maker whole for everything.",
    "Buyer waives its rights against Maker.",
    "The exclusion above protects Maker alone.",
    'The word "neither" above shall read "the latter".',
    "Buyer shall pay whatever Maker asks.",
    "Die Haftung des Herstellers entfällt.",
    "Производитель не отвечает.",
    "M a k e r p a y s n o t h i n g .",
    "Mаker bears nothing.",  # the second letter is Cyrillic
    "Maker shall n0t be 1iable.",
]
#: Sentences that say nothing of liability, or only confirm a limit.
HARMLESS = [
    "Notices shall be sent to the registered office of each party.",
    "The parties agree that the fees reflect this allocation of risk.",
    "These limitations shall apply even if a limited remedy has failed of its essential purpose.",
    "This limitation shall apply to the fullest extent permitted by law.",
    "The foregoing limitations apply regardless of the form of action.",
    "Each party shall use reasonable efforts to mitigate its damages.",
    "EXCLUSIVE REMEDIES.",
    "This clause survives termination.",
]
#: Sentences that free or expose one party wholly: read, not only left out.
OFF = [
    "Maker's liability is nil.",
    "Maker's liability is wholly excluded.",
    "[Maker's liability is wholly excluded.]",
    "Maker is absolved of every liability.",
    "Maker shall be immune from suit by Buyer.",
    "Buyer may not bring any claim against Maker.",
    "Buyer has no recourse whatsoever against Maker.",
    "Buyer's exposure under this deed is unlimited.",
    "The liability of the Buyer knows no ceiling.",
    "Buyer's liability shall be infinite.",
    "Buyer shall be liable in unlimited amount for its default.",
    "<b>Maker</b> is absolved of every liability.",
    "Maker&#39;s liability is n&#105;l.",
    "Ｍａｋｅｒ＇ｓ ｌｉａｂｉｌｉｔｙ ｉｓ ｎｉｌ.",
]
OFF += [
    "Buyer may rely on nobody, and shall have no claim against Maker in any matter whatsoever.",
    "Buyer and Guarantor shall have no remedy against Maker for any breach.",
    "Maker assumes no liability for any breach of this agreement.",
    "In no event shall Maker be held liable for non-performance of its obligations.",
    "Maker shall be liable for all loss of every kind, lost profits too, without any cap or ceiling.",
    "Buyer shall be liable up to any amount.",
    "Buyer irrevocably renounces all rights to bring claims against Maker.",
    "No ceiling whatsoever shall apply to Buyer.",
]
SCOPED = [
    "Buyer may not bring any claim against Maker more than two years after delivery.",
    "Buyer shall have no recourse against the officers or directors of Maker.",
    "Buyer waives its right to sue Maker after two years.",
    "Maker shall not be liable for its failure to perform in a force majeure event.",
]


@pytest.mark.parametrize("sentence", UNREAD)
def test_an_unread_sentence_on_liability_leaves_no_verdict(sentence: str) -> None:
    reading = read_clause(MUTUAL + sentence)
    assert reading.verdict is Verdict.INSUFFICIENT_GROUNDING
    assert reading.missing == ("What is missing is a sentence on liability that cannot be read.",)
    assert not reading.confident


@pytest.mark.parametrize("sentence", HARMLESS)
def test_a_sentence_on_other_things_costs_nothing(sentence: str) -> None:
    assert read_clause(MUTUAL + sentence).verdict is Verdict.ACCEPTABLE


@pytest.mark.parametrize("sentence", OFF)
@pytest.mark.parametrize("before", ["", MUTUAL])
def test_a_party_wholly_freed_or_exposed_is_off_standard(before: str, sentence: str) -> None:
    reading = read_clause(before + sentence)
    assert reading.verdict is Verdict.OFF_STANDARD, reading.notes
    assert reading.band is Band.HIGH and reading.critical


@pytest.mark.parametrize("sentence", SCOPED)
def test_a_claim_that_is_only_narrowed_is_not_excluded(sentence: str) -> None:
    assert read_clause(MUTUAL + sentence).verdict is not Verdict.OFF_STANDARD


def test_an_unread_sentence_never_softens_a_worse_verdict() -> None:
    text = "Maker is not liable for indirect damages. The foregoing shall apply to Maker only."
    assert read_clause(text).verdict is Verdict.RISKY


@pytest.mark.parametrize("sentence", ["Maker: no liability.", "No monetary cap applies to Dealer."])
def test_a_risky_clause_with_an_unread_exposure_is_not_called_risky(sentence: str) -> None:
    """What was not read would make it worse."""
    reading = read_clause("Maker is not liable for indirect damages. " + sentence)
    assert reading.verdict is Verdict.INSUFFICIENT_GROUNDING


def test_words_that_break_off_where_liability_is_excluded_leave_no_verdict() -> None:
    reading = read_clause(MUTUAL + "Maker shall have no liability")
    assert reading.verdict is Verdict.INSUFFICIENT_GROUNDING
    assert reading.missing == (
        "What is missing is the rest of the sentence: the text is a fragment without operative words.",
    )


@pytest.mark.parametrize(
    ("part", "verdict"),
    [
        ("and the liability of Maker is what Maker says", Verdict.INSUFFICIENT_GROUNDING),
        ("whereas the liability of Maker is whatever it likes", Verdict.INSUFFICIENT_GROUNDING),
        ("and shall be free of liability for lost profits", Verdict.ACCEPTABLE),  # of the same subject
    ],
)
def test_a_part_after_a_joint_is_read_too(part: str, verdict: Verdict) -> None:
    assert read_clause(f"Neither party shall be liable for indirect damages, {part}.").verdict is verdict


@pytest.mark.parametrize(
    "part", ["Maker shall be liable beyond all bounds", "Buyer alone is liable, unlimited in every way"]
)
def test_a_part_after_a_semicolon_is_read_too(part: str) -> None:
    assert read_clause(f"Neither party is liable for indirect damages; {part}.").verdict is not Verdict.ACCEPTABLE


@pytest.mark.parametrize(
    "text",
    [
        "Neither party excludes liability for indirect damages, and each party shall be liable for all such damages.",
        "In no event shall neither party be liable for indirect damages; both shall be liable therefor in full.",
        "Neither party is liable for indirect damages. Maker shall be liable for all damages, direct and indirect.",
    ],
)
def test_what_only_sounds_like_a_waiver_is_not_acceptable(text: str) -> None:
    assert read_clause(text).verdict is not Verdict.ACCEPTABLE


def test_neither_party_excludes_liability_for_fraud_is_a_carve_out() -> None:
    assert read_clause("Neither party excludes or limits its liability for fraud.").verdict is Verdict.ACCEPTABLE


def test_a_limit_for_both_that_leaves_one_exposed_is_not_mutual() -> None:
    reading = read_clause(MUTUAL + "Buyer's liability shall be without limit.")
    assert reading.level("P1") is Level.OFF
    assert reading.notes["P1"].startswith("P1 off: a limit for both sides leaves one of them exposed, in the words ")
    assert read_clause(MUTUAL + "Each party's liability shall be without limit.").level("P1") is Level.MEETS
    assert read_clause(MUTUAL + "Maker shall be fully responsible for its agents.").level("P1") is Level.MEETS
    no_cap = read_clause(MUTUAL + "No cap of any kind shall apply to Seller.")
    assert no_cap.level("P1") is Level.OFF
