from __future__ import annotations

import pytest

from pipeline.base.types import Level
from pipeline.standard import read_clause
from pipeline.standard.exceptions import Kind, items_of, one_sided
from pipeline.standard.leadins import regions_of
from pipeline.standard.text import Span, read_text


def _regions(text: str) -> list[str]:
    norm = read_text(text).norm
    return [norm[r.start : r.end] for r in regions_of(norm, Span(0, len(norm)))]


def _items(text: str) -> list[tuple[Kind, str]]:
    norm = read_text(text).norm
    return [(item.kind, item.subject) for item in items_of(norm, Span(0, len(norm)))]


@pytest.mark.parametrize(
    ("sentence", "regions"),
    [
        ("Except for fraud, in no event shall Maker be liable", ["except for fraud"]),
        ("Neither party is liable for delay, except in cases of fraud", ["except in cases of fraud"]),
        ("Liability (other than for sums due) shall not exceed", ["other than for sums due"]),
        ("Subject to Section 9, each party's liability shall not exceed ten", ["subject to section 9"]),
        ("Save for theft, and despite anything else, the total liability is ten", ["save for theft"]),
        ("Maker shall not be liable for damages other than direct damages", []),
        ("fees paid, excluding taxes", []),
        ("no action unless commenced within one year", []),
        ("no claim unless notified within one year", []),
        ("not liable for special damages other than to the extent awarded to a third party", ["other than to the"]),
        ("not liable for damages other than to the extent they are direct", []),
        ("no loss, except for theft, and then such liability is limited to $500", ["except for theft"]),
        ("Each party limits its liability to $90,000, theft excepted", ["theft excepted"]),
        ("Each party's liability (theft and fraud excepted) shall not exceed $90,000", ["theft and fraud excepted"]),
        ("Liability is limited, save for theft, to $90,000 in all", ["save for theft"]),
        ("Neither party is liable for loss except direct loss", []),
        ("no liability except for direct damages arising from theft", ["except for direct damages arising"]),
        ("Except for fraud, any and all claims shall be barred after a year", ["except for fraud"]),
    ],
)
def test_regions(sentence: str, regions: list[str]) -> None:
    assert [r.strip(" ,") for r in _regions(sentence)] == regions or (
        regions and _regions(sentence)[0].startswith(regions[0])
    )


def test_a_bracket_that_never_closes_ends_at_its_comma() -> None:
    assert _regions("each party's liability (other than sums due, shall not exceed ten") == ["other than sums due"]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("except for fraud or wilful misconduct", [Kind.PERMITTED, Kind.PERMITTED]),
        ("except for breach of Section 9 (Confidentiality)", [Kind.PERMITTED]),
        ('except under the Section entitled "Indemnity"', [Kind.PERMITTED]),
        ("except for indemnification obligations under Sections 4.1 and 4.2", [Kind.PERMITTED]),
        ("the indemnification rights or obligations of a party under Article 14", [Kind.PERMITTED]),
        ("except for breach of Section 9", [Kind.NUMBER]),
        ("except for (a) fraud, (b) a breach of Section 7 or (c) theft of patents", None),
        ("except as otherwise provided herein", [Kind.OPEN]),
        # takes all limits away and names no subject
        ("except that Tenant may claim all its losses from Landlord without limit", [Kind.WIDE]),
        ("save that the remedies of Tenant shall be unrestricted in amount", [Kind.WIDE]),
        ("Tenant's liability, which is uncapped", [Kind.WIDE]),
        ("except for fraud, for which liability is unlimited", [Kind.PERMITTED]),
        ("except as set forth in Section 9, including without limitation its schedule", [Kind.OPEN]),
        ("except as set forth in Section 9, where liability is unlimited", [Kind.OPEN]),
        ("except for damage to tangible property", [Kind.OUTSIDE]),
        ("except for wilful breach of this Agreement", [Kind.OUTSIDE]),
        ("except for any breach of this Agreement", [Kind.WIDE]),
        ("except for Section 3 (Delivery Compliance)", [Kind.OUTSIDE]),
        ("except in winter", []),
    ],
)
def test_items(text: str, kinds: list[Kind] | None) -> None:
    found = [kind for kind, _ in _items(text)]
    assert found == (kinds if kinds is not None else [Kind.PERMITTED, Kind.NUMBER, Kind.PERMITTED])


def test_an_enumerator_is_no_part_of_the_reference_before_it() -> None:
    kinds = [kind for kind, _ in _items("except for (a) fraud, (b) breach of Section 6.1, (c) gross negligence")]
    assert kinds == [Kind.PERMITTED, Kind.NUMBER, Kind.PERMITTED]


@pytest.mark.parametrize(
    ("text", "party"),
    [
        ("except for Supplier's gross negligence or wilful misconduct", "supplier"),
        ("except for Buyer's failure to pay and Buyer's fraud", "buyer"),
        ("except for Buyer's failure to pay", ""),  # sums due stand apart
        ("except for fraud or Supplier's gross negligence", ""),
        ("except for each party's fraud", ""),
        ("except for Alder's indemnities and Birch's indemnities", ""),
    ],
)
def test_one_sided_exceptions(text: str, party: str) -> None:
    norm = read_text(text).norm
    assert one_sided(items_of(norm, Span(0, len(norm)))) == party


CAP = "Except for fraud, neither party's liability shall exceed the fees paid in the twelve months before the claim"


@pytest.mark.parametrize(
    "exception",
    [
        ", and except for any other breach",
        ", and except for any claim whatsoever",
        ", save for breach of contract",
        " (excluding non-performance of any obligation)",
        ", and except for liability arising from this Agreement",
    ],
)
def test_an_exception_that_takes_in_the_whole_agreement_is_off(exception: str) -> None:
    assert read_clause(CAP + exception + ".").level("P6") is Level.OFF


@pytest.mark.parametrize(
    ("exception", "level"),
    [
        (", and except for any breach, default or violation of confidentiality", Level.MEETS),
        (", and except for any breach of the duty of confidence", Level.MEETS),
        (", and except for anything done or omitted by Maker", Level.DEPARTS),
        (", and except for blue moons", Level.DEPARTS),  # no word of it is known: left open, not dropped
    ],
)
def test_an_exception_is_read_to_its_end_and_never_dropped(exception: str, level: Level) -> None:
    assert read_clause(CAP + exception + ".").level("P6") is level


def test_a_carve_out_of_one_partys_liability_departs() -> None:
    cap = CAP + "; this cap shall not apply to Buyer's liability, which is uncapped."
    assert read_clause(cap).level("P6") in (Level.DEPARTS, Level.OFF)
