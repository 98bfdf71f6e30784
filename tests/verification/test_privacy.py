"""The privacy pre-check, with a fake Ollama on loopback."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import worlds
import yaml

from pipeline.verification.engine import evaluate
from pipeline.verification.goal import load_goal
from pipeline.verification.privacy import by_rules, loopback, ollama_check_status
from pipeline.verification.support import Support, SupportCheck
from pipeline.verification.verdict import Status

CLOUD = {"role": "checker", "model": "claude-haiku-5-5"}
PRIVILEGED = worlds.LEGAL_MEMO.replace("# Gutachten", "# Gutachten\n\nAttorney–Client Privileged.")


@pytest.fixture
def ollama():
    """A fake: ``models``, the ``reply`` of the classifier, and what it was ``asked``."""

    class Handler(BaseHTTPRequestHandler):
        def _send(self, value, status=200):
            body = value if isinstance(value, bytes) else json.dumps(value).encode()
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self):
            server.asked.append(self.path)
            self._send({"models": [{"name": name} for name in server.models]})

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            server.asked.append((self.path, body["model"]))
            self._send(server.reply)

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.models, server.asked = ["small"], []
    server.reply = says(False)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    server.url = f"http://127.0.0.1:{server.server_address[1]}"
    yield server
    server.shutdown()
    server.server_close()


def says(privileged):
    return {"message": {"content": json.dumps({"privileged": privileged, "reason": "settlement position"})}}


class Calls:
    """The cloud model: counts the calls that reached it."""

    def __init__(self):
        self.count = 0

    def __call__(self, _claim, _text):
        self.count += 1
        return SupportCheck(Support.SUPPORTED, "fine")


def judge(tmp_path, text, mode="cloud-unless-privileged", evaluator=CLOUD, **privacy):
    worlds.legal_world(tmp_path, text, evaluator=evaluator, privacy={"mode": mode, **privacy})
    calls = Calls()
    return evaluate(load_goal(tmp_path / "goal.yaml"), tmp_path, opinion=calls), calls


def test_a_violation_halts_before_any_call(tmp_path):
    evaluation, calls = judge(tmp_path, PRIVILEGED, classifier="rules")
    assert calls.count == 0
    assert evaluation.halted
    (finding,) = evaluation.verdict.findings
    assert (finding.check, finding.status, evaluation.verdict.passed) == ("privacy-precheck", Status.FAIL, False)
    assert "halted" in evaluation.verdict.summary


def test_local_only_allows_no_cloud_call_at_all(tmp_path):
    evaluation, calls = judge(tmp_path, worlds.LEGAL_MEMO, mode="local-only")
    assert (evaluation.halted, calls.count) == (True, 0)


def test_what_is_not_privileged_or_allowed_may_go(tmp_path):
    evaluation, calls = judge(tmp_path / "a", worlds.LEGAL_MEMO, classifier="rules")
    assert evaluation.verdict.passed
    assert calls.count == 4
    evaluation, calls = judge(tmp_path / "b", PRIVILEGED, mode="cloud-allowed")
    assert not evaluation.halted
    assert calls.count == 4


def test_nothing_is_asked_where_nothing_leaves(tmp_path, ollama):
    evaluation, _ = judge(tmp_path, PRIVILEGED, evaluator={"role": "checker"}, ollama_url=ollama.url)
    assert not evaluation.halted
    assert ollama.asked == []


def test_a_source_in_the_cloud_counts(tmp_path):
    source = {"kind": "mcp", "command": ["/nonexistent"], "lookup": {"tool": "t"}, "cloud": True}
    worlds.legal_world(tmp_path, PRIVILEGED, sources=[source], privacy={"classifier": "rules"})
    assert evaluate(load_goal(tmp_path / "goal.yaml"), tmp_path).halted


def test_ollama_decides_where_it_runs(tmp_path, ollama):
    evaluation, calls = judge(tmp_path / "a", worlds.LEGAL_MEMO, ollama_url=ollama.url)
    assert evaluation.verdict.passed
    assert ollama.asked == ["/api/tags", ("/api/chat", "small")], "its status is asked first"
    ollama.reply = says(True)
    evaluation, calls = judge(tmp_path / "b", worlds.LEGAL_MEMO, ollama_url=ollama.url)
    assert (evaluation.halted, calls.count) == (True, 0)
    assert "settlement position" in evaluation.verdict.findings[-1].evidence


def test_the_rules_decide_before_a_model_is_asked(tmp_path, ollama):
    evaluation, _ = judge(tmp_path, PRIVILEGED, ollama_url=ollama.url)
    assert evaluation.halted
    assert ollama.asked == []


@pytest.mark.parametrize(
    "reply", [b"{", {}, {"message": {"content": "yes"}}, {"message": {"content": '{"privileged": "no"}'}}, []]
)
def test_a_useless_answer_falls_back_to_the_rules_or_halts(tmp_path, ollama, reply):
    ollama.reply = reply
    evaluation, _ = judge(tmp_path / "a", worlds.LEGAL_MEMO, ollama_url=ollama.url)
    assert not evaluation.halted
    assert any(f.check == "privacy-precheck" and f.status is Status.WARN for f in evaluation.verdict.findings)
    evaluation, calls = judge(tmp_path / "b", worlds.LEGAL_MEMO, ollama_url=ollama.url, classifier="ollama")
    assert (evaluation.halted, calls.count) == (True, 0), "the classifier that was asked for could not decide"


def test_status(ollama):
    status = ollama_check_status(ollama.url)
    assert (status.running, status.models) == (True, ("small",))
    port = ollama.server_address[1]
    ollama.shutdown()
    ollama.server_close()
    assert not ollama_check_status(f"http://127.0.0.1:{port}").running


@pytest.mark.parametrize(
    "url",
    [
        "http://192.0.2.1:11434",
        "https://127.0.0.1:1",
        "ftp://127.0.0.1",
        "http://0.0.0.0:1",
        "file:///etc/passwd",
        "",
        "x",
    ],
)
def test_only_loopback_is_asked(url):
    assert not loopback(url)
    assert not ollama_check_status(url).running


@pytest.mark.parametrize(
    "text",
    [
        "ATTORNEY-CLIENT PRIVILEGED",
        "attorney – client privilege",
        "Attorney Work Product",
        "Privileged & Confidential",
        "Without Prejudice",
        "STRICTLY CONFIDENTIAL",
        "Confidential\n\nDear Sir",
        "**Vertraulich**\n",
        "Anwaltsgeheimnis",
        "prepared in anticipation of litigation",
        "Our client admits that",
        "Secret professionnel",
        "Attorney\u200b-Client Privileged",
        "_Privileged_ and _Confidential_",
    ],
)
def test_privileged_by_rules(text):
    assert by_rules(f"Memo\n\n{text}\n").privileged


@pytest.mark.parametrize(
    "text",
    ["breach of confidentiality", "confidential information of either party", "a privileged access", "the client pays"],
)
def test_not_privileged_by_rules(text):
    assert not by_rules(f"The clause excludes {text} from the cap.").privileged


def test_a_model_can_only_take_support_away(tmp_path):
    worlds.legal_world(tmp_path, evaluator=CLOUD, privacy={"classifier": "rules"})
    goal = load_goal(tmp_path / "goal.yaml")
    refuted = evaluate(goal, tmp_path, opinion=lambda c, t: SupportCheck(Support.MISMATCH, "the model: no"))  # noqa: ARG005
    assert refuted.outcomes["MISMATCH"] == 4
    silent = evaluate(goal, tmp_path, opinion=lambda c, t: None)  # noqa: ARG005
    assert (silent.outcomes["NOT_EXECUTED"], silent.verdict.passed) == (4, False)
    false = worlds.LEGAL_MEMO.replace("dauert zehn Jahre", "dauert zwei Jahre")
    assert not evaluate(goal, tmp_path, opinion=Calls(), text=false).verdict.passed
    assert yaml.safe_load((tmp_path / "goal.yaml").read_text())["evaluator"] == CLOUD
