from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.base.errors import CuadAuditError
from pipeline.corpus import families
from pipeline.corpus.sample.draws import Draws
from pipeline.corpus.sample.names import CAPACITY, company, counterparty, title


@given(st.integers(-5, 10**6))
def test_no_two_families_share_a_name(seed: int) -> None:
    made = [company(seed, index) for index in range(120)]
    assert len({one.short for one in made}) == 120
    assert len({one.family for one in made}) == 120


def test_names_are_reused_only_after_the_capacity() -> None:
    assert CAPACITY > 30_000
    assert len({company(7, index).short for index in range(0, CAPACITY, 13)}) == len(range(0, CAPACITY, 13))


def test_more_families_than_names_is_an_error() -> None:
    with pytest.raises(CuadAuditError, match="at most"):
        company(7, CAPACITY)


@given(st.integers(0, 10**6), st.integers(0, 500), st.booleans())
def test_the_company_can_be_read_off_either_shape_of_title(seed: int, index: int, _: bool) -> None:
    one = company(seed, index)
    titles = [title(one.filed, "Supply Agreement", (2011, 3, 9), n + 1, Draws(seed, n)) for n in range(8)]
    assert len(set(titles)) == 8
    assert len({families.company_keys(families.company(t)) for t in titles}) == 1
    assert all("/" not in t and "__" not in t for t in titles)


def test_a_counterparty_is_two_different_names() -> None:
    assert len({counterparty(Draws(n)).name for n in range(200)}) > 150
