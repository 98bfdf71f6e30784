"""Scorers of a target's output under a multi-valued reference.

A score has a value in [0, 1], or it is *unscored* with a reason, or it does not apply (a span of an
abstention). Unscored is never pressed into 0 or 1, takes part in no mean, and goes to the
uncertainty queue. The scorers:

- ``schema``: the raw output is made of findings;
- ``span``: each finding's text stands verbatim in the contract at its offsets, inside the clause;
- ``verdict_allowed``, ``band_allowed``: the answer is in the allowed set (any of it);
- ``key_facts``: the reason makes every required point;
- ``set_with_condition``: the answer is in the allowed set, the reason makes the required points, and
  meets the condition of that answer;
- ``reason_quality``: the share of required points that the reason makes.

The last three rest on a :class:`RubricJudge`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from pipeline.base.types import Band, Verdict
from pipeline.evaluation.findings import VERDICT_OF, Case, Finding, Output, Target, overall, parse
from pipeline.evaluation.label_schema import Annotation
from pipeline.evaluation.labels import UNKNOWN, Reference
from pipeline.evaluation.rubric_judge import RubricFailure, RubricIdentity, RubricJudge, RubricRequest, RubricScore

SCORERS = (
    "schema", "span", "verdict_allowed", "band_allowed", "key_facts", "set_with_condition", "reason_quality"
)  # fmt: skip
#: Scorers whose values are 0 or 1; the other is a share.
BINARY = SCORERS[:-1]


class Unscored(StrEnum):
    """Why an answer could not be scored. A judge's error and experts' disagreement are kept apart."""

    JUDGE_PARSE_FAILURE = "judge_parse_failure"
    INFRA = "infra"
    NO_BACKGROUND = "no_background"
    EXPERT_DISAGREEMENT = "expert_disagreement"


@dataclass(frozen=True, slots=True)
class Score:
    """``value`` None and ``unscored`` None: the scorer does not apply."""

    value: float | None = None
    unscored: Unscored | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Scored:
    """One item as one target answered it. ``verdict`` is the answer in the verdicts of the standard;
    ``outcome``: answered, abstained, infra or invalid (no findings that can be read); ``rubric``: who
    judged the reason."""

    case: Case
    target: str
    outcome: str
    verdict: str
    band: str
    findings: Sequence[Finding]
    reason: str
    scores: Mapping[str, Score]
    cost_usd: float
    latency_s: float | None
    rubric: RubricIdentity

    @property
    def critical_called(self) -> str:
        if not self.case.sample.reference.critical:
            return ""
        return self.band or self.outcome


def score_all(
    target: Target,
    cases: Sequence[Case],
    rubric: RubricJudge,
    opinions: Mapping[str, Mapping[str, Annotation]],
) -> list[Scored]:
    """Every case reviewed by ``target`` and scored, in order. ``opinions``: annotator to item to opinion."""
    outputs = [target.review(case) for case in cases]
    answers = [_answer(output) for output in outputs]
    # A reason can be judged where there is an answer that could be read.
    asked = [i for i, (outcome, *_) in enumerate(answers) if outcome in ("answered", "abstained")]
    judged = dict(zip(asked, rubric.score([_request(cases[i], answers[i][2]) for i in asked]), strict=True))
    scored = []
    for number, (case, output) in enumerate(zip(cases, outputs, strict=True)):
        outcome, verdict, reason, findings = answers[number]
        finding = overall(findings)
        scores = _scores(case, output, outcome, verdict, finding, findings, judged.get(number), opinions)
        band = finding.risk_band.value if finding else ""
        cost, seconds = output.cost_usd, output.latency_s
        scored.append(
            Scored(
                case, target.name, outcome, verdict, band, findings, reason, scores, cost, seconds, rubric.identity
            )
        )  # fmt: skip
    return scored


def _answer(output: Output) -> tuple[str, str, str, Sequence[Finding]]:
    """(outcome, verdict, reason, findings)."""
    if output.failure is not None:
        return "infra", "", "", ()
    if output.abstained:
        return "abstained", Verdict.INSUFFICIENT_GROUNDING.value, output.reason, ()
    findings = parse(output)
    if isinstance(findings, str) or not findings:
        return "invalid", "", "", ()
    decisive = overall(findings)
    reason = output.reason or " ".join(dict.fromkeys(finding.reason for finding in findings))
    return "answered", VERDICT_OF[decisive.risk_band].value, reason, findings


def _request(case: Case, reason: str) -> RubricRequest:
    reference = case.sample.reference
    conditions = tuple(dict.fromkeys((*reference.verdicts.values(), *reference.bands.values())))
    return RubricRequest(case.clause, reason, reference.points, conditions)


def _scores(
    case: Case,
    output: Output,
    outcome: str,
    verdict: str,
    finding: Finding | None,
    findings: Sequence[Finding],
    judged: RubricScore | RubricFailure | None,
    opinions: Mapping[str, Mapping[str, Annotation]],
) -> dict[str, Score]:
    if outcome == "infra":
        return dict.fromkeys(SCORERS, Score(unscored=Unscored.INFRA, why=str(output.failure)))
    if outcome == "invalid":
        fault = parse(output)
        why = fault if isinstance(fault, str) else "neither a finding nor an abstention"
        # What cannot be read is no answer: it is wrong in form, and nothing else of it can be scored.
        return {name: Score(0.0, why=why) if name == "schema" else Score() for name in SCORERS}
    reference = case.sample.reference
    allowed = Verdict(verdict) in reference.verdicts
    scores = {
        "schema": Score(1.0),
        "span": _span(case, findings) if outcome == "answered" else Score(),
        "verdict_allowed": _in_set(allowed, case, verdict, opinions),
        "band_allowed": Score(float(Band(finding.risk_band) in reference.bands)) if finding else Score(),
    }
    if isinstance(judged, RubricFailure):
        reason = Unscored.JUDGE_PARSE_FAILURE if judged.unreadable else Unscored.INFRA
        rest = Score(unscored=reason, why=judged.detail)
        return scores | dict.fromkeys(("key_facts", "set_with_condition", "reason_quality"), rest)
    points = Score(float(all(judged.points)), why=judged.why)
    return scores | {
        "key_facts": points,
        "set_with_condition": _set_with_condition(scores["verdict_allowed"], case, verdict, judged),
        "reason_quality": Score(judged.quality, why=judged.why),
    }


def _span(case: Case, findings: Sequence[Finding]) -> Score:
    sample = case.sample
    for number, finding in enumerate(findings, start=1):
        for span in finding.spans:
            if case.contract[span.start : span.end] != span.text:
                why = f"finding {number}: the contract has other words at {span.start} to {span.end}"
                return Score(0.0, why=why)
            if span.start < sample.start or span.end > sample.end:
                return Score(0.0, why=f"finding {number}: the span reaches outside the clause")
    return Score(1.0)


def _in_set(allowed: bool, case: Case, verdict: str, opinions: Mapping[str, Mapping[str, Annotation]]) -> Score:
    """In the allowed set; an answer outside it that an annotator gave as the only right one, against the
    others, is the experts' disagreement and no error of the target."""
    if allowed:
        return Score(1.0)
    item_id = case.sample.item_id
    backing = [name for name, given in opinions.items() if item_id in given and given[item_id].verdict == verdict]
    if backing and len(backing) < sum(item_id in given for given in opinions.values()):
        return Score(unscored=Unscored.EXPERT_DISAGREEMENT, why=f"the verdict of {', '.join(sorted(backing))}")
    return Score(0.0, why="outside the allowed set")


def _set_with_condition(in_set: Score, case: Case, verdict: str, judged: RubricScore) -> Score:
    if in_set.value != 1.0:
        return in_set
    if not all(judged.points):
        return Score(0.0, why=judged.why)
    reference = case.sample.reference
    condition = reference.verdicts[Verdict(verdict)]
    if unconditional(reference, Verdict(verdict)):
        return Score(1.0)
    asked = tuple(dict.fromkeys((*reference.verdicts.values(), *reference.bands.values())))
    if judged.conditions[asked.index(condition)]:
        return Score(1.0, why=f"meets: {condition}")
    if case.sample.context == UNKNOWN and condition.lower().startswith("if "):
        return Score(unscored=Unscored.NO_BACKGROUND, why=f"whether it holds is not known: {condition}")
    return Score(0.0, why=f"does not meet: {condition}")


def unconditional(reference: Reference, verdict: Verdict) -> bool:
    """The preferred answer stands on the words of the clause; so does an only one."""
    return verdict is reference.preferred and (
        len(reference.verdicts) == 1 or reference.verdicts[verdict].lower().startswith("on the words")
    )


def score_rows(scored: Sequence[Scored]) -> list[dict[str, Any]]:
    """One flat row an item and target, for data/review/scores.parquet."""
    return [
        {
            "target": one.target,
            "item_id": one.case.sample.item_id,
            "family": one.case.sample.family,
            "critical": one.case.sample.reference.critical,
            "reference_version": one.case.sample.reference.version,
            "reference_verdict": one.case.sample.reference.preferred.value,
            "allowed_verdicts": " ".join(verdict.value for verdict in one.case.sample.reference.verdicts),
            "outcome": one.outcome,
            "verdict": one.verdict,
            "band": one.band,
            "critical_called": one.critical_called,
            "findings": " ".join(f"{finding.risk_type}={finding.risk_band}" for finding in one.findings),
            **{name: one.scores[name].value for name in SCORERS},
            **{f"{name}_unscored": (one.scores[name].unscored or "") for name in SCORERS},
            "cost_usd": one.cost_usd,
            "latency_s": one.latency_s,
            "reason": one.reason,
            **{f"rubric_judge_{name}": value for name, value in asdict(one.rubric).items()},
        }
        for one in scored
    ]


def finding_rows(scored: Sequence[Scored]) -> list[dict[str, Any]]:
    """Every finding with its places in the contract, for data/review/findings.jsonl."""
    return [
        {"target": one.target, "item_id": one.case.sample.item_id, **finding.model_dump(mode="json")}
        for one in scored
        for finding in one.findings
    ]


def uncertainty_queue(scored: Sequence[Scored]) -> list[dict[str, str]]:
    """What people have to look at: every score that could not be given, once for each scorer and reason."""
    return [
        {
            "item_id": one.case.sample.item_id,
            "target": one.target,
            "scorer": name,
            "reason": score.unscored.value,
            "detail": score.why,
        }
        for one in scored
        for name, score in one.scores.items()
        if score.unscored is not None
    ]
