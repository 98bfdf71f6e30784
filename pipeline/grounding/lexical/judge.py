"""The lexical faithfulness judge: every check on every claim, against the text that the claim cites."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.base.types import AuditorAnswer, Chunk, Claim, ClaimCheck, Faithfulness, Identity
from pipeline.grounding.agents import CLAUSE, STANDARD, Meter
from pipeline.grounding.code import code_identity
from pipeline.grounding.lexical import of_standard
from pipeline.grounding.lexical.checks import why_unsupported
from pipeline.grounding.lexical.levels import CLAUSE_TYPE

if TYPE_CHECKING:
    from pipeline.standard import Standard


class LexicalJudge:
    """No model, no network; ``identity.code`` names its code and the version of it."""

    def __init__(self) -> None:
        self.identity = Identity(
            "lexical", code=code_identity("pipeline.grounding.lexical", "pipeline.grounding.quotes")
        )

    def check(
        self,
        answer: AuditorAnswer,
        clause: str,
        standard: Standard,
        cited: Chunk | None,
        meter: Meter,  # noqa: ARG002
    ) -> Faithfulness:
        texts = {CLAUSE: clause}
        if any(claim.against == STANDARD for claim in answer.claims):
            texts[STANDARD] = standard.text()
        if cited is not None:
            texts[cited.chunk_id] = cited.text
        return Faithfulness(
            tuple(check_claim(claim, texts.get(claim.against), standard.clause_type) for claim in answer.claims)
        )


def check_claim(claim: Claim, source: str | None, clause_type: str = CLAUSE_TYPE) -> ClaimCheck:
    """One claim against the text that it cites; None where there is no such text."""
    if source is None:
        return ClaimCheck(claim.text, False, claim.against, "it rests on a text that the answer does not cite")
    if not claim.text.strip():
        return ClaimCheck(claim.text, False, claim.against, "it says nothing")
    why = of_standard.judged(claim.text, source) if claim.against == STANDARD else None
    if why is None:
        why = why_unsupported(claim.text, source, clause_type)
    return ClaimCheck(claim.text, not why, claim.against, why)
