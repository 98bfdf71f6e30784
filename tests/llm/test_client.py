"""The live client over HTTP: each fault has one cause, nothing is lost, a second run pays what is missing."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass

import pytest
from fakes import anthropic_api as fake

from pipeline.base.errors import CuadAuditError
from pipeline.base.types import FailureCause as Cause
from pipeline.llm.request import Completion, LlmFailure, from_results

GOOD = fake.say({"a": 1})

#: name -> (steps, cause or None for an answer, calls at the server with two retries allowed)
TABLE = {
    "answer": ([GOOD], None, 1),
    "thinking before the answer": ([fake.say({"a": 1}, thinking=True)], None, 1),
    "429 for good": ([fake.rate_limited()], Cause.INFRA_RATE_LIMIT, 3),
    "429 once": ([fake.rate_limited("0"), GOOD], None, 2),
    "529 for good": ([fake.overloaded()], Cause.INFRA_OVERLOADED, 3),
    "529 twice": ([fake.overloaded(), fake.overloaded(), GOOD], None, 3),
    "500 for good": ([fake.server_error()], Cause.INFRA_SERVER_ERROR, 3),
    "503": ([fake.error(503, "api_error")], Cause.INFRA_SERVER_ERROR, 3),
    "504": ([fake.error(504, "timeout_error")], Cause.INFRA_TIMEOUT, 3),
    "408": ([fake.error(408, "timeout_error")], Cause.INFRA_TIMEOUT, 3),
    "time-out": ([fake.hang(3)], Cause.INFRA_TIMEOUT, 3),
    "time-out once": ([fake.hang(3), GOOD], None, 2),
    "reset mid-body": ([fake.reset_mid_body()], Cause.INFRA_CONNECTION, 3),
    "reset mid-body once": ([fake.reset_mid_body(), GOOD], None, 2),
    "401": ([fake.error(401, "authentication_error")], Cause.INFRA_AUTH, 1),
    "403": ([fake.error(403, "permission_error")], Cause.INFRA_AUTH, 1),
    "402": ([fake.error(402, "billing_error")], Cause.INFRA_BUDGET, 1),
    "429 for want of credit": ([fake.error(429, "billing_error")], Cause.INFRA_BUDGET, 1),
    "400": ([fake.error(400, "invalid_request_error")], Cause.INFRA_REQUEST, 1),
    "404": ([fake.error(404, "not_found_error")], Cause.INFRA_REQUEST, 1),
    "413": ([fake.error(413, "request_too_large")], Cause.INFRA_REQUEST, 1),
    "500 not to be retried": ([fake.error(500, "api_error", x_should_retry="false")], Cause.INFRA_SERVER_ERROR, 1),
    "400 to be retried": ([fake.error(400, "invalid_request_error", x_should_retry="true"), GOOD], None, 2),
    "error page": (
        [fake.Step(502, b"<html>bad gateway</html>", content_type="text/html")],
        Cause.INFRA_SERVER_ERROR,
        3,
    ),
    "refusal": ([fake.refusal()], Cause.INFRA_REFUSAL, 1),
    "refusal with words": ([fake.say("I would rather not", "refusal")], Cause.INFRA_REFUSAL, 1),
    "stopped at max tokens": ([fake.say('{"a": 1', "max_tokens")], Cause.INFRA_TRUNCATED, 1),
    "whole, but stopped at max tokens": ([fake.say({"a": 1}, "max_tokens")], Cause.INFRA_TRUNCATED, 1),
    "thinking used up max tokens": ([fake.say(None, "max_tokens", thinking=True)], Cause.INFRA_TRUNCATED, 1),
    "context window": ([fake.say("{", "model_context_window_exceeded")], Cause.INFRA_TRUNCATED, 1),
    "truncated JSON body": ([fake.truncated_json()], Cause.INFRA_MALFORMED, 2),
    "truncated JSON body once": ([fake.truncated_json(), GOOD], None, 2),
    "empty body": ([fake.raw(b"")], Cause.INFRA_MALFORMED, 2),
    "HTML with 200": ([fake.raw(b"<html>", "text/html")], Cause.INFRA_MALFORMED, 2),
    "not UTF-8": ([fake.raw(b'{"content": "\xff\xfe"}')], Cause.INFRA_MALFORMED, 2),
    "arbitrary JSON": ([fake.raw({"hello": [1, 2]})], Cause.INFRA_MALFORMED, 2),
    "a JSON list": ([fake.raw([1, 2])], Cause.INFRA_MALFORMED, 2),
    "null": ([fake.raw(b"null")], Cause.INFRA_MALFORMED, 2),
    "deep JSON": ([fake.raw(b"[" * 100_000)], Cause.INFRA_MALFORMED, 2),
    "no content": ([fake.say(None)], Cause.INFRA_MALFORMED, 2),
    "blank content": ([fake.say("  \n")], Cause.INFRA_MALFORMED, 2),
    "prose": ([fake.say("The sections are one and two.")], Cause.INFRA_MALFORMED, 2),
    "half an answer, said to be whole": ([fake.say('{"a": 1')], Cause.INFRA_MALFORMED, 2),
    "schema violated": ([fake.say({"a": "one"})], Cause.INFRA_MALFORMED, 2),
    "schema violated once": ([fake.say({"a": "one"}), GOOD], None, 2),
    "unexpected stop": ([fake.say({"a": 1}, "tool_use")], Cause.INFRA_MALFORMED, 2),
    "no stop reason": ([fake.say({"a": 1}, None)], Cause.INFRA_MALFORMED, 2),
}


@pytest.mark.parametrize("name", TABLE)
def test_each_behaviour_has_exactly_one_outcome(name, serve, connect, ask):
    steps, cause, calls = TABLE[name]
    server = serve(steps)
    client = connect(server, timeout_s=0.15 if "time-out" in name else 5.0)
    (result,) = client.complete_many([ask()])
    if cause is None:
        assert isinstance(result, Completion)
        assert result.value == {"a": 1}
    else:
        assert isinstance(result, LlmFailure)
        assert result.cause is cause
        assert result.cause.is_infra
        assert "\n" not in result.detail
    assert server.count() == calls
    assert client.budget.reserved_usd == 0
    # What failed is asked again by a later run, what was answered is not.
    before = server.count()
    server.script = [GOOD]
    (second,) = connect(server).complete_many([ask()])
    assert isinstance(second, Completion)
    assert second.cached is (cause is None)
    assert server.count() - before == (0 if cause is None else 1)


def test_the_table_maps_to_every_cause_that_a_live_call_can_have():
    reached = {cause for _, cause, _ in TABLE.values() if cause}
    assert reached == {cause for cause in Cause if cause.is_infra} - {Cause.INFRA_NOT_RECORDED}


def test_no_server_is_a_connection_failure_that_was_never_charged(connect, ask):
    with fake.FakeAnthropic([GOOD]) as server:
        pass
    client = connect(server)
    (failure,) = client.complete_many([ask()])
    assert failure.cause is Cause.INFRA_CONNECTION
    assert failure.usage.calls == 0
    assert client.budget.spent_usd == 0


@pytest.mark.parametrize("folder", [".", "absent"])
def test_without_a_key_nothing_is_sent(folder, serve, connect, ask, monkeypatch, tmp_path):
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    monkeypatch.setenv("ANTHROPIC_CONFIG_DIR", str(tmp_path / folder))  # not this machine's own profiles
    server = serve([GOOD])
    (failure,) = connect(server).complete_many([ask()])
    assert failure.cause is Cause.INFRA_AUTH
    assert "ANTHROPIC_API_KEY" in failure.detail
    assert failure.usage.calls == 0
    assert server.calls == []


def test_the_request_as_the_server_sees_it(serve, connect, ask):
    @dataclass
    class Section:
        number: int
        title: str

    server = serve([fake.say({"number": 3, "title": "Term"})])
    request = ask(schema=Section, effort="low")
    assert connect(server).complete(request).value == Section(3, "Term")
    body = server.calls[0].body
    assert body["model"] == "claude-sonnet-5-5"
    assert body["max_tokens"] == 256
    assert body["messages"] == [{"role": "user", "content": "Which sections?"}]
    assert [block["text"] for block in body["system"]] == ["You number sections."]
    assert body["output_config"]["effort"] == "low"
    schema = body["output_config"]["format"]["schema"]
    assert schema["required"] == ["number", "title"]
    assert schema["additionalProperties"] is False


def test_plain_text_needs_no_schema(serve, connect, ask):
    server = serve([fake.say("three")])
    assert connect(server).complete(ask(schema=None, system="")).value == "three"
    assert set(server.calls[0].body) == {"model", "max_tokens", "messages"}


def test_any_characters_can_be_asked(serve, connect, ask):
    server = serve([GOOD])
    text = "nul \x00, lone \ud800 surrogate, \U0001f600, \u202e right to left"
    assert connect(server).complete(ask(text)).value == {"a": 1}
    assert server.calls[0].body["messages"][0]["content"] == text.replace("\ud800", "\ufffd")


def test_retry_after_is_obeyed_up_to_the_cap(serve, connect, ask):
    server = serve([fake.rate_limited("0.3"), GOOD])
    started = time.monotonic()
    connect(server, retry_after_cap_s=5.0).complete(ask())
    assert 0.3 <= time.monotonic() - started < 2
    server = serve([fake.rate_limited("3600"), GOOD])
    started = time.monotonic()
    connect(server, retry_after_cap_s=0.1).complete(ask("another"))
    assert 0.1 <= time.monotonic() - started < 2


def test_many_keep_their_order_and_failures_are_values(serve, connect, ask):
    def script(body):
        number = int(body["messages"][0]["content"])
        return fake.error(400, "invalid_request_error") if number % 7 == 3 else fake.say({"n": number})

    server = serve(script)
    results = connect(server).complete_many([ask(str(n)) for n in range(30)])
    for number, result in enumerate(results):
        if number % 7 == 3:
            assert result.cause is Cause.INFRA_REQUEST
        else:
            assert result.value == {"n": number}
    assert server.count() == 30


def test_no_more_calls_at_once_than_allowed(serve, connect, ask):
    lock, now, most = threading.Lock(), 0, 0

    server = serve([fake.Step(body=GOOD.body, delay_s=0.02)])
    flight = server.wait

    def wait(seconds):
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        flight(seconds)
        with lock:
            now -= 1

    server.wait = wait
    connect(server, concurrency=3).complete_many([ask(str(n)) for n in range(24)])
    assert most == 3


def test_the_same_question_is_paid_once(serve, connect, ask):
    server = serve([GOOD])
    client = connect(server)
    results = client.complete_many([ask(), ask("b"), ask(), ask()])
    assert server.count() == 2
    assert [result.cached for result in results] == [False, False, True, True]
    assert [result.usage.calls for result in results] == [1, 1, 0, 0]
    assert sum(result.usage.cost_usd for result in results) == pytest.approx(client.budget.spent_usd)


def test_threads_with_the_same_question_pay_once(serve, connect, ask):
    server = serve([fake.Step(body=GOOD.body, delay_s=0.05)])
    client = connect(server)
    threads = [threading.Thread(target=client.complete, args=(ask(),)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert server.count() == 1


def test_a_second_run_pays_only_for_what_is_missing(serve, connect, ask):
    failing = {"3", "8"}

    def script(body):
        text = body["messages"][0]["content"]
        return fake.refusal() if text in failing else fake.say({"n": int(text)})

    server = serve(script)
    requests = [ask(str(n)) for n in range(10)]
    first = connect(server).complete_many(requests)
    assert [result.cause for result in first if isinstance(result, LlmFailure)] == [Cause.INFRA_REFUSAL] * 2
    assert server.count() == 10
    failing.clear()
    second = connect(server).complete_many(requests)
    assert server.count() == 12
    assert [result.value["n"] for result in second] == list(range(10))
    assert [result.cached for result in second] == [str(n) not in {"3", "8"} for n in range(10)]
    # What an answer cost when it was made does not depend on the run that reads it.
    assert {result.first_usage.cost_usd for result in second} == {first[0].usage.cost_usd}
    assert sum(result.usage.calls for result in second) == 2


def test_tokens_and_dollars(serve, connect, ask):
    server = serve([fake.say({"a": 1}, input_tokens=1000, output_tokens=200, cache_write=400, cache_read=2000)])
    client = connect(server)
    result = client.complete(ask())
    assert result.usage.input_tokens == 3400
    assert result.usage.output_tokens == 200
    # 1000 at $2, 200 at $10, 400 at $2.50 and 2000 at $0.10 for a million
    assert result.usage.cost_usd == pytest.approx(0.002 + 0.002 + 0.001 + 0.0002)
    assert client.budget.spent_usd == pytest.approx(result.usage.cost_usd)


def test_a_failure_says_what_was_spent_on_it(serve, connect, ask):
    server = serve([fake.say("{", "max_tokens", input_tokens=1000, output_tokens=256)])
    client = connect(server)
    (failure,) = client.complete_many([ask()])
    assert failure.usage.cost_usd == pytest.approx(0.002 + 0.00256)
    assert failure.usage.output_tokens == 256
    assert client.budget.spent_usd == pytest.approx(failure.usage.cost_usd)


def test_attempts_that_were_charged_count_towards_the_answer(serve, connect, ask):
    server = serve([fake.say("prose"), GOOD])
    result = connect(server).complete(ask())
    assert result.usage.calls == 2
    assert result.usage.input_tokens == 200


@pytest.mark.parametrize("step", [fake.hang(3), fake.reset_mid_body(), fake.truncated_json()])
def test_a_call_of_unknown_cost_is_booked_at_its_worst(step, serve, connect, ask):
    client = connect(serve([step]), max_retries=0, timeout_s=0.15)
    client.complete_many([ask()])
    assert client.budget.spent_usd == pytest.approx(client.prices.worst_case(ask()))


@pytest.mark.parametrize("step", [fake.rate_limited(), fake.overloaded(), fake.server_error()])
def test_a_call_that_was_turned_away_costs_nothing(step, serve, connect, ask):
    client = connect(serve([step]), max_retries=0)
    client.complete_many([ask()])
    assert client.budget.spent_usd == 0


def test_the_budget_stops_the_run_and_a_later_one_goes_on(serve, connect, ask):
    def script(body):
        return fake.say({"n": int(body["messages"][0]["content"])}, input_tokens=2000, output_tokens=256)

    server = serve(script)
    requests = [ask(str(n)) for n in range(20)]
    limit = 0.06  # a call costs 0.004 + 0.00256
    runs = 0
    while True:
        calls = server.count()
        client = connect(server, max_cost_usd=limit)
        results = client.complete_many(requests)
        runs += 1
        assert client.budget.spent_usd <= limit
        stopped = [result for result in results if isinstance(result, LlmFailure)]
        assert {failure.cause for failure in stopped} <= {Cause.INFRA_BUDGET}
        assert server.count() - calls == sum(isinstance(r, Completion) and not r.cached for r in results)
        if not stopped:
            break
        assert "max_cost_usd" in stopped[0].detail
    assert runs > 1
    assert server.count() == 20
    assert [result.value["n"] for result in results] == list(range(20))


def test_with_no_money_nothing_is_sent_but_the_cache_answers(serve, connect, ask):
    server = serve([GOOD])
    connect(server).complete(ask())
    client = connect(server, max_cost_usd=0.0)
    kept, refused = client.complete_many([ask(), ask("new")])
    assert kept.value == {"a": 1}
    assert refused.cause is Cause.INFRA_BUDGET
    assert server.count() == 1


def test_a_model_without_a_price(serve, connect, ask, caplog):
    server = serve([GOOD])
    with pytest.raises(CuadAuditError, match="no price for model claude-next"):
        connect(server).complete_many([ask(model="claude-next")])
    with pytest.raises(CuadAuditError, match=r"prices\.yaml"):
        connect(server).complete(ask(model="claude-next"))
    assert server.count() == 0
    client = connect(server, max_cost_usd=float("inf"))
    result, _ = client.complete_many([ask(model="claude-next"), ask("b", model="claude-next")])
    assert result.usage.input_tokens == 100
    assert result.usage.cost_usd == 0
    told = [record.getMessage() for record in caplog.records if record.name.startswith("pipeline")]
    assert told == ["prices.yaml has no price for claude-next: its cost is counted as zero"]


def test_progress_is_on_stderr_and_only_when_asked_for(serve, connect, ask, capsys):
    server = serve([GOOD])
    connect(server).complete_many([ask("1")])
    assert capsys.readouterr() == ("", "")
    connect(server).complete_many([ask("2")], progress="auditing")
    out, err = capsys.readouterr()
    assert out == ""
    assert "auditing" in err


def test_an_interrupted_run_keeps_what_it_has(serve, connect, ask):
    class Killed(BaseException):
        pass

    server = serve([GOOD])
    client = connect(server, concurrency=1)
    put = client.store.put

    def killing_put(request, completion):
        put(request, completion)
        if server.count() == 3:
            raise Killed

    client.store.put = killing_put
    requests = [ask(str(n)) for n in range(6)]
    with pytest.raises(Killed):
        client.complete_many(requests)
    assert server.count() < 6
    connect(server).complete_many(requests)
    assert server.count() == 6


def test_an_interrupted_run_waits_for_nobody(serve, connect, ask):
    """Calls that wait for their next attempt give up; none that waited its turn is sent."""
    server = serve(lambda body: GOOD if body["messages"][0]["content"] == "0" else fake.rate_limited("30"))
    client = connect(server, concurrency=2, retry_after_cap_s=60.0)
    client.store.put = lambda *_: (_ for _ in ()).throw(KeyboardInterrupt)
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        client.complete_many([ask(str(n)) for n in range(20)])
    assert time.monotonic() - started < 5
    assert server.count() <= 4


def test_results_in_hand_are_played_without_a_call(serve, connect, ask):
    server = serve(lambda body: GOOD if body["messages"][0]["content"] == "good" else fake.refusal())
    requests = [ask("good"), ask("bad"), ask("good")]
    complete = from_results(requests, connect(server).complete_many(requests))
    calls = server.count()
    assert complete(ask("good")).value == {"a": 1}
    for _ in range(2):
        with pytest.raises(LlmFailure) as caught:
            complete(ask("bad"))
        assert caught.value.cause is Cause.INFRA_REFUSAL
    with pytest.raises(KeyError):
        complete(ask("never asked"))
    assert [complete(ask("good")).usage.calls for _ in range(3)] == [0, 0, 0]  # only the first was paid
    assert server.count() == calls


def test_what_the_fake_refuses(serve, connect, ask):
    """The fake is strict, so that a request which the API would refuse does not pass the tests."""
    server = serve([GOOD])
    (failure,) = connect(server, max_cost_usd=float("inf")).complete_many([ask(model="unknown-model")])
    assert failure.cause is Cause.INFRA_REQUEST
    assert "model: unknown" in failure.detail
    (failure,) = connect(server).complete_many([ask("")])
    assert failure.cause is Cause.INFRA_REQUEST
    assert json.dumps(server.calls[-1].body)
