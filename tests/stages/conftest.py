"""A corpus of the published size, written here, and a folder in which stages run."""

from __future__ import annotations

import hashlib
import json
import random
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

CONTRACTS, CATEGORIES, ANSWERED, SPANS = 510, 41, 6_702, 13_823
NAMES = ["Cap On Liability", "Uncapped Liability", *(f"Category {i:02}" for i in range(2, CATEGORIES))]


def published_size() -> dict[str, Any]:
    """510 contracts of short own-written terms with 20,910 questions, 6,702 answered, 13,823 spans."""
    answered = spans = 0
    contracts = []
    for i in range(CONTRACTS):
        title = f"COMPANY{i:04}INC_01_02_2003-EX-10.{i}-SUPPLY AGREEMENT"
        text, qas = "", []
        for j, name in enumerate(NAMES):
            answers = []
            if (i * CATEGORIES + j) % 3 == 0 and answered < ANSWERED:
                answered += 1
                wanted = 3 if SPANS - spans > 2 * (ANSWERED - answered + 1) else 2
                for k in range(wanted):
                    words = f"Term {k} on “{name}” binds company {i}."
                    answers.append({"text": words, "answer_start": len(text)})
                    text += f"{words}\n"
                spans += wanted
            question = {"id": f"{title}__{name}", "question": f"About {name}?", "answers": answers}
            qas.append({**question, "is_impossible": not answers})
        contracts.append({"title": title, "paragraphs": [{"qas": qas, "context": text + "The end."}]})
    return {"version": "own", "data": contracts}


def reordered(document: dict[str, Any]) -> dict[str, Any]:
    """The same content in another order, with other question texts and repeated answers."""
    rng = random.Random(3)
    contracts = []
    for contract in rng.sample(document["data"], len(document["data"])):
        (paragraph,) = contract["paragraphs"]
        qas = [
            {**qa, "question": "?", "answers": rng.sample(qa["answers"], len(qa["answers"])) + qa["answers"][:1]}
            for qa in rng.sample(paragraph["qas"], len(paragraph["qas"]))
        ]
        contracts.append({"paragraphs": [{"context": paragraph["context"], "qas": qas}], "title": contract["title"]})
    return {"data": contracts, "version": "other"}


def write_zip(path: Path, members: dict[str, bytes]) -> str:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture(scope="session")
def archives(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, str]]:
    """Path and sha256 of two archives of one content: ``one``, and ``three`` members in another order."""
    folder = tmp_path_factory.mktemp("archives")
    document = published_size()
    one = json.dumps(document).encode()
    three = json.dumps(reordered(document), ensure_ascii=False, indent=1).encode()
    members = {"train_separate_questions.json": b"{}", "CUADv1.json": three, "test.json": b"{}"}
    return {
        "one": (folder / "one.zip", write_zip(folder / "one.zip", {"CUADv1.json": one})),
        "three": (folder / "three.zip", write_zip(folder / "three.zip", members)),
    }


@pytest.fixture
def workspace(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, archives: dict[str, tuple[Path, str]]
) -> Callable[..., Path]:
    """Make an empty folder with params.yaml, go there, and return it; ``section={...}`` changes parameters."""
    monkeypatch.delenv("CUAD_ARCHIVE", raising=False)
    monkeypatch.delenv("DVC_ROOT", raising=False)

    def make(name: str = "workspace", **changes: dict[str, Any]) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        params = yaml.safe_load((root / "params.yaml").read_text(encoding="utf-8"))
        params["source"] = {
            "name": "cuad",
            "url": "http://127.0.0.1:9/data.zip",
            "digests": [digest for _, digest in archives.values()],
            "labels": "data/labels/cuad_dev",
        }
        for section, values in changes.items():
            params[section] = values if section == "source" and "name" in values else {**params[section], **values}
        (folder / "params.yaml").write_text(yaml.safe_dump(params), encoding="utf-8")
        monkeypatch.chdir(folder)
        return folder

    return make
