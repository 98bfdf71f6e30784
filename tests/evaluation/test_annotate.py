"""The terminal front, played by scripts: what a person types in, what is appended."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.base.errors import CuadAuditError, UsageError
from pipeline.base.types import Verdict
from pipeline.evaluation.annotate import (
    Front,
    add_item,
    adjudicate,
    differences,
    label,
    next_id,
    place_of,
    unlabelled,
)
from pipeline.evaluation.label_schema import Item
from pipeline.evaluation.labels import load_items, load_labels, load_opinions

TEXT = "Neither party is liable for indirect loss, or so the clause says at length, with words to spare."
TEXTS = {"I1": TEXT, "I2": TEXT}


class Person:
    """Types its lines in order; the end of them is the end of input."""

    def __init__(self, *lines: str) -> None:
        self.lines, self.shown = list(lines), []

    def ask(self, prompt: str) -> str:
        self.shown.append(prompt)
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)

    def front(self) -> Front:
        return Front(self.ask, self.shown.append, lambda: "2026-02-03T10:20:30+00:00")


OPINION = [
    "damages-waiver",  # kinds
    "meets", "", "", "meets", "", "",  # positions: defaults for P2, P3, P5, P6
    "", "", "none",  # verdict by the rules, its condition, no alternate
    "", "", "none",  # the band that follows
    "",  # not critical
    "indirect loss", "",  # one quotation
    "mutual waiver", "",  # one point
    "A mutual waiver of indirect loss.", "",  # reason, nothing uncertain
]  # fmt: skip


@pytest.fixture
def fresh(label_folder: Path) -> Path:
    """Two items, no opinion yet, no ruling."""
    for path in label_folder.glob("a*_*.jsonl"):
        path.unlink()
    (label_folder / "adjudications.jsonl").unlink()
    return label_folder


def test_an_opinion_is_asked_for_and_appended(fresh: Path) -> None:
    items = load_items(fresh)
    assert label(Person(*OPINION).front(), fresh, "A", [items["I1"]], TEXTS) == 1
    given = load_opinions(fresh, items)["A"]["I1"]
    assert (given.verdict, given.risk_band.value, given.labelled_at) == (
        Verdict.ACCEPTABLE,
        "low",
        "2026-02-03T10:20:30+00:00",
    )
    assert given.evidence == ((10 + TEXT.index("indirect loss"), 10 + TEXT.index("indirect loss") + 13),)
    assert given.must_mention == ("mutual waiver",)
    assert [item.item_id for item in unlabelled(items, load_opinions(fresh, items), "A")] == ["I2"]
    assert [item.item_id for item in unlabelled(items, load_opinions(fresh, items), "B")] == ["I1", "I2"]


def test_the_second_annotator_does_not_see_the_first(label_folder: Path) -> None:
    person = Person(*OPINION)
    label(person.front(), label_folder, "C", [load_items(label_folder)["I1"]], TEXTS)
    shown = "\n".join(person.shown)
    assert TEXT in shown
    opinion = load_opinions(label_folder, load_items(label_folder))["A"]["I1"]
    assert opinion.reason not in shown.replace(TEXT, "")
    assert "2026-01-01" not in shown  # nor when they labelled


def test_what_was_written_before_stays_byte_for_byte(label_folder: Path) -> None:
    path = label_folder / "annotations_A.jsonl"
    before = path.read_bytes()
    label(Person(*OPINION).front(), label_folder, "A", [load_items(label_folder)["I2"]], TEXTS)
    assert path.read_bytes().startswith(before)
    assert len(path.read_bytes().splitlines()) == 3


def test_a_line_left_open_is_not_run_into(label_folder: Path) -> None:
    path = label_folder / "annotations_A.jsonl"
    path.write_text(path.read_text().rstrip("\n"))
    label(Person(*OPINION).front(), label_folder, "A", [load_items(label_folder)["I2"]], TEXTS)
    assert len(load_opinions(label_folder, load_items(label_folder))["A"]) == 2


@pytest.mark.parametrize("stop", [["q"], ["damages-waiver", "meets", "q"], []])
def test_stopping_keeps_what_is_whole_and_nothing_else(fresh: Path, stop: list[str]) -> None:
    items = load_items(fresh)
    assert label(Person(*OPINION, *stop).front(), fresh, "A", list(items.values()), TEXTS) == 1
    assert list(load_opinions(fresh, items)["A"]) == ["I1"]


def test_mistakes_are_said_and_asked_again(fresh: Path) -> None:
    typed = list(OPINION)
    typed[0:1] = ["cap,nonsense", "damages-waiver"]
    typed[typed.index("indirect loss") : typed.index("indirect loss") + 1] = ["not in the text", "indirect loss"]
    person = Person(*typed)
    items = load_items(fresh)
    assert label(person.front(), fresh, "A", [items["I1"]], TEXTS) == 1
    assert any("do not stand in the clause" in line for line in person.shown)
    assert any("any of cap" in line for line in person.shown)


def test_a_record_off_the_schema_is_asked_for_again(fresh: Path) -> None:
    wordy = [*OPINION[:-2], "word " * 50, ""]
    person = Person(*wordy, *OPINION)
    assert label(person.front(), fresh, "A", [load_items(fresh)["I1"]], TEXTS) == 1
    assert any("50 words" in line for line in person.shown)


def test_alternates_carry_their_conditions(fresh: Path) -> None:
    typed = list(OPINION)
    at = typed.index("none")
    typed[at : at + 1] = ["risky", "if the fees are small", "none"]
    label(Person(*typed).front(), fresh, "A", [load_items(fresh)["I1"]], TEXTS)
    given = load_opinions(fresh, load_items(fresh))["A"]["I1"]
    assert [(a.verdict.value, a.condition) for a in given.allowed_verdicts] == [
        ("acceptable", "on the words"),
        ("risky", "if the fees are small"),
    ]


def test_a_ruling_cites_both_opinions_and_says_why(fresh: Path) -> None:
    items = load_items(fresh)
    label(Person(*OPINION).front(), fresh, "A", [items["I1"]], TEXTS)
    risky = list(OPINION)
    risky[1] = "departs"  # P1
    label(Person(*risky).front(), fresh, "B", [items["I1"]], TEXTS)
    opinions = load_opinions(fresh, items)
    assert differences({name: mine["I1"] for name, mine in opinions.items()})["verdict"] == {
        "A": "acceptable",
        "B": "risky",
    }
    person = Person("B", "the words bind one party only")
    assert adjudicate(person.front(), fresh, [items["I1"]], opinions, TEXTS, "1.1") == 1
    assert any("P1: A meets; B departs" in line for line in person.shown)
    reference = load_labels(fresh).samples[0].reference
    assert reference.preferred is Verdict.RISKY
    assert (reference.ruling, reference.agreed, reference.annotators) == (
        "the words bind one party only", False, ("A", "B")
    )  # fmt: skip


def test_agreement_is_the_default_ruling_where_nothing_differs(label_folder: Path) -> None:
    items = load_items(label_folder)
    opinions = load_opinions(label_folder, items)
    before = load_labels(label_folder)
    assert adjudicate(Person("", "").front(), label_folder, [items["I1"]], opinions, TEXTS, "1.1") == 1
    after = load_labels(label_folder)
    assert after.samples[0].reference.agreed and after.samples[0].reference.ruling == "both agree"
    assert after.version != before.version  # appended: a new version
    assert load_labels(label_folder, before.version) == before


CONTRACT = "Fees. No liability. Costs. No liability. End."


@pytest.mark.parametrize(
    ("text", "start", "end", "place"),
    [
        (None, 6, 19, (6, 19)),
        (None, 0, len(CONTRACT), (0, len(CONTRACT))),
        ("Costs.", None, None, (20, 26)),
        ("Costs.", 20, 26, (20, 26)),
        ("No liability.", 27, None, (27, 40)),
    ],
)
def test_a_clause_is_found_by_offsets_by_its_words_or_by_both(text, start, end, place) -> None:
    assert place_of(CONTRACT, text, start, end, "file") == place


@pytest.mark.parametrize(
    ("text", "start", "end", "problem"),
    [
        (None, None, None, "no place is given"),
        (None, 6, None, "no place is given"),
        (None, 19, 6, "no stretch"),
        (None, 6, 6, "no stretch"),
        (None, -1, 6, "no stretch"),
        (None, 6, len(CONTRACT) + 1, "no stretch"),
        ("no liability.", None, None, "file: its words do not stand"),
        ("", None, None, "file: its words do not stand"),
        ("No liability.", None, None, "file: its words stand at 6, 27"),
        ("Costs.", 19, None, "file: the contract has other words at 19 to 25"),
        ("Costs.", 20, 25, "file: the contract has other words at 20 to 25"),
        ("Costs.", 21, 27, "file: the contract has other words at 21 to 27"),
    ],
)
def test_offsets_that_do_not_match_are_refused(text, start, end, problem) -> None:
    with pytest.raises(UsageError, match=problem):
        place_of(CONTRACT, text, start, end, "file")


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        ([], "L001"),
        (["L001", "L159"], "L160"),
        (["X9"], "X10"),
        (["first"], "L001"),
        (["L003", "L001"], "L002"),
        (["L002", "L001"], "L003"),
    ],
)
def test_the_next_id_is_new(known: list[str], expected: str) -> None:
    assert next_id(known) == expected


def test_an_item_is_appended_once(label_folder: Path, label_rows) -> None:
    path = label_folder / "items.jsonl"
    before = path.read_bytes()

    def made(item_id: str, **changes) -> Item:
        return Item.model_validate(label_rows["item"](item_id, **changes) | {"categories": ()})

    assert add_item(label_folder, made("I3", sha256="b" * 64)) == f"{path}:3"
    assert path.read_bytes().startswith(before)
    assert list(load_items(label_folder)) == ["I1", "I2", "I3"]
    for item, what in (
        (made("I3", title="Another", sha256="c" * 64), "items.jsonl:3: I3 has the id of I3"),
        (made("I4", title="Agreement I3", sha256="c" * 64), "items.jsonl:3: I3 has the place of I4"),
        (made("I4", sha256="b" * 64), "items.jsonl:3: I3 has the text of I4"),
    ):
        with pytest.raises(UsageError, match=what):
            add_item(label_folder, item)
    assert len(path.read_bytes().splitlines()) == 3


def test_a_broken_line_is_named_before_anything_is_appended(label_folder: Path, label_rows) -> None:
    path = label_folder / "items.jsonl"
    path.write_text(path.read_text() + '{"item_id": 7}\n')
    before = path.read_bytes()
    with pytest.raises(CuadAuditError, match=r"items\.jsonl:3: "):
        add_item(label_folder, Item.model_validate(label_rows["item"]("I9") | {"categories": ()}))
    assert path.read_bytes() == before
