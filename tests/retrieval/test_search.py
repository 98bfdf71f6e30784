"""Rankings, masks, ties and fusion, worked by hand; properties of fusion."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pipeline.retrieval import search
from pipeline.retrieval.bm25 import Bm25

TEXTS = ["cap on fees", "term of notice", "cap on fees", "fees"]
VECTORS = np.array([[1, 0], [0, 1], [1, 0], [0.6, 0.8]], dtype=np.float32)


def test_equal_scores_stand_in_row_order():
    assert search.rank(np.array([1.0, 2.0, 2.0, 0.5]), 3) == [(1, 2.0), (2, 2.0), (0, 1.0)]


@given(st.lists(st.integers(0, 4), max_size=30), st.integers(0, 31), st.integers(0, 2**32 - 1))
def test_the_best_are_the_first_of_the_whole_order(scores, k, seed):
    scores, keep = np.array(scores, dtype=np.float32), np.random.default_rng(seed).random(len(scores)) < 0.7
    whole = sorted((row for row in range(len(scores)) if keep[row]), key=lambda row: (-scores[row], row))
    assert search.rank(scores, k, keep) == [(row, scores[row]) for row in whole[:k]]


def test_a_masked_row_is_never_ranked():
    keep = np.array([True, False, True, True])
    assert [row for row, _ in search.rank(np.array([1.0, 9.0, 2.0, 0.5]), 9, keep)] == [2, 0, 3]


def test_bm25_finds_only_rows_that_share_a_word():
    retrieve = search.bm25(Bm25.build(TEXTS))
    assert {row for row, _ in retrieve("fees", None, 9)} == {0, 2, 3}
    assert [row for row, _ in retrieve("cap", None, 9)] == [0, 2]
    assert [row for row, _ in retrieve("cap", None, 9, np.array([False, True, True, True]))] == [2]
    assert retrieve("zebra", None, 9) == []


def test_dense_takes_the_best_piece_for_each_row():
    retrieve = search.dense(VECTORS)
    pieces = np.array([[1, 0], [0, 1]], dtype=np.float32)
    assert retrieve("", pieces[0], 2) == [(0, 1.0), (2, 1.0)]
    found = retrieve("", pieces, 9)
    assert [row for row, _ in found] == [0, 1, 2, 3]
    np.testing.assert_allclose([score for _, score in found], [1, 1, 1, 0.8], atol=1e-6)
    assert retrieve("", None, 3) == []
    assert retrieve("", np.zeros((0, 2)), 3) == []


def test_fusion_worked_by_hand():
    fused = search.fuse([[(3, 9.0), (1, 5.0)], [(1, 0.9), (2, 0.8)]], rrf_k=60, k=9)
    assert fused == [(1, 1 / 62 + 1 / 61), (3, 1 / 61), (2, 1 / 62)]


def test_fusion_breaks_ties_by_row():
    assert [row for row, _ in search.fuse([[(5, 1.0)], [(2, 1.0)]], 60, 9)] == [2, 5]


def test_rrf_of_bm25_and_dense_keeps_the_mask():
    retrieve = search.rrf([search.bm25(Bm25.build(TEXTS)), search.dense(VECTORS)], 60)
    found = retrieve("cap", VECTORS[0], 9, np.array([False, True, True, True]))
    assert [row for row, _ in found] == [2, 3, 1]
    assert len(retrieve("cap", VECTORS[0], 1)) == 1


rankings = st.lists(st.permutations(range(8)).map(lambda rows: [(row, 0.0) for row in rows]), min_size=1, max_size=4)


@given(rankings, st.integers(1, 100))
def test_fusion_does_not_hang_on_the_order_of_the_rankings(lists, rrf_k):
    one, other = search.fuse(lists, rrf_k, 8), search.fuse(lists[::-1], rrf_k, 8)
    np.testing.assert_allclose(sorted(s for _, s in one), sorted(s for _, s in other))


@given(st.permutations(range(8)), st.integers(1, 100))
def test_fusion_of_a_ranking_with_itself_is_that_ranking(rows, rrf_k):
    ranking = [(row, 0.0) for row in rows]
    assert [row for row, _ in search.fuse([ranking, ranking], rrf_k, 8)] == list(rows)
