"""collect_verdicts: auditor and judge on every labelled clause, whatever gate 1 would say.

What is recorded holds no threshold, so that a changed threshold costs no call: see
``pipeline.grounding.rows``. Model calls are kept in the cache folder, outside this stage's outs, so
that a second run pays only for what is missing.

A labelled clause may itself stand in the library that the probe was fitted on. Its probe score is then the
out-of-fold one of ``calibrate``, from a probe that saw nothing of its family.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from tqdm import tqdm

from pipeline.base import params, records
from pipeline.base.errors import run
from pipeline.base.parallel import spread, workers_for
from pipeline.corpus.normalise import span_key
from pipeline.evaluation.clauses import clause_text, contract_texts
from pipeline.evaluation.labels import load_items
from pipeline.grounding.agents import Auditor, FaithfulnessJudge
from pipeline.grounding.choose import choose_agents
from pipeline.grounding.collect import Case, collect, unfinished
from pipeline.grounding.evidence import Searcher
from pipeline.grounding.gate1 import KINDS, NEAREST, Probe
from pipeline.llm.client import open_client
from pipeline.retrieval.embedder import CachedEmbedder, load_embedder
from pipeline.retrieval.library import Library
from pipeline.standard import Standard, load_standard

READS = ("source.labels", "embedder", "retrieval", "auditor", "judge", "llm")
CONTRACTS = Path("data/raw/contracts.parquet")
INDEX = Path("data/index")
PROBE = Path("data/calibration/probe.json")
SCORES = Path("data/calibration/scores.parquet")
#: Clauses of so many a process are worth starting it.
AT_ONCE = 20
OUT = Path("data/verdicts/verdicts.jsonl")


def main() -> None:
    settings = params.load(READS)
    agents = choose_agents(settings.auditor, settings.judge, lambda: open_client(settings.llm), stable=True)
    work = partial(_collected, load_standard(), agents)
    rows = spread(work, cases(settings), workers_for(*agents), size=AT_ONCE)
    records.write_jsonl(OUT, rows)
    summary(rows)
    if (error := unfinished(rows)) is not None:
        raise error


def _collected(
    standard: Standard, agents: tuple[Auditor, FaithfulnessJudge], some: Sequence[Case]
) -> list[dict[str, Any]]:
    return collect(some, standard, *agents, progress=True)


def cases(settings: Any) -> list[Case]:
    """Every labelled clause with its evidence and scores. ``settings``: the parameters in ``READS``."""
    labels = Path(settings.source.labels)
    items = list(load_items(labels).values())
    contracts = contract_texts(CONTRACTS)
    clauses = [clause_text(item, contracts) for item in items]
    chosen = load_embedder(settings.embedder.name, settings.embedder.runtime, settings.embedder.window)
    embedder = CachedEmbedder(chosen, progress=False)  # `index` embedded these texts: no model is loaded again
    library = Library.load(INDEX)
    library.check(embedder)
    probe = Probe.load(PROBE) if PROBE.exists() else None  # none was fitted where the corpus has no negatives
    searcher = Searcher(library, embedder, settings.retrieval, probe)
    unseen = out_of_fold(records.read_rows(SCORES, ("span_id", "kind", "probe"))) if probe else {}
    bar = tqdm(items, desc="retrieve", unit="clause", mininterval=0.5)
    return [
        case(searcher, item.model_dump(mode="json"), clause, unseen) for item, clause in zip(bar, clauses, strict=True)
    ]


def case(searcher: Searcher, item: Mapping[str, Any], clause: str, unseen: Mapping[str, float]) -> Case:
    """A clause with its evidence and scores, its own family kept out of both."""
    vectors = searcher.vectors(clause)
    family = item["family"]
    evidence = searcher.evidence(clause, vectors, exclude_family=family)
    scores = searcher.scores(vectors, family, KINDS if searcher.probe else tuple(NEAREST))
    span = span_key(item["title"], item["start"], item["end"])
    if searcher.probe and span in unseen:
        scores["probe"] = unseen[span]
    return Case(item, clause, tuple(evidence), scores)


def out_of_fold(scores: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """The probe score of every span that was calibrated on, best piece, by span key."""
    best: dict[str, float] = {}
    for row in scores:
        if row["kind"] == "positive":
            key = row["span_id"].removeprefix("s")
            best[key] = max(row["probe"], best.get(key, row["probe"]))
    return best


def summary(rows: Sequence[Mapping[str, Any]]) -> None:
    """One line on stderr: what came back, in counts."""
    said = Counter(row["answer"]["verdict"] if row["answer"] else row["answer_failure"]["cause"] for row in rows)
    shown = ", ".join(f"{name} {count}" for name, count in sorted(said.items()))
    print(f"collect_verdicts: {len(rows)} clauses; auditor before the gates: {shown}", file=sys.stderr)


if __name__ == "__main__":
    run(main)
