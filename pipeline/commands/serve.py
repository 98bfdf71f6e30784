"""cuad-audit serve: the MCP server on stdin and stdout."""

from __future__ import annotations

import argparse

HELP = "serve the tools over MCP (stdio)"
EXITS = {0: "the client went away"}
TOOLS = """\
  search_clauses, get_standard, audit_clause
  extract_citations, standardize_document_citations, validate_citation, cite, find_citations
  check_claim_support, review_citations, attest_response
docs/SERVING.md has their arguments, results and errors."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """None: the server takes its settings from params.yaml."""
    parser.description = f"{HELP}:\n{TOOLS}"


def run(options: argparse.Namespace) -> None:  # noqa: ARG001
    from pipeline import server

    server.main()
