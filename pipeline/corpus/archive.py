"""The CUAD archive: verified against its digests, then read without trusting the zip.

Only ``CUADv1.json`` is read, into memory and within a bound; nothing is ever unpacked to disk.
"""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from collections.abc import Collection
from pathlib import Path, PurePosixPath

from pipeline.base.errors import CuadAuditError

MEMBER = "CUADv1.json"
#: CUADv1.json has 40 MB; the archive's three members together stay under 1 GiB.
MAX_MEMBER_BYTES = 256 << 20
MAX_TOTAL_BYTES = 1 << 30
MAX_MEMBERS = 1000
_BLOCK = 1 << 20
_ZIP = b"PK\x03\x04"


def file_sha256(path: Path) -> str:
    """Lower-case hex digest of a file's bytes; a file that cannot be read is an error."""
    try:
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        raise CuadAuditError(f"{path}: no such file", "give CUAD_ARCHIVE the path of CUAD's data.zip") from None
    except OSError as error:
        raise CuadAuditError(
            f"{path}: cannot be read ({error.strerror})", "give CUAD_ARCHIVE the path of CUAD's data.zip"
        ) from None


def verify(path: Path, digests: Collection[str]) -> str:
    """The file's digest if it is one of ``digests``; any other file is an error, whose mend fits what it is."""
    found = file_sha256(path)
    if found not in digests:
        if unfit := no_archive(path):
            raise CuadAuditError(f"{path}: {unfit}", "download CUAD's data.zip again and give CUAD_ARCHIVE its path")
        accepted = ", ".join(digest[:12] for digest in digests)
        raise CuadAuditError(
            f"{path}: sha256 {found} is not an accepted CUAD archive ({accepted}...)",
            "fetch the official data.zip again, or add the digest to source.digests if you trust it",
        )
    return found


def no_archive(path: Path) -> str:
    """Why a file cannot be an archive of whatever edition: empty, cut off, no zip; "" if it can."""
    size = path.stat().st_size
    if not size:
        return "an empty file"
    if zipfile.is_zipfile(path):  # looks for the directory at the end
        return ""
    with path.open("rb") as file:
        begins = file.read(len(_ZIP))
    return f"an incomplete zip ({size:,} bytes, its end is missing)" if begins == _ZIP else "not a zip archive"


def read_member(
    path: Path,
    member: str = MEMBER,
    max_bytes: int = MAX_MEMBER_BYTES,
    max_total: int = MAX_TOTAL_BYTES,
) -> bytes:
    """The bytes of the one file called ``member``, whatever folder of the zip it lies in.

    Errors: not a zip, truncated or corrupt; a member whose path leaves the folder; a member or a
    sum of members beyond the bounds, by the declared sizes and by the bytes that really come.
    """
    mend = "fetch the archive again"
    try:
        with zipfile.ZipFile(path) as archive:
            info = _choose(archive.infolist(), path, member, max_bytes, max_total)
            with archive.open(info) as stream:
                return _read_bounded(stream, path, member, max_bytes)
    except FileNotFoundError:
        raise CuadAuditError(f"{path}: no such file", mend) from None
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError) as error:
        # RuntimeError: encrypted; NotImplementedError: unknown compression; ValueError: bad offsets.
        raise CuadAuditError(f"{path}: truncated or corrupt zip ({error})", mend) from None


def _choose(infos: list[zipfile.ZipInfo], path: Path, member: str, max_bytes: int, max_total: int) -> zipfile.ZipInfo:
    mend = "take the official archive"
    if len(infos) > MAX_MEMBERS:
        raise CuadAuditError(f"{path}: {len(infos)} members, more than {MAX_MEMBERS}", mend)
    for info in infos:
        name = PurePosixPath(info.filename.replace("\\", "/"))
        if name.is_absolute() or ".." in name.parts or ":" in (name.parts or ("",))[0]:
            raise CuadAuditError(f"{path}: member {info.filename!r} lies outside the folder", mend)
    total = sum(info.file_size for info in infos)
    if total > max_total:
        raise CuadAuditError(f"{path}: would unpack to {total:,} bytes, more than {max_total:,}", mend)
    found = [info for info in infos if PurePosixPath(info.filename).name == member and not info.is_dir()]
    if len(found) != 1:
        raise CuadAuditError(f"{path}: holds {len(found)} files {member} where one is expected", mend)
    if found[0].file_size > max_bytes:
        raise CuadAuditError(
            f"{path}: {member} would unpack to {found[0].file_size:,} bytes, more than {max_bytes:,}", mend
        )
    return found[0]


def _read_bounded(stream: zipfile.ZipExtFile, path: Path, member: str, max_bytes: int) -> bytes:
    # The declared size may lie: count what comes. zipfile checks the CRC at the end.
    data = bytearray()
    while block := stream.read(_BLOCK):
        data += block
        if len(data) > max_bytes:
            raise CuadAuditError(
                f"{path}: {member} unpacks to more than {max_bytes:,} bytes", "take the official archive"
            )
    return bytes(data)
