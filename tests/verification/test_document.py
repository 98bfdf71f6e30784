"""A Markdown artifact as statements with their citations."""

from __future__ import annotations

import pytest

from pipeline.verification.document import parse, parse_body
from pipeline.verification.plainyaml import Malformed


def read(body):
    return [(s.text, [c.key for c in s.citations]) for s in parse_body(body).statements]


def test_a_list_item_up_to_its_citation_is_one_statement():
    assert read("- One. Two. [chunk:c1] Three. [clause:L1]\n- Four.\n") == [
        ("One. Two.", ["chunk:c1"]),
        ("Three.", ["clause:L1"]),
        ("Four.", []),
    ]


def test_a_sentence_of_a_paragraph_with_its_citation():
    body = (
        "Nach BGE 148 III 215 E. 3.2 gilt das. Es folgt aus Art. 100 Abs. 1 OR. Das sagt "
        "niemand. So ist es. [doc:a.md] Und mehr."
    )
    assert read(body) == [
        ("Nach gilt das.", ["BGE 148 III 215"]),
        ("Es folgt aus .", ["Art. 100 OR"]),
        ("Das sagt niemand.", []),
        ("So ist es.", ["doc:a.md"]),
        ("Und mehr.", []),
    ]


def test_nothing_in_a_quotation_ends_a_sentence_or_cites():
    assert read("- It says “no. [chunk:c9] Never” here. [chunk:c1]\n") == [
        ("It says “no. [chunk:c9] Never” here.", ["chunk:c1"])
    ]


def test_quoted_words_may_look_like_anything():
    document = parse_body("- It says “the <PAGE> `x` [***]” here. [chunk:c1]\n")
    assert document.hidden == ()
    assert [q.words for q in document.statements[0].quotes] == ["the <PAGE> `x` [***]"]


def test_lines_and_sections():
    document = parse("---\nform: x\n---\n# A\n\nOne.\n\n## B\n\n- Two\n  goes on. [chunk:c1]\n\n# C\n\nThree.\n")
    assert [(s.line, s.section) for s in document.statements] == [(6, ("A",)), (10, ("A", "B")), (15, ("C",))]
    assert [s.text for s in document.in_section("a")] == ["One.", "Two goes on."]


@pytest.mark.parametrize(
    "body",
    [
        "<b>x</b>\n",
        "a <!-- b --> c\n",
        "`code`\n",
        "```\nx\n```\n",
        "    indented\n",
        "![a](b)\n",
        "[a](b)\n",
        "[a]: http://b\n",
        "a\u200bb\n",
        "a\u202eb\n",
        "a\u0007b\n",
    ],
)
def test_what_no_reader_sees_is_reported(body):
    assert parse_body(body).hidden


def test_what_a_source_holds_may_stand_in_its_quotation():
    assert not parse_body("It says “for any\u200bloss”.\n").hidden
    assert parse_body("It says “for any loss”,\u200b and more.\n").hidden
    assert parse_body("An “open one\nfor any\u200bloss.\n").hidden


@pytest.mark.parametrize(
    "text", ["", "# no front matter", "---\nx: 1\n", "---\n- a\n---\n", "---\na: *b\n---\n", "---\n: : :\n---\n"]
)
def test_without_front_matter_it_is_malformed(text):
    with pytest.raises(Malformed):
        parse(text)
