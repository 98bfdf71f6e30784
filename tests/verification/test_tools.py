"""The check tools as plain functions."""

from __future__ import annotations

import json

import pytest
import worlds

from pipeline.base.errors import UsageError
from pipeline.verification import tools
from pipeline.verification.folder_source import FolderSource
from pipeline.verification.sources import Registry


@pytest.fixture
def law(tmp_path):
    return Registry([FolderSource("law", worlds.swiss_folder(tmp_path / "law"))])


@pytest.fixture
def dead(tmp_path):
    return Registry([FolderSource("law", tmp_path / "none")])


BODY = worlds.LEGAL_MEMO.split("---\n", 2)[2]


def test_extract_and_standardize():
    found = tools.extract_citations("Cf. ATF 148 III 215 consid. 3.2 et BGE x.")["citations"]
    assert [(c["canonical"], c["valid_format"]) for c in found] == [("BGE 148 III 215 E. 3.2", True), ("BGE x", False)]
    done = tools.standardize_document_citations("Cf. ATF 148 III 215 consid. 3.2 et BGE x.")
    assert done["document"] == "Cf. BGE 148 III 215 E. 3.2 et BGE x."
    assert done["changed"]
    assert [p["citation"] for p in done["problems"]] == ["BGE x"]


@pytest.mark.parametrize(
    ("citation", "valid", "exists", "problem"),
    [
        ("BGE 148 III 215 E. 3.2", True, True, ""),
        ("[doc:urteil.md]", True, True, ""),
        ("BGE 148 III 215 E. 9", True, True, "there is no E. 9 in it"),
        ("BGE 140 III 1", True, False, "no source has it"),
        ("BGE 0 III 1", False, None, "there is no volume 0"),
        ("hello", False, None, "no citation of a known kind"),
    ],
)
def test_validate(law, citation, valid, exists, problem):
    said = tools.validate_citation(citation, law)
    assert (said["valid_format"], said["exists"], said["problem"], said["executed"]) == (valid, exists, problem, True)


def test_a_source_that_cannot_be_asked_is_said_so(dead):
    said = tools.validate_citation("BGE 148 III 215", dead)
    assert (said["valid_format"], said["exists"], said["executed"]) == (True, None, False)
    assert "format only" in said["problem"]
    assert tools.check_claim_support("x is so", dead, citation="Art. 100 OR")["executed"] is False
    assert tools.review_citations(BODY, dead)["executed"] is False
    said = tools.attest_response(BODY, worlds.SWISS_KEYS, dead)
    assert (said["attested"], said["executed"]) == (False, False)


def test_cite_and_find(law):
    assert tools.cite("ATF 148 III 215", law)["citation"] == "BGE 148 III 215"
    assert tools.cite("BGE 140 III 1", law)["citation"] is None
    hits = tools.find_citations("Verjährung der Forderung", law)["hits"]
    assert hits[0]["citation"] == "4A_123/2020"


def test_check_claim_support(law):
    claim = "Die Verjährung beginnt mit der Fälligkeit."
    assert tools.check_claim_support(claim, law, citation="4A_123/2020 E. 4")["status"] == "SUPPORTED"
    assert tools.check_claim_support(claim, law, citation="BGE 148 III 215")["status"] == "MISMATCH"
    assert tools.check_claim_support(claim, law, citation="BGE 148 III 216")["status"] == "UNVERIFIED"
    assert (
        tools.check_claim_support(claim, law, text="Die Verjährung beginnt mit der Fälligkeit.")["status"]
        == "SUPPORTED"
    )
    for wrong in ({}, {"citation": "4A_123/2020", "text": "x"}):
        with pytest.raises(UsageError):
            tools.check_claim_support(claim, law, **wrong)


def test_review_and_attest(law):
    assert not tools.review_citations(BODY, law)["delivery_blocked"]
    assert tools.attest_response(BODY, worlds.SWISS_KEYS, law)["attested"]
    bad = BODY.replace("dauert zehn Jahre", "dauert drei Jahre")
    assert tools.review_citations(bad, law)["delivery_blocked"]
    assert not tools.attest_response(bad, worlds.SWISS_KEYS, law)["attested"]
    assert not tools.attest_response(BODY, worlds.SWISS_KEYS[:2], law)["attested"], "R1: what was not retrieved"
    assert not tools.attest_response("Nothing is cited here.", worlds.SWISS_KEYS, law)["attested"]


@pytest.mark.parametrize("text", ["", "  ", "x" * 1_000_001])
def test_texts_are_bounded(law, text):
    for call in (
        lambda: tools.extract_citations(text),
        lambda: tools.review_citations(text, law),
        lambda: tools.find_citations(text, law),
        lambda: tools.validate_citation(text, law),
    ):
        with pytest.raises(UsageError):
            call()


def test_every_tool_gives_plain_json(law):
    for value in (
        tools.extract_citations(BODY),
        tools.standardize_document_citations(BODY),
        tools.validate_citation("Art. 100 OR", law),
        tools.cite("Art. 100 OR", law),
        tools.find_citations("Haftung", law),
        tools.review_citations(BODY, law),
        tools.check_claim_support("Die Haftung", law, citation="Art. 100 OR"),
        tools.attest_response(BODY, [], law),
    ):
        assert isinstance(value, dict)
        json.dumps(value, allow_nan=False)
