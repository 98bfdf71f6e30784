from __future__ import annotations

import yaml

from pipeline.report.memo import memo

ANSWERED = {
    "item_id": "L1", "title": "Alpha", "start": 5, "end": 9,
    "outcome": "answered", "verdict": "risky", "band": "medium", "failure_cause": "none",
}  # fmt: skip
SILENT = {
    **ANSWERED, "item_id": "L2", "outcome": "justified_abstention", "verdict": "insufficient-grounding",
    "failure_cause": "gate1",
}  # fmt: skip
RECORDED = [
    {
        "item_id": "L1",
        "answer": {
            "claims": [
                {"text": "It  binds\nSupplier.", "against": "clause"},
                {"text": "The standard asks otherwise.", "against": "standard"},
                {"text": "So does the other.", "against": "cabc"},
            ]
        },
    },
    {"item_id": "L2", "answer": None},
]


def test_each_sentence_ends_in_what_it_rests_on_and_abstentions_cite_nothing():
    text = memo([ANSWERED, SILENT], RECORDED, {"goal_id": "g"})
    assert "- It binds Supplier. [clause:L1]" in text
    assert "- The standard asks otherwise. [standard:liability]" in text
    assert "- So does the other. [chunk:cabc]" in text
    assert "- L2: insufficient-grounding, cause gate1." in text
    assert yaml.safe_load(text.split("---")[1]) == {"form": "audit-memo", "goal_id": "g"}
    assert "not legal advice" in text or "legal advice" in text


def test_nothing_answered_and_everything_answered_still_say_so():
    assert "- none" in memo([ANSWERED], RECORDED, {})
    assert "0 answered, 1 not" in memo([SILENT], RECORDED, {})
