"""A limit on money that threads share: reserve the worst case, then settle what a call did cost."""

from __future__ import annotations

import threading

from pipeline.llm.request import LlmFailure
from pipeline.types import FailureCause


class Budget:
    """Holds ``spent + reserved <= limit`` before every call, in US dollars.

    ``spent`` is the known cost plus the worst case of calls whose cost will never be known (a time-out, a
    lost connection: the provider may have charged them). The limit holds as long as no call costs more
    than was reserved for it.
    """

    def __init__(self, limit_usd: float) -> None:
        self.limit_usd = limit_usd
        self._spent = 0.0
        self._reserved = 0.0
        self._lock = threading.Lock()

    @property
    def spent_usd(self) -> float:
        return self._spent

    @property
    def reserved_usd(self) -> float:
        return self._reserved

    def reserve(self, usd: float) -> None:
        """Set ``usd`` aside, or raise ``LlmFailure`` with INFRA_BUDGET and set nothing aside."""
        with self._lock:
            if self._spent + self._reserved + usd > self.limit_usd:
                raise LlmFailure(
                    FailureCause.INFRA_BUDGET,
                    f"llm.max_cost_usd = {self.limit_usd:g} would be exceeded (spent {self._spent:.4f}, "
                    f"in flight {self._reserved:.4f}, this call up to {usd:.4f}); "
                    "a later run goes on from the cache",
                )
            self._reserved += usd

    def settle(self, reserved_usd: float, spent_usd: float) -> None:
        """Give back what was reserved and book what was spent."""
        with self._lock:
            self._reserved = max(0.0, self._reserved - reserved_usd)
            self._spent += spent_usd
