"""What the review found, as tables: scorers, agreement, what waits for people, what flipped.

Convention: as :mod:`pipeline.report.tables`; no contract text. A reason of an auditor quotes contracts,
so an output is shown by its verdict and the bands of its findings.
"""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.report.tables import Table, Tree, count, interval

#: The order of rows: JSON keeps none.
SCORERS = ("schema", "span", "verdict_allowed", "band_allowed", "key_facts", "set_with_condition", "reason_quality")
ASPECTS = ("verdict", "risk_band", "critical", "P1", "P2", "P3", "P4", "P5", "P6")
UNSCORED = ("judge_parse_failure", "infra", "no_background", "expert_disagreement")
#: How many lines a list has here; the rest stands in data/review/.
FIRST = 12


def review_tables(review: Tree, flips: Sequence[Tree], queue: Sequence[Tree]) -> list[Table]:
    """``flips`` and ``queue`` are the lines of data/review/flips.jsonl and queue.jsonl, in their order."""
    return [
        scorers(review),
        critical(review),
        changed(review, flips),
        unscored(review),
        waiting(queue),
        agreement(review),
    ]


def scorers(review: Tree) -> Table:
    """Each scorer on candidate and baseline, over what it could score."""
    candidate, baseline = review["candidate"], review["baseline"]
    rows = [
        (name.replace("_", " "), *(cell for target in (candidate, baseline) for cell in _score(target["scores"][name])))
        for name in SCORERS
    ]
    measured = review["rubric_judge_measured"]
    note = (
        f"The last three rest on the rubric judge `{review['rubric_judge']['name']}`, right on {measured['right']} of "
        f"{measured['n']} reasons of known truth (points granted that were not made: "
        f"{measured['not_made_but_granted']}; denied that were made: {measured['made_but_denied']}; unscored: "
        f"{measured['unscored']})."
    )
    sides = [head for name in _names(review) for head in (f"{name}: right", "share [interval]")]
    return Table("Scorers", ("scorer", *sides), rows, note)


def _score(estimate: Tree) -> tuple[str, str]:
    """Count and share; of a mean how many items it is over."""
    return (count(estimate) if "count" in estimate else f"mean of {estimate['n']}"), interval(estimate)


def _names(review: Tree) -> tuple[str, str]:
    return review["candidate"]["name"], review["baseline"]["name"]


def critical(review: Tree) -> Table:
    """What critical items were called; the miss and the abstention apart."""
    called = ("high", "medium", "low", "abstained", "invalid", "infra")
    rows = [
        (target["name"], target["critical"]["n"], *(target["critical"][name] for name in called))
        for target in (review["candidate"], review["baseline"])
    ]
    note = "Medium and low are misses. An abstention recalls nothing and is no miss; of infra nothing is known."
    return Table("Critical clauses among the labelled", ("target", "clauses", *called), rows, note)


def changed(review: Tree, flips: Sequence[Tree]) -> Table:
    """Items that baseline and candidate answer differently, critical misses first."""
    found = review["comparison"]
    rows = [
        (
            flip["item_id"],
            flip["kind"].replace("_", " "),
            ", ".join(flip["allowed_verdicts"].split()),
            _said(flip, "first"),
            _said(flip, "second"),
        )
        for flip in flips[:FIRST]
    ]
    headers = ("item", "what changed", "allowed", f"{found['first']} said", f"{found['second']} said")
    return Table("What flipped", headers, rows, _of(len(rows), len(flips), "flips", "data/review/flips.jsonl"))


def _said(flip: Tree, side: str) -> str:
    """``risky (P1 low, P4 medium)``, or what came instead of an answer."""
    outcome = flip[f"{side}_outcome"]
    if outcome != "answered":
        return outcome
    findings = ", ".join(one.replace("=", " ") for one in flip[f"{side}_findings"].split())
    return f"{flip[f'{side}_verdict']} ({findings})"


def unscored(review: Tree) -> Table:
    """How many items could not be scored, by reason, zeros included."""
    names = _names(review)
    rows = [(reason.replace("_", " "), *(review["queue"][name][reason] for name in names)) for reason in UNSCORED]
    note = "Items with at least one score that could not be given. They enter no rate and wait for a person."
    return Table("Unscored", ("reason", *names), rows, note)


def waiting(queue: Sequence[Tree]) -> Table:
    """The head of the uncertainty queue."""
    rows = [
        (one["item_id"], one["target"], one["scorer"].replace("_", " "), one["reason"].replace("_", " "))
        for one in queue[:FIRST]
    ]
    note = _of(len(rows), len(queue), "scores that wait", "data/review/queue.jsonl")
    return Table("Uncertainty queue", ("item", "target", "scorer", "reason"), rows, note)


def agreement(review: Tree) -> Table:
    """How far the two annotators agree, on every aspect."""
    found = review["agreement"]
    aspects = {aspect: found["aspects"][aspect] for aspect in ASPECTS} if found else {}
    rows = [
        (aspect.replace("_", " "), count(one["percent"]), *(interval(one[m]) for m in ("percent", "kappa", "alpha")))
        for aspect, one in aspects.items()
    ]
    note = (
        f"{' and '.join(found['annotators'])} on {found['items']} items; {found['left_out']} have no two opinions. "
        "Kappa and alpha are undefined (-) where both always say the same."
        if found
        else "These labels hold no two independent opinions: there is no agreement to report."
    )
    headers = ("aspect", "alike", "share [interval]", "Cohen's kappa", "Krippendorff's alpha")
    return Table("Agreement of the annotators", headers, rows, note)


def _of(shown: int, there: int, what: str, path: str) -> str:
    return f"{shown} of {there} {what}; all of them, with their reasons, in `{path}`."
