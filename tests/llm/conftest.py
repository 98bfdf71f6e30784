"""The model seam against the fake API: fixtures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from fakes.anthropic_api import FakeAnthropic, clean_environment
from typing_extensions import TypedDict  # pydantic asks for this one before Python 3.12

from pipeline.base import params
from pipeline.llm.client import LlmClient, open_client
from pipeline.llm.request import CompletionRequest


class Numbers(TypedDict, total=False):
    """What the tests ask for: any of a few named numbers, as a plain dict."""

    a: int
    b: int
    c: int
    n: int


KEY = "sk-ant-api03-THE-SECRET-0123456789"


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    clean_environment(monkeypatch, KEY)


@pytest.fixture
def llm() -> Callable[..., params.Llm]:
    """The ``llm`` section with waits that suit a test; changes by keyword."""

    def make(**changes: Any) -> params.Llm:
        values: dict[str, Any] = {
            "transport": "sync",
            "concurrency": 4,
            "timeout_s": 5.0,
            "max_retries": 2,
            "retry_after_cap_s": 0.01,
            "max_cost_usd": 10.0,
        }
        return params.Llm(**{**values, **changes})

    return make


@pytest.fixture
def serve() -> Iterator[Callable[..., FakeAnthropic]]:
    """Start a fake API; it is stopped after the test."""
    with ExitStack() as stack:
        yield lambda *args, **kwargs: stack.enter_context(FakeAnthropic(*args, **kwargs))


@pytest.fixture
def connect(llm: Callable[..., params.Llm], tmp_path: Path) -> Callable[..., LlmClient]:
    """A client of a fake API, its answers under ``tmp_path``."""

    def make(server: FakeAnthropic, **changes: Any) -> LlmClient:
        client = open_client(llm(**changes), tmp_path / "llm", base_url=server.url)
        client.batches.poll_first_s = 0.001
        return client

    return make


@pytest.fixture
def ask() -> Callable[..., CompletionRequest]:
    """A request for ``Numbers`` unless said otherwise."""

    def make(user: str = "Which sections?", **changes: Any) -> CompletionRequest:
        values: dict[str, Any] = {
            "model": "claude-sonnet-5-5",
            "system": "You number sections.",
            "user": user,
            "schema": Numbers,
            "max_tokens": 256,
            "prompt_sha256": "p",
        }
        return CompletionRequest(**{**values, **changes})

    return make
