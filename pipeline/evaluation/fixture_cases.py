"""Own-written contracts with references known by construction, to judge the review and its gate by.

Each case is a small contract of its own family around one clause: unlimited liability, a whole
exclusion, a mutual ceiling, a mutual waiver, a one-sided ceiling, a notice clause. References are
multi-valued where a careful reader could defend a second answer.
"""

from __future__ import annotations

from pipeline.base.types import POSITIONS, Band, Level, Verdict
from pipeline.corpus.normalise import sha256
from pipeline.corpus.sample.draws import Draws
from pipeline.evaluation import contrast_templates as t
from pipeline.evaluation.findings import Case
from pipeline.evaluation.labels import Reference, Sample

VERSION = "fixture/1"
NOTICES = (
    "Neither party may bring a claim {scope} unless it has given the other written notice of it within sixty days.",
    "A claim {scope} is barred unless either party has given written notice of it before the end of the year.",
)
_ON_THE_WORDS = "on the words of the clause"
_LOW = ({Verdict.ACCEPTABLE: _ON_THE_WORDS}, {Band.LOW: _ON_THE_WORDS})
_HIGH = ({Verdict.OFF_STANDARD: _ON_THE_WORDS}, {Band.HIGH: _ON_THE_WORDS})
_MEDIUM = (
    {
        Verdict.RISKY: "on the words: it runs to one party only",
        Verdict.OFF_STANDARD: "if the other party stays exposed",
    },
    {Band.MEDIUM: "on the words: it runs to one party only", Band.HIGH: "if the other party stays exposed"},
)
#: How many cases of each kind: (verdicts, bands), critical, the points, how many.
KINDS = {
    "unlimited": (_HIGH, True, ("liability without a ceiling",), 18),
    "no-ceiling": (_HIGH, True, ("liability without a ceiling",), 12),
    "excluded": (_HIGH, True, ("all liability excluded", "direct damages included"), 15),
    "ceiling": (_LOW, False, ("mutual ceiling",), 12),
    "waiver": (_LOW, False, ("mutual waiver of indirect loss",), 12),
    "one-sided": (_MEDIUM, False, ("one-sided protection",), 12),
    "notice": (_LOW, False, ("written notice", "either party"), 12),
}


def fixture_cases(seed: int) -> list[Case]:
    """The same cases for the same seed; every case is its own family."""
    return [
        _case(kind, number, _clause(kind, Draws(seed, "fixture", kind, number)))
        for kind, (_, _, _, many) in KINDS.items()
        for number in range(many)
    ]


def _clause(kind: str, draws: Draws) -> str:
    drawn = t.draw(draws)
    frame = draws.pick(tuple(t.CEILINGS.values()))
    match kind:
        case "unlimited":
            return drawn.fill(draws.pick(t.UNLIMITED))
        case "no-ceiling":
            return drawn.fill(draws.pick(t.NO_CEILING))
        case "excluded":
            return drawn.fill(draws.pick(t.EXCLUDED))
        case "waiver":
            return drawn.fill(draws.pick(tuple(t.WAIVERS.values())))
        case "one-sided":
            return drawn.clause(frame, own=f"{drawn.names[0]}'s")
        case "notice":
            return drawn.fill(draws.pick(NOTICES))
        case _:
            return drawn.clause(frame)


def _case(kind: str, number: int, clause: str) -> Case:
    (verdicts, bands), critical, points, _ = KINDS[kind]
    head = f"Agreement {kind} {number}. The parties agree as follows. "
    contract = f"{head}{clause} This Agreement is governed by the law of the place of performance."
    reference = Reference(
        version=VERSION,
        verdicts=verdicts,
        bands=bands,
        positions=dict.fromkeys(POSITIONS, Level.SILENT) | {"P5": Level.MEETS},
        kinds=("cap",),
        critical=critical,
        points=points,
        evidence=((len(head), len(head) + len(clause)),),
        reason="by construction",
        uncertainty=None,
        agreed=True,
        ruling="by construction",
        source="construction",
        annotators=("construction",),
        adjudicated_at="2026-01-01",
    )
    sample = Sample(
        item_id=f"F-{kind}-{number:02d}",
        title=f"Agreement {kind} {number}",
        start=len(head),
        end=len(head) + len(clause),
        sha256=sha256(clause),
        family=f"fixture-{kind}-{number:02d}",
        categories=(),
        jurisdiction="unknown",
        contract_role="unknown",
        context="unknown",
        reference=reference,
    )
    return Case(sample, contract)
