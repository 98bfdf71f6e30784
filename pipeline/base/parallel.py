"""Pure work on many items, spread over processes; results as if it had been done in one.

For work that asks no model: of embedded agents, or of figures. An agent that asks one keeps its calls together in
one process: it waits for a network and not for a processor, and its budget, cache and connections are not to be
doubled.

Not by ``concurrent.futures``: its pool waits for ever where a process is killed while it sends a result, since the
parent holds the other end of that pipe open as well. Here the end of a process is the end of its pipe.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")
Work = Callable[[Sequence[T]], list[R]]

#: Fewer items than this for each process are not worth starting it.
LEAST = 150
#: Slices for each process, so that one with heavier items is not waited for.
SLICES = 4


def asks_a_model(*agents: Any) -> bool:
    """Whether any of ``agents`` asks a model: then all its calls are put at once, by one process."""
    return any(hasattr(agent, "request") for agent in agents)


def workers_for(*agents: Any) -> int:
    """How many processes may share the work of ``agents``: one if any of them asks a model, else the cores
    that this process may use."""
    if asks_a_model(*agents):
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def spread(
    work: Work[T, R],
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
    No process is left when this returns or raises, nor when this process is killed.
    """
    workers = min(workers, len(items) // (size or LEAST))
    if workers < 2 or multiprocessing.current_process().daemon:  # a daemon may have no children
        return work(items)
    size = size or -(-len(items) // (workers * SLICES))
    slices = [slice(first, first + size) for first in range(0, len(items), size)]
    with _processes(workers, start, work, items) as connections, contextlib.suppress(Exception):
        return [result for part in _handed_out(slices, connections) for result in part]
    return work(items)


def _handed_out(slices: Sequence[slice], connections: Sequence[Connection]) -> list[list[Any]]:
    """The results of the slices, each of which goes to the next process that is free."""
    results: list[list[Any]] = [[] for _ in slices]
    left = iter(enumerate(slices))
    busy: dict[Connection, int] = {}

    def hand(connection: Connection) -> None:
        for number, part in left:
            connection.send(part)
            busy[connection] = number
            break

    for connection in connections:
        hand(connection)
    while busy:
        for connection in wait(list(busy)):
            results[busy.pop(connection)] = connection.recv()
            hand(connection)
    return results


@contextlib.contextmanager
def _processes(count: int, start: str | None, work: Work[T, R], items: Sequence[T]) -> Iterator[list[Connection]]:
    """A connection to each of ``count`` processes that work on what slices they are sent."""
    context = multiprocessing.get_context(start)
    started = []
    try:
        with _interrupt_held():
            for _ in range(count):
                here, there = context.Pipe()
                # Work and items go along when a process starts: forked, it has them already.
                process = context.Process(target=_serve, args=(there, work, items), daemon=True)
                process.start()
                there.close()
                started.append((process, here))
        yield [here for _, here in started]
    finally:
        for process, here in started:
            process.kill()  # the work is pure: there is nothing to tidy up
            process.join()
            here.close()


@contextlib.contextmanager
def _interrupt_held() -> Iterator[None]:
    """A Ctrl-C comes when the block is done: as a process is forked, Python would show it and go on."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came and callable(before):
        before(signal.SIGINT, None)


def _serve(connection: Connection, work: Work[T, R], items: Sequence[T]) -> None:
    """Work until nothing more comes. What goes wrong ends the process, and its parent does the work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is the parent's
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with contextlib.suppress(Exception):
        while True:
            connection.send(work(items[connection.recv()]))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
