from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.base.types import FailureCause, Verdict
from pipeline.evaluation import taxonomy
from pipeline.evaluation.outcomes import outcome_row

CONTRACTS = {"Other agreement": "words of it"}


@pytest.fixture
def rows(make_sample, make_result):
    """A hand-worked run of nine items, one per contract family."""
    plan = [
        (("acceptable",), ("low",), False, "acceptable", "none", "c1"),  # right
        (("risky", "acceptable"), ("medium", "low"), False, "acceptable", "none", "c1"),  # allowed, not preferred
        (("acceptable",), ("low",), False, "off-standard", "none", "cX"),  # wrong, false alarm, invalid citation
        (("insufficient-grounding",), ("medium",), False, "insufficient-grounding", "auditor_abstained", None),
        (("acceptable",), ("low",), False, "insufficient-grounding", "gate1", None),
        (("risky",), ("medium",), False, "insufficient-grounding", "gate2_unfaithful", None),
        (("off-standard",), ("high",), True, "off-standard", "none", "c1"),
        (("off-standard",), ("high",), True, "acceptable", "none", "c1"),  # critical miss
        (("risky",), ("medium",), False, "escalate-infra", "infra_timeout", None),
    ]
    made = []
    for number, (allowed, bands, critical, verdict, cause, chunk) in enumerate(plan):
        sample = make_sample(f"I{number}", allowed, bands, critical, family=f"f{number}")
        result = make_result(verdict, cause, chunk=chunk, score=number / 10)
        evidence = {"c1": "elsewhere"}
        made.append(outcome_row(sample, result, result, evidence, CONTRACTS, auditor_verdict="", auditor_levels={}))
    return made


def test_outcomes_add_up(rows) -> None:
    counts = taxonomy.outcome_counts(rows)
    assert counts == {
        "n": 9,
        "answered": 5,
        "justified_abstention": 1,
        "unjustified_abstention": 2,
        "infra": 1,
    }


def test_every_declared_cause_is_reported_zeros_included(rows) -> None:
    table = taxonomy.failure_taxonomy(rows)
    assert set(table) == {cause.value for cause in FailureCause}
    assert table["none"] == 5
    assert {name for name, count in table.items() if count} == {
        "none",
        "auditor_abstained",
        "gate1",
        "gate2_unfaithful",
        "infra_timeout",
    }
    assert taxonomy.failure_taxonomy([]) == {cause.value: 0 for cause in FailureCause}


def test_abstentions_by_cause(rows) -> None:
    table = taxonomy.abstentions_by_cause(rows)
    assert table["justified"]["auditor_abstained"] == 1
    assert sum(table["justified"].values()) == 1
    assert {k for k, v in table["unjustified"].items() if v} == {"gate1", "gate2_unfaithful"}
    assert "infra_timeout" not in table["unjustified"]


def test_confusion_and_verdicts(rows) -> None:
    assert set(taxonomy.verdict_counts(rows)) == {verdict.value for verdict in Verdict}
    table = taxonomy.confusion(rows)
    assert table["off-standard"] == {
        "acceptable": 1,
        "risky": 0,
        "off-standard": 1,
        "insufficient-grounding": 0,
        "escalate-infra": 0,
    }
    assert sum(sum(row.values()) for row in table.values()) == 9


def test_critical_counts(rows) -> None:
    expected = {"n": 2, "high": 1, "medium": 0, "low": 1, "abstained": 0, "infra": 0}
    assert taxonomy.critical_counts(rows) == expected


def test_published_shape(rows) -> None:
    assert taxonomy.published_shape(rows) == {
        "n": 9,
        "non_abstained": 5,
        "justified_abstention": 1,
        "unjustified_abstention": {"gate1": 1, "gate2": 1, "auditor": 0, "total": 2},
        "infra": 1,
        "exact_matches": {"n": 5, "count": 2},
        "allowed_matches": {"n": 5, "count": 3},
        "citations_valid": {"n": 5, "count": 4},
        "adversarial_held": None,  # the review fills it in
    }


def test_an_undeclared_category_is_refused() -> None:
    with pytest.raises(ValueError, match="undeclared"):
        taxonomy.counted(["surprise"], ["known"])


def test_position_counts(make_sample, make_result) -> None:
    sample = make_sample()
    levels = {"P1": "meets", "P2": "silent", "P3": "silent", "P4": "silent", "P5": "meets", "P6": "silent"}
    row = outcome_row(
        sample, make_result(), make_result(), {}, CONTRACTS, auditor_verdict="acceptable", auditor_levels=levels
    )
    references = {sample.item_id: {p: level.value for p, level in sample.reference.positions.items()}}
    table = taxonomy.position_counts([row], references)
    assert (table["P1"]["n"], table["P1"]["right"]) == (1, 0)
    assert table["P1"]["confusion"]["silent"] == {"meets": 1}
    assert (table["P2"]["n"], table["P2"]["right"]) == (1, 1)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=20))
def test_macro_f1_is_scikit_learns(pairs: list[tuple[str, str]]) -> None:
    from sklearn.metrics import f1_score

    expected, given_ = zip(*pairs, strict=True)
    known = f1_score(expected, given_, labels=sorted(set(expected)), average="macro", zero_division=0)
    assert taxonomy.macro_f1(Counter(pairs)) == pytest.approx(known)


def test_no_item_has_no_macro_f1() -> None:
    assert taxonomy.position_counts([], {})["P1"]["macro_f1"] is None


class TestVerdictMetrics:
    @pytest.fixture
    def settings(self):
        from pipeline.base.params import Evaluation

        return Evaluation(confidence=0.95, resamples=200, seed=1, min_families=2)

    def test_rates_hand_worked(self, rows, settings) -> None:
        from pipeline.evaluation.verdict_metrics import rates

        table = rates(rows, settings)
        counts = {name: (value["count"], value["n"]) for name, value in table.items()}
        assert counts == {
            "infra": (1, 9),
            "coverage": (5, 8),
            "coverage_auditable": (5, 7),
            "allowed_verdict": (4, 8),
            "preferred_verdict": (3, 8),
            "allowed_when_answered": (3, 5),
            "selective_risk": (2, 5),
            "band_allowed": (3, 5),
            "unjustified_abstention": (2, 8),
            "justified_abstention": (1, 8),
            "over_answered": (0, 1),
            "critical_recall": (1, 2),
            "false_alarm": (1, 6),
            "citation_valid": (4, 5),
            "hallucination": (1, 8),
        }
        for name, value in table.items():
            if value["n"] >= 2:
                assert value["low"] <= value["rate"] <= value["high"], name
        assert table["over_answered"]["rate"] is None  # one family is too few for a rate

    def test_critical_recall_counts_families(self, rows, settings) -> None:
        from pipeline.evaluation.verdict_metrics import critical_recall

        table = critical_recall(rows, settings.confidence)
        assert (table["n"], table["count"], table["missed"], table["abstained"]) == (2, 1, 1, 0)
        rows = [replace(row, critical_called="abstained") if row.critical_called == "low" else row for row in rows]
        table = critical_recall(rows, settings.confidence)
        assert (table["n"], table["count"], table["missed"], table["abstained"]) == (2, 1, 0, 1)
        assert (table["clusters"], table["clusters_recalled"]) == (2, 1)
        # Clopper-Pearson, one-sided, 1 of 2: 1 - sqrt(0.95)
        assert table["exact_low"] == pytest.approx(1 - 0.95**0.5)

    def test_selective_takes_the_open_answers(self, rows, settings) -> None:
        from pipeline.evaluation.verdict_metrics import selective

        curve = selective(rows, settings)
        interval = curve["aurc_interval"]
        assert interval["value"] == pytest.approx(curve["aurc"])
        assert interval["low"] <= curve["aurc"] <= interval["high"]
        right = [row for row in rows if row.open_allowed is not False]
        assert selective(right, settings)["aurc_interval"]["low"] is None  # no error: no interval, not [0, 0]
        assert (curve["n"], curve["max_coverage"]["count"]) == (8, 5)
        # by falling score: I7 wrong, I6 right, I2 wrong, I1 right, I0 right
        assert [point["wrong"] for point in curve["points"]] == [1, 1, 2, 2, 2]
        assert curve["aurc"] == pytest.approx((1 + 1 / 2 + 2 / 3 + 2 / 4 + 2 / 5) / 5)
