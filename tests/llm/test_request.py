"""The key: everything that decides the answer, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from pipeline.base.types import FailureCause, Usage
from pipeline.llm.fake import ScriptedLlm
from pipeline.llm.request import CompletionRequest, LlmFailure


class Model(BaseModel):
    verdict: str


@dataclass
class Record:
    reason: str


class Mixed(BaseModel):
    verdict: str
    levels: dict[str, str] | None


BASE = CompletionRequest("m", "system", "user", Model, 100, "prompt", "low")
CHANGES = [
    {"model": "n"},
    {"system": "System"},
    {"user": "user "},
    {"schema": None},
    {"schema": Record},
    {"max_tokens": 101},
    {"prompt_sha256": "other"},
    {"effort": "high"},
    {"system": "systemu", "user": "ser"},
]


def test_whatever_decides_the_answer_changes_the_key():
    keys = [BASE.key, *(replace(BASE, **change).key for change in CHANGES)]
    assert len(set(keys)) == len(keys)


def test_the_key_is_the_same_in_every_process_and_for_every_copy():
    assert replace(BASE).key == BASE.key
    assert BASE.key == "42131057a5408ed21d2927f083285f3e58917dcf122e01c3ae3843f68cbb7b9b"
    assert len(BASE.key) == 64  # fits the batch API's custom_id


def test_the_schema_counts_by_its_content():
    class Stricter(BaseModel):
        verdict: str = Field(max_length=5)

    Stricter.__name__ = Model.__name__
    assert replace(BASE, schema=Stricter).key != BASE.key


@pytest.mark.parametrize("schema", [dict[str, int], list[dict[str, str]], Mixed, dict])
def test_a_mapping_without_named_keys_is_refused_before_it_is_asked(schema):
    with pytest.raises(TypeError, match="named"):
        _ = replace(BASE, schema=schema).key
    with pytest.raises(TypeError, match="named"):
        ScriptedLlm(["{}"]).complete(replace(BASE, schema=schema))


@given(st.text(), st.text())
def test_different_texts_have_different_keys(one, other):
    assert (replace(BASE, user=one).key == replace(BASE, user=other).key) == (one == other)


def test_contract_text_stays_out_of_repr():
    assert "user" not in repr(BASE).replace("CompletionRequest", "")
    assert "system" not in repr(BASE)


def test_a_failure_prints_its_cause():
    failure = LlmFailure(FailureCause.INFRA_TIMEOUT, "late", Usage(calls=2))
    assert str(failure) == "infra_timeout: late"
    assert failure.usage.calls == 2
