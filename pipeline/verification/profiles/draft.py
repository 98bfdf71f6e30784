"""draft-passes-gate: citations 40%, structure 30%, claims 30%; pass at 100.

Form: Markdown with front matter, ``form: draft`` and ``template`` as the goal record names it. Structure:
the template's sections, each there once and filled, and the playbook's clauses, each in its section
with its words. Claims: every statement of the cited sections goes through ``check_claim_support``.
"""

from __future__ import annotations

from pipeline.verification.document import Document
from pipeline.verification.gate import SUPPORT, UNIT, VALIDATE, VERIFY, Use
from pipeline.verification.profiles.base import (
    Context,
    Examined,
    SchemaError,
    extracted,
    hidden,
    quoted_headings,
    read_markdown,
    run_gate,
    sections,
    uncited,
)
from pipeline.verification.quotations import plain
from pipeline.verification.score import Part, count
from pipeline.verification.settings import PlaybookClause
from pipeline.verification.verdict import Observed, Severity, Status

FORM = "draft"
WEIGHTS = {UNIT: 0.4, "section": 0.3, "claim": 0.3}


def examine(text: str, context: Context) -> Examined:
    settings = context.goal.settings
    document = read_markdown(text, FORM)
    if document.front.get("template") != settings.template:
        raise SchemaError(f"template: {document.front.get('template')!r} is not {settings.template!r}")
    uses = [
        Use(s.text, s.citations, s.place, "", s.quotes, s.open_marks)
        for s in document.statements
        if s.citations or s.quotes or s.open_marks
    ]
    gate = run_gate(uses, context)
    structure = [*sections(document, settings.required_sections), *_thin(document, settings.min_words)]
    structure += [_playbook(document, clause) for clause in settings.playbook]
    claims = _claims(document, gate.observed, settings.cited_sections)
    observed = [
        *hidden(document),
        *quoted_headings(document),
        *extracted(gate, context),
        *gate.observed,
        *structure,
        *claims,
    ]
    observed += [o for o in uncited(document, []) if o.status is Status.FAIL]
    parts = [
        Part(UNIT, WEIGHTS[UNIT], gate.valid, gate.total),
        count("section", WEIGHTS["section"], observed),
        count("claim", WEIGHTS["claim"], observed),
    ]
    return Examined(observed, parts, gate)


def _thin(document: Document, least: int) -> list[Observed]:
    """Statements too short to say anything: a section is not filled by a word."""
    titles = dict.fromkeys(heading.title for heading in document.headings)
    observed = []
    for title in titles:
        words = sum(len(s.text.split()) for s in document.in_section(title))
        if 0 < words < least:
            detail = f"the section holds {words} words, and at least {least} are asked for"
            action = f"Write out the section {title!r}."
            observed.append(Observed(Status.FAIL, "structure", title, detail, "", Severity.LOW, "section", action))
    return observed


def _playbook(document: Document, clause: PlaybookClause) -> Observed:
    body = plain(" ".join(s.text for s in document.in_section(clause.section))).casefold()
    missing = [words for words in clause.must_contain if plain(words).casefold() not in body]
    if not missing:
        return Observed(Status.PASS, "structure", clause.section, f"playbook {clause.ref} is met", unit="section")
    return Observed(
        Status.FAIL,
        "structure",
        clause.section,
        f"playbook {clause.ref}: {missing[0]!r} is not in the section",
        "",
        Severity.MEDIUM,
        "section",
        f"Bring the clause that {clause.ref} asks for into the section {clause.section!r}.",
    )


def _claims(document: Document, gate: list[Observed], cited: list[str]) -> list[Observed]:
    """One observation a statement of the cited sections: supported by one of its citations, or not."""
    wanted = {title.casefold() for title in cited}
    by_place: dict[tuple[str, str], list[Observed]] = {}
    for o in gate:
        if o.check in (VERIFY, VALIDATE):
            by_place.setdefault((o.location, o.evidence), []).append(o)
    observed = []
    for s in document.statements:
        if "*" not in wanted and not any(part.casefold() in wanted for part in s.section):
            continue
        seen = by_place.get((s.place, s.text), [])
        if any(o.status is not Status.FAIL and o.executed for o in seen):
            detail = "a cited text supports the statement"
            observed.append(Observed(Status.PASS, SUPPORT, s.place, detail, s.text, unit="claim"))
        elif seen and not any(o.executed for o in seen):
            detail = "the statement could not be compared with what it cites"
            observed.append(
                Observed(Status.WARN, SUPPORT, s.place, detail, s.text, Severity.HIGH, "claim", executed=False)
            )
        else:
            why = "no cited text supports the statement" if seen else "the statement cites nothing"
            action = "Cite a text that supports the statement, or restate it."
            observed.append(Observed(Status.FAIL, SUPPORT, s.place, why, s.text, Severity.MEDIUM, "claim", action))
    return observed
