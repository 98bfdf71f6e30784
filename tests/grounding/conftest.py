"""A small library written here, scripted agents, and a fake API for the real SDK."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from pipeline.base.types import AuditorAnswer, Chunk, Evidence, Faithfulness, Identity
from pipeline.grounding.agents import Meter
from pipeline.llm.request import LlmFailure
from pipeline.standard import Standard, load_standard

if (tests := str(Path(__file__).resolve().parents[1])) not in sys.path:
    sys.path.insert(0, tests)  # the fakes are modules of the tests, not of the product

CLAUSE = (
    "Except for breach of confidentiality, neither party's total liability under this Agreement shall exceed the fees "
    "paid by Customer in the twelve (12) months before the claim arose, and neither party shall be liable for indirect "
    "or consequential damages."
)
TEXTS = (
    "Neither party shall be liable to the other for any indirect, special or consequential damages.",
    "In no event shall Supplier's aggregate liability exceed the fees paid in the six (6) months before the claim.",
    "Each party's liability shall not exceed $500,000, except for fraud or wilful misconduct.",
    "Buyer's sole remedy is repair or replacement of the defective unit.",
    "Nothing in this Agreement limits the liability of Contractor, which shall be unlimited.",
)


@pytest.fixture(scope="session")
def standard() -> Standard:
    return load_standard()


@pytest.fixture(scope="session")
def clause() -> str:
    return CLAUSE


@pytest.fixture(scope="session")
def evidence() -> tuple[Evidence, ...]:
    chunks = [
        Chunk(f"c{i:012d}", f"Contract {i}", 10 * i, 10 * i + len(text), text, ("Cap On Liability",), f"family{i}")
        for i, text in enumerate(TEXTS)
    ]
    return tuple(Evidence(chunk, 1.0 - 0.1 * i, i + 1) for i, chunk in enumerate(chunks))


@dataclass
class ScriptedAuditor:
    """Answers what it is told to, and counts."""

    said: AuditorAnswer | LlmFailure
    identity: Identity = field(default_factory=lambda: Identity("scripted", code="tests.auditor"))
    calls: int = 0

    def answer(self, clause: str, standard: Standard, evidence: Any, meter: Meter) -> AuditorAnswer:  # noqa: ARG002
        self.calls += 1
        if isinstance(self.said, LlmFailure):
            raise self.said
        return self.said


@dataclass
class ScriptedJudge:
    found: Faithfulness | LlmFailure
    identity: Identity = field(default_factory=lambda: Identity("scripted judge", code="tests.judge"))
    calls: int = 0

    def check(self, answer: Any, clause: str, standard: Standard, cited: Any, meter: Meter) -> Faithfulness:  # noqa: ARG002
        self.calls += 1
        if isinstance(self.found, LlmFailure):
            raise self.found
        return self.found


@pytest.fixture(scope="session")
def scripted_auditor() -> Callable[..., ScriptedAuditor]:
    return ScriptedAuditor


@pytest.fixture(scope="session")
def scripted_judge() -> Callable[..., ScriptedJudge]:
    return ScriptedJudge
