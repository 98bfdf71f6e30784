"""CUAD's SQuAD 2.0 form, parsed strictly into three flat tables of rows.

The form: ``{"version", "data": [{"title", "paragraphs": [{"context", "qas": [{"id", "question",
"answers": [{"text", "answer_start"}], "is_impossible"}]}]}]}``, one paragraph a contract, the id
``<title>__<category>``. Offsets count Unicode characters of the contract's text.

The tables hold content only and are sorted: the order of contracts, questions and answers, the
wording of questions and repeated answers leave no trace. The same content gives the same bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pipeline.base.errors import CuadAuditError
from pipeline.base.records import Rows
from pipeline.corpus.normalise import sha256

#: The columns of the three tables and their types (``records.write_rows``).
COLUMNS = {
    "contracts": {"title": "string", "text": "string", "sha256": "string"},
    "questions": {"title": "string", "category": "string", "n_answers": "int64"},
    "spans": {"title": "string", "category": "string", "start": "int64", "end": "int64"},
}
MEND = "use the archive as CUAD publishes it (SQuAD 2.0 form)"


@dataclass(frozen=True)
class Counts:
    """What a corpus holds; ``spans`` counts distinct (title, category, start, end)."""

    contracts: int
    questions: int
    answered: int
    spans: int


#: CUAD v1 as its authors publish it.
PUBLISHED = Counts(contracts=510, questions=20_910, answered=6_702, spans=13_823)


@dataclass(frozen=True)
class Corpus:
    """``contracts``: title, text, sha256, sorted by title. ``questions``: title, category,
    n_answers (distinct), sorted by (title, category). ``spans``: title, category, start, end,
    distinct, sorted by (title, start, end, category)."""

    contracts: Rows
    questions: Rows
    spans: Rows

    @property
    def counts(self) -> Counts:
        answered = sum(question["n_answers"] > 0 for question in self.questions)
        return Counts(len(self.contracts), len(self.questions), answered, len(self.spans))


def parse_json(data: bytes, name: str) -> Corpus:
    """Parse the file's bytes; ``name`` is what errors call it."""
    import orjson

    try:
        document = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise CuadAuditError(f"{name}: not JSON ({error})", MEND) from None
    return parse(document, name)


def parse(document: Any, name: str) -> Corpus:
    """Parse a loaded document; whatever departs from the form is an error that says where."""
    contracts: dict[str, tuple[str, str, str]] = {}
    questions: dict[tuple[str, str], int] = {}
    spans: list[tuple[str, str, int, int]] = []
    for number, contract in enumerate(_field(document, "data", list, name)):
        where = f"{name}: contract {number + 1}"
        title = _field(contract, "title", str, where)
        where = f"{name}: contract {_short(title)}"
        if not title.strip():
            raise CuadAuditError(f"{where}: the title is empty", MEND)
        if title in contracts:
            raise CuadAuditError(f"{where}: the title stands twice", MEND)
        paragraphs = _field(contract, "paragraphs", list, where)
        if len(paragraphs) != 1:
            raise CuadAuditError(f"{where}: {len(paragraphs)} paragraphs where CUAD has one", MEND)
        text = _field(paragraphs[0], "context", str, where)
        contracts[title] = (title, text, _digest(text, where))
        for qa in _field(paragraphs[0], "qas", list, where):
            category, found = _question(qa, title, text, where)
            if (title, category) in questions:
                raise CuadAuditError(f"{where}: the question {category!r} stands twice", MEND)
            questions[title, category] = len(found)
            spans += [(title, category, start, end) for start, end in found]
    if not contracts:
        raise CuadAuditError(f"{name}: holds no contract", MEND)
    spans.sort(key=lambda span: (span[0], span[2], span[3], span[1]))
    return Corpus(
        contracts=_rows("contracts", [contracts[title] for title in sorted(contracts)]),
        questions=_rows("questions", [(*key, questions[key]) for key in sorted(questions)]),
        spans=_rows("spans", spans),
    )


def check_counts(corpus: Corpus, expected: Counts, name: str) -> None:
    """Raise unless the corpus holds exactly what was published."""
    for what, wanted in vars(expected).items():
        found = getattr(corpus.counts, what)
        if found != wanted:
            raise CuadAuditError(f"{name}: {found:,} {what} where CUAD has {wanted:,}", MEND)


def _question(qa: Any, title: str, text: str, where: str) -> tuple[str, set[tuple[int, int]]]:
    """Category and distinct (start, end) of one question, every answer held against the text."""
    identity = _field(qa, "id", str, where)
    prefix, separator, category = identity.rpartition("__")
    if not separator or not category.strip() or prefix != title:
        raise CuadAuditError(f"{where}: question id {_short(identity)} is not <title>__<category>", MEND)
    where = f"{where}, question {category!r}"
    found = set()
    for answer in _field(qa, "answers", list, where):
        words, start = _field(answer, "text", str, where), _field(answer, "answer_start", int, where)
        if not words.strip():
            raise CuadAuditError(f"{where}: an answer is empty", MEND)
        if start < 0 or text[start : start + len(words)] != words:
            raise CuadAuditError(f"{where}: the answer at {start} is not the contract's text there", MEND)
        found.add((start, start + len(words)))
    if _field(qa, "is_impossible", bool, where) == bool(found):
        raise CuadAuditError(f"{where}: is_impossible contradicts its {len(found)} answers", MEND)
    return category, found


def _field(value: Any, key: str, kind: type, where: str) -> Any:
    if not isinstance(value, dict):
        raise CuadAuditError(f"{where}: an object with {key!r} is missing", MEND)
    if key not in value:
        raise CuadAuditError(f"{where}: {key!r} is missing", MEND)
    # bool is a subclass of int, and `true` is no offset.
    if type(value[key]) is not kind:
        raise CuadAuditError(f"{where}: {key!r} is not of type {kind.__name__}", MEND)
    return value[key]


def _digest(text: str, where: str) -> str:
    try:
        return sha256(text)
    except UnicodeEncodeError:  # a lone surrogate can be spelled in JSON and cannot be stored
        raise CuadAuditError(f"{where}: the text is not valid Unicode", MEND) from None


def _short(text: str) -> str:
    return repr(text if len(text) <= 80 else f"{text[:77]}...")


def _rows(table: str, values: list[tuple]) -> Rows:
    return [dict(zip(COLUMNS[table], row, strict=True)) for row in values]
