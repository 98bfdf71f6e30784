"""Prompts as versioned files: a prompt is named ``auditor-v1`` and never changed once it has been
used; a better one is a new file. Its sha256 is part of the agent's identity."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import NamedTuple

from pipeline.base.errors import UsageError

_FOLDER = Path(__file__).parent


class Prompt(NamedTuple):
    name: str
    text: str
    sha256: str


def load_prompt(name: str) -> Prompt:
    """The prompt of that name; ``UsageError`` lists those that exist."""
    known = sorted(path.stem for path in _FOLDER.glob("*.md"))
    if name not in known:
        raise UsageError(f"no prompt named {name!r}", f"choose one of {', '.join(known)}")
    data = (_FOLDER / f"{name}.md").read_bytes()
    return Prompt(name, data.decode(), hashlib.sha256(data).hexdigest())
