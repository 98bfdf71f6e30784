"""The engine: input checked before work, evidence kept out by family, demo index as a fall-back."""

from __future__ import annotations

import dataclasses
import shutil

import pytest
from serving.clauses import BREAD, GOOD, REDACTED

from pipeline.base.errors import CuadAuditError, UsageError
from pipeline.base.types import FailureCause, Verdict
from pipeline.grounding.engine import Engine, Place, find_place
from pipeline.grounding.evidence import MOST_PIECES
from pipeline.grounding.limits import MAX_CLAUSE, MAX_K


@pytest.fixture(scope="module")
def engine(world):
    return Engine(Place(world)).load()


def test_a_verdict_an_abstention_and_a_gate(engine):
    good, redacted, bread = (engine.audit(text) for text in (GOOD, REDACTED, BREAD))
    assert (good.verdict, good.failure_cause) == (Verdict.ACCEPTABLE, FailureCause.NONE)
    assert good.citation.contract.startswith("Contract ")
    assert (redacted.verdict, redacted.failure_cause) == (
        Verdict.INSUFFICIENT_GROUNDING,
        FailureCause.AUDITOR_ABSTAINED,
    )
    assert bread.failure_cause is FailureCause.GATE1
    assert bread.gate1_score < bread.gate1_threshold


def test_the_same_clause_gives_the_same_result(engine):
    assert engine.audit(GOOD) == engine.audit(GOOD)


def test_no_evidence_comes_from_an_excluded_family(engine):
    cited = engine.audit(GOOD).citation.chunk_id
    family = engine.searcher.library.chunk(cited).family
    other = engine.audit(GOOD, exclude_family=family)
    assert other.citation is None or other.citation.chunk_id != cited


def test_search_says_whether_it_would_be_enough(engine):
    assert not engine.search(GOOD).below_threshold
    assert engine.search(BREAD).below_threshold
    assert [hit.rank for hit in engine.search(GOOD, k=3).hits] == [1, 2, 3]


def test_a_threshold_given_here_stands_in_for_the_configured_one(world):
    strict = Engine(Place(world), threshold=1.1)
    assert strict.audit(GOOD).failure_cause is FailureCause.GATE1
    assert strict.audit(GOOD).gate1_threshold == 1.1


@pytest.mark.parametrize(
    ("clause", "says"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ("x" * (MAX_CLAUSE + 1), f"{MAX_CLAUSE + 1:,}"),
        ("a\x00b", "NUL"),
        ("a\ud800b", "surrogate"),
    ],
)
def test_what_cannot_be_audited_is_refused(engine, clause, says):
    with pytest.raises(UsageError, match=says):
        engine.audit(clause)


def test_the_longest_clause_is_audited(engine):
    clause = (GOOD + " ") * (MAX_CLAUSE // (len(GOOD) + 1))
    assert engine.audit(clause).failure_cause is not None


def test_a_clause_of_many_pieces_is_searched_by_some_spread_over_it(engine):
    clause = "(" * (MAX_CLAUSE - 4) + " end"
    pieces = engine.searcher.pieces(clause)
    assert len(pieces) == MOST_PIECES
    assert clause.startswith(pieces[0]) and clause.endswith(pieces[-1])
    assert engine.searcher.pieces(GOOD) == [GOOD]


def test_an_unknown_clause_type_lists_the_known(engine):
    with pytest.raises(UsageError, match="liability"):
        engine.audit(GOOD, clause_type="warranty")


@pytest.mark.parametrize("k", [-1, MAX_K + 1])
def test_k_has_bounds(engine, k):
    with pytest.raises(UsageError, match="k is"):
        engine.search(GOOD, k=k)


def test_another_embedder_than_the_indexs_is_refused(world, tmp_path):
    shutil.copytree(world / "data", tmp_path / "data")
    text = (world / "params.yaml").read_text().replace("window: 256", "window: 128")
    (tmp_path / "params.yaml").write_text(text)
    with pytest.raises(CuadAuditError, match="the index was built with"):
        Engine(Place(tmp_path)).search(GOOD)


def test_the_demos_index_serves_where_there_is_no_other(world, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    with pytest.raises(CuadAuditError, match=r"make demo.*make repro"):
        find_place()
    demo = tmp_path / ".cache/demo"
    shutil.copytree(world / "data", demo / "data")
    assert find_place() == Place(demo, demo=True)
    shutil.copytree(world / "data", tmp_path / "data")
    assert not find_place().demo


def test_results_are_plain_records(engine):
    fields = {field.name for field in dataclasses.fields(engine.audit(GOOD))}
    assert fields == {
        "verdict", "reason", "citation", "positions", "gate1_score", "gate1_threshold", "faithfulness",
        "failure_cause", "auditor", "judge", "usage",
    }  # fmt: skip
