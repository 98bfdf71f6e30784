"""The cache: only answers, whole or not at all, and damage is a miss."""

from __future__ import annotations

import json
import multiprocessing
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.base.types import Usage
from pipeline.llm.request import Completion
from pipeline.llm.store import AnswerStore

USAGE = Usage(1, 0, 100, 20, 0.0004)
COMPLETION = Completion({"a": 1}, '{"a": 1}', USAGE, False, 1.25, USAGE)


@pytest.fixture
def store(tmp_path):
    return AnswerStore(tmp_path)


def test_an_answer_comes_back_as_it_was_and_costs_nothing(store, ask):
    assert store.get(ask()) is None
    store.put(ask(), COMPLETION)
    kept = store.get(ask())
    assert kept.value == {"a": 1}
    assert kept.cached
    assert kept.usage == Usage(calls=0, cached_calls=1)
    assert kept.first_usage == USAGE
    assert kept.latency_s == 1.25
    assert store.get(ask("another")) is None


def test_an_answer_of_a_batch_has_no_latency(store, ask):
    store.put(ask(), replace(COMPLETION, latency_s=None))
    assert store.get(ask()).latency_s is None


@given(st.data())
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_damage_is_a_miss_or_no_damage(store, ask, data):
    store.put(ask(), COMPLETION)
    path = store.path(ask().key)
    content = bytearray(path.read_bytes())
    kind = data.draw(st.sampled_from(["cut", "flip", "replace"]))
    place = data.draw(st.integers(0, len(content) - 1))
    if kind == "cut":
        content = content[:place]
    elif kind == "flip":
        content[place] ^= 1 << data.draw(st.integers(0, 7))
    else:
        content = bytearray(data.draw(st.binary(max_size=40)))
    path.write_bytes(bytes(content))
    kept = store.get(ask())
    assert kept is None or (kept.value, kept.first_usage) == ({"a": 1}, USAGE)


@pytest.mark.parametrize("row", [{}, [], 3, None, {"key": "x"}, {"key": None, "answer": {}, "sha256": ""}])
def test_other_json_is_a_miss(store, ask, row):
    store.put(ask(), COMPLETION)
    store.path(ask().key).write_text(json.dumps(row))
    assert store.get(ask()) is None


def test_an_answer_that_was_edited_is_a_miss(store, ask):
    store.put(ask(), COMPLETION)
    path = store.path(ask().key)
    edited = path.read_text().replace('\\"a\\": 1', '\\"a\\": 2')
    assert edited != path.read_text()
    path.write_text(edited)
    assert store.get(ask()) is None


def test_an_answer_filed_under_another_key_is_a_miss(store, ask):
    store.put(ask("one"), COMPLETION)
    other = store.path(ask("two").key)
    other.parent.mkdir(parents=True, exist_ok=True)
    store.path(ask("one").key).rename(other)
    assert store.get(ask("two")) is None


def test_nothing_of_the_request_is_kept(store, ask, tmp_path):
    store.put(ask("the words of the clause"), COMPLETION)
    everything = "".join(path.read_text() for path in tmp_path.rglob("*") if path.is_file())
    assert "the words of the clause" not in everything
    assert "You number sections" not in everything


def _write(folder, request, number):
    store = AnswerStore(folder)
    for turn in range(40):
        text = json.dumps({"a": number * 100 + turn})
        store.put(request, replace(COMPLETION, text=text))


def test_processes_that_write_the_same_answer_never_show_a_torn_one(store, ask, tmp_path):
    request = ask()
    store.put(request, COMPLETION)
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=_write, args=(tmp_path, request, number)) for number in range(3)]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        assert store.get(request) is not None
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    assert [path.name for path in tmp_path.rglob("*.part")] == []
    assert store.get(request).value["a"] % 100 == 39  # one of the last writes won
