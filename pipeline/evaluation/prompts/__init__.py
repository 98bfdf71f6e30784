"""Prompts of the evaluation, as versioned files: one is never changed once it has been used."""

from __future__ import annotations

import hashlib
from pathlib import Path

from pipeline.grounding.prompts import Prompt


def load_prompt(name: str) -> Prompt:
    """The prompt of that name; FileNotFoundError is a programming error here."""
    data = (Path(__file__).parent / f"{name}.md").read_bytes()
    return Prompt(name, data.decode(), hashlib.sha256(data).hexdigest())
