"""The figures that the report draws are those that it names and that dvc.yaml declares."""

from __future__ import annotations

import numpy as np
import pytest
import yaml

from pipeline.base.records import read_json
from pipeline.report import build, figures, gallery


@pytest.fixture
def sources(root):
    """What the exhibits read: the metrics in git, and the two tables made up."""
    rng = np.random.default_rng(1)
    return {
        **{path.stem: read_json(path) for path in (root / "metrics").glob("*.json")},
        "scores": {"kind": ["positive", "negative"] * 20, "probe": rng.random(40), "cosine_top1": rng.random(40)},
        "curve": [{"score": "probe", "side": side, "kept": 0.9, "stopped": 0.8} for side in ("library", "queries") * 5],
    }


def test_processes_draw_the_bytes_that_one_draws(sources, monkeypatch):
    spread = gallery.drawn(sources)
    monkeypatch.setattr(gallery, "workers_for", lambda: 1)
    assert list(spread) == [exhibit.name for exhibit in gallery.EXHIBITS]
    assert spread == gallery.drawn(sources)
    for picture in spread.values():
        assert picture.startswith(b"\x89PNG")
        assert b"Software" not in picture, "a version of matplotlib would be another picture"


def test_a_figure_that_cannot_be_drawn_says_what_is_wrong(sources):
    sources["judge"] = {"halves": {}}
    with pytest.raises(KeyError, match="held_out"):
        gallery.drawn(sources)


def test_dvc_pins_the_folder_and_it_holds_every_figure_and_no_other(root):
    outs = yaml.safe_load((root / "dvc.yaml").read_text())["stages"]["report"]["outs"]
    assert {"plots": {"cache": False}} in outs
    assert {path.stem for path in (root / "plots").glob("*.png")} == {exhibit.name for exhibit in gallery.EXHIBITS}


def test_every_figure_has_a_caption_in_the_report():
    text = build.markdown("Title", [])
    for exhibit in gallery.EXHIBITS:
        assert f"![{exhibit.caption}](../../plots/{exhibit.name}.png)\n\n{exhibit.caption}\n" in text
        assert exhibit.caption.endswith(".") and not set("[]*_`<") & set(exhibit.caption.replace("_at_", ""))


def test_every_figure_that_is_written_is_shown():
    built = {exhibit.build for exhibit in gallery.EXHIBITS}
    public = {value for value in vars(figures).values() if getattr(value, "__module__", "") == figures.__name__}
    assert {one for one in public if one.__annotations__.get("return") == "Figure"} == built
