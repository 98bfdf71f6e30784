"""Choosing an embedder, and the cache: nothing twice, nothing lost, nothing damaged."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.base.errors import CuadAuditError, UsageError
from pipeline.retrieval.embedder import CachedEmbedder, load_embedder, portions
from pipeline.retrieval.vectors import clean, text_sha256, unit_rows


def cached(inner, tmp_path) -> CachedEmbedder:
    return CachedEmbedder(inner, tmp_path, progress=False)


def test_each_distinct_text_is_embedded_once(fake, tmp_path):
    texts = ["b b", "a", "b b", "a", "c c c"]
    vectors = cached(fake, tmp_path).embed(texts)
    assert fake.embedded == ["c c c", "b b", "a"]  # longest first
    np.testing.assert_array_equal(vectors, fake.embed(texts))


def test_a_second_run_embeds_nothing_and_returns_the_same_bits(fake, make_fake, tmp_path):
    first = cached(fake, tmp_path).embed(["a", "b"])
    other = make_fake()
    np.testing.assert_array_equal(cached(other, tmp_path).embed(["b", "a"]), first[::-1])
    assert other.embedded == []


def test_another_model_or_window_has_its_own_vectors(fake, make_fake, tmp_path):
    cached(fake, tmp_path).embed(["a"])
    for other in (make_fake(name="other"), make_fake(window=9)):
        cached(other, tmp_path).embed(["a"])
        assert other.embedded == ["a"]


def test_no_texts(fake, tmp_path):
    assert cached(fake, tmp_path).embed([]).shape == (0, 8)


def test_a_text_that_is_no_utf8_has_a_vector(fake, tmp_path):
    assert cached(fake, tmp_path).embed(["\ud800"]).shape == (1, 8)
    assert clean("a\ud800b") == "a?b"


def test_what_was_embedded_before_a_failure_is_kept(fake, make_fake, tmp_path, monkeypatch):
    monkeypatch.setattr("pipeline.retrieval.embedder.COMMIT_TOKENS", 6)
    whole = fake.embed

    def fails_later(texts):
        if len(fake.calls) == 2:
            raise RuntimeError("power cut")
        return whole(texts)

    fake.embed = fails_later
    with pytest.raises(RuntimeError):
        cached(fake, tmp_path).embed(["a", "b", "c", "d", "e", "f"])
    done = fake.embedded
    again = make_fake()
    cached(again, tmp_path).embed(["a", "b", "c", "d", "e", "f"])
    assert sorted([*done, *again.embedded]) == list("abcdef")
    assert len(done) == 4


def test_a_damaged_entry_is_embedded_again(fake, make_fake, tmp_path):
    store = cached(fake, tmp_path)
    good = store.embed(["a", "b"])
    with sqlite3.connect(store.store.path) as db:
        db.execute("UPDATE vectors SET vector = zeroblob(32) WHERE key = ?", (text_sha256("a"),))
    again = make_fake()
    np.testing.assert_array_equal(cached(again, tmp_path).embed(["a", "b"]), good)
    assert again.embedded == ["a"]
    last = make_fake()
    cached(last, tmp_path).embed(["a", "b"])
    assert last.embedded == []


def test_a_damaged_database_is_put_aside(fake, make_fake, tmp_path, capsys):
    store = cached(fake, tmp_path)
    good = store.embed(["a"])
    store.store.path.write_bytes(b"no database at all" * 500)
    again = make_fake()
    np.testing.assert_array_equal(cached(again, tmp_path).embed(["a"]), good)
    assert again.embedded == ["a"]
    assert "put aside" in capsys.readouterr().err
    assert store.store.path.with_suffix(".damaged").exists()


def test_a_cache_folder_that_cannot_be_written(fake, tmp_path):
    (tmp_path / "vectors").write_text("a file where the folder should be")
    with pytest.raises(CuadAuditError, match="vectors"):
        cached(fake, tmp_path)


WRITER = """
import sys
from pathlib import Path
import numpy as np
from pipeline.retrieval.vector_store import VectorStore
store = VectorStore(Path(sys.argv[1]), {"name": "fake"}, 4)
print("ready", flush=True)
for number in range(int(sys.argv[2]), int(sys.argv[3])):
    store.write([str(number)], np.full((1, 4), number, dtype=np.float32))
"""


def writer(folder: Path, start: int, stop: int) -> subprocess.Popen:
    command = [sys.executable, "-c", WRITER, str(folder), str(start), str(stop)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_several_processes_write_at_once(tmp_path):
    from pipeline.retrieval.vector_store import VectorStore

    running = [writer(tmp_path, 100 * n, 100 * n + 150) for n in range(3)]  # they overlap
    assert [process.wait(60) for process in running] == [0, 0, 0]
    found = VectorStore(tmp_path, {"name": "fake"}, 4).read([str(n) for n in range(400)])
    assert len(found) == 350
    assert all(vector.tolist() == [float(key)] * 4 for key, vector in found.items())


def test_a_killed_writer_leaves_a_whole_store(tmp_path):
    from pipeline.retrieval.vector_store import VectorStore

    process = writer(tmp_path, 0, 10**6)
    process.stdout.readline()
    time.sleep(0.3)
    os.kill(process.pid, signal.SIGKILL)
    process.wait(10)
    store = VectorStore(tmp_path, {"name": "fake"}, 4)
    found = store.read([str(n) for n in range(10**4)])
    assert found
    assert sorted(int(key) for key in found) == list(range(len(found)))
    store.write(["more"], np.ones((1, 4)))
    assert store.read(["more"])["more"].tolist() == [1, 1, 1, 1]


@given(st.dictionaries(st.text(max_size=3), st.integers(1, 50)), st.integers(1, 60))
def test_portions_hold_every_key_once_largest_first(sizes, budget):
    found = list(portions(sizes, budget))
    assert sorted(key for portion in found for key in portion) == sorted(sizes)
    flat = [sizes[key] for portion in found for key in portion]
    assert flat == sorted(flat, reverse=True)
    assert all(len(portion) == 1 or sum(sizes[key] for key in portion) <= budget for portion in found)


def test_unit_rows():
    rows = unit_rows(np.array([[3.0, 4.0], [0.0, 0.0], [-1e-9, 2.0]]))
    np.testing.assert_array_equal(rows, np.array([[0.6, 0.8], [0, 0], [0, 1]], dtype=np.float32))
    assert not np.signbit(rows[2, 0])


def test_onnx_is_for_minilm_alone():
    with pytest.raises(UsageError, match="no onnx runtime"):
        load_embedder("all-mpnet-base-v2", "onnx", 256)


def test_a_name_that_is_no_name_fails_at_once():
    with pytest.raises(CuadAuditError, match="neither a folder nor a model's name"):
        load_embedder("not a/model/name at all", "torch", 256)


def test_an_unknown_name_offline_fails_at_once(monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    start = time.monotonic()
    with pytest.raises(CuadAuditError, match="HF_HUB_OFFLINE is set; unset"):
        load_embedder("nobody/has-this-model", "torch", 256)
    assert time.monotonic() - start < 10


def test_a_folder_without_a_model(tmp_path):
    with pytest.raises(CuadAuditError, match=r"neither config\.json"):
        load_embedder(str(tmp_path), "torch", 256)


def test_torch_and_onnx_agree_and_share_one_identity(tmp_path):
    texts = ["The cap is the fees paid.", "No party is liable for lost profits.", "x " * 400, ""]
    torch, onnx = load_embedder("minilm", "torch", 256), load_embedder("minilm", "onnx", 256, tmp_path)
    assert torch.identity == onnx.identity
    assert torch.count_tokens(texts) == onnx.count_tokens(texts)
    np.testing.assert_allclose(torch.embed(texts), onnx.embed(texts), atol=3e-6)


def test_a_model_by_folder_is_known_by_its_weights():
    from pipeline.retrieval import minilm

    model = load_embedder(str(minilm.model_folder()), "torch", 64)
    assert model.window == 64
    assert model.dim == 384
    assert len(model.identity["weights_sha256"]) == 64
    assert model.count_tokens(["the fees paid " * 100, ""]) == [302, 2]
    assert model.embed(["a", "b"]).shape == (2, 384)
    assert model.embed([]).shape == (0, 384)
