"""attest_response for audit memos: does the memo say what the run recorded, all of it and nothing else?

This is integrity, not support: the citation gate compares sentences with sources; this compares the
memo with the record of audits (and the outcomes, where the goal record names them), and the verdict of every
clause with the levels that its own statements name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pipeline.verification.document import Document, Statement
from pipeline.verification.gate import ATTEST
from pipeline.verification.levels import labelled
from pipeline.verification.quotations import plain
from pipeline.verification.verdict import Observed, Severity, Status

Row = Mapping[str, Any]
HEADING = re.compile(r"^(?P<item>[A-Za-z0-9._-]+): (?P<title>.+) \[(?P<start>\d+), (?P<end>\d+)\]$")
VERDICT = re.compile(r"^Verdict: \*\*(?P<verdict>[a-z-]+)\*\* \(band (?P<band>[a-z]+)\)\.$")
SILENT = re.compile(r"^(?P<item>[A-Za-z0-9._-]+): (?P<verdict>[a-z-]+), cause (?P<cause>\w+)\.$")
COUNTS = re.compile(r"^(?P<n>\d+) clauses were audited: (?P<answered>\d+) answered, (?P<silent>\d+) not\.$")
TITLE, SECTIONS = "Audit memo", ("Summary", "Findings", "Not answered")
JUDGES = re.compile(r"\d|\b(?:acceptable|risky|off-standard|insufficient-grounding|clauses?)\b", re.IGNORECASE)
_SAME = re.compile(r"\bstands the same\b")
_OTHERWISE = re.compile(r"\bstands otherwise\b")


def fault(location: str, detail: str, evidence: str = "", severity: Severity = Severity.HIGH) -> Observed:
    action = "State what the run recorded, or run the audit again."
    return Observed(Status.FAIL, ATTEST, location, detail, evidence, severity, action=action)


def item_of(statement: Statement) -> str:
    """The audited item that a statement's section is about, or the empty string."""
    for title in reversed(statement.section):
        match = HEADING.match(title)
        if match:
            return match["item"]
    return ""


def attest(document: Document, audits: Sequence[Row], outcomes: Sequence[Row] | None) -> list[Observed]:
    """Every disagreement between memo and record; one PASS where there is none."""
    faults = list(_faults(document, {row["item_id"]: row for row in audits}, _by_item(outcomes)))
    if faults:
        return faults
    detail = f"the memo says what was recorded of {len(audits)} audits, and no more"
    return [Observed(Status.PASS, ATTEST, "memo", detail)]


def _by_item(outcomes: Sequence[Row] | None) -> dict[str, Row] | None:
    return None if outcomes is None else {row["item_id"]: row for row in outcomes}


def _faults(document: Document, audits: Mapping[str, Row], outcomes: Mapping[str, Row] | None) -> Iterator[Observed]:
    answered: list[str] = []
    for heading in document.headings:
        if heading.level == 3:
            match = HEADING.match(heading.title)
            place = f"line {heading.line}"
            if not match:
                yield fault(place, "a heading that names no item, contract and place", heading.title)
            elif match["item"] not in audits:
                yield fault(place, f"no audit of {match['item']} was recorded")
            else:
                row = audits[match["item"]]
                if (" ".join(row["title"].split()), str(row["start"]), str(row["end"])) != match.group(
                    "title", "start", "end"
                ):
                    yield fault(place, f"{match['item']} is another clause in the record", heading.title)
                answered.append(match["item"])
    found: dict[str, list[Statement]] = {}
    for statement in document.in_section("Findings"):
        found.setdefault(item_of(statement), []).append(statement)
    for statement in found.get("", []):
        yield fault(statement.place, "a finding that belongs to no item", statement.text)
    for item in dict.fromkeys(answered):
        yield from _answered(item, found.get(item, []), audits[item], outcomes)
    yield from _elsewhere(document)
    silent = yield from _silent(document, audits, outcomes)
    yield from _complete(document, audits, answered, silent)


def _elsewhere(document: Document) -> Iterator[Observed]:
    """Sections that a memo has not, and judgements outside those that it has: the notice makes none."""
    for heading in document.headings:
        if heading.level <= 2 and heading.title not in (TITLE, *SECTIONS):
            yield fault(f"line {heading.line}", f"an audit memo has no section {heading.title!r}")
    for statement in document.statements:
        inside = any(part in SECTIONS for part in statement.section)
        if not inside and (statement.bullet or statement.citations or JUDGES.search(statement.text)):
            yield fault(
                statement.place, "a statement outside the sections that are held against the record", statement.text
            )


def _answered(
    item: str, statements: Sequence[Statement], row: Row, outcomes: Mapping[str, Row] | None
) -> Iterator[Observed]:
    place = statements[0].place if statements else item
    answer = row.get("answer") or {}
    lines = [s for s in statements if not s.bullet]
    verdicts = [match for s in lines if (match := VERDICT.match(s.text))]
    if len(verdicts) != 1 or len(lines) != 1:
        yield fault(place, f"{item}: not exactly one line that states the verdict")
    for match in verdicts:
        if match["verdict"] != answer.get("verdict"):
            yield fault(place, f"{item}: the recorded verdict is {answer.get('verdict')}, not {match['verdict']}")
        if outcomes is not None:
            known = outcomes.get(item, {})
            if known.get("outcome") != "answered":
                yield fault(place, f"{item}: the outcomes do not count it as answered")
            elif (known.get("verdict"), known.get("band")) != match.group("verdict", "band"):
                yield fault(place, f"{item}: the outcomes say {known.get('verdict')}, band {known.get('band')}")
        yield from _follows(item, place, match, statements)
    said = [(plain(s.text), tuple(c.key for c in s.citations)) for s in statements if s.bullet]
    recorded = [(plain(c["text"]), (_key(c["against"], item),)) for c in answer.get("claims", [])]
    for statement, one in zip([s for s in statements if s.bullet], said, strict=True):
        if one not in recorded:
            yield fault(statement.place, f"{item}: the run recorded no such statement with that citation", one[0])
    for one in recorded:
        if one not in said:
            yield fault(place, f"{item}: a recorded statement is missing", one[0])
    if len(said) > len(set(said)):
        yield fault(place, f"{item}: a statement stands twice", severity=Severity.LOW)
    yield from _relations(item, statements)


def _key(against: str, item: str) -> str:
    if against == "clause":
        return f"clause:{item}"
    return "standard:liability" if against == "standard" else f"chunk:{against}"


def _levels(statements: Sequence[Statement]) -> dict[str, set[str]]:
    """Position -> levels named by statements that rest on the clause."""
    found: dict[str, set[str]] = {}
    for statement in statements:
        label = labelled(statement.text)
        if label and any(c.kind == "clause" for c in statement.citations):
            found.setdefault(label[0], set()).add(label[1])
    return found


def _follows(item: str, place: str, match: re.Match[str], statements: Sequence[Statement]) -> Iterator[Observed]:
    """The rubric: P5 first, then the worst level named; and the band that goes with the verdict."""
    named = set().union(*_levels(statements).values()) if statements else set()
    if not named:
        return
    worst = next((level for level in ("fails", "off", "departs", "meets") if level in named), "silent")
    due = {
        "fails": "insufficient-grounding",
        "off": "off-standard",
        "departs": "risky",
        "meets": "acceptable",
        "silent": "insufficient-grounding",
    }[worst]
    if match["verdict"] != due:
        yield fault(place, f"{item}: from its statements follows {due}, and it says {match['verdict']}")
    bands = {"off-standard": ("high",), "risky": ("medium", "high"), "acceptable": ("low",)}.get(due)
    if bands and match["band"] not in bands:
        yield fault(place, f"{item}: the band {match['band']} does not go with {due}")


def _relations(item: str, statements: Sequence[Statement]) -> Iterator[Observed]:
    """What is said of the cited chunk and of the standard agrees with what is said of the clause."""
    clause = _levels(statements)
    for statement in statements:
        label = labelled(statement.text)
        if not label or any(c.kind == "clause" for c in statement.citations):
            continue
        own = clause.get(label[0], set())
        if _SAME.search(statement.text) and label[1] not in own:
            yield fault(statement.place, f"{item}: the clause does not stand the same on {label[0]}", statement.text)
        if _OTHERWISE.search(statement.text) and label[1] in own:
            yield fault(statement.place, f"{item}: the clause does not stand otherwise on {label[0]}", statement.text)
        if any(c.kind == "standard" for c in statement.citations) and label[1] not in own:
            yield fault(
                statement.place, f"{item}: the clause is not said to be {label[1]} on {label[0]}", statement.text
            )


def _silent(document: Document, audits: Mapping[str, Row], outcomes: Mapping[str, Row] | None) -> Any:
    silent: list[str] = []
    for statement in document.in_section("Not answered"):
        match = SILENT.match(statement.text)
        if not match:
            if statement.text.strip(" .").lower() != "none":
                yield fault(statement.place, "a line that names no item, verdict and cause", statement.text)
            continue
        item = match["item"]
        silent.append(item)
        if item not in audits:
            yield fault(statement.place, f"no audit of {item} was recorded")
        elif outcomes is not None:
            known = outcomes.get(item, {})
            if (known.get("verdict"), known.get("failure_cause")) != match.group("verdict", "cause"):
                yield fault(
                    statement.place, f"{item}: the outcomes say {known.get('verdict')}, {known.get('failure_cause')}"
                )
            if known.get("outcome") == "answered":
                yield fault(statement.place, f"{item}: the outcomes count it as answered")
    return silent


def _complete(
    document: Document, audits: Mapping[str, Row], answered: Sequence[str], silent: Sequence[str]
) -> Iterator[Observed]:
    told = [*answered, *silent]
    for item in sorted(set(audits) - set(told)):
        yield fault("memo", f"the audit of {item} is left out")
    for item in sorted(item for item, times in Counter(told).items() if times > 1):
        yield fault("memo", f"{item} is reported more than once")
    lines = [match for s in document.in_section("Summary") if (match := COUNTS.match(s.text))]
    if len(lines) != 1:
        yield fault("Summary", "not exactly one line that counts the audits")
    for match in lines:
        due = (str(len(audits)), str(len(set(answered))), str(len(set(silent))))
        if match.groups() != due:
            yield fault("Summary", f"the counts are {', '.join(match.groups())} and should be {', '.join(due)}")
    for statement in document.in_section("Summary"):
        if not COUNTS.match(statement.text):
            yield fault(statement.place, "the summary states what no record backs", statement.text)
