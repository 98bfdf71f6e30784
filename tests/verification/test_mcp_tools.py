"""The check tools as a server offers them, also as the source of another evaluation."""

from __future__ import annotations

import sys
from pathlib import Path

import anyio
import pytest
import worlds
from mcp import Client, StdioServerParameters

from pipeline.verification.engine import evaluate
from pipeline.verification.goal import load_goal
from pipeline.verification.mcp_tools import CheckTools, pipeline_registry

NAMES = {
    "validate_citation",
    "review_citations",
    "extract_citations",
    "standardize_document_citations",
    "cite",
    "find_citations",
    "check_claim_support",
    "attest_response",
}
SERVER = str(Path(__file__).with_name("check_server.py"))


def test_the_tools_have_the_agreed_names_and_descriptions():
    listed = CheckTools().listed()
    assert {function.__name__ for function, _, _ in listed} == NAMES
    assert all(title and description.endswith((".", "is.")) for _, title, description in listed)


def test_through_the_real_client(tmp_path):
    worlds.swiss_folder(tmp_path / "law")

    async def talk():
        async with Client(
            StdioServerParameters(command=sys.executable, args=[SERVER, str(tmp_path / "law")])
        ) as client:
            tools = {tool.name for tool in (await client.list_tools()).tools}
            good = await client.call_tool("validate_citation", {"citation": "ATF 148 III 215 consid. 3.2"})
            bad = await client.call_tool("validate_citation", {"citation": ""})
            said = await client.call_tool(
                "attest_response", {"response": worlds.LEGAL_MEMO.split("---\n", 2)[2], "retrieved": worlds.SWISS_KEYS}
            )
            return tools, good, bad, said

    tools, good, bad, said = anyio.run(talk)
    assert tools == NAMES
    assert (good.is_error, bad.is_error, said.is_error) == (False, True, False)
    assert '"exists": true' in good.content[0].text
    assert '"attested": true' in said.content[0].text


@pytest.mark.parametrize(("folder", "passes", "undone"), [("law", True, 0), ("none", False, 4)])
def test_the_server_of_one_is_the_source_of_another(tmp_path, folder, passes, undone):
    worlds.swiss_folder(tmp_path / "law")
    lookup = {"tool": "cite", "argument": "source"}
    command = [sys.executable, SERVER, str(tmp_path / folder)]
    worlds.legal_world(tmp_path, sources=[{"kind": "mcp", "command": command, "lookup": lookup}])
    evaluation = evaluate(load_goal(tmp_path / "goal.yaml"), tmp_path)
    assert evaluation.verdict.passed is passes, evaluation.verdict.findings
    assert evaluation.outcomes["NOT_EXECUTED"] == undone


def test_the_registry_of_a_repository(tmp_path, monkeypatch):
    worlds.memo_world(tmp_path)
    monkeypatch.chdir(tmp_path)
    tools = CheckTools(pipeline_registry)
    assert tools.validate_citation("[chunk:c000000000001]")["exists"]
    assert tools.validate_citation("[clause:T01]")["exists"]
    assert tools.validate_citation("[standard:liability]")["exists"]
    assert (
        tools.check_claim_support("Neither party is liable for indirect damages.", "[chunk:c000000000001]")["status"]
        == "SUPPORTED"
    )
