"""Each profile: its passing artifact passes at 100, every failing one fails with a finding."""

from __future__ import annotations

import profile_cases
import pytest

from pipeline.verification.engine import evaluate, open_sources
from pipeline.verification.goal import load_goal
from pipeline.verification.profiles import Past
from pipeline.verification.verdict import Status

FAILING = [(profile, name, text) for profile in profile_cases.CASES for name, text in profile_cases.failing(profile)]


@pytest.fixture(scope="module")
def judge(tmp_path_factory):
    """profile, artifact, history -> evaluation."""
    opened = {}

    def run(profile, text, history=()):
        if profile not in opened:
            folder = profile_cases.world(tmp_path_factory.mktemp("profile"), profile)
            goal = load_goal(folder / "goal.yaml")
            opened[profile] = (goal, folder, open_sources(goal.record, folder))
        goal, folder, registry = opened[profile]
        return evaluate(goal, folder, 1, history, registry, text=text)

    return run


@pytest.mark.parametrize("profile", profile_cases.CASES)
def test_the_passing_artifact_passes(judge, profile):
    verdict = judge(profile, profile_cases.CASES[profile][1]).verdict
    wrong = [f for f in verdict.findings if f.status is not Status.PASS]
    assert verdict.passed, wrong
    assert verdict.residual_count == 0
    assert verdict.score == (100 if profile != "adversarial-converge" else 87.5)


@pytest.mark.parametrize("profile", profile_cases.CASES)
def test_each_profile_has_at_least_six_failing_fixtures(profile):
    assert sum(1 for p, _, _ in FAILING if p == profile) >= 6


@pytest.mark.parametrize(("profile", "name", "text"), FAILING, ids=[f"{p}: {n}" for p, n, _ in FAILING])
def test_a_failing_artifact_fails(judge, profile, name, text):
    verdict = judge(profile, text).verdict
    assert not verdict.passed, name
    assert verdict.residual_count >= 1
    assert verdict.residual_count == sum(f.status is Status.FAIL for f in verdict.findings)
    assert verdict.score < 100


@pytest.mark.parametrize("profile", profile_cases.CASES)
def test_an_artifact_of_another_form_is_a_schema_error(judge, profile):
    for other, (_, text, _) in profile_cases.CASES.items():
        if other != profile:
            verdict = judge(profile, text).verdict
            (finding,) = [f for f in verdict.findings if f.status is Status.FAIL]
            assert finding.check == "schema"
            assert finding.detail.startswith("schema error: ")
            assert (verdict.passed, verdict.score) == (False, 0.0)


def test_citations_clean_is_valid_by_total(judge):
    text = profile_cases.CASES["citations-clean"][1].replace("BGE 148 III 215", "BGE 149 III 215")
    evaluation = judge("citations-clean", text)
    assert evaluation.verdict.score == 75.0
    assert evaluation.delivery_blocked
    assert evaluation.outcomes["UNVERIFIED"] == 1


def test_a_draft_weighs_citations_structure_and_claims(judge):
    text = profile_cases.CASES["draft-passes-gate"][1].replace("4A_123/2020", "4A_124/2020")
    # one of three citations and one of three claims are lost, the structure stands
    assert judge("draft-passes-gate", text).verdict.score == pytest.approx(
        100 * (0.4 * 2 / 3 + 0.3 + 0.3 * 2 / 3), abs=0.01
    )


@pytest.mark.parametrize("name", ["an unflagged conflict", "a floating deadline"])
def test_a_timeline_fails_at_once(judge, name):
    text = dict(profile_cases.failing("timeline-sourced"))[name]
    assert judge("timeline-sourced", text).verdict.score == 0.0


class TestConvergence:
    OPEN = profile_cases.ADVERSARIAL.replace('citations: ["BGE 148 III 215 E. 3.2"]', "citations: []")

    def variant(self, number):
        return self.OPEN.replace("Freizeichnung im Lagervertrag", f"Fassung {number}")

    def test_an_open_weakness_fails_without_a_history(self, judge):
        assert not judge("adversarial-converge", self.OPEN).verdict.passed

    def test_two_small_moves_in_a_row_pass(self, judge):
        history = [Past(self.variant(1), 36.0), Past(self.variant(2), 39.0)]
        verdict = judge("adversarial-converge", self.variant(3), history).verdict
        assert verdict.passed
        assert any("left open" in f.detail for f in verdict.findings)

    def test_one_small_move_does_not(self, judge):
        history = [Past(self.variant(1), 10.0), Past(self.variant(2), 50.0)]
        assert not judge("adversarial-converge", self.variant(3), history).verdict.passed
        assert not judge("adversarial-converge", self.variant(3), history[1:]).verdict.passed

    def test_the_same_artifact_again_does_not_converge(self, judge):
        history = [Past(self.OPEN, 50.0), Past(self.OPEN, 50.0)]
        assert not judge("adversarial-converge", self.OPEN, history).verdict.passed

    @pytest.mark.parametrize("old", ["severity: 8", "könnte die Haftung"])
    def test_a_weakness_cannot_be_made_harmless(self, judge, old):
        text = profile_cases.ADVERSARIAL
        changed = text.replace(old, {"severity: 8": "severity: 1"}.get(old, "wird die Haftung"))
        assert judge("adversarial-converge", text, [Past(text, 87.5)]).verdict.passed
        assert not judge("adversarial-converge", changed, [Past(text, 87.5)]).verdict.passed
