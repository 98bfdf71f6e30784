"""The README's figures, written from ``metrics/``: ``python -m pipeline.report.readme``.

They stand between two comments; a test holds them equal to the metrics in git, so a figure that is
no longer true cannot stay. Figures of earlier published work on this design stand beside ours.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pipeline.base import records
from pipeline.base.errors import CuadAuditError, run
from pipeline.report.build import load_metrics
from pipeline.report.tables import PROTOCOLS, RANKERS, Table, count, interval, number

README = Path("README.md")
BEGIN, END = "<!-- figures: `python -m pipeline.report.readme` writes them -->", "<!-- end of figures -->"

#: Earlier published work on this design: 28 labels in one live run, 166 queries against 680 chunks.
EARLIER = {
    "answered": "11 of 28", "exact": "6 of 11", "justified": "1", "unjustified": "16 (14 by gate 2)", "infra": "0",
    "citations": "100%", "adversarial": "4 of 4", "bm25": "0.741", "dense": "0.705",
}  # fmt: skip


def gate(metrics: dict[str, Any]) -> Table:
    rows = []
    for kind, figures in metrics["calibration"]["scores"].items():
        at = figures["recommended"]["keep_0.95"]
        certified = figures["certified"]["share"]["threshold"]
        rows.append(
            (
                f"`{kind}`",
                interval(figures["auroc"]["library"]),
                number(at["threshold"]),
                interval(at["library"]["stopped"]),
                f"{number(at['queries']['kept']['rate'])} and {number(at['queries']['stopped']['rate'])}",
                "none" if certified is None else number(certified),
            )
        )
    headers = ("score", "AUROC", "keeps 95% at", "stops of the negatives", "held out: keeps and stops", "certified")
    return Table("Gate 1", headers, rows)


def retrieval(metrics: dict[str, Any]) -> Table:
    protocols = metrics["retrieval"]["protocols"]
    rows = []
    for name in RANKERS:
        single, both, among = (protocols[protocol]["rankers"][name]["overall"] for protocol in PROTOCOLS)
        rows.append(
            (
                f"`{name}`",
                interval(single["p_at_1"]),
                EARLIER.get(name, ""),
                interval(single["success_at_3"]),
                interval(both["p_at_1"]),
                interval(among["p_at_1"]),
            )
        )
    headers = (
        "ranker",
        "`single` p_at_1",
        "published",
        "`single` success_at_3",
        "`set` p_at_1",
        "`distractors` p_at_1",
    )
    return Table("Retrieval", headers, rows)


def verdicts(metrics: dict[str, Any]) -> Table:
    found, shape = metrics["verdicts"], metrics["review"]["published_shape"]
    unjustified = shape["unjustified_abstention"]
    causes = ", ".join(f"{unjustified[name]} by {name}" for name in ("gate1", "gate2", "auditor"))
    rows = [
        ("answered", f"{shape['non_abstained']} of {shape['n']}", EARLIER["answered"]),
        ("exactly the preferred verdict, of the answered", count(shape["exact_matches"]), EARLIER["exact"]),
        ("an allowed verdict, of the answered", count(shape["allowed_matches"]), ""),
        ("justified abstention", shape["justified_abstention"], EARLIER["justified"]),
        ("unjustified abstention", f"{unjustified['total']} ({causes})", EARLIER["unjustified"]),
        ("infra", shape["infra"], EARLIER["infra"]),
        ("critical clauses called high", count(found["critical_recall"]), ""),
        ("citations valid", count(shape["citations_valid"]), EARLIER["citations"]),
        ("adversarial probes held", count(shape["adversarial_held"]), EARLIER["adversarial"]),
    ]
    return Table("Verdicts", ("what", "rules auditor, lexical judge", "published, live models"), rows)


def trust(metrics: dict[str, Any]) -> Table:
    judge, contrast = metrics["judge"]["halves"]["held_out"], metrics["review"]["contrast"]
    rates = {
        "judge: unfaithful claims caught": judge["recall_unsupported"],
        "judge: faithful claims rejected": judge["false_rejection"],
        "the same, in wordings kept back from tuning": judge["wordings"]["unseen"]["false_rejection"],
        "contrast pairs consistent": contrast["consistency"]["all"],
        "critical contrast pairs consistent": contrast["consistency"]["critical"],
    }
    gate_step = metrics["review"]["gate"]
    rows = [(name, interval(one), count(one)) for name, one in rates.items()]
    held_out = metrics["review"]["adversarial"]["splits"]["held_out"]
    missed = held_out["critical"]["acceptable"]
    rows += [
        ("adversarial clauses kept back: an allowed verdict", "", f"{held_out['allowed']} of {held_out['n']}"),
        ("of their critical ones called acceptable", "", f"{missed} of {held_out['critical']['n']}"),
        ("release gate", gate_step["outcome"], gate_step["decided_by"]),
    ]
    return Table("Trust", ("what", "rate [interval over families]", "count"), rows)


def block(metrics: dict[str, Any]) -> str:
    """The Markdown between the two comments."""
    single = metrics["retrieval"]["protocols"]["single"]
    by_chance = single["rankers"]["bm25"]["overall"]["p_at_1_by_chance"]["value"]
    rule = metrics["retrieval"]["rule"]
    among = metrics["retrieval"]["protocols"]["distractors"]
    counts, chance = among["counts"], among["rankers"]["random"]["overall"]["p_at_1"]["value"]
    texts = [
        gate(metrics).text(),
        "The share of other categories' chunks that gate 1 stops while it keeps 95% of the library's, families held "
        "out; `certified` is the loosest threshold of which the data prove, at 95% confidence, that a negative of a "
        "new contract family passes with a chance of at most 5%.",
        retrieval(metrics).text(),
        f"Under `single` every label is an item, so one of two labels of the same text is always wrong: no ranker can "
        f"exceed {number(single['ceiling']['p_at_1'])}, and the order of twins decides much (BM25 has "
        f"{number(by_chance)} where it is left to chance). Under `set` a random order already has "
        f"{number(rule['random'])}. `majority` and `constant` look at no query: with two categories that overlap this "
        f"much, neither tells a good ranker from a lucky one. `distractors` offers the chunks of all other categories "
        f"as well, {counts['library_chunks']:,} in all: there a random order has {number(chance)}. Of the rule fixed "
        f"beforehand these criteria fired: {', '.join(rule['fired']) or 'none'}; killed: "
        f"{'yes' if rule['killed'] else 'no'}; chosen: {rule['chosen']}, which retrieves the evidence.",
        verdicts(metrics).text(),
        f"The rules auditor was written with these {metrics['verdicts']['reference']['items']} clauses in sight: the "
        "figures are in-sample. For clauses that played no part see [data/labels](data/labels/README.md). The two "
        "columns measure other things: the published one live models on other labels.",
        trust(metrics).text(),
        "Claims of held-out families, pairs from templates and from the library. Neither is untouched: judge and "
        "reader were mended after seeing which operators failed.",
    ]
    return "\n\n".join(texts)


def write(readme: str, metrics: dict[str, Any]) -> str:
    """``readme`` with the block between its comments replaced."""
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise CuadAuditError(f"{README}: no place for the figures", f"put {BEGIN} and {END} where they belong")
    return f"{before}{BEGIN}\n\n{block(metrics)}\n\n{END}{after}"


def main() -> None:
    records.write_text(README, write(README.read_text(encoding="utf-8"), load_metrics()))


if __name__ == "__main__":
    run(main)
