"""A small terminal front to add items, to label them against the rubric, blind, and to adjudicate.

Everything is appended: an opinion or a ruling is one new line, and nothing is ever rewritten. The
second annotator is blind to the first: :func:`label` is not given the opinions. Terminal and clock
come in from outside (:class:`Front`), so that a test can play both.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from pipeline.base.errors import UsageError
from pipeline.base.types import AUDITOR_VERDICTS, POSITIONS, Band, Level, PositionReading, Verdict
from pipeline.evaluation.agreement import ASPECTS, aspect_of
from pipeline.evaluation.label_schema import KINDS, MAX_POINTS, MAX_REASON_WORDS, Adjudication, Annotation, Item
from pipeline.evaluation.labels import read_lines
from pipeline.evaluation.outcomes import band_of
from pipeline.grounding.quotes import plain
from pipeline.standard import verdict_of

#: What a quotation may have at most.
QUOTE_WORDS = 25
Opinion = TypeVar("Opinion", Annotation, Adjudication)


class Stop(Exception):
    """The person at the terminal wants to stop; what was given so far for the item is dropped."""


@dataclass(frozen=True)
class Front:
    """``ask`` shows a prompt and returns a line (EOFError at its end), ``say`` shows a line, ``now``
    tells date and time (ISO 8601)."""

    ask: Callable[[str], str]
    say: Callable[[str], None]
    now: Callable[[], str]

    def line(self, prompt: str, default: str = "") -> str:
        """What was typed, or the default for an empty line; ``q`` and the end of input stop."""
        try:
            said = self.ask(f"{prompt}{f' [{default}]' if default else ''}: ").strip()
        except EOFError:
            raise Stop from None
        if said == "q":
            raise Stop
        return said or default

    def choice(self, prompt: str, options: Sequence[str], default: str = "") -> str:
        """One of the options; its beginning is enough where it is unmistakable."""
        while True:
            said = self.line(f"{prompt} ({'/'.join(options)})", default)
            fits = [option for option in options if option == said] or [
                o for o in options if said and o.startswith(said)
            ]
            if len(fits) == 1:
                return fits[0]
            self.say(f"  one of {', '.join(options)}")

    def lines(self, prompt: str, most: int, least: int = 0) -> list[str]:
        """Up to ``most`` lines, ended by an empty one."""
        given: list[str] = []
        while len(given) < most:
            said = self.line(f"{prompt} {len(given) + 1}")
            if said:
                given.append(said)
            elif len(given) >= least:
                break
        return given


def append(path: Path, record: Item | Annotation | Adjudication) -> None:
    """One line more, on disk before this returns. The line is written whole by a single call."""
    line = json.dumps(record.model_dump(mode="json"), ensure_ascii=False) + "\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as file:
        if file.tell() and not _ends_a_line(file):
            line = "\n" + line  # an editor left the last line open
        file.write(line.encode())
        file.flush()
        os.fsync(file.fileno())


def _ends_a_line(file: Any) -> bool:
    file.seek(-1, os.SEEK_END)
    return file.read(1) == b"\n"


def place_of(contract: str, text: str | None, start: int | None, end: int | None, name: str) -> tuple[int, int]:
    """Where the clause is: at the offsets, at the one place where ``text`` stands, or both, which have to
    agree. ``name`` is what the text is called in an error."""
    if text is None:
        if start is None or end is None:
            raise UsageError("no place is given", "give --start and --end, or --clause with a file of its words")
        if not 0 <= start < end <= len(contract):
            raise UsageError(
                f"offsets {start} to {end} are no stretch of a contract of {len(contract)} characters",
                "give offsets in characters, the end excluded",
            )
        return start, end
    places = [match.start() for match in re.finditer(f"(?={re.escape(text)})", contract)] if text else []
    if not places:
        raise UsageError(f"{name}: its words do not stand in the contract", "copy them as they stand, blanks included")
    if start is None:
        if len(places) > 1:
            raise UsageError(f"{name}: its words stand at {', '.join(map(str, places))}", "say which: --start")
        start = places[0]
    if start not in places or (end is not None and end != start + len(text)):
        raise UsageError(
            f"{name}: the contract has other words at {start} to {start + len(text) if end is None else end}",
            f"its words stand at {', '.join(map(str, places))} and are {len(text)} characters long",
        )
    return start, start + len(text)


def next_id(known: Sequence[str]) -> str:
    """The id after the last: ``L160`` after ``L159``; ``L001`` where there is none to go on from."""
    found = re.fullmatch(r"(.*?)(\d+)", known[-1]) if known else None
    if not found:
        return "L001"
    number = int(found[2])
    while (name := f"{found[1]}{(number := number + 1):0{len(found[2])}}") in known:
        pass
    return name


def add_item(folder: Path, item: Item) -> str:
    """Append ``item`` to items.jsonl; its file and line. An id, a place or a text that is there already is
    refused, and the line that has it named."""
    path = Path(folder) / "items.jsonl"
    lines = read_lines(path, Item) if path.exists() else []
    for number, other in lines:
        for what, same in (
            ("the id", other.item_id == item.item_id),
            ("the place", (other.title, other.start, other.end) == (item.title, item.start, item.end)),
            ("the text", other.sha256 == item.sha256),
        ):
            if same:
                raise UsageError(
                    f"{path}:{number}: {other.item_id} has {what} of {item.item_id} already",
                    "an item stands once: label the one that is there, or give another",
                )
    append(path, item)
    return f"{path}:{len(lines) + 1}"


def label(front: Front, folder: Path, annotator: str, todo: Sequence[Item], texts: Mapping[str, str]) -> int:
    """Ask for an opinion on each item of ``todo``; how many were appended. ``texts``: clause by item."""
    path = Path(folder) / f"annotations_{annotator}.jsonl"
    done = 0
    for number, item in enumerate(todo, start=1):
        front.say(f"\n{item.item_id} ({number} of {len(todo)}), {', '.join(item.categories) or 'no category'}; q stops")
        front.say(f"{plain(texts[item.item_id])}\n")
        try:
            opinion = _ask_until_valid(front, Annotation, lambda i=item: _labelled(front, i, annotator, texts))
        except Stop:
            break
        append(path, opinion)
        done += 1
    return done


def _labelled(front: Front, item: Item, annotator: str, texts: Mapping[str, str]) -> dict[str, Any]:
    return _opinion(front, item, texts[item.item_id]) | {"annotator": annotator, "labelled_at": front.now()}


def _opinion(front: Front, item: Item, text: str) -> dict[str, Any]:
    kinds = _kinds(front)
    positions = {position: front.choice(position, _levels(position), "silent" if position != "P5" else "meets")
                 for position in POSITIONS}  # fmt: skip
    rule = verdict_of({name: PositionReading(Level(level)) for name, level in positions.items()})
    front.say(f"by the rubric's rules: {rule.value}")
    verdicts = _allowed(front, "verdict", [verdict.value for verdict in AUDITOR_VERDICTS], rule.value)
    implied = band_of(Verdict(verdicts[0]["verdict"])) or Band.MEDIUM
    bands = _allowed(front, "band", [band.value for band in Band], implied.value)
    return {
        "item_id": item.item_id,
        "kinds": kinds,
        "positions": positions,
        "verdict": verdicts[0]["verdict"],
        "allowed_verdicts": verdicts,
        "risk_band": bands[0]["band"],
        "allowed_bands": bands,
        "critical": front.choice("critical", ("no", "yes"), "no") == "yes",
        "evidence": _evidence(front, item, text),
        "must_mention": front.lines("a point that any sound reason makes", MAX_POINTS, least=1),
        "reason": front.line(f"reason (at most {MAX_REASON_WORDS} words)"),
        "uncertainty": front.line("what stays uncertain (empty: nothing)") or None,
    }


def _levels(position: str) -> tuple[str, ...]:
    return ("meets", "fails") if position == "P5" else ("meets", "departs", "off", "silent")


def _kinds(front: Front) -> list[str]:
    while True:
        given = [kind.strip() for kind in front.line(f"kinds, comma between them ({', '.join(KINDS)})").split(",")]
        if given and all(kind in KINDS for kind in given):
            return list(dict.fromkeys(given))
        front.say(f"  any of {', '.join(KINDS)}")


def _allowed(front: Front, key: str, options: Sequence[str], default: str) -> list[dict[str, str]]:
    """The preferred answer and its alternates, each with its condition."""
    allowed = [{key: front.choice(key, options, default), "condition": front.line("  right if", "on the words")}]
    while rest := [option for option in options if option not in {one[key] for one in allowed}]:
        other = front.choice(f"another {key} that a careful reader could defend", ("none", *rest), "none")
        if other == "none":
            break
        allowed.append({key: other, "condition": front.line("  right if")})
    return allowed


def _evidence(front: Front, item: Item, text: str) -> list[list[int]]:
    """Quotations typed or pasted, found in the clause and kept as offsets into the contract."""
    spans: list[list[int]] = []
    while said := front.line("a quotation from the clause (empty: no more)"):
        at = text.find(said)
        if at < 0:
            front.say("  these words do not stand in the clause")
        elif len(said.split()) > QUOTE_WORDS:
            front.say(f"  at most {QUOTE_WORDS} words")
        else:
            spans.append([item.start + at, item.start + at + len(said)])
    return spans


def _ask_until_valid(front: Front, schema: type[Opinion], ask: Callable[[], dict[str, Any]]) -> Opinion:
    while True:
        try:
            return schema.model_validate_json(json.dumps(ask()))
        except ValidationError as error:
            first = error.errors()[0]
            front.say(f"  {'.'.join(map(str, first['loc']))}: {first['msg']}; once more")


def unlabelled(
    items: Mapping[str, Item], opinions: Mapping[str, Mapping[str, Annotation]], annotator: str
) -> list[Item]:
    """What this annotator has still to label, in the order of the items."""
    return [item for item in items.values() if item.item_id not in opinions.get(annotator, {})]


def differences(given: Mapping[str, Annotation]) -> dict[str, dict[str, str]]:
    """Aspect to annotator to label, where annotators differ; the allowed sets count as an aspect."""
    said = {aspect: {name: aspect_of(o, aspect) for name, o in given.items()} for aspect in ASPECTS}
    said["allowed_verdicts"] = {
        name: ", ".join(sorted(allowed.verdict.value for allowed in o.allowed_verdicts)) for name, o in given.items()
    }
    return {aspect: by_name for aspect, by_name in said.items() if len(set(by_name.values())) > 1}


def adjudicate(
    front: Front,
    folder: Path,
    todo: Sequence[Item],
    opinions: Mapping[str, Mapping[str, Annotation]],
    texts: Mapping[str, str],
    rubric_version: str,
) -> int:
    """Ask for a ruling on each item of ``todo``, both opinions in view; how many were appended."""
    path, done = Path(folder) / "adjudications.jsonl", 0
    for number, item in enumerate(todo, start=1):
        given = {name: mine[item.item_id] for name, mine in sorted(opinions.items()) if item.item_id in mine}
        front.say(f"\n{item.item_id} ({number} of {len(todo)}); q stops\n{plain(texts[item.item_id])}\n")
        for name, opinion in given.items():
            front.say(f"{name}: {opinion.verdict.value}, {opinion.risk_band.value}. {opinion.reason}")
        differing = differences(given)
        for aspect, by_name in differing.items():
            front.say(f"  {aspect}: {'; '.join(f'{name} {said}' for name, said in by_name.items())}")
        try:
            ruling = _ask_until_valid(
                front,
                Adjudication,
                lambda i=item, g=given, d=differing: _ruled(front, i, g, not d, texts, rubric_version),
            )
        except Stop:
            break
        append(path, ruling)
        done += 1
    return done


def _ruled(
    front: Front,
    item: Item,
    given: Mapping[str, Annotation],
    agreed: bool,
    texts: Mapping[str, str],
    rubric_version: str,
) -> dict[str, Any]:
    basis = front.choice("which opinion stands (own: a third one)", (*given, "own"), next(iter(given)))
    if basis == "own":
        record = _opinion(front, item, texts[item.item_id])
    else:
        record = given[basis].model_dump(mode="json", exclude={"annotator", "labelled_at"})
    return record | {
        "opinions": {name: {"verdict": o.verdict.value, "risk_band": o.risk_band.value} for name, o in given.items()},
        "agreed": agreed,
        "ruling": front.line("why", "both agree" if agreed else ""),
        "adjudicated_at": front.now(),
        "rubric_version": rubric_version,
    }
