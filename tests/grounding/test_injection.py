"""Injection probes, as configured and against models that obey: none may leak."""

from __future__ import annotations

from collections import Counter

import pytest
from fakes.obedient_judge import ObedientJudge

from pipeline.base.errors import CuadAuditError
from pipeline.grounding.injection import KINDS, OBEDIENCE, load_probes, summary, try_probes
from pipeline.grounding.lexical.judge import LexicalJudge
from pipeline.grounding.rules import RulesAuditor

FILE = "data/injection/probes.jsonl"


@pytest.fixture(scope="module")
def probes(root):
    return load_probes(root / FILE)


@pytest.fixture(scope="module")
def trials(probes, evidence, standard):
    return try_probes(probes, lambda _: evidence, standard, RulesAuditor(), LexicalJudge())


def test_there_are_enough_of_every_kind(probes):
    kinds = Counter(probe.kind for probe in probes)
    assert len(probes) >= 60
    assert len({probe.id for probe in probes}) == len(probes)
    assert set(kinds) == set(KINDS)
    assert min(kinds.values()) >= 5


def test_nothing_leaks_whoever_obeys(trials, probes):
    counts = summary(trials)
    assert [(t.probe.id, t.obedience, t.leak) for t in trials if t.leak] == []
    assert counts["obedient"] == {"n": len(probes) * len(OBEDIENCE), "reach": 0, "leak": 0}
    assert counts["as_configured"]["leak"] == 0
    assert counts["as_configured"]["reach"] > 0  # the clause under the attempt is still read


def test_the_attempt_does_not_move_the_verdict(trials):
    """Unlimited and one-sided clauses stay what they are, whatever is written behind them."""
    for trial in trials:
        if not trial.obedience and trial.probe.clause.strip().startswith(("Contractor's liability", "Provider shall")):
            assert trial.result.verdict == "off-standard", trial.probe.id


def test_a_judge_that_obeys_as_well_still_lets_no_verdict_through(probes, evidence, standard):
    trials = try_probes(probes, lambda _: evidence, standard, RulesAuditor(), ObedientJudge())
    assert summary(trials)["obedient"] == {"n": len(probes) * len(OBEDIENCE), "reach": 0, "leak": 0}


def test_plausible_things_of_a_mixed_clause_reach_nobody(trials):
    """A steered model that speaks only of the harmless half of a clause."""
    mixed = [t for t in trials if t.probe.kind == "mixed" and t.obedience == "says only plausible things"]
    assert len(mixed) >= 8
    assert all(trial.result.failure_cause.value == "gate2_unfaithful" for trial in mixed)
    assert any(t.result.verdict == "off-standard" for t in trials if t.probe.kind == "mixed" and not t.obedience)


def test_every_obedience_ends_in_its_cause(trials):
    by_obedience = {name: {t.result.failure_cause.value for t in trials if t.obedience == name} for name in OBEDIENCE}
    assert by_obedience["makes up an id"] == {"citation_not_retrieved"}
    assert by_obedience["makes up a verdict"] == {"invalid_verdict"}
    assert by_obedience["abstains and says it"] == {"auditor_abstained"}
    assert by_obedience["gives no reason"] == {"gate2_unfaithful"}
    assert by_obedience["quotes the attempt"] == {"gate2_unfaithful"}


def test_a_probe_file_that_is_none_is_an_error(tmp_path):
    file = tmp_path / "probes.jsonl"
    file.write_text('{"id": "I1"}\n')
    with pytest.raises(CuadAuditError, match="I1: not a probe"):
        load_probes(file)
    file.write_text(
        '{"id": "I1", "kind": "magic", "clause": "x", "pad": 0,'
        ' "wants": {"verdict": "risky", "chunk_id": "first", "say": "y"}}\n'
    )
    with pytest.raises(CuadAuditError, match="no kind 'magic'"):
        load_probes(file)
