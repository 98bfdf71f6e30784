"""Stage report: figures, plot tables, the audit memo, and the report as Markdown and HTML.

Reads metrics/ and the derived tables; writes plots/ (in git: they hold figures, no contract text) and
data/report/ (not in git: the memo quotes contracts).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pipeline.base import params, records
from pipeline.base.errors import run
from pipeline.report import figures, memo, page, tables
from pipeline.report.review_tables import review_tables
from pipeline.report.summary import summary

READS = ("source.name", "gate1.score", "gate1.threshold", "gate1.alpha", "gate1.delta")
METRICS = Path("metrics")
PLOTS = Path("plots")
OUT = Path("data/report")
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
    """The figures and plot tables that follow the threshold in force; stage draw has the others."""
    verdicts, review = metrics["verdicts"], metrics["review"]
    figures.taxonomy(verdicts, PLOTS / "taxonomy.png")
    figures.confusion(verdicts, PLOTS / "confusion.png")
    figures.risk_coverage(verdicts, PLOTS / "risk_coverage.png")
    figures.contrast_operators(review, PLOTS / "contrast_operators.png")
    figures.paired_differences(review, PLOTS / "paired_differences.png")
    records.write_csv(PLOTS / "taxonomy.csv", ("cause", "count"), verdicts["taxonomy"].items())
    header, n = ("threshold", "answered", "wrong", "coverage", "risk"), verdicts["risk_coverage"]["n"]
    curve = [[point[name] for name in header[:3]] for point in verdicts["risk_coverage"]["points"] if point["answered"]]
    shares = [[*point, round(point[1] / n, 6), round(point[2] / point[1], 6)] for point in curve]
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
    pictures = [(path.name, path.stem.replace("_", " ")) for path in sorted(PLOTS.glob("*.png"))]
    flips, queue = (records.read_jsonl(REVIEW / name) for name in ("flips.jsonl", "queue.jsonl"))
    parts = sections(metrics, settings, flips, queue)
    text = markdown(title, parts, pictures)
    linked = markdown(title, parts, [(f"../../plots/{name}", caption) for name, caption in pictures])
    with records.atomic_folder(OUT) as out:
        (out / "memo.md").write_text(memo.memo(outcomes, recorded, front), encoding="utf-8")
        (out / "report.md").write_text(linked, encoding="utf-8")
        (out / "index.html").write_text(page.page(text, title, PLOTS), encoding="utf-8")


if __name__ == "__main__":
    run(main)
