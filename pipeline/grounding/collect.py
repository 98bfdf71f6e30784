"""Many audits recorded at once: every auditor's answer first, then every judge's finding.

Convention: nothing here knows a threshold. Model calls go out together (concurrently or as a batch);
failures are values and come back as such in their rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pipeline.base.errors import CuadAuditError
from pipeline.base.types import AuditorAnswer, Evidence, FailureCause
from pipeline.grounding.agents import Auditor, FaithfulnessJudge, Meter
from pipeline.grounding.contract import ask, check, needs_judge, retrieved
from pipeline.grounding.rows import to_row
from pipeline.llm.request import from_results

if TYPE_CHECKING:
    from pipeline.standard import Standard

#: Causes that a person has to mend before the rest can be asked; other failures are recorded and counted.
STOPS = (FailureCause.INFRA_BUDGET, FailureCause.INFRA_AUTH, FailureCause.INFRA_NOT_RECORDED)


@dataclass(frozen=True)
class Case:
    """A labelled clause with what was retrieved for it and its gate-1 score under every kind."""

    item: Mapping[str, Any]
    clause: str
    evidence: tuple[Evidence, ...]
    gate1: Mapping[str, float]


def collect(
    cases: Sequence[Case], standard: Standard, auditor: Auditor, judge: FaithfulnessJudge, progress: bool = False
) -> list[dict[str, Any]]:
    """One row for each case, in order. ``progress`` shows bars of model calls on stderr."""
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
    who = (auditor.identity, judge.identity)
    return [
        to_row(case.item, case.evidence, case.gate1, answer, finding, *who, meter, standard.clause_type)
        for case, answer, finding, meter in zip(cases, answers, findings, meters, strict=True)
    ]


def ahead(agent: Any, inputs: Sequence[tuple[Any, ...]], progress: str | None) -> Any:
    """An agent that has its answers to ``inputs`` in hand. One that asks no model stays as it is."""
    if not hasattr(agent, "request"):
        return agent
    requests = [agent.request(*one) for one in inputs]
    return agent.using(from_results(requests, agent.llm.complete_many(requests, progress)))


def unfinished(rows: Sequence[Mapping[str, Any]]) -> CuadAuditError | None:
    """What a person has to mend before these rows are complete, if anything."""
    failures = [row[name] for row in rows for name in ("answer_failure", "faithfulness_failure") if row[name]]
    stops = [failure for failure in failures if failure["cause"] in STOPS]
    if not stops:
        return None
    mend = {
        FailureCause.INFRA_BUDGET: "raise llm.max_cost_usd",
        FailureCause.INFRA_AUTH: "set ANTHROPIC_API_KEY",
        FailureCause.INFRA_NOT_RECORDED: "record the calls with `make record`",
    }[FailureCause(stops[0]["cause"])]
    return CuadAuditError(
        f"{len(stops)} of {len(rows)} audits are unfinished ({stops[0]['cause']}: {stops[0]['detail']})",
        f"{mend} and run the same command again: what is answered is kept and not paid twice",
    )
