"""Work spread over processes does what work in one process does, failures and interrupts included."""

from __future__ import annotations

import os
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pipeline.base import parallel
from pipeline.base.errors import CuadAuditError
from pipeline.base.parallel import LEAST, spread, workers_for

ITEMS = list(range(2 * LEAST + 7))
ALONE = os.getpid()


def squares(items):
    return [(item * item, os.getpid()) for item in items]


def where(items):
    return [(item, len(items), os.getpid()) for item in items]


def fails_at_five(items):
    for item in items:
        if item == 5 or item > LEAST:
            raise CuadAuditError(f"item {item}", "mend it")
    return list(items)


def dies_elsewhere(items):
    if os.getpid() != ALONE:
        os._exit(7)
    return list(items)


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_results_come_in_order_from_other_processes(start: str) -> None:
    found = spread(squares, ITEMS, 2, start)
    assert [square for square, _ in found] == [item * item for item in ITEMS]
    assert os.getpid() not in {process for _, process in found}


def test_forked_processes_have_the_work_already() -> None:
    kept = object()  # nothing to pickle
    found = spread(lambda items: [(item, id(kept), os.getpid()) for item in items], ITEMS, 2, "fork")
    assert [(item, place) for item, place, _ in found] == [(item, id(kept)) for item in ITEMS]
    assert os.getpid() not in {process for *_, process in found}


@pytest.mark.parametrize(("items", "workers"), [(ITEMS, 1), (ITEMS[: 2 * LEAST - 1], 2), ([], 2)])
def test_little_work_stays_here(items: list[int], workers: int) -> None:
    assert {process for _, process in spread(squares, items, workers)} <= {os.getpid()}


def test_few_heavy_items_are_handed_out_one_by_one() -> None:
    found = spread(where, [1, 2, 3, 4], 2, size=1)
    assert [(item, size) for item, size, _ in found] == [(1, 1), (2, 1), (3, 1), (4, 1)]
    assert os.getpid() not in {process for *_, process in found}
    assert spread(where, [1], 2, size=1) == [(1, 1, os.getpid())]


def test_an_error_is_the_one_of_serial_work() -> None:
    with pytest.raises(CuadAuditError, match="item 5"):
        spread(fails_at_five, ITEMS, 2)


def test_a_process_that_dies_costs_time_and_nothing_else() -> None:
    assert spread(dies_elsewhere, ITEMS, 2, "fork") == ITEMS


def sends_half(connection, _work, _items):
    connection.recv()
    os.write(connection.fileno(), struct.pack("!i", 1000) + b"the first of a thousand bytes")
    os._exit(9)


def test_a_process_that_dies_as_it_sends_a_result_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "_serve", sends_half)
    assert spread(dies_elsewhere, ITEMS, 2, "fork") == ITEMS


def nested(items):
    return [(item, *spread(where, [item, item], 2, size=1)) for item in items]


def test_work_that_spreads_its_own_work_does_it_there() -> None:
    for item, first, second in spread(nested, [1, 2], 2, "fork", size=1):
        assert first == second == (item, 2, first[2])
        assert first[2] != os.getpid()


def test_an_interrupt_while_processes_start_comes_afterwards() -> None:
    started = []
    with pytest.raises(KeyboardInterrupt), parallel._interrupt_held():
        os.kill(os.getpid(), signal.SIGINT)
        started.append("both")
    assert started == ["both"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_agent_that_asks_a_model_has_one_process() -> None:
    class Embedded:
        pass

    class Model:
        def request(self): ...

    assert workers_for(Embedded(), Embedded()) == len(os.sched_getaffinity(0))
    assert workers_for(Embedded(), Model()) == 1


SLEEPER = """
import os, time
from pathlib import Path
from pipeline.base.parallel import LEAST, spread

def slow(items):
    Path(f"{os.getpid()}.child").touch()
    time.sleep(SECONDS)
    return list(items)

spread(slow, list(range(2 * LEAST)), 2, "fork")
"""


def running(folder: Path) -> set[int]:
    return {pid for file in folder.glob("*.child") if alive(pid := int(file.stem))}


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def until(holds, seconds: float = 20) -> bool:
    end = time.monotonic() + seconds
    while not (found := holds()) and time.monotonic() < end:
        time.sleep(0.05)
    return found


@pytest.mark.parametrize(("sent", "seconds"), [(signal.SIGINT, 1), (signal.SIGTERM, 60), (signal.SIGKILL, 60)])
def test_no_process_outlives_its_parent(tmp_path: Path, root: Path, sent: signal.Signals, seconds: int) -> None:
    code = SLEEPER.replace("SECONDS", str(seconds))
    parent = subprocess.Popen(
        [sys.executable, "-c", code], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(root)}, stderr=subprocess.PIPE
    )
    assert until(lambda: len(running(tmp_path)) == 2)
    parent.send_signal(sent)
    _, said = parent.communicate(timeout=20)
    assert parent.returncode != 0
    assert until(lambda: not running(tmp_path))
    assert (b"KeyboardInterrupt" in said) is (sent == signal.SIGINT)
