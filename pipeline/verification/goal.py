"""The goal record: what is judged, by which profile, when it passes, and who works and who judges.

A YAML file, read strictly: an unknown field, a wrong type or a value outside its range is a
``UsageError`` that names the field. Paths in it are relative to the folder that the engine runs in
(``root``), as are those of ``dvc.yaml``.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, field_validator

from pipeline.base.errors import CuadAuditError, UsageError
from pipeline.verification.identity import Agent
from pipeline.verification.plainyaml import Malformed, read
from pipeline.verification.settings import SETTINGS

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
Text = Annotated[str, StringConstraints(max_length=20_000)]
#: The checks that every profile runs; a goal record may name further ones, and can leave none of these out.
MANDATORY = (
    "extract_citations",
    "validate_citation",
    "review_citations",
    "check_claim_support",
    "citation-content-verify",
    "R1",
    "R2",
)
OPTIONAL = ("attest_response",)
PROFILES = tuple(SETTINGS)
GOAL_LIMIT = 500_000


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Role(Strict):
    """What a role is: model (a name, or ``role:OTHER``), prompt (a file or the text), command."""

    model: str = ""
    prompt: Text = ""
    command: Text = ""


class Party(Role):
    role: Name


class Evaluator(Party):
    """``checks``: the optional checks to run besides the mandatory ones; all of them by default."""

    checks: list[str] = list(OPTIONAL)

    @field_validator("checks")
    @classmethod
    def known(cls, value: list[str]) -> list[str]:
        unknown = sorted(set(value) - {*MANDATORY, *OPTIONAL})
        if unknown:
            raise ValueError(f"no check {unknown[0]!r}; there are {', '.join((*MANDATORY, *OPTIONAL))}")
        return value


class SuccessCondition(Strict):
    """Predicates; all must hold for a pass, besides: no FAIL, no critical check left undone."""

    min_score: Annotated[float, Field(ge=0, le=100, strict=False)] | None = None
    min_citations: Annotated[int, Field(ge=0)] = 1
    allow_no_citations: bool = False
    max_warnings: Annotated[int, Field(ge=0)] | None = None


class Privacy(Strict):
    """``local-only``: nothing goes to a cloud service; ``cloud-unless-privileged``: the local classifier
    decides; ``cloud-allowed``: everything may go."""

    mode: Literal["local-only", "cloud-unless-privileged", "cloud-allowed"] = "cloud-unless-privileged"
    classifier: Literal["auto", "rules", "ollama"] = "auto"
    ollama_model: str = ""
    ollama_url: str = "http://127.0.0.1:11434"


class PipelineSource(Strict):
    """The pipeline's own index: chunks, labelled clauses and the standard, by id."""

    kind: Literal["pipeline"]
    name: Name = "index"
    chunks: Name = "data/chunks/chunks.parquet"
    contracts: Name = "data/raw/contracts.parquet"
    audits: Name = "data/verdicts/verdicts.jsonl"
    standards: Name = "data/standard"


class FolderSource(Strict):
    """A folder of documents: Markdown or text, each naming its citations in its front matter."""

    kind: Literal["folder"]
    name: Name = "folder"
    path: Name


class Lookup(Strict):
    """How a server is asked for a source: ``tool`` with one ``argument``, the text under ``text``."""

    tool: Name
    argument: Name = "citation"
    text: Name = "text"
    not_found: str = "(?i)not found|no such|does not exist|nicht gefunden"

    @field_validator("not_found")
    @classmethod
    def pattern(cls, value: str) -> str:
        try:
            re.compile(value)
        except re.error as error:
            raise ValueError(f"not a regular expression ({error})") from None
        return value


class McpSource(Strict):
    """Any MCP server over stdio. ``cloud``: what it is asked leaves this machine."""

    kind: Literal["mcp"]
    name: Name = "mcp"
    command: Annotated[list[str], Field(min_length=1)]
    env: dict[str, str] = {}
    lookup: Lookup
    timeout_s: Annotated[float, Field(gt=0, le=600, strict=False)] = 20
    cloud: bool = False


Source = Annotated[PipelineSource | FolderSource | McpSource, Field(discriminator="kind")]


class Limits(Strict):
    max_iterations: Annotated[int, Field(ge=1, le=1000)] = 5
    worker_timeout_s: Annotated[float, Field(gt=0, strict=False)] = 600
    max_worker_output: Annotated[int, Field(gt=0)] = 1_000_000
    max_artifact_bytes: Annotated[int, Field(gt=0)] = 2_000_000
    allow_removal: bool = False


class GoalRecord(Strict):
    goal_id: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")]
    artifact: Name
    profile: Literal[PROFILES]  # type: ignore[valid-type]
    success_condition: SuccessCondition = SuccessCondition()
    worker: Party
    evaluator: Evaluator
    roles: dict[str, Role] = {}
    aliases: dict[str, str] = {}
    privacy: Privacy = Privacy()
    sources: list[Source] = []
    retrieval_log: list[Name] = []
    limits: Limits = Limits()
    settings: dict[str, Any] = {}

    def agents(self) -> dict[str, Agent]:
        """Every role of the record by name, the two parties included."""
        named = {name: Agent(name, role.model, role.prompt, role.command) for name, role in self.roles.items()}
        for party in (self.worker, self.evaluator):
            known = named.get(party.role, Agent(party.role))
            named[party.role] = Agent(
                party.role, party.model or known.model, party.prompt or known.prompt, party.command or known.command
            )
        return named

    @field_validator("sources")
    @classmethod
    def named_apart(cls, value: list[Any]) -> list[Any]:
        names = [source.name for source in value]
        if len(set(names)) < len(names):
            raise ValueError("two sources have one name")
        return value


@dataclass(frozen=True)
class Goal:
    """A goal record with the profile's settings read, and the digest of the file it came from."""

    record: GoalRecord
    settings: Any
    path: Path
    sha256: str


def digest(path: Path) -> str:
    """Hex sha256 of a goal record as it lies on disk; empty where it is gone."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return ""


def load_goal(path: Path) -> Goal:
    """Read and validate; every fault is a ``UsageError`` that names file and field."""
    path = Path(path)
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise UsageError(f"{path}: no such file", "give the path of a goal record") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: cannot be read ({error})", "give the path of a goal record") from None
    if len(raw) > GOAL_LIMIT:
        raise UsageError(f"{path}: longer than {GOAL_LIMIT} bytes", "a goal record is short; keep data out of it")
    try:
        value = read(raw.decode("utf-8"))
    except UnicodeDecodeError:
        raise UsageError(f"{path}: not UTF-8 text", "save it as UTF-8") from None
    except Malformed as error:
        raise UsageError(f"{path}: {error}", "mend the YAML") from None
    if not isinstance(value, dict):
        raise UsageError(f"{path}: not a mapping of fields", "start from the example in docs/VERIFICATION.md")
    record = validated(GoalRecord, value, path)
    settings = validated(SETTINGS[record.profile], record.settings, path, "settings.")
    return Goal(record, settings, path, hashlib.sha256(raw).hexdigest())


def validated(model: type[BaseModel], value: Any, path: Path, prefix: str = "") -> Any:
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise UsageError(f"{path}: {errors_by_field(error, prefix)}", "see docs/VERIFICATION.md for the form") from None
    except (RecursionError, OverflowError) as error:
        raise CuadAuditError(f"{path}: {error}", "mend the goal record") from None


def errors_by_field(error: ValidationError, prefix: str = "", limit: int = 8) -> str:
    """``field: what is wrong`` for each fault, at most ``limit`` of them."""
    faults = error.errors(include_url=False, include_input=False, include_context=False)
    lines = [f"{prefix}{'.'.join(map(str, fault['loc'])) or 'record'}: {fault['msg']}" for fault in faults[:limit]]
    more = f" (and {len(faults) - limit} more)" if len(faults) > limit else ""
    return "; ".join(lines) + more
