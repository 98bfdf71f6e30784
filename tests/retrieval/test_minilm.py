"""The real model: agreement with sentence-transformers, independence of the batch, the checks at load."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pipeline.base.errors import CuadAuditError
from pipeline.retrieval import minilm, onnx_graph
from pipeline.retrieval.minilm import MiniLm

TEXTS = [
    "",
    "   \n",
    "Cap.",
    "Neither party's total liability shall exceed the fees paid in the twelve months before the claim.",
    "IN NO EVENT SHALL EITHER PARTY BE LIABLE FOR LOST PROFITS, OR FOR INDIRECT OR CONSEQUENTIAL DAMAGES.",
    "Die Haftung für Vorsatz und grobe Fahrlässigkeit bleibt unberührt; Höchstbetrag: 1.000.000 €.",
    "責任の上限 🙂 «limite» naïve ﬁ\u200b",
    "[***] ([****]) $___",
    "broken \ud800 surrogate and \x00 byte",
    "The Supplier is liable for the fees. " * 60,  # longer than the window
    " ".join(f"{n}.{n % 7}" for n in range(400)),
    "x" * 3000,
]


@pytest.fixture(scope="module")
def cache(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def model(cache) -> MiniLm:
    return MiniLm(256, cache)


@pytest.fixture(scope="module")
def vectors(model) -> np.ndarray:
    return model.embed(TEXTS)


def test_agrees_with_sentence_transformers(vectors):
    from sentence_transformers import SentenceTransformer

    reference = SentenceTransformer(str(minilm.model_folder()), device="cpu")
    reference.max_seq_length = 256
    expected = reference.encode([text.encode("utf-8", "replace").decode() for text in TEXTS])
    assert (vectors * expected).sum(axis=1).min() >= 0.9999
    assert np.abs(vectors - expected).max() < 1e-5


def test_vectors_are_rounded_unit_rows(vectors):
    assert vectors.shape == (len(TEXTS), 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    np.testing.assert_array_equal(vectors, np.round(vectors.astype(np.float64), 6).astype(np.float32))


def test_a_vector_hangs_on_its_text_alone(model, vectors):
    """The same bits alone, in another order, among copies of another text of the same length."""
    ids = [encoding.ids for encoding in model._encode(TEXTS[3:5])]
    for row, tokens in zip((3, 4), ids, strict=True):
        other = np.full((9, len(tokens)), 2023, dtype=np.int32)
        other[5] = tokens
        alone = model.session.run(None, {"ids": np.array([tokens], dtype=np.int32)})[0][0]
        np.testing.assert_array_equal(model.session.run(None, {"ids": other})[0][5], alone)
        np.testing.assert_array_equal(model.embed([TEXTS[row]])[0], vectors[row])
    np.testing.assert_array_equal(model.embed(TEXTS[::-1])[::-1], vectors)


def test_a_vector_does_not_hang_on_the_number_of_threads(cache, vectors, monkeypatch):
    for count in ("1", "3"):
        monkeypatch.setenv("OMP_NUM_THREADS", count)
        np.testing.assert_array_equal(MiniLm(256, cache).embed(TEXTS[:6]), vectors[:6])


def test_like_texts_are_nearer(model):
    cap, capped, lunch = model.embed(
        ["Liability is capped at the fees paid.", "Damages are limited to fees.", "We had soup for lunch."]
    )
    assert cap @ capped > 0.5 > 0.3 > cap @ lunch


def test_tokens_are_counted_whole_and_without_the_model(cache):
    model = MiniLm(256, cache)
    counts = model.count_tokens(["", "the fees paid", "the fees paid " * 200])
    assert counts == [2, 5, 602]
    assert "session" not in vars(model)
    assert model.count_tokens([]) == []
    assert model.embed([]).shape == (0, 384)


@pytest.mark.parametrize("window", [2, 513])
def test_a_window_that_the_model_cannot_read(cache, window):
    with pytest.raises(CuadAuditError, match="window"):
        MiniLm(window, cache)


def test_a_text_is_cut_to_the_window(cache, model):
    short = MiniLm(5, cache)
    np.testing.assert_array_equal(short.embed(["the fees paid in advance"]), short.embed(["the fees paid"]))
    assert not np.array_equal(model.embed(["the fees paid in advance"]), model.embed(["the fees paid"]))


def test_another_digest_is_refused(tmp_path):
    path = tmp_path / "model.safetensors"
    path.write_bytes(b"not the weights")
    with pytest.raises(CuadAuditError, match=r"model\.safetensors: sha256 .* is not the pinned"):
        minilm.checked(path, minilm.WEIGHTS_SHA256)
    with pytest.raises(CuadAuditError, match="no such file"):
        minilm.checked(tmp_path / "absent", minilm.WEIGHTS_SHA256)


def test_a_damaged_onnx_file_is_built_again(tmp_path, monkeypatch):
    built = []
    monkeypatch.setattr(minilm, "weights_file", lambda: tmp_path)
    monkeypatch.setattr(onnx_graph, "read_safetensors", lambda _: {})

    class Model:
        def SerializeToString(self) -> bytes:
            return b"graph"

    monkeypatch.setattr(onnx_graph, "build", lambda *_: built.append(1) or Model())
    path = minilm.onnx_file(tmp_path)
    assert path.read_bytes() == b"graph"
    assert minilm.onnx_file(tmp_path) == path
    assert built == [1]
    path.touch()  # another time, the same content: hashed, not built
    minilm.onnx_file(tmp_path)
    assert built == [1]
    path.write_bytes(b"grapf")
    assert minilm.onnx_file(tmp_path).read_bytes() == b"graph"
    path.write_bytes(b"gr")
    assert minilm.onnx_file(tmp_path).read_bytes() == b"graph"
    path.with_suffix(".json").write_text("{")
    assert minilm.onnx_file(tmp_path).read_bytes() == b"graph"
    assert built == [1, 1, 1, 1]


def test_the_graph_needs_every_weight():
    with pytest.raises(KeyError):
        onnx_graph.build({}, 12, 6, 1e-12)


def test_batches_hold_one_length_and_keep_the_budget():
    lengths = [5, 3, 5, 5, 9, 3, 200]
    found = list(minilm.batches(lengths, 10))
    assert found == [[1, 5], [0, 2], [3], [4], [6]]


def test_the_query_path_imports_no_torch(cache):
    code = (
        "import sys; from pathlib import Path; from pipeline.retrieval.embedder import load_embedder;"
        "load_embedder('minilm', 'onnx', 256, Path(sys.argv[1])).embed(['cap']);"
        "print([name for name in ('torch', 'transformers', 'sentence_transformers', 'pandas') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code, str(cache)], check=True, capture_output=True, text=True)
    assert run.stdout.strip() == "[]"
