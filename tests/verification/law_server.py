"""The same documents behind a server built with the SDK."""

from __future__ import annotations

import sys

from mcp.server.mcpserver import MCPServer
from small_mcp_server import documents

server = MCPServer("law")
KNOWN = documents(sys.argv[1])


@server.tool()
def get_source(citation: str) -> dict:
    """A source by its citation."""
    return KNOWN.get(citation, {"found": False, "text": ""})


server.run()
