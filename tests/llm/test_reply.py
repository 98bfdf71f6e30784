"""Reading messages of any shape: never an exception, never half an answer."""

from __future__ import annotations

import json
from dataclasses import dataclass

from fakes import anthropic_api as fake
from hypothesis import example, given
from hypothesis import strategies as st

from pipeline.base.types import FailureCause
from pipeline.llm.reply import Tokens, read_message
from pipeline.llm.request import CompletionRequest


@dataclass
class Answer:
    a: int


REQUEST = CompletionRequest("m", "s", "u", Answer, 100)
VALID = json.loads(fake.say({"a": 1}).body)

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
anything = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
)


@given(anything)
@example({"content": [], "stop_reason": {}, "usage": {"input_tokens": True, "output_tokens": 1}})
def test_any_json_is_an_answer_or_malformed(body):
    reply = read_message(body, REQUEST)
    assert reply.cause is FailureCause.INFRA_MALFORMED
    assert reply.detail


@given(st.sampled_from(sorted(VALID)), anything)
def test_a_message_with_one_field_replaced(field, value):
    reply = read_message({**VALID, field: value}, REQUEST)
    if reply.cause is None:
        assert reply.value == Answer(1)
        assert reply.tokens is not None
    else:
        assert reply.cause.is_infra
        assert reply.value is None


@given(st.text())
def test_any_text_of_the_model_fits_the_schema_or_is_malformed(text):
    reply = read_message(json.loads(fake.say(text).body), REQUEST)
    assert (reply.cause is None) == isinstance(reply.value, Answer)


def test_an_empty_answer_is_malformed_where_any_text_would_do():
    request = CompletionRequest("m", "s", "u", None, 100)
    assert read_message(json.loads(fake.say("x").body), request).value == "x"
    for said in (None, "", " \n"):
        assert read_message(json.loads(fake.say(said).body), request).cause is FailureCause.INFRA_MALFORMED


def test_text_in_several_blocks_is_one_text():
    blocks = [{"type": "text", "text": '{"a":'}, {"type": "thinking", "thinking": "x"}, {"type": "text", "text": " 1}"}]
    assert read_message({**VALID, "content": blocks}, REQUEST).value == Answer(1)


def test_tokens_of_a_failed_answer_are_still_counted():
    reply = read_message(json.loads(fake.refusal().body), REQUEST)
    assert reply.cause is FailureCause.INFRA_REFUSAL
    assert reply.tokens == Tokens(input=100, output=1)


def test_the_problem_names_the_place_and_quotes_nothing():
    @dataclass
    class Longer:
        verdict: str
        parts: list[Answer]

    request = CompletionRequest("m", "s", "u", Longer, 100)
    said = {"verdict": "risky", "parts": [{"a": 1}, {"a": "the confidential words"}]}
    reply = read_message(json.loads(fake.say(said).body), request)
    assert reply.cause is FailureCause.INFRA_MALFORMED
    assert "parts.1.a" in reply.detail
    assert "confidential" not in reply.detail
