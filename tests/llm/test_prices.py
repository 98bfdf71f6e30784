"""Dollars from tokens by hand, and the estimate that has to lie above every real count."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.base import params
from pipeline.base.errors import CuadAuditError
from pipeline.llm.prices import OVERHEAD_TOKENS, PRICE_FILE, estimate_tokens, load_prices
from pipeline.llm.reply import Tokens
from pipeline.llm.request import CompletionRequest

PRICES = load_prices()
MILLION = 1_000_000


def test_each_kind_of_token_has_its_own_price():
    assert PRICES.usd("claude-sonnet-5-5", Tokens(input=MILLION)) == 2.0
    assert PRICES.usd("claude-sonnet-5-5", Tokens(output=MILLION)) == 10.0
    assert PRICES.usd("claude-sonnet-5-5", Tokens(cache_write=MILLION)) == 2.5
    assert PRICES.usd("claude-sonnet-5-5", Tokens(cache_read=MILLION)) == pytest.approx(0.1)
    assert PRICES.usd("claude-sonnet-5-5", Tokens(MILLION, MILLION), batch=True) == 6.0


def test_a_long_prompt_raises_the_price_of_the_whole_call():
    price = PRICES.models["claude-haiku-5-5"]
    at = Tokens(input=60_000, output=1_000, cache_read=40_000)
    above = Tokens(input=60_001, output=1_000, cache_read=40_000)
    assert price.usd(at, batch=False) == pytest.approx((60_000 * 0.1 + 1_000 * 0.5 + 40_000 * 0.01) / MILLION)
    assert price.usd(above, batch=False) == pytest.approx((60_001 * 0.5 + 1_000 * 2.5 + 40_000 * 0.05) / MILLION)


def test_usage_counts_every_prompt_token():
    usage = PRICES.usage("claude-haiku-5-5", Tokens(input=1, output=2, cache_write=3, cache_read=4))
    assert (usage.calls, usage.cached_calls, usage.input_tokens, usage.output_tokens) == (1, 0, 8, 2)


def test_the_models_of_the_configuration_have_a_price(root):
    for path in (root / "conf" / "auditor" / "anthropic.yaml", root / "conf" / "judge" / "anthropic.yaml"):
        model = re.search(r"^model: (\S+)", path.read_text(), re.M).group(1)
        PRICES.require(model, 5.0)
    assert isinstance(params.load_all(root / "params.yaml").llm.max_cost_usd, float)


def test_the_list_says_when_it_was_checked():
    assert re.fullmatch(r"\d{4}-\d{2}-\d{2}", PRICES.as_of)
    assert "CHECK" in PRICE_FILE.read_text()


def test_a_limit_needs_a_price_and_no_limit_does_not():
    with pytest.raises(CuadAuditError, match=r"no price for model mystery.*claude-haiku-5-5"):
        PRICES.require("mystery", 5.0)
    PRICES.require("mystery", math.inf)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            "as_of: x\nmodels: {m: {input: 1, output: 1, cache_write: 1, cache_read: 1, batch: 0.5, outptu: 3}}",
            "outptu",
        ),
        ("as_of: x\nmodels: {m: {input: -1, output: 1, cache_write: 1, cache_read: 1, batch: 0.5}}", "models.m.input"),
        ("as_of: x\nmodels: {m: {input: .inf, output: 1, cache_write: 1, cache_read: 1, batch: 1}}", "models.m.input"),
        ("models: {}", "as_of"),
        ("a: [", "not YAML"),
        ("", "not a|valid|dictionary"),
    ],
)
def test_a_spoilt_list_is_an_error_that_names_the_place(text, names, tmp_path):
    path = tmp_path / "prices.yaml"
    path.write_text(text)
    with pytest.raises(CuadAuditError, match=names):
        load_prices(path)
    with pytest.raises(CuadAuditError, match="no such file"):
        load_prices(tmp_path / "absent.yaml")


def request(text: str) -> CompletionRequest:
    return CompletionRequest("claude-haiku-5-5", "", text, None, 100)


@given(st.text())
def test_the_estimate_lies_between_half_the_words_and_all_the_bytes(text):
    tokens = estimate_tokens(request(text)) - OVERHEAD_TOKENS
    size = len(text.encode("utf-8", "surrogatepass"))
    assert math.ceil(size / 2) <= tokens <= size


def test_the_estimate_of_other_scripts_and_signs_is_their_bytes():
    assert estimate_tokens(request("責任の制限")) == OVERHEAD_TOKENS + 15
    assert estimate_tokens(request("[***]")) == OVERHEAD_TOKENS + 5
    assert estimate_tokens(request("ab cd ef")) == OVERHEAD_TOKENS + 4


def test_the_worst_case_is_no_less_than_any_split_of_the_prompt():
    asked = request("The Supplier's liability is limited to the fees paid. " * 20)
    prompt = estimate_tokens(asked)
    for tokens in (Tokens(prompt, 100), Tokens(0, 100, prompt), Tokens(0, 100, 0, prompt), Tokens(prompt // 2, 10)):
        for batch in (False, True):
            assert PRICES.usd(asked.model, tokens, batch) <= PRICES.worst_case(asked, batch) + 1e-12


def test_a_prompt_that_may_be_long_is_reserved_at_the_long_price():
    asked = request("x" * 210_000)
    assert PRICES.worst_case(asked) > 100_000 * 0.625 / MILLION
