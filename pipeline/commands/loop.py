"""cuad-audit loop: worker and engine in turn, until a rule stops them."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pipeline.commands import evaluate

HELP = "let a worker mend an artifact until it passes: it is told what failed, never its score"
EXITS = evaluate.EXITS


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("goal", type=evaluate.absolute, metavar="GOAL", help="the goal record (YAML)")
    parser.add_argument(
        "--worker",
        required=True,
        metavar="COMMAND",
        help="the command that writes the artifact (no shell; findings on stdin)",
    )
    parser.add_argument(
        "--state", type=evaluate.absolute, metavar="DIR", help="where iterations are kept (default: the cache)"
    )
    parser.add_argument("--new", action="store_true", help="begin anew instead of resuming")
    parser.add_argument("--json", action="store_true", help="the last verdict as JSON instead of YAML")
    parser.add_argument(
        "--root", type=evaluate.absolute, metavar="DIR", help="the folder that the record's paths start from"
    )


def run(options: argparse.Namespace) -> int:
    from pipeline.base.cache import cache_dir
    from pipeline.verification.goal import load_goal
    from pipeline.verification.identity import Refused
    from pipeline.verification.loop import loop

    try:
        goal = load_goal(options.goal)
        folder = options.state or Path(cache_dir()) / "loops" / goal.record.goal_id
        result = loop(
            goal,
            evaluate.root_of(options),
            options.worker,
            folder.absolute(),
            options.new,
            evaluate.second_opinion(goal),
        )
    except Refused as refused:
        print(refused, file=sys.stderr)
        return evaluate.REFUSED
    print(
        f"loop: stopped after {result.iterations} iterations ({result.stop}); kept in {result.folder}", file=sys.stderr
    )
    evaluate.show(result.evaluation.verdict, options.json)
    return evaluate.PASSED if result.evaluation.verdict.passed else evaluate.NOT_PASSED
