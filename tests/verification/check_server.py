"""The check tools over a folder of documents, as a server of the SDK."""

from __future__ import annotations

import sys
from pathlib import Path

from mcp.server.mcpserver import MCPServer

from pipeline.verification.folder_source import FolderSource
from pipeline.verification.mcp_tools import CheckTools
from pipeline.verification.sources import Registry

server = MCPServer("checks")
for function, title, description in CheckTools(lambda: Registry([FolderSource("law", Path(sys.argv[1]))])).listed():
    server.add_tool(function, title=title, description=description)
server.run()
