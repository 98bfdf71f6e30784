"""The substantive citation gate: every citation looked up, its content compared; R1 and R2.

For each use of a citation: is it well formed (``validate_citation``), is it there and does it support what
it is cited for (``citation-content-verify``: VERIFIED, PARTIAL, UNVERIFIED, MISMATCH), was it retrieved in this
run (``R1``), and is every quotation verbatim (``R2``). UNVERIFIED and MISMATCH block delivery. A
source that cannot be asked leaves the form: ``(format only — existence not verified)``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pipeline.verification.grammar import Citation
from pipeline.verification.quotations import Quotation, plain, quotations, verbatim
from pipeline.verification.sources import Found, Registry, RetrievalLog, SourceUnavailable, pinpoint
from pipeline.verification.support import PARTIAL_FROM, Opinion, Support, SupportCheck, check
from pipeline.verification.verdict import Observed, Severity, Status
from pipeline.verification.words import content

VERIFY, VALIDATE, SUPPORT, EXTRACT, REVIEW, ATTEST = (
    "citation-content-verify",
    "validate_citation",
    "check_claim_support",
    "extract_citations",
    "review_citations",
    "attest_response",
)
R1, R2 = "R1", "R2"
FORMAT_ONLY = "(format only — existence not verified)"
UNIT = "citation"
#: More citations than this cannot be what one statement rests on.
MAX_TOGETHER = 20
OUTCOMES = ("VERIFIED", "PARTIAL", "UNVERIFIED", "MISMATCH", "MALFORMED", "NOT_EXECUTED")


@dataclass(frozen=True, slots=True)
class Use:
    """A statement with the citations that it rests on. ``item`` names the audited item whose evidence it is
    (R1); ``within``: a citation kind and key that the statement has to keep to."""

    claim: str
    citations: tuple[Citation, ...]
    location: str
    item: str = ""
    quotes: tuple[Quotation, ...] = ()
    open_marks: int = 0


@dataclass
class GateResult:
    observed: list[Observed] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)
    total: int = 0
    valid: int = 0
    quotations: int = 0
    texts: dict[str, str] = field(default_factory=dict)

    @property
    def delivery_blocked(self) -> bool:
        """A citation is not there, or does not support what it is cited for."""
        return bool(self.outcomes["UNVERIFIED"] or self.outcomes["MISMATCH"] or self.outcomes["MALFORMED"])

    @property
    def not_executed(self) -> int:
        return self.outcomes["NOT_EXECUTED"]


def review(
    uses: Sequence[Use], registry: Registry, log: RetrievalLog | None, opinion: Opinion | None = None
) -> GateResult:
    """Run the gate over every use; ``log`` is ``None`` where the run recorded no retrieval."""
    result = GateResult()
    cited = [use for use in uses if use.citations]
    for use in cited:
        _one(use, registry, log, result, opinion)
    everything = [plain(text) for text in result.texts.values()]
    for use in uses:
        if not use.citations:
            _loose_quotes(use, everything, result)
    if log is not None and result.total and not any(o.check == R1 and o.status is Status.FAIL for o in result.observed):
        result.observed.append(
            Observed(Status.PASS, R1, "retrieval log", f"all {result.total} citations were retrieved in this run")
        )
    if result.quotations and not any(o.check == R2 and o.status is not Status.PASS for o in result.observed):
        result.observed.append(
            Observed(Status.PASS, R2, "artifact", f"all {result.quotations} quotations are verbatim")
        )
    return result


def _one(use: Use, registry: Registry, log: RetrievalLog | None, result: GateResult, opinion: Opinion | None) -> None:
    if len(use.citations) > MAX_TOGETHER:
        result.total += len(use.citations)
        result.outcomes["MISMATCH"] += len(use.citations)
        reason = f"{len(use.citations)} citations on one statement: nobody can say which supports what"
        result.observed.append(_verified(use.citations[0], use, "MISMATCH", reason))
        return
    looked = [_look(citation, use, registry) for citation in use.citations]
    texts = [text for _, text, _, _ in looked if text]
    quotes_ok = _cited_quotes(use, looked, result)
    for citation, (found, text, outcome, reason) in zip(use.citations, looked, strict=True):
        result.total += 1
        if found is not None:
            result.texts[citation.key] = found.text
        ok = quotes_ok
        if not citation.problem and not _traced(citation, use, log, result):
            ok = False
        if not outcome:
            support = _support(use, found, text, texts)
            outcome = _outcome(support, reason)
            reason = support.reason if support.status is not Support.SUPPORTED else reason or support.reason
            if opinion is not None and outcome != "MISMATCH":
                outcome, reason = _second(opinion(use.claim, text), outcome, reason)
        result.outcomes[outcome] += 1
        result.observed.append(_verified(citation, use, outcome, reason))
        result.valid += ok and outcome in ("VERIFIED", "PARTIAL")


def _look(citation: Citation, use: Use, registry: Registry) -> tuple[Found | None, str, str, str]:
    """(what was found, the text pointed at, an outcome if one is settled, why or a reservation)."""
    if citation.problem:
        return None, "", "MALFORMED", citation.problem
    try:
        found = registry.lookup(citation)
    except SourceUnavailable as error:
        return None, "", "NOT_EXECUTED", str(error)
    if found is None:
        return None, "", "UNVERIFIED", "no source has it"
    text, problem = pinpoint(found, citation)
    if problem and "cannot be checked" not in problem:
        return found, text, "UNVERIFIED", problem
    if citation.date and found.date and citation.date != found.date[:10]:
        return found, text, "MISMATCH", f"the source is dated {found.date[:10]}, not {citation.date}"
    if citation.kind == "clause" and use.item and citation.key != f"clause:{use.item}":
        return found, text, "MISMATCH", f"it is the clause of another item than {use.item}"
    return found, text, "", problem


def _support(use: Use, found: Found | None, text: str, texts: Sequence[str]) -> SupportCheck:
    fields = found.fields if found is not None and found.key.startswith("standard:") else None
    alone = check(use.claim, text, fields)
    if alone.status is not Support.MISMATCH or len(texts) < 2:
        return alone
    # Several citations may carry one sentence together, each its part.
    together = check(use.claim, "\n\n".join(texts), fields)
    words = set(content(use.claim))
    share = len(words & set(content(text))) / len(words) if words else 0.0
    part = share >= PARTIAL_FROM or any(verbatim(q.words, text) for q in use.quotes)
    if together.status is not Support.MISMATCH and part:
        return SupportCheck(Support.PARTIAL, f"it carries part of the sentence only ({alone.reason})")
    return alone


def _second(said: SupportCheck | None, outcome: str, reason: str) -> tuple[str, str]:
    """A second opinion can only take support away; one that could not be had leaves the check undone."""
    if said is None:
        return "NOT_EXECUTED", "the evaluator's model could not be asked"
    return ("MISMATCH", said.reason) if said.status is Support.MISMATCH else (outcome, reason)


def _outcome(support: SupportCheck, reservation: str) -> str:
    if support.status is Support.MISMATCH:
        return "MISMATCH"
    return "PARTIAL" if support.status is Support.PARTIAL or reservation else "VERIFIED"


def _verified(citation: Citation, use: Use, outcome: str, reason: str) -> Observed:
    raw, claim = citation.raw, use.claim
    if outcome == "VERIFIED":
        return Observed(Status.PASS, VERIFY, use.location, f"VERIFIED {raw}: {reason}", claim, unit=UNIT)
    if outcome == "PARTIAL":
        return Observed(Status.WARN, VERIFY, use.location, f"PARTIAL {raw}: {reason}", claim, Severity.LOW, UNIT)
    if outcome == "NOT_EXECUTED":
        detail = f"{raw} is well formed {FORMAT_ONLY}: {reason}"
        return Observed(Status.WARN, VALIDATE, use.location, detail, claim, Severity.HIGH, UNIT, executed=False)
    if outcome == "MALFORMED":
        action = "Write the citation in the form that its kind has, or, where the goal allows removal, take it back."
        detail = f"{raw} is no citation: {reason}"
        return Observed(Status.FAIL, VALIDATE, use.location, detail, claim, Severity.HIGH, UNIT, action)
    if outcome == "UNVERIFIED":
        action = "Cite a source that exists, at a place that exists, or, where the goal allows removal, take it back."
    else:
        action = "Restate the sentence so that the cited text supports it, or cite the text that does."
    return Observed(Status.FAIL, VERIFY, use.location, f"{outcome} {raw}: {reason}", claim, Severity.HIGH, UNIT, action)


def _traced(citation: Citation, use: Use, log: RetrievalLog | None, result: GateResult) -> bool:
    """R1: the citation was retrieved in this run."""
    if log is not None and log.traces(citation, use.item):
        return True
    if log is None:
        why = "the goal record names no retrieval log"
    elif use.item and citation.key in log.keys:
        why = f"it was retrieved for another item than {use.item}"
    else:
        why = "no recorded retrieval returned it"
    action = "Cite only what the run retrieved for this statement, or retrieve it and say so in the log."
    result.observed.append(
        Observed(Status.FAIL, R1, use.location, f"{citation.raw}: {why}", use.claim, Severity.HIGH, UNIT, action)
    )
    return False


def _cited_quotes(use: Use, looked: Iterable[tuple[Found | None, str, str, str]], result: GateResult) -> bool:
    """R2 for a statement with citations: each quotation is in one of the cited texts."""
    looked = list(looked)
    texts = [found.text for found, _, _, _ in looked if found is not None]
    unknown = any(outcome == "NOT_EXECUTED" for _, _, outcome, _ in looked)
    good = True
    for quotation in use.quotes:
        result.quotations += 1
        if any(verbatim(quotation.words, text) for text in texts):
            continue
        good = False
        result.observed.append(_misquoted(use, quotation, unknown, UNIT))
    if use.open_marks:
        good = False
        result.observed.append(_open_mark(use, UNIT))
    return good


def _loose_quotes(use: Use, everything: Sequence[str], result: GateResult) -> None:
    """R2 for a statement without a citation: each quotation is in some text that the artifact cites."""
    for quotation in use.quotes:
        result.quotations += 1
        if not any(verbatim(quotation.words, text) for text in everything):
            result.observed.append(_misquoted(use, quotation, bool(result.not_executed), ""))
    if use.open_marks:
        result.observed.append(_open_mark(use, ""))


def _misquoted(use: Use, quotation: Quotation, unknown: bool, unit: str) -> Observed:
    words = quotation.words[:120]
    if unknown:
        detail = f"the quotation {words!r} could not be compared: a source could not be asked"
        return Observed(Status.WARN, R2, use.location, detail, use.claim, Severity.HIGH, unit, executed=False)
    detail = f"the quotation {words!r} stands word for word in no text that it is quoted from"
    action = "Quote the source word for word, or say it without quotation marks and let the source support it."
    return Observed(Status.FAIL, R2, use.location, detail, use.claim, Severity.HIGH, unit, action)


def _open_mark(use: Use, unit: str) -> Observed:
    detail = "a quotation mark has no counterpart, so that nobody can say what is quoted"
    action = "Close or remove the quotation mark."
    return Observed(Status.FAIL, R2, use.location, detail, use.claim, Severity.MEDIUM, unit, action)


def use_of(claim: str, citation: str, location: str, item: str = "") -> Use:
    """A use from fields of a YAML artifact: the claim, and a citation string, bare or bracketed."""
    from pipeline.verification.grammar import extract, parse_one

    bare = citation.strip().removeprefix("[").removesuffix("]")
    parsed = parse_one(bare)
    if parsed is None:
        found = extract(citation)
        parsed = found[0] if len(found) == 1 and found[0].problem else None
    if parsed is None:
        parsed = Citation("", citation, 0, len(citation), citation, problem="no citation of a known kind")
    return Use(claim, (parsed,), location, item, tuple(quotations(claim)))
