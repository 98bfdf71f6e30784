"""Sources: what is found, what is not, what cannot be asked; places in a source; the retrieval log."""

from __future__ import annotations

import pytest
import worlds

from pipeline.base.errors import CuadAuditError
from pipeline.verification.folder_source import FolderSource
from pipeline.verification.grammar import parse_one
from pipeline.verification.index_source import PipelineSource
from pipeline.verification.sources import (
    Registry,
    RetrievalLog,
    SourceUnavailable,
    fingerprint,
    pinpoint,
)


@pytest.fixture
def folder(tmp_path):
    return FolderSource("law", worlds.swiss_folder(tmp_path / "law"))


@pytest.fixture
def index(tmp_path):
    root = worlds.memo_world(tmp_path)
    return PipelineSource(
        "index",
        *(root / p for p in ("data/chunks/chunks.parquet", "data/raw/contracts.parquet")),
        root / "data/verdicts/verdicts.jsonl",
        root / "data/standard",
    )


def test_a_folder_finds_by_citation_and_by_name(folder):
    assert "Lagerschaden" in folder.lookup(parse_one("ATF 148 III 215")).text
    assert folder.lookup(parse_one("doc:urteil.md")).date == "2021-03-03"
    assert folder.lookup(parse_one("BGE 147 III 1")) is None
    assert [found.key for found in folder.find("Verjährung einer Forderung", 1)] == ["4A_123/2020"]


def test_a_folder_that_is_not_there_cannot_be_asked(tmp_path):
    with pytest.raises(SourceUnavailable):
        FolderSource("law", tmp_path / "none").lookup(parse_one("Art. 100 OR"))


def test_a_source_that_cites_itself_wrongly_is_an_error(tmp_path):
    worlds.write(tmp_path / "a.md", '---\ncitations: ["BGE nothing"]\n---\nText.\n')
    with pytest.raises(CuadAuditError, match="no citation"):
        FolderSource("law", tmp_path).lookup(parse_one("Art. 100 OR"))


@pytest.mark.parametrize(
    ("citation", "problem"),
    [
        ("BGE 148 III 215 E. 3.2", ""),
        ("BGE 148 III 215 E. 3", ""),
        ("BGE 148 III 215", ""),
        ("BGE 148 III 215 S. 217", ""),
        ("BGE 148 III 215 E. 3.2 S. 217", ""),
        ("BGE 148 III 215 E. 4", "there is no E. 4 in it"),
        ("Art. 100 Abs. 2 OR", ""),
        ("Art. 100 Abs. 3 OR", "there is no Abs. 3 in it"),
        ("Art. 100 ff. OR", ""),
        ("BSK OR I-Muster, Art. 100 N 4", ""),
        ("BSK OR I-Muster, Art. 100 N 40", "there is no N 40 in it"),
    ],
)
def test_places(folder, citation, problem):
    parsed = parse_one(citation)
    text, said = pinpoint(folder.lookup(parsed), parsed)
    assert said == problem
    assert text


def test_a_place_gives_its_own_text(folder):
    parsed = parse_one("BGE 148 III 215 E. 3.1")
    text, _ = pinpoint(folder.lookup(parsed), parsed)
    assert "Lagerschaden" in text
    assert "nichtig" not in text


def test_the_index_finds_chunks_clauses_and_the_standard(index):
    assert index.lookup(parse_one("chunk:c000000000001")).text.startswith("Neither party")
    assert index.lookup(parse_one("clause:T03")).text == worlds.CLAUSES["T03"]
    assert index.lookup(parse_one("standard:liability")).fields["P1 meets"] == worlds.STANDARD_P1
    for missing in ("chunk:c999", "clause:T99", "standard:patents"):
        assert index.lookup(parse_one(missing)) is None
    assert index.find("lost profits of the distributor", 1)[0].key == "chunk:c000000000004"


def test_a_clause_whose_text_is_not_the_recorded_one_is_not_found(tmp_path, index):
    rows = worlds.audit_rows()
    rows[0]["start"] += 1
    worlds.jsonl(tmp_path / "data/verdicts/verdicts.jsonl", rows)
    assert index.lookup(parse_one("clause:T01")) is None
    assert index.lookup(parse_one("clause:T02")) is not None


@pytest.mark.parametrize(
    "lost", ["data/chunks/chunks.parquet", "data/raw/contracts.parquet", "data/verdicts/verdicts.jsonl"]
)
def test_an_index_that_is_lost_or_broken_cannot_be_asked(tmp_path, index, lost):
    kind = "chunk:c000000000001" if "chunks" in lost else "clause:T01"
    (tmp_path / lost).write_bytes(b"broken")
    with pytest.raises(SourceUnavailable):
        index.lookup(parse_one(kind))
    (tmp_path / lost).unlink()
    with pytest.raises(SourceUnavailable):
        index.lookup(parse_one(kind))


class Dead:
    name = "dead"
    asked = 0

    def knows(self, citation):  # noqa: ARG002
        return True

    def lookup(self, citation):  # noqa: ARG002
        self.asked += 1
        raise SourceUnavailable("gone")

    def find(self, query, limit):  # noqa: ARG002
        raise SourceUnavailable("gone")

    def close(self):
        pass


def test_a_dead_source_is_not_a_missing_citation(folder):
    registry = Registry([Dead(), folder])
    assert registry.lookup(parse_one("Art. 100 OR")) is not None
    with pytest.raises(SourceUnavailable):
        registry.lookup(parse_one("BGE 1 I 1"))
    assert registry.failures == {"dead": "gone"}
    assert registry.find("Verjährung der Forderung")


def test_a_kind_that_no_source_holds_cannot_be_checked(folder):
    with pytest.raises(SourceUnavailable, match="no source"):
        Registry([folder]).lookup(parse_one("chunk:c1"))


def test_the_log_traces_by_item():
    log = RetrievalLog()
    log.add({"item_id": "A", "evidence": [{"chunk_id": "c1"}]})
    log.add({"item_id": "B", "evidence": [{"chunk_id": "c2"}]})
    log.add({"query": "q", "results": ["ATF 148 III 215", {"citation": "art. 100 CO"}, {"document": "a.md"}]})
    assert log.traces(parse_one("chunk:c1"), "A")
    assert not log.traces(parse_one("chunk:c2"), "A")
    assert log.traces(parse_one("chunk:c2"))
    assert log.traces(parse_one("BGE 148 III 215 E. 3"))
    assert log.traces(parse_one("Art. 100 Abs. 1 OR"))
    assert log.traces(parse_one("doc:a.md"))
    assert not log.traces(parse_one("BGE 148 III 216"))


def test_a_changed_source_has_another_fingerprint(tmp_path):
    worlds.swiss_folder(tmp_path / "law")
    before = fingerprint([tmp_path / "law"])
    assert fingerprint([tmp_path / "law"]) == before
    worlds.write(tmp_path / "law/new.md", "x")
    assert fingerprint([tmp_path / "law"]) != before


def test_damaged_rows_of_audits_cannot_be_asked(tmp_path, index):
    for row in ({"item_id": "T01"}, {**worlds.audit_rows()[0], "start": "0"}):
        worlds.jsonl(tmp_path / "data/verdicts/verdicts.jsonl", [row])
        with pytest.raises(SourceUnavailable, match="not a record of audits"):
            index.lookup(parse_one("clause:T01"))


@pytest.mark.parametrize(
    "front", ["citations:", "citations: []", "title: x", "citations: Art. 100 OR", "date: 2021-01-01"]
)
def test_a_source_document_may_name_none_or_one_citation(tmp_path, front):
    worlds.write(tmp_path / "a.md", f"---\n{front}\n---\nText.\n")
    source = FolderSource("law", tmp_path)
    assert source.lookup(parse_one("doc:a.md")).text.strip() == "Text."
    assert (source.lookup(parse_one("Art. 100 OR")) is not None) == ("Art" in front)
