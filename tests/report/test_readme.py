from __future__ import annotations

import pytest

from pipeline.base.errors import CuadAuditError
from pipeline.report import readme


def test_the_readmes_figures_are_those_of_the_metrics_in_git(root, monkeypatch):
    monkeypatch.chdir(root)
    text = (root / "README.md").read_text(encoding="utf-8")
    assert readme.write(text, readme.load_metrics()) == text, "run `python -m pipeline.report.readme`"


def test_a_readme_without_the_place_is_an_error(root, monkeypatch):
    monkeypatch.chdir(root)
    with pytest.raises(CuadAuditError, match="no place for the figures"):
        readme.write("# nothing", readme.load_metrics())
