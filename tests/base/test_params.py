from __future__ import annotations

import dataclasses

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pipeline.base import params
from pipeline.base.errors import CuadAuditError, UsageError
from pipeline.compose import compose


@pytest.fixture
def tree(root):
    return yaml.safe_load((root / "params.yaml").read_text())


def written(tmp_path, tree):
    path = tmp_path / "params.yaml"
    path.write_text(yaml.safe_dump(tree))
    return path


def test_committed_params_are_the_composition_byte_for_byte(root, tmp_path):
    compose(tmp_path / "params.yaml", conf=root / "conf")
    assert (tmp_path / "params.yaml").read_bytes() == (root / "params.yaml").read_bytes()


@pytest.mark.parametrize("override", ["source=sample", "gate1=cosine_top1", "auditor=anthropic", "judge=replay"])
def test_every_group_composes(root, tmp_path, override):
    compose(tmp_path / "params.yaml", [override], root / "conf")
    section, name = override.split("=")
    loaded = getattr(params.load_all(tmp_path / "params.yaml"), section)
    assert name in dataclasses.asdict(loaded).values()


@pytest.mark.parametrize(
    ("override", "named"),
    [
        ("gate1.thresold=0.6", "gate1.thresold"),
        ("source=nope", "source/nope"),
        ("embedder=sentence_transformers", "embedder.name is left unset"),
        ("gate1.threshold=high", "gate1.threshold"),
        ("gate1.threshold=57", "gate1.threshold"),
        ("evaluation.confidence=1.5", "evaluation.confidence"),
        ("gate1.score=vibes", "gate1.score"),
    ],
)
def test_a_wrong_override_is_one_line_that_names_it_and_writes_nothing(root, tmp_path, override, named):
    with pytest.raises(CuadAuditError) as caught:
        compose(tmp_path / "params.yaml", [override], root / "conf")
    assert named in str(caught.value)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_key_a_missing_key_and_a_wrong_type_are_errors(tmp_path, tree):
    tree["gate1"]["treshold"] = tree["gate1"].pop("threshold")
    with pytest.raises(CuadAuditError, match=r"gate1\.(treshold|threshold)"):
        params.load_all(written(tmp_path, tree))
    tree["gate1"]["threshold"] = "0.5"
    with pytest.raises(CuadAuditError, match="gate1"):
        params.load_all(written(tmp_path, tree))


def test_not_yaml_and_no_file_are_errors(tmp_path):
    with pytest.raises(CuadAuditError, match="make params"):
        params.load_all(tmp_path / "none.yaml")
    for data in (b"a: [", bytes(range(256))):
        (tmp_path / "params.yaml").write_bytes(data)
        with pytest.raises(CuadAuditError, match="not YAML"):
            params.load_all(tmp_path / "params.yaml")


@given(st.recursive(st.none() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)))
def test_any_other_yaml_is_refused_in_one_line(tmp_path_factory, tree):
    path = written(tmp_path_factory.mktemp("params"), tree)
    with pytest.raises(CuadAuditError) as caught:
        params.load_all(path)
    assert "\n" not in str(caught.value)


def test_a_view_shows_what_was_declared_and_nothing_else(root):
    view = params.load(("gate1.score", "evaluation"), root / "params.yaml")
    assert view.gate1.score in ("cosine_top1", "cosine_top5", "probe")
    assert view.evaluation.resamples > 0
    for undeclared in (lambda: view.gate1.threshold, lambda: view.slice):
        with pytest.raises(AttributeError, match="not among the parameters that this stage declares"):
            undeclared()


def test_declaring_a_parameter_that_does_not_exist_is_an_error(root):
    with pytest.raises(UsageError, match=r"gate1\.nope"):
        params.load(("gate1.nope",), root / "params.yaml")


def test_flatten():
    assert params.flatten({"a": {"b": 1, "c": {"d": [1, 2]}}, "e": None}) == {"a.b": 1, "a.c.d": [1, 2], "e": None}
