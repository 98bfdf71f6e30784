"""Trying again: with exponential backoff and jitter, obeying ``retry-after``, and never waiting beyond a cap."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

import tenacity

from pipeline.base.types import FailureCause
from pipeline.llm.failures import ApiFault, Fault

T = TypeVar("T")
FIRST_WAIT_S = 0.5
MAX_BACKOFF_S = 8.0
#: A malformed answer is asked for once more, no more: it may have been charged.
MALFORMED_ATTEMPTS = 2


def retrying(
    call: Callable[[], T],
    max_retries: int,
    cap_s: float,
    unless: Callable[[Fault], bool] | None = None,
    stop: threading.Event | None = None,
) -> T:
    """``call()``, again after each ``ApiFault`` that may pass, ``max_retries`` times at most, and not after
    one of which ``unless`` is true. Once ``stop`` is set there is no waiting and no further attempt."""
    stop = stop or threading.Event()
    backoff = tenacity.wait_exponential_jitter(multiplier=FIRST_WAIT_S, max=MAX_BACKOFF_S, jitter=FIRST_WAIT_S)

    def wait(state: tenacity.RetryCallState) -> float:
        fault = _fault(state)
        asked = fault.retry_after_s if fault else None
        return min(cap_s, backoff(state) if asked is None else asked)

    def again(state: tenacity.RetryCallState) -> bool:
        fault = _fault(state)
        if fault is None or not fault.retry or (unless is not None and unless(fault)):
            return False
        return fault.cause is not FailureCause.INFRA_MALFORMED or state.attempt_number < MALFORMED_ATTEMPTS

    policy = tenacity.Retrying(
        stop=tenacity.stop_after_attempt(max_retries + 1) | tenacity.stop_when_event_set(stop),
        sleep=tenacity.sleep_using_event(stop),
        wait=wait,
        retry=again,
        reraise=True,
    )
    return policy(call)


def _fault(state: tenacity.RetryCallState) -> Fault | None:
    error = state.outcome.exception() if state.outcome else None
    return error.fault if isinstance(error, ApiFault) else None
