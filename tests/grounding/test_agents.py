"""Auditor and judge are two: same model and prompt, or the same deciding code, is one."""

from __future__ import annotations

import pytest

from pipeline.base import params
from pipeline.base.errors import CuadAuditError, UsageError
from pipeline.base.types import Identity, Usage
from pipeline.grounding.agents import Meter, refuse_same_agent, same_agent
from pipeline.grounding.choose import choose_agents, live_agent
from pipeline.grounding.code import code_identity
from pipeline.grounding.prompts import load_prompt


def model(name: str, model: str, prompt: str) -> Identity:
    return Identity(name, model=model, prompt_sha256=prompt)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (model("a", "m1", "p1"), model("b", "m1", "p1"), True),
        (model("a", "M1 ", "p1"), model("b", "m1", "p1"), True),
        (model("a", "m1", "p1"), model("b", "m1", "p2"), False),
        (model("a", "m1", "p1"), model("b", "m2", "p1"), False),
        (Identity("a", code="pkg.rules"), Identity("b", code="pkg.rules"), True),
        (Identity("a", code="pkg.rules#123"), Identity("b", code="pkg.rules#456"), True),
        (Identity("a", code="pkg.rules"), Identity("b", code="pkg.rules.inner"), True),
        (Identity("a", code="pkg.rules"), Identity("b", code="pkg.rules2"), False),
        (model("a", "m1", "p1"), Identity("b", code="pkg.rules"), False),
    ],
)
def test_same_agent(one, other, same):
    assert same_agent(one, other) is same
    assert same_agent(other, one) is same


def test_the_configuration_is_refused():
    with pytest.raises(CuadAuditError, match="the same agent"):
        refuse_same_agent(model("a", "m1", "p1"), model("alias", " m1", "p1"))


def test_the_embedded_pair_is_chosen_and_opens_no_model():
    def never():
        raise AssertionError("a model was opened")

    auditor, judge = choose_agents(params.Rules(), params.Lexical(), never)
    assert (auditor.identity.name, judge.identity.name) == ("rules", "lexical")
    assert auditor.identity.code.startswith("pipeline.standard#")
    assert judge.identity.code.startswith("pipeline.grounding.lexical#")


def test_one_model_under_one_prompt_is_refused_before_any_call():
    class Silent:
        def complete(self, request):  # noqa: ARG002
            raise AssertionError("a call was made")

    agent = params.AnthropicAgent("claude-haiku-5-5", "judge-v1", 100)
    with pytest.raises(CuadAuditError, match="the same agent"):
        choose_agents(agent, agent, Silent)


def test_the_configured_live_agents_differ(root):
    auditor, judge = (live_agent(role, root / "conf") for role in ("auditor", "judge"))
    assert (auditor.model, auditor.prompt) != (judge.model, judge.prompt)


def test_the_identity_of_code_follows_its_sources():
    whole = code_identity("pipeline.grounding.lexical")
    assert whole != code_identity("pipeline.grounding.lexical", "pipeline.grounding.quotes")
    assert whole.partition("#")[0] == "pipeline.grounding.lexical"
    assert len(whole.partition("#")[2]) == 12


def test_prompts_are_known_by_hash_and_unknown_ones_list_the_known():
    assert load_prompt("auditor-v1").sha256 != load_prompt("judge-v1").sha256
    with pytest.raises(UsageError, match="auditor-v1, judge-v1"):
        load_prompt("../secrets")


def test_a_meter_adds_up():
    meter = Meter()
    meter.add(Usage(1, 0, 10, 5, 0.5), 2.0)
    meter.add(Usage(0, 1), 1.0)
    assert (meter.usage, meter.seconds) == (Usage(1, 1, 10, 5, 0.5), 3.0)
    meter.add(Usage(1), None)
    meter.add(Usage(1), 1.0)
    assert meter.seconds is None
