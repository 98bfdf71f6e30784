"""cuad-audit demo: the whole pipeline on the sample corpus, and a summary."""

from __future__ import annotations

import argparse

HELP = "run the whole pipeline on the embedded sample corpus and show what it finds"


def arguments(parser: argparse.ArgumentParser) -> None:
    """None."""


def run(options: argparse.Namespace) -> None:  # noqa: ARG001
    from pipeline import demo

    demo.main()
