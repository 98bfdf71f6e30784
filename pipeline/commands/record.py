"""cuad-audit record: live calls of auditor and judge, kept as a cassette that `replay` plays back."""

from __future__ import annotations

import argparse
import sys

from pipeline.commands import _inputs

HELP = "record the model calls of collect_verdicts as a cassette (needs ANTHROPIC_API_KEY)"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--cassette",
        type=_inputs.user_path,
        metavar="FILE",
        help="where to (default: in the cache folder: answers quote contract text, which stays out of git)",
    )


def run(options: argparse.Namespace) -> int:
    from pathlib import Path

    from pipeline.base import params
    from pipeline.grounding.choose import choose_agents, live_agent
    from pipeline.grounding.collect import collect, unfinished
    from pipeline.llm.client import open_client
    from pipeline.llm.replay import Recorder, cassette_path
    from pipeline.stages import collect_verdicts
    from pipeline.standard import load_standard

    settings = params.load(collect_verdicts.READS)
    path = Path(options.cassette) if options.cassette else cassette_path("anthropic")
    with Recorder(open_client(settings.llm), path) as recorder:
        agents = choose_agents(live_agent("auditor"), live_agent("judge"), lambda: recorder, stable=True)
        rows = collect(collect_verdicts.cases(settings), load_standard(), *agents, progress=True)
    print(f"recorded {path}; play it back with", file=sys.stderr)
    print(f"  dvc exp run -S auditor=replay -S auditor.cassette={path} -S judge=replay -S judge.cassette={path}")
    if (error := unfinished(rows)) is not None:
        raise error
    return 0
