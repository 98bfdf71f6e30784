"""A download that can be interrupted, resumed and trusted.

The body grows in ``<folder>/<name>.part``; only a file whose sha256 is accepted gets its real
name, by a rename. A part that turns out wrong is thrown away, and the fetch starts once more.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from pipeline.base.errors import CuadAuditError
from pipeline.corpus.archive import file_sha256, no_archive

if TYPE_CHECKING:
    import requests

MAX_BYTES = 1 << 30
TIMEOUT_S = (10, 60)  # connect, and between two reads
OFFLINE = "give a local copy as CUAD_ARCHIVE=PATH, or use the embedded corpus with source=sample"
_BLOCK = 1 << 16  # what a broken connection may lose
_RETRIED = {408, 425, 429, 500, 502, 503, 504}


class _Again(Exception):
    """A failure that may pass: the next attempt goes on where this one ended."""


def fetch(url: str, digests: Collection[str], folder: Path, attempts: int = 6, pause_s: float = 0.5) -> Path:
    """Path of the verified file in ``folder``; nothing is fetched if it stands there already.

    ``attempts`` tries in all, with pauses from ``pause_s`` doubling to 30 s at most.
    """
    try:
        return _fetch(url, digests, folder, attempts, pause_s)
    except OSError as error:  # the network's errors are dealt with below: this is the disk
        raise CuadAuditError(
            f"{folder}: cannot be written ({error.strerror})", "make room or mend its rights"
        ) from None


def _fetch(url: str, digests: Collection[str], folder: Path, attempts: int, pause_s: float) -> Path:
    from filelock import FileLock

    folder.mkdir(parents=True, exist_ok=True)
    target = folder / (Path(unquote(urlsplit(url).path)).name or "archive")
    part = target.with_name(f"{target.name}.part")
    # Two experiments may run at once over one cache: the second waits and finds the file.
    with FileLock(folder / f".{target.name}.lock"):
        if target.exists():
            if file_sha256(target) in digests:
                return target
            target.unlink()
        resumed = part.exists() and part.stat().st_size > 0
        _download(url, part, attempts, pause_s)
        found = file_sha256(part)
        if found not in digests and resumed:
            part.unlink()
            _download(url, part, attempts, pause_s)
            found = file_sha256(part)
        if found not in digests:
            unfit = no_archive(part) or f"sha256 {found} is not an accepted CUAD archive"
            part.unlink()
            raise CuadAuditError(f"{url}: {unfit}", OFFLINE)
        part.replace(target)
    return target


def _download(url: str, part: Path, attempts: int, pause_s: float) -> None:
    import requests
    from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_exponential

    retrying = Retrying(
        retry=retry_if_exception_type(_Again),
        stop=stop_after_attempt(attempts),
        wait=wait_exponential(multiplier=pause_s, max=30),
        before_sleep=lambda state: print(
            f"{url}: {state.outcome.exception()}; try {state.attempt_number + 1} of {attempts}", file=sys.stderr
        ),
        reraise=True,
    )
    try:
        with requests.Session() as session:
            retrying(_attempt, session, url, part)
    except _Again as error:
        raise CuadAuditError(f"{url}: cannot be fetched ({error})", OFFLINE) from None
    except requests.RequestException as error:
        raise CuadAuditError(f"{url}: cannot be fetched ({_cause(error)})", OFFLINE) from None


def _attempt(session: requests.Session, url: str, part: Path) -> None:
    import requests

    have = part.stat().st_size if part.exists() else 0
    headers = {"Accept-Encoding": "identity"}
    if have:
        headers["Range"] = f"bytes={have}-"
    try:
        with session.get(url, headers=headers, stream=True, timeout=TIMEOUT_S) as response:
            if response.status_code == 416:  # nothing after what we have: whole, or wrong
                if response.headers.get("Content-Range") == f"bytes */{have}":
                    return
                part.unlink(missing_ok=True)
                raise _Again("the server refuses to resume")
            if response.status_code in _RETRIED:
                raise _Again(f"HTTP {response.status_code}")
            if response.status_code not in (200, 206):
                raise CuadAuditError(f"{url}: HTTP {response.status_code}", OFFLINE)
            # 200 to a Range request is the whole file: start over. So is a 206 for other bytes.
            resumes = response.status_code == 206
            if resumes and not response.headers.get("Content-Range", "").startswith(f"bytes {have}-"):
                part.unlink(missing_ok=True)
                raise _Again("the server resumes elsewhere")
            _append(response, part, have if resumes else 0)
    except (requests.ConnectionError, requests.Timeout, requests.exceptions.ChunkedEncodingError) as error:
        raise _Again(_cause(error)) from None


def _append(response: requests.Response, part: Path, have: int) -> None:
    from tqdm import tqdm

    length = response.headers.get("Content-Length")
    total = have + int(length) if length and length.isdigit() else None
    if total is not None and total > MAX_BYTES:
        raise CuadAuditError(f"{response.url}: {total:,} bytes, more than {MAX_BYTES:,}", OFFLINE)
    bar = tqdm(total=total, initial=have, unit="B", unit_scale=True, desc="CUAD archive", mininterval=0.5)
    with part.open("ab" if have else "wb") as file, bar:
        for block in response.iter_content(_BLOCK):
            file.write(block)
            bar.update(len(block))
            if file.tell() > MAX_BYTES:
                raise CuadAuditError(f"{response.url}: more than {MAX_BYTES:,} bytes", OFFLINE)
        if total is not None and file.tell() < total:
            raise _Again(f"the connection ended after {file.tell():,} of {total:,} bytes")


def _cause(error: BaseException) -> str:
    """The innermost reason of requests' nested errors, short enough for one line."""
    while inner := [
        nested for nested in (getattr(error, "reason", None), *error.args) if isinstance(nested, BaseException)
    ]:
        error = inner[0]
    return str(error).rpartition(": ")[2] or type(error).__name__
