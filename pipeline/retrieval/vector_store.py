"""Vectors on disk by (model identity, sha256 of the text): what was embedded once is never embedded again.

One SQLite database per model identity. Every batch is a transaction, so that a killed run keeps what
it embedded and several processes can write at once. Each vector carries a checksum: one that does not
match counts as absent, and a file that is no database is put aside.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.base import records
from pipeline.base.errors import CuadAuditError

_ASKED_AT_ONCE = 500  # SQLite takes at most 999 values in one question on old builds
_BUSY_S = 60.0


class VectorStore:
    """``folder`` gets one subfolder per identity, with ``identity.json`` saying which it is."""

    def __init__(self, folder: Path, identity: Mapping[str, Any], dim: int) -> None:
        text = json.dumps(dict(identity), sort_keys=True)
        self.dim = dim
        self.folder = Path(folder) / hashlib.sha256(text.encode()).hexdigest()[:16]
        self.path = self.folder / "vectors.sqlite"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if not (self.folder / "identity.json").exists():
                records.write_json(self.folder / "identity.json", dict(identity))
            self._create()
        except sqlite3.OperationalError as error:
            raise self._unusable(error) from None
        except sqlite3.DatabaseError as error:
            self._set_aside(error)
        except OSError as error:
            raise self._unusable(error) from None

    def read(self, keys: Sequence[str]) -> dict[str, np.ndarray]:
        """The vectors [dim] float32 of those keys that are there and whole."""
        found: dict[str, np.ndarray] = {}
        try:
            with self._connection() as db:
                for start in range(0, len(keys), _ASKED_AT_ONCE):
                    part = list(keys[start : start + _ASKED_AT_ONCE])
                    marks = ",".join("?" * len(part))
                    rows = db.execute(f"SELECT key, crc, vector FROM vectors WHERE key IN ({marks})", part)
                    found.update(self._whole(rows))
        except sqlite3.OperationalError as error:
            raise self._unusable(error) from None
        except sqlite3.DatabaseError as error:
            self._set_aside(error)
            return {}
        return found

    def write(self, keys: Sequence[str], vectors: np.ndarray) -> None:
        """Keep ``vectors`` [len(keys), dim]; all of them are on disk when this returns, or none."""
        rows = [(key, *_packed(vector)) for key, vector in zip(keys, vectors, strict=True)]
        try:
            with self._connection() as db, db:
                # REPLACE: an entry that failed its checksum is mended by writing it again.
                db.executemany("INSERT OR REPLACE INTO vectors (key, crc, vector) VALUES (?, ?, ?)", rows)
        except sqlite3.OperationalError as error:
            raise self._unusable(error) from None

    def _whole(self, rows: sqlite3.Cursor) -> Iterator[tuple[str, np.ndarray]]:
        for key, crc, blob in rows:
            if isinstance(blob, bytes) and len(blob) == 4 * self.dim and zlib.crc32(blob) == crc:
                yield key, np.frombuffer(blob, dtype="<f4").astype(np.float32)

    def _create(self) -> None:
        with self._connection() as db, db:
            # A write-ahead log lets readers go on while one writes.
            db.execute("PRAGMA journal_mode=WAL")
            db.execute(
                "CREATE TABLE IF NOT EXISTS vectors (key TEXT PRIMARY KEY, crc INTEGER, vector BLOB) WITHOUT ROWID"
            )

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self.path, timeout=_BUSY_S)) as db:
            db.execute("PRAGMA synchronous=NORMAL")
            yield db

    def _set_aside(self, error: Exception) -> None:
        """A damaged database is kept for a look, under another name, and a new one begun."""
        aside = self.path.with_suffix(".damaged")
        print(f"{self.path}: {error}; put aside as {aside.name}, embedding again", file=sys.stderr)
        self.path.replace(aside)
        for suffix in ("-wal", "-shm"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
        self._create()

    def _unusable(self, error: Exception) -> CuadAuditError:
        return CuadAuditError(f"{self.path}: {error}", "free the disk or remove the folder, then run again")


def _packed(vector: np.ndarray) -> tuple[int, bytes]:
    blob = np.asarray(vector, dtype="<f4").tobytes()
    return zlib.crc32(blob), blob
