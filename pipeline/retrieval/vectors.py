"""What every embedder does to texts before it and to vectors after it.

Convention: a vector is a float32 unit row rounded to six decimals. Processors differ by about 1e-7;
rounded, most values are the same everywhere, and what is written down is what was computed with.
"""

from __future__ import annotations

import hashlib

import numpy as np

DECIMALS = 6


def unit_rows(vectors: np.ndarray) -> np.ndarray:
    """``vectors`` [n, d] with every row of length one (a zero row stays zero), rounded, float32."""
    wide = np.asarray(vectors, dtype=np.float64)
    norms = np.linalg.norm(wide, axis=1, keepdims=True)
    return (np.round(wide / np.where(norms == 0, 1, norms), DECIMALS) + 0.0).astype(np.float32)


def clean(text: str) -> str:
    """``text`` as it can be written in UTF-8: lone surrogates become question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")


def text_sha256(text: str) -> str:
    """The digest by which a text's vector is found."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
