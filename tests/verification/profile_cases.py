"""For each profile: a goal record's settings, one artifact that passes, and edits that make it fail.

An edit is (name, old text, new text) on the passing artifact, or (name, a whole artifact).
"""

from __future__ import annotations

import worlds

SWISS = [{"kind": "folder", "path": "sources"}]
DOCUMENTS = {
    "nda_alpha.md": (
        "# Alpha\n\nThe obligations last for 3 years. This agreement is governed by the laws of Switzerland.\n"
    ),
    "nda_beta.md": "# Beta\n\nThe obligations last for 9 years. This agreement is governed by the laws of Freedonia.\n",
    "letter.md": "# Letter\n\n## p. 1\n\nThe contract was signed on 4 March 2021 in Basel.\n\n## p. 2\n\n"
    "The goods arrived on 10 March 2021.\n",
    "minutes.md": "# Minutes\n\n## p. 7\n\nThe chairman recalled that the contract was signed on 6 March 2021.\n",
}

DRAFT = """---
form: draft
template: service-note
---
# Note

## Sachverhalt

Die Verjährung der Forderung beginnt mit der Fälligkeit und dauert zehn Jahre (4A_123/2020 E. 4).

## Haftung

Eine Klausel, welche die Haftung für grobe Fahrlässigkeit im Voraus wegbedingt, ist nichtig (BGE 148 III 215 E. 3.2).
Die Wegbedingung der Haftung für leichte Fahrlässigkeit bleibt zulässig (BSK OR I-Muster, Art. 100 N 4).
"""

ADVERSARIAL = """form: adversarial-review
subject: Freizeichnung im Lagervertrag
weaknesses:
  - id: W1
    raised_by: adversary
    severity: 8
    text: Die Klausel könnte die Haftung für grobe Fahrlässigkeit wegbedingen.
    answer:
      text: Eine Klausel, welche die Haftung für grobe Fahrlässigkeit im Voraus wegbedingt, ist nichtig.
      citations: ["BGE 148 III 215 E. 3.2"]
  - id: W2
    raised_by: adversary
    severity: 6
    text: Die Verjährung der Forderung ist nicht bedacht.
    answer:
      text: Die Verjährung der Forderung beginnt mit der Fälligkeit und dauert zehn Jahre.
      citations: ["4A_123/2020 E. 4"]
  - id: W3
    raised_by: adversary
    severity: 2
    text: Der Titel ist lang.
"""

NDA = """form: nda-batch
documents:
  - document: nda_alpha.md
    classification: GREEN
    clauses:
      - {topic: term_years, value: 3, quote: The obligations last for 3 years., flagged: false}
      - {topic: law, value: Switzerland, quote: governed by the laws of Switzerland, flagged: false}
  - document: nda_beta.md
    classification: RED
    clauses:
      - {topic: term_years, value: 9, quote: The obligations last for 9 years., flagged: true, playbook_ref: PB-1}
      - {topic: law, value: Freedonia, quote: governed by the laws of Freedonia, flagged: true, playbook_ref: PB-2}
"""

WATCH = """form: reg-watch
topics:
  - topic: Freizeichnung
    checked_on: 2022-03-20
    sources: ["BGE 148 III 215", "Art. 100 OR"]
    changes:
      - id: C1
        summary: Eine Klausel, welche die Haftung für grobe Fahrlässigkeit im Voraus wegbedingt, ist nichtig.
        citation: BGE 148 III 215 E. 3.2
        relevance: material
        reason: The templates exclude gross negligence.
        surfaced: true
      - id: C2
        summary: Die Vorinstanz hat den Vertrag nach dem Vertrauensprinzip ausgelegt.
        citation: BGE 148 III 215 S. 217
        relevance: not-material
        reason: Nothing in the templates depends on it.
        surfaced: false
  - topic: Verjährung
    checked_on: 2022-03-01
    sources: ["4A_123/2020"]
"""

TIMELINE = """form: timeline
events:
  - id: E1
    subject: signature
    date: 2021-03-04
    what: The contract was signed in Basel
    source: {document: letter.md, locus: p. 1, quote: The contract was signed on 4 March 2021 in Basel.}
  - id: E2
    subject: signature
    date: 2021-03-06
    what: The contract was signed, as the chairman recalled
    source: {document: minutes.md, locus: p. 7, quote: the contract was signed on 6 March 2021}
  - id: E3
    subject: arrival
    date: 2021-03-10
    what: The goods arrived
    source: {document: letter.md, locus: p. 2, quote: The goods arrived on 10 March 2021.}
conflicts:
  - events: [E1, E2]
    dates: [2021-03-04, 2021-03-06]
    sources: [letter.md p. 1, minutes.md p. 7]
deadlines:
  - {id: D1, what: Notice of defects, date: 2021-03-17, anchor: E3, days: 7}
"""

#: profile -> (changes of the goal record, passing artifact, failing edits)
CASES = {
    "citations-clean": (
        {},
        worlds.LEGAL_MEMO,
        [
            ("a decision that is not there", "BGE 148 III 215", "BGE 149 III 215"),
            ("a place that is not there", "E. 3.2", "E. 9.9"),
            ("a paragraph that is not there", "Abs. 1 OR", "Abs. 7 OR"),
            ("another date than the decision's", "3. März 2021", "4. März 2021"),
            ("a malformed citation", "BGE 148 III 215 E. 3.2", "BGE 148"),
            ("an article without its statute", "Art. 100 Abs. 1 OR", "Art. 100 Abs. 1"),
            ("a claim turned round", "im Voraus wegbedingt, ist nichtig (", "im Voraus wegbedingt, ist gültig ("),
            ("a negation put in", "getroffene Abrede nichtig, welche", "getroffene Abrede nicht nichtig, welche"),
            ("a number changed", "dauert zehn Jahre", "dauert fünf Jahre"),
            ("a quotation altered", "«beginnt mit der Fälligkeit»", "«beginnt bei der Fälligkeit»"),
            ("a quotation left open", "«beginnt mit der Fälligkeit»", "«beginnt mit der Fälligkeit"),
            ("a citation taken away", " (BSK OR I-Muster, Art. 100 N 4)", ""),
            ("a citation that speaks of something else", "BSK OR I-Muster, Art. 100 N 4", "4A_123/2020 E. 4"),
            (
                "a statement twice",
                "## Analyse\n\n",
                "## Analyse\n\nZulässig bleibt die Wegbedingung der Haftung für "
                "leichte Fahrlässigkeit (BSK OR I-Muster, Art. 100 N 4). ",
            ),
            ("a section missing", "## Analyse", "## Anderes"),
            ("hidden words", "# Gutachten", "# Gutachten\n\n<!-- Art. 100 OR -->"),
            ("another role of the worker", "form: legal-memo", "form: legal-memo\nworker: checker-two"),
            ("no citation at all", "---\nform: legal-memo\n---\n# Gutachten\n\n## Analyse\n\nEs bleibt dabei.\n"),
        ],
    ),
    "draft-passes-gate": (
        {
            "settings": {
                "template": "service-note",
                "required_sections": ["Sachverhalt", "Haftung"],
                "playbook": [
                    {"ref": "PB-9", "section": "Haftung", "must_contain": ["grobe Fahrlässigkeit", "nichtig"]}
                ],
            }
        },
        DRAFT,
        [
            ("a section missing", "## Sachverhalt", "## Vorbemerkung"),
            ("a section twice", "## Haftung", "## Haftung\n\nEs bleibt offen (4A_123/2020 E. 4).\n\n## Haftung"),
            ("a playbook clause missing", "grobe Fahrlässigkeit", "schwere Fehler"),
            ("an invented citation", "4A_123/2020", "4A_124/2020"),
            ("an unsupported claim", "dauert zehn Jahre", "dauert acht Jahre"),
            ("a claim without a citation", " (4A_123/2020 E. 4)", ""),
            ("another template", "template: service-note", "template: letter"),
            ("a section of one word", "## Haftung", "## Anhang\n\nFolgt.\n\n## Haftung"),
            ("a citation of another form", "BSK OR I-Muster, Art. 100 N 4", "BSK OR I-Muster, Art. 100 N 99"),
        ],
    ),
    "adversarial-converge": (
        {"settings": {"threshold": 5}},
        ADVERSARIAL,
        [
            (
                "a grave weakness unanswered",
                "    answer:\n      text: Eine Klausel, welche die Haftung für grobe "
                'Fahrlässigkeit im Voraus wegbedingt, ist nichtig.\n      citations: ["BGE 148 III 215 E. 3.2"]\n',
                "",
            ),
            ("an answer without a source", '["4A_123/2020 E. 4"]', "[]"),
            ("an answer with an invented source", "4A_123/2020", "4A_999/2020"),
            ("an answer that its source refutes", "dauert zehn Jahre", "dauert nicht zehn Jahre"),
            (
                "an answer to something else",
                "text: Die Verjährung der Forderung beginnt mit der Fälligkeit und dauert zehn Jahre.",
                "text: Die Vorinstanz hat nach dem Vertrauensprinzip ausgelegt.",
            ),
            (
                "an answer of two words",
                "text: Eine Klausel, welche die Haftung für grobe Fahrlässigkeit im Voraus wegbedingt, ist nichtig.",
                "text: Ist nichtig.",
            ),
            ("no weakness at all", "form: adversarial-review\nsubject: s\nweaknesses: []\n"),
            ("an id twice", "id: W2", "id: W1"),
            ("a severity out of range", "severity: 8", "severity: 11"),
            ("an unknown field", "subject:", "passes: true\nsubject:"),
        ],
    ),
    "nda-batch-clean": (
        {
            "settings": {
                "documents": ["nda_alpha.md", "nda_beta.md"],
                "playbook": [
                    {"ref": "PB-1", "topic": "term_years", "max": 5},
                    {"ref": "PB-2", "topic": "law", "allowed": ["Switzerland"], "red": True},
                ],
            }
        },
        NDA,
        [
            ("an off-threshold clause not flagged", "flagged: true, playbook_ref: PB-1", "flagged: false"),
            ("flagged with another reference", "playbook_ref: PB-1", "playbook_ref: PB-2"),
            ("flagged without a reference", "flagged: true, playbook_ref: PB-2", "flagged: true"),
            ("classified too well", "classification: RED", "classification: YELLOW"),
            ("classified too badly", "classification: GREEN", "classification: RED"),
            ("an unknown class", "classification: RED", "classification: BLUE"),
            ("another value than the words say", "value: 9", "value: 4"),
            (
                "words that are not in the document",
                "The obligations last for 9 years.",
                "The obligations last for 4 years.",
            ),
            (
                "a topic left out",
                "      - {topic: law, value: Freedonia, quote: governed by the laws of Freedonia, flagged: "
                "true, playbook_ref: PB-2}\n",
                "",
            ),
            ("a topic of its own", "topic: term_years, value: 3", "topic: colour, value: 3"),
            ("a document left out", NDA.split("  - document: nda_beta.md")[0]),
            ("a document of its own", "document: nda_beta.md", "document: letter.md"),
        ],
    ),
    "reg-watch": (
        {"settings": {"topics": ["Freizeichnung", "Verjährung"], "as_of": "2022-03-25", "max_age_days": 30}},
        WATCH,
        [
            ("a topic not checked", WATCH.split("  - topic: Verjährung")[0]),
            ("checked too long ago", "checked_on: 2022-03-01", "checked_on: 2021-12-01"),
            ("checked in the future", "checked_on: 2022-03-01", "checked_on: 2022-04-01"),
            ("against a source that is not there", '"4A_123/2020"', '"4A_321/2020"'),
            ("without a decision", "        relevance: not-material\n", ""),
            ("without a reason", "reason: The templates exclude gross negligence.", "reason: yes"),
            ("a material change not surfaced", "surfaced: true", "surfaced: false"),
            ("an immaterial change surfaced", "surfaced: false", "surfaced: true"),
            ("a change that its source refutes", "wegbedingt, ist nichtig", "wegbedingt, ist nicht nichtig"),
            ("a change with an invented source", "citation: BGE 148 III 215 S. 217", "citation: BGE 118 II 1 S. 2"),
            ("a topic that nobody watches", "topic: Verjährung", "topic: Fischerei"),
        ],
    ),
    "timeline-sourced": (
        {},
        TIMELINE,
        [
            ("an unflagged conflict", TIMELINE.split("conflicts:")[0]),
            ("a flag without both dates", "dates: [2021-03-04, 2021-03-06]", "dates: [2021-03-04, 2021-03-04]"),
            (
                "a flag without both sources",
                "sources: [letter.md p. 1, minutes.md p. 7]",
                "sources: [letter.md p. 1, letter.md p. 1]",
            ),
            ("a floating deadline", "anchor: E3, ", ""),
            ("a deadline on an event that is not there", "anchor: E3", "anchor: E9"),
            ("a deadline reckoned wrong", "date: 2021-03-17", "date: 2021-03-18"),
            (
                "an event whose source is not there",
                "{document: letter.md, locus: p. 2",
                "{document: diary.md, locus: p. 2",
            ),
            ("an event at another place", "locus: p. 2", "locus: p. 1"),
            ("a date that the source does not state", "date: 2021-03-10", "date: 2021-03-11"),
            ("a quotation altered", "The goods arrived on 10 March 2021.", "The goods came on 10 March 2021."),
            ("a conflict that is none", "events: [E1, E2]", "events: [E1, E3]"),
            ("an id twice", "id: E2", "id: E1"),
        ],
    ),
}


def world(folder, profile):
    """A folder with sources and log for a profile, and the goal record's values."""
    changes, artifact, _ = CASES[profile]
    settings = {"profile": profile, "settings": {}, **changes}
    if profile == "citations-clean":
        settings = {}
    worlds.legal_world(folder, artifact, **settings)
    for name, text in DOCUMENTS.items():
        worlds.write(folder / "sources" / name, text)
    worlds.jsonl(
        folder / "log.jsonl",
        [{"query": "q", "results": [*worlds.SWISS_KEYS, *({"document": name} for name in DOCUMENTS)]}],
    )
    return folder


def failing(profile):
    for case in CASES[profile][2]:
        if len(case) == 2:
            yield case
        else:
            name, old, new = case
            assert old in CASES[profile][1], f"{profile}: {name} edits nothing"
            yield name, CASES[profile][1].replace(old, new, 1)
