"""Bounds: who is out of them, and that a block leaves nothing behind (whole games: deadline/test_retry.py)."""

import threading
import time
from collections.abc import Callable

import pytest

from gm import watchdog
from gm.errors import OutOfBounds
from gm.watchdog import CPU_SECONDS, MEGABYTES, _at_work, _computed, _is_out_of_bounds, _memory, _Watched, bounded

ME = threading.get_ident


def compute_until(end: float) -> None:
    while time.monotonic() < end:
        pass


def test_a_block_within_bounds_is_done_as_ever() -> None:
    with bounded():
        done = sum(range(100))
    assert done == 4950
    assert ME() not in _at_work


def test_a_fault_inside_comes_out_as_it_is_and_the_watch_ends() -> None:
    with pytest.raises(ValueError, match="damaged"), bounded():
        raise ValueError("damaged")
    assert ME() not in _at_work


def test_what_is_out_of_bounds_is_interrupted_where_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "CPU_SECONDS", -1.0)
    with pytest.raises(OutOfBounds), bounded():
        compute_until(time.monotonic() + 60)
    assert ME() not in _at_work


def test_a_block_inside_another_is_watched_alone_and_the_outer_one_again_afterwards() -> None:
    with bounded():
        outer = _at_work[ME()]
        with bounded():
            inner = _at_work[ME()]
        assert inner is not outer
        assert _at_work[ME()] is outer


def test_one_thread_watches_all() -> None:
    with bounded():
        first = watchdog._watcher
    with bounded():
        assert watchdog._watcher is first
    assert first is not None
    assert (first.daemon, first.name) == (True, "watchdog")


def test_threads_are_watched_side_by_side() -> None:
    seen: list[set[int]] = []
    barrier = threading.Barrier(2, timeout=60)

    def work() -> None:
        with bounded():
            barrier.wait()
            seen.append({ME()} & set(_at_work))
            barrier.wait()

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [len(found) for found in seen] == [1, 1]
    assert not {thread.ident for thread in threads} & set(_at_work)


HOUR = 3600.0


@pytest.mark.parametrize(
    ("began", "memory", "out"),
    [
        (lambda: _computed(ME()), _memory, False),
        (lambda: _computed(ME()), lambda: None, False),
        (lambda: _computed(ME()) - CPU_SECONDS - 0.001, _memory, True),
        (lambda: _computed(ME()) + HOUR, _memory, False),
        (lambda: _computed(ME()), lambda: _memory() - 2 * MEGABYTES * 2**20, True),
        (lambda: _computed(ME()), lambda: _memory() - MEGABYTES * 2**20 // 2, False),
        (lambda: _computed(ME()), lambda: _memory() + MEGABYTES * 2**20, False),
    ],
)
def test_too_much_computed_or_too_much_memory_is_out_of_bounds(
    began: Callable[[], float], memory: Callable[[], int | None], out: bool
) -> None:
    assert _is_out_of_bounds(_Watched(ME(), began(), memory())) is out


def test_memory_is_measured_from_the_first_look() -> None:
    watched = _Watched(ME(), _computed(ME()))
    assert not _is_out_of_bounds(watched)
    assert watched.memory is not None
    assert watched.memory >= 0


def test_what_a_thread_computed_never_shrinks() -> None:
    first = _computed(ME())
    sum(range(10_000))
    assert 0 <= first <= _computed(ME())
