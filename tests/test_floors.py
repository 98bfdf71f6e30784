"""A file imports only from floors below its own."""

from __future__ import annotations

import ast
from pathlib import Path

from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

#: The only module that may import each of these packages, by DESIGN.
SOLE_IMPORTERS = {
    "mlflow": {"tracking.py"},
    "hydra": {"compose.py"},
    "dvc": {"compose.py", "demo.py", "commands"},
    "anthropic": {"llm"},
}


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name.split(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found


def test_layers_hold(root, monkeypatch):
    monkeypatch.chdir(root)
    assert lint_imports(config_filename="pyproject.toml", cache_dir=None, no_cache=True) == EXIT_STATUS_SUCCESS


def test_every_module_belongs_to_a_floor(root):
    layers = (root / "pyproject.toml").read_text(encoding="utf-8")
    for path in sorted((root / "pipeline").iterdir()):
        if path.stem not in ("__init__", "__pycache__"):
            assert f"pipeline.{path.stem}" in layers, f"{path.name} stands on no floor: name it in pyproject.toml"


def test_a_package_with_one_importer_has_one(root):
    for path in sorted((root / "pipeline").rglob("*.py")):
        top = path.relative_to(root / "pipeline").parts[0]
        for package, allowed in SOLE_IMPORTERS.items():
            if package in imports(path):
                assert top in allowed, f"{path} imports {package}, which only {sorted(allowed)} may"
