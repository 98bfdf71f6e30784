"""cuad-audit evaluate: the verdict engine on one artifact."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pipeline.base.errors import UsageError

HELP = "judge a finished artifact against its goal record: a verdict with findings"
PASSED, REFUSED, NOT_PASSED = 0, 5, 6
EXITS = {
    PASSED: "pass",
    2: "a wrong call or goal record",
    REFUSED: "REFUSED (worker and evaluator are the same)",
    NOT_PASSED: "no pass",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("goal", type=absolute, metavar="GOAL", help="the goal record (YAML)")
    parser.add_argument("--json", action="store_true", help="the verdict as JSON instead of YAML")
    parser.add_argument("--root", type=absolute, metavar="DIR", help="the folder that the record's paths start from")


def absolute(given: str) -> Path:
    """The command changes to the repository later."""
    return Path(given).expanduser().absolute()


def root_of(options: argparse.Namespace) -> Path:
    """The folder that the record's paths start from: ``--root``, or the repository."""
    if options.root is not None and not options.root.is_dir():
        raise UsageError(f"--root {options.root}: no such folder", "give the folder that the record's paths start from")
    return options.root or Path.cwd()


def run(options: argparse.Namespace) -> int:
    from pipeline.verification.engine import evaluate
    from pipeline.verification.goal import load_goal
    from pipeline.verification.identity import Refused

    try:
        goal = load_goal(options.goal)
        evaluation = evaluate(goal, root_of(options), opinion=second_opinion(goal))
    except Refused as refused:
        print(refused, file=sys.stderr)
        return REFUSED
    show(evaluation.verdict, options.json)
    return PASSED if evaluation.verdict.passed else NOT_PASSED


def show(verdict, as_json: bool) -> None:
    from pipeline.verification.verdict import to_json, to_yaml

    sys.stdout.write(to_json(verdict) if as_json else to_yaml(verdict))


def second_opinion(goal):
    """A model's opinion where the evaluator has one; no call is made and no client opened before it is asked."""
    if not goal.record.agents()[goal.record.evaluator.role].model:
        return None
    from pipeline.verification.opinion import opinion_of

    return opinion_of(goal.record, _open_client)


def _open_client():
    from pipeline.base import params
    from pipeline.llm.client import open_client

    return open_client(params.load(("llm",)).llm)
