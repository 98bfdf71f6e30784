"""Two frozen keyword targets, fixtures to judge the review and its gate by.

``BUGGY`` knows written notice and calls everything else medium, so that it misses unlimited
liability; ``FIXED`` knows that and more. They are frozen: a review that lets BUGGY pass, or fails
FIXED, is broken. FIXED also serves as the baseline that an auditor has to beat.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipeline.base.types import Band
from pipeline.evaluation.findings import Case, Output, RiskType


@dataclass(frozen=True, slots=True)
class Rule:
    """``pattern`` (case ignored) anywhere in the clause makes a finding; ``means`` says why."""

    pattern: str
    risk_type: RiskType
    band: Band
    means: str
    recommendation: str


@dataclass(frozen=True, slots=True)
class KeywordTarget:
    """Rules in order; the first that fits decides, and ``otherwise`` where none does."""

    name: str
    rules: tuple[Rule, ...]
    otherwise: Rule

    def review(self, case: Case) -> Output:
        for rule in (*self.rules, self.otherwise):
            match = re.search(rule.pattern, case.clause, re.IGNORECASE)
            if match:
                return Output(findings=(_finding(case, rule, match),))
        raise AssertionError("the last rule fits every clause")


def _finding(case: Case, rule: Rule, match: re.Match[str]) -> dict:
    words = " ".join(match.group().split())
    start = case.sample.start
    return {
        "span": {"start": start + match.start(), "end": start + match.end(), "text": match.group()},
        "risk_type": rule.risk_type.value,
        "risk_band": rule.band.value,
        "reason": f"{rule.means}: “{words}”.",
        "recommendation": rule.recommendation,
        "citation": None,
    }


_NOTICE = Rule(
    r"written\s+notice",
    RiskType.NOTICE,
    Band.LOW,
    "A claim needs written notice, which either party can give",
    "Accept as it stands.",
)
_ANYTHING = Rule(r"\S[\s\S]*\S|\S", RiskType.OTHER, Band.MEDIUM, "A clause to look at", "Have a lawyer read it.")

BUGGY = KeywordTarget("buggy", (_NOTICE,), _ANYTHING)

FIXED = KeywordTarget(
    "fixed",
    (
        Rule(
            r"\bunlimited\b|\bwithout\s+limit\b|\bno\s+ceiling\b|\bnothing\s+in\s+this\s+agreement\s+limits\b"
            r"|\bno\s+limitation\s+of\s+any\s+kind\b|\blimited\s+in\s+any\s+way\b",
            RiskType.CEILING_BASIS,
            Band.HIGH,
            "Liability is left unlimited, without any ceiling",
            "Add a ceiling.",
        ),
        Rule(
            r"\bno\s+liability\s+of\s+any\s+kind\b|\bany\s+damages\s+whatsoever\b|\bloss\s+or\s+damage\s+of\s+any\s+kind\b",
            RiskType.INDIRECT_LOSS,
            Band.HIGH,
            "All liability of one party is excluded, direct damages included",
            "Limit the exclusion to indirect loss.",
        ),
        _NOTICE,
        Rule(
            r"\b(?:each|either)\s+party['’]s\b",
            RiskType.MUTUALITY,
            Band.LOW,
            "The ceiling is mutual and binds both parties",
            "Accept as it stands.",
        ),
        Rule(
            r"\bneither\s+party\b|\beither\s+party\b",
            RiskType.INDIRECT_LOSS,
            Band.LOW,
            "A mutual waiver of indirect loss binds both parties",
            "Accept as it stands.",
        ),
        Rule(
            r"\bshall\s+not\s+be\s+liable\b|['’]s\s+(?:\w+\s+){0,3}liability\b",
            RiskType.MUTUALITY,
            Band.MEDIUM,
            "The protection is one-sided: it runs to one party only",
            "Make it mutual.",
        ),
    ),
    _ANYTHING,
)
