"""One kind of error for everything a person can mend, and the one place that prints it.

Convention: an error is one line that names the thing, what is wrong with it and the mend. It goes
to stderr as ``error: <problem>; <mend>`` and the process ends with the error's exit code.
"""

from __future__ import annotations

import errno
import gc
import sys
from collections.abc import Callable

#: What goes wrong with a disk while an open file is read or written; Python names no file then.
DISK = (errno.ENOSPC, errno.EDQUOT, errno.EIO)
#: New objects between two looks for garbage.
GARBAGE = 100_000


class CuadAuditError(Exception):
    """Something a person can mend: ``problem`` names the thing, ``mend`` says what to do."""

    exit_code = 1

    def __init__(self, problem: str, mend: str) -> None:
        self.problem = " ".join(problem.split())
        self.mend = " ".join(mend.split())
        super().__init__(f"{self.problem}; {self.mend}")


class UsageError(CuadAuditError):
    """The call itself is wrong: an unknown option, an empty clause, a file that is not there."""

    exit_code = 2


def unreadable(error: OSError) -> CuadAuditError:
    """The error of a file or folder that the system does not let us read or write."""
    wrong = error.strerror or type(error).__name__
    place = "the disk" if error.filename is None else error.filename
    return CuadAuditError(f"{place}: {wrong[:1].lower()}{wrong[1:]}", "mend the path or its rights, or make room")


def run(main: Callable[[], int | None]) -> None:
    """Run ``main`` and end the process: its return value, an error's exit code, or 130 for Ctrl-C.

    A process of ours keeps nearly all that it makes: looking for garbage as often as Python does by
    default took a tenth of its time, and the last search as it ends half a second where MLflow is loaded.
    """
    gc.set_threshold(GARBAGE)
    try:
        code = main()
    except CuadAuditError as error:
        print(f"error: {error}", file=sys.stderr)
        code = error.exit_code
    except KeyboardInterrupt:
        print("error: interrupted; run the same command again", file=sys.stderr)
        code = 130
    except BrokenPipeError:
        # The reader went away (`| head`): nothing more can be said, and Python must not try at exit.
        sys.stderr.close()
        code = 141
    except OSError as error:
        if error.filename is None and error.errno not in DISK:
            raise  # not about a file: a bug, or the network
        print(f"error: {unreadable(error)}", file=sys.stderr)
        code = CuadAuditError.exit_code
    gc.freeze()
    sys.exit(code or 0)
