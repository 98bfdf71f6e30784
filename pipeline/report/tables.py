"""The metrics as tables that a person reads: ``Table`` values from the JSON of ``metrics/``.

Convention: counts stand before rates; a rate is written with its interval; ``-`` stands where there
are too few families for a rate, never zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tabulate import tabulate

from pipeline.base.types import FailureCause

Tree = Mapping[str, Any]
MEASURES = ("p_at_1", "success_at_3", "mrr_at_10", "ndcg_at_10")
PROTOCOLS = ("single", "set", "distractors")
RANKERS = ("bm25", "dense", "rrf", "majority", "constant", "random")


@dataclass(frozen=True, slots=True)
class Table:
    title: str
    headers: Sequence[str]
    rows: Sequence[Sequence[Any]]
    note: str = ""

    def text(self, style: str = "github") -> str:
        """Markdown (``github``) or plain text for a terminal (``simple``)."""
        table = tabulate(self.rows, self.headers, tablefmt=style, disable_numparse=True)
        return f"{table}\n\n{self.note}" if self.note else table


def number(value: float | None, digits: int = 3) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def p_value(value: float, digits: int = 4) -> str:
    """``0.0123``; never a zero, which no p-value is."""
    least = 10**-digits
    return f"< {least:.{digits}f}" if value < least else f"{value:.{digits}f}"


def interval(estimate: Tree) -> str:
    """``0.953 [0.902, 0.981]``; of a rate (``rate``) or an estimate (``value``)."""
    value = estimate.get("rate", estimate.get("value"))
    if value is None:
        return "-"
    return f"{value:.3f} [{number(estimate['low'])}, {number(estimate['high'])}]"


def count(rate: Tree) -> str:
    return f"{rate['count']} of {rate['n']}"


def corpus(slice_: Tree, chunk: Tree) -> Table:
    spans, split = slice_["spans"], slice_["split"]
    rows = [
        ("contracts", slice_["contracts"], f"in {slice_['families']} families"),
        ("labels of the chosen categories", spans["labels"], f"on {spans['distinct']} distinct spans"),
        ("library", split["library"]["spans"], f"spans of {split['library']['families']} families"),
        ("queries", split["queries"]["spans"], f"spans of {split['queries']['families']} families, none shared"),
        ("spans of all other categories", slice_["negatives"]["distinct"], "the negatives of gate 1"),
        ("texts cut to the window", chunk["span"]["spans_cut"] + chunk["negative"]["spans_cut"], "at sentence ends"),
    ]
    return Table("Corpus", ("what", "count", ""), rows)


def gate(calibration: Tree, in_force: Tree) -> Table:
    """One row a score kind and recommended threshold, on library families and on held-out ones."""
    rows = []
    for kind, figures in calibration["scores"].items():
        for name, at in figures["recommended"].items():
            library, queries = at["library"], at["queries"]
            rows.append(
                (
                    kind,
                    interval(figures["auroc"]["library"]),
                    name.replace("_", " "),
                    number(at["threshold"], 4),
                    f"{count(library['stopped'])} ({number(library['stopped']['rate'])})",
                    f"{count(queries['kept'])} ({number(queries['kept']['rate'])})",
                    f"{count(queries['stopped'])} ({number(queries['stopped']['rate'])})",
                )
            )
    headers = ("score", "AUROC", "rule", "threshold", "negatives stopped", "held out: kept", "held out: stopped")
    note = f"In force: {in_force['score']} at {in_force['threshold']:g}."
    return Table("Gate 1", headers, rows, note)


def certificate(calibration: Tree, alpha: float, delta: float) -> Table:
    rows = []
    for kind, figures in calibration["scores"].items():
        found, at = figures["certified"]["share"], figures["certified"].get("at_share")
        if found["threshold"] is None:
            told = f"none: {found['clean_families']} families without a passing negative would do"
            rows.append((kind, found["families"], told, "-"))
        else:
            kept = at["library"]["kept"]
            rows.append(
                (kind, found["families"], number(found["threshold"], 4), f"{count(kept)} ({number(kept['rate'])})")
            )
    note = (
        f"The loosest threshold of which the held-out families prove, at {1 - delta:.0%} confidence: a negative drawn "
        f"at random from a new contract family passes with a chance of at most {alpha:.0%}. Beside it what it keeps of "
        "the library's positives."
    )
    headers = ("score", "held-out families", "threshold", "library positives kept")
    return Table("Certified threshold", headers, rows, note)


def retrieval(metrics: Tree) -> Table:
    rows = []
    for protocol in PROTOCOLS:
        rankers = metrics["protocols"][protocol]["rankers"]
        for name in sorted(rankers, key=lambda name: (RANKERS.index(name) if name in RANKERS else len(RANKERS), name)):
            overall = rankers[name]["overall"]
            rows.append((protocol, name, overall["p_at_1"]["n"], *(interval(overall[metric]) for metric in MEASURES)))
    fired = ", ".join(metrics["rule"]["fired"]) or "none"
    ceiling = metrics["protocols"]["single"]["ceiling"]["p_at_1"]
    note = (
        f"Rule fixed beforehand: use {metrics['rule']['chosen']}; criteria that fired: {fired}; killed: "
        f"{'yes' if metrics['rule']['killed'] else 'no'}. "
        f"Under `single` twins of one text cap p_at_1 at {number(ceiling)}."
    )
    return Table("Retrieval", ("protocol", "ranker", "queries", *MEASURES), rows, note)


def outcomes(verdicts: Tree) -> Table:
    counts = {name: value for name, value in verdicts["outcomes"].items() if name != "n"}
    rows = [(name.replace("_", " "), value) for name, value in counts.items()]
    note = f"{verdicts['outcomes']['n']} labelled clauses of {verdicts['reference']['families']} contract families."
    return Table("Outcomes", ("outcome", "count"), rows, note)


def taxonomy(verdicts: Tree) -> Table:
    rows = [(cause.value, verdicts["taxonomy"][cause.value]) for cause in FailureCause]
    return Table("Failure taxonomy", ("cause", "count"), rows)


def rates(verdicts: Tree) -> Table:
    rows = [
        (name.replace("_", " "), count(rate), rate["clusters"], interval(rate))
        for name, rate in verdicts["rates"].items()
    ]
    critical = verdicts["critical_recall"]
    note = (
        f"Critical clauses called high: {count(critical)}; with that many families behind it the exact 95% lower "
        f"bound is {number(critical['exact_low'])}."
    )
    return Table("Verdicts", ("rate", "count", "families", "rate [interval over families]"), rows, note)


def published(review: Tree) -> Table:
    """This run's counts, in the shape of the table that earlier work on this design published."""
    shape = review["published_shape"]
    unjustified = shape["unjustified_abstention"]
    rows = [
        ("non-abstained", shape["non_abstained"]),
        ("justified abstention", shape["justified_abstention"]),
        ("unjustified abstention", unjustified["total"]),
        *((f"  by {name}", unjustified[name]) for name in ("gate1", "gate2", "auditor")),
        ("infra", shape["infra"]),
        ("exact matches among the non-abstained", count(shape["exact_matches"])),
        ("allowed matches among the non-abstained", count(shape["allowed_matches"])),
        ("citations valid", count(shape["citations_valid"])),
        ("adversarial held", count(shape["adversarial_held"])),
    ]
    note = f"{shape['n']} labelled clauses of this run; README.md has the published counts."
    return Table("Outcomes, counted as earlier published work did", ("what", "count"), rows, note)


def positions(verdicts: Tree) -> Table:
    rows = [(name, f"{one['right']} of {one['n']}") for name, one in verdicts["positions"].items()]
    return Table("Positions read as the reference has them", ("position", "right"), rows)


def judge(metrics: Tree) -> Table:
    """The faithfulness judge on claims of known truth, families held out from its tuning."""
    found = metrics["halves"]["held_out"]
    rows = [
        (name.replace("_", " "), "faithful" if one["faithful"] else "unfaithful", count(one["right"]))
        for name, one in found["operators"].items()
    ]
    note = (
        f"{found['n']} claims of {found['families']} held-out families. Recall on unfaithful claims "
        f"{interval(found['recall_unsupported'])}, false rejection of faithful ones "
        f"{interval(found['false_rejection'])}, kappa {interval(found['kappa'])}."
    )
    return Table("The judge is judged", ("operator", "claims are", "judged right"), rows, note)


def contrast(review: Tree) -> Table:
    rows = []
    for name, one in review["contrast"]["operators"].items():
        kinds = (one["template"], one["library"])
        rows.append(
            (name.replace("_", " "), "yes" if one["critical"] else "", *(f"{k['count']} of {k['n']}" for k in kinds))
        )
    found = review["contrast"]["consistency"]
    swapped = review["contrast"]["capped_uncapped"]
    note = (
        f"Consistent pairs: {count(found['all'])}; critical ones {count(found['critical'])} "
        f"({interval(found['critical'])}). Uncapped clauses taken for capped: {swapped['uncapped']['capped']}; "
        f"capped for uncapped: {swapped['capped']['uncapped']}."
    )
    return Table("Contrast pairs", ("operator", "critical", "from templates", "from the library"), rows, note)


def adversarial(review: Tree) -> Table:
    """Own-written clauses with a trap each, by split."""
    found = review["adversarial"]["splits"]
    rows = [
        (
            name.replace("_", " "),
            part["n"],
            *(part[key] for key in ("allowed", "abstained", "too_strict", "too_mild", "infra")),
            f"{part['critical']['off-standard']} of {part['critical']['n']}",
            part["critical"]["acceptable"],
        )
        for name, part in found.items()
    ]
    headers = (
        "clauses", "n", "allowed", "abstained", "too strict", "too mild", "infra", "critical: off-standard",
        "critical: called acceptable",
    )  # fmt: skip
    note = (
        "Own-written clauses that set a trap each, through auditor and gate 2. The reader was mended by the `tuning` "
        "ones and not by the `held out` ones. No step of the release gate counts them."
    )
    return Table("Adversarial clauses", headers, rows, note)


def release(review: Tree) -> Table:
    """The steps of the gate in their order; the first that does not pass decides."""
    gate = review["gate"]
    rows = [(step["name"].replace("_", " "), step["outcome"], step["why"]) for step in gate["steps"]]
    return Table("Release gate", ("step", "outcome", "why"), rows, f"Outcome: {gate['outcome']}.")


def paired(review: Tree) -> Table:
    found = review["comparison"]
    rows = [
        (
            name.replace("_", " "),
            one["n"],
            *((one["first"], one["second"]) if one["n"] else (0, 0)),
            interval(one["difference"]) if one["n"] else "-",
            p_value(one["mcnemar"]["p_holm"]) if one["n"] else "-",
        )
        for name, one in found["measures"].items()
    ]
    headers = ("measure", "items", found["first"], found["second"], "difference", "McNemar, Holm")
    return Table("Against the keyword baseline", headers, rows, f"{found['flips']} items flipped.")
