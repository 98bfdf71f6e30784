"""The verdict engine: evaluate one artifact against one goal record. It never writes or mends the artifact.

Order: identities (refused before anything else), the artifact's bytes, the privacy pre-check, the
profile's checks with the citation gate, the score, the verdict. ``pass`` needs all of: no FAIL, no blocked
delivery, no critical check left undone, the success condition, and a score of 100 unless the profile's own
rule passes it below.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pipeline.base.errors import CuadAuditError, UsageError
from pipeline.verification import score as scoring
from pipeline.verification.document import front_matter
from pipeline.verification.folder_source import FolderSource as Folder
from pipeline.verification.gate import FORMAT_ONLY, OUTCOMES
from pipeline.verification.goal import FolderSource, Goal, GoalRecord, McpSource, PipelineSource
from pipeline.verification.identity import Effective, follow, refuse_same, resolve
from pipeline.verification.index_source import PipelineSource as Pipeline
from pipeline.verification.plainyaml import Malformed
from pipeline.verification.privacy import precheck
from pipeline.verification.profiles import PROFILES, Context, Past, SchemaError
from pipeline.verification.sources import Registry, RetrievalLog, Source, fingerprint
from pipeline.verification.support import Opinion
from pipeline.verification.verdict import Observed, Severity, Status, Verdict, fails, number

#: Findings of one verdict; more are cut, and the verdict says so.
MAX_FINDINGS = 5000


@dataclass(frozen=True)
class Evaluation:
    """A verdict with what does not stand in its nine fields. ``outcomes``: citations by what the gate found."""

    verdict: Verdict
    observed: tuple[Observed, ...]
    delivery_blocked: bool = False
    halted: bool = False
    reduced: bool = False
    outcomes: dict[str, int] = field(default_factory=lambda: dict.fromkeys(OUTCOMES, 0))
    citations: int = 0
    quotations: int = 0


def identities(record: GoalRecord, root: Path) -> tuple[Effective, Effective]:
    """Worker and evaluator as they effectively are; raises ``Refused`` where they are one."""
    agents = record.agents()
    worker = resolve(agents[record.worker.role], agents, record.aliases, root)
    evaluator = resolve(agents[record.evaluator.role], agents, record.aliases, root)
    refuse_same(worker, evaluator)
    return worker, evaluator


def open_sources(record: GoalRecord, root: Path) -> Registry:
    """The sources of a goal record; nothing is read or started before the first look-up."""
    artifact = root / record.artifact
    sources: list[Source] = []
    for one in record.sources:
        if isinstance(one, PipelineSource):
            paths = (root / one.chunks, root / one.contracts, root / one.audits, root / one.standards)
            sources.append(Pipeline(one.name, *paths))
        elif isinstance(one, FolderSource):
            sources.append(Folder(one.name, root / one.path, exclude=[artifact]))
        elif isinstance(one, McpSource):
            from pipeline.verification.mcp_source import McpSource as Mcp

            sources.append(Mcp(one))
    return Registry(sources)


def source_fingerprint(record: GoalRecord, root: Path) -> str:
    """What the local sources of a goal record hold just now: a worker may not write its own."""
    paths = [root / one.path for one in record.sources if isinstance(one, FolderSource)]
    paths += [
        root / path
        for one in record.sources
        if isinstance(one, PipelineSource)
        for path in (one.chunks, one.contracts, one.standards)
    ]
    return fingerprint(paths, exclude=[root / record.artifact])


def read_artifact(goal: Goal, root: Path) -> tuple[str, str]:
    """The artifact's text and what is wrong with it: a text or a reason, one of them empty."""
    path = root / goal.record.artifact
    limit = goal.record.limits.max_artifact_bytes
    try:
        if not path.is_file():
            return "", "the artifact is missing"
        if path.stat().st_size > limit:
            return "", f"the artifact is longer than {limit} bytes"
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return "", "the artifact is not UTF-8 text"
    except (OSError, ValueError) as error:
        return "", f"the artifact cannot be read: {error}"
    return (text, "") if text.strip() else ("", "the artifact is empty")


def _utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def evaluate(
    goal: Goal,
    root: Path,
    iteration: int = 1,
    history: Sequence[Past] = (),
    registry: Registry | None = None,
    opinion: Opinion | None = None,
    text: str | None = None,
) -> Evaluation:
    """Judge the artifact. ``registry``: sources that are open already; ``text``: an artifact in hand."""
    record = goal.record
    identities(record, root)
    problem = ""
    if text is None:
        text, problem = read_artifact(goal, root)
    elif not text.strip():
        problem = "the artifact is empty"
    elif not _utf8(text):
        problem = "the artifact is not UTF-8 text"
    if problem:
        action = f"Write the artifact {record.artifact}."
        seen = [Observed(Status.FAIL, "artifact", record.artifact, problem, "", Severity.HIGH, action=action)]
        return _conclude(goal, iteration, seen, 0.0)
    private, halt = precheck(text, record)
    if halt:
        return _conclude(goal, iteration, private, 0.0, halted=True)
    own = registry is None
    registry = registry or open_sources(record, root)
    try:
        log = _log(record, root)
        context = Context(goal, registry, log, root, history, opinion)
        try:
            examined = PROFILES[record.profile](text, context)
        except SchemaError as error:
            action = f"Write the artifact in the form that the profile {record.profile} judges."
            detail = f"schema error: {error}"
            seen = [
                *private,
                Observed(Status.FAIL, "schema", record.artifact, detail, "", Severity.HIGH, action=action),
            ]
            return _conclude(goal, iteration, seen, 0.0)
    finally:
        if own:
            registry.close()
    gate = examined.gate
    observed = [*private, *_named_roles(text, goal), *examined.observed, *_shrunk(goal, history, gate.total)]
    undone = [o for o in observed if not o.executed]
    value = scoring.score(examined.parts, observed)
    return _conclude(
        goal,
        iteration,
        observed,
        value,
        blocked=gate.delivery_blocked,
        undone=bool(undone) or bool(examined.critical_undone),
        below=examined.passes_below_100,
        outcomes={name: gate.outcomes[name] for name in OUTCOMES},
        citations=gate.total,
        quotations=gate.quotations,
        notices=registry.failures,
    )


def failed(goal: Goal, iteration: int, check: str, detail: str, action: str) -> Evaluation:
    """The evaluation of an iteration that left nothing to judge: one FAIL, score 0."""
    return _conclude(
        goal, iteration, [Observed(Status.FAIL, check, "worker", detail, "", Severity.HIGH, action=action)], 0.0
    )


def _named_roles(text: str, goal: Goal) -> list[Observed]:
    """Roles that an artifact's front matter claims and the goal record does not give."""
    try:
        front, _, _ = front_matter(text)
    except Malformed:
        return []
    record, observed = goal.record, []
    if front.get("goal_id", record.goal_id) != record.goal_id:
        detail = (
            f"the front matter names the goal {str(front['goal_id'])[:80]!r}, and it is judged for {record.goal_id!r}"
        )
        action = "Name the goal that the artifact was written for."
        observed.append(Observed(Status.FAIL, "identity", "goal_id", detail, "", Severity.MEDIUM, action=action))
    for key, role in (("worker", record.worker.role), ("evaluator", record.evaluator.role)):
        for name in (key, f"{key}_role"):
            said = front.get(name)
            if said is not None and follow(str(said), record.aliases) != follow(role, record.aliases):
                detail = f"the front matter calls the {key} {str(said)[:80]!r}, and the goal record {role!r}"
                action = "Name the roles as the goal record does, or leave them out."
                observed.append(Observed(Status.FAIL, "identity", name, detail, "", Severity.HIGH, action=action))
    return observed


def _shrunk(goal: Goal, history: Sequence[Past], citations: int) -> list[Observed]:
    """Citations that went since the first iteration: a mend replaces what failed, it does not delete it."""
    first = history[0].citations if history else 0
    if citations >= first or goal.record.limits.allow_removal:
        return []
    detail = f"the artifact cites {citations} times, and {first} times when the loop began"
    action = "Bring the removed statements back, each with a source that supports it."
    return [Observed(Status.FAIL, "extract_citations", "artifact", detail, "", Severity.HIGH, action=action)]


def _log(record: GoalRecord, root: Path) -> RetrievalLog | None:
    """The run's retrieval log; one that is not there is none."""
    paths = [root / path for path in record.retrieval_log]
    if not paths:
        return None
    try:
        return RetrievalLog.load(paths)
    except (CuadAuditError, UnicodeDecodeError, OSError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(f"retrieval_log: {error}", "name the log of the run that made the artifact") from None


def _conclude(
    goal: Goal,
    iteration: int,
    observed: Sequence[Observed],
    value: float,
    blocked: bool = False,
    undone: bool = False,
    below: bool = False,
    halted: bool = False,
    outcomes: dict[str, int] | None = None,
    citations: int = 0,
    quotations: int = 0,
    notices: dict[str, str] | None = None,
) -> Evaluation:
    record, condition = goal.record, goal.record.success_condition
    shown = list(observed)
    failed = len(fails(shown))
    if len(shown) > MAX_FINDINGS:
        first = [o for o in shown if o.status is Status.FAIL] + [o for o in shown if o.status is not Status.FAIL]
        shown = first[:MAX_FINDINGS]
    warned = sum(o.status is Status.WARN for o in observed)
    enough = value >= (condition.min_score if condition.min_score is not None else (0.0 if below else 100.0))
    enough = enough and (below or value == 100.0)
    quiet = condition.max_warnings is None or warned <= condition.max_warnings
    passed = not failed and not blocked and not undone and not halted and enough and quiet
    verdict = Verdict(
        passed=passed,
        score=value,
        iteration=iteration,
        evaluator_role=record.evaluator.role,
        worker_role=record.worker.role,
        goal_id=record.goal_id,
        findings=number(shown),
        summary=_summary(goal, passed, failed, warned, len(observed), blocked, undone, halted, notices or {}),
        residual_count=min(failed, MAX_FINDINGS),
    )
    return Evaluation(
        verdict,
        tuple(shown),
        blocked,
        halted,
        undone,
        outcomes or dict.fromkeys(OUTCOMES, 0),
        citations,
        quotations,
    )


def _summary(
    goal: Goal,
    passed: bool,
    failed: int,
    warned: int,
    total: int,
    blocked: bool,
    undone: bool,
    halted: bool,
    notices: dict[str, str],
) -> str:
    """One to three sentences."""
    outcome = "passes" if passed else "does not pass"
    said = [f"The artifact {outcome} {goal.record.profile}: of {total} findings {failed} fail and {warned} warn."]
    if halted:
        said.append("The evaluation was halted by the privacy pre-check before anything left the machine.")
    elif blocked:
        said.append("Delivery is blocked: a citation was not found or does not support what it is cited for.")
    if undone:
        names = ", ".join(f"{name} ({why[:80]})" for name, why in sorted(notices.items())) or "a check"
        said.append(f"Reduced mode {FORMAT_ONLY}: {' '.join(names.split())} could not be asked, so this is no pass.")
    return " ".join(said[:3])
