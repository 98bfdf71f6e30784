from __future__ import annotations

import hashlib
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.base.errors import CuadAuditError
from pipeline.corpus import archive

Zip = Callable[..., Path]
JSON = b'{"data": []}' * 100


def test_reads_the_member_among_others(make_zip: Zip) -> None:
    path = make_zip({"test.json": b"{}", "CUADv1.json": JSON, "train_separate_questions.json": b"{}"})
    assert archive.read_member(path) == JSON


def test_reads_the_member_in_a_folder(make_zip: Zip) -> None:
    assert archive.read_member(make_zip({"data/CUADv1.json": JSON, "__MACOSX/._CUADv1.json": b"x"})) == JSON


def test_accepts_any_of_its_digests_and_no_other(make_zip: Zip) -> None:
    path = make_zip({"CUADv1.json": JSON})
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert archive.verify(path, ["0" * 64, digest]) == digest
    with pytest.raises(CuadAuditError, match=rf"data\.zip: sha256 {digest} is not an accepted"):
        archive.verify(path, ["0" * 64])


def test_a_file_that_is_not_there_or_is_a_folder(tmp_path: Path) -> None:
    with pytest.raises(CuadAuditError, match=r"none\.zip: no such file.*CUAD_ARCHIVE"):
        archive.verify(tmp_path / "none.zip", [])
    with pytest.raises(CuadAuditError, match="Is a directory"):
        archive.verify(tmp_path, [])
    with pytest.raises(CuadAuditError, match=r"none\.zip: no such file"):
        archive.read_member(tmp_path / "none.zip")


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", r"data\.zip: an empty file; download"),
        (b"<html>Sign in</html>", r"data\.zip: not a zip archive; download"),
        (b"PK", r"data\.zip: not a zip archive"),
        (slice(40), r"data\.zip: an incomplete zip \(40 bytes, its end is missing\); download"),
        (slice(-30), r"data\.zip: an incomplete zip"),
    ],
)
def test_a_file_that_is_no_archive_is_to_be_downloaded_again(make_zip: Zip, data: bytes | slice, problem: str) -> None:
    """No digest of such a file is worth adding to the accepted ones. A slice is that of a whole archive."""
    path = make_zip({"CUADv1.json": JSON})
    path.write_bytes(path.read_bytes()[data] if isinstance(data, slice) else data)
    with pytest.raises(CuadAuditError, match=problem) as caught:
        archive.verify(path, ["0" * 64])
    assert "CUAD_ARCHIVE" in str(caught.value)
    assert "digest" not in str(caught.value)


def test_another_whole_archive_may_be_trusted(make_zip: Zip) -> None:
    with pytest.raises(CuadAuditError, match=r"is not an accepted CUAD archive .*add the digest to source\.digests"):
        archive.verify(make_zip({"CUADv1.json": JSON}), ["0" * 64])


@pytest.mark.parametrize("name", ["../evil", "/etc/passwd", "a/../../b", "..\\evil", "C:/x", "C:\\x"])
def test_a_member_outside_the_folder(make_zip: Zip, name: str) -> None:
    with pytest.raises(CuadAuditError, match="lies outside the folder"):
        archive.read_member(make_zip({"CUADv1.json": JSON, name: b"x"}))


def test_no_member_or_two(make_zip: Zip) -> None:
    with pytest.raises(CuadAuditError, match=r"holds 0 files CUADv1\.json"):
        archive.read_member(make_zip({"other.json": JSON}))
    with pytest.raises(CuadAuditError, match=r"holds 2 files CUADv1\.json"):
        archive.read_member(make_zip({"CUADv1.json": JSON, "a/CUADv1.json": JSON}))


def test_a_bomb_that_tells_its_size(make_zip: Zip) -> None:
    path = make_zip({"CUADv1.json": bytes(2_000_000)})
    assert path.stat().st_size < 10_000
    with pytest.raises(CuadAuditError, match="would unpack to 2,000,000 bytes, more than 1,000,000"):
        archive.read_member(path, max_bytes=1_000_000)
    with pytest.raises(CuadAuditError, match="would unpack to 2,000,000 bytes, more than 1,500,000"):
        archive.read_member(path, max_total=1_500_000)


def test_a_bomb_among_the_other_members(make_zip: Zip) -> None:
    path = make_zip({"CUADv1.json": JSON, "test.json": bytes(2_000_000)})
    with pytest.raises(CuadAuditError, match="would unpack to"):
        archive.read_member(path, max_total=1_000_000)


def test_a_bomb_that_lies_about_its_size(make_zip: Zip) -> None:
    path = make_zip({"CUADv1.json": bytes(2_000_000)})
    # The declared size in the central directory: 24 bytes into its entry.
    data = bytearray(path.read_bytes())
    entry = data.index(b"PK\x01\x02")
    struct.pack_into("<I", data, entry + 24, 1000)
    path.write_bytes(data)
    with pytest.raises(CuadAuditError) as caught:
        archive.read_member(path, max_bytes=1_000_000)
    assert "data.zip" in str(caught.value)


def test_bytes_are_counted_as_they_come() -> None:
    class Endless:
        read_so_far = 0

        def read(self, size: int) -> bytes:
            self.read_so_far += size
            return bytes(size)

    stream = Endless()
    with pytest.raises(CuadAuditError, match="unpacks to more than"):
        archive._read_bounded(stream, Path("x.zip"), "CUADv1.json", max_bytes=5_000_000)  # type: ignore[arg-type]
    assert stream.read_so_far < 8_000_000


def test_too_many_members(make_zip: Zip) -> None:
    path = make_zip({"CUADv1.json": JSON, **{f"m{i}": b"" for i in range(archive.MAX_MEMBERS)}})
    with pytest.raises(CuadAuditError, match="1001 members"):
        archive.read_member(path)


def test_truncated_anywhere_is_one_line(make_zip: Zip) -> None:
    path = make_zip({"CUADv1.json": JSON * 50})
    data = path.read_bytes()
    for size in range(0, len(data), 7):
        path.write_bytes(data[:size])
        with pytest.raises(CuadAuditError, match="truncated or corrupt zip") as caught:
            archive.read_member(path)
        assert "\n" not in str(caught.value)


def test_any_flipped_byte_is_an_error_or_harmless(make_zip: Zip) -> None:
    path = make_zip({"CUADv1.json": JSON * 50})
    data = path.read_bytes()
    refused = 0
    for at in range(len(data)):
        path.write_bytes(data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :])
        try:
            assert archive.read_member(path) == JSON * 50  # e.g. a byte of the time stamp
        except CuadAuditError as error:
            refused += 1
            assert "data.zip" in str(error)
    assert refused > len(data) // 2


def test_encrypted(make_zip: Zip) -> None:
    path = make_zip({"CUADv1.json": JSON})
    data = bytearray(path.read_bytes())
    for signature, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(signature) + flags] |= 1
    path.write_bytes(data)
    with pytest.raises(CuadAuditError, match="encrypted"):
        archive.read_member(path)


def test_not_a_zip(tmp_path: Path) -> None:
    path = tmp_path / "data.zip"
    path.write_text("<html>Not found</html>")
    assert not zipfile.is_zipfile(path)
    with pytest.raises(CuadAuditError, match="truncated or corrupt zip"):
        archive.read_member(path)
