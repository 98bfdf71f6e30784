from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.base.errors import CuadAuditError
from pipeline.base.records import Rows
from pipeline.corpus import squad

Mutation = Callable[[dict[str, Any]], Any]


def rows(table: Rows) -> list[tuple]:
    return [tuple(row.values()) for row in table]


def contract_texts(corpus: squad.Corpus) -> dict[str, str]:
    return {contract["title"]: contract["text"] for contract in corpus.contracts}


def test_tables_hold_what_the_document_says(document: dict[str, Any]) -> None:
    corpus = squad.parse(document, "x")
    assert corpus.counts == squad.Counts(contracts=3, questions=12, answered=7, spans=8)
    for name, columns in squad.COLUMNS.items():
        assert all(list(row) == list(columns) for row in getattr(corpus, name))
    texts = contract_texts(corpus)
    assert list(texts) == sorted(texts)
    words = [texts[t][s:e] for t, c, s, e in rows(corpus.spans) if c == "Audit Rights"]
    assert words == ["Licensee may print ten copies.", "Customer may audit the books once a year, on ten days' notice."]
    assert ("DeltaPressPlc_20190708_8-K_EX-10.2_777_EX-10.2_License Agreement", "Insurance", 0) in rows(
        corpus.questions
    )


def shuffled(document: dict[str, Any], seed: int) -> dict[str, Any]:
    """The same content as another archive might hold it."""
    rng = random.Random(seed)
    other = copy.deepcopy(document)
    rng.shuffle(other["data"])
    for contract in other["data"]:
        qas = contract["paragraphs"][0]["qas"]
        rng.shuffle(qas)
        for qa in qas:
            qa["question"] = f"other words {rng.random()}"
            qa["answers"] = [*qa["answers"], *qa["answers"][:1]]  # an answer given twice
            rng.shuffle(qa["answers"])
    other["version"] = "other"
    return other


@pytest.mark.parametrize("seed", range(5))
def test_order_wording_and_repetition_leave_no_trace(document: dict[str, Any], seed: int) -> None:
    ours, theirs = squad.parse(document, "x"), squad.parse(shuffled(document, seed), "x")
    for table in ("contracts", "questions", "spans"):
        assert rows(getattr(ours, table)) == rows(getattr(theirs, table))


def first_qa(document: dict[str, Any]) -> dict[str, Any]:
    return document["data"][0]["paragraphs"][0]["qas"][0]


def test_errors_name_file_contract_and_question(document: dict[str, Any]) -> None:
    first_qa(document)["answers"][0]["answer_start"] += 1
    with pytest.raises(CuadAuditError) as caught:
        squad.parse(document, "data.zip: CUADv1.json")
    message = str(caught.value)
    assert "\n" not in message
    for part in ("data.zip: CUADv1.json", "ALPHAWIDGETSINC_03_05_2011", "Cap On Liability", "not the contract's text"):
        assert part in message


MUTATIONS: dict[str, Mutation] = {
    "no data": lambda d: d.pop("data"),
    "data no list": lambda d: d.update(data={}),
    "no contract": lambda d: d.update(data=[]),
    "contract no object": lambda d: d["data"].insert(0, "text"),
    "no title": lambda d: d["data"][1].pop("title"),
    "empty title": lambda d: d["data"][1].update(title=" "),
    "title twice": lambda d: d["data"].append(d["data"][0]),
    "no paragraph": lambda d: d["data"][0].update(paragraphs=[]),
    "two paragraphs": lambda d: d["data"][0]["paragraphs"].append(d["data"][0]["paragraphs"][0]),
    "paragraph no object": lambda d: d["data"][0].update(paragraphs=[None]),
    "context no text": lambda d: d["data"][0]["paragraphs"][0].update(context=None),
    "lone surrogate": lambda d: d["data"][2]["paragraphs"][0].update(context="\ud800", qas=[]),
    "question twice": lambda d: d["data"][0]["paragraphs"][0]["qas"].append(first_qa(d)),
    "id of another contract": lambda d: first_qa(d).update(id="other__Cap On Liability"),
    "id without category": lambda d: first_qa(d).update(id=d["data"][0]["title"] + "__"),
    "id without separator": lambda d: first_qa(d).update(id="Cap On Liability"),
    "no answers": lambda d: first_qa(d).pop("answers"),
    "answer no object": lambda d: first_qa(d).update(answers=["text"]),
    "offset no number": lambda d: first_qa(d)["answers"][0].update(answer_start="7"),
    "offset a bool": lambda d: first_qa(d)["answers"][0].update(answer_start=True),
    "offset a fraction": lambda d: first_qa(d)["answers"][0].update(answer_start=1.0),
    "offset negative": lambda d: first_qa(d)["answers"][0].update(answer_start=-20),
    "offset beyond": lambda d: first_qa(d)["answers"][0].update(answer_start=10**9),
    "answer empty": lambda d: first_qa(d)["answers"][0].update(text=""),
    "impossible but answered": lambda d: first_qa(d).update(is_impossible=True),
    "possible but unanswered": lambda d: first_qa(d).update(answers=[]),
}


@pytest.mark.parametrize("mutation", MUTATIONS.values(), ids=MUTATIONS.keys())
def test_what_is_not_squad_is_one_line(document: dict[str, Any], mutation: Mutation) -> None:
    mutation(document)
    with pytest.raises(CuadAuditError) as caught:
        squad.parse(document, "data.zip")
    assert str(caught.value).startswith("data.zip: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe", b"[]", b"null", b'{"data": NaN}', b"[" * 5000])
def test_bytes_that_are_no_document(data: bytes) -> None:
    with pytest.raises(CuadAuditError, match=r"^data\.zip: "):
        squad.parse_json(data, "data.zip")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
FIXED = ("data", "title", "paragraphs", "context", "qas", "id", "answers", "text", "answer_start", "is_impossible")


def holders(value: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) of a document, except the keys that nobody reads."""
    items: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        items = [(value, key) for key in value if key in FIXED]
    elif isinstance(value, list):
        items = [(value, i) for i in range(len(value))]
    return items + [deeper for container, key in items for deeper in holders(container[key])]


@given(st.data())
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_value_anywhere_is_parsed_or_refused(document: dict[str, Any], data: st.DataObject) -> None:
    broken = copy.deepcopy(document)
    places = holders(broken)
    container, key = places[data.draw(st.integers(0, len(places) - 1))]
    container[key] = data.draw(json_values)
    try:
        corpus = squad.parse(broken, "x")
    except CuadAuditError:
        return
    # What is let through holds: every span lies in its contract, and the counts agree.
    texts = contract_texts(corpus)
    assert all(0 <= start < end <= len(texts[title]) for title, _, start, end in rows(corpus.spans))
    assert corpus.counts.spans == sum(question["n_answers"] for question in corpus.questions)


texts = st.text(alphabet="ab é“\n😀", min_size=1, max_size=40)


@given(st.lists(st.tuples(texts, st.lists(st.tuples(st.integers(0, 39), st.integers(1, 8)), max_size=5)), max_size=4))
@settings(max_examples=100, deadline=None)
def test_every_true_span_comes_back_once(contracts: list[tuple[str, list[tuple[int, int]]]]) -> None:
    data, expected = [], set()
    for number, (text, places) in enumerate(contracts):
        title = f"c{number}__x"  # a separator in the title is no trouble
        spans = {(start, min(start + size, len(text))) for start, size in places if start < len(text)}
        spans = {(start, end) for start, end in spans if text[start:end].strip()}
        expected |= {(title, "K", start, end) for start, end in spans}
        answers = [{"text": text[start:end], "answer_start": start} for start, end in spans] * 2
        qas = [{"id": f"{title}__K", "question": "", "answers": answers, "is_impossible": not answers}]
        data.append({"title": title, "paragraphs": [{"context": text, "qas": qas}]})
    if not data:
        return
    corpus = squad.parse_json(json.dumps({"data": data}).encode(), "x")
    assert set(rows(corpus.spans)) == expected
    assert len(corpus.spans) == len(expected)


def test_counts_that_were_not_published(document: dict[str, Any]) -> None:
    corpus = squad.parse(document, "x")
    squad.check_counts(corpus, squad.Counts(3, 12, 7, 8), "x")
    with pytest.raises(CuadAuditError, match=r"^x: 8 spans where CUAD has 9;"):
        squad.check_counts(corpus, squad.Counts(3, 12, 7, 9), "x")
    with pytest.raises(CuadAuditError, match="3 contracts where CUAD has 510"):
        squad.check_counts(corpus, squad.PUBLISHED, "x")
