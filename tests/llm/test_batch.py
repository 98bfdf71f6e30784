"""The Message Batches transport: life cycle, partial failure, and that nothing is ever paid twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from fakes import anthropic_api as fake

from pipeline.base.errors import CuadAuditError
from pipeline.base.types import FailureCause as Cause
from pipeline.llm import batch
from pipeline.llm.api import AnthropicApi
from pipeline.llm.batch_book import BatchBook
from pipeline.llm.client import open_client
from pipeline.llm.request import Completion, LlmFailure


def by_number(body):
    return fake.say({"n": int(body["messages"][0]["content"])})


@pytest.fixture
def questions(ask):
    return [ask(str(n)) for n in range(5)]


def numbers(results):
    return [result.value["n"] for result in results]


def open_records(client):
    return client.batches.book.records()


def test_a_batch_from_create_to_answers(serve, connect, questions):
    server = serve(by_number, polls_until_end=3)
    client = connect(server, transport="batch")
    results = client.complete_many([*questions, questions[2]])
    assert numbers(results) == [0, 1, 2, 3, 4, 2]
    assert [result.cached for result in results] == [False] * 5 + [True]
    assert server.count(fake.BATCH_CREATE) == 1
    assert server.count(fake.BATCH_GET) >= 3
    assert server.count(fake.MESSAGES) == 0
    assert [row["custom_id"] for row in server.calls[1].body["requests"]] == [request.key for request in questions]
    assert open_records(client) == []
    # Half the price; no latency of its own.
    assert results[0].usage.cost_usd == pytest.approx((100 * 2 + 20 * 10) / 1e6 / 2)
    assert results[0].latency_s is None
    assert client.budget.spent_usd == pytest.approx(5 * results[0].usage.cost_usd)
    assert client.budget.reserved_usd == 0
    calls = len(server.calls)
    assert numbers(connect(server, transport="batch").complete_many(questions)) == [0, 1, 2, 3, 4]
    assert len(server.calls) == calls


def test_answers_of_a_batch_serve_single_calls(serve, connect, questions):
    server = serve(by_number)
    connect(server, transport="batch").complete_many(questions)
    assert connect(server).complete(questions[3]).cached
    assert server.count(fake.MESSAGES) == 0


ENDS = {
    "errored: invalid": (fake.error(400, "invalid_request_error"), Cause.INFRA_REQUEST),
    "errored: overloaded": (fake.error(529, "overloaded_error"), Cause.INFRA_OVERLOADED),
    "errored: rate limit": (fake.error(429, "rate_limit_error"), Cause.INFRA_RATE_LIMIT),
    "errored: server": (fake.error(500, "api_error"), Cause.INFRA_SERVER_ERROR),
    "errored: time-out": (fake.error(504, "timeout_error"), Cause.INFRA_TIMEOUT),
    "errored: key": (fake.error(401, "authentication_error"), Cause.INFRA_AUTH),
    "errored: credit": (fake.error(402, "billing_error"), Cause.INFRA_BUDGET),
    "errored: something new": (fake.error(418, "teapot_error"), Cause.INFRA_SERVER_ERROR),
    "expired": (fake.EXPIRED, Cause.INFRA_TIMEOUT),
    "canceled": (fake.CANCELED, Cause.INFRA_SERVER_ERROR),
    "a new kind of end": (fake.Step(outcome="paused"), Cause.INFRA_MALFORMED),
    "refusal": (fake.refusal(), Cause.INFRA_REFUSAL),
    "cut": (fake.say("{", "max_tokens"), Cause.INFRA_TRUNCATED),
    "prose": (fake.say("Section one."), Cause.INFRA_MALFORMED),
    "empty": (fake.say(None), Cause.INFRA_MALFORMED),
    "wrong shape": (fake.raw({"hello": 1}), Cause.INFRA_MALFORMED),
    "line that is not JSON": (fake.truncated_json(), Cause.INFRA_MALFORMED),
}


@pytest.mark.parametrize("name", ENDS)
def test_partial_failure_is_typed_and_only_the_failed_are_asked_again(name, serve, connect, questions):
    step, cause = ENDS[name]
    server = serve(lambda body: step if body["messages"][0]["content"] in "13" else by_number(body))
    results = connect(server, transport="batch").complete_many(questions)
    assert [result.cause if isinstance(result, LlmFailure) else None for result in results] == [
        None, cause, None, cause, None,
    ]  # fmt: skip
    server.script = by_number
    client = connect(server, transport="batch")
    assert numbers(client.complete_many(questions)) == [0, 1, 2, 3, 4]
    created = [call.body["requests"] for call in server.calls if call.route == fake.BATCH_CREATE]
    assert [len(requests) for requests in created] == [5, 2]
    assert open_records(client) == []


def test_the_budget_is_kept_for_a_batch_as_well(serve, connect, ask):
    questions = [ask(str(n), max_tokens=5000) for n in range(10)]
    server = serve(by_number)
    probe = connect(server, transport="batch")
    limit = 3.5 * probe.prices.worst_case(questions[0], batch=True)
    results = connect(server, transport="batch", max_cost_usd=limit).complete_many(questions)
    assert [isinstance(result, Completion) for result in results] == [True] * 3 + [False] * 7
    assert {result.cause for result in results[3:]} == {Cause.INFRA_BUDGET}
    while not all(isinstance(result, Completion) for result in results):
        results = connect(server, transport="batch", max_cost_usd=limit).complete_many(questions)
    assert numbers(results) == list(range(10))
    assert set(server.paid.values()) == {1}


def test_large_sets_are_split(serve, connect, questions, monkeypatch):
    monkeypatch.setattr(batch, "MAX_REQUESTS", 2)
    server = serve(by_number)
    assert numbers(connect(server, transport="batch").complete_many(questions)) == [0, 1, 2, 3, 4]
    assert [len(entry.requests) for entry in server.batches.values()] == [2, 2, 1]


def test_groups_keep_to_the_size_in_bytes(ask, monkeypatch):
    monkeypatch.setattr(batch, "MAX_BYTES", 100_000)
    requests = {str(n): ask("x" * 10_000) for n in range(3)}
    assert [list(group) for group in batch.groups(requests)] == [["0"], ["1"], ["2"]]
    assert list(batch.groups({})) == []


# --- faults of the batch endpoints ---------------------------------------------------------------


def test_a_creation_that_arrives_late_is_waited_for(serve, connect, questions):
    """The client gave the call up before the server took it in."""
    server = serve(by_number)
    server.on_call = lambda call: time.sleep(0.5) if call.route == fake.BATCH_CREATE else None
    client = connect(server, transport="batch", timeout_s=0.4)
    assert numbers(client.complete_many(questions)) == [0, 1, 2, 3, 4]
    assert server.count(fake.BATCH_CREATE) == 1
    assert set(server.paid.values()) == {1}


LOST_ANSWERS = {
    "reset": fake.reset_mid_body(),
    "time-out": fake.hang(2),
    "500": fake.server_error(),
    "502": fake.error(502, "api_error"),
    "not JSON": fake.raw(b"<html>"),
    "no id": fake.raw({"type": "message_batch"}),
}


@pytest.mark.parametrize("name", LOST_ANSWERS)
def test_a_batch_whose_creation_went_unheard_is_found_and_not_made_again(name, serve, connect, questions):
    server = serve(by_number)
    server.after[fake.BATCH_CREATE] = [LOST_ANSWERS[name]]
    client = connect(server, transport="batch", timeout_s=0.2)
    assert numbers(client.complete_many(questions)) == [0, 1, 2, 3, 4]
    assert server.count(fake.BATCH_CREATE) == 1
    assert set(server.paid.values()) == {1}
    assert open_records(client) == []


@pytest.mark.parametrize("name", LOST_ANSWERS)
def test_a_batch_that_was_not_made_is_made(name, serve, connect, questions):
    server = serve(by_number)
    server.before[fake.BATCH_CREATE] = [LOST_ANSWERS[name]]
    client = connect(server, transport="batch", timeout_s=0.2)
    assert numbers(client.complete_many(questions)) == [0, 1, 2, 3, 4]
    assert server.count(fake.BATCH_CREATE) == 2
    assert set(server.paid.values()) == {1}


@pytest.mark.parametrize("step", [fake.rate_limited("0"), fake.overloaded()])
def test_a_creation_that_was_turned_away_is_simply_tried_again(step, serve, connect, questions):
    server = serve(by_number)
    server.before[fake.BATCH_CREATE] = [step]
    client = connect(server, transport="batch")
    assert numbers(client.complete_many(questions)) == [0, 1, 2, 3, 4]
    assert server.count(fake.BATCH_LIST) == 1


def test_a_creation_that_is_refused_fails_every_request_and_leaves_no_record(serve, connect, questions):
    server = serve(by_number)
    server.before[fake.BATCH_CREATE] = [fake.error(403, "permission_error")]
    client = connect(server, transport="batch")
    assert {result.cause for result in client.complete_many(questions)} == {Cause.INFRA_AUTH}
    assert open_records(client) == []
    assert client.budget.spent_usd == client.budget.reserved_usd == 0
    assert numbers(connect(server, transport="batch").complete_many(questions)) == [0, 1, 2, 3, 4]


def test_if_it_cannot_be_told_whether_a_batch_was_made_the_next_run_looks_again(serve, connect, questions):
    server = serve(by_number)
    server.after[fake.BATCH_CREATE] = [fake.reset_mid_body()]
    fault = fake.error(403, "permission_error")
    # Only the listing after the creation fails.
    server.on_call = lambda call: server.before[fake.BATCH_LIST].append(fault) if call.route == fake.BATCH_CREATE else 0
    client = connect(server, transport="batch", timeout_s=0.1)
    assert {result.cause for result in client.complete_many(questions)} == {Cause.INFRA_AUTH}
    assert len(open_records(client)) == 1
    assert client.budget.spent_usd > 0  # for all that is known it was made
    server.on_call = None
    client = connect(server, transport="batch", timeout_s=0.1)
    assert numbers(client.complete_many(questions)) == [0, 1, 2, 3, 4]
    assert server.count(fake.BATCH_CREATE) == 1
    assert set(server.paid.values()) == {1}


@pytest.mark.parametrize("route", [fake.BATCH_GET, fake.BATCH_RESULTS, fake.BATCH_LIST])
@pytest.mark.parametrize("step", [fake.server_error(), fake.reset_mid_body(), fake.overloaded(), fake.raw(b"{")])
def test_passing_faults_while_waiting_do_no_harm(route, step, serve, connect, questions):
    server = serve(by_number, polls_until_end=2)
    server.before[route] = [step]
    assert numbers(connect(server, transport="batch").complete_many(questions)) == [0, 1, 2, 3, 4]
    assert server.count(fake.BATCH_CREATE) == 1


@pytest.mark.parametrize("route", [fake.BATCH_GET, fake.BATCH_RESULTS])
def test_a_lasting_fault_while_waiting_leaves_the_batch_to_the_next_run(route, serve, connect, questions):
    server = serve(by_number)
    server.before[route] = [fake.overloaded()] * 3
    client = connect(server, transport="batch")
    results = client.complete_many(questions)
    assert {result.cause for result in results} == {Cause.INFRA_OVERLOADED}
    assert client.budget.spent_usd > 0  # the batch goes on and will be charged
    assert numbers(connect(server, transport="batch").complete_many(questions)) == [0, 1, 2, 3, 4]
    assert server.count(fake.BATCH_CREATE) == 1


def test_results_that_come_short_are_fetched_again(serve, connect, questions):
    server = serve(by_number)
    server.before[fake.BATCH_RESULTS] = [fake.raw(b"", "application/x-jsonl")]
    assert numbers(connect(server, transport="batch").complete_many(questions)) == [0, 1, 2, 3, 4]
    assert set(server.paid.values()) == {1}


def test_strange_lines_among_the_results_are_passed_over(serve, connect, questions):
    server = serve(
        by_number, results_prefix=b'nonsense\n[1]\n{"custom_id": 3}\n{"custom_id": "other", "result": 1}\n\n'
    )
    assert numbers(connect(server, transport="batch").complete_many(questions)) == [0, 1, 2, 3, 4]


def test_results_that_the_provider_no_longer_holds(serve, connect, questions):
    server = serve(by_number)
    server.before[fake.BATCH_RESULTS] = [fake.overloaded()] * 3
    connect(server, transport="batch").complete_many(questions)
    server.archived.update(server.batches)
    client = connect(server, transport="batch")
    results = client.complete_many(questions)
    assert {result.cause for result in results} == {Cause.INFRA_SERVER_ERROR}
    assert "no longer holds" in results[0].detail
    assert open_records(client) == []


def test_a_batch_of_another_key_is_not_paid_again_unasked(serve, connect, questions):
    server = serve(by_number)
    server.before[fake.BATCH_GET] = [fake.error(404, "not_found_error")]
    client = connect(server, transport="batch")
    results = client.complete_many(questions)
    assert {result.cause for result in results} == {Cause.INFRA_REQUEST}
    (record,) = open_records(client)
    assert str(client.batches.book.path(record)) in results[0].detail
    assert numbers(connect(server, transport="batch").complete_many(questions)) == [0, 1, 2, 3, 4]
    assert server.count(fake.BATCH_CREATE) == 1


# --- other batches of the account, other processes -------------------------------------------------


def test_foreign_batches_of_the_same_size_are_not_taken_for_ours(serve, connect, questions, ask):
    server = serve(by_number)
    connect(server, transport="batch").complete_many([ask(str(n)) for n in range(100, 105)])
    foreign = {"requests": [{**row, "custom_id": f"x{n}"} for n, row in enumerate(server.calls[1].body["requests"])]}

    def meanwhile(call):  # others make batches of five just before and after ours
        if call.route == fake.BATCH_CREATE:
            server._create(foreign)
            server.after[fake.BATCH_CREATE] = [fake.reset_mid_body()]
        elif call.route == fake.BATCH_LIST and len(server.batches) == 3:
            server._create(foreign)

    server.on_call = meanwhile
    client = connect(server, transport="batch", timeout_s=0.1)
    assert numbers(client.complete_many(questions)) == [0, 1, 2, 3, 4]
    assert server.count(fake.BATCH_CREATE) == 2
    assert len(server.batches) == 4
    assert all(server.paid[request.key] == 1 for request in questions)


def test_the_search_goes_through_every_page_of_newer_batches(serve, connect, questions, monkeypatch):
    server = serve(by_number)
    page = server._list
    monkeypatch.setattr(server, "_list", lambda query: page({**query, "limit": "2"}))
    other = {
        "requests": [{"custom_id": "x", "params": {"model": "m", "max_tokens": 1, "messages": [{"content": "7"}]}}]
    }

    def meanwhile(call):
        if call.route == fake.BATCH_CREATE:
            server.after[fake.BATCH_CREATE] = [fake.reset_mid_body()]
        elif call.route == fake.BATCH_LIST and server.count(fake.BATCH_CREATE) and len(server.batches) < 7:
            for _ in range(6):
                server._create(other)

    server.on_call = meanwhile
    assert numbers(connect(server, transport="batch", timeout_s=0.1).complete_many(questions)) == [0, 1, 2, 3, 4]
    assert server.count(fake.BATCH_CREATE) == 1
    assert server.count(fake.BATCH_LIST) >= 4


def test_two_runs_at_once_share_one_batch(serve, connect, questions):
    server = serve(by_number, polls_until_end=20)
    answers = {}
    clients = {name: connect(server, transport="batch") for name in "ab"}

    def go(name):
        answers[name] = numbers(clients[name].complete_many(questions))

    threads = [threading.Thread(target=go, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {"a": [0, 1, 2, 3, 4], "b": [0, 1, 2, 3, 4]}
    assert server.count(fake.BATCH_CREATE) == 1
    assert set(server.paid.values()) == {1}


def test_answers_that_came_while_waiting_for_the_lock_are_not_asked_for_again(serve, connect, questions):
    server = serve(by_number)
    other, client = connect(server, transport="batch"), connect(server, transport="batch")
    missing = {request.key: request for request in questions}
    other.complete_many(questions)  # between this run's look at the cache and its turn
    results = client.batches.run(missing)
    assert [results[request.key].cached for request in questions] == [True] * 5
    assert server.count(fake.BATCH_CREATE) == 1


def test_a_run_that_asks_for_a_part_leaves_the_rest_of_the_batch_to_others(serve, connect, questions):
    server = serve(by_number)
    server.before[fake.BATCH_GET] = [fake.overloaded()] * 3
    connect(server, transport="batch").complete_many(questions)
    client = connect(server, transport="batch")
    assert numbers(client.complete_many(questions[:2])) == [0, 1]
    (record,) = open_records(client)
    assert set(record.keys) == {request.key for request in questions[2:]}
    assert numbers(client.complete_many(questions)) == [0, 1, 2, 3, 4]
    assert server.count(fake.BATCH_CREATE) == 1
    assert open_records(client) == []


def test_a_spoilt_record_is_an_error_and_never_a_second_payment(serve, connect, questions, tmp_path):
    server = serve(by_number)
    server.before[fake.BATCH_GET] = [fake.overloaded()] * 3
    client = connect(server, transport="batch")
    client.complete_many(questions)
    (record,) = open_records(client)
    client.batches.book.path(record).write_text("{")
    with pytest.raises(CuadAuditError, match="not a batch record"):
        connect(server, transport="batch").complete_many(questions)
    assert server.count(fake.BATCH_CREATE) == 1
    assert str(tmp_path) in str(client.batches.book.path(record))


# --- killed at every point ---------------------------------------------------------------------------


class Killed(BaseException):
    """What follows it does not run, as after SIGKILL (only what the system itself would release is)."""


class Reaper:
    """Kills at the n-th effect on the outside world (a call, a write), counting before and after each."""

    def __init__(self, at: int | None) -> None:
        self.at = at
        self.passed = 0

    def step(self) -> None:
        if self.passed == self.at:
            raise Killed
        self.passed += 1

    def around(self, owner: object, *names: str) -> None:
        for name in names:
            real = getattr(owner, name)

            def effect(*args, real=real, **kwargs):
                self.step()
                result = real(*args, **kwargs)
                self.step()
                return result

            setattr(owner, name, effect)


def mortal(client, at):
    """``client``, every effect of which is counted by a reaper."""
    calls = ("create_batch", "retrieve_batch", "list_batches", "batch_results")
    client.batches.api = SimpleNamespace(**{name: getattr(client.batches.api, name) for name in calls})
    reaper = Reaper(at)
    reaper.around(client.batches.api, *calls)
    reaper.around(client.store, "put")
    reaper.around(client.batches.book, "_write", "close")


def test_killed_at_any_point_a_rerun_ends_with_every_answer_paid_once(serve, ask, llm, tmp_path):
    """Every point of the first run, and every point of the run that resumes it after the worst one."""
    questions = [ask(str(n)) for n in range(3)]
    api = AnthropicApi(5.0)

    def client_of(server, folder):
        client = open_client(llm(transport="batch", timeout_s=0.02), tmp_path / folder)
        client.batches.poll_first_s = 0.001
        client.batches.api = api
        api._base_url = server.url
        return client

    def killed_run(server, folder, at):
        """True if the run came to its end before it was killed."""
        client = client_of(server, folder)
        mortal(client, at)
        try:
            results = client.complete_many(questions)
        except Killed:
            return False
        assert numbers(results) == [0, 1, 2]
        return True

    points = 0
    server = serve(by_number)
    while True:
        folder = f"first-{points}"
        server.paid.clear()
        done = killed_run(server, folder, points)
        assert numbers(client_of(server, folder).complete_many(questions)) == [0, 1, 2]
        assert set(server.paid.values()) == {1}, f"killed at effect {points}"
        assert len(server.paid) == 3
        if done:
            break
        points += 1
    assert points >= 20  # list, intent, create, id, poll, results, three answers, close: before and after each

    # Killed between creation and its record (after the create call), then killed again while finding out.
    again = 0
    while True:
        folder = f"again-{again}"
        server.paid.clear()
        assert not killed_run(server, folder, 5)
        assert len(server.paid) == 3
        assert open_records(client_of(server, folder))[0].batch_id is None
        done = killed_run(server, folder, again)
        assert numbers(client_of(server, folder).complete_many(questions)) == [0, 1, 2]
        assert set(server.paid.values()) == {1}, f"killed again at effect {again}"
        if done:
            break
        again += 1
    assert again >= 16


def test_a_real_sigkill(serve, connect, questions, tmp_path):
    """The process dies by signal while the server works on its call; the next one pays nothing more."""
    script = """
        import sys
        from pathlib import Path
        from typing_extensions import TypedDict
        from pipeline.base import params
        from pipeline.llm.client import open_client
        from pipeline.llm.request import CompletionRequest
        Numbers = TypedDict("Numbers", dict.fromkeys("abcn", int), total=False)
        Numbers.__doc__ = sys.argv[3]
        llm = params.Llm("batch", 4, 5.0, 2, 0.01, 10.0)
        client = open_client(llm, Path(sys.argv[1]), base_url=sys.argv[2])
        texts = [str(n) for n in range(5)]
        make = lambda user: CompletionRequest(
            "claude-sonnet-5-5", "You number sections.", user, Numbers, 256, "p")
        client.complete_many([make(text) for text in texts])
    """
    server = serve(by_number)

    def kill(call):
        if call.route == fake.BATCH_CREATE:
            os.kill(process.pid, signal.SIGKILL)

    server.on_call = kill
    command = [
        sys.executable,
        "-c",
        textwrap.dedent(script),
        str(tmp_path / "llm"),
        server.url,
        questions[0].schema.__doc__,
    ]
    with subprocess.Popen(command, cwd=Path(__file__).resolve().parents[2]) as process:
        process.wait(60)
    assert process.returncode == -signal.SIGKILL
    assert len(server.paid) == 5
    server.on_call = None
    client = connect(server, transport="batch", timeout_s=0.2)
    assert numbers(client.complete_many(questions)) == [0, 1, 2, 3, 4]
    assert set(server.paid.values()) == {1}
    assert server.count(fake.BATCH_CREATE) == 1
    assert open_records(client) == []


def test_records_hold_hashes_and_no_text(serve, connect, ask, tmp_path):
    server = serve(by_number)
    server.before[fake.BATCH_GET] = [fake.overloaded()] * 3
    connect(server, transport="batch").complete_many([ask("77123456")])
    (path,) = (tmp_path / "llm" / "batches").glob("*.json")
    assert "77123456" not in path.read_text()
    assert set(json.loads(path.read_text())) == {"name", "keys", "size", "opened_at", "newest_before", "batch_id"}


def test_the_lock_is_let_go_when_its_holder_fails(tmp_path):
    book = BatchBook(tmp_path)
    with pytest.raises(Killed), book.lock():
        raise Killed
    with book.lock():
        pass
