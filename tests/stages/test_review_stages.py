"""eval_judge, collect_contrast and the review of eval_verdicts, on a small corpus written here: the real rules
auditor and lexical judge."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pipeline.base import params
from pipeline.base.records import (
    Rows,
    read_json,
    read_jsonl,
    to_dict,
    write_json,
    write_jsonl,
    write_parquet,
    write_rows,
)
from pipeline.corpus.chunk import COLUMNS
from pipeline.evaluation import contrast
from pipeline.evaluation.fixture_cases import fixture_cases
from pipeline.evaluation.labels import load_labels
from pipeline.evaluation.rubric_cases import HELD_OUT
from pipeline.grounding.collect import Case, collect
from pipeline.grounding.lexical.judge import LexicalJudge
from pipeline.grounding.rules import RulesAuditor
from pipeline.retrieval.library import Library
from pipeline.retrieval.vectors import text_sha256
from pipeline.stages import collect_contrast, eval_judge, eval_verdicts, index
from pipeline.standard import load_standard

BM25 = params.Bm25(method="lucene", k1=1.2, b=0.5)
LIBRARY = (
    "In no event shall either party be liable to the other party for any indirect or consequential damages arising out "
    "of this Agreement, except for breach of confidentiality under Section {n}.2.",
    "Supplier's total liability to Customer under this Agreement shall not exceed ${n}00,000 or the fees paid in the "
    "twelve (12) months before the claim.",
    "Neither party shall be liable for lost profits or special damages arising out of or relating to this Agreement.",
    "Each party's liability under this Agreement shall be unlimited.",
)


class FakeEmbedder:
    dim, window = 3, 256
    identity = {"name": "fake", "weights_sha256": "0" * 64, "window": 256}  # noqa: RUF012

    def count_tokens(self, texts):
        return [len(text.split()) for text in texts]

    def embed(self, texts):
        return np.tile(np.array([1, 0, 0], dtype=np.float32), (len(texts), 1))


def chunk_table() -> Rows:
    rows = []
    for family in range(24):
        for kind, pattern in enumerate(LIBRARY):
            text = pattern.format(n=family + 2)
            rows.append(
                (f"c{family:02}{kind}", f"s{family}{kind}", f"T{family}", 500 * kind, 500 * kind + len(text), text,
                 text_sha256(text), ["Cap On Liability"], f"family{family:02}", "library", "span", 40)
            )  # fmt: skip
    return [dict(zip(COLUMNS, row, strict=True)) for row in rows]


def library_contracts() -> dict[str, str]:
    """The contracts that the library's chunks stand in, by title."""
    return {
        f"T{family}": "".join(pattern.format(n=family + 2).ljust(500) for pattern in LIBRARY) for family in range(24)
    }


@pytest.fixture
def workspace(tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder like the repository's, with an index of own-written clauses and labelled fixture cases."""
    shutil.copy(root / "params.yaml", tmp_path / "params.yaml")
    for folder in ("data/standard", "data/injection", "data/adversarial"):
        shutil.copytree(root / folder, tmp_path / folder)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    chunks = chunk_table()
    write_rows(Path("data/chunks/chunks.parquet"), chunks, COLUMNS)
    index.write_index(Path("data/index"), chunks, [], FakeEmbedder(), BM25)
    return tmp_path


def label(workspace: Path) -> None:
    """The fixture cases as a label folder, their contracts, and the rules auditor's recorded answers."""
    cases = fixture_cases(20)[::4]
    folder = workspace / "data/labels/cuad_dev"
    items, rulings = [], []
    for case in cases:
        sample, reference = case.sample, case.sample.reference
        named = ("item_id", "title", "start", "end", "sha256", "family")
        items.append({name: getattr(sample, name) for name in named} | {"categories": []})
        rulings.append(
            {
                "item_id": sample.item_id, "kinds": list(reference.kinds),
                "positions": {name: level.value for name, level in reference.positions.items()},
                "verdict": reference.preferred.value,
                "allowed_verdicts": [{"verdict": v.value, "condition": c} for v, c in reference.verdicts.items()],
                "risk_band": next(iter(reference.bands)).value,
                "allowed_bands": [{"band": b.value, "condition": c} for b, c in reference.bands.items()],
                "critical": reference.critical, "evidence": [], "must_mention": list(reference.points),
                "reason": "by construction", "uncertainty": None, "agreed": True, "ruling": "by construction",
                "adjudicated_at": "2026-01-01", "rubric_version": "1.1", "annotator": "construction",
            }
        )  # fmt: skip
    write_jsonl(folder / "items.jsonl", items)
    write_jsonl(folder / "adjudications.jsonl", rulings)
    texts = {case.sample.title: case.contract for case in cases} | library_contracts()
    contracts = pd.DataFrame({"title": list(texts), "text": list(texts.values())})
    write_parquet(Path("data/raw/contracts.parquet"), contracts)
    library = Library.load(Path("data/index"))
    recorded = collect(
        [
            Case(item, case.clause, tuple(library.search(case.clause, None, 5, retriever="bm25")),
                 {"probe": 0.9, "cosine_top1": 0.9, "cosine_top5": 0.9})
            for item, case in zip(items, cases, strict=True)
        ],
        load_standard(),
        RulesAuditor(),
        LexicalJudge(),
    )  # fmt: skip
    write_jsonl(Path("data/verdicts/verdicts.jsonl"), recorded)


def test_the_judge_is_measured_on_claims_from_the_library(workspace: Path) -> None:
    eval_judge.main()
    metrics = read_json(workspace / "metrics/judge.json")
    table = pd.read_parquet(workspace / "data/judge/claims.parquet")
    assert set(metrics["halves"]) == {"tuning", "held_out"}
    assert len(table) == sum(part["n"] for part in (*metrics["halves"].values(), metrics["standard"]))
    for half, rows in table.groupby("half"):
        assert rows["faithful"].sum() == len(rows) / 2
        confusion = (metrics["halves"] | {"standard": metrics["standard"]})[half]["confusion"]
        assert confusion["unfaithful"]["unsupported"] == (~rows["faithful"] & ~rows["supported"].astype(bool)).sum()
    assert metrics["judge"]["name"] == "lexical"
    first = (workspace / "metrics/judge.json").read_bytes()
    eval_judge.main()
    assert (workspace / "metrics/judge.json").read_bytes() == first


def test_the_review_of_the_rules_auditor(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # a smaller contrast set: its full size is tested where it is made
    monkeypatch.setattr(contrast, "PER_CRITICAL", 6)
    monkeypatch.setattr(contrast, "PER_OTHER", 2)
    monkeypatch.setattr(contrast, "PER_LIBRARY", 2)
    label(workspace)
    eval_judge.main()
    collect_contrast.main()
    eval_verdicts.main()
    metrics = read_json(workspace / "metrics/review.json")
    assert metrics["reference_version"] == load_labels(workspace / "data/labels/cuad_dev").version
    assert metrics["candidate"]["name"] == "rules" and metrics["baseline"]["name"] == "fixed"
    n = metrics["candidate"]["n"]
    assert n == metrics["baseline"]["n"] == metrics["comparison"]["paired"] == 24
    said = {step["name"]: step["outcome"] for step in metrics["gate"]["steps"]}
    # 24 labelled families, and fewer to measure the judge on, are too few to say that either is good enough
    assert (metrics["gate"]["outcome"], metrics["gate"]["decided_by"]) == ("inconclusive", "judge")
    assert said == {
        "critical_recall": "pass",
        "judge": "inconclusive",
        "allowed_verdict": "inconclusive",
        "unjustified_abstention": "inconclusive",
        "cost_usd": "pass",
        "latency_s": "not applicable",
    }
    assert metrics["harness"]["sound"] is True
    misled = metrics["adversarial"]["splits"]
    rows = pd.read_parquet(workspace / "data/review/adversarial.parquet")
    assert sum(part["n"] for part in misled.values()) == len(rows) > 200
    assert misled["tuning"]["critical"]["acceptable"] == 0 and misled["tuning"]["too_mild"] == 0
    assert metrics["injection"]["obedient"]["leak"] == 0
    assert metrics["injection"]["held"] == {"n": 75, "count": 75}
    shape = metrics["published_shape"]
    assert shape["n"] == 24 and shape["adversarial_held"]["n"] == metrics["injection"]["probes"]
    assert metrics["contrast"]["critical_pairs"] >= 24
    scores = pd.read_parquet(workspace / "data/review/scores.parquet")
    assert sorted(scores["target"].unique()) == ["fixed", "rules"] and len(scores) == 48
    judge = {name: set(scores[f"rubric_judge_{name}"]) for name in metrics["rubric_judge"]}
    assert judge == {name: {value} for name, value in metrics["rubric_judge"].items()}
    assert scores["latency_s"].isna().all()  # no model was asked
    findings = pd.DataFrame(read_jsonl(workspace / "data/review/findings.jsonl"))
    assert set(findings["target"]) == {"fixed", "rules"} and set(findings["risk_type"]) > {"P1", "P4"}
    assert metrics["candidate"]["scores"]["span"]["count"] == metrics["candidate"]["outcomes"]["answered"]
    assert metrics["rubric_judge_measured"]["n"] == len(HELD_OUT)
    assert set(metrics["queue"]) == {"fixed", "rules"}
    assert len(read_jsonl(workspace / "data/review/flips.jsonl")) == metrics["comparison"]["flips"]

    first = (workspace / "metrics/review.json").read_bytes()
    collect_contrast.main()
    eval_verdicts.main()
    assert (workspace / "metrics/review.json").read_bytes() == first


def test_a_judge_that_was_not_measured_blocks_the_gate(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contrast, "PER_CRITICAL", 6)
    monkeypatch.setattr(contrast, "PER_OTHER", 1)
    monkeypatch.setattr(contrast, "PER_LIBRARY", 2)
    label(workspace)
    bar = {"met": True, "met_on_the_interval": True, "safe_in_unseen_wordings": True, "unseen_false_rejection": 0.0}
    collect_contrast.main()

    def gate_with(code: str) -> dict:
        judge = to_dict(LexicalJudge().identity) | {"code": code}
        write_json(workspace / "metrics/judge.json", {"judge": judge, "bar": bar})
        eval_verdicts.main()
        return read_json(workspace / "metrics/review.json")["gate"]

    # the judge in use: what is still open is the quality, on 24 families
    assert gate_with(LexicalJudge().identity.code)["decided_by"] == "allowed_verdict"
    gate = gate_with("pipeline.another#0")
    assert (gate["outcome"], gate["decided_by"], gate["exit_code"]) == ("inconclusive", "judge", 3)
    assert "not the one" in gate["steps"][1]["why"]
