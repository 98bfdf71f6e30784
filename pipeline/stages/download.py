"""download: the corpus, verified, as three sorted tables in data/raw."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from pipeline.base import params, records
from pipeline.base.cache import cache_dir, repository
from pipeline.base.errors import run
from pipeline.corpus import archive, fetch, squad

READS = ("source",)
OUT = Path("data/raw")
LOCAL = "CUAD_ARCHIVE"


def load_cuad(source: params.CuadSource, local: str | None, cache: Path) -> squad.Corpus:
    """CUAD from the local archive ``local``, or from the network by way of the cache."""
    if local:
        path = repository() / Path(local).expanduser()  # relative to where the user stands, under --temp as well
        archive.verify(path, source.digests)
    else:
        path = fetch.fetch(source.url, source.digests, cache / "downloads")
    name = f"{path}: {archive.MEMBER}"
    corpus = squad.parse_json(archive.read_member(path), name)
    squad.check_counts(corpus, squad.PUBLISHED, name)
    return corpus


def load_sample(source: params.SampleSource) -> tuple[squad.Corpus, dict[str, list[dict[str, Any]]]]:
    """The project's own corpus and its labels (file name -> rows)."""
    from pipeline.corpus.sample import generate

    sample = generate(contracts=source.contracts, families=source.families, seed=source.seed)
    return squad.parse(sample.squad, "sample corpus"), dict(sample.labels)


def write(corpus: squad.Corpus, labels: dict[str, list[dict[str, Any]]], out: Path) -> None:
    """The whole folder or nothing."""
    with records.atomic_folder(out) as folder:
        for name, columns in squad.COLUMNS.items():
            records.write_rows(folder / f"{name}.parquet", getattr(corpus, name), columns)
        for name, rows in sorted(labels.items()):
            records.write_jsonl(folder / "labels" / name, rows)


def main() -> None:
    source = params.load(READS).source
    if source.name == "sample":
        corpus, labels = load_sample(source)
    else:
        corpus, labels = load_cuad(source, os.environ.get(LOCAL), cache_dir()), {}
    write(corpus, labels, OUT)


if __name__ == "__main__":
    run(main)
