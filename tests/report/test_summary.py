from __future__ import annotations

from pipeline.report.build import load_metrics
from pipeline.report.summary import summary


def test_it_is_flat_and_says_what_the_metrics_say(root, monkeypatch):
    monkeypatch.chdir(root)
    metrics = load_metrics()
    found = summary(metrics, {"score": "probe", "threshold": 0.43})
    assert all(value is None or isinstance(value, int | float | str) for value in found.values())
    assert len(found) < 30, "more would not fit on a screen"
    counts = metrics["verdicts"]["outcomes"]
    assert found["answered"] == counts["answered"]
    assert found["unjustified_abstention"] == counts["unjustified_abstention"]
    assert found["release_gate"] == metrics["review"]["gate"]["outcome"]


def test_what_gate_one_stops_is_of_the_score_in_force(root, monkeypatch):
    monkeypatch.chdir(root)
    metrics = load_metrics()
    scores = {name: value for name, value in metrics["calibration"]["scores"].items() if name != "probe"}
    metrics["calibration"] = {**metrics["calibration"], "scores": scores}
    stopped = scores["cosine_top1"]["recommended"]["keep_0.95"]["library"]["stopped"]["rate"]
    assert summary(metrics, {"score": "cosine_top1", "threshold": 0.57})["gate1_stopped_keep_95"] == stopped
    # No negatives, no probe.
    assert summary(metrics, {"score": "probe", "threshold": 0.4})["gate1_stopped_keep_95"] is None
