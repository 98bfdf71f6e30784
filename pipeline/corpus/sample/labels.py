"""The label rows of a clause, in the form of ``data/labels``, and CUAD's categories."""

from __future__ import annotations

from typing import Any

from pipeline.base.types import Band, Verdict
from pipeline.corpus.normalise import sha256
from pipeline.corpus.sample.liability import LiabilityClause
from pipeline.corpus.sample.rules import RUBRIC_VERSION, bands_of, critical_of

ANNOTATOR = "construction"
#: A fixed day: a label by construction is as old as the rubric that it follows, and no clock is read.
LABELLED_AT = "2000-01-01"

#: CUAD's 41 categories, in the order of its questions.
CATEGORIES = (
    "Document Name",
    "Parties",
    "Agreement Date",
    "Effective Date",
    "Expiration Date",
    "Renewal Term",
    "Notice Period To Terminate Renewal",
    "Governing Law",
    "Most Favored Nation",
    "Non-Compete",
    "Exclusivity",
    "No-Solicit Of Customers",
    "Competitive Restriction Exception",
    "No-Solicit Of Employees",
    "Non-Disparagement",
    "Termination For Convenience",
    "Rofr/Rofo/Rofn",
    "Change Of Control",
    "Anti-Assignment",
    "Revenue/Profit Sharing",
    "Price Restrictions",
    "Minimum Commitment",
    "Volume Restriction",
    "Ip Ownership Assignment",
    "Joint Ip Ownership",
    "License Grant",
    "Non-Transferable License",
    "Affiliate License-Licensor",
    "Affiliate License-Licensee",
    "Unlimited/All-You-Can-Eat-License",
    "Irrevocable Or Perpetual License",
    "Source Code Escrow",
    "Post-Termination Services",
    "Audit Rights",
    "Uncapped Liability",
    "Cap On Liability",
    "Liquidated Damages",
    "Warranty Duration",
    "Insurance",
    "Covenant Not To Sue",
    "Third Party Beneficiary",
)

_BAND_CONDITIONS = {
    Band.LOW: "nothing departs from the standard",
    Band.MEDIUM: "a departure, but no party is left without a limit or without a claim",
    Band.HIGH: "a party is left without a limit or without a claim for ordinary breach",
}
_BLIND_CONDITIONS = {
    Band.MEDIUM: "what is missing keeps the band from being fixed",
    Band.HIGH: "if what is missing proves far from the standard",
}


def question(category: str) -> str:
    return f'Which words of this contract, if any, belong to the category "{category}"?'


def item(item_id: str, title: str, start: int, clause: LiabilityClause, family: str) -> dict[str, Any]:
    """A row of ``items.jsonl``: which clause of which contract."""
    return {
        "item_id": item_id,
        "title": title,
        "start": start,
        "end": start + len(clause.text),
        "sha256": sha256(clause.text),
        "family": family,
        "categories": list(clause.categories),
    }


def adjudication(item_id: str, start: int, clause: LiabilityClause) -> dict[str, Any]:
    """A row of ``adjudications.jsonl``; evidence is in offsets of the contract's text."""
    return {
        "item_id": item_id,
        "kinds": list(clause.kinds),
        "positions": {position: level.value for position, level in clause.positions.items()},
        "verdict": clause.verdict.value,
        "allowed_verdicts": [{"verdict": verdict, "condition": why} for verdict, why in clause.allowed],
        "risk_band": bands_of(clause.verdict)[0].value,
        "allowed_bands": _allowed_bands(clause),
        "critical": critical_of(clause.positions),
        "evidence": [[start + begin, start + end] for begin, end in clause.evidence],
        "must_mention": list(clause.must_mention),
        "reason": clause.reason,
        "uncertainty": clause.uncertainty,
        "opinions": {},
        "agreed": True,
        "annotator": ANNOTATOR,
        "ruling": ANNOTATOR,
        "adjudicated_at": LABELLED_AT,
        "rubric_version": RUBRIC_VERSION,
    }


def _allowed_bands(clause: LiabilityClause) -> list[dict[str, str]]:
    """The bands of every allowed verdict, those of the preferred one first."""
    bands: dict[Band, str] = {}
    for name, _ in clause.allowed:
        verdict = Verdict(name)
        conditions = _BLIND_CONDITIONS if verdict == Verdict.INSUFFICIENT_GROUNDING else _BAND_CONDITIONS
        for band in bands_of(verdict):
            bands.setdefault(band, conditions[band])
    return [{"band": band.value, "condition": why} for band, why in bands.items()]
