"""Stage verify: on a small memo, and on one that the rules auditor made of the sample corpus."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

from pipeline.base.errors import CuadAuditError
from pipeline.base.records import read_json, read_rows, write_rows
from pipeline.evaluation.outcomes import COLUMNS
from pipeline.stages import verify

sys.path.insert(0, str(Path(__file__).parents[1] / "verification"))
import mutations
import worlds


@pytest.fixture
def world(tmp_path, monkeypatch):
    worlds.memo_world(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_sound_memo_passes_and_is_counted(world):
    assert verify.main() == 0
    counts = read_json(world / "metrics/verify.json")
    assert (counts["pass"], counts["score"], counts["residual_count"]) == (True, 100.0, 0)
    assert counts["citations"]["n"] == counts["citations"]["verified"] == sum(map(len, worlds.CLAIMS.values()))
    assert counts["citations"]["mismatch"] == 0
    assert set(verify.CHECKS) <= set(counts["checks"])
    verdict = yaml.safe_load((world / "data/verify/verdict.yaml").read_text())
    assert verdict == read_json(world / "data/verify/verdict.json")
    assert list(verdict)[:3] == ["pass", "score", "iteration"]


def test_the_same_memo_gives_the_same_bytes(world):
    def read():
        verify.main()
        return [p.read_bytes() for p in (world / "data/verify/verdict.yaml", world / "metrics/verify.json")]

    assert read() == read()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("“Neither party”", "“Neither side”"),
        ("[chunk:c000000000001]", "[chunk:c00000000000f]"),
        ("[clause:T02]", "[clause:T01]"),
    ],
)
def test_a_falsified_memo_fails_the_stage_in_one_line(world, old, new):
    memo = world / "data/report/memo.md"
    memo.write_text(memo.read_text().replace(old, new, 1))
    with pytest.raises(CuadAuditError) as raised:
        verify.main()
    assert "the memo does not pass" in str(raised.value)
    assert "\n" not in str(raised.value)
    assert read_json(world / "metrics/verify.json")["pass"] is False
    assert (world / "data/verify/verdict.yaml").exists()


def test_a_memo_that_is_missing_or_another_run_s_fails(world):
    (world / "data/verdicts/outcomes.parquet").unlink()
    with pytest.raises(CuadAuditError, match="does not pass"):
        verify.main()
    (world / "data/report/memo.md").unlink()
    with pytest.raises(CuadAuditError, match="missing"):
        verify.main()


def test_a_memo_that_leaves_out_what_was_answered_fails(world):
    memo = world / "data/report/memo.md"
    text = memo.read_text()
    start, end = text.index("## Findings"), text.index("## Not answered")
    memo.write_text(text[:start] + "## Findings\n\n" + text[end:])
    with pytest.raises(CuadAuditError, match="0 citations"):
        verify.main()


def test_a_run_without_an_answer_is_no_pass_and_no_error(world):
    outcomes = world / "data/verdicts/outcomes.parquet"
    rows = [row | {"outcome": "justified_abstention"} for row in read_rows(outcomes)]
    write_rows(outcomes, rows, {name: kind for name, kind in COLUMNS.items() if name in rows[0]})
    memo = world / "data/report/memo.md"
    text = memo.read_text()
    start, end = text.index("## Findings"), text.index("## Not answered")
    memo.write_text(text[:start] + "## Findings\n\n" + text[end:])
    assert verify.main() == 0
    assert read_json(world / "metrics/verify.json")["pass"] is False


def test_an_index_that_is_lost_is_no_pass(world):
    (world / "data/chunks/chunks.parquet").unlink()
    with pytest.raises(CuadAuditError, match="Reduced mode"):
        verify.main()
    counts = read_json(world / "metrics/verify.json")
    assert counts["reduced_mode"] is True
    assert counts["citations"]["not_executed"] > 0


def test_the_process_ends_with_an_error_and_soon(world):
    memo = world / "data/report/memo.md"
    memo.write_text(memo.read_text().replace("“Neither party”", "“Neither side”", 1))
    started = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "pipeline.stages.verify"],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(worlds.ROOT), "PATH": "/usr/bin:/bin"},
    )
    assert done.returncode == 1
    assert done.stderr.strip().split("\n")[-1].startswith("error: conf/goals/audit-memo.yaml: the memo does not pass")
    assert "Traceback" not in done.stderr
    assert time.monotonic() - started < 20


def test_a_refusal_has_its_own_exit_code(world):
    goal = worlds.memo_goal(worker={"role": "Verdict Engine"})
    (world / "conf/goals/audit-memo.yaml").write_text(yaml.safe_dump(goal))
    assert verify.main() == 5
    assert not (world / "data/verify").exists()


@pytest.fixture(scope="module")
def sample_memo(tmp_path_factory):
    """The sample corpus audited by the rules auditor, each clause with a few others as its evidence."""
    from pipeline.base.records import to_dict
    from pipeline.base.types import Chunk, Evidence
    from pipeline.corpus.sample import generate
    from pipeline.grounding.agents import Meter
    from pipeline.grounding.rules import RulesAuditor
    from pipeline.report.memo import memo
    from pipeline.standard import load_standard

    root = tmp_path_factory.mktemp("sample")
    corpus = generate(24, 16, 20)
    texts = {d["title"]: d["paragraphs"][0]["context"] for d in corpus.squad["data"]}
    items = corpus.labels["items.jsonl"]
    clauses = {i["item_id"]: texts[i["title"]][i["start"] : i["end"]] for i in items}
    chunks = {f"c{n:012x}": (i["title"], clauses[i["item_id"]], i["item_id"]) for n, i in enumerate(items)}
    auditor, standard, rows, outcomes = (
        RulesAuditor(),
        load_standard("liability", worlds.ROOT / "data/standard"),
        [],
        [],
    )
    for number, item in enumerate(items):
        others = [c for c in list(chunks) * 2 if chunks[c][2] != item["item_id"]][number : number + 5]
        evidence = [
            Evidence(Chunk(c, chunks[c][0], 0, len(chunks[c][1]), chunks[c][1]), 0.5, rank)
            for rank, c in enumerate(others, 1)
        ]
        answer = to_dict(auditor.answer(clauses[item["item_id"]], standard, evidence, Meter()))
        named = {key: item[key] for key in ("item_id", "title", "start", "end", "sha256")}
        rows.append({**named, "evidence": [{"chunk_id": c} for c in others], "answer": answer})
        silent = answer["verdict"] == "insufficient-grounding"
        band = {"acceptable": "low", "risky": "medium", "off-standard": "high"}.get(answer["verdict"], "medium")
        outcomes.append(
            {
                **named,
                "outcome": "justified_abstention" if silent else "answered",
                "verdict": answer["verdict"],
                "band": band,
                "failure_cause": "auditor_abstained" if silent else "none",
            }
        )
    worlds.table(root / "data/raw/contracts.parquet", title=list(texts), text=list(texts.values()))
    worlds.table(
        root / "data/chunks/chunks.parquet",
        chunk_id=list(chunks),
        title=[c[0] for c in chunks.values()],
        text=[c[1] for c in chunks.values()],
    )
    worlds.jsonl(root / "data/verdicts/verdicts.jsonl", rows)
    worlds.table(root / "data/verdicts/outcomes.parquet", **{k: [o[k] for o in outcomes] for k in outcomes[0]})
    worlds.write(root / "conf/goals/audit-memo.yaml", yaml.safe_dump(worlds.memo_goal()))
    (root / "data/standard").symlink_to(worlds.ROOT / "data/standard")
    text = memo(outcomes, rows, {"goal_id": "audit-memo", "source": "sample"})
    worlds.write(root / "data/report/memo.md", text)
    return root, text


def test_the_memo_of_the_sample_corpus_passes(sample_memo, monkeypatch):
    root, text = sample_memo
    monkeypatch.chdir(root)
    assert text.count("\n### ") >= 8
    verify.main()
    assert read_json(root / "metrics/verify.json")["citations"]["n"] >= 24


def test_every_falsification_of_it_is_caught(sample_memo):
    """At least 30, most of them by sources alone; the rest by the record of the run."""
    from pipeline.verification.engine import evaluate, open_sources
    from pipeline.verification.goal import load_goal

    root, text = sample_memo
    goal = load_goal(root / "conf/goals/audit-memo.yaml")
    falsified = [*mutations.mutants(text, 1), *mutations.record_mutants(text)]
    assert len(falsified) >= 40
    with open_sources(goal.record, root) as registry:
        passed = [name for name, memo in falsified if evaluate(goal, root, registry=registry, text=memo).verdict.passed]
    assert passed == []
