"""The examples of docs/VERIFICATION.md do what it says they do."""

from __future__ import annotations

import re

import profile_cases
import pytest
import worlds
import yaml

from pipeline.verification.engine import evaluate
from pipeline.verification.goal import load_goal

TEXT = (worlds.ROOT / "docs/VERIFICATION.md").read_text(encoding="utf-8")
NAMES = re.findall(r"^### ([a-z]+-[a-z-]+)$", TEXT, re.MULTILINE)
PARTS = re.split(r"^### [a-z]+-[a-z-]+$|^## The loop$", TEXT, flags=re.MULTILINE)[1:-1]
SECTIONS = dict(zip(NAMES, PARTS, strict=True))
EXAMPLES = [
    name for name, body in SECTIONS.items() if "form: " in "".join(re.findall(r"```\w+\n(.*?)```", body, re.DOTALL))
]


@pytest.fixture
def judge(tmp_path):
    def run(profile, edit=lambda text: text):
        blocks = re.findall(r"```\w+\n(.*?)```", SECTIONS[profile], re.DOTALL)
        given = next((yaml.safe_load(b)["settings"] for b in blocks if b.startswith("settings:")), {})
        if profile == "citations-clean":
            given = {"form": "legal-memo"}
        (artifact,) = [b for b in blocks if not b.startswith("settings:")]
        profile_cases.world(tmp_path, profile)
        record = {**worlds.legal_goal(), "profile": profile, "settings": given}
        path = worlds.write(tmp_path / "goal.yaml", yaml.safe_dump(record, allow_unicode=True))
        return evaluate(load_goal(path), tmp_path, text=edit(artifact)).verdict

    return run


def test_every_profile_is_described_and_all_but_one_have_an_artifact():
    assert set(SECTIONS) == set(profile_cases.CASES)
    assert len(EXAMPLES) == 5


@pytest.mark.parametrize("profile", EXAMPLES)
def test_the_example_passes(judge, profile):
    verdict = judge(profile)
    assert verdict.passed, verdict.findings
    assert verdict.score == 100


@pytest.mark.parametrize(
    ("profile", "old", "new", "said"),
    [
        ("citations-clean", "ist nichtig", "ist gültig", "MISMATCH BGE 148 III 215 E. 3.2: it affirms what"),
        (
            "nda-batch-clean",
            "flagged: true, playbook_ref: PB-1",
            "flagged: false",
            "off threshold and not flagged: 9 is above 5",
        ),
        ("reg-watch", "surfaced: true", "surfaced: false", "material and not surfaced"),
        ("timeline-sourced", "anchor: E3, ", "", "the deadline floats: it is anchored to no event"),
    ],
)
def test_the_counter_example_fails_as_it_says(judge, profile, old, new, said):
    verdict = judge(profile, lambda text: text.replace(old, new))
    assert not verdict.passed
    assert any(said in finding.detail for finding in verdict.findings)
