"""collect_contrast: contrast pairs, adversarial clauses and injection probes put to auditor and judge, gate 1 open.

No threshold plays a part, so that a changed one asks nothing again: ``review`` counts what is recorded
here. Writes to data/contrast/: pairs.jsonl (a row a pair with both answers), adversarial.jsonl (a row a
clause) and injection.json.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from pipeline import params, records
from pipeline.errors import run
from pipeline.evaluation.contrast import contrast_pairs
from pipeline.evaluation.contrast_eval import PairResult, answers_of
from pipeline.evaluation.contrast_run import chosen_pairs, clause_answers, contrast_answers
from pipeline.evaluation.parallel import workers_for
from pipeline.grounding.adversarial import load_clauses, rows_of
from pipeline.grounding.agents import Auditor, FaithfulnessJudge
from pipeline.grounding.choose import choose_agents
from pipeline.grounding.injection import load_probes, summary, try_probes
from pipeline.llm.client import open_client
from pipeline.retrieval.library import Library
from pipeline.standard import load_standard
from pipeline.types import Evidence

READS = ("retrieval.k", "auditor", "judge", "llm", "evaluation.seed")
INDEX = Path("data/index")
PROBES = Path("data/injection/probes.jsonl")
ADVERSARIAL = Path("data/adversarial/clauses.jsonl")
#: An injection probe may be very long; BM25 needs no more of it than this to find evidence.
PROBE_QUERY = 5000
OUT = Path("data/contrast")


def main() -> None:
    settings = params.load(READS)
    library = Library.load(INDEX)
    agents = choose_agents(settings.auditor, settings.judge, lambda: open_client(settings.llm), stable=True)
    results = contrast(library, agents, settings.evaluation.seed, settings.retrieval.k)
    misled = adversarial(library, agents, settings.retrieval.k)
    tried = injections(library, agents, settings.retrieval.k)
    with records.atomic_folder(OUT) as folder:
        records.write_jsonl(folder / "pairs.jsonl", map(records.to_dict, results))
        records.write_jsonl(folder / "adversarial.jsonl", misled)
        records.write_json(folder / "injection.json", tried)
    held = tried["held"]
    print(f"collect_contrast: {len(results)} pairs; {held['count']} of {held['n']} probes held", file=sys.stderr)


def contrast(library: Library, agents: tuple[Auditor, FaithfulnessJudge], seed: int, k: int) -> list[PairResult]:
    """The contrast set, answered by the configured auditor and judge."""
    auditor, judge = agents
    pairs = chosen_pairs(contrast_pairs(library.chunks, seed), auditor.identity, judge.identity)
    workers = workers_for(auditor, judge)
    return answers_of(pairs, contrast_answers(pairs, library, load_standard(), auditor, judge, k, workers))


def adversarial(library: Library, agents: tuple[Auditor, FaithfulnessJudge], k: int) -> list[dict[str, Any]]:
    """A row an adversarial clause: what was said of it, and what that is. A model, which has to be paid, is
    asked about the held-out ones alone."""
    auditor, judge = agents
    paid = bool(auditor.identity.model or judge.identity.model)
    clauses = [clause for clause in load_clauses(ADVERSARIAL) if clause.split == "held_out" or not paid]
    families = dict.fromkeys((clause.clause for clause in clauses), "")
    answers = clause_answers(families, library, load_standard(), auditor, judge, k, workers_for(auditor, judge))
    rows = rows_of(clauses, {text: answer.verdict for text, answer in answers.items()})
    return [
        row | {"failure_cause": answers[clause.clause].cause.value} for row, clause in zip(rows, clauses, strict=True)
    ]


def injections(library: Library, agents: tuple[Auditor, FaithfulnessJudge], k: int) -> dict[str, Any]:
    """Clauses that try to steer, on the configured auditor and on models that obey them, in counts. A
    probe is held if no trial of it let anything through that the texts do not carry."""

    def evidence(clause: str) -> list[Evidence]:
        return library.search(clause[:PROBE_QUERY], None, k, retriever="bm25")

    trials = try_probes(load_probes(PROBES), evidence, load_standard(), *agents)
    probes = {trial.probe.id for trial in trials}
    leaked = {trial.probe.id for trial in trials if trial.leak}
    return {**summary(trials), "held": {"n": len(probes), "count": len(probes) - len(leaked)}}


if __name__ == "__main__":
    run(main)
