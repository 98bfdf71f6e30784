"""Any sentence-transformers model, by name or folder, run by torch.

Importing the library takes seconds and a wrong name over a minute of retries to fail: the name is
resolved first, with one short question to the hub at most, and nothing is imported for a wrong one.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pipeline.base.errors import CuadAuditError
from pipeline.retrieval import minilm
from pipeline.retrieval.vectors import clean, unit_rows

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

HUB_TIMEOUT_S = 10
_BATCH = 32


class TorchEmbedder:
    """``minilm`` runs the package's verified weights; its vectors agree with the ONNX runtime's."""

    def __init__(self, name: str, window: int) -> None:
        self.name = name
        self.asked_window = window
        self.source = str(minilm.weights_file().parent) if name == minilm.NAME else resolve(name)

    @cached_property
    def model(self) -> SentenceTransformer:
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")
        from sentence_transformers import SentenceTransformer

        try:
            model = SentenceTransformer(self.source, local_files_only=Path(self.source).is_dir())
        except Exception as error:  # any of a dozen libraries may raise here
            raise CuadAuditError(
                f"embedder {self.name!r} cannot be loaded ({type(error).__name__}: {str(error)[:200]})",
                "give the name or the folder of a sentence-transformers model",
            ) from error
        longest = model.max_seq_length
        model.max_seq_length = min(self.asked_window, longest) if longest else self.asked_window
        return model

    @cached_property
    def window(self) -> int:
        """The asked window, or the model's own where that is shorter."""
        return self.asked_window if self.name == minilm.NAME else int(self.model.max_seq_length or self.asked_window)

    @cached_property
    def dim(self) -> int:
        return minilm.DIM if self.name == minilm.NAME else int(self.model.get_embedding_dimension() or 0)

    @cached_property
    def identity(self) -> dict[str, Any]:
        if self.name == minilm.NAME:
            sha256 = minilm.WEIGHTS_SHA256
        else:
            digest = hashlib.sha256()
            for key, tensor in sorted(self.model.state_dict().items()):
                digest.update(key.encode() + tensor.detach().cpu().contiguous().numpy().tobytes())
            sha256 = digest.hexdigest()
        return {"name": self.name, "weights_sha256": sha256, "window": self.window}

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each whole text, special tokens included."""
        if self.name == minilm.NAME:
            return minilm.MiniLm(self.asked_window, Path()).count_tokens(texts)
        if not texts:
            return []
        encoded = self.model.tokenizer([clean(text) for text in texts], truncation=False, verbose=False)
        return [len(ids) for ids in encoded["input_ids"]]

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """[texts, dim] float32, unit rows rounded to six decimals; a longer text is cut to the window."""
        if not texts:
            return np.zeros((0, self.dim), dtype=np.float32)
        cleaned = [clean(text) for text in texts]
        return unit_rows(self.model.encode(cleaned, batch_size=_BATCH, show_progress_bar=False))


def resolve(name: str) -> str:
    """A folder with the model or a name that the hub knows; a ``CuadAuditError`` within seconds otherwise."""
    folder = Path(name)
    if folder.is_dir():
        if not (folder / "config.json").is_file() and not (folder / "modules.json").is_file():
            raise CuadAuditError(f"{folder}: neither config.json nor modules.json", "give a model's folder")
        return str(folder)

    from huggingface_hub import HfApi, snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError, RepositoryNotFoundError

    # The library looks for a bare name under its own organisation.
    names = [name] if "/" in name else [f"sentence-transformers/{name}", name]
    for candidate in names:
        try:
            return snapshot_download(candidate, local_files_only=True)
        except HFValidationError:
            raise CuadAuditError(
                f"embedder {name!r} is neither a folder nor a model's name", "give e.g. embedder.name=all-mpnet-base-v2"
            ) from None
        except LocalEntryNotFoundError:
            continue
    if os.environ.get("HF_HUB_OFFLINE", "").upper() in {"1", "ON", "YES", "TRUE"}:
        raise CuadAuditError(
            f"embedder {name!r} is not in the local model cache, and HF_HUB_OFFLINE is set",
            "unset HF_HUB_OFFLINE to download it, or give the model's folder",
        )
    for candidate in names:
        try:
            HfApi().model_info(candidate, timeout=HUB_TIMEOUT_S)
            return candidate
        except RepositoryNotFoundError:
            continue
        except Exception as error:  # offline, a proxy, a time-out: all the same to the person who reads it
            raise CuadAuditError(
                f"embedder {name!r} is not in the local model cache, and the model hub cannot be reached "
                f"({type(error).__name__})",
                "give the model's folder, or embedder=minilm, which needs no network",
            ) from None
    raise CuadAuditError(f"embedder {name!r}: the model hub has no such model", "check the name, or give a folder")
