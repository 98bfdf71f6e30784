"""How fast texts become vectors, as a ratio to sentence-transformers on the same texts in the same run.

    python -m benchmarks.embedding                 # 400 own-written texts, lengths as clauses have them
    python -m benchmarks.embedding --chunks 2000   # 2,000 of data/chunks, evenly drawn
    python -m benchmarks.embedding --floor         # all of data/chunks, nothing cached: the index stage's floor

The reference is ``SentenceTransformer.encode`` with its defaults (torch, batches of 32). Rounds alternate
between the two and the best of each counts, so that another load on the machine hits both alike.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from pipeline.retrieval.minilm import MiniLm, model_folder, threads

WINDOW = 256
#: Words a text, drawn log-normally: median 33, a tenth above 100, as the pieces of contracts are.
MEDIAN_WORDS, SPREAD, MOST_WORDS = 33, 0.9, 190
WORDS = (  # not meant to make sense
    "the party shall not be liable for any indirect or consequential loss under this agreement unless caused by "
    "gross negligence fees paid in twelve months before claim notice term termination license territory audit"
)


def own_texts(count: int, seed: int = 20) -> list[str]:
    draw, words = random.Random(seed), WORDS.split()
    sizes = [min(MOST_WORDS, 2 + round(MEDIAN_WORDS * draw.lognormvariate(0, SPREAD))) for _ in range(count)]
    return [" ".join(draw.choices(words, k=size)) for size in sizes]


def chunk_texts() -> list[str]:
    from pipeline.base import records

    return sorted(set(records.read_parquet(Path("data/chunks/chunks.parquet"), columns=["text"])["text"]))


def seconds(run: Callable[[], np.ndarray]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def compare(texts: list[str], rounds: int) -> dict[str, float | int]:
    from sentence_transformers import SentenceTransformer

    ours = MiniLm(WINDOW, Path(".cache"))
    reference = SentenceTransformer(str(model_folder()), device="cpu")
    reference.max_seq_length = WINDOW
    tokens = sum(min(n, WINDOW) for n in ours.count_tokens(texts))
    difference = np.abs(ours.embed(texts) - reference.encode(texts)).max()  # warms both
    fast, slow = [], []
    for _ in range(rounds):
        fast.append(seconds(lambda: ours.embed(texts)))
        slow.append(seconds(lambda: reference.encode(texts)))
    return {
        "texts": len(texts),
        "tokens": tokens,
        "threads": threads(),
        "max_abs_difference": float(difference),
        "texts_per_s": len(texts) / min(fast),
        "tokens_per_s": tokens / min(fast),
        "reference_texts_per_s": len(texts) / min(slow),
        "ratio_to_reference": min(slow) / min(fast),
    }


def floor() -> dict[str, float | int]:
    ours, texts = MiniLm(WINDOW, Path(".cache")), chunk_texts()
    ours.embed(["warm"])
    taken = seconds(lambda: ours.embed(texts))
    return {"texts": len(texts), "threads": threads(), "seconds": taken, "texts_per_s": len(texts) / taken}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--chunks", type=int, metavar="N", help="N texts of data/chunks instead of own-written ones")
    parser.add_argument("--floor", action="store_true", help="embed all of data/chunks and print the seconds")
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    if asked.floor:
        result = floor()
    else:
        texts = chunk_texts() if asked.chunks else own_texts(400)
        result = compare(texts[:: max(1, len(texts) // (asked.chunks or len(texts)))], asked.rounds)
    json.dump(result, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
