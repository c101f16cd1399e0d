"""The batch: rounds closed, mails written, alone and as a whole, small and large; and what it leaves on the disk."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from email.message import EmailMessage
from functools import cache
from pathlib import Path
from types import MethodType
from typing import Any
from unittest.mock import patch

from jinja2 import Environment
from msgspec import Struct

from gm import clock, letters, store
from gm.bench import Line, Options
from gm.bench.clocks import MICRO, typically
from gm.bench.ground import fall_due, furnish
from gm.db import write as writing
from gm.installation import Installation
from gm.render import environment

PROCESSES = 2
SIZES = (10, 100, 1000, 10_000)
SAMPLE = 200
"""Games for a figure of one stage."""
LARGE = (5, 50, 500)
BYTES_PER_ROUND = 4100.0
"""What a round of five seats took in a prototype that kept state and events alone."""


class Part(Struct, frozen=True):
    """What all processes together took for one part of a batch: seconds until the last was done, seconds computed, memory.

    `unit`: seconds computed for one game, but for the first of each process, in which templates are compiled.
    """

    wall: float
    cpu: float
    unit: float
    memory: int


def run(part: str, house: Installation, now: int, processes: int = 1) -> Part:
    """Let processes close or write all that waits."""
    command = [sys.executable, "-m", "gm.bench.worker", part, str(house.home), str(now)]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(processes)]  # noqa: S603  # our own program
    said: list[dict[str, Any]] = [json.loads(one.communicate()[0]) for one in started]
    cpu, first = (sum(one[name] for one in said) for name in ("cpu", "first"))
    later = max(sum(one["units"] for one in said) - processes, 1)
    return Part(max(one["wall"] for one in said), cpu, (cpu - first) / later, max(one["memory"] for one in said))


def close(options: Options) -> Iterator[Line]:
    """`close_one`, against one bare transaction of the same size in the same file."""
    with tempfile.TemporaryDirectory() as folder:
        house = furnish(Path(folder), SAMPLE, options.seats)
        took = run("close", house, fall_due(house))
        yield Line("close_one, computed for a seat", took.unit * MICRO / options.seats, "us", limit=130)
        bare = typically(lambda: _bare_close(house, options.seats))
        yield Line("close_one, a game", took.wall * MICRO / SAMPLE, "us", "bare transaction", bare.wall)


def write(options: Options) -> Iterator[Line]:
    """`write_one`, against the plain way: every report rendered whole, made by `EmailMessage`."""
    with tempfile.TemporaryDirectory() as folder:
        house = furnish(Path(folder), SAMPLE, options.seats)
        now = fall_due(house)
        run("close", house, now)
        took = run("write", house, now)
        plain = typically(lambda: _plain_reports(house), tries=3)
        ours = took.unit * MICRO / options.seats
        yield Line("write_one, computed for a report", ours, "us", "Jinja and EmailMessage", plain.cpu / options.seats, limit=0.2)


def whole(options: Options) -> Iterator[Line]:
    """Batches of growing size, in two processes: seconds, cost of a report, memory."""
    first: dict[int, tuple[float, int]] = {}
    for number in [size for size in SIZES if size <= options.games]:
        with tempfile.TemporaryDirectory() as folder:
            house = furnish(Path(folder), number, options.seats)
            now, reports = fall_due(house), number * options.seats
            closed, written = run("close", house, now, PROCESSES), run("write", house, now, PROCESSES)
            cost = (closed.cpu + written.cpu) * MICRO / reports
            memory = max(closed.memory, written.memory)
            first[number] = (cost, memory)
            largest = number == SIZES[-1]
            yield Line(f"{number} games closed", closed.wall, "s", limit=30 if largest else None)
            yield Line(f"{number} games, mails written", written.wall, "s", limit=60 if largest else None)
            yield Line(
                f"{number} games, computed for a report", cost, "us", "at 100 games" if number > SIZES[1] else "",
                first[SIZES[1]][0] if number > SIZES[1] else None, 1.1 if number > SIZES[1] else None,
            )  # fmt: skip
            yield Line(
                f"{number} games, memory", memory / 1024, "MiB", "at 10 games" if number > SIZES[0] else "",
                first[SIZES[0]][1] / 1024 if number > SIZES[0] else None, 1.5 if number > SIZES[0] else None,
            )  # fmt: skip


def large(options: Options) -> Iterator[Line]:
    """One game of many seats."""
    small = 0.0
    for seats in LARGE:
        with tempfile.TemporaryDirectory() as folder:
            games = max(100 // seats, 2)
            house = furnish(Path(folder), games, seats)
            now = fall_due(house)
            run("close", house, now)
            cost = run("write", house, now).unit * MICRO / seats
            small = small or cost
            limit = 1.5 if seats == LARGE[1] else None
            yield Line(
                f"a report in a game of {seats} seats", cost, "us", "in one of 5", small if seats > LARGE[0] else None, limit
            )


def storage(options: Options) -> Iterator[Line]:
    """What a closed round adds to the file once its mails are sent."""
    with tempfile.TemporaryDirectory() as folder:
        house = furnish(Path(folder), SAMPLE, options.seats)
        before = _size(house)
        now = fall_due(house)
        run("close", house, now)
        run("write", house, now)
        with house.connection() as db, writing(db):
            db.execute("UPDATE mail SET bytes = NULL, sent_at = ? WHERE sent_at IS NULL", [now])
        grown = (_size(house) - before) / SAMPLE
        yield Line("bytes a round of five seats keeps", grown, "bytes", "prototype", BYTES_PER_ROUND * options.seats / 5, 1.5)


def _size(house: Installation) -> int:
    """Bytes in use; the file keeps free pages for later."""
    with house.connection() as db:
        db.conn.execute("PRAGMA query_only=0").fetchone()
        db.conn.execute("VACUUM")
    return house.database.stat().st_size


def _bare_close(house: Installation, seats: int) -> None:
    """One transaction that writes as many rows of about the same size, with nothing worked out."""
    with house.connection() as db:
        closed = db.execute("SELECT orders, events, state, receipts FROM round WHERE number = 1 LIMIT 1").fetchone()
        with writing(db):
            columns = "game, number, version, closed_at, orders, events, state, receipts"
            sql = f"INSERT INTO withdrawn ({columns}) VALUES (?,?,?,?,?,?,?,?)"  # noqa: S608  # names of our own
            version = db.execute("SELECT coalesce(max(version), 0) + 1 FROM withdrawn").fetchone()[0]
            db.execute(sql, ["game-0", 1, version, 1, *closed])
            db.conn.executemany("INSERT INTO attempt (key, at) VALUES (?, ?)", [("x" * 120, 1)] * seats)
            db.execute("UPDATE game SET sequence = sequence + 1 WHERE id = 'game-0'")


def _plain_reports(house: Installation) -> None:
    """The mails of one game by an ordinary Jinja and the standard library: nothing is shared, nothing worked out ahead."""
    with house.connection() as db, ExitStack() as stack:
        for name, plain in (("render", _plain_render), ("serialise", _plain_serialise), ("Once", _Everytime)):
            stack.enter_context(patch.object(letters, name, plain))
        batch = store.select(db, store.Mail, "SELECT * FROM mail WHERE game = 'game-0' AND kind = 'report'")
        for _, made in letters.write_mails(db, house, batch, clock.now()):
            assert isinstance(made, bytes), made


class _Everytime(letters.Once):
    def __call__(self, name: str, caller: Callable[[], str]) -> str:
        return caller()


def _plain_render(language: str, template: str | list[str], **values: Any) -> str:
    names = [template] if isinstance(template, str) else template
    return _plain_environment(language).select_template(names).render(values)


@cache
def _plain_environment(language: str) -> Environment:
    """With the same templates and filters."""
    env = environment.__wrapped__(language)
    env._generate = MethodType(Environment._generate, env)  # type: ignore[method-assign]
    return env


def _plain_serialise(headers: Mapping[str, str], text: str, html: str | None, *_: object) -> bytes:
    made = EmailMessage()
    for name, value in headers.items():
        made[name] = value
    made.set_content(text, cte="quoted-printable")
    if html is not None:
        made.add_alternative(html, subtype="html")
    return made.as_bytes()
