"""Samples with their multi-valued, versioned references, read from an append-only label folder.

Files: ``items.jsonl``, ``annotations_*.jsonl`` (one or more), ``adjudications.jsonl``. The last line
for an item is the one in force; earlier ones stay in the file. A *reference version* is
``<rubric>/<lines>-<digest>``: how many lines of ``adjudications.jsonl`` it takes and the digest of
exactly those lines. Appending makes a new version and leaves every old one loadable; a changed or
removed line makes the old version unloadable, which is an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from pipeline.base.errors import CuadAuditError
from pipeline.base.types import Band, Level, Verdict
from pipeline.corpus.normalise import sha256
from pipeline.evaluation.label_schema import Adjudication, Annotation, Item

UNKNOWN = "unknown"
#: The source of a reference that rules on independent opinions.
ADJUDICATION = "adjudication"
Line = TypeVar("Line", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Reference:
    """The allowed answers to one item, each with the condition under which it is right.

    ``verdicts`` and ``bands`` map answer to condition, the preferred one first; scoring takes the
    whole set. ``points`` must be made by any sound reason. ``evidence`` are offsets into the contract.
    ``source`` says what the reference rests on: :data:`ADJUDICATION` of opinions, ``construction`` or
    ``single-pass`` (one of ``label_schema.WITHOUT_OPINIONS``).
    """

    version: str
    verdicts: Mapping[Verdict, str]
    bands: Mapping[Band, str]
    positions: Mapping[str, Level]
    kinds: tuple[str, ...]
    critical: bool
    points: tuple[str, ...]
    evidence: tuple[tuple[int, int], ...]
    reason: str
    uncertainty: str | None
    agreed: bool
    ruling: str
    source: str
    annotators: tuple[str, ...]
    adjudicated_at: str

    @property
    def preferred(self) -> Verdict:
        return next(iter(self.verdicts))

    @property
    def abstention_allowed(self) -> bool:
        """Whether "cannot tell from these words" is a right answer."""
        return Verdict.INSUFFICIENT_GROUNDING in self.verdicts

    @property
    def auditable(self) -> bool:
        """Whether some answer other than abstention is right."""
        return any(verdict is not Verdict.INSUFFICIENT_GROUNDING for verdict in self.verdicts)


@dataclass(frozen=True, slots=True)
class Sample:
    """One clause with its context and its reference. No contract text: title, offsets and hash find it."""

    item_id: str
    title: str
    start: int
    end: int
    sha256: str
    family: str
    categories: tuple[str, ...]
    jurisdiction: str
    contract_role: str
    context: str
    reference: Reference


@dataclass(frozen=True, slots=True)
class LabelSet:
    """Every adjudicated sample, the opinions by annotator and item, and the version in force."""

    samples: tuple[Sample, ...]
    opinions: Mapping[str, Mapping[str, Annotation]]
    version: str
    rubric_version: str


def load_labels(folder: Path, version: str | None = None) -> LabelSet:
    """The labels of ``folder``, at ``version`` or at the newest. Samples come in the order of items.jsonl.

    Raises CuadAuditError that names file and line for anything that does not fit the schema, an item
    without a ruling, a ruling on an unknown item or one that misquotes an opinion.
    """
    folder = Path(folder)
    rulings_path = folder / "adjudications.jsonl"
    items = load_items(folder)
    opinions = load_opinions(folder, items)
    lines = _text_lines(rulings_path)
    if version is not None:
        lines = _prefix(rulings_path, lines, version)
    ever = _ever_given(folder)
    rulings: dict[str, Adjudication] = {}
    for number, ruling in parse_lines(rulings_path, lines, Adjudication):
        where = f"{rulings_path}:{number}"
        _fits_item(where, ruling, items)
        for annotator, cited in ruling.opinions.items():
            if (annotator, ruling.item_id, cited.verdict, cited.risk_band) not in ever:
                raise CuadAuditError(
                    f"{where}: cites an opinion of {annotator} on {ruling.item_id} that is not in the annotations",
                    "append a ruling that cites the opinions as they stand",
                )
        rulings[ruling.item_id] = ruling
    if not rulings:
        raise CuadAuditError(f"{rulings_path}: holds no ruling", "label and adjudicate at least one item")
    rubric = next(reversed(rulings.values())).rubric_version
    name = version or version_name(rubric, lines)
    samples = tuple(_sample(items[item_id], rulings[item_id], name) for item_id in items if item_id in rulings)
    return LabelSet(samples, opinions, name, rubric)


def load_items(folder: Path) -> dict[str, Item]:
    """Every item by its id, in file order."""
    path = Path(folder) / "items.jsonl"
    items: dict[str, Item] = {}
    for number, item in read_lines(path, Item):
        if item.item_id in items:
            raise CuadAuditError(f"{path}:{number}: {item.item_id} stands twice", "give each item its own id")
        items[item.item_id] = item
    return items


def version_name(rubric: str, lines: list[str]) -> str:
    """The version that these lines of adjudications.jsonl make."""
    digest = sha256("".join(f"{line}\n" for line in lines))
    return f"{rubric}/{len(lines)}-{digest[:12]}"


def read_lines(path: Path, schema: type[Line]) -> list[tuple[int, Line]]:
    """Every line of a label file with its number, validated."""
    return parse_lines(path, _text_lines(path), schema)


def parse_lines(path: Path, lines: list[str], schema: type[Line]) -> list[tuple[int, Line]]:
    parsed = []
    for number, line in enumerate(lines, start=1):
        try:
            parsed.append((number, schema.model_validate_json(line)))
        except ValidationError as error:
            first = error.errors()[0]
            key = ".".join(str(part) for part in first["loc"])
            raise CuadAuditError(
                f"{path}:{number}: {key + ': ' if key else ''}{first['msg']}",
                "append a corrected line, or restore the file",
            ) from None
    return parsed


def _text_lines(path: Path) -> list[str]:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise CuadAuditError(f"{path}: no such file", "name a label folder, or run `dvc repro` to derive it") from None
    except UnicodeDecodeError as error:
        raise CuadAuditError(f"{path}: not UTF-8 ({error.reason})", "restore the file") from None
    return text.removesuffix("\n").split("\n") if text else []


def _prefix(path: Path, lines: list[str], version: str) -> list[str]:
    rubric, _, rest = version.rpartition("/")
    count = rest.partition("-")[0]
    taken = lines[: int(count)] if count.isdigit() else []
    if not taken or version_name(rubric, taken) != version:
        raise CuadAuditError(
            f"{path}: reference version {version} is not in the file", "labels are append-only: restore its lines"
        )
    return taken


def load_opinions(folder: Path, items: Mapping[str, Item]) -> dict[str, dict[str, Annotation]]:
    """Annotator to item to opinion in force (the last one); empty where nobody has labelled yet."""
    opinions: dict[str, dict[str, Annotation]] = {}
    for where, opinion in _annotations(folder):
        _fits_item(where, opinion, items)
        opinions.setdefault(opinion.annotator, {})[opinion.item_id] = opinion
    return opinions


def _annotations(folder: Path) -> Iterator[tuple[str, Annotation]]:
    for path in sorted(Path(folder).glob("annotations_*.jsonl")):
        for number, opinion in read_lines(path, Annotation):
            yield f"{path}:{number}", opinion


def _ever_given(folder: Path) -> set[tuple[str, str, Verdict, Band]]:
    """Every opinion ever given: a ruling may cite one that its annotator has changed since."""
    return {(o.annotator, o.item_id, o.verdict, o.risk_band) for _, o in _annotations(folder)}


def _fits_item(where: str, opinion: Annotation | Adjudication, items: Mapping[str, Item]) -> None:
    item = items.get(opinion.item_id)
    if item is None:
        raise CuadAuditError(f"{where}: item {opinion.item_id} is not in items.jsonl", "add the item first")
    if any(start < item.start or end > item.end for start, end in opinion.evidence):
        raise CuadAuditError(f"{where}: evidence lies outside the clause of {item.item_id}", "correct the offsets")


def _sample(item: Item, ruling: Adjudication, version: str) -> Sample:
    reference = Reference(
        version=version,
        verdicts={allowed.verdict: allowed.condition for allowed in ruling.allowed_verdicts},
        bands={allowed.band: allowed.condition for allowed in ruling.allowed_bands},
        positions=dict(ruling.positions),
        kinds=ruling.kinds,
        critical=ruling.critical,
        points=ruling.must_mention,
        evidence=ruling.evidence,
        reason=ruling.reason,
        uncertainty=ruling.uncertainty,
        agreed=ruling.agreed,
        ruling=ruling.ruling,
        source=ADJUDICATION if ruling.opinions else ruling.annotator or UNKNOWN,
        annotators=tuple(sorted(ruling.opinions)) or (ruling.annotator or UNKNOWN,),
        adjudicated_at=ruling.adjudicated_at,
    )
    return Sample(
        item_id=item.item_id,
        title=item.title,
        start=item.start,
        end=item.end,
        sha256=item.sha256,
        family=item.family,
        categories=item.categories,
        jurisdiction=item.jurisdiction or UNKNOWN,
        contract_role=item.contract_role or UNKNOWN,
        context=item.context or UNKNOWN,
        reference=reference,
    )
