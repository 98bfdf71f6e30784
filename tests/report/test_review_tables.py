from __future__ import annotations

from pipeline.evaluation.agreement import ASPECTS
from pipeline.evaluation.review import OUTCOMES
from pipeline.evaluation.scorers import SCORERS, Unscored
from pipeline.report import review_tables

ZERO = {reason.value: 0 for reason in Unscored}


def rate(count, n, value=None, low=None, high=None):
    return {"count": count, "n": n, "rate": value, "low": low, "high": high, "clusters": n}


def target(name, **called):
    scores = {scorer: rate(3, 4, 0.75, 0.5, 0.9) for scorer in SCORERS[:-1]}
    scores["reason_quality"] = {"n": 4, "clusters": 4, "value": 0.6, "low": 0.4, "high": 0.8}
    critical = dict.fromkeys(("n", "high", "medium", "low", "abstained", "infra", "invalid"), 0) | called
    return {"name": name, "scores": scores, "critical": critical, "outcomes": dict.fromkeys(OUTCOMES, 0)}


def review(**changes):
    return {
        "candidate": target("rules", n=3, high=1, medium=1, abstained=1),
        "baseline": target("fixed", n=3, low=3),
        "comparison": {"first": "fixed", "second": "rules"},
        "rubric_judge": {"name": "offline"},
        "rubric_judge_measured": {"n": 9, "right": 7, "unscored": 0, "not_made_but_granted": 1, "made_but_denied": 1},
        "queue": {"rules": ZERO | {"no_background": 2}, "fixed": ZERO},
        "agreement": {
            "annotators": ["A", "B"],
            "items": 4,
            "left_out": 1,
            "aspects": {
                aspect: {
                    "percent": rate(3, 4, 0.75, 0.3, 0.9),
                    "kappa": {"value": 0.5, "low": 0.1, "high": 0.8},
                    "alpha": {"value": None, "low": None, "high": None},
                }
                for aspect in sorted(ASPECTS)
            },
        },
    } | changes


def flip(item_id="I1", **changes):
    return {
        "item_id": item_id,
        "kind": "new_critical_miss",
        "allowed_verdicts": "off-standard insufficient-grounding",
        "first_outcome": "answered",
        "first_verdict": "off-standard",
        "first_findings": "P1=medium P4=high",
        "first_reason": "“words of a contract”",
        "second_outcome": "abstained",
        "second_verdict": "insufficient-grounding",
        "second_findings": "",
        "second_reason": "“words of a contract”",
    } | changes


QUEUED = {"item_id": "I7", "target": "rules", "scorer": "key_facts", "reason": "no_background", "detail": "words"}


def test_the_order_is_that_of_the_scorers_and_leaves_none_out():
    assert review_tables.SCORERS == SCORERS
    assert review_tables.ASPECTS == ASPECTS
    assert tuple(reason.value for reason in Unscored) == review_tables.UNSCORED


def test_both_outputs_stand_side_by_side_in_the_order_given():
    table = review_tables.changed(review(), [flip("I9"), flip("I1", kind="mended")])
    assert table.headers[-2:] == ("fixed said", "rules said")
    assert table.rows[0] == (
        "I9",
        "new critical miss",
        "off-standard, insufficient-grounding",
        "off-standard (P1 medium, P4 high)",
        "abstained",
    )
    assert [row[0] for row in table.rows] == ["I9", "I1"]


def test_long_lists_are_cut_and_say_so():
    many = [flip(f"I{n}") for n in range(40)]
    table = review_tables.changed(review(), many)
    assert len(table.rows) == review_tables.FIRST and f"{review_tables.FIRST} of 40 flips" in table.note
    table = review_tables.waiting([QUEUED] * 40)
    assert len(table.rows) == review_tables.FIRST and f"{review_tables.FIRST} of 40 scores" in table.note


def test_unscored_by_reason_with_zeros():
    table = review_tables.unscored(review())
    assert {row[0]: row[1:] for row in table.rows} == {
        "judge parse failure": (0, 0),
        "infra": (0, 0),
        "no background": (2, 0),
        "expert disagreement": (0, 0),
    }


def test_the_queue_names_item_and_reason():
    assert review_tables.waiting([QUEUED]).rows == [("I7", "rules", "key facts", "no background")]
    assert review_tables.waiting([]).rows == [] and "0 of 0" in review_tables.waiting([]).note


def test_agreement_has_all_three_measures_with_intervals():
    rows = review_tables.agreement(review()).rows
    assert rows[1] == ("risk band", "3 of 4", "0.750 [0.300, 0.900]", "0.500 [0.100, 0.800]", "-")
    assert [row[0] for row in rows] == [aspect.replace("_", " ") for aspect in ASPECTS]
    none = review_tables.agreement(review(agreement={}))
    assert none.rows == [] and "no two independent opinions" in none.note


def test_a_critical_miss_is_told_from_an_abstention():
    table = review_tables.critical(review())
    assert table.rows[0] == ("rules", 3, 1, 1, 0, 1, 0, 0)
    assert table.headers[2:6] == ("high", "medium", "low", "abstained")


def test_scorers_with_counts_first_and_how_the_rubric_judge_was_measured():
    table = review_tables.scorers(review())
    assert table.rows[0] == ("schema", "3 of 4", "0.750 [0.500, 0.900]", "3 of 4", "0.750 [0.500, 0.900]")
    assert table.rows[-1][:3] == ("reason quality", "mean of 4", "0.600 [0.400, 0.800]")
    assert "right on 7 of 9" in table.note and "not made: 1;" in table.note


def test_no_contract_text_reaches_a_table():
    parts = review_tables.review_tables(review(), [flip()], [QUEUED])
    assert [part.title for part in parts] == [
        "Scorers", "Critical clauses among the labelled", "What flipped", "Unscored", "Uncertainty queue",
        "Agreement of the annotators",
    ]  # fmt: skip
    assert "words" not in "".join(part.text() for part in parts)
