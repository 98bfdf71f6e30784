"""Files that are written whole or not at all, in a stable order, byte for byte the same.

Convention: a writer makes the parent folder, writes beside the target and renames, so that a
reader sees the old file or the new one. JSON has sorted keys and floats rounded to nine decimals;
JSONL has one object a line; Parquet is written without an index and without pandas metadata.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pipeline.errors import CuadAuditError

if TYPE_CHECKING:
    import pandas as pd
    from pydantic import TypeAdapter

T = TypeVar("T")
FLOAT_DECIMALS = 9


@contextlib.contextmanager
def atomic_path(target: Path) -> Iterator[Path]:
    """Yield a path beside ``target``; rename it onto ``target`` on success, remove it otherwise."""
    target = Path(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    os.close(handle)
    part = Path(name)
    try:
        yield part
        part.chmod(0o644)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


@contextlib.contextmanager
def atomic_folder(target: Path) -> Iterator[Path]:
    """Yield an empty folder beside ``target``; on success it replaces ``target`` whole.

    A target has one writer at a time (DVC sees to it), so what a killed one left is removed.
    """
    target = Path(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    for stale in target.parent.glob(f".{target.name}.*.part"):
        shutil.rmtree(stale, ignore_errors=True)
    part = Path(tempfile.mkdtemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent))
    try:
        yield part
        part.chmod(0o755)
        shutil.rmtree(target, ignore_errors=True)
        part.replace(target)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def write_bytes(path: Path, data: bytes) -> None:
    with atomic_path(path) as part:
        part.write_bytes(data)


def write_text(path: Path, text: str) -> None:
    write_bytes(path, text.encode())


def rounded(value: Any) -> Any:
    """``value`` with every float rounded, so that metrics do not differ in the last bit."""
    if isinstance(value, float):
        return round(value, FLOAT_DECIMALS) + 0.0  # no negative zero
    if isinstance(value, Mapping):
        return {str(key): rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(item) for item in value]
    if hasattr(value, "item"):  # a numpy scalar
        return rounded(value.item())
    return value


def write_json(path: Path, value: Any) -> None:
    """Write one JSON document; a float that is not finite is a programming error and raises."""
    text = json.dumps(rounded(value), indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False)
    write_text(path, text + "\n")


def read_json(path: Path) -> Any:
    path = Path(path)
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise missing(path) from None
    except ValueError as error:
        raise CuadAuditError(f"{path}: not JSON ({error})", "restore or derive the file again") from None


@cache
def _adapter(record: type[T]) -> TypeAdapter[T]:
    from pydantic import TypeAdapter  # lazy: costs a quarter of a second

    return TypeAdapter(record)


def to_dict(record: Any) -> Any:
    """A frozen record (or a list of them) as plain JSON values."""
    return _adapter(type(record)).dump_python(record, mode="json")


def from_dict(record: type[T], value: Any) -> T:
    """Build a frozen record from plain JSON values; raises pydantic's ``ValidationError``."""
    return _adapter(record).validate_python(value)


def write_jsonl(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    lines = (json.dumps(rounded(row), sort_keys=True, ensure_ascii=False, allow_nan=False) for row in rows)
    write_text(path, "".join(f"{line}\n" for line in lines))


def read_jsonl(path: Path) -> list[dict[str, Any]]:
    """Every line's object, in order; an unreadable line is an error that names file and line."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise missing(path) from None
    rows = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise CuadAuditError(f"{path}:{number}: not JSON ({error})", "mend that line") from None
        if not isinstance(row, dict):
            raise CuadAuditError(f"{path}:{number}: not a JSON object", "mend that line")
        rows.append(row)
    return rows


def write_parquet(path: Path, table: pd.DataFrame) -> None:
    """Write ``table`` as it is ordered; the caller sorts. Same values, same bytes on every machine."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    arrow = pa.Table.from_pandas(table, preserve_index=False).replace_schema_metadata(None)
    with atomic_path(path) as part:
        pq.write_table(arrow, part, compression="zstd", write_statistics=False)


def read_parquet(path: Path, columns: list[str] | None = None) -> pd.DataFrame:
    import pandas as pd

    path = Path(path)
    if not path.exists():
        raise missing(path)
    return pd.read_parquet(path, columns=columns)


def missing(path: Path) -> CuadAuditError:
    return CuadAuditError(f"{path}: no such file", "run `dvc repro` to derive it")
