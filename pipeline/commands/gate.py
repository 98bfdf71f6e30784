"""cuad-audit gate: the release gate's outcome, with an exit code for CI."""

from __future__ import annotations

import argparse

from pipeline.commands import _inputs

HELP = "the release gate of metrics/review.json, with an exit code for CI"
EXITS = {0: "the gate passes", 1: "it fails, or an error", 3: "inconclusive"}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", nargs="?", type=_inputs.user_path, metavar="FILE", help="another review.json than the repository's"
    )


def run(options: argparse.Namespace) -> int:
    from pipeline.evaluation.release_gate import main

    return main([options.file] if options.file else [])
