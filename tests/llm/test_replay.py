"""Cassettes: what is recorded comes back, what is not is a failure of its own kind."""

from __future__ import annotations

import json

import pytest
from fakes import anthropic_api as fake

from pipeline.base.errors import CuadAuditError
from pipeline.base.types import FailureCause as Cause
from pipeline.llm.fake import ScriptedLlm
from pipeline.llm.replay import Recorder, ReplayClient, cassette_path
from pipeline.llm.request import LlmFailure

#: Words of our own, as in every test.
CLAUSE = "Each party's liability is limited to the fees paid in the twelve months before the claim."


@pytest.fixture
def cassette(tmp_path):
    return tmp_path / "tapes" / "auditor.jsonl"


def test_recorded_live_and_played_back(serve, connect, ask, cassette):
    def script(body):
        return fake.refusal() if "refuse" in body["messages"][0]["content"] else fake.say({"a": 1})

    server = serve(script)
    requests = [ask(CLAUSE), ask("refuse"), ask("third")]
    with Recorder(connect(server), cassette) as recorder:
        live = recorder.complete_many(requests)
    calls = server.count()
    replayed = ReplayClient(cassette).complete_many([*requests, requests[0]])
    assert server.count() == calls
    assert replayed[0].value == live[0].value == {"a": 1}
    assert replayed[0].first_usage == live[0].usage
    assert replayed[0].latency_s == live[0].latency_s
    assert replayed[0].usage.cost_usd == 0
    assert replayed[1].cause is Cause.INFRA_REFUSAL
    assert replayed[3].cached


def test_what_is_not_on_it_is_not_recorded(ask, cassette):
    Recorder(ScriptedLlm([{"a": 1}]), cassette).save()
    with pytest.raises(LlmFailure) as caught:
        ReplayClient(cassette).complete(ask())
    assert caught.value.cause is Cause.INFRA_NOT_RECORDED
    assert "make record" in caught.value.detail
    (result,) = ReplayClient(cassette).complete_many([ask()])
    assert result.cause is Cause.INFRA_NOT_RECORDED


def test_failures_of_the_day_are_not_recorded(ask, cassette):
    passing = [cause for cause in Cause if cause.is_infra]
    requests = [ask(cause.value) for cause in passing]
    with Recorder(ScriptedLlm(lambda request: Cause(request.user)), cassette) as recorder:
        assert [result.cause for result in recorder.complete_many(requests)] == passing
    kept = {result.cause for result in ReplayClient(cassette).complete_many(requests)}
    assert kept == {Cause.INFRA_REFUSAL, Cause.INFRA_TRUNCATED, Cause.INFRA_MALFORMED, Cause.INFRA_NOT_RECORDED}


def test_recording_again_adds_and_replaces(ask, cassette):
    with Recorder(ScriptedLlm([{"a": 1}, {"b": 2}]), cassette) as recorder:
        recorder.complete(ask("one"))
        recorder.complete(ask("two"))
    with Recorder(ScriptedLlm([{"a": 9}, {"c": 3}]), cassette) as recorder:
        recorder.complete(ask("one"))
        recorder.complete(ask("three"))
    player = ReplayClient(cassette)
    assert [player.complete(ask(name)).value for name in ("one", "two", "three")] == [{"a": 9}, {"b": 2}, {"c": 3}]


def test_an_interrupted_recording_keeps_what_it_has(ask, cassette):
    with pytest.raises(KeyboardInterrupt), Recorder(ScriptedLlm([{"a": 1}]), cassette) as recorder:
        recorder.complete(ask())
        raise KeyboardInterrupt
    assert ReplayClient(cassette).complete(ask()).value == {"a": 1}


def test_a_cassette_is_the_same_bytes_in_any_order_and_holds_no_request(ask, cassette, tmp_path):
    requests = [ask(f"{CLAUSE} {n}") for n in range(5)]
    for path, order in ((cassette, requests), (tmp_path / "other.jsonl", requests[::-1])):
        with Recorder(ScriptedLlm(lambda _: {"a": 1}), path) as recorder:
            recorder.complete_many(order)
    assert cassette.read_bytes() == (tmp_path / "other.jsonl").read_bytes()
    assert "twelve months" not in cassette.read_text()
    rows = [json.loads(line) for line in cassette.read_text().splitlines()]
    assert [row["key"] for row in rows] == sorted(request.key for request in requests)


def test_a_cassette_of_real_contracts_goes_outside_git(monkeypatch, tmp_path):
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    assert cassette_path("auditor") == tmp_path / ".cache" / "cassettes" / "auditor.jsonl"


@pytest.mark.parametrize(
    "rows",
    [
        [{}],
        [{"key": 3, "answer": {}}],
        [{"key": "k"}],
        [{"key": "k", "answer": {}, "failure": {}}],
        [{"key": "k", "answer": {}}, {"key": "k", "answer": {}}],
    ],
)
def test_a_spoilt_cassette_is_an_error(rows, tmp_path):
    path = tmp_path / "tape.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(CuadAuditError, match="not a cassette"):
        ReplayClient(path)
    with pytest.raises(CuadAuditError, match="make record"):
        ReplayClient(tmp_path / "absent.jsonl")


@pytest.mark.parametrize("row", [{"answer": {}}, {"answer": {"text": 3}}, {"failure": {"cause": "new"}}])
def test_a_spoilt_row_is_an_error_where_it_is_used(row, ask, tmp_path):
    path = tmp_path / "tape.jsonl"
    path.write_text(json.dumps({"key": ask().key, **row}) + "\n")
    with pytest.raises(CuadAuditError, match="record it again"):
        ReplayClient(path).complete(ask())


def test_a_recorded_answer_that_no_longer_fits_the_schema_is_malformed(ask, tmp_path):
    path = tmp_path / "tape.jsonl"
    usage = {"calls": 1, "cached_calls": 0, "input_tokens": 1, "output_tokens": 1, "cost_usd": 0.0}
    answer = {"model": "m", "prompt_sha256": "p", "text": "prose", "usage": usage, "latency_s": 1.0}
    path.write_text(json.dumps({"key": ask().key, "answer": answer}) + "\n")
    with pytest.raises(LlmFailure) as caught:
        ReplayClient(path).complete(ask())
    assert caught.value.cause is Cause.INFRA_MALFORMED
