"""dvc.yaml says what the code does: every parameter that a stage reads, every folder that it runs."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import grimp
import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
STAGES = yaml.safe_load((ROOT / "dvc.yaml").read_text())["stages"]
CODE = sorted(name for name in STAGES if name != "track")


@pytest.fixture(scope="module")
def graph():
    return grimp.build_graph("pipeline", cache_dir=None, exclude_type_checking_imports=True)


def module(stage: str) -> str:
    interpreter, flag, name = STAGES[stage]["cmd"].split()[:3]
    assert (interpreter, flag) == ("python", "-m"), "a stage runs as `python -m`"
    return name


def place(name: str) -> str:
    """The dependency that covers a module: its package's folder, or the file of a top-level module."""
    parts = name.split(".")
    if parts[1] == "stages" and len(parts) > 2:
        return f"pipeline/stages/{parts[2]}.py"
    return f"pipeline/{parts[1]}" if (ROOT / "pipeline" / parts[1]).is_dir() else f"pipeline/{parts[1]}.py"


def expected(graph, name: str) -> set[str]:
    """Where the code lies that runs when ``name`` runs, itself included."""
    modules = graph.find_upstream_modules(name) | {name}
    packages = graph.find_children(name) if (ROOT / name.replace(".", "/")).is_dir() else set()
    for child in packages:
        modules |= graph.find_upstream_modules(child) | {child}
    return {place(m) for m in modules if m.count(".")} - {"pipeline/stages"}


@pytest.mark.parametrize("stage", sorted(STAGES))
def test_a_stage_names_every_folder_of_code_that_it_runs(graph, stage):
    declared = {dep for dep in STAGES[stage]["deps"] if dep.startswith("pipeline/")}
    assert declared == expected(graph, module(stage))


@pytest.mark.parametrize("stage", CODE)
def test_a_stage_names_every_parameter_that_it_reads(stage):
    assert sorted(STAGES[stage].get("params", [])) == sorted(importlib.import_module(module(stage)).READS)


@pytest.mark.parametrize("stage", CODE)
def test_a_stage_reads_every_parameter_that_it_names(stage):
    source = Path(importlib.import_module(module(stage)).__file__).read_text()
    attributes = {node.attr for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute)}
    for read in STAGES[stage].get("params", []):
        section, _, key = read.partition(".")
        assert {section, key or section} <= attributes, f"{stage} declares {read} and never reads it"


def test_track_reads_every_parameter_and_has_no_outs():
    # As a file: the same parameters as a section each would stand in dvc.lock a second time.
    assert "params.yaml" in STAGES["track"]["deps"]
    assert not {"params", "outs", "metrics", "plots"} & STAGES["track"].keys()


def outputs(stage: str) -> set[str]:
    found = set()
    for kind in ("outs", "metrics"):
        for out in STAGES[stage].get(kind, []):
            found |= {out} if isinstance(out, str) else set(out)
    return found


def test_every_data_dependency_is_an_output_or_lies_in_git(root):
    made = set().union(*map(outputs, STAGES))
    for name, stage in STAGES.items():
        for dep in stage["deps"]:
            if not dep.startswith("pipeline/"):
                covered = any(f"{dep}/".startswith(f"{out}/") or out.startswith(f"{dep}/") for out in made)
                assert covered or (root / dep).exists(), f"{name} depends on {dep}, which no stage makes"


def test_metrics_and_plots_lie_in_git():
    for stage in STAGES.values():
        for out in [*stage.get("metrics", []), *stage.get("outs", [])]:
            path, options = (out, {}) if isinstance(out, str) else next(iter(out.items()))
            assert options.get("cache", True) is not path.startswith(("metrics/", "plots"))


def test_compiled_files_are_no_dependency(root):
    assert "__pycache__" in (root / ".dvcignore").read_text().split()
