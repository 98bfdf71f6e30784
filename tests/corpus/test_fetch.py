"""The download against a server on loopback that misbehaves as told."""

from __future__ import annotations

import hashlib
import io
import random
import socket
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from pipeline.base.errors import CuadAuditError
from pipeline.corpus.fetch import fetch

BODY = random.Random(7).randbytes(1_000_000)
DIGEST = hashlib.sha256(BODY).hexdigest()


class Handler(BaseHTTPRequestHandler):
    """Serves ``server.body``; each request takes the next of ``server.plan`` and is written down.

    A plan: a status (``503``), ``drop`` (close after half of what was asked), ``whole`` (ignore
    Range), ``elsewhere`` (resume at the wrong place), ``ok``. After the plan, ``ok``.
    """

    def do_GET(self) -> None:
        server = self.server
        asked = self.headers.get("Range")
        server.seen.append(asked)
        todo = server.plan.pop(0) if server.plan else "ok"
        if isinstance(todo, int):
            self.send_response(todo)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        start = int(asked.removeprefix("bytes=").rstrip("-")) if asked and todo != "whole" else 0
        if start >= len(server.body) and asked:
            self.send_response(416)
            self.send_header("Content-Range", f"bytes */{len(server.body)}")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        data = server.body[start:]
        self.send_response(206 if start else 200)
        if start:
            told = start + (1 if todo == "elsewhere" else 0)
            self.send_header("Content-Range", f"bytes {told}-{len(server.body) - 1}/{len(server.body)}")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if todo == "drop":
            self.wfile.write(data[: len(data) // 2])
            self.close_connection = True
            return
        self.wfile.write(data)

    def log_message(self, *args: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.body = BODY
        self.plan: list[int | str] = []
        self.seen: list[str | None] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/files/data.zip"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def get(server: Server, folder: Path, **options: int) -> Path:
    return fetch(server.url, ["f" * 64, DIGEST], folder, pause_s=0.01, **options)


def resumed_at(asked: str | None) -> int:
    """Offset of a Range header."""
    assert asked is not None
    return int(asked.removeprefix("bytes=").removesuffix("-"))


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if not path.name.endswith(".lock"))


def test_fetches_once(server: Server, tmp_path: Path) -> None:
    path = get(server, tmp_path / "cache" / "downloads")
    assert path.read_bytes() == BODY
    assert left(path.parent) == ["data.zip"]
    assert get(server, path.parent) == path
    assert server.seen == [None]


def test_a_dropped_connection_is_resumed_where_it_ended(server: Server, tmp_path: Path) -> None:
    server.plan = ["drop", "drop"]
    assert get(server, tmp_path).read_bytes() == BODY
    first, second, third = server.seen
    assert first is None
    # Half came each time; a broken block of 64 kB at most is asked for again.
    assert 430_000 < resumed_at(second) <= 500_000
    assert 640_000 < resumed_at(third) <= 750_000


def test_an_interrupted_run_is_resumed_by_the_next(server: Server, tmp_path: Path) -> None:
    server.plan = ["drop"]
    with pytest.raises(CuadAuditError, match="cannot be fetched"):
        get(server, tmp_path, attempts=1)
    assert left(tmp_path) == ["data.zip.part"]
    part = (tmp_path / "data.zip.part").stat().st_size
    assert get(server, tmp_path).read_bytes() == BODY
    assert server.seen == [None, f"bytes={part}-"]


def test_a_server_that_ignores_range_starts_cleanly(server: Server, tmp_path: Path) -> None:
    server.plan = ["drop", "whole"]
    assert get(server, tmp_path).read_bytes() == BODY
    assert len(server.seen) == 2
    assert resumed_at(server.seen[1]) > 0


def test_a_server_that_resumes_elsewhere_starts_over(server: Server, tmp_path: Path) -> None:
    server.plan = ["drop", "elsewhere"]
    assert get(server, tmp_path).read_bytes() == BODY
    assert len(server.seen) == 3
    assert server.seen[2] is None


def test_unavailable_twice_then_well(server: Server, tmp_path: Path) -> None:
    server.plan = [503, 503]
    assert get(server, tmp_path).read_bytes() == BODY
    assert len(server.seen) == 3


def test_unavailable_for_good_names_the_ways_out(server: Server, tmp_path: Path) -> None:
    server.plan = [503] * 9
    with pytest.raises(CuadAuditError, match=r"HTTP 503.*CUAD_ARCHIVE=PATH.*source=sample"):
        get(server, tmp_path, attempts=3)
    assert len(server.seen) == 3
    assert left(tmp_path) == []


def test_not_found_is_not_tried_again(server: Server, tmp_path: Path) -> None:
    server.plan = [404]
    with pytest.raises(CuadAuditError, match=r"HTTP 404.*CUAD_ARCHIVE"):
        get(server, tmp_path)
    assert len(server.seen) == 1


@pytest.mark.parametrize("start", [b"wrong" * 1000, BODY[:1000] + b"x", BODY + b"too long", b"x" * len(BODY)])
def test_a_wrong_part_is_thrown_away(server: Server, tmp_path: Path, start: bytes) -> None:
    (tmp_path / "data.zip.part").write_bytes(start)
    assert get(server, tmp_path).read_bytes() == BODY
    assert left(tmp_path) == ["data.zip"]


def test_a_whole_part_needs_no_byte(server: Server, tmp_path: Path) -> None:
    (tmp_path / "data.zip.part").write_bytes(BODY)
    assert get(server, tmp_path).read_bytes() == BODY
    assert server.seen == [f"bytes={len(BODY)}-"]


def test_a_wrong_file_in_the_cache_is_fetched_again(server: Server, tmp_path: Path) -> None:
    (tmp_path / "data.zip").write_bytes(b"other")
    assert get(server, tmp_path).read_bytes() == BODY


def test_other_content_is_refused_and_not_kept(server: Server, tmp_path: Path) -> None:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as other:
        other.writestr("CUADv1.json", "{}")
    digest = hashlib.sha256(whole.getvalue()).hexdigest()
    for body, problem in ((b"<html>moved</html>", "not a zip archive"), (whole.getvalue(), f"sha256 {digest} is not")):
        server.body = body
        with pytest.raises(CuadAuditError, match=f"{problem}.*source=sample"):
            get(server, tmp_path)
        assert left(tmp_path) == []


def test_no_network_names_the_ways_out(tmp_path: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))  # bound and not listening: refused
        url = f"http://127.0.0.1:{closed.getsockname()[1]}/data.zip"
        with pytest.raises(CuadAuditError, match=r"refused.*CUAD_ARCHIVE=PATH.*source=sample") as caught:
            fetch(url, [DIGEST], tmp_path, attempts=2, pause_s=0.01)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("url", ["data.zip", "ftp://example.org/data.zip", "http://"])
def test_an_address_that_is_none(tmp_path: Path, url: str) -> None:
    with pytest.raises(CuadAuditError, match="cannot be fetched"):
        fetch(url, [DIGEST], tmp_path, attempts=2, pause_s=0.01)


def test_a_folder_that_cannot_be(server: Server, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(CuadAuditError, match="cannot be written"):
        get(server, tmp_path / "file" / "downloads")


def test_two_at_once_fetch_once(server: Server, tmp_path: Path) -> None:
    found: list[Path] = []
    threads = [threading.Thread(target=lambda: found.append(get(server, tmp_path))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [path.read_bytes() == BODY for path in found] == [True] * 4
    assert server.seen == [None]
