"""The figures, built with matplotlib from metrics and tables; PNG, the same bytes for the same values.

A function builds one figure and ``png`` draws it, in this project's style; ``gallery`` says which there are. Colours
are Okabe and Ito's, which the colour-blind tell apart; every axis names its unit.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure  # without pyplot: no window, no backend to choose, no figure to close

from pipeline.base.types import AUDITOR_VERDICTS, FailureCause, Verdict

Tree = Mapping[str, Any]
BLUE, ORANGE, GREEN, RED, GREY, SKY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#666666", "#56B4E9"
KINDS = {"cosine_top1": BLUE, "cosine_top5": SKY, "probe": ORANGE}
#: The score whose stopped share is shown for every category.
STRIP = "probe"
RETRIEVERS = {"bm25": BLUE, "dense": ORANGE, "rrf": GREEN, "random": GREY}
STYLE = {
    "figure.dpi": 110,
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "legend.frameon": False,
}


def png(build: Callable[..., Figure], *values: Any) -> bytes:
    """``build(*values)`` as a PNG, without a software tag that names a version.

    Drawn by the canvas itself: ``savefig`` would go through the figure once more, for a layout that drawing
    settles anyway; the bytes are the same.
    """
    with matplotlib.rc_context(STYLE):
        drawn = io.BytesIO()
        FigureCanvasAgg(build(*values)).print_png(drawn, metadata={"Software": None})
    return drawn.getvalue()


def panels(columns: int = 1, width: float = 7.0, height: float = 3.2) -> tuple[Figure, list[Axes]]:
    """An empty figure with its axes in one row; sizes in inches."""
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, list(figure.subplots(1, columns, squeeze=False)[0])


def distributions(scores: Mapping[str, Sequence[Any]], calibration: Tree) -> Figure:
    """Evidence scores of positives and negatives under each kind; recommended thresholds are dashed.
    ``scores``: columns of one length, ``kind`` and one a score."""
    kinds = [kind for kind in KINDS if kind in scores]
    sides = np.asarray(scores["kind"])
    figure, axes = panels(len(kinds), width=3.2 * len(kinds))
    for axis, kind in zip(axes, kinds, strict=True):
        found = np.asarray(scores[kind], dtype=float)
        bins = np.linspace(min(0.0, found.min()), 1, 41)
        for label, colour in (("negative", GREY), ("positive", KINDS[kind])):
            values = found[sides == label]
            shares = np.histogram(values, bins)[0] / len(values)
            axis.stairs(shares, bins, fill=True, color=colour, alpha=0.6, label=f"{label}s (n = {len(values):,})")
        axis.set(title=kind, xlabel="evidence score", ylabel="share of units")
        top = axis.get_ylim()[1]
        axis.set_ylim(0, 1.4 * top)  # the legend stands above all that is drawn
        recommended = calibration["scores"][kind]["recommended"]
        lowest = min((at["threshold"] for at in recommended.values()), default=0.0)
        for name, at in recommended.items():
            axis.vlines(at["threshold"], 0, top, color="black", linestyle="--", linewidth=0.8)
            # Two thresholds may be close: their names stand on either side.
            side = "right" if at["threshold"] == lowest else "left"
            axis.text(at["threshold"], top, f" {name[-4:]} ", fontsize=6, ha=side, va="bottom")
        axis.legend(fontsize=7, loc="upper center")
    return figure


def operating_curve(curve: Sequence[Tree]) -> Figure:
    """Negatives stopped against positives kept as the threshold moves; held-out families dotted.
    ``curve``: points with score, side, kept and stopped."""
    lines: dict[tuple[str, str], list[Tree]] = {}
    for point in curve:
        lines.setdefault((point["score"], point["side"]), []).append(point)
    figure, (axis,) = panels(width=5.2, height=3.8)
    for (kind, side), points in lines.items():
        label, style = (None, ":") if side == "queries" else (kind, "-")
        kept, stopped = ([100 * point[name] for point in points] for name in ("kept", "stopped"))
        axis.plot(kept, stopped, style, color=KINDS[kind], label=label)
    axis.set(xlabel="positives kept (%)", ylabel="negatives stopped (%)", xlim=(60, 100.5), ylim=(0, 101))
    axis.set_title("Gate 1: what it keeps and what it stops (held-out families dotted)")
    axis.legend(loc="lower left")
    return figure


def category_strip(calibration: Tree, kind: str = STRIP) -> Figure:
    """For each CUAD category the share of its spans that gate 1 stops at the strictest keep."""
    rows = [row for row in calibration["categories"] if kind in row["stopped"]]
    if not rows:  # every category was chosen, or there is no such score
        figure, (axis,) = panels(width=7, height=0.9)
        axis.set_title(f"Gate 1 by category: no category has a score {kind}")
        axis.set_axis_off()
        return figure
    keep = max(rows[0]["stopped"][kind])
    shares = [(row["stopped"][kind][keep] / row["n"], row["name"], row["n"]) for row in rows]
    shares.sort(key=lambda share: (share[0], share[1]))
    figure, (axis,) = panels(width=7, height=0.19 * len(shares) + 0.9)
    places = range(len(shares))
    axis.scatter([100 * share for share, _, _ in shares], places, s=16, color=KINDS[kind])
    axis.hlines(places, 0, [100 * share for share, _, _ in shares], color=KINDS[kind], alpha=0.25)
    axis.set_yticks(places, [f"{name} ({n:,})" for _, name, n in shares], fontsize=7)
    axis.set(xlabel="spans stopped (%)", xlim=(0, 101), ylim=(-0.7, len(shares) - 0.3))
    axis.set_title(f"Gate 1 by category: {kind}, {keep.replace('_', ' ')}")
    return figure


def retrieval(metrics: Tree) -> Figure:
    """p_at_1 and success_at_3 of each retriever under every protocol, with intervals over families."""
    protocols = ["single", "set", "distractors"]
    figure, axes = panels(2, width=7.4, height=3.6)
    for axis, metric in zip(axes, ("p_at_1", "success_at_3"), strict=True):
        for offset, (name, colour) in enumerate(RETRIEVERS.items()):
            found = [metrics["protocols"][p]["rankers"][name]["overall"][metric] for p in protocols]
            places = np.arange(len(protocols)) + 0.19 * (offset - 1.5)
            values = [one["value"] or 0 for one in found]
            _error_bars(axis, places, values, found, colour, name, 0.17)
        ceiling = metrics["protocols"]["single"]["ceiling"].get(metric)
        if ceiling is not None:
            axis.hlines(ceiling, -0.45, 0.45, color="black", linestyle="--", linewidth=1, label="ceiling (twins)")
        axis.set(title=metric, ylim=(0, 1.05), xlabel="protocol", ylabel="share of queries")
        axis.set_xticks(range(len(protocols)), protocols)
    figure.legend(*axes[0].get_legend_handles_labels(), fontsize=8, ncols=5, loc="outside lower center")
    return figure


def taxonomy(verdicts: Tree) -> Figure:
    """Every declared outcome of an audit, in counts, zeros included."""
    labels = [(cause.value, verdicts["taxonomy"][cause.value]) for cause in FailureCause]
    colours = [GREEN if name == "none" else RED if name.startswith("infra") else ORANGE for name, _ in labels]
    figure, (axis,) = panels(width=6, height=0.24 * len(labels) + 0.8)
    bars = axis.barh([name for name, _ in labels], [value for _, value in labels], color=colours)
    axis.bar_label(bars, padding=3, fontsize=8)
    axis.invert_yaxis()
    axis.set(xlabel=f"clauses (n = {verdicts['outcomes']['n']})")
    axis.set_title("Failure taxonomy: answered, abstained, infra")
    return figure


def confusion(verdicts: Tree) -> Figure:
    """Preferred verdict of the reference by verdict given, in counts."""
    table = np.array([[verdicts["confusion"][wanted][given] for given in Verdict] for wanted in AUDITOR_VERDICTS])
    figure, (axis,) = panels(width=5.6, height=3.4)
    axis.imshow(table, cmap="Blues", vmin=0)
    axis.set_xticks(range(table.shape[1]), list(Verdict), rotation=20, ha="right")
    axis.set_yticks(range(table.shape[0]), list(AUDITOR_VERDICTS))
    axis.set(xlabel="verdict given", ylabel="preferred verdict of the reference")
    middle = table.max() / 2
    for (row, column), value in np.ndenumerate(table):
        axis.text(column, row, value, ha="center", va="center", color="white" if value > middle else "black")
    return figure


def risk_coverage(verdicts: Tree) -> Figure:
    """Wrong among the answered against the share answered, as gate 1's threshold moves."""
    curve = verdicts["risk_coverage"]
    points = [point for point in curve["points"] if point["answered"]]
    figure, (axis,) = panels(width=5.2, height=3.4)
    coverage = [100 * point["answered"] / curve["n"] for point in points]
    risk = [100 * point["wrong"] / point["answered"] for point in points]
    axis.step(coverage, risk, where="post", color=BLUE)
    axis.set(xlabel="coverage: clauses answered (%)", ylabel="selective risk: wrong among them (%)", xlim=(0, 101))
    axis.set_ylim(0, max([5.0, *risk]) * 1.1)
    axis.set_title(f"Risk and coverage (n = {curve['n']}), ranked by gate-1 score")
    return figure


def judge_operators(metrics: Tree) -> Figure:
    """The share of claims that the faithfulness judge judges right, an operator a bar, with its n."""
    found = metrics["halves"]["held_out"]["operators"]
    order = sorted(found, key=lambda name: (not found[name]["faithful"], name))
    rights = [found[name]["right"] for name in order]
    colours = [GREEN if found[name]["faithful"] else ORANGE for name in order]
    figure, (axis,) = panels(width=6.4, height=0.26 * len(order) + 0.9)
    shares = [100 * one["count"] / max(one["n"], 1) for one in rights]
    bars = axis.barh([name.replace("_", " ") for name in order], shares, color=colours)
    axis.bar_label(bars, [f"{one['count']} of {one['n']}" for one in rights], padding=3, fontsize=7)
    axis.invert_yaxis()
    axis.set(xlabel="claims judged right (%)", xlim=(0, 118))
    axis.set_title("The judge on claims of known truth (green: faithful, orange: unfaithful)")
    return figure


def contrast_operators(review: Tree) -> Figure:
    """The share of contrast pairs that are consistent, an operator a bar; critical operators in red."""
    found = review["contrast"]["operators"]
    order = sorted(found, key=lambda name: (not found[name]["critical"], name))
    sums = [
        [sum(found[name][kind][key] for kind in ("template", "library")) for key in ("count", "n")] for name in order
    ]
    colours = [RED if found[name]["critical"] else BLUE for name in order]
    figure, (axis,) = panels(width=6.4, height=0.26 * len(order) + 0.9)
    shares = [100 * right / max(total, 1) for right, total in sums]
    bars = axis.barh([name.replace("_", " ") for name in order], shares, color=colours)
    axis.bar_label(bars, [f"{right} of {total}" for right, total in sums], padding=3, fontsize=7)
    axis.invert_yaxis()
    axis.set(xlabel="pairs consistent (%)", xlim=(0, 118))
    axis.set_title("Contrast pairs (red: critical operators)")
    return figure


def paired_differences(review: Tree) -> Figure:
    """The auditor minus the keyword baseline on the same items, with intervals over families."""
    measures = review["comparison"]["measures"]  # one of no item, such as of a run that answers nothing, has n alone
    found = {name: one for name, one in measures.items() if one["n"] and one["difference"]["low"] is not None}
    figure, (axis,) = panels(width=6.0, height=0.3 * max(len(found), 1) + 0.9)
    for place, one in enumerate(found.values()):
        difference = one["difference"]
        axis.plot([difference["low"], difference["high"]], [place, place], color=BLUE, linewidth=1.5)
        axis.plot(difference["value"], place, "o", color=BLUE, markersize=5)
    axis.axvline(0, color="black", linewidth=0.8)
    axis.set_yticks(range(len(found)), [name.replace("_", " ") for name in found])
    axis.invert_yaxis()
    axis.set(xlabel="difference in the share of items")
    axis.set_title(f"{review['comparison']['second']} minus {review['comparison']['first']}, paired")
    return figure


def _error_bars(
    axis: Axes, places: Any, values: list[float], found: list[Tree], colour: str, label: str, width: float
) -> None:
    axis.bar(places, values, width, color=colour, label=label)
    known = [(place, one) for place, one in zip(places, found, strict=True) if one.get("low") is not None]
    if known:
        middle = [one["value"] for _, one in known]
        below = [max(one["value"] - one["low"], 0) for _, one in known]
        above = [max(one["high"] - one["value"], 0) for _, one in known]
        axis.errorbar([place for place, _ in known], middle, [below, above], fmt="none", ecolor="black", elinewidth=0.8)
