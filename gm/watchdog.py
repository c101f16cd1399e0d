"""Keeps work on a game, or on a request, within bounds: what computes for too long, or takes too much memory, is interrupted
where it stands.

Only time that the thread itself computed counts, so a slow disk or a busy database interrupts nothing.
"""

import ctypes
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from gm.errors import OutOfBounds

CPU_SECONDS = 5.0
MEGABYTES = 1024
LOOK_SECONDS = 0.1
STATM = Path("/proc/self/statm")


@dataclass
class _Watched:
    """A thread at work: what it had computed when it began, memory at the first look, whether it was interrupted."""

    thread: int
    began: float
    memory: int | None = None
    fired: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)


_at_work: dict[int, _Watched] = {}
_watcher: threading.Thread | None = None
_starting = threading.Lock()


@contextmanager
def bounded() -> Iterator[None]:
    """Raise OutOfBounds inside the block if it computes for five seconds or takes a gigabyte.

    A block inside another has bounds of its own, and what it computes does not count for the outer one.
    """
    _watch()
    thread = threading.get_ident()
    outer, mine = _at_work.get(thread), _Watched(thread, _computed(thread))
    _at_work[thread] = mine
    try:
        yield
    finally:
        _at_work.pop(thread, None)
        with mine.lock:
            if mine.fired:  # a bite that has not been felt yet must not be felt outside the block
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), None)
        if outer is not None:
            outer.began += _computed(thread) - mine.began
            _at_work[thread] = outer


def _watch() -> None:
    """One thread for the whole process; after a fork there is none, and it is started again."""
    global _watcher  # noqa: PLW0603  # there is one
    with _starting:
        if _watcher is None or not _watcher.is_alive():
            _at_work.clear()
            _watcher = threading.Thread(target=_look_forever, name="watchdog", daemon=True)
            _watcher.start()


def _look_forever() -> None:
    while True:
        time.sleep(LOOK_SECONDS)
        for watched in list(_at_work.values()):
            with watched.lock:
                if not watched.fired and _at_work.get(watched.thread) is watched and _is_out_of_bounds(watched):
                    watched.fired = True
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(watched.thread), ctypes.py_object(OutOfBounds))


def _is_out_of_bounds(watched: _Watched) -> bool:
    try:
        computed = _computed(watched.thread)
    except OSError:  # the thread has ended
        return False
    memory = _memory()
    if watched.memory is None:
        watched.memory = memory
    return computed - watched.began > CPU_SECONDS or memory - watched.memory > MEGABYTES * 2**20


def _computed(thread: int) -> float:
    """Seconds a thread has computed; where the system cannot tell, seconds on the wall."""
    if hasattr(time, "pthread_getcpuclockid"):
        return time.clock_gettime(time.pthread_getcpuclockid(thread))
    return time.monotonic()


def _memory() -> int:
    """Bytes this process has in memory; 0 where the system does not say."""
    try:
        return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
