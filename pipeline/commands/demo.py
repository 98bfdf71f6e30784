"""cuad-audit demo: the whole pipeline on the sample corpus, and a summary."""

from __future__ import annotations

import argparse

HELP = "run the whole pipeline on the embedded sample corpus and show what it finds"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--new", action="store_true", help="run it again although nothing has changed since")


def run(options: argparse.Namespace) -> None:
    from pipeline import demo

    demo.main(options.new)
