"""Files that are written whole or not at all, in a stable order, byte for byte the same.

Convention: a writer makes the parent folder, writes beside the target and renames, so that a
reader sees the old file or the new one. JSON has sorted keys and floats rounded to nine decimals;
JSONL has one object a line; Parquet is written without an index and without pandas metadata.

Tables come in two forms. Rows (a list of mappings, ``read_rows`` and ``write_rows``) need pyarrow alone;
frames (``read_parquet`` and ``write_parquet``) need pandas, whose import takes as long as most stages
work. A stage takes frames where it computes with columns, and rows where it only carries them.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pipeline.base.errors import CuadAuditError

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    from pydantic import TypeAdapter

T = TypeVar("T")
Rows = list[dict[str, Any]]
FLOAT_DECIMALS = 9


def sha256(text: str) -> str:
    """Lower-case hex digest of the UTF-8 text: what a text is known by here."""
    return hashlib.sha256(text.encode()).hexdigest()


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


def write_csv(path: Path, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    import csv
    import io

    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([header, *rows])
    write_text(path, text.getvalue())


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


def write_rows(path: Path, rows: Iterable[Mapping[str, Any]], columns: Mapping[str, str]) -> None:
    """Write rows as Parquet, in their order; a key beyond ``columns`` is an error, an absent one null.

    ``columns`` gives each column's type: ``string``, ``strings`` (a list of them), ``int64``,
    ``float64`` or ``bool``; every one may hold None.
    """
    import io

    import orjson
    import pyarrow as pa
    import pyarrow.json

    kinds = {
        "string": pa.large_string(),
        "strings": pa.list_(pa.string()),
        "int64": pa.int64(),
        "float64": pa.float64(),
        "bool": pa.bool_(),
    }
    schema = pa.schema([(name, kinds[kind]) for name, kind in columns.items()])
    lines = b"\n".join(orjson.dumps(row, option=orjson.OPT_SERIALIZE_NUMPY) for row in rows)
    # By way of JSON, because `pa.array` imports pandas to ask whether a list is one of its own.
    whole = pyarrow.json.ReadOptions(block_size=min(len(lines) + 1, 2**31 - 1))
    strict = pyarrow.json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="error")
    table = pyarrow.json.read_json(io.BytesIO(lines), whole, strict) if lines else schema.empty_table()
    _write_table(path, table.combine_chunks())


def columns(rows: Sequence[Mapping[str, Any]], **kinds: Sequence[str]) -> dict[str, str]:
    """The columns of rows by the keys of the first, for ``write_rows``: of the kind under whose name they
    stand (``bool=("critical",)``), else ``string``. A name that no row has is a ``ValueError``."""
    named = {name: kind for kind, names in kinds.items() for name in names}
    keys = list(rows[0]) if rows else list(named)
    if unknown := sorted(named.keys() - set(keys)):
        raise ValueError(f"no column {', '.join(unknown)}")
    return {name: named.get(name, "string") for name in keys}


def read_rows(path: Path, columns: Sequence[str] | None = None) -> list[dict[str, Any]]:
    """The rows of a Parquet file, all columns by default; a list cell is a list."""
    return read_table(path, columns).to_pylist()


def read_columns(path: Path, columns: Sequence[str]) -> dict[str, list[Any]]:
    """Those columns of a Parquet file as lists of one length."""
    return read_table(path, columns).to_pydict()


def write_parquet(path: Path, table: pd.DataFrame) -> None:
    """Write ``table`` as it is ordered; the caller sorts. Same values, same bytes on every machine."""
    import pyarrow as pa

    _write_table(path, pa.Table.from_pandas(table, preserve_index=False))


def read_parquet(path: Path, columns: Sequence[str] | None = None) -> pd.DataFrame:
    """A Parquet file as a frame, with the types that pandas itself would choose."""
    import pandas as pd

    path = Path(path)
    if not path.exists():
        raise missing(path)
    return pd.read_parquet(path, columns=None if columns is None else list(columns))


def _write_table(path: Path, table: pa.Table) -> None:
    import pyarrow.parquet as pq

    with atomic_path(path) as part:
        pq.write_table(table.replace_schema_metadata(None), part, compression="zstd", write_statistics=False)


def read_table(path: Path, columns: Sequence[str] | None = None) -> pa.Table:
    """A Parquet file as an Arrow table; by ``ParquetFile``, since pyarrow's ``read_table`` imports pandas."""
    from pyarrow.parquet import ParquetFile

    path = Path(path)
    if not path.exists():
        raise missing(path)
    with ParquetFile(path) as file:
        return file.read(columns=None if columns is None else list(columns))


def missing(path: Path) -> CuadAuditError:
    return CuadAuditError(f"{path}: no such file", "run `dvc repro` to derive it")
