"""The six profiles: each reads an artifact of its form, runs the checks, and says what the score counts."""

from __future__ import annotations

from collections.abc import Callable

from pipeline.verification.profiles import adversarial, citations_clean, draft, nda_batch, reg_watch, timeline
from pipeline.verification.profiles.base import Context, Examined, Past, SchemaError

PROFILES: dict[str, Callable[[str, Context], Examined]] = {
    "citations-clean": citations_clean.examine,
    "draft-passes-gate": draft.examine,
    "adversarial-converge": adversarial.examine,
    "nda-batch-clean": nda_batch.examine,
    "reg-watch": reg_watch.examine,
    "timeline-sourced": timeline.examine,
}

__all__ = ["PROFILES", "Context", "Examined", "Past", "SchemaError"]
