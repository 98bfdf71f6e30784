"""Auditor and judge that ask a language model, through the seam in :mod:`pipeline.llm`.

The same classes serve live calls and a cassette: what differs is the ``Llm`` they are given. A
request is a pure function of its inputs, so that it names its answer in the cache.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING, Self

from pipeline.base.types import (
    AuditorAnswer,
    Chunk,
    Claim,
    ClaimCheck,
    Evidence,
    Faithfulness,
    Identity,
    Level,
    PositionReading,
)
from pipeline.grounding.agents import CLAUSE, STANDARD, Meter
from pipeline.grounding.prompts import Prompt
from pipeline.grounding.schemas import AuditorOutput, JudgeOutput, judge_output
from pipeline.grounding.texts import auditor_message, judge_message, unfenced
from pipeline.llm.request import Complete, Completion, CompletionRequest, Llm

if TYPE_CHECKING:
    from pipeline.standard import Standard


class _Model:
    """What both share: model, prompt, the way to an answer. ``stable`` meters what the call that made
    the answer used, whether or not it came from the cache; otherwise what was spent just now."""

    def __init__(self, name: str, llm: Llm, model: str, prompt: Prompt, max_tokens: int, stable: bool = False) -> None:
        self.identity = Identity(name, model=model, prompt_sha256=prompt.sha256)
        self.llm = llm
        self.complete: Complete = llm.complete
        self.prompt = prompt
        self.max_tokens = max_tokens
        self.stable = stable

    def using(self, complete: Complete) -> Self:
        """The same agent, asking in another way: answers already in hand, say."""
        other = copy(self)
        other.complete = complete
        return other

    def _ask(self, request: CompletionRequest, meter: Meter) -> Completion:
        completion = self.complete(request)
        meter.add(completion.first_usage if self.stable else completion.usage, completion.latency_s)
        return completion

    def _request(self, user: str, schema: type) -> CompletionRequest:
        return CompletionRequest(
            model=self.identity.model,
            system=self.prompt.text,
            user=user,
            schema=schema,
            max_tokens=self.max_tokens,
            prompt_sha256=self.prompt.sha256,
        )


class ModelAuditor(_Model):
    def request(self, clause: str, standard: Standard, evidence: Sequence[Evidence]) -> CompletionRequest:
        return self._request(auditor_message(clause, standard, evidence), AuditorOutput)

    def answer(self, clause: str, standard: Standard, evidence: Sequence[Evidence], meter: Meter) -> AuditorAnswer:
        output = self._ask(self.request(clause, standard, evidence), meter).value
        return answer_of(output, standard)


class ModelJudge(_Model):
    def request(self, answer: AuditorAnswer, clause: str, standard: Standard, cited: Chunk | None) -> CompletionRequest:
        texts = {CLAUSE: clause, STANDARD: standard.text()}
        if cited is not None:
            texts[cited.chunk_id] = cited.text
        return self._request(judge_message(answer.claims, texts), judge_output(len(answer.claims)))

    def check(
        self, answer: AuditorAnswer, clause: str, standard: Standard, cited: Chunk | None, meter: Meter
    ) -> Faithfulness:
        output = self._ask(self.request(answer, clause, standard, cited), meter).value
        return faithfulness_of(output, answer.claims)


def answer_of(output: AuditorOutput, standard: Standard) -> AuditorAnswer:
    """The model's answer as the contract takes it: a position that it left out is silent, one that the
    standard does not know is dropped, of one named twice the worse level counts."""
    worst = (Level.SILENT, Level.MEETS, Level.DEPARTS, Level.OFF, Level.FAILS)
    positions = {position.id: PositionReading(Level.SILENT) for position in standard.positions}
    for item in output.positions:
        if item.position in positions:
            reading = PositionReading(item.level, tuple(unfenced(words) for words in item.words if words.strip()))
            positions[item.position] = max(positions[item.position], reading, key=lambda one: worst.index(one.level))
    return AuditorAnswer(
        verdict=output.verdict,
        positions=positions,
        claims=tuple(Claim(unfenced(claim.text), claim.against) for claim in output.claims),
        chunk_id=output.chunk_id,
    )


def faithfulness_of(output: JudgeOutput, claims: Sequence[Claim]) -> Faithfulness:
    """The judge's finding, claim by claim; the schema has seen to it that there is one for each."""
    checks = {check.number: check for check in output.checks}
    return Faithfulness(
        tuple(
            ClaimCheck(claim.text, checks[number].supported, claim.against, checks[number].why)
            for number, claim in enumerate(claims, start=1)
        )
    )
