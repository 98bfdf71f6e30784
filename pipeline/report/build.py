"""Stage report: figures, plot tables, the audit memo, and the report as Markdown and HTML.

Reads metrics/ and the derived tables; writes plots/ (in git: they hold figures, no contract text) and
data/report/ (not in git: the memo quotes contracts).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pipeline.base import params, records
from pipeline.base.errors import run
from pipeline.report import gallery, memo, page, tables
from pipeline.report.review_tables import review_tables
from pipeline.report.summary import summary

READS = ("source.name", "gate1.score", "gate1.threshold", "gate1.alpha", "gate1.delta")
METRICS = Path("metrics")
PLOTS = Path("plots")
OUT = Path("data/report")
CALIBRATION = Path("data/calibration")
VERDICTS = Path("data/verdicts")
REVIEW = Path("data/review")

PROOF = """This is a measurement of a program on a public set of contracts, not legal advice. The labels and
rulings that verdicts are measured against come from language-model passes; no lawyer took part. The
clauses are in English and come from filings in one country: nothing here says how the program does
elsewhere, or on clauses drafted since.

`rules` is the embedded auditor, `fixed` a frozen keyword baseline to compare it with; P1 to P6 are the positions of the
standard (`cuad-audit standard` shows them). docs/EVALUATION.md defines every figure."""


#: What the report shows; a file that a later stage writes is none of its business.
SHOWN = ("slice", "chunk", "calibration", "retrieval", "verdicts", "judge", "review")


def load_metrics(folder: Path = METRICS) -> dict[str, Any]:
    return {name: records.read_json(folder / f"{name}.json") for name in SHOWN}


def draw(metrics: dict[str, Any]) -> None:
    """All figures and plot tables."""
    curve = records.read_rows(CALIBRATION / "curve.parquet")
    scores = records.read_columns(CALIBRATION / "scores.parquet", ["kind", *metrics["calibration"]["scores"]])
    for name, picture in gallery.drawn({**metrics, "curve": curve, "scores": scores}).items():
        records.write_bytes(PLOTS / f"{name}.png", picture)
    columns = ("score", "threshold", "kept", "stopped")
    held_out = [[point[name] for name in columns] for point in curve if point["side"] == "queries"]
    records.write_csv(PLOTS / "gate1_curve.csv", columns, held_out)
    verdicts = metrics["verdicts"]
    records.write_csv(PLOTS / "taxonomy.csv", ("cause", "count"), verdicts["taxonomy"].items())
    header, risk = ("threshold", "answered", "wrong", "coverage", "risk"), verdicts["risk_coverage"]
    points = [[point[name] for name in header[:3]] for point in risk["points"] if point["answered"]]
    shares = [[*point, round(point[1] / risk["n"], 6), round(point[2] / point[1], 6)] for point in points]
    records.write_csv(PLOTS / "risk_coverage.csv", header, shares)


def sections(
    metrics: dict[str, Any], settings: Any, flips: list[dict[str, Any]], queue: list[dict[str, Any]]
) -> list[tables.Table]:
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
        *review_tables(metrics["review"], flips, queue),
        tables.judge(metrics["judge"]),
        tables.contrast(metrics["review"]),
        tables.adversarial(metrics["review"]),
        tables.release(metrics["review"]),
    ]


def markdown(title: str, parts: list[tables.Table]) -> str:
    """The report; it names the figures as from ``OUT``."""
    lines = [f"# {title}", "", PROOF, ""]
    for part in parts:
        lines += [f"## {part.title}", "", part.text(), ""]
    lines += ["## Figures", ""]
    for exhibit in gallery.EXHIBITS:
        lines += [f"![{exhibit.caption}](../../{PLOTS}/{exhibit.name}.png)", "", exhibit.caption, ""]
    return "\n".join(lines)


def main() -> None:
    settings = params.load(READS)
    metrics = load_metrics()
    outcomes = records.read_rows(VERDICTS / "outcomes.parquet")
    recorded = records.read_jsonl(VERDICTS / "verdicts.jsonl")
    title = f"cuad-audit on {settings.source.name}"
    front = {
        "goal_id": "audit-memo",
        "source": settings.source.name,
        "auditor": metrics["verdicts"]["auditor"]["name"],
        "judge": metrics["verdicts"]["judge"]["name"],
        "reference_version": metrics["verdicts"]["reference_version"],
    }
    draw(metrics)
    in_force = {"score": settings.gate1.score, "threshold": settings.gate1.threshold}
    records.write_json(METRICS / "summary.json", summary(metrics, in_force))
    flips, queue = (records.read_jsonl(REVIEW / name) for name in ("flips.jsonl", "queue.jsonl"))
    text = markdown(title, sections(metrics, settings, flips, queue))
    with records.atomic_folder(OUT) as out:
        (out / "memo.md").write_text(memo.memo(outcomes, recorded, front), encoding="utf-8")
        (out / "report.md").write_text(text, encoding="utf-8")
        (out / "index.html").write_text(page.page(text, title, out), encoding="utf-8")


if __name__ == "__main__":
    run(main)
