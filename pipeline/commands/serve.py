"""cuad-audit serve: the MCP server on stdin and stdout."""

from __future__ import annotations

import argparse

HELP = "serve the tools of search, standard, audit and the citation checks over MCP (stdio)"
EXITS = {0: "the client went away"}


def arguments(parser: argparse.ArgumentParser) -> None:
    """None: the server takes its settings from params.yaml."""


def run(options: argparse.Namespace) -> None:  # noqa: ARG001
    from pipeline import server

    server.main()
