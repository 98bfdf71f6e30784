"""The scripted model that other tests rely on."""

from __future__ import annotations

import pytest

from pipeline.base.types import FailureCause as Cause
from pipeline.llm.fake import ScriptedLlm
from pipeline.llm.request import LlmFailure


def test_it_says_what_the_script_says(ask):
    llm = ScriptedLlm([{"a": 1}, '{"b": 2}', Cause.INFRA_TIMEOUT, LlmFailure(Cause.INFRA_AUTH, "x"), "prose"])
    results = llm.complete_many([ask(str(n)) for n in range(5)])
    assert [result.value for result in results[:2]] == [{"a": 1}, {"b": 2}]
    assert [result.cause for result in results[2:]] == [Cause.INFRA_TIMEOUT, Cause.INFRA_AUTH, Cause.INFRA_MALFORMED]
    assert [request.user for request in llm.requests] == ["0", "1", "2", "3", "4"]
    with pytest.raises(IndexError):
        llm.complete(ask("one too many"))


def test_a_script_may_look_at_the_request(ask):
    llm = ScriptedLlm(lambda request: {"n": len(request.user)})
    assert llm.complete(ask("four")).value == {"n": 4}
    assert llm.complete(ask("four")).usage.calls == 1
