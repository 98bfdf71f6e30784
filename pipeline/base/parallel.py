"""Pure work on many items, spread over processes; results as if it had been done in one.

For work that asks no model: of embedded agents, or of figures. An agent that asks one keeps its calls together in
one process: it waits for a network and not for a processor, and its budget, cache and connections are not to be
doubled.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.connection import wait
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")

#: Fewer items than this for each process are not worth starting it.
LEAST = 150
#: Slices for each process, so that one with heavier items is not waited for.
SLICES = 4


def workers_for(*agents: Any) -> int:
    """How many processes may share the work of ``agents``: one if any of them asks a model, else the cores
    that this process may use."""
    if any(hasattr(agent, "request") for agent in agents):
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def spread(
    work: Callable[[Sequence[T]], list[R]],
    items: Sequence[T],
    workers: int,
    start: str | None = None,
    size: int | None = None,
) -> list[R]:
    """``work(items)``, done slice by slice in up to ``workers`` processes; results in the order of the items.

    ``work`` must be pure and its results can be pickled; where processes are not forked, work and items too.
    ``start`` is a start method of multiprocessing, by default the platform's. Few items are worked on here; where
    items are heavy, ``size`` is how many are worth a process, and a slice. Whatever goes wrong there, an
    exception or a process that dies, is found out by doing the work here: so errors are those of serial work.
    When interrupted, the running slices are waited for and the others given up; processes whose parent is gone
    end by themselves.
    """
    workers = min(workers, len(items) // (size or LEAST))
    if workers < 2:
        return work(items)
    size = size or -(-len(items) // (workers * SLICES))
    slices = [slice(first, first + size) for first in range(0, len(items), size)]
    # Work and items go along when a process starts: forked, it has them already.
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context(start), _begin, (work, items))
    try:
        with contextlib.suppress(Exception):
            return [result for part in pool.map(_worked, slices) for result in part]
    finally:
        pool.shutdown(cancel_futures=True)
    return work(items)


#: In a process of the pool alone: what it works on.
_task: tuple[Callable[[Sequence[Any]], list[Any]], Sequence[Any]]


def _worked(part: slice) -> list[Any]:
    work, items = _task
    return work(items[part])


def _begin(work: Callable[[Sequence[Any]], list[Any]], items: Sequence[Any]) -> None:
    """A process leaves an interrupt to its parent, and ends when the parent is gone, killed ones included."""
    global _task
    _task = work, items
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
