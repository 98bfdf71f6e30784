"""cuad-audit serve: the MCP server on stdin and stdout."""

from __future__ import annotations

import argparse

HELP = "serve search_clauses, get_standard and audit_clause over MCP (stdio)"


def arguments(parser: argparse.ArgumentParser) -> None:
    """None: the server takes its settings from params.yaml."""


def run(options: argparse.Namespace) -> None:  # noqa: ARG001
    from pipeline import server

    server.main()
