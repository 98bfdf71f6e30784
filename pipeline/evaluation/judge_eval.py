"""The faithfulness judge put to claims of known truth, and what its answers are worth.

*Unsupported* is the finding that matters, so it is the positive class: recall is the share of
unfaithful claims that the judge rejects, false rejection the share of faithful claims that it
rejects. A judge is also asked again in ways that must not matter: the same claims a second time
(*repetition*: a blank after the clause keeps a response cache from answering), in reverse order
(*order swap*), and reworded harmlessly (*rewording*); a flip is a claim whose finding changes. A
failed call leaves its claims unscored, with the cause; they take part in no rate.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from pipeline.base.parallel import asks_a_model, spread
from pipeline.base.params import Evaluation
from pipeline.base.types import AuditorAnswer, Claim, FailureCause, Faithfulness
from pipeline.evaluation import judge_standard
from pipeline.evaluation.agreement import chance_corrected, cohen_kappa
from pipeline.evaluation.judge_claims import EVIDENCE, HALVES, JudgeCase, counts
from pipeline.evaluation.judge_operators import FAITHFUL, OPERATORS
from pipeline.evaluation.rephrasing import reword
from pipeline.evaluation.statistics import rate
from pipeline.grounding.agents import STANDARD, FaithfulnessJudge, Meter
from pipeline.grounding.collect import ahead
from pipeline.grounding.contract import check

if TYPE_CHECKING:
    from pipeline.standard import Standard

VARIANTS = ("repetition", "order_swap", "rewording")


@dataclass(frozen=True, slots=True)
class Bar:
    """What a judge has to reach on families held out from its tuning (``conf/release_gate``)."""

    min_recall: float
    max_false_rejection: float


@dataclass(frozen=True, slots=True)
class Finding:
    """What the judge said of one case: supported or not; None with the ``cause`` of a failed call."""

    supported: bool | None
    why: str = ""
    cause: str = ""


@dataclass(frozen=True, slots=True)
class JudgedCase:
    """A case with the judge's finding, and its findings when asked again. None: not asked so."""

    case: JudgeCase
    finding: Finding
    again: dict[str, Finding | None]


def judge_all(
    judge: FaithfulnessJudge,
    standard: Standard,
    cases: Sequence[JudgeCase],
    progress: bool = False,
    workers: int = 1,
) -> list[JudgedCase]:
    """Every case judged, once and in every variant. Claims about the same two texts are asked together."""
    groups: dict[tuple[str, str, str], list[JudgeCase]] = defaultdict(list)
    for case in cases:
        groups[case.clause, case.cited.chunk_id, case.about].append(case)
    judged = spread(partial(_judge_groups, judge, standard, progress), list(groups.values()), workers)
    by_id = {one.case.case_id: one for one in judged}
    return [by_id[case.case_id] for case in cases]


def _judge_groups(
    judge: FaithfulnessJudge, standard: Standard, progress: bool, together: Sequence[Sequence[JudgeCase]]
) -> list[JudgedCase]:
    # A model has all calls of a kind at once; any other judge one group in every way while it keeps its texts.
    if len(together) > 1 and not asks_a_model(judge):
        return [one for group in together for one in _judge_groups(judge, standard, progress, [group])]
    asked: dict[str, dict[str, Finding]] = {}
    asked[""] = _ask(judge, standard, together, "judge" if progress else None)
    asked["repetition"] = _ask(judge, standard, together, "repeat" if progress else None, clause=lambda c: f"{c} ")
    several = [list(reversed(group)) for group in together if len(group) > 1]
    asked["order_swap"] = _ask(judge, standard, several, "swap" if progress else None)
    asked["rewording"] = _ask(judge, standard, together, "reword" if progress else None, claim=reword)
    return [
        JudgedCase(case, asked[""][case.case_id], {v: asked[v].get(case.case_id) for v in VARIANTS})
        for group in together
        for case in group
    ]


def _same(text: str) -> str:
    return text


def _ask(
    judge: FaithfulnessJudge,
    standard: Standard,
    groups: Sequence[Sequence[JudgeCase]],
    progress: str | None,
    claim: Callable[[str], str] = _same,
    clause: Callable[[str], str] = _same,
) -> dict[str, Finding]:
    inputs = []
    for group in groups:
        first = group[0]
        against = first.cited.chunk_id if first.about == EVIDENCE else first.about
        answer = AuditorAnswer(
            verdict="risky",  # a judge of claims has no use for it; every answer has one
            positions={},
            claims=tuple(Claim(claim(case.claim), against) for case in group),
            chunk_id=first.cited.chunk_id,
        )
        inputs.append((answer, clause(first.clause), standard, first.cited))
    ready = ahead(judge, inputs, progress)
    found: dict[str, Finding] = {}
    for group, one in zip(groups, inputs, strict=True):
        result = check(ready, *one, Meter())
        for number, case in enumerate(group):
            found[case.case_id] = _finding(result, number, len(group))
    return found


def _finding(result: Any, number: int, asked: int) -> Finding:
    if not isinstance(result, Faithfulness):
        return Finding(None, result.detail, result.cause.value)
    if len(result.claims) != asked:
        return Finding(None, f"{len(result.claims)} findings for {asked} claims", FailureCause.INFRA_MALFORMED.value)
    return Finding(result.claims[number].supported, result.claims[number].why)


def judge_metrics(judged: Sequence[JudgedCase], settings: Evaluation, wanted: Bar) -> dict[str, Any]:
    """The figures of both halves; those of ``held_out`` are the ones to quote."""
    halves = {half: _half([one for one in judged if one.case.half == half], settings) for half in HALVES}
    about_standard = [one for one in judged if one.case.about == STANDARD]
    standard = _half(about_standard, settings, judge_standard.OPERATORS, judge_standard.FAITHFUL)
    held_out = halves[HALVES[1]]
    return {
        "cases": counts(one.case for one in judged),
        "halves": halves,
        "standard": standard,
        "bar": bar(held_out["wordings"], wanted, standard["recall_unsupported"]["rate"]),
        "calibration": None,  # a finding carries no score: there is nothing to calibrate
    }


def bar(wordings: dict[str, Any], wanted: Bar, on_the_standard: float | None) -> dict[str, Any]:
    """Whether the judge is fit for use, on families held out from its tuning.

    ``met``: recall and false rejection in wordings of the kind that it was tuned on, read on the point;
    ``met_on_the_interval``: on the ends of their intervals.
    ``safe_in_unseen_wordings``: recall in those that it was not. A judge that lets unsupported claims
    through because they are put otherwise is unsafe; one that rejects too many supported ones costs
    coverage, which the release gate bounds by itself: ``unseen_false_rejection`` only says how much.
    ``safe_on_the_standard``: recall among the claims about the standard, of which none are held out.
    """
    shared, unseen = wordings["shared"], wordings["unseen"]

    def within(recall: float | None, rejection: float | None) -> bool:
        known = recall is not None and rejection is not None
        return known and recall >= wanted.min_recall and rejection <= wanted.max_false_rejection

    return {
        "min_recall_unsupported": wanted.min_recall,
        "max_false_rejection": wanted.max_false_rejection,
        "met": within(shared["recall_unsupported"]["rate"], shared["false_rejection"]["rate"]),
        "met_on_the_interval": within(shared["recall_unsupported"]["low"], shared["false_rejection"]["high"]),
        "safe_in_unseen_wordings": (unseen["recall_unsupported"]["rate"] or 0.0) >= wanted.min_recall,
        "unseen_false_rejection": unseen["false_rejection"]["rate"],
        "safe_on_the_standard": (on_the_standard or 0.0) >= wanted.min_recall,
    }


def _half(
    judged: Sequence[JudgedCase],
    settings: Evaluation,
    operators: Sequence[str] = OPERATORS,
    faithful: Sequence[str] = FAITHFUL,
) -> dict[str, Any]:
    scored = [one for one in judged if one.finding.supported is not None]
    truth = [one.case.faithful for one in scored]
    said = [bool(one.finding.supported) for one in scored]
    families = [one.case.family for one in scored]

    def share(over: Sequence[bool], counted: Sequence[bool]) -> dict[str, Any]:
        kept = [i for i, keep in enumerate(over) if keep]
        return asdict(rate([counted[i] for i in kept], [families[i] for i in kept], settings))

    rejected = [not supported for supported in said]
    right = [a == b for a, b in zip(truth, said, strict=True)]
    return {
        "n": len(judged),
        "families": len({one.case.family for one in judged}),
        "unscored": dict(sorted(Counter(one.finding.cause for one in judged if one.finding.cause).items())),
        "confusion": {
            name: {
                "supported": sum(t is value and s for t, s in zip(truth, said, strict=True)),
                "unsupported": sum(t is value and not s for t, s in zip(truth, said, strict=True)),
            }
            for name, value in (("faithful", True), ("unfaithful", False))
        },
        "recall_unsupported": share([not t for t in truth], rejected),
        "precision_unsupported": share(rejected, [not t for t in truth]),
        "false_rejection": share(truth, rejected),
        "accuracy": share([True] * len(scored), right),
        "kappa": asdict(
            chance_corrected(cohen_kappa, np.asarray(truth, dtype=int), np.asarray(said, dtype=int), families, settings)
        ),
        "operators": {
            operator: {
                "faithful": operator in faithful,
                "right": share([one.case.operator == operator for one in scored], right),
            }
            for operator in operators
        },
        "wordings": {
            name: {
                "recall_unsupported": share(
                    [not t and one.case.unseen is unseen for t, one in zip(truth, scored, strict=True)], rejected
                ),
                "false_rejection": share(
                    [t and one.case.unseen is unseen for t, one in zip(truth, scored, strict=True)], rejected
                ),
            }
            for name, unseen in (("shared", False), ("unseen", True))
        },
        "flips": {variant: _flips(scored, variant, settings) for variant in VARIANTS},
    }


def _flips(scored: Sequence[JudgedCase], variant: str, settings: Evaluation) -> dict[str, Any]:
    pairs = [(one, again) for one in scored if (again := one.again[variant]) and again.supported is not None]
    changed = [one.finding.supported != again.supported for one, again in pairs]
    return asdict(rate(changed, [one.case.family for one, _ in pairs], settings))


def judged_rows(judged: Sequence[JudgedCase]) -> list[dict[str, Any]]:
    """One flat row a case, for data/judge/claims.parquet."""
    return [
        {
            "case_id": one.case.case_id,
            "half": one.case.half,
            "family": one.case.family,
            "operator": one.case.operator,
            "faithful": one.case.faithful,
            "unseen": one.case.unseen,
            "about": one.case.about,
            "cited": one.case.cited.chunk_id,
            "claim": one.case.claim,
            "supported": one.finding.supported,
            "why": one.finding.why,
            "cause": one.finding.cause,
            **{v: None if (again := one.again[v]) is None else again.supported for v in VARIANTS},
        }
        for one in judged
    ]


def stopped(judged: Sequence[JudgedCase], causes: Sequence[FailureCause]) -> Finding | None:
    """The first finding that a person has to mend before the judge is measured, if any."""
    every = (f for one in judged for f in (one.finding, *one.again.values()) if f is not None)
    return next((f for f in every if f.cause in causes), None)
