"""params.yaml, loaded strictly: one flat frozen struct per section.

A misspelt or missing key, a wrong type and a ``???`` left unset are errors; a whole number stands for a
float. The loader checks, a constructor does not. A stage sees only what it declares:
``load(("gate1.score", "slice"))`` returns a view on which every other name raises, so that dvc.yaml,
which a test holds equal to the declaration, cannot miss a parameter.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import yaml
from msgspec import Meta, inspect

from pipeline.base.errors import CuadAuditError, UsageError

FILE = Path("params.yaml")
Number = Annotated[float, Meta(ge=-sys.float_info.max)]  # a bound, because NaN is within none; .inf is no limit
Share = Annotated[float, Meta(ge=0, le=1)]
Positive = Annotated[int, Meta(gt=0)]
Seed = Annotated[int, Meta(ge=0, lt=2**32)]


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One section of params.yaml."""


class Named(Section, tag_field="name"):
    """A section whose ``name`` says which further keys it has: a class a name."""

    @property
    def name(self) -> str:
        return str(self.__struct_config__.tag)


class CuadSource(Named, tag="cuad"):
    url: str
    digests: list[str]
    labels: str


class SampleSource(Named, tag="sample"):
    contracts: Positive
    families: Positive
    seed: Seed
    labels: str


class Embedder(Section):
    """``window`` is the longest input in tokens, special tokens included."""

    name: str
    runtime: Literal["onnx", "torch"]
    window: Positive


class Slice(Section):
    categories: list[str]
    holdout: Share
    seed: Seed
    near_duplicate: Share


class Bm25(Section):
    method: Literal["lucene", "robertson", "atire", "bm25+", "bm25l"]
    k1: Annotated[float, Meta(gt=0)]
    b: Share


class Retrieval(Section):
    retriever: Literal["bm25", "dense", "rrf"]
    k: Positive
    rrf_k: Positive


class RetrievalRule(Section):
    baseline: Literal["bm25", "dense", "rrf"]
    protocol: Literal["single", "set"]
    metric: Literal["p_at_1", "success_at_3", "mrr_at_10", "ndcg_at_10"]
    min_gain: Number
    kill_success_at_3: Share
    kill_random_margin: Share


class Gate1(Section):
    score: Literal["cosine_top1", "cosine_top5", "probe"]
    threshold: Share
    keep: list[Share]
    alpha: Share
    delta: Share


class Rules(Named, tag="rules"):
    """The auditor that needs no model."""


class Lexical(Named, tag="lexical"):
    """The judge that needs no model."""


class AnthropicAgent(Named, tag="anthropic"):
    model: str
    prompt: str
    max_tokens: Positive


class ReplayAgent(Named, tag="replay"):
    cassette: str
    model: str
    prompt: str
    max_tokens: Positive


class Llm(Section):
    transport: Literal["sync", "batch"]
    concurrency: Positive
    timeout_s: Annotated[float, Meta(gt=0)]
    max_retries: Annotated[int, Meta(ge=0)]
    retry_after_cap_s: Annotated[float, Meta(gt=0)]
    max_cost_usd: Annotated[float, Meta(ge=0)]


class Evaluation(Section):
    confidence: Annotated[float, Meta(gt=0, lt=1)]
    resamples: Positive
    seed: Seed
    min_families: Positive


class ReleaseGate(Section):
    critical_recall: Share
    min_critical: Positive
    judge_min_recall: Share
    judge_max_false_rejection: Share
    min_allowed_verdict: Share
    max_unjustified_abstention: Share
    max_cost_usd: Number
    max_latency_s: Number


Source = CuadSource | SampleSource
Auditor = Rules | AnthropicAgent | ReplayAgent
Judge = Lexical | AnthropicAgent | ReplayAgent


class Params(Section):
    """The whole of params.yaml."""

    source: Source
    embedder: Embedder
    slice: Slice
    bm25: Bm25
    retrieval: Retrieval
    retrieval_rule: RetrievalRule
    gate1: Gate1
    auditor: Auditor
    judge: Judge
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
    shown, mend = shown or path, "mend it in conf/ and run `make params`"
    try:
        raw = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
        flat = flatten(raw) if isinstance(raw, dict) else {}
    except FileNotFoundError:
        raise CuadAuditError(f"{shown}: no such file", "run `make params`") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # ValueError: not UTF-8, or a month 13
        raise CuadAuditError(f"{shown}: not YAML ({error})", "run `make params`") from None
    for key, value in flat.items():
        if value == "???":
            raise CuadAuditError(f"{shown}: {key} is left unset", f"give it, e.g. -S {key}=...")
        if isinstance(value, set):  # msgspec takes one for a list, in whatever order
            raise CuadAuditError(f"{shown}: {key}: no parameter is a set", mend)
    try:
        return msgspec.convert(raw, Params)
    except msgspec.ValidationError as error:
        raise CuadAuditError(f"{shown}: {_told(str(error))}", mend) from None


def _told(message: str) -> str:
    """msgspec's ``Object contains unknown field `b` - at `$.a` ``, led by the key: ``a.b: Object contains ...``."""
    what, _, place = message.replace(" - at `key` in", " for each key - at").partition(" - at ")
    key = ".".join([*re.findall(r"\$\.([^`]*)", place), *re.findall(r"^Object .* field `(.*)`$", what)])
    allowed = f" (one of {', '.join(_allowed(key))})" if what.startswith("Invalid") else ""
    return f"{key or 'the file'}: {what}{allowed}"


def _allowed(key: str) -> list[str]:
    """The values of a key that may have but a few: those of a Literal, or the names of a named section."""
    section, _, field = key.partition(".")
    found = next(one.type for one in inspect.type_info(Params).fields if one.name == section)
    kinds = found.types if isinstance(found, inspect.UnionType) else (found,)
    if field == "name" and isinstance(found, inspect.UnionType):
        return [str(kind.tag) for kind in kinds]
    return next(list(one.type.values) for kind in kinds for one in kind.fields if one.name == field)


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
    return msgspec.to_builtins(params)
