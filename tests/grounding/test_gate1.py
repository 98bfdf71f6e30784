"""Evidence scores against hand-worked vectors; single and batch forms agree."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from pipeline.base.errors import CuadAuditError
from pipeline.grounding import gate1


def unit(rows: list[list[float]]) -> np.ndarray:
    rows = np.asarray(rows, dtype=np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


LIBRARY = unit([[1, 0], [0.8, 0.6], [0.6, 0.8], [0, 1], [-1, 0], [0, -1]])
QUERY = unit([[1, 0]])


def test_top1_is_the_nearest_and_top5_the_mean_of_five():
    assert gate1.evidence_score("cosine_top1", QUERY, LIBRARY) == pytest.approx(1.0)
    # The cosines are 1, .8, .6, 0, 0, -1; the five best sum to 2.4.
    assert gate1.evidence_score("cosine_top5", QUERY, LIBRARY) == pytest.approx(2.4 / 5)
    assert gate1.evidence_score("cosine_top5", QUERY, LIBRARY[:2]) == pytest.approx(0.9)


def test_the_best_piece_counts():
    pieces = unit([[-1, -1], [0.6, 0.8]])
    assert gate1.evidence_score("cosine_top1", pieces, LIBRARY) == pytest.approx(1.0)
    probe = gate1.Probe((2.0, 0.0), -1.0)
    expected = 1 / (1 + np.exp(-(2 * 0.6 - 1)))
    assert gate1.evidence_score("probe", pieces, LIBRARY, probe) == pytest.approx(expected)


def test_no_library_is_no_evidence():
    empty = np.zeros((0, 2), dtype=np.float32)
    probe = gate1.Probe((9.0, 9.0), 9.0)
    assert [gate1.evidence_score(kind, QUERY, empty, probe) for kind in gate1.KINDS] == [-1, -1, 0]
    everything = np.ones((1, len(LIBRARY)), dtype=bool)
    assert gate1.piece_scores("cosine_top5", QUERY, LIBRARY, kept_out=everything) == pytest.approx([-1])


def test_the_own_family_is_kept_out():
    own = np.array([[True, True, False, False, False, False]])
    assert gate1.piece_scores("cosine_top1", QUERY, LIBRARY, kept_out=own) == pytest.approx([0.6])
    # .6, 0, 0, -1 are left.
    assert gate1.piece_scores("cosine_top5", QUERY, LIBRARY, kept_out=own) == pytest.approx([-0.1])


def test_the_probe_is_scikit_learns():
    rng = np.random.default_rng(1)
    vectors = unit(rng.normal(size=(60, 4)).tolist())
    model = LogisticRegression().fit(vectors, vectors[:, 0] > 0)
    probe = gate1.Probe(tuple(model.coef_[0].tolist()), float(model.intercept_[0]))
    assert probe.probability(vectors) == pytest.approx(model.predict_proba(vectors)[:, 1])


def test_a_probe_goes_through_json(tmp_path):
    probe = gate1.Probe((0.25, -1.5), 0.125)
    path = tmp_path / "probe.json"
    path.write_text(json.dumps(probe.to_json()))
    assert gate1.Probe.load(path) == probe
    path.write_text('{"coef": ["x"], "intercept": 0}')
    with pytest.raises(CuadAuditError, match=r"probe\.json: not a probe"):
        gate1.Probe.load(path)
    with pytest.raises(CuadAuditError, match="no such file"):
        gate1.Probe.load(tmp_path / "absent.json")


def test_what_does_not_fit_is_an_error():
    with pytest.raises(CuadAuditError, match="no score 'cosine'"):
        gate1.evidence_score("cosine", QUERY, LIBRARY)
    with pytest.raises(CuadAuditError, match="there is none"):
        gate1.evidence_score("probe", QUERY, LIBRARY)
    with pytest.raises(CuadAuditError, match="3 numbers and was given 2"):
        gate1.evidence_score("probe", QUERY, LIBRARY, gate1.Probe((1.0, 2.0, 3.0), 0.0))


def test_extreme_logits_do_not_overflow():
    with np.errstate(all="raise"):
        assert gate1.Probe((1e6, 0.0), 0.0).probability(unit([[1, 0], [-1, 0]])) == pytest.approx([1, 0])


def test_the_gate_opens_at_the_threshold():
    assert gate1.passes(0.5, 0.5)
    assert not gate1.passes(0.4999, 0.5)


@given(st.integers(1, 8), st.integers(1, 12), st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_batch_and_single_agree(rows, chunks, seed):
    rng = np.random.default_rng(seed)
    vectors, library = unit(rng.normal(size=(rows, 3)).tolist()), unit(rng.normal(size=(chunks, 3)).tolist())
    kept_out = rng.random((rows, chunks)) < 0.3
    probe = gate1.Probe((1.0, -2.0, 0.5), 0.1)
    for kind in gate1.KINDS:
        batch = gate1.piece_scores(kind, vectors, library, probe, kept_out)
        for row in range(rows):
            alone = library[~kept_out[row]]
            if kind != "probe" or len(alone):
                assert gate1.evidence_score(kind, vectors[row], alone, probe) == pytest.approx(batch[row], abs=1e-6)
