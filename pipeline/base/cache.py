"""Where what must outlive an interrupted or isolated run is kept.

DVC removes a stage's outs before it runs, and ``dvc exp run --temp`` runs in a throw-away copy; a
cache is therefore no out, and it is anchored at the real repository, which DVC names in DVC_ROOT.
"""

from __future__ import annotations

import os
from pathlib import Path


def repository() -> Path:
    """The repository that the user works in, under ``dvc exp run --temp`` as well."""
    return Path(os.environ.get("DVC_ROOT", "."))


def cache_dir() -> Path:
    """The cache folder: downloads, models, vectors, model calls."""
    return repository() / ".cache"
