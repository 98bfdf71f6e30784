"""What calls cost, from a pinned price list, and the worst that a call can cost before it is made."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import yaml

from pipeline.base.errors import CuadAuditError
from pipeline.base.types import Usage
from pipeline.llm.reply import Tokens
from pipeline.llm.request import CompletionRequest, json_schema

#: Beside the code, so that it is found from any working folder.
PRICE_FILE = Path(__file__).resolve().parents[2] / "data" / "prices.yaml"
#: Tokens that the provider adds to a prompt for its own instructions on structured output.
OVERHEAD_TOKENS = 1_000


@dataclass(frozen=True, slots=True)
class Rates:
    """US dollars for a million tokens."""

    input: float
    output: float
    cache_write: float
    cache_read: float

    def usd(self, tokens: Tokens) -> float:
        return (
            tokens.input * self.input
            + tokens.output * self.output
            + tokens.cache_write * self.cache_write
            + tokens.cache_read * self.cache_read
        ) / 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """A model's rates; ``long`` holds for the whole of a call whose prompt exceeds ``long_above`` tokens;
    ``batch`` is the share of the price that the Message Batches API charges."""

    rates: Rates
    batch: float
    long: Rates | None = None
    long_above: float = math.inf

    def usd(self, tokens: Tokens, batch: bool) -> float:
        rates = self.long if self.long and tokens.prompt > self.long_above else self.rates
        return rates.usd(tokens) * (self.batch if batch else 1.0)


@dataclass(frozen=True, slots=True)
class Prices:
    """The price list: when it was checked (``as_of``) and each model's price."""

    as_of: str
    models: dict[str, Price]
    source: str = "the price list"

    def usd(self, model: str, tokens: Tokens, batch: bool = False) -> float:
        """Zero for a model without a price: ``require`` says where that is allowed."""
        price = self.models.get(model)
        return price.usd(tokens, batch) if price else 0.0

    def usage(self, model: str, tokens: Tokens, batch: bool = False) -> Usage:
        """One call's usage; every prompt token counts as an input token."""
        return Usage(1, 0, tokens.prompt, tokens.output, self.usd(model, tokens, batch))

    def worst_case(self, request: CompletionRequest, batch: bool = False) -> float:
        """An upper estimate: all of the prompt at its dearest, and an answer of ``max_tokens``."""
        prompt = estimate_tokens(request)
        dearest = [
            self.usd(request.model, Tokens(input=prompt, output=request.max_tokens), batch),
            self.usd(request.model, Tokens(cache_write=prompt, output=request.max_tokens), batch),
        ]
        return max(dearest)

    def require(self, model: str, max_cost_usd: float) -> None:
        """A cost limit can be kept only for a model whose price is known."""
        if model not in self.models and not math.isinf(max_cost_usd):
            raise CuadAuditError(
                f"{self.source}: no price for model {model}",
                f"add it there, use one of {', '.join(sorted(self.models))}, or set llm.max_cost_usd=.inf",
            )


def estimate_tokens(request: CompletionRequest) -> int:
    """An upper estimate of the prompt's tokens, without a tokenizer.

    A byte-level tokenizer never makes more tokens than bytes; ASCII letters, digits and spaces come at
    two or more to the token in any real text (about four in English), other ASCII may be a token each.
    """
    total = OVERHEAD_TOKENS
    schema = repr(json_schema(request.schema)) if request.schema else ""
    for text in (request.system, request.user, schema):
        wordlike = sum(1 for char in text if char.isascii() and (char.isalnum() or char.isspace()))
        total += math.ceil(wordlike / 2) + len(text.encode("utf-8", "surrogatepass")) - wordlike
    return total


@cache
def load_prices(path: Path = PRICE_FILE) -> Prices:
    """The price list, strictly read: a misspelt key or a negative price is an error."""
    from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

    usd = Annotated[float, Field(ge=0, allow_inf_nan=False)]

    class Tier(BaseModel):
        model_config = ConfigDict(extra="forbid")
        input: usd
        output: usd
        cache_write: usd
        cache_read: usd

        def rates(self) -> Rates:
            return Rates(self.input, self.output, self.cache_write, self.cache_read)

    class Long(Tier):
        above_tokens: Annotated[int, Field(gt=0)]

    class Model(Tier):
        batch: Annotated[float, Field(gt=0, le=1)]
        long_prompt: Long | None = None

    class File(BaseModel):
        model_config = ConfigDict(extra="forbid")
        as_of: str
        models: dict[str, Model]

    try:
        raw: Any = yaml.safe_load(path.read_text(encoding="utf-8"))
        file = TypeAdapter(File).validate_python(raw)
    except OSError:
        raise CuadAuditError(f"{path}: no such file", "restore it from git") from None
    except yaml.YAMLError as error:
        raise CuadAuditError(f"{path}: not YAML ({error})", "mend that line") from None
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise CuadAuditError(f"{path}: {key}: {first['msg']}", "mend that line") from None
    models = {
        name: Price(
            rates=model.rates(),
            batch=model.batch,
            long=model.long_prompt.rates() if model.long_prompt else None,
            long_above=model.long_prompt.above_tokens if model.long_prompt else math.inf,
        )
        for name, model in file.models.items()
    }
    return Prices(file.as_of, models, str(path.name))
