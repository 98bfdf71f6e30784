"""BM25 against rank-bm25, against a hand-worked case, and at its edges."""

from __future__ import annotations

import math
import random
import subprocess
import sys

import numpy as np
import pytest

from pipeline.base.errors import CuadAuditError
from pipeline.retrieval.bm25 import Bm25, reference
from pipeline.retrieval.tokenize import tokenize

WORDS = [
    "liability",
    "cap",
    "fees",
    "paid",
    "months",
    "party",
    "indirect",
    "damages",
    "loss",
    "gross",
    "notice",
    "term",
]


@pytest.fixture(scope="module")
def corpus() -> list[str]:
    draw = random.Random(3)
    texts = [" ".join(draw.choices(WORDS, weights=range(len(WORDS), 0, -1), k=draw.randint(3, 40))) for _ in range(200)]
    return [*texts, texts[7], texts[7]]  # duplicates: ties


@pytest.fixture(scope="module")
def queries() -> list[str]:
    draw = random.Random(4)
    return [" ".join(draw.choices([*WORDS, "unheard"], k=draw.randint(1, 12))) for _ in range(40)]


@pytest.mark.parametrize("method", ["lucene", "robertson", "atire", "bm25+"])
def test_the_engine_scores_as_the_reference_does(corpus, queries, method):
    index, expected = Bm25.build(corpus, method, 1.2, 0.6), reference(corpus, method, 1.2, 0.6)
    for query in queries:
        scores, truth = index.scores(query), np.asarray(expected(query))
        if method == "bm25+":  # rank-bm25 leaves in what a text without any of the words gets
            truth = truth - sum(_plus_idf(corpus, word) for word in tokenize(query))
        elif method in ("lucene", "robertson"):
            truth = truth / (1.2 + 1)
        np.testing.assert_allclose(scores, truth, atol=2e-4)


def _plus_idf(corpus: list[str], word: str) -> float:
    df = sum(word in text.split() for text in corpus)
    return math.log((len(corpus) + 1) / df) if df else 0.0


@pytest.mark.parametrize("method", ["lucene", "robertson", "atire", "bm25+"])
def test_both_libraries_rank_alike_up_to_ties(corpus, queries, method):
    index, expected = Bm25.build(corpus, method), reference(corpus, method)
    for query in queries:
        truth = np.asarray(expected(query))
        top = np.argsort(-index.scores(query), kind="stable")[:10]
        best = np.sort(truth)[::-1][:10]
        np.testing.assert_allclose(truth[top], best, atol=5e-4)  # the reference gives the same ten scores


def test_the_libraries_own_defaults_differ(corpus, queries):
    """Why the reference is computed on purpose: BM25Okapi as it comes ranks otherwise."""
    import rank_bm25

    okapi, index = rank_bm25.BM25Okapi([tokenize(text) for text in corpus]), Bm25.build(corpus)
    worst = 1.0
    for query in queries:
        ours = set(np.argsort(-index.scores(query), kind="stable")[:10])
        theirs = set(np.argsort(-okapi.get_scores(tokenize(query)), kind="stable")[:10])
        worst = min(worst, len(ours & theirs) / 10)
    assert worst < 1.0


def test_a_case_worked_by_hand():
    index = Bm25.build(["cap on fees", "fees", "term"], "lucene", 1.5, 0.75)
    mean = 5 / 3
    idf = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    expected = [idf * 1 / (1 + 1.5 * (0.25 + 0.75 * length / mean)) for length in (3, 1)]
    np.testing.assert_allclose(index.scores("Fees!"), [*expected, 0], rtol=1e-6)
    np.testing.assert_allclose(index.scores("fees fees"), 2 * index.scores("fees"), rtol=1e-6)


def test_no_known_word_scores_nothing():
    index = Bm25.build(["cap on fees", "term"])
    assert not index.scores("zebra").any()
    assert not index.scores("").any()


@pytest.mark.parametrize("texts", [[], ["", "—"]])
def test_a_library_without_words(texts):
    index = Bm25.build(texts)
    assert index.scores("cap").tolist() == [0.0] * len(texts)


def test_an_index_without_words_is_not_saved(tmp_path):
    with pytest.raises(CuadAuditError, match="no word"):
        Bm25.build([]).save(tmp_path)


@pytest.mark.parametrize("method", ["lucene", "bm25+"])
def test_a_saved_index_scores_the_same(tmp_path, corpus, queries, method):
    index = Bm25.build(corpus, method)
    index.save(tmp_path)
    again = Bm25.load(tmp_path)
    assert again.n == len(corpus)
    for query in queries:
        np.testing.assert_array_equal(again.scores(query), index.scores(query))


def test_the_saved_bytes_do_not_hang_on_the_hash_seed(tmp_path):
    code = (
        "import sys; from pathlib import Path; from pipeline.retrieval.bm25 import Bm25;"
        "Bm25.build(['the cap is the fees', 'no party is liable', 'loss of profit']).save(Path(sys.argv[1]))"
    )
    for seed in ("1", "2"):
        subprocess.run([sys.executable, "-c", code, str(tmp_path / seed)], check=True, env={"PYTHONHASHSEED": seed})
    names = sorted(path.name for path in (tmp_path / "1").iterdir())
    assert len(names) >= 5
    assert names == sorted(path.name for path in (tmp_path / "2").iterdir())
    assert all((tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes() for name in names)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Party’s LIABILITY (10.2) shall", ["party's", "liability", "10.2", "shall"]),
        ("USD 1,000,000.", ["usd", "1,000,000"]),
        ("[***] — ", []),
        ("Straße", ["strasse"]),
        ("p2p_link", ["p", "2", "p", "link"]),
    ],
)
def test_tokens(text, tokens):
    assert tokenize(text) == tokens
