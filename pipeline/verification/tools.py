"""The check tools by their names, as plain functions over a registry: for the MCP server and for people.

Every function takes text and gives plain JSON values. A source that cannot be asked is said so
(``executed: false``), never passed over.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipeline.base.errors import UsageError
from pipeline.base.records import sha256
from pipeline.verification import grammar
from pipeline.verification.document import parse_body
from pipeline.verification.gate import FORMAT_ONLY, VALIDATE, VERIFY, Use, review
from pipeline.verification.grammar import Citation
from pipeline.verification.plainyaml import Malformed
from pipeline.verification.quotations import quotations, stray_marks
from pipeline.verification.sources import Registry, RetrievalLog, SourceUnavailable, pinpoint
from pipeline.verification.support import check
from pipeline.verification.verdict import Status

#: Longest text that a tool takes.
MAX_CHARACTERS = 1_000_000
MAX_HITS = 20


def _limited(text: str, what: str) -> str:
    if not text.strip():
        raise UsageError(f"{what} is empty", f"give the {what} as text")
    if len(text) > MAX_CHARACTERS:
        raise UsageError(f"{what} is longer than {MAX_CHARACTERS} characters", "give it in parts")
    return text


def _shown(citation: Citation) -> dict[str, Any]:
    return {
        "citation": citation.raw,
        "canonical": citation.canonical,
        "kind": citation.kind,
        "pinpoint": citation.pinpoint,
        "valid_format": not citation.problem,
        "problem": citation.problem,
    }


def extract_citations(document: str) -> dict[str, Any]:
    """Every citation string of a text, with its kind, canonical writing and place."""
    found = grammar.extract(_limited(document, "document"))
    return {"citations": [{**_shown(c), "start": c.start, "end": c.end} for c in found]}


def standardize_document_citations(document: str) -> dict[str, Any]:
    """The text with every well-formed citation in its canonical writing; malformed ones are listed."""
    text = grammar.standardized(_limited(document, "document"))
    problems = [_shown(c) for c in grammar.extract(document) if c.problem]
    return {"document": text, "changed": text != document, "problems": problems}


def validate_citation(citation: str, registry: Registry) -> dict[str, Any]:
    """Format, existence in the sources, and the pinpoint of one citation."""
    parsed = grammar.parse_one(_limited(citation, "citation").strip().removeprefix("[").removesuffix("]"))
    if parsed is None:
        return {"citation": citation, "valid_format": False, "exists": None, "executed": True,
                "problem": "no citation of a known kind"}  # fmt: skip
    shown = {**_shown(parsed), "exists": None, "executed": True, "source": "", "title": ""}
    if parsed.problem:
        return shown
    try:
        found = registry.lookup(parsed)
    except SourceUnavailable as error:
        return {**shown, "executed": False, "problem": f"{error} {FORMAT_ONLY}"}
    if found is None:
        return {**shown, "exists": False, "problem": "no source has it"}
    _, problem = pinpoint(found, parsed)
    return {**shown, "exists": True, "source": found.source, "title": found.title, "problem": problem}


def cite(source: str, registry: Registry) -> dict[str, Any]:
    """The canonical citation of a source that exists, with its title, text and places."""
    result = validate_citation(source, registry)
    if not result["exists"]:
        return {"citation": None, "problem": result["problem"] or "no source has it", "executed": result["executed"]}
    parsed = grammar.parse_one(source.strip().removeprefix("[").removesuffix("]"))
    found = registry.lookup(parsed)  # type: ignore[arg-type]
    return {
        "citation": result["canonical"],
        "title": result["title"],
        "source": result["source"],
        "text": found.text[:MAX_CHARACTERS] if found else "",
        "fields": dict(found.fields) if found else {},
        "date": found.date if found else "",
        "executed": True,
        "problem": result["problem"],
    }


def find_citations(query: str, registry: Registry, limit: int = 5) -> dict[str, Any]:
    """Sources that share the most words with ``query``, as citations; nothing is said of support."""
    if not 1 <= limit <= MAX_HITS:
        raise UsageError(f"limit {limit} is not from 1 to {MAX_HITS}", "ask for fewer")
    hits = registry.find(_limited(query, "query"), limit)
    shown = [
        {"citation": _as_citation(hit.key), "title": hit.title, "source": hit.source, "text": hit.text[:500]}
        for hit in hits
    ]
    return {"hits": shown}


def _as_citation(key: str) -> str:
    return f"[{key}]" if key.partition(":")[0] in grammar.BRACKETS else key


def check_claim_support(claim: str, registry: Registry, citation: str = "", text: str = "") -> dict[str, Any]:
    """Whether a cited source (or a text in hand) supports a claim: SUPPORTED, PARTIAL or MISMATCH, and why."""
    _limited(claim, "claim")
    if bool(citation.strip()) == bool(text.strip()):
        raise UsageError("give either a citation or a text", "name what the claim rests on")
    fields = None
    if citation.strip():
        parsed = grammar.parse_one(citation.strip().removeprefix("[").removesuffix("]"))
        if parsed is None or parsed.problem:
            return {"status": "MALFORMED", "reason": parsed.problem if parsed else "no citation", "executed": True}
        try:
            found = registry.lookup(parsed)
        except SourceUnavailable as error:
            return {"status": "WARN", "reason": f"{error} {FORMAT_ONLY}", "executed": False}
        if found is None:
            return {"status": "UNVERIFIED", "reason": "no source has it", "executed": True}
        text, problem = pinpoint(found, parsed)
        if problem and "cannot be checked" not in problem:
            return {"status": "UNVERIFIED", "reason": problem, "executed": True}
        fields = found.fields if parsed.kind == "standard" else None
    said = check(claim, _limited(text, "text"), fields)
    return {"status": said.status.value, "reason": said.reason, "executed": True}


def _uses(document: str) -> list[Use]:
    try:
        parsed = parse_body(_without_front(_limited(document, "document")))
    except Malformed as error:
        raise UsageError(f"document: {error}", "give Markdown") from None
    return [
        Use(s.text, s.citations, s.place, "", tuple(quotations(s.text)), stray_marks(s.text))
        for s in parsed.statements
        if s.citations or s.quotes or s.open_marks
    ]


def _without_front(document: str) -> str:
    from pipeline.verification.document import front_matter

    try:
        return front_matter(document)[1]
    except Malformed:
        return document


def review_citations(document: str, registry: Registry) -> dict[str, Any]:
    """The citation gate on a Markdown text: one entry a citation, and whether delivery is blocked."""
    gate = review(_uses(document), registry, RetrievalLog())
    findings = [o for o in gate.observed if o.check != "R1"]
    return {
        "citations": gate.total,
        "outcomes": {name.lower(): count for name, count in sorted(gate.outcomes.items())},
        "delivery_blocked": gate.delivery_blocked or any(o.status is Status.FAIL for o in findings),
        "executed": not gate.not_executed,
        "findings": [
            {"status": o.status.value, "check": o.check, "location": o.location, "detail": o.detail}
            for o in findings
            if o.check in (VERIFY, VALIDATE, "R2")
        ],
    }


def attest_response(response: str, retrieved: Sequence[str], registry: Registry) -> dict[str, Any]:
    """Whether a response may be delivered: cited, every citation among ``retrieved`` (R1), real and
    supporting, every quotation verbatim (R2). ``sha256`` says which text was attested."""
    log = RetrievalLog()
    log.add({"results": [str(one).strip().removeprefix("[").removesuffix("]") for one in retrieved]})
    gate = review(_uses(response), registry, log)
    problems = [f"{o.check} at {o.location}: {o.detail}" for o in gate.observed if o.status is Status.FAIL]
    if not gate.total:
        problems.append("extract_citations: the response cites nothing")
    return {
        "attested": not problems and not gate.not_executed,
        "executed": not gate.not_executed,
        "sha256": sha256(response),
        "citations": gate.total,
        "problems": problems,
    }
