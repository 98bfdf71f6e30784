"""The sample corpus at its default size, made once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pipeline.corpus.sample import SampleCorpus, generate

CONTRACTS, FAMILIES, SEED = 80, 48, 20


@pytest.fixture(scope="session")
def corpus() -> SampleCorpus:
    return generate(CONTRACTS, FAMILIES, SEED)


@pytest.fixture(scope="session")
def texts(corpus: SampleCorpus) -> dict[str, str]:
    """Contract text by title."""
    return {document["title"]: document["paragraphs"][0]["context"] for document in corpus.squad["data"]}


@pytest.fixture(scope="session")
def labelled(corpus: SampleCorpus) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Each item beside its ruling."""
    return list(zip(corpus.labels["items.jsonl"], corpus.labels["adjudications.jsonl"], strict=True))


def answers(squad: dict[str, Any]) -> Iterator[tuple[str, str, int, str]]:
    """Title, category, start and words of every answer."""
    for document in squad["data"]:
        for question in document["paragraphs"][0]["qas"]:
            category = question["id"].removeprefix(document["title"] + "__")
            for answer in question["answers"]:
                yield document["title"], category, answer["answer_start"], answer["text"]


@pytest.fixture(scope="session")
def spans(corpus: SampleCorpus) -> list[tuple[str, str, int, str]]:
    return list(answers(corpus.squad))
