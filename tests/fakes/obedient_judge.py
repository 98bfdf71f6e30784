"""A judge that does what it is told: whoever relies on a judge alone is shown what that is worth."""

from __future__ import annotations

from pipeline.base.types import AuditorAnswer, Chunk, ClaimCheck, Faithfulness, Identity
from pipeline.grounding.agents import Meter
from pipeline.standard import Standard


class ObedientJudge:
    """A judge that supports whatever it is given: what is left to stop a probe is structure alone."""

    identity = Identity("obedient judge", model="scripted", prompt_sha256="judge")

    def check(
        self,
        answer: AuditorAnswer,
        clause: str,  # noqa: ARG002
        standard: Standard,  # noqa: ARG002
        cited: Chunk | None,  # noqa: ARG002
        meter: Meter,  # noqa: ARG002
    ) -> Faithfulness:
        return Faithfulness(tuple(ClaimCheck(claim.text, True, claim.against) for claim in answer.claims))
