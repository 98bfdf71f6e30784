"""The API key is in nothing that is written, logged, raised or printed; and the SDK loads only when needed."""

from __future__ import annotations

import logging
import pickle
import subprocess
import sys
import traceback

import pytest
from fakes import anthropic_api as fake

from pipeline.llm.failures import ApiFault
from pipeline.llm.replay import Recorder
from pipeline.llm.request import LlmFailure

KEY = "sk-ant-api03-THE-SECRET-0123456789"  # as in conftest.py

STEPS = [
    fake.say({"a": 1}),
    fake.error(401, "authentication_error", f"invalid x-api-key: {KEY}"),
    fake.error(400, "invalid_request_error", f"Authorization: Bearer {KEY} was sent"),
    fake.rate_limited(),
    fake.server_error(),
    fake.reset_mid_body(),
    fake.raw(KEY.encode()),
    fake.raw({"echo": KEY}),
    fake.refusal(),
    fake.say({"a": 1}, stop_reason=KEY),
]


def everything_reachable(failure):
    """The exception, what it holds and every exception chained to it, as text."""
    if failure is None:
        return ""
    shown = f"{failure!r} {failure} {failure.args!r} {vars(failure)!r}"
    return shown + everything_reachable(failure.__cause__) + everything_reachable(failure.__context__)


@pytest.mark.parametrize("transport", ["sync", "batch"])
def test_the_key_is_sent_and_shows_up_nowhere(transport, serve, connect, ask, tmp_path, caplog, capfd):
    caplog.set_level(logging.DEBUG)
    server = serve(lambda body: STEPS[int(body["messages"][0]["content"])])
    server.before[fake.BATCH_GET] = [fake.error(500, "api_error", f"Bearer {KEY}")]
    client = connect(server, transport=transport)
    with Recorder(client, tmp_path / "tape.jsonl") as recorder:
        results = recorder.complete_many([ask(str(n)) for n in range(len(STEPS))], progress="asking")
    assert all(KEY in call.headers["authorization"] for call in server.calls)  # or the test looks for nothing
    shown = [repr(client), repr(client.api), repr(results)]
    for result in results:
        if isinstance(result, LlmFailure):
            shown += [everything_reachable(result), "".join(traceback.format_exception(result))]
            assert KEY.encode() not in pickle.dumps(result)
    shown += [record.getMessage() for record in caplog.records]
    shown += capfd.readouterr()
    shown += [path.read_text() for path in tmp_path.rglob("*") if path.is_file()]
    assert len(caplog.records) > 10
    assert sum(KEY in text for text in shown) == 0


@pytest.mark.parametrize("transport", ["sync", "batch"])
def test_an_answer_that_holds_a_key_is_kept_and_given_without_it(transport, serve, connect, ask, tmp_path, monkeypatch):
    other = "proxy-token-0123456789abcdef"
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", other)
    said = f"The keys {KEY}, sk-ant-api03-another_one and {other}; the bearer of shares shall pay."
    client = connect(serve([fake.say(said)]), transport=transport)
    with Recorder(client, tmp_path / "tape.jsonl") as recorder:
        (answer,) = recorder.complete_many([ask(schema=None)])
    assert answer.text == answer.value
    assert answer.text == "The keys [redacted], [redacted] and [redacted]; the bearer of shares shall pay."
    kept = [path.read_text() for path in tmp_path.rglob("*") if path.is_file()]
    assert sum("[redacted]" in text for text in kept) == 2, "the cache and the cassette"
    assert not any(secret in text for text in kept for secret in (KEY, "another_one", other))
    assert client.complete(ask(schema=None)).value == answer.value, "the same from the cache"


def test_a_stand_in_for_a_key_is_no_secret(serve, connect, ask, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "none")
    assert connect(serve([fake.say("none of it")])).complete(ask(schema=None)).value == "none of it"


def test_the_context_of_a_failure_is_free_of_the_sdks_exceptions(serve, connect, ask):
    for step in STEPS[1:]:
        with pytest.raises(LlmFailure) as caught:
            connect(serve([step])).complete(ask())
        error, modules = caught.value, set()
        while error is not None:
            modules.add(type(error).__module__.partition(".")[0])
            error = error.__cause__ or error.__context__
        assert modules == {"pipeline"}


@pytest.mark.parametrize("step", STEPS[1:7])
def test_the_transport_lets_none_of_them_out_either(step, serve, connect, ask):
    with pytest.raises(ApiFault) as caught:
        connect(serve([step])).api.create(ask())
    assert caught.value.__context__ is None
    assert caught.value.__cause__ is None


def test_a_run_that_the_cache_answers_never_loads_the_sdk(serve, connect, ask, tmp_path, root):
    connect(serve([fake.say("one")])).complete(ask(schema=None))
    script = f"""
import sys
from pathlib import Path
from pipeline.base import params
from pipeline.llm.client import open_client
from pipeline.llm.request import CompletionRequest
client = open_client(params.Llm("sync", 4, 5.0, 2, 0.01, 10.0), Path({str(tmp_path / "llm")!r}))
request = CompletionRequest("claude-sonnet-5-5", "You number sections.", "Which sections?", None, 256, "p")
assert client.complete(request).cached
print([name for name in ("anthropic", "httpx2", "pandas") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[]", done.stderr
