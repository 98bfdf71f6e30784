"""A checkout of the working tree in a folder of its own, set to a small sample corpus."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.compose import compose

#: Changes of conf/ itself, because `dvc exp run` composes anew.
SMALL = {
    "config.yaml": (
        ("source: cuad", "source: sample"),
        ("holdout: 0.2", "holdout: 0.4"),
        ("resamples: 2000", "resamples: 200"),
    ),
    "source/sample.yaml": (("contracts: 80", "contracts: 40"), ("families: 48", "families: 24")),
}


class Checkout:
    """A git repository with the pipeline in it; ``run`` calls a command there, with no archive and no key."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def environment(self) -> dict[str, str]:
        hidden = ("CUAD_ARCHIVE", "ANTHROPIC_API_KEY", "DVC_ROOT", "DVC_EXP_NAME")
        kept = {name: value for name, value in os.environ.items() if name not in hidden}
        path = f"{Path(sys.executable).parent}{os.pathsep}{kept['PATH']}"
        return {**kept, "PATH": path, "MLFLOW_DISABLE_TELEMETRY": "true", "DVC_NO_ANALYTICS": "true"}

    def run(self, *command: str, timeout: float = 600) -> str:
        done = subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=timeout, check=False
        )
        assert done.returncode == 0, f"{command}: {done.stdout[-3000:]}\n{done.stderr[-3000:]}"
        return done.stdout + done.stderr

    def dvc(self, *arguments: str) -> str:
        return self.run(sys.executable, "-m", "dvc", *arguments)

    def git(self, *arguments: str) -> str:
        return self.run("git", "-c", "user.name=test", "-c", "user.email=test@example.invalid", *arguments)


@pytest.fixture(scope="module")
def checkout(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Checkout]:
    """Makes checkouts: the files that git holds or would hold, without results, in a new repository."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root, capture_output=True, text=True, check=True,
    ).stdout.split("\0")  # fmt: skip
    names = [name for name in listed if name and not name.startswith(("metrics/", "plots/", "dvc.lock"))]

    def make() -> Checkout:
        folder = tmp_path_factory.mktemp("checkout")
        for name in names:
            if (root / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(root / name, folder / name)
        for name, changes in SMALL.items():
            text = (folder / "conf" / name).read_text()
            for old, new in changes:
                assert text.count(old) == 1, f"{old!r} stands no more in conf/{name}"
                text = text.replace(old, new)
            (folder / "conf" / name).write_text(text)
        compose(folder / "params.yaml", conf=folder / "conf")
        made = Checkout(folder)
        made.git("init", "--quiet", "--initial-branch=main")
        made.git("add", "--all")
        made.git("commit", "--quiet", "--message=start")
        return made

    return make
