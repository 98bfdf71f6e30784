"""Stage draw: the figures that hang on no threshold in force, so that a changed one redraws nothing."""

from __future__ import annotations

from pathlib import Path

from pipeline.base import records
from pipeline.base.errors import run
from pipeline.report import figures

READS: tuple[str, ...] = ()
METRICS = Path("metrics")
PLOTS = Path("plots")
CALIBRATION = Path("data/calibration")
#: The score whose stopped share is shown for every category.
STRIP = "probe"


def main() -> None:
    calibration, retrieval, judge = (
        records.read_json(METRICS / f"{name}.json") for name in ("calibration", "retrieval", "judge")
    )
    curve = records.read_rows(CALIBRATION / "curve.parquet")
    kinds = list(calibration["scores"])
    scores = records.read_columns(CALIBRATION / "scores.parquet", ["kind", *kinds])
    figures.distributions(scores, calibration, PLOTS / "gate1_distributions.png")
    figures.operating_curve(curve, PLOTS / "gate1_curve.png")
    figures.category_strip(calibration, STRIP, PLOTS / "gate1_categories.png")
    figures.retrieval(retrieval, PLOTS / "retrieval.png")
    figures.judge_operators(judge, PLOTS / "judge_operators.png")
    columns = ("score", "threshold", "kept", "stopped")
    held_out = [[point[name] for name in columns] for point in curve if point["side"] == "queries"]
    records.write_csv(PLOTS / "gate1_curve.csv", columns, held_out)


if __name__ == "__main__":
    run(main)
