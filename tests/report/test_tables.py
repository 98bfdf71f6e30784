from __future__ import annotations

from pipeline.base.types import FailureCause
from pipeline.report import tables


def rate(count, n, value=None, low=None, high=None):
    return {"count": count, "n": n, "rate": value, "low": low, "high": high, "clusters": n}


def test_a_rate_without_enough_families_is_a_dash_and_never_zero():
    assert tables.interval(rate(0, 3)) == "-"
    assert tables.interval(rate(1, 2, 0.5, 0.1, 0.9)) == "0.500 [0.100, 0.900]"
    assert tables.interval({"value": 0.0, "low": 0.0, "high": 0.25}) == "0.000 [0.000, 0.250]"
    assert tables.count(rate(1, 2)) == "1 of 2"


def test_no_p_value_is_zero():
    assert [tables.p_value(p) for p in (0.5, 0.0001, 0.00009, 1e-12)] == ["0.5000", "0.0001", "< 0.0001", "< 0.0001"]


def test_every_declared_cause_is_shown_zeros_included():
    counts = {cause.value: 0 for cause in FailureCause} | {"gate1": 3}
    shown = dict(tables.taxonomy({"taxonomy": counts}).rows)
    assert shown == counts
    assert list(shown) == [cause.value for cause in FailureCause]


def test_a_certificate_that_the_data_cannot_give_says_what_it_would_take():
    found = {"threshold": None, "families": 9, "clean_families": 59}
    table = tables.certificate({"scores": {"probe": {"certified": {"share": found}}}}, 0.05, 0.05)
    assert table.rows == [("probe", 9, "none: 59 families without a passing negative would do", "-")]


def test_text_has_the_note_below_the_table():
    table = tables.Table("T", ("a",), [(1,)], "A note.")
    assert table.text().endswith("\n\nA note.")
    assert "| 1   |" in table.text()


def test_a_comparison_without_an_item_is_shown_as_zeros_and_dashes():
    found = {"first": "keyword", "second": "rules", "flips": 0, "measures": {"band": {"n": 0, "left_out": 80}}}
    assert tables.paired({"comparison": found}).rows == [("band", 0, 0, 0, "-", "-")]
