"""index: a vector for every text that any later stage compares, and the library's BM25 index.

The texts are all chunks and the project's own negatives. Of a negative longer than the window, which
is cut like a chunk, the pieces are embedded, and the whole (as far as the window goes) beside them.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pipeline.base import params, records
from pipeline.base.errors import CuadAuditError, run
from pipeline.base.records import Rows
from pipeline.corpus.chunk import COLUMNS, SPAN, cut
from pipeline.corpus.slice import LIBRARY
from pipeline.retrieval.vectors import text_sha256

if TYPE_CHECKING:
    from pipeline.retrieval.embedder import Embedder

READS = ("embedder", "bm25")
CHUNKS = Path("data/chunks/chunks.parquet")
WRITTEN = Path("data/negatives/negatives.jsonl")
OUT = Path("data/index")
METRICS = Path("metrics/index.json")


def texts_to_embed(chunk_texts: Iterable[str], written: Iterable[str], embedder: Embedder) -> list[dict[str, str]]:
    """The distinct texts: ``sha256``, ``of`` (the text it is a piece of; its own digest if whole), ``text``.

    Sorted by sha256. A piece of several texts names the one whose digest is first.
    """
    rows: dict[str, tuple[str, str]] = {}
    for text in {*chunk_texts, *written}:
        rows[text_sha256(text)] = (text_sha256(text), text)
    for text in sorted(set(written), key=text_sha256):
        for start, end in cut(text, embedder.count_tokens, embedder.window):
            rows.setdefault(text_sha256(text[start:end]), (text_sha256(text), text[start:end]))
    return [{"sha256": digest, "of": of, "text": text} for digest, (of, text) in sorted(rows.items())]


def write_index(
    folder: Path, chunks: Rows, written: list[str], embedder: Embedder, bm25: params.Bm25
) -> dict[str, Any]:
    """Write the whole index, the manifest last; returns the manifest."""
    from pipeline.retrieval.bm25 import Bm25

    library = [row for row in chunks if (row["kind"], row["split"]) == (SPAN, LIBRARY)]
    if not library:
        raise CuadAuditError(f"{CHUNKS}: no chunk of the library side", "choose slice.categories that have spans")
    texts = texts_to_embed((row["text"] for row in chunks), written, embedder)
    vectors = embedder.embed([row["text"] for row in texts])
    manifest = {
        "embedder": dict(embedder.identity),
        "dim": int(vectors.shape[1]),
        "texts": len(texts),
        "library": len(library),
        "bm25": {"method": bm25.method, "k1": bm25.k1, "b": bm25.b},
    }
    with records.atomic_folder(folder) as part:
        np.save(part / "vectors.npy", vectors)
        digests = [{"sha256": row["sha256"], "of": row["of"]} for row in texts]
        records.write_rows(part / "texts.parquet", digests, {"sha256": "string", "of": "string"})
        records.write_rows(part / "library.parquet", library, COLUMNS)
        Bm25.build([row["text"] for row in library], bm25.method, bm25.k1, bm25.b).save(part / "bm25")
        records.write_json(part / "manifest.json", manifest)
    return manifest


def counts(manifest: dict[str, Any], chunks: Rows, written: list[str]) -> dict[str, Any]:
    """metrics/index.json: what does not hang on the machine."""
    return {
        "chunks": len(chunks),
        "written_negatives": len(written),
        "texts": manifest["texts"],
        "library": manifest["library"],
        "dim": manifest["dim"],
        "window": manifest["embedder"]["window"],
    }


def main() -> None:
    from pipeline.retrieval.embedder import CachedEmbedder, load_embedder

    p = params.load(READS)
    chunks = records.read_rows(CHUNKS)
    written = [row["text"] for row in records.read_jsonl(WRITTEN)]
    embedder = CachedEmbedder(load_embedder(p.embedder.name, p.embedder.runtime, p.embedder.window))
    manifest = write_index(OUT, chunks, written, embedder, p.bm25)
    records.write_json(METRICS, counts(manifest, chunks, written))


if __name__ == "__main__":
    run(main)
