"""An MCP server of its own few lines, quick to start: it serves documents of a folder, and misbehaves on request.

Usage: small_mcp_server.py FOLDER MODE N; MODE ``die`` ends the process at the N-th question, ``hang`` never answers
it, ``garbage`` answers it with what is no JSON, ``error`` with a tool error, ``serve`` behaves.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from pathlib import Path


def documents(folder: str) -> dict[str, dict]:
    found = {}
    for path in Path(folder).glob("*.md"):
        text = path.read_text(encoding="utf-8")
        key = re.search(r'citations: \["(.+)"\]', text)
        date = re.search(r"^date: (.+)$", text, re.MULTILINE)
        body = text.split("---\n", 2)[-1]
        fields = {m[1]: m[2].strip() for m in re.finditer(r"^#+ (\S.*)\n\n((?:[^#\n].*\n?)+)", body, re.MULTILINE)}
        if key:
            found[key[1]] = {"found": True, "text": body, "fields": fields, "date": date[1] if date else ""}
    return found


def main() -> None:
    folder, mode, number = sys.argv[1], sys.argv[2], int(sys.argv[3])
    known = documents(folder)
    asked = 0
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        method, params = message.get("method"), message.get("params", {})
        if method == "initialize":
            result = {
                "protocolVersion": params["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "small", "version": "1"},
            }
        elif method == "tools/list":
            schema = {"type": "object", "properties": {"citation": {"type": "string"}}}
            result = {"tools": [{"name": "get_source", "inputSchema": schema}]}
        elif method == "tools/call":
            asked += 1
            if asked == number and mode == "die":
                os._exit(9)
            if asked == number and mode == "hang":
                time.sleep(600)
            if asked == number and mode == "garbage":
                print("}{ no JSON", flush=True)
                continue
            value = known.get(params["arguments"]["citation"], {"found": False, "text": ""})
            result = {
                "content": [{"type": "text", "text": json.dumps(value)}],
                "structuredContent": value,
                "isError": False,
            }
            if asked == number and mode == "error":
                result = {"content": [{"type": "text", "text": "database is locked"}], "isError": True}
        else:
            print(
                json.dumps(
                    {"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "Method not found"}}
                ),
                flush=True,
            )
            continue
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)


if __name__ == "__main__":
    main()
