"""The headline figures, flat: what `dvc exp show` and `dvc metrics diff` list.

The other files of ``metrics/`` hold every count and interval; as DVC metrics they would be thousands of
columns. They go to MLflow whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Tree = Mapping[str, Any]


def summary(metrics: Tree, gate1: Tree) -> dict[str, Any]:
    """``gate1``: the score and threshold in force. A rate is null where there are too few families for one."""
    verdicts, review = metrics["verdicts"], metrics["review"]
    rates = {name: rate["rate"] for name, rate in verdicts["rates"].items()}
    single, both = (metrics["retrieval"]["protocols"][name]["rankers"]["bm25"]["overall"] for name in ("single", "set"))
    judge = metrics["judge"]["halves"]["held_out"]
    scored = metrics["calibration"]["scores"].get(gate1["score"])
    shape = review["published_shape"]
    return {
        "gate1_score": gate1["score"],
        "gate1_threshold": gate1["threshold"],
        "answered": shape["non_abstained"],
        "justified_abstention": shape["justified_abstention"],
        "unjustified_abstention": shape["unjustified_abstention"]["total"],
        "infra": shape["infra"],
        "hallucination": verdicts["hallucinations"],
        "coverage_auditable": rates["coverage_auditable"],
        "allowed_verdict": rates["allowed_verdict"],
        "selective_risk": rates["selective_risk"],
        "aurc": verdicts["risk_coverage"]["aurc"],
        "critical_called_high": verdicts["critical_recall"]["count"],
        "critical": verdicts["critical_recall"]["n"],
        "citations_valid": rates["citation_valid"],
        "gate1_stopped_keep_95": scored and scored["recommended"]["keep_0.95"]["library"]["stopped"]["rate"],
        "bm25_p_at_1_single": single["p_at_1"]["value"],
        "bm25_p_at_1_set": both["p_at_1"]["value"],
        "judge_recall": judge["recall_unsupported"]["rate"],
        "judge_false_rejection": judge["false_rejection"]["rate"],
        "contrast_critical": review["contrast"]["consistency"]["critical"]["rate"],
        "probes_held": review["injection"]["held"]["count"],
        "release_gate": review["gate"]["outcome"],
    }
