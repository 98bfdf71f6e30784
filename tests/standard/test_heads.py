from __future__ import annotations

import pytest

from pipeline.standard.heads import Heads, heads
from pipeline.standard.text import Span, read_text


def _read(text: str) -> Heads:
    norm = read_text(text).norm
    return heads(norm, Span(0, len(norm)))


@pytest.mark.parametrize(
    "body",
    [
        " for any indirect, special or consequential damages arising out of this deed",
        " for loss of profits, revenue or goodwill",
        " to the other, in contract or tort, for any indirect loss",
        " for consequential loss (including damage to property or the cost of cover)",
        " for any damages resulting from loss of data or lost profits",
        " for any and all demands against Birch for consequential loss",
        " for indirect loss or other damages that are not foreseeable",
    ],
)
def test_lists_that_stay_indirect(body: str) -> None:
    found = _read(body)
    assert found.direct is None and not found.everything
    assert found.indirect or found.profits


@pytest.mark.parametrize(
    "body",
    [
        " for any direct or indirect damages",
        " for the cost of cover or any special damages",
        " for lost profits or on account of expenditures and leases",
        " for indirect loss or any other damages of any kind",
        " for loss (whether direct or indirect) of profits",
        " for loss of profits, property or traffic",
    ],
)
def test_lists_that_reach_direct_loss(body: str) -> None:
    assert _read(body).direct is not None


@pytest.mark.parametrize(
    "body",
    [
        " for any damages, including indirect damages",
        " for any loss, damage, cost or expense",
        " for all obligations and liabilities, direct or indirect",
        " for any direct, indirect or special loss",
    ],
)
def test_lists_that_take_in_everything(body: str) -> None:
    assert _read(body).everything


def test_direct_profits_are_not_everything() -> None:
    assert not _read(" for any direct loss of profits or special damages").everything


def test_no_liability_without_an_object_takes_in_everything() -> None:
    text = "maker shall have no liability, whether direct or indirect, to buyer"
    assert heads(text, Span(text.index(","), len(text))).everything
    narrow = "maker shall have no liability for settlements made by buyer"
    assert not heads(narrow, Span(narrow.index(" for"), len(narrow))).everything


def test_scope_is_narrow_where_a_cause_is_named() -> None:
    assert _read(" for any damages on account of termination").narrow
    assert not _read(" for any damages under this deed").narrow
    assert not _read(" for any damages from furnishing the system or its suspension").narrow


def test_the_words_are_drawn_out_to_their_noun() -> None:
    norm = " for any indirect or special damages arising hereunder"
    found = heads(norm, Span(0, len(norm)))
    assert found.indirect and norm[found.indirect.start : found.indirect.end] == "indirect or special damages"
