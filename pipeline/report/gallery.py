"""The report's figures: which there are, in the order of the report, what each shows and what it reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.figure import Figure

from pipeline.base.parallel import spread, workers_for
from pipeline.report import figures


@dataclass(frozen=True, slots=True)
class Exhibit:
    """``name`` is the file's stem; ``build`` takes the values of ``reads`` in their order."""

    name: str
    caption: str
    build: Callable[..., Figure]
    reads: tuple[str, ...]


EXHIBITS = (
    Exhibit(
        "gate1_distributions",
        "Evidence scores of positives and negatives, a kind of score a panel; dashed: the recommended thresholds.",
        figures.distributions,
        ("scores", "calibration"),
    ),
    Exhibit(
        "gate1_curve",
        "Negatives that gate 1 stops against positives that it keeps, by threshold; dotted: held-out families.",
        figures.operating_curve,
        ("curve",),
    ),
    Exhibit(
        "gate1_categories",
        "Share of the spans of every other category that gate 1 stops; the title names score and threshold.",
        figures.category_strip,
        ("calibration",),
    ),
    Exhibit(
        "retrieval",
        "Queries with a relevant chunk first (p_at_1) and among the first three (success_at_3), by protocol and "
        "ranker, with intervals over contract families.",
        figures.retrieval,
        ("retrieval",),
    ),
    Exhibit(
        "taxonomy",
        "How the audits of the labelled clauses ended: answered, abstained by cause, infra.",
        figures.taxonomy,
        ("verdicts",),
    ),
    Exhibit(
        "confusion",
        "The reference's preferred verdict by the verdict given, in clauses.",
        figures.confusion,
        ("verdicts",),
    ),
    Exhibit(
        "risk_coverage",
        "Share wrong among the answered against the share answered, as gate 1's threshold moves.",
        figures.risk_coverage,
        ("verdicts",),
    ),
    Exhibit(
        "paired_differences",
        "The auditor minus the keyword baseline on the same clauses, with intervals over contract families.",
        figures.paired_differences,
        ("review",),
    ),
    Exhibit(
        "judge_operators",
        "Claims of known truth that the judge judges right, by kind of claim; green: faithful, orange: unfaithful.",
        figures.judge_operators,
        ("judge",),
    ),
    Exhibit(
        "contrast_operators",
        "Contrast pairs whose two verdicts agree with the change between them, by change; red: critical ones.",
        figures.contrast_operators,
        ("review",),
    ),
)


def drawn(sources: Mapping[str, Any]) -> dict[str, bytes]:
    """Every figure as PNG under its name, drawn by all processors; ``sources``: what the exhibits read, by name."""
    work = [(exhibit.build, [sources[name] for name in exhibit.reads]) for exhibit in EXHIBITS]
    pictures = spread(_draw, work, workers_for(), size=1)
    return {exhibit.name: picture for exhibit, picture in zip(EXHIBITS, pictures, strict=True)}


def _draw(work: Sequence[tuple[Callable[..., Figure], Sequence[Any]]]) -> list[bytes]:
    return [figures.png(build, *values) for build, values in work]
