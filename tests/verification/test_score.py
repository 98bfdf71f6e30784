"""The score: its ends, and that a FAIL more or a graver one never raises it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.verification.score import Part, count, score
from pipeline.verification.verdict import Observed, Severity, Status

SEVERITIES = (Severity.LOW, Severity.MEDIUM, Severity.HIGH)
units = st.sampled_from(["citation", "section", ""])
observations = st.lists(
    st.builds(
        Observed,
        status=st.sampled_from(Status),
        check=st.just("c"),
        location=st.just("l"),
        detail=st.just("d"),
        severity=st.sampled_from(SEVERITIES),
        unit=units,
    ),
    max_size=25,
)


def value(observed):
    return score([count("citation", 0.6, observed), count("section", 0.4, observed, empty_passes=True)], observed)


def fail(unit="", severity=Severity.MEDIUM):
    return Observed(Status.FAIL, "c", "l", "d", "", severity, unit)


def test_hand_worked():
    assert score([Part("citation", 1, 3, 4)], [fail("citation")]) == 75.0
    assert score([Part("citation", 1, 4, 4)], []) == 100.0
    assert score([Part("citation", 1, 0, 4)], [fail("citation")] * 4) == 0.0
    assert score([Part("citation", 1, 0, 0)], []) == 0.0
    assert score([Part("citation", 1, 4, 4)], [fail("", Severity.LOW)]) == 95.0
    assert score([Part("citation", 1, 4, 4)], [fail("", Severity.MEDIUM)]) == 85.0
    assert score([Part("citation", 1, 4, 4)], [fail("", Severity.HIGH)]) == 60.0
    assert score([Part("a", 0.4, 1, 2), Part("b", 0.3, 1, 1), Part("c", 0.3, 0, 3)], [fail("a"), fail("c")]) == 50.0
    assert score([Part("citation", 1, 99_999, 100_000)], [fail("citation")]) == 99.99
    assert score([], []) == 0.0


@given(observations)
def test_it_lies_between_0_and_100_and_is_full_only_without_a_fail(observed):
    result = value(observed)
    assert 0 <= result <= 100
    if any(o.status is Status.FAIL for o in observed):
        assert result < 100
    elif any(o.unit == "citation" for o in observed):
        assert result == 100


@given(observations, units, st.sampled_from(SEVERITIES))
def test_a_fail_more_never_raises_it(observed, unit, severity):
    if unit == "section" and not any(o.unit == "section" for o in observed):
        return  # the first unit of a part that may be empty
    assert value([*observed, fail(unit, severity)]) <= value(observed)


@given(observations, st.data())
def test_a_graver_fail_never_raises_it(observed, data):
    failed = [i for i, o in enumerate(observed) if o.status is Status.FAIL]
    if not failed:
        return
    index = data.draw(st.sampled_from(failed))
    graver = data.draw(st.sampled_from(SEVERITIES[SEVERITIES.index(observed[index].severity) :]))
    changed = [*observed[:index], replace(observed[index], severity=graver), *observed[index + 1 :]]
    assert value(changed) <= value(observed)


@given(observations, st.data())
def test_a_pass_that_turns_into_a_fail_never_raises_it(observed, data):
    passed = [i for i, o in enumerate(observed) if o.status is Status.PASS]
    if not passed:
        return
    index = data.draw(st.sampled_from(passed))
    changed = [*observed[:index], replace(observed[index], status=Status.FAIL), *observed[index + 1 :]]
    assert value(changed) <= value(observed)


@pytest.mark.parametrize("executed", [True, False])
def test_a_warning_counts_as_passed_only_if_it_was_checked(executed):
    warn = Observed(Status.WARN, "c", "l", "d", unit="citation", executed=executed)
    assert count("citation", 1, [warn]).passed == executed
