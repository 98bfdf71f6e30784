from __future__ import annotations

import re

from pipeline.report import page

PNG = b"\x89PNG\r\n"


def test_figures_are_inside_and_nothing_is_fetched(tmp_path):
    (tmp_path / "a.png").write_bytes(PNG)
    html = page.page("# Title\n\n![a](a.png)\n\n| x |\n|---|\n| 1 |", "Title", tmp_path)
    assert "data:image/png;base64,iVBORw0K" in html
    assert "<table>" in html
    assert not re.search(r'(?:src|href)="(?!data:)', html)
    assert "<script" not in html


def test_a_contracts_words_cannot_act(tmp_path):
    html = page.page("<script>alert(1)</script> and <b>bold</b>", "<i>", tmp_path)
    assert "<script" not in html and "<b>" not in html and "<i>" not in html
    assert "&lt;script&gt;" in html
