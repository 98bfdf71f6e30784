"""Many audits recorded at once: every auditor's answer first, then every judge's finding.

Convention: nothing here knows a threshold. Model calls go out together (concurrently or as a batch);
failures are values and come back as such in their rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from pipeline.base.errors import CuadAuditError
from pipeline.base.parallel import asks_a_model
from pipeline.base.types import AuditorAnswer, Evidence, FailureCause, Faithfulness
from pipeline.grounding.agents import Auditor, FaithfulnessJudge, Meter
from pipeline.grounding.contract import ask, check, needs_judge, retrieved
from pipeline.grounding.rows import to_row
from pipeline.llm.request import LlmFailure, from_results

if TYPE_CHECKING:
    from pipeline.standard import Standard

#: Causes that a person has to mend before the rest can be asked; other failures are recorded and counted.
STOPS = (FailureCause.INFRA_BUDGET, FailureCause.INFRA_AUTH, FailureCause.INFRA_NOT_RECORDED)


#: Cause and detail of a call that failed.
Failure = tuple[FailureCause, str]


@dataclass(frozen=True)
class Case:
    """A labelled clause with what was retrieved for it and its gate-1 score under every kind."""

    item: Mapping[str, Any]
    clause: str
    evidence: tuple[Evidence, ...]
    gate1: Mapping[str, float]


class Asked(NamedTuple):
    """What auditor and judge said of a case, or why they could not; ``meter`` has what it used."""

    answer: AuditorAnswer | LlmFailure
    finding: Faithfulness | LlmFailure | None
    meter: Meter

    @property
    def failure(self) -> Failure | None:
        """The call that failed, if one did."""
        failed = next((one for one in (self.answer, self.finding) if isinstance(one, LlmFailure)), None)
        return (failed.cause, failed.detail) if failed else None


def collect(
    cases: Sequence[Case], standard: Standard, auditor: Auditor, judge: FaithfulnessJudge, progress: bool = False
) -> list[dict[str, Any]]:
    """One row for each case, in order. ``progress`` shows bars of model calls on stderr."""
    who = (auditor.identity, judge.identity)
    return [
        to_row(case.item, case.evidence, case.gate1, *said[:2], *who, said.meter, standard.clause_type)
        for case, said in zip(cases, ask_all(cases, standard, auditor, judge, progress), strict=True)
    ]


def ask_all(
    cases: Sequence[Case], standard: Standard, auditor: Auditor, judge: FaithfulnessJudge, progress: bool = False
) -> list[Asked]:
    """What is said of each case, in order. Where no model is asked a case is finished before the next one, so that
    what the agents keep of its texts is still there."""
    if len(cases) > 1 and not asks_a_model(auditor, judge):
        return [said for case in cases for said in ask_all([case], standard, auditor, judge)]
    meters = [Meter() for _ in cases]
    auditor = ahead(auditor, [(c.clause, standard, c.evidence) for c in cases], "auditor" if progress else None)
    answers = [
        ask(auditor, case.clause, standard, case.evidence, meter) for case, meter in zip(cases, meters, strict=True)
    ]
    asked = [
        (answer, case.clause, standard, retrieved(case.evidence, answer.chunk_id))
        if isinstance(answer, AuditorAnswer) and needs_judge(answer, case.clause, case.evidence, standard.clause_type)
        else None
        for case, answer in zip(cases, answers, strict=True)
    ]
    judge = ahead(judge, [one for one in asked if one is not None], "judge" if progress else None)
    findings = [None if one is None else check(judge, *one, meter) for one, meter in zip(asked, meters, strict=True)]
    return list(map(Asked, answers, findings, meters))


def ahead(agent: Any, inputs: Sequence[tuple[Any, ...]], progress: str | None) -> Any:
    """An agent that has its answers to ``inputs`` in hand. One that asks no model stays as it is."""
    if not asks_a_model(agent):
        return agent
    requests = [agent.request(*one) for one in inputs]
    return agent.using(from_results(requests, agent.llm.complete_many(requests, progress)))


def unfinished(rows: Sequence[Mapping[str, Any]]) -> CuadAuditError | None:
    """What a person has to mend before these rows are complete, if anything."""
    failures = [row[name] for row in rows for name in ("answer_failure", "faithfulness_failure") if row[name]]
    return to_mend([(FailureCause(failure["cause"]), failure["detail"]) for failure in failures], len(rows))


def to_mend(failures: Sequence[Failure], audits: int) -> CuadAuditError | None:
    """The same, from the failures of so many ``audits``."""
    stops = [failure for failure in failures if failure[0] in STOPS]
    if not stops:
        return None
    cause, detail = stops[0]
    mend = {
        FailureCause.INFRA_BUDGET: "raise llm.max_cost_usd",
        FailureCause.INFRA_AUTH: "set ANTHROPIC_API_KEY",
        FailureCause.INFRA_NOT_RECORDED: "record the calls with `make record`",
    }[cause]
    return CuadAuditError(
        f"{len(stops)} of {audits} audits are unfinished ({cause}: {detail})",
        f"{mend} and run the same command again: what is answered is kept and not paid twice",
    )
