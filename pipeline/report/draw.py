"""Stage draw: the figures that hang on no threshold in force, so that a changed one redraws nothing."""

from __future__ import annotations

from pathlib import Path

from pipeline import records
from pipeline.errors import run
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
    curve = records.read_parquet(CALIBRATION / "curve.parquet")
    figures.distributions(
        records.read_parquet(CALIBRATION / "scores.parquet"), calibration, PLOTS / "gate1_distributions.png"
    )
    figures.operating_curve(curve, PLOTS / "gate1_curve.png")
    figures.category_strip(calibration, STRIP, PLOTS / "gate1_categories.png")
    figures.retrieval(retrieval, PLOTS / "retrieval.png")
    figures.judge_operators(judge, PLOTS / "judge_operators.png")
    held_out = curve.loc[curve["side"] == "queries", ["score", "threshold", "kept", "stopped"]]
    records.write_text(PLOTS / "gate1_curve.csv", held_out.to_csv(index=False))


if __name__ == "__main__":
    run(main)
