"""The batch: rounds closed, mails written, alone and as a whole, small and large; and what it leaves on the disk."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from email.message import EmailMessage
from functools import cache
from pathlib import Path
from types import MethodType
from typing import Any

from jinja2 import Environment
from msgspec import Struct

from gm import store
from gm.bench import Line, Options
from gm.bench.clocks import MICRO, typically
from gm.bench.ground import fall_due, furnish
from gm.db import write as writing
from gm.installation import Installation
from gm.render import environment, for_variant
from gm.reports import report, rules_line

PROCESSES = 2
SIZES = (10, 100, 1000, 10_000)
SAMPLE = 200
"""Games for a figure of one stage."""
LARGE = (5, 50, 500)
BYTES_PER_ROUND = 4100.0
"""What a round of five seats took in a prototype that kept state and events alone."""


class Part(Struct, frozen=True):
    """What all processes together took for one part of a batch: seconds until the last was done, seconds computed, memory."""

    wall: float
    cpu: float
    memory: int


def run(part: str, house: Installation, now: int, processes: int = 1) -> Part:
    """Let processes close or write all that waits."""
    command = [sys.executable, "-m", "gm.bench.worker", part, str(house.home), str(now)]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(processes)]  # noqa: S603  # our own program
    said: list[dict[str, Any]] = [json.loads(one.communicate()[0]) for one in started]
    return Part(max(one["wall"] for one in said), sum(one["cpu"] for one in said), max(one["memory"] for one in said))


def close(options: Options) -> Iterator[Line]:
    """`close_one`, against one bare transaction of the same size in the same file."""
    with tempfile.TemporaryDirectory() as folder:
        house = furnish(Path(folder), SAMPLE, options.seats)
        took = run("close", house, fall_due(house))
        seats = SAMPLE * options.seats
        yield Line("close_one, computed for a seat", took.cpu * MICRO / seats, "us", limit=130)
        bare = typically(lambda: _bare_close(house, options.seats))
        yield Line("close_one, a game", took.wall * MICRO / SAMPLE, "us", "bare transaction", bare.wall)


def write(options: Options) -> Iterator[Line]:
    """`write_one`, against the plain way: every report rendered whole, made by `EmailMessage`."""
    with tempfile.TemporaryDirectory() as folder:
        house = furnish(Path(folder), SAMPLE, options.seats)
        now = fall_due(house)
        run("close", house, now)
        took = run("write", house, now)
        plain = typically(lambda: _plain_reports(house, options.seats), tries=3)
        ours = took.cpu * MICRO / SAMPLE / options.seats
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
            games = max(100 // seats, 1)
            house = furnish(Path(folder), games, seats)
            now = fall_due(house)
            run("close", house, now)
            cost = run("write", house, now).cpu * MICRO / games / seats
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


def _plain_reports(house: Installation, seats: int) -> None:
    """The same mails of one game by an ordinary Jinja and the standard library, every reader for themselves."""
    with house.connection() as db:
        game = store.game(db, "game-0")
        assert game is not None
        told = report(db, game, 1)
        for seat in store.seats(db, game.id)[:seats]:
            env, body = _plain_environment(seat.language), for_variant(game.variant, "report")
            words: dict[str, Any] = {
                "game": game, "zone": game.schedule.zone, "mail": {"kind": "report", "round": 1}, "seat": seat,
                "public": house.game_url(game.id), "link": house.seat_url(game.id, seat.name, 1), "settings": "x",
                "report": told, "deadline": game.deadline, "me": told.after.farm(seat.name), "proof": None, "hindsight": None,
                "rules_line": rules_line(game, seat.language), "comparison": None, "once": lambda _, caller: caller(),
            }  # fmt: skip
            text, html = (
                env.get_template(f"mail/report.{ending}").render(**words, body=[f"{name}.{ending}" for name in body])
                for ending in ("txt", "html")
            )
            made = EmailMessage()
            for name, value in (("From", "a@x.org"), ("To", seat.address), ("Subject", "x"), ("Message-ID", "<a@b>")):
                made[name] = value
            made["List-Id"], made["In-Reply-To"], made["References"] = "<a.b>", "<a@b>", "<a@b>"
            made.set_content(text, cte="quoted-printable")
            made.add_alternative(html, subtype="html")
            made.as_bytes()


@cache
def _plain_environment(language: str) -> Environment:
    """With the same templates and filters, but nothing worked out ahead."""
    env = environment.__wrapped__(language)
    env._generate = MethodType(Environment._generate, env)  # type: ignore[method-assign]
    return env
