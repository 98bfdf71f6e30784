"""Auditor and judge as the parameters name them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.base.cache import repository
from pipeline.grounding.agents import Auditor, FaithfulnessJudge, refuse_same_agent

if TYPE_CHECKING:
    from pipeline.base import params
    from pipeline.llm.request import Llm

#: Opens the live client when the first agent needs it, so that nothing is opened for embedded agents.
OpenLlm = Callable[[], "Llm"]


def choose_agents(
    auditor: params.Auditor, judge: params.Judge, open_llm: OpenLlm, stable: bool = False
) -> tuple[Auditor, FaithfulnessJudge]:
    """Auditor and judge, refused where they are the same agent. ``stable``: see ``models``."""
    from pipeline.grounding.lexical.judge import LexicalJudge
    from pipeline.grounding.rules import RulesAuditor

    chosen = (
        RulesAuditor() if auditor.name == "rules" else _model("auditor", auditor, open_llm, stable),
        LexicalJudge() if judge.name == "lexical" else _model("judge", judge, open_llm, stable),
    )
    refuse_same_agent(chosen[0].identity, chosen[1].identity)
    return chosen


def _model(role: str, agent: params.AnthropicAgent | params.ReplayAgent, open_llm: OpenLlm, stable: bool):
    from pipeline.grounding.models import ModelAuditor, ModelJudge
    from pipeline.grounding.prompts import load_prompt

    if agent.name == "replay":
        from pipeline.llm.replay import ReplayClient

        llm = ReplayClient(repository() / agent.cassette)
    else:
        llm = open_llm()
    kind = ModelAuditor if role == "auditor" else ModelJudge
    return kind(agent.name, llm, agent.model, load_prompt(agent.prompt), agent.max_tokens, stable)


def live_agent(role: str, conf: Path = Path("conf")) -> params.AnthropicAgent:
    """The live agent that ``conf/<role>/anthropic.yaml`` describes, whatever params.yaml names."""
    import msgspec
    import yaml

    from pipeline.base.params import AnthropicAgent

    described = yaml.safe_load((conf / role / "anthropic.yaml").read_text(encoding="utf-8"))
    return msgspec.convert(described, AnthropicAgent)
