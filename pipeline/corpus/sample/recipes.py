"""What the liability clauses of a corpus are to do, and how often each is asked for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Composed:
    """A clause made of parts; each field names a group in ``liability_parts`` (None: not there)."""

    mutual: bool
    ceiling: str | None = None
    waiver: str | None = None
    exceptions: str | None = None


#: What a corpus asks for, and how often in a round of all of them.
RECIPES: dict[str, tuple[int, Composed | None]] = {
    "cap-mutual": (1, Composed(True, "standard")),
    "cap-mutual-listed": (2, Composed(True, "standard", None, "listed")),
    "cap-mutual-outside": (1, Composed(True, "standard", None, "outside")),
    "cap-mutual-numbers": (1, Composed(True, "standard", None, "numbers")),
    "cap-mutual-open": (1, Composed(True, "standard", None, "open")),
    "cap-mutual-wide": (2, Composed(True, "standard", None, "wide")),
    "cap-mutual-narrow": (1, Composed(True, "narrow", None, "listed")),
    "cap-mutual-level": (2, Composed(True, "level", None, "listed")),
    "cap-mutual-exposed": (1, Composed(True, "standard", None, "one-sided")),
    "cap-one": (2, Composed(False, "standard")),
    "cap-one-listed": (1, Composed(False, "standard", None, "listed")),
    "cap-one-narrow": (1, Composed(False, "narrow")),
    "cap-one-level": (1, Composed(False, "level")),
    "cap-one-narrow-level": (1, Composed(False, "narrow-level")),
    "cap-redacted-mutual": (1, Composed(True, "redacted")),
    "cap-redacted-mutual-listed": (1, Composed(True, "redacted", None, "listed")),
    "cap-redacted-one": (1, Composed(False, "redacted")),
    "cap-redacted-waiver": (1, Composed(True, "redacted", "indirect", "listed")),
    "cap-elsewhere-mutual": (1, Composed(True, "elsewhere")),
    "cap-elsewhere-one": (1, Composed(False, "elsewhere")),
    "both-mutual-listed": (2, Composed(True, "standard", "indirect", "listed")),
    "both-mutual-outside": (1, Composed(True, "standard", "indirect", "outside")),
    "both-one": (1, Composed(False, "standard", "indirect")),
    "waiver-mutual": (1, Composed(True, None, "indirect")),
    "waiver-mutual-listed": (1, Composed(True, None, "indirect", "listed")),
    "waiver-mutual-numbers": (1, Composed(True, None, "indirect", "numbers")),
    "waiver-mutual-exposed": (1, Composed(True, None, "indirect", "one-sided")),
    "waiver-mutual-direct": (1, Composed(True, None, "direct")),
    "waiver-one": (2, Composed(False, None, "indirect")),
    "waiver-one-direct": (1, Composed(False, None, "direct")),
    "carve-out-listed": (3, Composed(True, None, None, "listed")),
    "carve-out-outside": (1, Composed(True, None, None, "outside")),
    "carve-out-numbers": (1, Composed(True, None, None, "numbers")),
    "carve-out-exposed": (1, Composed(True, None, None, "one-sided")),
    "carve-out-wide": (2, Composed(True, None, None, "wide")),
    "exclude-all-one": (4, None),
    "negligence-only-one": (3, None),
    "negligence-only-mutual": (1, None),
    "unlimited-one": (3, None),
    "unlimited-mutual": (2, None),
    "asymmetric-cap": (3, None),
    "asymmetric-waiver": (2, None),
    "indemnity-limit-mutual": (1, None),
    "indemnity-limit-one": (1, None),
    "named-head-unlimited": (1, None),
    "termination-waiver-mutual": (1, None),
    "termination-waiver-one": (1, None),
    "remedy-replace": (1, None),
    "remedy-elsewhere-one": (1, None),
    "remedy-elsewhere-none": (1, None),
    "time-bar-mutual": (1, None),
    "time-bar-mutual-sums": (1, None),
    "time-bar-one": (1, None),
    "waiver-cut": (1, None),
    "fragment-heading": (1, None),
    "fragment-tail": (1, None),
    "fragment-head-mutual": (1, None),
    "fragment-head-one": (1, None),
    "redacted-heads": (1, None),
    "not-liability": (1, None),
}
