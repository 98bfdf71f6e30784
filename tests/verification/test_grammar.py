"""Citation grammar: what cites, its canonical writing, and what only looks like a citation."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.verification.grammar import extract, parse_one, standardized

GOOD = [
    ("BGE 148 III 215", "bge", "BGE 148 III 215", ""),
    ("ATF 148 III 215 consid. 3.2", "bge", "BGE 148 III 215", "E. 3.2"),
    ("DTF 133 III 61, c. 2a", "bge", "BGE 133 III 61", "E. 2a"),
    ("BGE 116 Ia 359 E. 5c S. 363", "bge", "BGE 116 Ia 359", "E. 5c S. 363"),
    ("4A_123/2020", "decision", "4A_123/2020", ""),
    ("4A_123/2020 vom 3. März 2021 E. 4.1.2", "decision", "4A_123/2020", "E. 4.1.2"),
    ("4C.12/2005 du 1er mai 2005 consid. 2", "decision", "4C.12/2005", "E. 2"),
    ("A-1234/2019", "decision", "A-1234/2019", ""),
    ("SK.2019.12", "decision", "SK.2019.12", ""),
    ("Art. 100 Abs. 1 OR", "statute", "Art. 100 OR", "Abs. 1"),
    ("art. 100 al. 1 let. b CO", "statute", "Art. 100 OR", "Abs. 1 lit. b"),
    ("Art. 5 Abs. 2 lit. a Ziff. 3 DSG", "statute", "Art. 5 DSG", "Abs. 2 lit. a Ziff. 3"),
    ("Art. 41 ff. OR", "statute", "Art. 41 OR", "ff."),
    ("Art. 271a OR", "statute", "Art. 271a OR", ""),
    ("Art. 40bis CC", "statute", "Art. 40bis ZGB", ""),
    ("Art. 28 DSGVO", "statute", "Art. 28 DSGVO", ""),
    ("BSK OR I-Muster, Art. 100 N 4", "commentary", "BSK OR I-Muster, Art. 100", "N 4"),
    ("BK-Weber/Emmen, Art. 97 OR N. 23", "commentary", "BK-Weber/Emmen, Art. 97 OR", "N 23"),
    ("CR CO I-Thévenoz, art. 100 n. 5", "commentary", "CR OR I-Thévenoz, Art. 100", "N 5"),
    ("[chunk:c55dd6eccdf13]", "chunk", "chunk:c55dd6eccdf13", ""),
    ("[doc:letters/a.md#p. 3]", "doc", "doc:letters/a.md", "p. 3"),
]
BAD = [
    "BGE 0 III 215",
    "BGE 999 III 215",
    "BGE 148 VII 215",
    "BGE 148 III 0",
    "BGE foo",
    "Art. 100 Abs. 1",
    "Art. 7 of it",
    "4A_123/2020 vom 3. März 2019",
    "4A_123/2020 vom 31. Februar 2021",
    "4A_123/2020 vom 3. Foobar 2021",
    "4A_1/1850",
    "[chunk c01]",
    "[chunk:]",
    "[chunk: c01]",
    "[Chunk:c01]",
    "[chunk:c01",
    "[chunk:c0 1]",
    "[doc:a.md#]",
    "[clause:-x]",
]
NONE = [
    "",
    "no citation",
    "in 148 cases",
    "the BGEs",
    "[***]",
    "[1, 2]",
    "Article 5 of this Agreement",
    "chunk c01",
    "3A/2020",
]


@pytest.mark.parametrize(("text", "kind", "key", "pinpoint"), GOOD)
def test_a_citation_is_read(text, kind, key, pinpoint):
    (citation,) = extract(f"Vgl. {text}; so auch die Lehre.")
    assert (citation.kind, citation.key, citation.pinpoint, citation.problem) == (kind, key, pinpoint, "")
    assert citation.raw == text
    assert parse_one(text.strip("[]")).key == key


@pytest.mark.parametrize("text", BAD)
def test_what_only_looks_like_a_citation_has_a_problem(text):
    found = extract(f"See {text}; so it goes.")
    assert found
    assert all(citation.problem for citation in found)


@pytest.mark.parametrize("text", NONE)
def test_what_cites_nothing(text):
    assert extract(text) == []
    assert parse_one(text) is None


def test_several_in_a_sentence():
    text = "Nach Art. 97 und Art. 101 OR, BGE 148 III 215 E. 3 sowie 4A_1/2020 [chunk:c1] [clause:L001]."
    assert [c.key for c in extract(text)] == [
        "Art. 97 OR",
        "Art. 101 OR",
        "BGE 148 III 215",
        "4A_1/2020",
        "chunk:c1",
        "clause:L001",
    ]


def test_the_date_of_a_decision():
    assert parse_one("4A_123/2020 vom 3. März 2021").date == "2021-03-03"
    assert parse_one("4A_123/2020 du 3 mars 2021").date == "2021-03-03"
    assert parse_one("4A_123/2020 vom 03.03.2021").date == "2021-03-03"


def test_standardized():
    text = "Cf. ATF 148 III 215 consid. 3.2, art. 100 al. 1 CO, 4A_1/2020 du 2 mars 2021 consid. 4 et BGE foo."
    assert standardized(text) == (
        "Cf. BGE 148 III 215 E. 3.2, Art. 100 Abs. 1 OR, 4A_1/2020 vom 2. März 2021 E. 4 et BGE foo."
    )


@pytest.mark.parametrize("text", [case[0] for case in GOOD])
def test_standardizing_twice_is_standardizing_once(text):
    assert standardized(standardized(text)) == standardized(text)


@given(st.text(alphabet="BGEATF III12Art.[]chunk:OR/#_ Abs\n", max_size=80))
def test_any_text_is_cut_into_citations_that_do_not_overlap(text):
    found = extract(text)
    assert all(text[c.start : c.end] == c.raw for c in found)
    assert all(a.end <= b.start for a, b in pairwise(found))
