"""The product on the real SDK against a fake of the API: each fault is one verdict and one cause."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fakes.anthropic_api import (
    FakeAnthropic,
    Step,
    clean_environment,
    hang,
    overloaded,
    rate_limited,
    raw,
    refusal,
    reset_mid_body,
    say,
    server_error,
    truncated_json,
)

from pipeline.base import params
from pipeline.base.types import FailureCause, Verdict
from pipeline.grounding.choose import choose_agents
from pipeline.grounding.collect import Case, collect, unfinished
from pipeline.grounding.contract import audit
from pipeline.llm.client import LlmClient, open_client

KEY = "sk-ant-api03-NEVER-TO-BE-SEEN-0123456789"
AUDITOR = params.AnthropicAgent("claude-sonnet-5-5", "auditor-v1", 2048)
JUDGE = params.AnthropicAgent("claude-haiku-5-5", "judge-v1", 2048)
LEVELS = {"P1": "meets", "P2": "silent", "P3": "silent", "P4": "silent", "P5": "meets", "P6": "silent"}
GOOD: dict[str, Any] = {
    "positions": [
        {"position": name, "level": level, "words": ["neither party"] if name == "P1" else []}
        for name, level in LEVELS.items()
    ],
    "verdict": "acceptable",
    "chunk_id": "c000000000000",
    "claims": [
        {"text": "P1 meets: it binds “neither party”.", "against": "clause"},
        {"text": "It says “Neither party shall be liable”.", "against": "c000000000000"},
    ],
}
UNSUPPORTED = {
    **GOOD,
    "claims": [*GOOD["claims"], {"text": "The ceiling is “two million dollars”.", "against": "c000000000000"}],
}
SUPPORTED = {"checks": [{"number": n, "supported": True, "why": "it says so"} for n in (1, 2)]}
NOT_SUPPORTED = {"checks": [{"number": n, "supported": n == 1, "why": "?"} for n in (1, 2)]}


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    clean_environment(monkeypatch, KEY)


@pytest.fixture
def connect(tmp_path: Path) -> Callable[..., LlmClient]:
    def make(server: FakeAnthropic, **changes: Any) -> LlmClient:
        values = {
            "transport": "sync",
            "concurrency": 4,
            "timeout_s": 0.5,
            "max_retries": 1,
            "retry_after_cap_s": 0.01,
            "max_cost_usd": 10.0,
            **changes,
        }
        client = open_client(params.Llm(**values), tmp_path / "llm", base_url=server.url)
        client.batches.poll_first_s = 0.001
        return client

    return make


def script(auditor: Step | list[Step], judge: Step | None = None) -> Callable[[dict[str, Any]], Step]:
    """What each of the two models says; a list is played in order, its last step repeated."""
    left = list(auditor) if isinstance(auditor, list) else [auditor]

    def answer(body: dict[str, Any]) -> Step:
        if body["model"] == JUDGE.model:
            return judge or say(SUPPORTED)
        return left.pop(0) if len(left) > 1 else left[0]

    return answer


FAULTS = {
    "answered": (say(GOOD), None, Verdict.ACCEPTABLE, FailureCause.NONE),
    "rate limit": (rate_limited("0.01"), None, Verdict.ESCALATE_INFRA, FailureCause.INFRA_RATE_LIMIT),
    "overloaded": (overloaded(), None, Verdict.ESCALATE_INFRA, FailureCause.INFRA_OVERLOADED),
    "server error": (server_error(), None, Verdict.ESCALATE_INFRA, FailureCause.INFRA_SERVER_ERROR),
    "time-out": (hang(3.0), None, Verdict.ESCALATE_INFRA, FailureCause.INFRA_TIMEOUT),
    "reset mid-body": (reset_mid_body(), None, Verdict.ESCALATE_INFRA, FailureCause.INFRA_CONNECTION),
    "truncated JSON": (truncated_json(), None, Verdict.ESCALATE_INFRA, FailureCause.INFRA_MALFORMED),
    "wrong shape": (raw({"hello": 1}), None, Verdict.ESCALATE_INFRA, FailureCause.INFRA_MALFORMED),
    "refusal": (refusal(), None, Verdict.ESCALATE_INFRA, FailureCause.INFRA_REFUSAL),
    "max tokens": (say("{", "max_tokens"), None, Verdict.ESCALATE_INFRA, FailureCause.INFRA_TRUNCATED),
    "empty content": (say(None), None, Verdict.ESCALATE_INFRA, FailureCause.INFRA_MALFORMED),
    "invalid verdict": (
        say({**GOOD, "verdict": "fine"}),
        None,
        Verdict.INSUFFICIENT_GROUNDING,
        FailureCause.INVALID_VERDICT,
    ),
    "invented chunk id": (
        say({**GOOD, "chunk_id": "c424242424242"}),
        None,
        Verdict.INSUFFICIENT_GROUNDING,
        FailureCause.CITATION_NOT_RETRIEVED,
    ),
    "cited chunk does not carry it": (
        say(UNSUPPORTED),
        None,
        Verdict.INSUFFICIENT_GROUNDING,
        FailureCause.GATE2_UNFAITHFUL,
    ),
    "judge finds it unsupported": (
        say(GOOD),
        say(NOT_SUPPORTED),
        Verdict.INSUFFICIENT_GROUNDING,
        FailureCause.GATE2_UNFAITHFUL,
    ),
    "judge overloaded": (say(GOOD), overloaded(), Verdict.ESCALATE_INFRA, FailureCause.INFRA_OVERLOADED),
    "judge refuses": (say(GOOD), refusal(), Verdict.ESCALATE_INFRA, FailureCause.INFRA_REFUSAL),
    "judge skips a claim": (say(GOOD), say({"checks": []}), Verdict.ESCALATE_INFRA, FailureCause.INFRA_MALFORMED),
    "auditor abstains": (
        say({**GOOD, "verdict": "insufficient-grounding", "chunk_id": None, "claims": []}),
        None,
        Verdict.INSUFFICIENT_GROUNDING,
        FailureCause.AUDITOR_ABSTAINED,
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_one_verdict_and_one_cause(fault, connect, clause, standard, evidence):
    auditor_says, judge_says, verdict, cause = FAULTS[fault]
    with FakeAnthropic(script(auditor_says, judge_says)) as server:
        client = connect(server)
        agents = choose_agents(AUDITOR, JUDGE, lambda: client)
        result = audit(clause, standard, evidence, 1.0, 0.5, *agents)
    assert (result.verdict, result.failure_cause) == (verdict, cause)
    assert (result.citation is None) == (verdict is not Verdict.ACCEPTABLE)


def test_no_key_is_its_own_cause_and_gate_one_needs_none(connect, clause, standard, evidence, monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    with FakeAnthropic(script(say(GOOD))) as server:
        client = connect(server)
        agents = choose_agents(AUDITOR, JUDGE, lambda: client)
        below = audit(clause, standard, evidence, 0.1, 0.5, *agents)
        above = audit(clause, standard, evidence, 0.9, 0.5, *agents)
        assert server.count() == 0
    assert below.failure_cause is FailureCause.GATE1
    assert above.failure_cause is FailureCause.INFRA_AUTH


def cases(clause, evidence, count: int = 5) -> list[Case]:
    item = {"title": "T", "start": 0, "end": 1, "sha256": "0", "family": "f", "categories": []}
    return [
        Case({**item, "item_id": f"X{n}"}, f"{clause} Number {n}.", tuple(evidence), {"probe": 1.0})
        for n in range(count)
    ]


@pytest.mark.parametrize("transport", ["sync", "batch"])
def test_nothing_is_lost_and_a_second_run_pays_only_for_what_is_missing(transport, connect, clause, standard, evidence):
    """The third clause fails at first; the second run asks for it alone."""
    broken = {"on": True}

    def answer(body: dict[str, Any]) -> Step:
        if body["model"] == JUDGE.model:
            return say(SUPPORTED)
        return refusal() if broken["on"] and "Number 2." in str(body["messages"]) else say(GOOD)

    with FakeAnthropic(answer) as server:
        client = connect(server, transport=transport, timeout_s=5.0)
        first = collect(cases(clause, evidence), standard, *choose_agents(AUDITOR, JUDGE, lambda: client, stable=True))
        assert [row["answer_failure"] and row["answer_failure"]["cause"] for row in first] == [
            None, None, "infra_refusal", None, None,
        ]  # fmt: skip
        paid = sum(server.paid.values())
        broken["on"] = False
        client = connect(server, transport=transport, timeout_s=5.0)
        second = collect(cases(clause, evidence), standard, *choose_agents(AUDITOR, JUDGE, lambda: client, stable=True))
        assert sum(server.paid.values()) == paid + 2  # that clause's auditor and judge
    assert [row["item_id"] for row in second] == [f"X{n}" for n in range(5)]
    assert all(row["answer"] and row["faithfulness"] for row in second)
    # What was answered at first is the same, its cost and time too.
    assert [row for n, row in enumerate(second) if n != 2] == [row for n, row in enumerate(first) if n != 2]


def test_at_the_budget_the_run_stops_and_can_go_on(connect, clause, standard, evidence):
    with FakeAnthropic(script(say(GOOD, input_tokens=5000))) as server:
        client = connect(server, max_cost_usd=0.06, concurrency=1)
        rows = collect(cases(clause, evidence), standard, *choose_agents(AUDITOR, JUDGE, lambda: client, stable=True))
        assert "raise llm.max_cost_usd" in str(unfinished(rows))
        causes = [row["answer_failure"] and row["answer_failure"]["cause"] for row in rows]
        assert causes[0] is None
        assert causes[-1] == "infra_budget"
        client = connect(server, max_cost_usd=10.0)
        rows = collect(cases(clause, evidence), standard, *choose_agents(AUDITOR, JUDGE, lambda: client, stable=True))
    assert unfinished(rows) is None
    assert all(row["faithfulness"] for row in rows)


def test_the_key_is_in_no_result_and_no_record(connect, clause, standard, evidence, capsys, tmp_path):
    with FakeAnthropic(script([overloaded(), say(GOOD)])) as server:
        client = connect(server)
        agents = choose_agents(AUDITOR, JUDGE, lambda: client)
        result = audit(clause, standard, evidence, 1.0, 0.5, *agents)
        rows = collect(cases(clause, evidence, 2), standard, *agents)
    written = "".join(path.read_text(errors="replace") for path in tmp_path.rglob("*") if path.is_file())
    captured = capsys.readouterr()
    for text in (repr(result), repr(rows), repr(agents), repr(client), written, captured.out, captured.err):
        assert KEY not in text
