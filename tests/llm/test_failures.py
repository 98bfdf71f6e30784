"""Reading headers, redaction, and the waiting between attempts."""

from __future__ import annotations

import email.utils

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.base.types import FailureCause as Cause
from pipeline.llm.failures import DETAIL_CHARS, ApiFault, Fault, redact, retry_after, status_cause
from pipeline.llm.retry import retrying

NOW = 1_000_000_000.0


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "7"}, 0.25),
        ({"retry-after-ms": "x", "retry-after": "7"}, 7),
        ({"retry-after": email.utils.formatdate(NOW + 90, usegmt=True)}, 90),
        ({"retry-after": email.utils.formatdate(NOW - 90, usegmt=True)}, 0),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": ""}, None),
    ],
)
def test_retry_after_in_every_form(headers, seconds):
    assert retry_after(headers, NOW) == seconds


@given(st.text(max_size=40))
def test_any_retry_after_is_read_or_passed_over(text):
    seconds = retry_after({"retry-after": text}, NOW)
    assert seconds is None or seconds >= 0


@given(st.integers(300, 599), st.text(max_size=20))
def test_every_status_has_an_infra_cause(status, kind):
    assert status_cause(status, kind)[0].is_infra


def test_nothing_that_looks_like_a_credential_is_shown(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a key of another form")
    text = redact("x sk-ant-api03-abc_DEF-1 Bearer t0k3n authorization: bearer Other.T a key of another form y")
    assert text == "x [redacted] [redacted] authorization: [redacted] [redacted] y"
    assert len(redact("long " * 1000)) <= DETAIL_CHARS
    assert "\n" not in redact("two\nlines")


def attempts(faults, max_retries, cap_s=0.0, **options):
    """How often ``retrying`` calls something that raises ``faults`` in turn (the last one for ever)."""
    calls = 0

    def call():
        nonlocal calls
        fault = faults[min(calls, len(faults) - 1)]
        calls += 1
        if fault is None:
            return "answer"
        raise ApiFault(fault)

    try:
        assert retrying(call, max_retries, cap_s, **options) == "answer"
    except ApiFault as error:
        return calls, error.fault
    return calls, None


def test_what_may_pass_is_tried_again_and_the_rest_is_not():
    passing = Fault(Cause.INFRA_OVERLOADED, "x", retry=True)
    lasting = Fault(Cause.INFRA_REFUSAL, "x")
    assert attempts([passing], 4) == (5, passing)
    assert attempts([passing], 0) == (1, passing)
    assert attempts([passing, passing, None], 4) == (3, None)
    assert attempts([lasting], 4) == (1, lasting)
    assert attempts([passing, lasting], 4) == (2, lasting)
    assert attempts([passing], 4, unless=lambda fault: fault is passing) == (1, passing)


def test_a_malformed_answer_is_asked_for_once_more_and_no_more():
    malformed = Fault(Cause.INFRA_MALFORMED, "x", retry=True)
    assert attempts([malformed], 4) == (2, malformed)
    assert attempts([malformed, None], 4) == (2, None)


def test_an_error_of_the_program_is_not_swallowed():
    with pytest.raises(ZeroDivisionError):
        retrying(lambda: 1 / 0, 3, 0.0)
