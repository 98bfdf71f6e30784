"""A limit on money that threads share: reserve the worst case, then settle what a call did cost."""

from __future__ import annotations

import math
import threading

from pipeline.base.types import FailureCause
from pipeline.llm.request import LlmFailure

BILLION = 1_000_000_000


class Budget:
    """Holds ``spent + reserved <= limit`` before every call, in US dollars.

    ``spent`` is the known cost plus the worst case of calls whose cost will never be known (a time-out, a
    lost connection: the provider may have charged them). The limit holds as long as no call costs more
    than was reserved for it.
    """

    def __init__(self, limit_usd: float) -> None:
        self.limit_usd = limit_usd
        self._spent = 0  # in billionths of a dollar: whole numbers, so that what is given back adds up
        self._reserved = 0
        self._lock = threading.Lock()

    @property
    def spent_usd(self) -> float:
        return self._spent / BILLION

    @property
    def reserved_usd(self) -> float:
        return self._reserved / BILLION

    def reserve(self, usd: float) -> None:
        """Set ``usd`` aside, or raise ``LlmFailure`` with INFRA_BUDGET and set nothing aside."""
        with self._lock:
            if (self._spent + self._reserved + _billionths(usd)) / BILLION > self.limit_usd:
                raise LlmFailure(
                    FailureCause.INFRA_BUDGET,
                    f"llm.max_cost_usd = {self.limit_usd:g} would be exceeded (spent {self.spent_usd:.4f}, "
                    f"in flight {self.reserved_usd:.4f}, this call up to {usd:.4f}); "
                    "a later run goes on from the cache",
                )
            self._reserved += _billionths(usd)

    def settle(self, reserved_usd: float, spent_usd: float) -> None:
        """Give back what was reserved and book what was spent."""
        with self._lock:
            self._reserved -= _billionths(reserved_usd)
            self._spent += _billionths(spent_usd)


def _billionths(usd: float) -> int:
    return math.ceil(usd * BILLION)
