"""Which batches are under way, on disk before anything is paid, so that a crash never pays twice.

A record is written (and synced) before a batch is made, with no id yet: the intent. The id follows as soon
as the provider names it. A record says which requests (by key) still wait for its results; a key leaves
it once its result was handed over, and the record is deleted with its last key. Records are never lost to
a crash; what an intent without an id means is settled by ``batch.BatchRunner``.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from pipeline.base import records
from pipeline.base.errors import CuadAuditError


@dataclass(frozen=True, slots=True)
class BatchRecord:
    """``newest_before`` is the account's newest batch when the intent was written (None: it had none):
    a batch made from this intent can only be newer. ``opened_at``, in seconds since the epoch, is when the
    batch was last asked for."""

    name: str
    keys: tuple[str, ...]
    size: int
    opened_at: float
    newest_before: str | None
    batch_id: str | None = None


def intent(keys: Iterable[str], newest_before: str | None) -> BatchRecord:
    """A record of what is about to be asked for, not yet written."""
    distinct = tuple(sorted(keys))
    return BatchRecord(uuid.uuid4().hex, distinct, len(distinct), 0.0, newest_before)


class BatchBook:
    """The records under ``folder``."""

    def __init__(self, folder: Path) -> None:
        self.folder = Path(folder) / "batches"

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """One process (and thread) at a time; the system lets go of it if the holder dies."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "lock").open("w") as handle:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield

    def records(self) -> list[BatchRecord]:
        """Every open record, oldest first."""
        found = []
        for path in sorted(self.folder.glob("*.json")):
            try:
                row = json.loads(path.read_text(encoding="utf-8"))
                found.append(BatchRecord(**{**row, "keys": tuple(row["keys"])}))
            except FileNotFoundError:
                continue  # another process has just finished it
            except (ValueError, TypeError, KeyError):
                # Guessing here could pay for a batch twice.
                mend = "restore it, or delete it to give up the batch that it stands for"
                raise CuadAuditError(f"{path}: not a batch record", mend) from None
        return sorted(found, key=lambda record: (record.opened_at, record.name))

    def open(self, record: BatchRecord, now: float) -> BatchRecord:
        """Write down that the batch is asked for now; again at every attempt."""
        opened = replace(record, opened_at=now)
        self._write(opened)
        return opened

    def name_batch(self, record: BatchRecord, batch_id: str) -> BatchRecord:
        """Write down the provider's id."""
        named = replace(record, batch_id=batch_id)
        self._write(named)
        return named

    def settle(self, record: BatchRecord, keys: Iterable[str]) -> None:
        """``keys`` wait no longer; call under the lock, as others settle theirs."""
        current = next((other for other in self.records() if other.name == record.name), None)
        if current is None:
            return
        left = tuple(sorted(set(current.keys) - set(keys)))
        if left:
            self._write(replace(current, keys=left))
        else:
            self.close(current)

    def close(self, record: BatchRecord) -> None:
        self.path(record).unlink(missing_ok=True)

    def path(self, record: BatchRecord) -> Path:
        return self.folder / f"{record.name}.json"

    def _write(self, record: BatchRecord) -> None:
        path = self.path(record)
        with records.atomic_path(path) as part, part.open("w", encoding="utf-8") as handle:
            handle.write(json.dumps(asdict(record), sort_keys=True, indent=1) + "\n")
            handle.flush()
            os.fsync(handle.fileno())
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
