"""Own-written clauses from which minimal pairs are made, by seeded draws.

A *frame* is one way to write a mutual ceiling with customary exceptions; every frame says the same in
its own words, and is the cluster of its pairs. Slots: ``{own}`` whose liability (possessive), ``{scope}``
under what, ``{cap}`` how much, ``{exc}`` the exceptions. The values of a slot are drawn together with
names, so that no two pairs of a frame need be alike.
"""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.corpus.sample.draws import Draws

#: Mutual ceilings with an exception clause. ``{own}`` is "each party's" or one party's name.
CEILINGS: dict[str, str] = {
    "except-first": "Except for {exc}, {own} total liability {scope} shall not exceed {cap}.",
    "except-last": "In no event shall {own} cumulative liability {scope} exceed {cap}, except in the case of {exc}.",
    "second-sentence": "{own} aggregate liability {scope} is limited to {cap}. This limit does not apply to {exc}.",
    "nothing-limits": "{own} maximum liability {scope} will be {cap}. Nothing in this Section limits liability for "
    "{exc}.",
    "notwithstanding": "Notwithstanding anything to the contrary, {own} entire liability {scope} may not exceed {cap}, "
    "other than liability for {exc}.",
    "proviso": "{own} liability {scope}, on whatever legal ground, shall be limited to {cap}; provided that this "
    "limitation shall not apply to {exc}.",
    "other-than": "Other than for {exc}, {own} liability {scope} shall in no event exceed {cap}.",
    "with-exception": "With the exception of {exc}, {own} total aggregate liability {scope} will not exceed {cap}.",
}
#: Frames whose exceptions stand in the sentence of the ceiling: without its amount, nothing that can be
#: judged is left. (An exception in a sentence of its own can be judged alone.)
ONE_SENTENCE = ("except-first", "except-last", "notwithstanding", "other-than", "with-exception")
#: Statements that liability has no ceiling, mutual.
UNLIMITED: tuple[str, ...] = (
    "Each party's liability {scope} shall be unlimited.",
    "The liability of each party {scope} is without limit.",
    "Each party shall have unlimited liability to the other {scope}.",
    "Either party's liability {scope} will be unlimited in amount.",
    "{A} and {B} shall each have unlimited liability {scope}.",
    "The total liability of {A} to {B}, and of {B} to {A}, {scope} shall be unlimited.",
    "{A}'s liability to {B} {scope} shall be unlimited.",
)
NO_CEILING: tuple[str, ...] = (
    "There is no ceiling on the liability of either party {scope}.",
    "Neither party's liability {scope} is limited in any way.",
    "No limitation of any kind shall apply to either party's liability {scope}.",
    "Nothing in this Agreement limits either party's liability {scope}.",
    "There is no ceiling on {A}'s liability to {B} {scope}.",
    "No limitation of any kind shall apply to the liability of {A} or {B} {scope}.",
)
#: Exceptions so wide that ordinary breach is uncapped.
SWALLOWING: tuple[str, ...] = (
    "any breach of this Agreement",
    "a breach of any provision of this Agreement",
    "any failure to perform its obligations under this Agreement",
)
#: Mutual waivers of indirect loss, and the whole exclusion of one party's liability.
WAIVERS: dict[str, str] = {
    "neither": "Neither party shall be liable to the other for any indirect, special or consequential damages {scope}.",
    "no-event": "In no event will either party be liable for any incidental, indirect or consequential loss {scope}.",
    "no-party": "Neither party will have any liability for consequential or punitive damages {scope}.",
}
EXCLUDED: tuple[str, ...] = (
    "{A} shall have no liability of any kind to {B} {scope}.",
    "{A} shall not be liable to {B} for any damages whatsoever, whether direct or indirect, {scope}.",
    "In no event shall {A} be liable to {B} for any loss or damage of any kind, direct damages included, {scope}.",
)
SCOPES = (
    "arising out of this Agreement",
    "under this Agreement",
    "arising out of or relating to this Agreement",
    "in connection with this Agreement",
)
NAMES = (
    ("Supplier", "Customer"),
    ("Licensor", "Licensee"),
    ("Norvale", "Brightwater"),
    ("Provider", "Client"),
    ("Manufacturer", "Distributor"),
    ("Contractor", "Company"),
)
EXCEPTIONS = (
    "fraud",
    "wilful misconduct",
    "gross negligence",
    "breach of confidentiality",
    "infringement of intellectual property rights",
    "death or personal injury",
    "indemnification obligations",
)
#: A subject that no standard of exceptions permits; in whichever place it stands, it is one too many.
NOT_PERMITTED = "product recalls"
SUMS = ("$250,000", "$500,000", "$1,000,000", "$2,500,000")
PERIOD_CAPS = (
    "the fees paid or payable under this Agreement in the twelve (12) months before the event giving rise to the claim",
    "the total fees paid under this Agreement",
    "the amounts paid by {B} in the twelve months preceding the claim",
)
MULTIPLE_CAP = "{multiple} the fees paid under this Agreement in the twelve (12) months preceding the claim"
LOW_MULTIPLES = ("two times", "three times", "one and one-half times")
HIGH_MULTIPLES = ("ten times", "five times", "eight times")
REDACTED = ("$[***]", "[***]", "US$[*****]")
ELSEWHERE = (
    "the amount set forth in Schedule {number}",
    "the limit stated in Section {number}.4",
    "the sum specified in Exhibit {number}",
)
MUTUAL, OTHER_NAMES = "each party's", (("Ostermark", "Kelling"), ("Purveyor", "Recipient"), ("Halden", "Quayle"))


@dataclass(frozen=True, slots=True)
class Drawn:
    """The values drawn for one clause; ``exceptions`` in order."""

    names: tuple[str, str]
    scope: str
    exceptions: tuple[str, ...]
    cap: str

    def clause(
        self, frame: str, own: str = MUTUAL, cap: str | None = None, exceptions: tuple[str, ...] | None = None
    ) -> str:
        """``frame`` with these values; what is given replaces what was drawn."""
        return self.fill(frame, own=own, cap=cap or self.cap, exc=listed(exceptions or self.exceptions))

    def fill(self, pattern: str, **more: str) -> str:
        a, b = self.names
        values = {"scope": self.scope, **more}
        said = pattern.format(A=a, B=b, **values).replace("{A}", a).replace("{B}", b)
        return said[0].upper() + said[1:]


def draw(draws: Draws, cap: str | None = None) -> Drawn:
    return Drawn(
        names=draws.pick(NAMES),
        scope=draws.pick(SCOPES),
        exceptions=tuple(draws.sample(EXCEPTIONS, 2 + draws.below(2))),
        cap=cap or draws.pick((*PERIOD_CAPS, *SUMS)),
    )


def listed(items: tuple[str, ...]) -> str:
    """``a, b or c``."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} or {items[-1]}"
