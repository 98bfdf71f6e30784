"""params.yaml, loaded strictly: one flat frozen dataclass per section.

A misspelt or missing key, a wrong type and a ``???`` left unset are errors. A stage sees only what
it declares: ``load(("gate1.score", "slice"))`` returns a view on which every other name raises, so
that dvc.yaml, which a test holds equal to the declaration, cannot miss a parameter.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from pipeline.base.errors import CuadAuditError, UsageError

FILE = Path("params.yaml")
_strict = ConfigDict(extra="forbid", strict=True)
Share = Annotated[float, Field(ge=0, le=1)]
Positive = Annotated[int, Field(gt=0)]


@dataclass(frozen=True, config=_strict)
class CuadSource:
    name: Literal["cuad"]
    url: str
    digests: list[str]
    labels: str


@dataclass(frozen=True, config=_strict)
class SampleSource:
    name: Literal["sample"]
    contracts: Positive
    families: Positive
    seed: int
    labels: str


@dataclass(frozen=True, config=_strict)
class Embedder:
    """``window`` is the longest input in tokens, special tokens included."""

    name: str
    runtime: Literal["onnx", "torch"]
    window: Positive


@dataclass(frozen=True, config=_strict)
class Slice:
    categories: list[str]
    holdout: Share
    seed: int
    near_duplicate: Share


@dataclass(frozen=True, config=_strict)
class Bm25:
    method: Literal["lucene", "robertson", "atire", "bm25+", "bm25l"]
    k1: Annotated[float, Field(gt=0)]
    b: Share


@dataclass(frozen=True, config=_strict)
class Retrieval:
    retriever: Literal["bm25", "dense", "rrf"]
    k: Positive
    rrf_k: Positive


@dataclass(frozen=True, config=_strict)
class RetrievalRule:
    baseline: Literal["bm25", "dense", "rrf"]
    protocol: Literal["single", "set"]
    metric: Literal["p_at_1", "success_at_3", "mrr_at_10", "ndcg_at_10"]
    min_gain: float
    kill_success_at_3: Share
    kill_random_margin: Share


@dataclass(frozen=True, config=_strict)
class Gate1:
    score: Literal["cosine_top1", "cosine_top5", "probe"]
    threshold: Share
    keep: list[Share]
    alpha: Share
    delta: Share


@dataclass(frozen=True, config=_strict)
class EmbeddedAgent:
    """The auditor or judge that needs no model: ``rules`` or ``lexical``."""

    name: Literal["rules", "lexical"]


@dataclass(frozen=True, config=_strict)
class AnthropicAgent:
    name: Literal["anthropic"]
    model: str
    prompt: str
    max_tokens: Positive


@dataclass(frozen=True, config=_strict)
class ReplayAgent:
    name: Literal["replay"]
    cassette: str
    model: str
    prompt: str
    max_tokens: Positive


@dataclass(frozen=True, config=_strict)
class Llm:
    transport: Literal["sync", "batch"]
    concurrency: Positive
    timeout_s: Annotated[float, Field(gt=0)]
    max_retries: Annotated[int, Field(ge=0)]
    retry_after_cap_s: Annotated[float, Field(gt=0)]
    max_cost_usd: Annotated[float, Field(ge=0)]


@dataclass(frozen=True, config=_strict)
class Evaluation:
    confidence: Annotated[float, Field(gt=0, lt=1)]
    resamples: Positive
    seed: int
    min_families: Positive


@dataclass(frozen=True, config=_strict)
class ReleaseGate:
    critical_recall: Share
    min_critical: Positive
    judge_min_recall: Share
    judge_max_false_rejection: Share
    min_allowed_verdict: Share
    max_unjustified_abstention: Share
    max_cost_usd: float
    max_latency_s: float


Source = Annotated[CuadSource | SampleSource, Field(discriminator="name")]
Agent = Annotated[EmbeddedAgent | AnthropicAgent | ReplayAgent, Field(discriminator="name")]


@dataclass(frozen=True, config=_strict)
class Params:
    """The whole of params.yaml."""

    source: Source
    embedder: Embedder
    slice: Slice
    bm25: Bm25
    retrieval: Retrieval
    retrieval_rule: RetrievalRule
    gate1: Gate1
    auditor: Agent
    judge: Agent
    llm: Llm
    evaluation: Evaluation
    release_gate: ReleaseGate


class View:
    """The declared part of the parameters; any other name raises ``AttributeError``."""

    def __init__(self, name: str, values: dict[str, Any]) -> None:
        self.__dict__.update(values)
        self.__dict__["_name"] = name

    def __getattr__(self, key: str) -> Any:
        raise AttributeError(f"{self._name}{key} is not among the parameters that this stage declares")


def load_all(path: Path = FILE, shown: Path | None = None) -> Params:
    """Every section, validated; the error names the key, and ``shown`` where the file is a draft."""
    shown = shown or path
    try:
        raw = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise CuadAuditError(f"{shown}: no such file", "run `make params`") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise CuadAuditError(f"{shown}: not YAML ({error})", "run `make params`") from None
    if not isinstance(raw, dict):
        raise CuadAuditError(f"{shown}: not a mapping of sections", "run `make params`")
    unset = [key for key, value in flatten(raw).items() if value == "???"]
    if unset:
        raise CuadAuditError(f"{shown}: {unset[0]} is left unset", f"give it, e.g. -S {unset[0]}=...")
    try:
        # JSON mode: strict about types, and a mapping stands for a dataclass.
        return TypeAdapter(Params).validate_json(json.dumps(raw, default=str))
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"]) or "the file"
        raise CuadAuditError(f"{shown}: {key}: {first['msg']}", "mend it in conf/ and run `make params`") from None


def load(reads: Iterable[str], path: Path = FILE) -> View:
    """The parameters named in ``reads``: a section (``source``) or one key (``gate1.score``)."""
    everything = load_all(path)
    sections: dict[str, Any] = {}
    keys: dict[str, dict[str, Any]] = {}
    for read in reads:
        section, _, key = read.partition(".")
        try:
            value = getattr(everything, section)
            if key:
                keys.setdefault(section, {})[key] = getattr(value, key)
            else:
                sections[section] = value
        except AttributeError:
            raise UsageError(f"{path}: no parameter {read}", "declare one that params.yaml has") from None
    views = {section: View(f"{section}.", values) for section, values in keys.items()}
    return View("", {**views, **sections})


def flatten(tree: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """``{"gate1": {"threshold": 0.5}}`` as ``{"gate1.threshold": 0.5}``; lists stay whole."""
    flat: dict[str, Any] = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            flat.update(flatten(value, f"{prefix}{key}."))
        else:
            flat[f"{prefix}{key}"] = value
    return flat


def as_dict(params: Params) -> dict[str, Any]:
    return dataclasses.asdict(params)
