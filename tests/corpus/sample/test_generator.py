from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.base.errors import CuadAuditError
from pipeline.base.types import POSITIONS, Band, Verdict
from pipeline.corpus import families as grouping
from pipeline.corpus import squad
from pipeline.corpus.sample import SampleCorpus, generate
from pipeline.corpus.sample.labels import CATEGORIES
from pipeline.corpus.sample.rules import KINDS, LEVELS

Labelled = list[tuple[dict[str, Any], dict[str, Any]]]
LIABILITY = {"Cap On Liability", "Uncapped Liability"}
#: Categories of negatives that the corpus promises.
PROMISED = {
    "Governing Law",
    "Termination For Convenience",
    "Audit Rights",
    "Insurance",
    "Anti-Assignment",
    "Non-Compete",
    "Exclusivity",
    "Renewal Term",
    "Notice Period To Terminate Renewal",
    "Warranty Duration",
    "License Grant",
    "Ip Ownership Assignment",
    "Post-Termination Services",
    "Revenue/Profit Sharing",
    "Minimum Commitment",
}


def digest(corpus: SampleCorpus) -> str:
    return hashlib.sha256(json.dumps([corpus.squad, corpus.labels]).encode()).hexdigest()


# --- determinism ---------------------------------------------------------------------------------


def test_the_same_arguments_give_the_same_bytes(corpus: SampleCorpus) -> None:
    assert digest(generate(80, 48, 20)) == digest(corpus)
    assert digest(generate(80, 48, 21)) != digest(corpus)


@pytest.mark.parametrize("hash_seed", ["1", "4242"])
def test_no_hash_order_gets_in(root: Path, corpus: SampleCorpus, hash_seed: str) -> None:
    program = (
        "import hashlib, json; from pipeline.corpus.sample import generate; c = generate(80, 48, 20); "
        "print(hashlib.sha256(json.dumps([c.squad, c.labels]).encode()).hexdigest())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=root,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == digest(corpus)


def test_work_grows_in_line_with_the_number_of_contracts() -> None:
    def calls(contracts: int) -> int:
        count = 0

        def tick(_frame: Any, event: str, _arg: Any) -> None:
            nonlocal count
            count += event == "call"

        sys.setprofile(tick)
        try:
            generate(contracts, contracts // 2, 3)
        finally:
            sys.setprofile(None)
        return count

    generate(120, 60, 3)  # templates are parsed once; what is counted below is the writing
    small, large = calls(30), calls(120)
    assert 3.7 < large / small < 4.3


# --- the form ------------------------------------------------------------------------------------


def test_the_parser_of_the_real_corpus_accepts_it(corpus: SampleCorpus) -> None:
    parsed = squad.parse(corpus.squad, "sample")
    assert len(parsed.contracts) == 80
    assert len(parsed.questions) == 80 * 41


def test_every_contract_is_asked_the_41_questions(corpus: SampleCorpus) -> None:
    assert len(CATEGORIES) == len(set(CATEGORIES)) == 41
    for document in corpus.squad["data"]:
        (paragraph,) = document["paragraphs"]
        assert [q["id"] for q in paragraph["qas"]] == [f"{document['title']}__{name}" for name in CATEGORIES]
        assert all(q["is_impossible"] == (not q["answers"]) for q in paragraph["qas"])
        assert all(name in q["question"] for name, q in zip(CATEGORIES, paragraph["qas"], strict=True))


def test_offsets_match_the_text(spans: list[tuple[str, str, int, str]], texts: dict[str, str]) -> None:
    for title, _, start, words in spans:
        assert words
        assert words == words.strip()
        assert texts[title][start : start + len(words)] == words


def test_contracts_look_like_contracts(texts: dict[str, str]) -> None:
    assert len(texts) == 80
    for text in texts.values():
        assert 6_000 <= len(text) <= 20_000
        assert not set(text) & set("{}|<>⟦⟧¦")
        assert not re.search(r" {2}| [.,;:]|[,;][.,;]|[.]{2}", text)
        # A section may refer to no section but those that are there, or to far ones that are not.
        assert re.search(r"\b2\d\. |ARTICLE 2\d|Section 2\d", text)


def test_references_by_name_go_to_the_section_of_that_name() -> None:
    found = 0
    for document in generate(240, 160, 9).squad["data"]:
        text = document["paragraphs"][0]["context"]
        for number, heading in re.findall(r"section (\d+) \(([^)]+)\)", text, re.IGNORECASE):
            found += 1
            starts = re.compile(rf"(?:^|\n)(?:ARTICLE |Section )?{number}(?:\. |\n){re.escape(heading)}", re.IGNORECASE)
            assert starts.search(text), (number, heading)
    assert found >= 10


def test_references_by_number_go_nowhere(texts: dict[str, str], labelled: Labelled) -> None:
    for item, ruling in labelled:
        if "named by number" in ruling["reason"]:
            clause = texts[item["title"]][item["start"] : item["end"]]
            numbers = [int(n) for n in re.findall(r"(?:sections?|paragraphs?|and) (\d+)", clause, re.IGNORECASE)]
            assert any(n > 40 for n in numbers), clause


# --- what it holds -------------------------------------------------------------------------------


def test_negatives_of_the_promised_categories_in_several_wordings(spans: list[tuple[str, str, int, str]]) -> None:
    wordings: dict[str, set[str]] = {}
    for _, category, _, words in spans:
        wordings.setdefault(category, set()).add(words)
    assert set(wordings) >= PROMISED
    assert min(len(wordings[category]) for category in PROMISED) >= 8
    assert len(set(wordings) - LIABILITY) >= 30


def test_liability_spans_are_filed_under_one_or_both(
    corpus: SampleCorpus, spans: list[tuple[str, str, int, str]]
) -> None:
    filed: dict[tuple[str, int, int], set[str]] = {}
    for title, category, start, words in spans:
        if category in LIABILITY:
            filed.setdefault((title, start, start + len(words)), set()).add(category)
    counts = Counter(tuple(sorted(categories)) for categories in filed.values())
    assert min(counts.values()) >= 8
    assert len(counts) == 3
    for item in corpus.labels["items.jsonl"]:
        assert filed[item["title"], item["start"], item["end"]] == set(item["categories"])


def test_labels_cover_all_that_the_rubric_knows(labelled: Labelled) -> None:
    rulings = [ruling for _, ruling in labelled]
    verdicts = Counter(ruling["verdict"] for ruling in rulings)
    assert set(verdicts) == {v.value for v in Verdict} - {"escalate-infra"}
    assert min(verdicts.values()) >= 10
    for position, levels in LEVELS.items():
        assert {ruling["positions"][position] for ruling in rulings} == {level.value for level in levels}
    assert {kind for ruling in rulings for kind in ruling["kinds"]} == set(KINDS)
    assert {ruling["risk_band"] for ruling in rulings} == {band.value for band in Band}
    # The release gate calls fewer critical cases inconclusive.
    assert sum(ruling["critical"] for ruling in rulings) >= 20


def test_labels_are_many_distinct_and_spread(labelled: Labelled, texts: dict[str, str]) -> None:
    assert len(labelled) >= 80
    clauses = [texts[item["title"]][item["start"] : item["end"]] for item, _ in labelled]
    assert len(set(clauses)) == len(clauses)
    assert {item["title"] for item, _ in labelled} == set(texts)
    assert len({item["family"] for item, _ in labelled}) == 48


def test_each_label_follows_the_rubric(labelled: Labelled, texts: dict[str, str]) -> None:
    for item, ruling in labelled:
        clause = texts[item["title"]][item["start"] : item["end"]]
        assert hashlib.sha256(clause.encode()).hexdigest() == item["sha256"]
        assert item["item_id"] == ruling["item_id"]
        levels = ruling["positions"]
        assert tuple(levels) == POSITIONS
        others = [levels[position] for position in POSITIONS if position != "P5"]
        if levels["P5"] == "fails":
            expected, bands = "insufficient-grounding", {"medium", "high"}
        elif "off" in others:
            expected, bands = "off-standard", {"high"}
        elif "departs" in others:
            expected, bands = "risky", {"medium"}
        else:
            assert "meets" in others
            expected, bands = "acceptable", {"low"}
        allowed = [row["verdict"] for row in ruling["allowed_verdicts"]]
        assert ruling["verdict"] == allowed[0] == expected
        assert ruling["risk_band"] == ruling["allowed_bands"][0]["band"]
        assert bands <= {row["band"] for row in ruling["allowed_bands"]}
        assert ruling["critical"] == (expected == "off-standard")
        assert all(row["condition"] for row in ruling["allowed_verdicts"] + ruling["allowed_bands"])
        if "not-liability" in ruling["kinds"]:
            assert set(others) == {"silent"}
        assert 1 <= len(ruling["must_mention"]) <= 3
        assert all(ruling["must_mention"])
        assert 1 <= len(ruling["reason"].split()) <= 45
        assert ruling["annotator"] == ruling["ruling"] == "construction"
        assert len(ruling["evidence"]) == sum(level != "silent" for level in levels.values())
        for start, end in ruling["evidence"]:
            assert item["start"] <= start < end <= item["end"]
            assert len(texts[item["title"]][start:end].split()) <= 25


def test_rows_have_the_keys_of_the_committed_labels(root: Path, corpus: SampleCorpus) -> None:
    for name, rows in corpus.labels.items():
        path = root / "data" / "labels" / "cuad_dev" / name
        committed = json.loads(path.read_text(encoding="utf-8").split("\n")[0])
        assert set(committed) <= set(rows[0])
        for key, value in committed.items():
            assert value is None or isinstance(rows[0][key], type(value) | type(None)), key


# --- families ------------------------------------------------------------------------------------


def shingles(text: str, words: int) -> set[tuple[str, ...]]:
    tokens = text.lower().split()
    return {tuple(tokens[i : i + words]) for i in range(len(tokens) - words + 1)}


def jaccard(a: set, b: set) -> float:
    return len(a & b) / len(a | b)


@pytest.mark.parametrize("words", [2, 3, 5])
def test_families_differ_and_contracts_of_one_repeat_each_other(texts: dict[str, str], words: int) -> None:
    sets = {title: shingles(text, words) for title, text in texts.items()}
    company = {title: grouping.company_keys(grouping.company(title)) for title in texts}
    apart, together = [], []
    for a, b in combinations(texts, 2):
        (together if company[a] == company[b] else apart).append(jaccard(sets[a], sets[b]))
    assert max(apart) < 0.3  # near-duplicates begin at 0.5
    assert min(together) > max(apart)
    assert sum(together) / len(together) > 0.5


def test_the_projects_own_grouping_finds_the_families_of_a_larger_corpus() -> None:
    made = generate(160, 110, 5)
    texts = {document["title"]: document["paragraphs"][0]["context"] for document in made.squad["data"]}
    titles = sorted(texts)
    pairs = grouping.near_duplicates(grouping.shingles([texts[title] for title in titles]), 0.5)
    found = grouping.assign(
        {title: grouping.company(title) for title in titles}, [(titles[i], titles[j]) for i, j, _ in pairs]
    )
    by_name = {title: "".join(re.findall("[a-z]", grouping.company(title).lower()))[:14] for title in titles}
    assert len(set(found.values())) == len(set(by_name.values())) == 110
    assert len({(found[title], by_name[title]) for title in titles}) == 110


# --- sizes ---------------------------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(st.data(), st.integers(1, 14), st.integers(-(2**40), 2**40))
def test_any_size_and_seed_gives_a_sound_corpus(data: st.DataObject, contracts: int, seed: int) -> None:
    families = data.draw(st.integers(1, contracts))
    made = generate(contracts, families, seed)
    parsed = squad.parse(made.squad, "sample")  # checks every offset
    assert len(parsed.contracts) == contracts
    items = made.labels["items.jsonl"]
    assert len({item["family"] for item in items}) == families
    assert {item["title"] for item in items} == {contract["title"] for contract in parsed.contracts}
    assert [row["item_id"] for row in made.labels["adjudications.jsonl"]] == [item["item_id"] for item in items]


@pytest.mark.parametrize(("contracts", "families"), [(0, 1), (5, 0), (-3, -3), (4, 5)])
def test_impossible_sizes_are_errors_that_name_the_key(contracts: int, families: int) -> None:
    with pytest.raises(CuadAuditError, match=r"source\.(contracts|families)"):
        generate(contracts, families, 1)
