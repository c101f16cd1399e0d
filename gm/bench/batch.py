"""The batch: rounds closed, mails written, alone and as a whole, small and large; and what it leaves on the disk."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from gm import store
from gm.bench.fixtures import fall_due, furnish
from gm.bench.measure import IN_MICROSECONDS, MICRO, Figure, Options, beside_loop, typically
from gm.bench.page import visited
from gm.installation import Installation
from gm.store.db import compact
from gm.store.db import write as writing

PROCESSES = 2
"""That write mails. A second one that closes gains nothing: every closing takes the one write lock for most of its time."""
SIZES = (10, 100, 1000, 10_000)
SAMPLE = 200
"""Games for a figure of one stage."""
LARGE = (5, 50, 500)
OPEN = 100
"""Games that are not due, whose players open and send meanwhile."""
BYTES_PER_ROUND = 4100.0
"""What a round of five seats took in a prototype that kept state and events alone."""


class Part(Struct, frozen=True):
    """What all processes together took for one part of a batch: seconds until the last was done, seconds computed for one game,
    memory. The first game of each process, in which templates are compiled, is not counted as computed.
    """

    wall: float
    a_game: float
    memory: int


def run(part: str, house: Installation, now: int, games: int, processes: int = 1) -> Part:
    """Let processes close or write all that waits, of so many games."""
    command = [sys.executable, "-m", "gm.bench.worker", part, str(house.home), str(now)]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(processes)]  # noqa: S603  # our own program
    said: list[dict[str, Any]] = [json.loads(one.communicate()[0]) for one in started]
    cpu, first = (sum(one[name] for one in said) for name in ("cpu", "first"))
    a_game = (cpu - first) / max(games - processes, 1)
    return Part(max(one["wall"] for one in said), a_game, max(one["memory"] for one in said))


def close(options: Options) -> Iterator[Figure]:
    """`close_one`, against one bare transaction of the same size in the same file."""
    with tempfile.TemporaryDirectory() as folder:
        house = furnish(Path(folder), SAMPLE, options.seats)
        took = run("close", house, fall_due(house), SAMPLE)
        yield beside_loop("close_one, computed for a seat", took.a_game * MICRO / options.seats, "us")
        bare = typically(lambda: _bare_close(house, options.seats))
        yield Figure("close_one, a game", took.wall * MICRO / SAMPLE, "us", "bare transaction", bare.wall, 1.5)


def write(options: Options) -> Iterator[Figure]:
    """`write_one`, against the plain way."""
    ours, plain = _cost("write", options.seats), _cost("plain", options.seats)
    yield Figure("write_one, computed for a report", ours, "us", "Jinja and EmailMessage", plain, 0.33)


def _cost(part: str, seats: int) -> float:
    """What one process computes for a seat, in a part of a batch."""
    with tempfile.TemporaryDirectory() as folder:
        house = furnish(Path(folder), SAMPLE, seats)
        now = fall_due(house)
        closed = run("close", house, now, SAMPLE)
        return (closed if part == "close" else run(part, house, now, SAMPLE)).a_game * MICRO / seats


def whole(options: Options) -> Iterator[Figure]:
    """Batches of growing size: seconds, cost of a report, memory; beside the largest, pages are asked for."""
    close, write, plain = (_cost(part, options.seats) for part in ("close", "write", "plain"))
    cost: dict[int, float] = {}
    memory: dict[int, float] = {}
    for number in (sizes := [size for size in SIZES if size <= options.games]):
        with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
            house = furnish(Path(folder), number + OPEN, options.seats)
            now = fall_due(house, number)
            asked = stack.enter_context(visited(house, number)) if number == sizes[-1] else None
            closed, written = run("close", house, now, number), run("write", house, now, number, PROCESSES)
        cost[number] = (closed.a_game + written.a_game) * MICRO / options.seats
        memory[number] = max(closed.memory, written.memory) / 1024
        yield beside_loop(f"{number} games closed", closed.wall, "s")
        yield beside_loop(f"{number} games, mails written", written.wall, "s")
        yield _compared(f"{number} games, computed for a report", cost, number, "us", SIZES[1], 1.1)
        yield _compared(f"{number} games, memory", memory, number, "MiB", SIZES[0], 1.5)
        if asked is not None:
            yield Figure(f"{number} games, a report", cost[number], "us", "its stages alone", close + write, 1.2)
            yield Figure(f"{number} games, a report", cost[number], "us", "Jinja and EmailMessage", close + plain, 0.33)
            yield from asked.lines(f"beside {number} games")


def _compared(name: str, figures: dict[int, float], number: int, unit: str, base: int, limit: float) -> Figure:
    """A figure of a batch against that of a smaller one."""
    if number <= base:
        return beside_loop(name, figures[number], unit) if unit in IN_MICROSECONDS else Figure(name, figures[number], unit)
    return Figure(name, figures[number], unit, f"at {base} games", figures[base], limit)


def large(options: Options) -> Iterator[Figure]:
    """One game of many seats."""
    small = 0.0
    for seats in LARGE:
        with tempfile.TemporaryDirectory() as folder:
            games = max(100 // seats, 2)
            house = furnish(Path(folder), games, seats)
            now = fall_due(house)
            run("close", house, now, games)
            cost = run("write", house, now, games).a_game * MICRO / seats
            name = f"a report in a game of {seats} seats"
            if seats == LARGE[0]:
                small = cost
                yield beside_loop(name, cost, "us")
            else:
                yield Figure(name, cost, "us", "in one of 5", small, 1.5 if seats == LARGE[1] else None)


def storage(options: Options) -> Iterator[Figure]:
    """What a closed round adds to the file once its mails are sent."""
    with tempfile.TemporaryDirectory() as folder:
        house = furnish(Path(folder), SAMPLE, options.seats)
        before = _size(house)
        now = fall_due(house)
        run("close", house, now, SAMPLE)
        run("write", house, now, SAMPLE)
        with house.connection() as db, writing(db):
            for mail in store.mails_not_sent(db):
                store.update_mail(db, mail.id, {"bytes": None, "sent_at": now})
        grown = (_size(house) - before) / SAMPLE
        yield Figure(
            f"bytes a round of {options.seats} seats keeps", grown, "bytes", "prototype", BYTES_PER_ROUND * options.seats / 5, 1.5
        )


def _size(house: Installation) -> int:
    """Bytes in use; the file keeps free pages for later."""
    with house.connection() as db:
        compact(db)
    return house.database.stat().st_size


def _bare_close(house: Installation, seats: int) -> None:
    """One transaction that writes as many rows of about the same size, with nothing worked out."""
    with house.connection() as db:
        closed = store.closed_round(db, "game-0", 1)
        game = store.existing(db, "game-0")
        assert closed is not None
        row = msgspec.structs.asdict(closed) | {"number": len(store.closing_times(db, game.id))}
        with writing(db):
            store.add_closed_round(db, row)
            store.add_attempts(db, ["x" * 120] * seats, 1)
            store.update_game(db, game.id, {"sequence": game.sequence + 1})
