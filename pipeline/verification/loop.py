"""The loop: a worker writes, the engine judges, the worker is told what failed, until a rule stops it.

The worker is given the FAIL findings with the action required (on stdin and in the file that
``CUAD_AUDIT_FEEDBACK`` names), and never score or pass. It stops at a pass, at the limit, or when
the score has not risen for two iterations in a row. What could be gamed is fixed before the worker first runs:
the goal record, the local sources, the loop's own record; a change ends the loop without a pass.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from filelock import FileLock, Timeout

from pipeline.base.errors import CuadAuditError, UsageError
from pipeline.verification.engine import (
    Evaluation,
    evaluate,
    failed,
    identities,
    open_sources,
    read_artifact,
    source_fingerprint,
)
from pipeline.verification.goal import FolderSource, Goal, digest
from pipeline.verification.journal import Iteration, Journal, following, latest
from pipeline.verification.profiles import Past
from pipeline.verification.support import Opinion
from pipeline.verification.verdict import feedback, to_json, to_yaml
from pipeline.verification.worker import run_worker, words_of

PASS, LIMIT, STALLED, TAMPERED = "pass", "limit", "no progress", "tampering"
PATIENCE = 2


@dataclass(frozen=True)
class LoopResult:
    """How the loop ended, and the last evaluation."""

    stop: str
    evaluation: Evaluation
    iterations: int
    folder: Path


def with_command(goal: Goal, command: str) -> Goal:
    """The goal with the worker's command as it is really started."""
    worker = goal.record.worker.model_copy(update={"command": command})
    return replace(goal, record=goal.record.model_copy(update={"worker": worker}))


def loop(
    goal: Goal,
    root: Path,
    command: str,
    folder: Path,
    new: bool = False,
    opinion: Opinion | None = None,
    say: Callable[[str], None] = lambda text: print(text, file=sys.stderr),
) -> LoopResult:
    """Run or resume the loop of one goal; its record lies under ``folder``."""
    identities(goal.record, root)
    words = words_of(command)
    goal = with_command(goal, command)
    identities(goal.record, root)
    for source in goal.record.sources:
        place = (root / source.path).resolve() if isinstance(source, FolderSource) else None
        if place and folder.resolve().is_relative_to(place):
            raise UsageError(
                f"{folder}: the loop's record lies inside the source {source.name}", "give another --state"
            )
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / ".lock", timeout=0)
    try:
        with lock:
            return _run(goal, root, words, folder, new, opinion, say)
    except Timeout:
        raise UsageError(f"{folder}: another loop of this goal runs", "wait for it, or give another --state") from None


def _run(
    goal: Goal,
    root: Path,
    words: list[str],
    folder: Path,
    new: bool,
    opinion: Opinion | None,
    say: Callable[[str], None],
) -> LoopResult:
    fixed = {
        "goal_id": goal.record.goal_id,
        "goal_sha256": goal.sha256,
        "sources_sha256": source_fingerprint(goal.record, root),
    }
    journal, done = _journal(folder, fixed, new)
    if done:
        say(f"loop: resumed after iteration {done[-1].number}")
    while True:
        number = len(done) + 1
        told = done[-1].feedback if done else ""
        say(f"loop: iteration {number} of at most {goal.record.limits.max_iterations}")
        log = _work(goal, root, words, number, told)
        trouble = _tampered(goal, root, fixed, journal)
        if trouble:
            evaluation = failed(
                goal, number, TAMPERED, trouble, "Leave goal record, sources and the loop's record alone."
            )
            return _finish(journal, number, evaluation, "", log.output, TAMPERED)
        text, problem = read_artifact(goal, root)
        if log.problem:
            evaluation = failed(goal, number, "worker", log.problem, "Run to the end and write the artifact.")
        elif problem:
            evaluation = failed(goal, number, "artifact", problem, f"Write the artifact {goal.record.artifact}.")
        else:
            past = [Past(one.artifact, one.score, one.citations) for one in done if one.artifact]
            with open_sources(goal.record, root) as registry:
                evaluation = evaluate(goal, root, number, past, registry, opinion, text)
        stop = _stop(evaluation, done, goal.record.limits.max_iterations)
        if stop:
            return _finish(journal, number, evaluation, text, log.output, stop)
        done.append(_record(journal, number, evaluation, text, log.output, ""))


def _journal(folder: Path, fixed: dict[str, str], new: bool) -> tuple[Journal, list[Iteration]]:
    """The run to go on with, or a new one."""
    newest = None if new else latest(folder)
    if newest is not None:
        journal = Journal(newest)
        start = journal.start
        done = journal.iterations()
        if start is not None and not (done and done[-1].stop):
            if start != fixed:
                changed = "goal record" if start.get("goal_sha256") != fixed["goal_sha256"] else "sources"
                raise CuadAuditError(
                    f"{newest}: the {changed} changed since this loop began", "start a new loop with --new"
                )
            return journal, done
    fresh = following(folder)
    fresh.mkdir(parents=True)
    journal = Journal(fresh)
    journal.begin(fixed)
    return journal, []


def _work(goal: Goal, root: Path, words: list[str], number: int, told: str):
    limits = goal.record.limits
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "feedback.txt"
        path.write_text(told, encoding="utf-8")
        environment = {
            "CUAD_AUDIT_FEEDBACK": str(path),
            "CUAD_AUDIT_ARTIFACT": str((root / goal.record.artifact).absolute()),
            "CUAD_AUDIT_ITERATION": str(number),
        }
        return run_worker(words, root, told, environment, limits.worker_timeout_s, limits.max_worker_output)


def _tampered(goal: Goal, root: Path, fixed: dict[str, str], journal: Journal) -> str:
    if digest(goal.path) != fixed["goal_sha256"]:
        return "the goal record was changed while the worker ran"
    if source_fingerprint(goal.record, root) != fixed["sources_sha256"]:
        return "a source was changed while the worker ran"
    if not journal.untouched() or journal.start != fixed:
        return "the record of the loop was changed while the worker ran"
    return ""


def _stop(evaluation: Evaluation, done: list[Iteration], limit: int) -> str:
    if evaluation.verdict.passed:
        return PASS
    if len(done) + 1 >= limit:
        return LIMIT
    scores = [one.score for one in done] + [evaluation.verdict.score]
    recent = scores[-(PATIENCE + 1) :]
    if len(recent) > PATIENCE and all(later <= earlier for earlier, later in pairwise(recent)):
        return STALLED
    return ""


def _record(journal: Journal, number: int, evaluation: Evaluation, text: str, output: str, stop: str) -> Iteration:
    verdict = evaluation.verdict
    told = feedback(verdict, evaluation.observed)
    one = Iteration(
        number, verdict.score, verdict.passed, verdict.residual_count, evaluation.citations, stop, text, told
    )
    files = {
        "artifact": text,
        "verdict.yaml": to_yaml(verdict),
        "verdict.json": to_json(verdict),
        "feedback.txt": told,
        "worker.log": output,
    }
    journal.append(one, files)
    return one


def _finish(journal: Journal, number: int, evaluation: Evaluation, text: str, output: str, stop: str) -> LoopResult:
    if stop != TAMPERED or journal.untouched():
        _record(journal, number, evaluation, text, output, stop)
    return LoopResult(stop, evaluation, number, journal.folder)
