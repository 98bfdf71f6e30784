"""The vocabulary: enums and frozen records that every floor shares.

Conventions: offsets are characters into the contract's text, ``start`` included and ``end``
excluded; ``sha256`` is the lower-case hex digest of the UTF-8 text; a rate is a float in [0, 1].
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any

POSITIONS = ("P1", "P2", "P3", "P4", "P5", "P6")


class Verdict(StrEnum):
    """What an audit says. The first four can be said by an auditor; the last only by the contract."""

    ACCEPTABLE = "acceptable"
    RISKY = "risky"
    OFF_STANDARD = "off-standard"
    INSUFFICIENT_GROUNDING = "insufficient-grounding"
    ESCALATE_INFRA = "escalate-infra"


#: Verdicts that commit to a reading of the clause.
ANSWERS = (Verdict.ACCEPTABLE, Verdict.RISKY, Verdict.OFF_STANDARD)
#: Verdicts that an auditor may give.
AUDITOR_VERDICTS = (*ANSWERS, Verdict.INSUFFICIENT_GROUNDING)


class Level(StrEnum):
    """How a clause stands to one position of the standard. ``fails`` belongs to P5 alone."""

    MEETS = "meets"
    DEPARTS = "departs"
    OFF = "off"
    SILENT = "silent"
    FAILS = "fails"


class Band(StrEnum):
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class FailureCause(StrEnum):
    """Why an audit gave no verdict. Every one is declared and reported, zeros included."""

    NONE = "none"
    # abstention: the evidence or the reading did not carry a verdict
    GATE1 = "gate1"
    AUDITOR_ABSTAINED = "auditor_abstained"
    INVALID_VERDICT = "invalid_verdict"
    CITATION_NOT_RETRIEVED = "citation_not_retrieved"
    GATE2_UNFAITHFUL = "gate2_unfaithful"
    # infra: a call failed, and nothing is known about the clause
    INFRA_TIMEOUT = "infra_timeout"
    INFRA_RATE_LIMIT = "infra_rate_limit"
    INFRA_OVERLOADED = "infra_overloaded"
    INFRA_SERVER_ERROR = "infra_server_error"
    INFRA_CONNECTION = "infra_connection"
    INFRA_AUTH = "infra_auth"
    INFRA_REQUEST = "infra_request"  # the provider refuses the request itself: unknown model, too long
    INFRA_MALFORMED = "infra_malformed"
    INFRA_TRUNCATED = "infra_truncated"
    INFRA_REFUSAL = "infra_refusal"
    INFRA_BUDGET = "infra_budget"
    INFRA_NOT_RECORDED = "infra_not_recorded"

    @property
    def is_infra(self) -> bool:
        return self.value.startswith("infra_")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a contract that can be retrieved and cited.

    ``family`` is the contract family: no evidence may come from the family of the clause it judges.
    """

    chunk_id: str
    title: str
    start: int
    end: int
    text: str
    categories: tuple[str, ...] = ()
    family: str = ""

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Chunk:
        """From a row of data/chunks, of which ``CHUNK`` names the columns."""
        return cls(**{name: row[name] for name in CHUNK} | {"categories": tuple(row["categories"])})


CHUNK = tuple(column.name for column in fields(Chunk))


@dataclass(frozen=True, slots=True)
class Evidence:
    """A retrieved chunk with its rank (from 1) and its score under the retriever that found it."""

    chunk: Chunk
    score: float
    rank: int


@dataclass(frozen=True, slots=True)
class PositionReading:
    """The level of one position, and the words of the clause that were read for it (verbatim)."""

    level: Level
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence of a reason. ``against`` names the text it rests on: ``clause``, ``standard``
    or a ``chunk_id``."""

    text: str
    against: str


@dataclass(frozen=True, slots=True)
class AuditorAnswer:
    """What an auditor returns, before anything is checked: ``verdict`` and ``chunk_id`` are plain
    strings, because a model may write anything there."""

    verdict: str
    positions: Mapping[str, PositionReading]
    claims: tuple[Claim, ...]
    chunk_id: str | None

    @property
    def reason(self) -> str:
        return " ".join(claim.text for claim in self.claims)


@dataclass(frozen=True, slots=True)
class ClaimCheck:
    """One claim after the faithfulness judge: supported or not, against which text, and why."""

    claim: str
    supported: bool
    against: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Faithfulness:
    """The faithfulness judge's finding. Faithful: at least one claim, and every claim supported."""

    claims: tuple[ClaimCheck, ...]

    @property
    def faithful(self) -> bool:
        return bool(self.claims) and all(check.supported for check in self.claims)


@dataclass(frozen=True, slots=True)
class Identity:
    """Who decides: two identities are the same agent if model and prompt are the same, or if the
    code that decides is. ``prompt_sha256`` is empty where no prompt is used, ``code`` names the
    deciding module where no model is."""

    name: str
    model: str = ""
    prompt_sha256: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """Calls, tokens and dollars. ``cached_calls`` were answered from the cache and cost nothing."""

    calls: int = 0
    cached_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.cached_calls + other.cached_calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cost_usd + other.cost_usd,
        )


@dataclass(frozen=True, slots=True)
class Citation:
    """The evidence that a verdict rests on, looked up by id and never matched by string."""

    chunk_id: str
    contract: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class AuditResult:
    """What an audit returns; the JSON keeps these keys."""

    verdict: Verdict
    reason: str
    citation: Citation | None
    positions: Mapping[str, PositionReading]
    gate1_score: float
    gate1_threshold: float
    faithfulness: Faithfulness | None
    failure_cause: FailureCause
    auditor: Identity
    judge: Identity
    usage: Usage = field(default_factory=Usage)
