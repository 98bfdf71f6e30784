"""The grounding contract: a verdict only where evidence carries it, abstention otherwise.

``decide`` is pure: from everything that is known of an audit it makes the result. ``audit`` is the
path that production takes: it stops as early as it can, so that weak evidence costs no model call
and an answer that cannot be used costs no judge. A property test holds the two together.

The order of the checks is the order of the causes: gate 1, infra of the auditor, invalid verdict,
the auditor's own abstention, citation, gate 2 (structure first, then the judge), infra of the judge.
What is downgraded carries neither citation nor the auditor's words: a reader sees the words of a
claim only in ``faithfulness``, marked as supported or not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from pipeline.base.types import (
    ANSWERS,
    AUDITOR_VERDICTS,
    AuditorAnswer,
    AuditResult,
    Chunk,
    Citation,
    Evidence,
    FailureCause,
    Faithfulness,
    Identity,
    PositionReading,
    Usage,
    Verdict,
)
from pipeline.grounding.agents import Auditor, FaithfulnessJudge, Meter, refuse_same_agent
from pipeline.grounding.limits import CLAUSE_TYPE
from pipeline.grounding.quotes import verbatim
from pipeline.grounding.structure import structural_faults
from pipeline.llm.request import LlmFailure

if TYPE_CHECKING:
    from pipeline.standard import Standard


def decide(
    clause: str,
    evidence: Sequence[Evidence],
    gate1_score: float,
    gate1_threshold: float,
    answer: AuditorAnswer | LlmFailure | None,
    faithfulness: Faithfulness | LlmFailure | None,
    auditor: Identity,
    judge: Identity,
    usage: Usage | None = None,
    clause_type: str = CLAUSE_TYPE,
) -> AuditResult:
    """The result of an audit, from everything that is known of it.

    ``answer`` may be None only where gate 1 stops the audit, ``faithfulness`` only where no judge
    is needed; otherwise ValueError, since that would turn a lost call into a verdict.
    """
    result = partial(
        _result,
        gate1_score=gate1_score,
        gate1_threshold=gate1_threshold,
        auditor=auditor,
        judge=judge,
        usage=usage or Usage(),
    )
    if not passes_gate1(evidence, gate1_score, gate1_threshold):
        return result(FailureCause.GATE1)
    if isinstance(answer, LlmFailure):
        return result(answer.cause)
    if answer is None:
        raise ValueError("gate 1 is passed, but neither an answer nor a failure of the auditor is known")
    if answer.verdict not in AUDITOR_VERDICTS:
        return result(FailureCause.INVALID_VERDICT)
    if answer.verdict not in ANSWERS:
        return _abstained(result, clause, answer, faithfulness)
    cited = retrieved(evidence, answer.chunk_id)
    if cited is None:
        return result(FailureCause.CITATION_NOT_RETRIEVED)
    faults = structural_faults(answer, clause, cited, clause_type)
    if faults:
        return result(FailureCause.GATE2_UNFAITHFUL, faithfulness=Faithfulness(faults))
    if isinstance(faithfulness, LlmFailure):
        return result(faithfulness.cause)
    if faithfulness is None:
        raise ValueError("the answer needs a judge, but neither a finding nor a failure of the judge is known")
    if not faithfulness.faithful:
        return result(FailureCause.GATE2_UNFAITHFUL, faithfulness=faithfulness)
    return result(
        FailureCause.NONE,
        verdict=Verdict(answer.verdict),
        reason=answer.reason,
        citation=Citation(cited.chunk_id, cited.title, cited.start, cited.end, cited.text),
        positions=answer.positions,
        faithfulness=faithfulness,
    )


def audit(
    clause: str,
    standard: Standard,
    evidence: Sequence[Evidence],
    gate1_score: float,
    gate1_threshold: float,
    auditor: Auditor,
    judge: FaithfulnessJudge,
    meter: Meter | None = None,
) -> AuditResult:
    """Audit one clause on its retrieved evidence, calling no agent whose word cannot matter."""
    refuse_same_agent(auditor.identity, judge.identity)
    meter = meter or Meter()

    def known(answer: AuditorAnswer | LlmFailure | None, faithfulness: Faithfulness | LlmFailure | None) -> AuditResult:
        return decide(
            clause, evidence, gate1_score, gate1_threshold, answer, faithfulness,
            auditor.identity, judge.identity, meter.usage, standard.clause_type,
        )  # fmt: skip

    if not passes_gate1(evidence, gate1_score, gate1_threshold):
        return known(None, None)
    answer = ask(auditor, clause, standard, evidence, meter)
    if isinstance(answer, LlmFailure) or not needs_judge(answer, clause, evidence, standard.clause_type):
        return known(answer, None)
    return known(answer, check(judge, answer, clause, standard, retrieved(evidence, answer.chunk_id), meter))


def ask(
    auditor: Auditor, clause: str, standard: Standard, evidence: Sequence[Evidence], meter: Meter
) -> AuditorAnswer | LlmFailure:
    """The auditor's answer, or the failure of its call as a value."""
    try:
        return auditor.answer(clause, standard, evidence, meter)
    except LlmFailure as failure:
        meter.add(failure.usage)
        return failure


def check(
    judge: FaithfulnessJudge,
    answer: AuditorAnswer,
    clause: str,
    standard: Standard,
    cited: Chunk | None,
    meter: Meter,
) -> Faithfulness | LlmFailure:
    """The judge's finding, or the failure of its call as a value."""
    try:
        return judge.check(answer, clause, standard, cited, meter)
    except LlmFailure as failure:
        meter.add(failure.usage)
        return failure


def passes_gate1(evidence: Sequence[Evidence], score: float, threshold: float) -> bool:
    """Whether there is evidence, and its score reaches the threshold; a score of NaN does not."""
    return bool(evidence) and score >= threshold


def retrieved(evidence: Sequence[Evidence], chunk_id: str | None) -> Chunk | None:
    """The cited chunk, looked up by id among the retrieved ones; None if it is not among them."""
    return next((item.chunk for item in evidence if item.chunk.chunk_id == chunk_id), None)


def needs_judge(
    answer: AuditorAnswer, clause: str, evidence: Sequence[Evidence], clause_type: str = CLAUSE_TYPE
) -> bool:
    """Whether gate 2 has something to say: an answer that could be given, or an abstention that
    gives reasons (its verdict stands, but an unsupported reason is not passed on)."""
    if answer.verdict not in AUDITOR_VERDICTS:
        return False
    if answer.verdict not in ANSWERS:
        return bool(answer.claims)
    cited = retrieved(evidence, answer.chunk_id)
    return cited is not None and not structural_faults(answer, clause, cited, clause_type)


#: What a reader is told where there is no verdict; never the words of the auditor or of the clause.
SAID = {
    FailureCause.GATE1: "No verdict: the library holds no evidence close enough to this clause.",
    FailureCause.AUDITOR_ABSTAINED: "No verdict: the auditor could not ground one.",
    FailureCause.INVALID_VERDICT: "No verdict: the auditor's answer is none of the verdicts that the standard knows.",
    FailureCause.CITATION_NOT_RETRIEVED: "No verdict: the auditor relied on evidence that was not retrieved.",
    FailureCause.GATE2_UNFAITHFUL: "No verdict: the auditor's reason is not supported by what it cites.",
    FailureCause.INFRA_TIMEOUT: "No verdict: the model did not answer in time.",
    FailureCause.INFRA_RATE_LIMIT: "No verdict: the model's rate limit is reached.",
    FailureCause.INFRA_OVERLOADED: "No verdict: the model is overloaded.",
    FailureCause.INFRA_SERVER_ERROR: "No verdict: the model's server failed.",
    FailureCause.INFRA_CONNECTION: "No verdict: the model cannot be reached.",
    FailureCause.INFRA_AUTH: "No verdict: the model refuses the key, or there is none.",
    FailureCause.INFRA_REQUEST: "No verdict: the model service refuses the request as it is put.",
    FailureCause.INFRA_MALFORMED: "No verdict: the model's output has not the form that was asked for.",
    FailureCause.INFRA_TRUNCATED: "No verdict: the model's output was cut off.",
    FailureCause.INFRA_REFUSAL: "No verdict: the model refused to answer.",
    FailureCause.INFRA_BUDGET: "No verdict: the budget for model calls is used up.",
    FailureCause.INFRA_NOT_RECORDED: "No verdict: this call is not in the recording that is played back.",
}


def _abstained(
    result: partial[AuditResult],
    clause: str,
    answer: AuditorAnswer,
    faithfulness: Faithfulness | LlmFailure | None,
) -> AuditResult:
    """The auditor abstains: the verdict stands whatever the judge says. Of the reason is passed on what
    the judge found supported, and of a model nothing: what the clause talked it into saying would
    reach the reader beside no verdict that could be checked. ``faithfulness`` holds it, claim by claim."""
    found = faithfulness if isinstance(faithfulness, Faithfulness) else None
    steerable = bool(result.keywords["auditor"].model)
    supported = [item.claim for item in found.claims if item.supported] if found and not steerable else []
    return result(
        FailureCause.AUDITOR_ABSTAINED,
        reason=" ".join([SAID[FailureCause.AUDITOR_ABSTAINED], *supported]),
        positions={
            name: reading
            for name, reading in answer.positions.items()
            if all(verbatim(words, clause) for words in reading.words)
        },
        faithfulness=found,
    )


def _result(
    cause: FailureCause,
    *,
    gate1_score: float,
    gate1_threshold: float,
    auditor: Identity,
    judge: Identity,
    usage: Usage,
    verdict: Verdict | None = None,
    reason: str | None = None,
    citation: Citation | None = None,
    positions: Mapping[str, PositionReading] | None = None,
    faithfulness: Faithfulness | None = None,
) -> AuditResult:
    no_verdict = Verdict.ESCALATE_INFRA if cause.is_infra else Verdict.INSUFFICIENT_GROUNDING
    return AuditResult(
        verdict=verdict or no_verdict,
        reason=SAID[cause] if reason is None else reason,
        citation=citation,
        positions=dict(positions or {}),
        gate1_score=gate1_score,
        gate1_threshold=gate1_threshold,
        faithfulness=faithfulness,
        failure_cause=cause,
        auditor=auditor,
        judge=judge,
        usage=usage,
    )
