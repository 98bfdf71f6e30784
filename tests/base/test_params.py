from __future__ import annotations

import copy
import math
from datetime import date

import msgspec
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
    assert name in msgspec.to_builtins(loaded).values()


@pytest.mark.parametrize(
    ("override", "named"),
    [
        ("gate1.thresold=0.6", "gate1.thresold"),
        ("source=nope", "source/nope"),
        ("embedder=sentence_transformers", "embedder.name is left unset"),
        ("gate1.threshold=high", "gate1.threshold"),
        ("gate1.threshold=57", "gate1.threshold"),
        ("evaluation.confidence=1.5", "evaluation.confidence"),
        ("gate1.score=vibes", "gate1.score: Invalid enum value 'vibes' (one of cosine_top1, cosine_top5, probe)"),
        ("judge.name=rules", "judge.name: Invalid value 'rules' (one of lexical, anthropic, replay)"),
    ],
)
def test_a_wrong_override_is_one_line_that_names_it_and_writes_nothing(root, tmp_path, override, named):
    with pytest.raises(CuadAuditError) as caught:
        compose(tmp_path / "params.yaml", [override], root / "conf")
    assert named in str(caught.value)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("section", "key", "value"),
    [
        ("gate1", "treshold", 0.5),
        ("gate1", "threshold", "0.5"),
        ("gate1", "threshold", True),
        ("gate1", "threshold", None),
        ("gate1", "threshold", math.nan),
        ("gate1", "threshold", math.inf),
        ("gate1", "threshold", -0.1),
        ("evaluation", "seed", -1),
        ("evaluation", "seed", 2**32),
        ("gate1", "keep", {0.9}),
        ("gate1", "keep", {"first": 0.9}),
        ("gate1", "keep", [0.9, math.nan]),
        ("gate1", "score", 3),
        ("retrieval", "k", 5.0),
        ("retrieval", "k", True),
        ("retrieval", "k", 0),
        ("evaluation", "confidence", 1),
        ("retrieval_rule", "min_gain", math.nan),
        ("release_gate", "max_cost_usd", math.nan),
        ("slice", "categories", ["Cap On Liability", 1]),
        ("source", "labels", date(2020, 1, 1)),
        ("source", "labels", b"labels"),
        ("source", "labels", "???"),
        ("source", "contracts", 3),
        ("source", "name", "nope"),
        ("auditor", "name", "lexical"),
        ("auditor", "model", "m"),
        ("judge", "name", "rules"),
        ("judge", "name", ["lexical"]),
    ],
)
def test_what_does_not_fit_is_refused_by_its_key(tmp_path, tree, section, key, value):
    tree[section][key] = value
    with pytest.raises(CuadAuditError, match=rf"params\.yaml: {section}\.{key}\b.*(conf/|give)") as caught:
        params.load_all(written(tmp_path, tree))
    assert "\n" not in str(caught.value)


@given(st.data())
def test_no_key_can_be_missing_and_none_added(root, tmp_path_factory, data):
    tree = yaml.safe_load((root / "params.yaml").read_text())
    path = tmp_path_factory.mktemp("params") / "params.yaml"
    section = data.draw(st.sampled_from(sorted(tree)))
    key = data.draw(st.sampled_from(sorted(tree[section])))
    for changed, named in ((copy.deepcopy(tree), f"{section}.{key}"), (copy.deepcopy(tree), f"{section}.{key}x")):
        if named.endswith("x"):
            changed[section][f"{key}x"] = 1
        else:
            del changed[section][key]
        path.write_text(yaml.safe_dump(changed))
        with pytest.raises(CuadAuditError, match=f": {named}: "):
            params.load_all(path)
    del tree[section]
    path.write_text(yaml.safe_dump(tree))
    with pytest.raises(CuadAuditError, match=f": {section}: "):
        params.load_all(path)


@pytest.mark.parametrize("key", [3, None, True, date(2020, 1, 1)])
def test_a_key_that_is_no_text_is_refused(tmp_path, tree, key):
    tree["gate1"][key] = 1
    with pytest.raises(CuadAuditError, match="gate1: Expected `str` for each key; mend"):
        params.load_all(written(tmp_path, tree))


def test_a_whole_number_stands_for_a_float_and_an_infinite_budget_for_none(tmp_path, tree):
    tree["llm"] |= {"timeout_s": 60, "max_cost_usd": math.inf}
    llm = params.load_all(written(tmp_path, tree)).llm
    assert isinstance(llm.timeout_s, float) and llm.max_cost_usd == math.inf


def test_the_parameters_as_a_dict_are_the_file(tmp_path, tree):
    loaded = params.as_dict(params.load_all(written(tmp_path, tree)))
    assert loaded == tree
    assert all(list(loaded[section]) == list(tree[section]) for section in tree)


def test_not_yaml_and_no_file_are_errors(tmp_path):
    with pytest.raises(CuadAuditError, match="make params"):
        params.load_all(tmp_path / "none.yaml")
    for data in (b"a: [", bytes(range(256)), b"a: &a {b: *a}", b"a: 2020-13-01", b"? [1]\n: 2"):
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
