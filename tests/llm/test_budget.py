"""The limit on money, under any order of reservations and from many threads."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.base.types import FailureCause
from pipeline.llm.budget import Budget
from pipeline.llm.request import LlmFailure

usd = st.floats(0, 3, allow_nan=False)


@given(st.floats(0, 10), st.lists(st.tuples(usd, st.floats(0, 1), st.booleans()), max_size=30))
def test_what_is_spent_and_reserved_never_exceeds_the_limit(limit, calls):
    budget = Budget(limit)
    waiting = []
    for worst, share, wait in calls:
        try:
            budget.reserve(worst)
        except LlmFailure as failure:
            assert failure.cause is FailureCause.INFRA_BUDGET
            assert budget.spent_usd + budget.reserved_usd + worst > limit - 1e-8
        else:
            waiting.append((worst, worst * share))
        if waiting and not wait:
            budget.settle(*waiting.pop())
        assert budget.spent_usd + budget.reserved_usd <= limit
    for call in waiting:
        budget.settle(*call)
    assert budget.reserved_usd == 0
    assert budget.spent_usd <= limit


class Slow(float):
    """A limit that takes its time to be compared with, so that threads do meet there."""

    def __lt__(self, other):
        time.sleep(0.002)
        return float(self) < other


def test_threads_cannot_overdraw_it_together():
    budget = Budget(Slow(1.0))
    together = threading.Barrier(16)
    admitted = []

    def call(_):
        together.wait()
        try:
            budget.reserve(0.1)
        except LlmFailure:
            return
        admitted.append(1)

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(call, range(16)))
    assert len(admitted) == 10


def test_no_limit_and_no_money():
    Budget(float("inf")).reserve(1e9)
    Budget(0.0).reserve(0.0)
    with pytest.raises(LlmFailure):
        Budget(0.0).reserve(1e-9)
