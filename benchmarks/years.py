"""What a club notices after years: the same pages and mails in a home of a hundred games, and of a
thousand and ten thousand, most of them long over. The many are copies of the hundred.
"""

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

from benchmarks.desk import PASSWORD, signed_in
from benchmarks.fixtures import SUNDAYS, order_all
from benchmarks.measure import Figure
from gm import clock, store
from gm.clock import DAY
from gm.games import create, seat_lines
from gm.installation import FILE, Installation, open_installation
from gm.service import close_game, submit, write_mails
from gm.store.db import Database, write
from gm.web import create_app
from rounds.engine.variant import names
from tests.faster import without_disk

SIZES = (100, 1000, 10_000)
WEEK = 7 * DAY
ROUNDS, TIMES, APART = 6, 7, 10_000_000
COPIED = {
    "game": "id",
    "game_gm": "address",
    "secret": "",
    "seat": "link_hash calendar_hash unsubscribe_hash",
    "revision": "",
    "press": "",
    "note": "",
    "round": "chain",
    "mail": "once message_id batch",
}
"""The tables of a game, each with the columns that are no other game's."""
NUMBERS = {"note": ("id",), "mail": ("id", "note", "dead_link", "request", "about_mail")}
STANDING = """(SELECT json_array(1, json_group_array(json_object('name', seat.name, 'rank', number,
           'talers', 9, 'nmrs', 0, 'rounds', 6, 'by_person', json('true'), 'own_rounds', 6, 'own_nmrs', 0)))
           FROM seat WHERE seat.game = game.id)"""
OVER = {
    "standing": STANDING,
    "status": "'finished'",
    "verdict": "'PROVEN'",
    "hindsight": "'null'",
} | dict.fromkeys(("deadline", "scheduled_deadline", "next_deadline"), "NULL")
"""What makes a copied game one that is over."""


def years() -> Iterator[Figure]:
    """Processor time in homes of more and more games, each against the home of a hundred."""
    with tempfile.TemporaryDirectory() as folder:
        home = _played(Path(folder), SIZES[0])
        first: dict[str, float] = {}
        made = SIZES[0]
        for size in SIZES:
            with home.connection() as db, without_disk(db):
                for copy in range(made // SIZES[0], size // SIZES[0]):
                    _copy(db, copy)
            made = size
            for name, figure, unit in _looks(home, size):
                against = first.setdefault(name, figure)
                yield Figure(f"{name}, {size} games", figure, unit, f"{SIZES[0]} games", against)


def _played(folder: Path, number: int) -> Installation:
    home = open_installation(folder / "home", {}, create=True)
    people = [f"P{count}" for count in range(40)]
    with home.connection() as db, without_disk(db):
        for count in range(number):
            variant = names()[count % len(names())]
            seats = 2 if variant == "duel" else 5
            who = [people[(seats * count + seat) % len(people)] for seat in range(seats)]
            create.new_game(
                db,
                game=f"game-{count}",
                name=f"Game {count}",
                variant=variant,
                house_rules={},
                gm=("Uli", "uli@example.org"),
                rule=SUNDAYS,
                now=clock.now(),
                people=seat_lines.read(
                    "\n".join(f"{name} <{name.lower()}@example.org> en" for name in who)
                ),
                key=home.link_key,
                start=True,
            )
            for _ in range(ROUNDS):
                order_all(db, f"game-{count}")
                close_game(db, home.config, f"game-{count}", _deadline(db, f"game-{count}"))
        with write(db):
            db.execute("UPDATE mail SET written_at = 1, sent_at = queued_at, digest = '-'")
            db.execute(
                "UPDATE game SET deadline = ? WHERE deadline IS NOT NULL", [clock.now() + WEEK]
            )
    return home


def _deadline(db: Database, game: str) -> int:
    return store.games.existing(db, game).deadline or 0


def _copy(db: Database, copy: int) -> None:
    """The first hundred games once more, over."""
    with write(db):
        db.execute("PRAGMA defer_foreign_keys=1")
        for table, own in COPIED.items():
            columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
            values = []
            for column in columns:
                if column in ("game", *own.split()):
                    values.append(f"{column} || '-{copy}'")
                elif column in NUMBERS.get(table, ()):
                    values.append(f"{column} + {copy * APART}")
                else:
                    values.append(OVER.get(column, column) if table == "game" else column)
            key = "id" if table == "game" else "game"
            db.execute(
                f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(values)} "  # noqa: S608
                f"FROM {table} WHERE {key} NOT GLOB 'game-*-*'"
            )


def _looks(home: Installation, size: int) -> Iterator[tuple[str, float, str]]:
    web = create_app(home).test_client()
    web.post(signed_in(home, 200), data={"password": PASSWORD, "whole": "yes"})
    with home.connection() as db:
        running = [game for game in store.games.all_games(db) if game.status == "running"]
        game = next(game for game in running if game.awaited is None)
        seat = store.seats.of_game(db, game.id)[0]
        link = home.path("seat", game.id, seat.name, seat.link_number)
        table, engine = store.rounds.open_table(db, game), game.engine
        text = engine.robot(engine.view(table, seat.name))
    pages = {"landing": "/", "table": "/table", "API": "/api/v1/games", "healthz": "/healthz"}
    pages |= {"desk": "/desk", "order page": link, "its state": f"{link}/state"}
    for name, path in pages.items():
        yield name, _cpu(lambda path=path: web.get(path)), "ms"  # type: ignore[misc]
        yield f"{name}, bytes", len(web.get(path).data) / 1000, "kB"
    with home.connection() as db, without_disk(db):

        def receipt() -> None:
            press = str(time.monotonic())  # another list, or no receipt goes out
            submit(db, game, seat, game.round, text, by="seat", press=press)
            write_mails(db, home, clock.now())

        yield "a receipt", _cpu(receipt), "ms"
        rounds = db.execute("SELECT count(*) FROM round").fetchone()[0]
        yield "file, a game and round", (home.home / FILE).stat().st_size / rounds / 1000, "kB"


def _cpu(work: Callable[[], object]) -> float:
    took = []
    for _ in range(TIMES):
        began = time.process_time()
        work()
        took.append(time.process_time() - began)
    return median(took) * 1000
