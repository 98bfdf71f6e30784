"""From whatever the SDK raises to one typed failure, with nothing secret in it.

The SDK's exceptions carry the request, headers included; none leaves this module, and of the provider's
message only a short, redacted line does.
"""

from __future__ import annotations

import email.utils
import os
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass

from pipeline.base.types import FailureCause

SECRETS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
_KEY_FORM = re.compile(r"sk-ant-[\w-]+")
_BEARER = re.compile(r"(?i:bearer)\s+\S+")
REDACTED = "[redacted]"
#: A shorter value is no credential but a stand-in such as "none", which an answer may well hold.
SECRET_CHARS = 16
DETAIL_CHARS = 300

#: What the API names an error, in an HTTP error's body and in the results of a batch.
ERROR_TYPES = {
    "authentication_error": FailureCause.INFRA_AUTH,
    "permission_error": FailureCause.INFRA_AUTH,
    "billing_error": FailureCause.INFRA_BUDGET,
    "rate_limit_error": FailureCause.INFRA_RATE_LIMIT,
    "overloaded_error": FailureCause.INFRA_OVERLOADED,
    "timeout_error": FailureCause.INFRA_TIMEOUT,
    "api_error": FailureCause.INFRA_SERVER_ERROR,
    "invalid_request_error": FailureCause.INFRA_REQUEST,
    "not_found_error": FailureCause.INFRA_REQUEST,
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One failed attempt. ``worked``: the provider may have done (and charged) the work all the same;
    ``sent``: a request went out at all."""

    cause: FailureCause
    detail: str
    retry: bool = False
    worked: bool = False
    sent: bool = True
    retry_after_s: float | None = None
    status: int | None = None


class ApiFault(Exception):
    """Carries a ``Fault`` out of the transport."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.detail)
        self.fault = fault


NO_KEY = Fault(FailureCause.INFRA_AUTH, "no API key: set ANTHROPIC_API_KEY in the environment", sent=False)


def without_keys(text: str, least: int = SECRET_CHARS) -> str:
    """A model's answer without an API key in it; all else, "bearer shares" too, stays as it was written. A key
    of the environment shorter than ``least`` characters is taken for a stand-in."""
    for name in SECRETS:
        if len(secret := os.environ.get(name, "")) >= least:
            text = text.replace(secret, REDACTED)
    return _KEY_FORM.sub(REDACTED, text)


def redact(text: str) -> str:
    """One short line of ``text`` without anything that looks like a credential."""
    line = " ".join(_BEARER.sub(REDACTED, without_keys(text, least=1)).split())
    return line[:DETAIL_CHARS]


def fault_of(error: Exception) -> Fault | None:
    """The fault that an exception of the SDK stands for; None for anything else (a bug: let it rise)."""
    import anthropic
    import httpx2

    if isinstance(error, anthropic.APIStatusError):
        return _status_fault(error)
    cause = error.__cause__ if isinstance(error, anthropic.APIConnectionError) else error
    unsent = isinstance(cause, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.PoolTimeout)
    if isinstance(error, anthropic.APITimeoutError | httpx2.TimeoutException):
        return Fault(FailureCause.INFRA_TIMEOUT, "no answer within llm.timeout_s", retry=True, worked=not unsent)
    if isinstance(error, anthropic.APIConnectionError | httpx2.TransportError | httpx2.StreamError):
        detail = "the API cannot be reached" if unsent else "the connection broke before the answer was whole"
        return Fault(FailureCause.INFRA_CONNECTION, detail, retry=True, worked=not unsent, sent=not unsent)
    if isinstance(error, httpx2.DecodingError):
        return Fault(FailureCause.INFRA_MALFORMED, "the response cannot be decoded", retry=True, worked=True)
    if isinstance(error, anthropic.AnthropicError):  # credentials that cannot be loaded
        detail = f"no usable credentials ({type(error).__name__}): set ANTHROPIC_API_KEY in the environment"
        return Fault(FailureCause.INFRA_AUTH, detail, sent=False)
    return None


def _status_fault(error: object) -> Fault:
    status: int = error.status_code  # type: ignore[attr-defined]
    headers: Mapping[str, str] = error.response.headers  # type: ignore[attr-defined]
    kind = str(error.type or "")  # type: ignore[attr-defined]
    cause, retry = status_cause(status, kind)
    if headers.get("x-should-retry") in ("true", "false"):
        retry = headers["x-should-retry"] == "true"
    message = str(error.api_message or "")  # type: ignore[attr-defined]
    detail = redact(f"the API answered {status} {kind} {message}")
    # A gateway may give up on work that the model then finishes; an error of the API itself is not charged.
    worked = status in (408, 499, 502, 504)
    return Fault(cause, detail, retry, worked, retry_after_s=retry_after(headers), status=status)


def status_cause(status: int, kind: str = "") -> tuple[FailureCause, bool]:
    """The cause of an HTTP error, and whether to try again."""
    by_status = {
        401: FailureCause.INFRA_AUTH,
        402: FailureCause.INFRA_BUDGET,
        403: FailureCause.INFRA_AUTH,
        408: FailureCause.INFRA_TIMEOUT,
        409: FailureCause.INFRA_SERVER_ERROR,
        429: FailureCause.INFRA_RATE_LIMIT,
        504: FailureCause.INFRA_TIMEOUT,
        529: FailureCause.INFRA_OVERLOADED,
    }
    other = FailureCause.INFRA_SERVER_ERROR if status >= 500 or status < 400 else FailureCause.INFRA_REQUEST
    cause = by_status.get(status, other)
    if kind == "billing_error":  # out of credit, whatever the status
        cause = FailureCause.INFRA_BUDGET
    retry = status in (408, 409, 429) or status >= 500
    return cause, retry and cause is not FailureCause.INFRA_BUDGET


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Seconds that the server asks to wait: ``retry-after-ms``, or ``retry-after`` in seconds or as a date."""
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) * scale
        except ValueError:
            continue
        if seconds >= 0:  # false for NaN too
            return seconds
    date = email.utils.parsedate_tz(headers.get("retry-after", ""))
    if date is None:
        return None
    return max(0.0, email.utils.mktime_tz(date) - (time.time() if now is None else now))
