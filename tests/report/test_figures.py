from __future__ import annotations

import numpy as np
import pytest

from pipeline.base.records import read_json
from pipeline.report import figures


@pytest.fixture
def metrics(root):
    return {path.stem: read_json(path) for path in (root / "metrics").glob("*.json")}


def draw(metrics, folder):
    """Every figure that needs metrics alone, and the two that need a table."""
    rng = np.random.default_rng(1)
    scores = {"kind": ["positive", "negative"] * 20, "probe": rng.random(40), "cosine_top1": rng.random(40)}
    curve = [{"score": "probe", "side": side, "kept": 0.9, "stopped": 0.8} for side in ("library", "queries") * 5]
    figures.distributions(scores, metrics["calibration"], folder / "distributions.png")
    figures.operating_curve(curve, folder / "curve.png")
    figures.category_strip(metrics["calibration"], "probe", folder / "categories.png")
    figures.retrieval(metrics["retrieval"], folder / "retrieval.png")
    for name in ("taxonomy", "confusion", "risk_coverage"):
        getattr(figures, name)(metrics["verdicts"], folder / f"{name}.png")
    figures.judge_operators(metrics["judge"], folder / "judge.png")
    figures.contrast_operators(metrics["review"], folder / "contrast.png")
    figures.paired_differences(metrics["review"], folder / "paired.png")
    return {path.name: path.read_bytes() for path in folder.glob("*.png")}


def test_the_same_values_give_the_same_bytes(metrics, tmp_path):
    first, second = (draw(metrics, tmp_path / name) for name in ("one", "two"))
    assert len(first) == 10
    assert first == second


def test_other_values_give_another_picture(metrics, tmp_path):
    figures.taxonomy(metrics["verdicts"], tmp_path / "a.png")
    changed = {**metrics["verdicts"], "taxonomy": {**metrics["verdicts"]["taxonomy"], "infra_timeout": 40}}
    figures.taxonomy(changed, tmp_path / "b.png")
    assert (tmp_path / "a.png").read_bytes() != (tmp_path / "b.png").read_bytes()


def test_no_category_still_draws(metrics, tmp_path):
    figures.category_strip({**metrics["calibration"], "categories": []}, "probe", tmp_path / "a.png")
    assert (tmp_path / "a.png").stat().st_size > 0


def test_no_answered_clause_still_draws(metrics, tmp_path):
    curve = {**metrics["verdicts"]["risk_coverage"], "points": []}
    figures.risk_coverage({**metrics["verdicts"], "risk_coverage": curve}, tmp_path / "a.png")
    assert (tmp_path / "a.png").stat().st_size > 0


def test_a_comparison_without_an_item_still_draws(metrics, tmp_path):
    """Where nothing is answered, measures of answers have no item and no difference."""
    measures = {name: {"n": 0, "left_out": 80} for name in metrics["review"]["comparison"]["measures"]}
    review = {"comparison": {**metrics["review"]["comparison"], "measures": measures}}
    figures.paired_differences(review, tmp_path / "a.png")
    assert (tmp_path / "a.png").stat().st_size > 0
