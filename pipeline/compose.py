"""``make params``: compose params.yaml from conf/, as ``dvc exp run`` does by itself.

``python -m pipeline.compose [KEY=VALUE ...]``. Plain ``dvc repro`` never composes; a test holds the
committed params.yaml equal, byte for byte, to this composition.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from pipeline.base import params
from pipeline.base.errors import UsageError, run
from pipeline.base.records import atomic_path


def compose(target: Path, overrides: Sequence[str] = (), conf: Path = Path("conf")) -> None:
    """Write the composition of ``conf`` to ``target``; nothing is written where it is not valid."""
    from dvc.utils.hydra import compose_and_dump
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException

    with atomic_path(target) as part:
        yaml = part.with_suffix(".yaml")  # the suffix decides the format
        try:
            compose_and_dump(yaml, str(conf.resolve()), None, "config", "", list(overrides))
            params.load_all(yaml, shown=target)
            yaml.replace(part)
        except (HydraException, OmegaConfBaseException) as error:
            raise UsageError(f"conf/: {error}", "see the groups and keys in conf/") from None
        finally:
            yaml.unlink(missing_ok=True)


def main() -> None:
    compose(params.FILE, sys.argv[1:])
    print(f"{params.FILE} composed from conf/", file=sys.stderr)


if __name__ == "__main__":
    run(main)
