from __future__ import annotations

import pytest

from pipeline.base.errors import CuadAuditError
from pipeline.base.params import Evaluation
from pipeline.evaluation.compare import NEEDED, SERIOUS, compare

SETTINGS = Evaluation(confidence=0.95, resamples=300, seed=1, min_families=5)


def row(number: int, outcome: str = "answered", verdict: str = "acceptable", allowed: bool | None = True, **more):
    return {
        "item_id": f"I{number:02d}",
        "family": f"f{number}",
        "critical": False,
        "critical_called": "",
        "reference_version": "1.1/80-abc",
        "reference_verdict": "acceptable",
        "allowed_verdicts": "acceptable",
        "outcome": outcome,
        "verdict": verdict,
        "verdict_allowed": allowed if outcome == "answered" else None,
        "failure_cause": "none",
        "citation_valid": True if outcome == "answered" else None,
        "reason": f"reason {number} {verdict}",
    } | more


def wrong(number: int, **more):
    return row(number, verdict="risky", allowed=False, **more)


def test_hand_worked_differences() -> None:
    # of 20 items the second run mends six and breaks one
    first = [wrong(n) if n < 6 else row(n) for n in range(20)]
    second = [wrong(n) if n == 10 else row(n) for n in range(20)]
    found = compare(first, second, SETTINGS)
    table = found.measures["allowed_verdict"]
    assert (found.paired, found.unpaired, table["first"], table["second"]) == (20, 0, 14, 19)
    assert table["difference"]["value"] == pytest.approx(0.25)
    assert table["difference"]["low"] < 0.25 < table["difference"]["high"]
    assert (table["mcnemar"]["only_first"], table["mcnemar"]["only_second"]) == (1, 6)
    assert table["mcnemar"]["p_value"] == pytest.approx(2 * (1 + 7) / 2**7)  # exact: 8 of 128, two-sided
    assert table["mcnemar"]["p_holm"] >= table["mcnemar"]["p_value"]
    assert 0 < table["sign_flip_p"] < 0.2
    assert found.measures["coverage"]["difference"]["value"] == 0


def test_a_run_against_itself_differs_in_nothing() -> None:
    rows = [wrong(n) if n % 3 else row(n) for n in range(12)]
    found = compare(rows, rows, SETTINGS)
    assert found.flips == []
    assert all(
        t["difference"]["value"] == 0 and t["mcnemar"]["p_value"] == 1 for t in found.measures.values() if t["n"]
    )


CRITICAL = {"critical": True, "allowed_verdicts": "off-standard", "reference_verdict": "off-standard"}
CALLS = {
    "high": {"verdict": "off-standard", "critical_called": "high"},
    "medium": {"verdict": "risky", "allowed": False, "critical_called": "medium"},
    "low": {"verdict": "acceptable", "allowed": False, "critical_called": "low"},
    "abstained": {
        "outcome": "unjustified_abstention", "verdict": "insufficient-grounding", "critical_called": "abstained"
    },
    "infra": {"outcome": "infra", "verdict": "escalate-infra", "critical_called": "infra"},
}  # fmt: skip


def called(number: int, name: str, **more):
    return row(number, **CRITICAL | CALLS[name] | more)


def test_flips_stand_side_by_side_with_critical_misses_first() -> None:
    first = [row(0), called(1, "high"), called(2, "low"), wrong(3), row(4), row(5)]
    second = [wrong(0), called(1, "low"), called(2, "high"), row(3), row(4), row(5, "infra", "escalate-infra")]
    flips = compare(first, second, SETTINGS).flips
    assert [(flip["item_id"], flip["kind"]) for flip in flips] == [
        ("I01", "new_critical_miss"),
        ("I02", "critical_miss_mended"),
        ("I00", "new_wrong"),
        ("I03", "mended"),
        ("I05", "other"),  # infra is neither right nor wrong
    ]
    assert flips[0]["first_verdict"] == "off-standard" and flips[0]["second_verdict"] == "acceptable"
    assert flips[2]["first_reason"] == "reason 0 acceptable" and flips[2]["second_reason"] == "reason 0 risky"


@pytest.mark.parametrize(
    ("was", "now", "kind"),
    [
        ("high", "medium", "new_critical_miss"),
        ("abstained", "low", "new_critical_miss"),
        ("infra", "low", "new_critical_miss"),
        ("low", "medium", "critical_miss_in_both"),
        ("high", "abstained", "new_critical_abstention"),
        ("low", "abstained", "new_critical_abstention"),  # no recall, and no miss any more
        ("low", "high", "critical_miss_mended"),
        ("abstained", "high", "critical_abstention_mended"),
        ("high", "infra", "other"),
        ("infra", "high", "other"),
    ],
)
def test_an_abstention_from_a_critical_item_is_no_miss(was: str, now: str, kind: str) -> None:
    (flip,) = compare([called(1, was)], [called(1, now)], SETTINGS).flips
    assert flip["kind"] == kind and flip["critical"]


def test_an_abstention_that_the_reference_allows_is_listed_apart_and_recalls_nothing() -> None:
    allowed = {"allowed_verdicts": "off-standard insufficient-grounding"}
    first = [called(1, "high", **allowed), called(2, "high"), called(3, "high")]
    second = [
        called(1, "abstained", outcome="justified_abstention", **allowed), called(2, "abstained"), called(3, "low")
    ]  # fmt: skip
    found = compare(first, second, SETTINGS)
    assert [(flip["item_id"], flip["kind"]) for flip in found.flips] == [
        ("I03", "new_critical_miss"),
        ("I02", "new_critical_abstention"),
        ("I01", "allowed_critical_abstention"),
    ]
    recall = found.measures["critical_recall"]
    assert (recall["n"], recall["first"], recall["second"]) == (3, 3, 0)


def test_every_kind_of_flip_has_its_rank() -> None:
    pairs = [(a, b) for a in CALLS for b in CALLS if a != b]
    first = [called(n, was) for n, (was, _) in enumerate(pairs)]
    second = [called(n, now) for n, (_, now) in enumerate(pairs)]
    kinds = [flip["kind"] for flip in compare(first, second, SETTINGS).flips]
    assert len(kinds) == len(pairs) and kinds == sorted(kinds, key=SERIOUS.index)


def test_an_item_that_stands_twice_is_refused() -> None:
    with pytest.raises(CuadAuditError, match="I01 stands twice"):
        compare([row(1), row(1)], [row(1)], SETTINGS)


def test_rows_are_read_by_the_columns_that_are_named_as_needed() -> None:
    """A table of just these columns is enough, and each of the others is asked for before the work."""
    assert compare([row(1)], [wrong(1)], SETTINGS).flips[0]["kind"] == "new_wrong"
    assert set(NEEDED) == set(row(1))


def test_infra_is_left_out_of_both_sides() -> None:
    first = [row(n) for n in range(8)]
    second = [row(n, "infra", "escalate-infra") if n < 2 else row(n) for n in range(8)]
    table = compare(first, second, SETTINGS).measures["allowed_verdict"]
    assert (table["n"], table["left_out"], table["difference"]["value"]) == (6, 2, 0)


def test_a_justified_abstention_is_right() -> None:
    first = [wrong(n) for n in range(8)]
    second = [row(n, "justified_abstention", "insufficient-grounding") for n in range(8)]
    assert compare(first, second, SETTINGS).measures["allowed_verdict"]["difference"]["value"] == 1


def test_items_in_one_run_alone_are_counted() -> None:
    assert compare([row(n) for n in range(9)], [row(n) for n in range(7)], SETTINGS).unpaired == 2


def test_runs_on_other_references_or_items_are_not_compared() -> None:
    other = [row(n, reference_version="1.2/90-def") for n in range(6)]
    with pytest.raises(CuadAuditError, match=r"different reference versions \(1.1/80-abc, 1.2/90-def\)"):
        compare([row(n) for n in range(6)], other, SETTINGS)
    with pytest.raises(CuadAuditError, match="no item in common"):
        compare([row(1)], [row(2)], SETTINGS)


def test_too_few_families_give_counts_and_no_interval() -> None:
    table = compare([wrong(n) for n in range(3)], [row(n) for n in range(3)], SETTINGS).measures["allowed_verdict"]
    assert table["difference"]["value"] is None
    assert (table["first"], table["second"]) == (0, 3)
