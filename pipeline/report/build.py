"""Stage report: figures, plot tables, the audit memo, and the report as Markdown and HTML.

Reads metrics/ and the derived tables; writes plots/ (in git: they hold figures, no contract text) and
data/report/ (not in git: the memo quotes contracts).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from pipeline import params, records
from pipeline.errors import run
from pipeline.report import figures, memo, page, tables

READS = ("source.name", "gate1.score", "gate1.threshold", "gate1.alpha", "gate1.delta")
METRICS = Path("metrics")
PLOTS = Path("plots")
OUT = Path("data/report")
CALIBRATION = Path("data/calibration")
VERDICTS = Path("data/verdicts")

PROOF = """This is a measurement of a program on a public set of contracts, not legal advice. The labels and
rulings that verdicts are measured against come from language-model passes; no lawyer took part. The
clauses are in English and come from filings in one country: nothing here says how the program does
elsewhere, or on clauses drafted since."""


#: What the report shows; a file that a later stage writes is none of its business.
SHOWN = ("slice", "chunk", "calibration", "retrieval", "verdicts", "judge", "review")


def load_metrics(folder: Path = METRICS) -> dict[str, Any]:
    return {name: records.read_json(folder / f"{name}.json") for name in SHOWN}


def draw(metrics: dict[str, Any], gate1: dict[str, Any], out: Path) -> list[tuple[str, str]]:
    """Every figure into ``out``; returns (file name, caption)."""
    scores = records.read_parquet(CALIBRATION / "scores.parquet")
    curve = records.read_parquet(CALIBRATION / "curve.parquet")
    figures.distributions(scores, gate1, out / "gate1_distributions.png")
    figures.operating_curve(curve, out / "gate1_curve.png")
    figures.category_strip(metrics["calibration"], gate1["score"], out / "gate1_categories.png")
    figures.retrieval(metrics["retrieval"], out / "retrieval.png")
    figures.taxonomy(metrics["verdicts"], out / "taxonomy.png")
    figures.confusion(metrics["verdicts"], out / "confusion.png")
    figures.risk_coverage(metrics["verdicts"], out / "risk_coverage.png")
    figures.judge_operators(metrics["judge"], out / "judge_operators.png")
    figures.contrast_operators(metrics["review"], out / "contrast_operators.png")
    figures.paired_differences(metrics["review"], out / "paired_differences.png")
    return [(path.name, path.stem.replace("_", " ")) for path in sorted(out.glob("*.png"))]


def plot_tables(metrics: dict[str, Any], out: Path) -> None:
    """The tables behind `dvc plots show`, as CSV."""
    curve = records.read_parquet(CALIBRATION / "curve.parquet")
    held_out = curve[curve["side"] == "queries"]
    held_out[["score", "threshold", "kept", "stopped"]].to_csv(out / "gate1_curve.csv", index=False)
    taxonomy = metrics["verdicts"]["taxonomy"]
    pd.DataFrame({"cause": taxonomy.keys(), "count": taxonomy.values()}).to_csv(out / "taxonomy.csv", index=False)
    points = metrics["verdicts"]["risk_coverage"]["points"]
    curve = pd.DataFrame(points, columns=["threshold", "answered", "wrong"])
    curve = curve[curve["answered"] > 0]
    curve["coverage"] = (curve["answered"] / metrics["verdicts"]["risk_coverage"]["n"]).round(6)
    curve["risk"] = (curve["wrong"] / curve["answered"]).round(6)
    curve.to_csv(out / "risk_coverage.csv", index=False)


def sections(metrics: dict[str, Any], settings: Any) -> list[tables.Table]:
    in_force = {"score": settings.gate1.score, "threshold": settings.gate1.threshold}
    return [
        tables.corpus(metrics["slice"], metrics["chunk"]),
        tables.gate(metrics["calibration"], in_force),
        tables.certificate(metrics["calibration"], settings.gate1.alpha, settings.gate1.delta),
        tables.retrieval(metrics["retrieval"]),
        tables.outcomes(metrics["verdicts"]),
        tables.taxonomy(metrics["verdicts"]),
        tables.rates(metrics["verdicts"]),
        tables.positions(metrics["verdicts"]),
        tables.published(metrics["review"]),
        tables.paired(metrics["review"]),
        tables.judge(metrics["judge"]),
        tables.contrast(metrics["review"]),
        tables.release(metrics["review"]),
    ]


def markdown(title: str, parts: list[tables.Table], pictures: list[tuple[str, str]]) -> str:
    lines = [f"# {title}", "", PROOF, ""]
    for part in parts:
        lines += [f"## {part.title}", "", part.text(), ""]
    lines += ["## Figures", ""]
    for name, caption in pictures:
        lines += [f"![{caption}]({name})", ""]
    return "\n".join(lines)


def main() -> None:
    settings = params.load(READS)
    metrics = load_metrics()
    outcomes = records.read_parquet(VERDICTS / "outcomes.parquet").to_dict("records")
    recorded = records.read_jsonl(VERDICTS / "verdicts.jsonl")
    gate1 = {"score": settings.gate1.score, "threshold": settings.gate1.threshold}
    title = f"cuad-audit on {settings.source.name}"
    front = {
        "goal_id": "audit-memo",
        "source": settings.source.name,
        "auditor": metrics["verdicts"]["auditor"]["name"],
        "judge": metrics["verdicts"]["judge"]["name"],
        "reference_version": metrics["verdicts"]["reference_version"],
    }
    with records.atomic_folder(PLOTS) as plots:
        pictures = draw(metrics, gate1, plots)
        plot_tables(metrics, plots)
    parts = sections(metrics, settings)
    text = markdown(title, parts, pictures)
    linked = markdown(title, parts, [(f"../../plots/{name}", caption) for name, caption in pictures])
    with records.atomic_folder(OUT) as out:
        (out / "memo.md").write_text(memo.memo(outcomes, recorded, front), encoding="utf-8")
        (out / "report.md").write_text(linked, encoding="utf-8")
        (out / "index.html").write_text(page.page(text, title, PLOTS), encoding="utf-8")


if __name__ == "__main__":
    run(main)
