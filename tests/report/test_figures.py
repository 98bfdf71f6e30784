from __future__ import annotations

import matplotlib
import pytest

from pipeline.base.records import read_json
from pipeline.report import figures

PNG = b"\x89PNG"


@pytest.fixture
def metrics(root):
    return {path.stem: read_json(path) for path in (root / "metrics").glob("*.json")}


def test_other_values_give_another_picture(metrics):
    changed = {**metrics["verdicts"], "taxonomy": {**metrics["verdicts"]["taxonomy"], "infra_timeout": 40}}
    assert figures.png(figures.taxonomy, metrics["verdicts"]) != figures.png(figures.taxonomy, changed)


def test_no_setting_of_a_user_changes_the_picture(metrics):
    usual = figures.png(figures.confusion, metrics["verdicts"])
    with matplotlib.rc_context({"savefig.dpi": 30, "savefig.bbox": "tight"}):
        assert figures.png(figures.confusion, metrics["verdicts"]) == usual


def test_no_category_still_draws(metrics):
    assert figures.png(figures.category_strip, {**metrics["calibration"], "categories": []}).startswith(PNG)


def test_no_answered_clause_still_draws(metrics):
    curve = {**metrics["verdicts"]["risk_coverage"], "points": []}
    assert figures.png(figures.risk_coverage, {**metrics["verdicts"], "risk_coverage": curve}).startswith(PNG)


def test_a_comparison_without_an_item_still_draws(metrics):
    """Where nothing is answered, measures of answers have no item and no difference."""
    measures = {name: {"n": 0, "left_out": 80} for name in metrics["review"]["comparison"]["measures"]}
    review = {"comparison": {**metrics["review"]["comparison"], "measures": measures}}
    assert figures.png(figures.paired_differences, review).startswith(PNG)
