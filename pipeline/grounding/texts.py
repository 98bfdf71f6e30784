"""Texts as data: how a standard is put into words, and how a text stands inside a prompt.

Convention: inside a tag ``<`` and ``>`` are written ``&lt;`` and ``&gt;``, so that no text can close
its tag or open another; everything else stays as it is, so that quotations can be copied.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pipeline.base.types import Claim, Evidence

if TYPE_CHECKING:
    from pipeline.standard import Standard


def fenced(text: str) -> str:
    """``text`` without a character that could end the tag around it."""
    return text.replace("\x00", "\ufffd").replace("<", "&lt;").replace(">", "&gt;")


def unfenced(text: str) -> str:
    """What a model copied out of a fenced text, with its angle brackets again."""
    return text.replace("&lt;", "<").replace("&gt;", ">")


def auditor_message(clause: str, standard: Standard, evidence: Sequence[Evidence]) -> str:
    """The auditor's input: the standard first (the same for many calls), then evidence, then clause."""
    chunks = "\n".join(
        f'<evidence id="{item.chunk.chunk_id}">\n{fenced(item.chunk.text)}\n</evidence>' for item in evidence
    )
    return f"<standard>\n{fenced(standard.text())}\n</standard>\n\n{chunks}\n\n<clause>\n{fenced(clause)}\n</clause>"


def judge_message(claims: Sequence[Claim], texts: Mapping[str, str]) -> str:
    """The judge's input: the texts by id, then the numbered claims. Nothing says who wrote them."""
    shown = "\n".join(f'<text id="{fenced(name)}">\n{fenced(text)}\n</text>' for name, text in texts.items())
    asked = "\n".join(
        f'<claim number="{number}" against="{_attribute(claim.against)}">{fenced(claim.text)}</claim>'
        for number, claim in enumerate(claims, start=1)
    )
    return f"{shown}\n\n<claims>\n{asked}\n</claims>"


def _attribute(text: str) -> str:
    return fenced(text).replace('"', "&quot;")
