from __future__ import annotations

import pytest

from pipeline.standard.carveouts import carve_out
from pipeline.standard.text import Span, read_text


@pytest.mark.parametrize(
    "text",
    [
        "The limitations above shall not apply to fraud",
        "This limitation does not, however, apply to fraud",
        "Nothing in this deed shall limit liability for fraud",
        "None of the foregoing limitations will be available to a party in respect of fraud",
        "The cap shall be inapplicable to fraud",
        "Neither party excludes its liability for fraud",
        "Each party is responsible without limit for fraud",
    ],
)
def test_carve_outs_that_stand_alone(text: str) -> None:
    norm = read_text(text).norm
    found = carve_out(norm, Span(0, len(norm)))
    assert found and found.alone
    assert "fraud" in norm[found.content.start : found.content.end]


def test_a_proviso_belongs_to_the_limit_before_it() -> None:
    norm = "maker's liability shall not exceed ten, provided, however, that this limit shall not apply to fraud"
    found = carve_out(norm, Span(0, len(norm)))
    assert found and not found.alone
    assert norm[found.trigger.start :].startswith("provided")


def test_what_is_excluded_from_the_limits_may_stand_before_the_verb() -> None:
    norm = "fraud and theft are excluded from these limitations"
    found = carve_out(norm, Span(0, len(norm)))
    assert found and norm[found.content.start : found.content.end].strip() == "fraud and theft"


@pytest.mark.parametrize("text", ["these limitations shall apply even if a remedy fails", "maker shall not be liable"])
def test_no_carve_out(text: str) -> None:
    assert carve_out(text, Span(0, len(text))) is None
