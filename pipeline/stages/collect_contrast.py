"""collect_contrast: contrast pairs, adversarial clauses and injection probes put to auditor and judge, gate 1 open.

No threshold plays a part, so that a changed one asks nothing again: ``eval_verdicts`` counts what is recorded
here. Writes to data/contrast/: pairs.jsonl (a row a pair with both answers), adversarial.jsonl (a row a
clause) and injection.json.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from pipeline.base import params, records
from pipeline.base.errors import run
from pipeline.base.parallel import spread, workers_for
from pipeline.base.types import Evidence, Identity
from pipeline.evaluation.contrast import contrast_pairs
from pipeline.evaluation.contrast_eval import Answer, answers_of
from pipeline.evaluation.contrast_run import chosen_pairs, clause_answers, families_of
from pipeline.grounding.adversarial import AdversarialClause, load_clauses, rows_of
from pipeline.grounding.agents import Auditor, FaithfulnessJudge
from pipeline.grounding.choose import choose_agents
from pipeline.grounding.injection import Probe, Trial, load_probes, summary, try_probes
from pipeline.llm.client import open_client
from pipeline.retrieval.library import Library
from pipeline.standard import Standard, load_standard

READS = ("retrieval.k", "auditor", "judge", "llm", "evaluation.seed")
INDEX = Path("data/index")
PROBES = Path("data/injection/probes.jsonl")
ADVERSARIAL = Path("data/adversarial/clauses.jsonl")
#: An injection probe may be very long; BM25 needs no more of it than this to find evidence.
PROBE_QUERY = 5000
#: A probe is tried in many ways.
PROBES_AT_ONCE = 19
OUT = Path("data/contrast")


def main() -> None:
    settings = params.load(READS)
    library = Library.load(INDEX)
    auditor, judge = choose_agents(settings.auditor, settings.judge, lambda: open_client(settings.llm), stable=True)
    pairs = chosen_pairs(contrast_pairs(library.chunks, settings.evaluation.seed), auditor.identity, judge.identity)
    traps = chosen_traps(auditor.identity, judge.identity)
    workers = workers_for(auditor, judge)
    answers = clause_answers(
        families_of(pairs) | {trap.clause: "" for trap in traps},
        library,
        load_standard(),
        auditor,
        judge,
        settings.retrieval.k,
        workers,
    )
    results = answers_of(pairs, answers)
    tried = injections(library, (auditor, judge), settings.retrieval.k, workers)
    with records.atomic_folder(OUT) as folder:
        records.write_jsonl(folder / "pairs.jsonl", map(records.to_dict, results))
        records.write_jsonl(folder / "adversarial.jsonl", trap_rows(traps, answers))
        records.write_json(folder / "injection.json", tried)
    held = tried["held"]
    print(f"collect_contrast: {len(results)} pairs; {held['count']} of {held['n']} probes held", file=sys.stderr)


def chosen_traps(*agents: Identity) -> list[AdversarialClause]:
    """The adversarial clauses to ask about; where a model has to be paid, the held-out ones alone."""
    paid = any(agent.model for agent in agents)
    return [clause for clause in load_clauses(ADVERSARIAL) if clause.split == "held_out" or not paid]


def trap_rows(traps: Sequence[AdversarialClause], answers: Mapping[str, Answer]) -> list[dict[str, Any]]:
    """A row an adversarial clause: what was said of it, why, and what that is."""
    rows = rows_of(traps, {text: answer.verdict for text, answer in answers.items()})
    return [row | {"failure_cause": answers[trap.clause].cause.value} for row, trap in zip(rows, traps, strict=True)]


def injections(library: Library, agents: tuple[Auditor, FaithfulnessJudge], k: int, workers: int = 1) -> dict[str, Any]:
    """Clauses that try to steer, on the configured auditor and on models that obey them, in counts. A
    probe is held if no trial of it let anything through that the texts do not carry."""
    work = partial(_tried, library, load_standard(), agents, k)
    trials = spread(work, load_probes(PROBES), workers, size=PROBES_AT_ONCE)
    probes = {trial.probe.id for trial in trials}
    leaked = {trial.probe.id for trial in trials if trial.leak}
    return {**summary(trials), "held": {"n": len(probes), "count": len(probes) - len(leaked)}}


def _tried(
    library: Library, standard: Standard, agents: tuple[Auditor, FaithfulnessJudge], k: int, probes: Sequence[Probe]
) -> list[Trial]:
    def evidence(clause: str) -> list[Evidence]:
        return library.search(clause[:PROBE_QUERY], None, k, retriever="bm25")

    return try_probes(probes, evidence, standard, *agents)


if __name__ == "__main__":
    run(main)
