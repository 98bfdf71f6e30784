"""The identity of deciding code: its package and a hash of its sources.

Convention: ``package#hash``, the hash being the first twelve hex digits of the sha256 over the
package's ``*.py`` files in name order. A judge that was measured is known again by it.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]


@cache
def code_identity(package: str, *modules: str) -> str:
    """Identity of ``package`` (all its modules) together with single ``modules`` that it needs."""
    digest = hashlib.sha256()
    files = sorted((_ROOT / package.replace(".", "/")).rglob("*.py"))
    files += [(_ROOT / module.replace(".", "/")).with_suffix(".py") for module in modules]
    for file in files:
        digest.update(file.relative_to(_ROOT).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return f"{package}#{digest.hexdigest()[:12]}"
