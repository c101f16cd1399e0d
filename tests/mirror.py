"""What people see, as files: `python -m tests.mirror FOLDER` plays two games of each kind and
writes every page, mail, answer, record and output of a command. Run before and after a change
that is to change nothing, and compare the folders.

Clock, secrets and link key are always the same. Where secrets are drawn in another order,
compare with `--masked`.
"""

import random
import re
import sys
from datetime import UTC, date, datetime, time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import time_machine
from click.testing import CliRunner

from gm import clock, store
from gm.calendar import Rule
from gm.cli import main
from gm.deadline.rollback import rollback
from gm.games import create, lead
from gm.installation import Installation, open_installation
from gm.people import accounts, seating
from gm.service import submit, tick
from gm.store.games import Game
from gm.web import create_app
from gm.web.desk.frame import session_cookie
from rounds.engine.variant import names

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
ROUNDS = 6
"""So many rounds of each game are played; one of them is taken back, and the second game of a
kind is ended then.
"""
MASKED = re.compile(r"[0-9A-Za-z_=-]{16,}")
COMMANDS = [
    "doctor",
    "game list",
    "mail list",
    "gm list",
    "standby list",
    "zine --since 2026-11-01",
    "cases",
]
OF_GAMES = ["game show", "game show --json", "export"]
OF_RECORDS = ["verify", "verify --json", "replay", "replay --json"]


def play(home: Installation, frozen_time: Any, variant: str, number: int) -> str:
    """A game of this kind, the second one with a robot; its id."""
    game = f"{variant}-{number}"
    with home.connection() as db:
        rule = Rule((2, 6), time(20, 0), "Europe/Berlin", 1, date(2026, 11, 16))
        create.new_game(
            db,
            game=game,
            name=game.capitalize(),
            variant=variant,
            house_rules={},
            gm=("Uli", "uli@example.org"),
            rule=rule,
            now=clock.now(),
            early_after=3600 if number == 2 else None,
        )
        create.open_game(db, game)
        for name, language in (("Anna", "de"), ("Bert", "en"), ("Cem", "de"))[
            : 2 if variant == "duel" else 3
        ]:
            robot = number == 2 and name == "Bert"
            create.add_seat(
                db,
                home.link_key,
                game=game,
                name=name,
                address=None if robot else f"{name.lower()}@example.org",
                language=language,
                robot=robot,
                welcome=True,
            )
        create.start_game(db, game, clock.now())
        for played in range(ROUNDS):
            order_all(db, store.games.existing(db, game))
            now = store.games.existing(db, game)
            if now.status == "running" and now.round == played + 1 and now.deadline:
                frozen_time.move_to(now.deadline)
            tick(home)
            if played == 2:
                lead.announce(db, game, "A word\nin two lines", clock.now())
                rollback(
                    db, game, store.games.existing(db, game).round - 1, "the wrong box", clock.now()
                )
        if number == 2 and store.games.existing(db, game).status == "running":
            lead.abort(db, game, "nobody has time", clock.now())
    tick(home)
    return game


def order_all(db: Any, game: Game) -> None:
    """Everybody but Cem sends what the stand-in would play, with a few words."""
    table = store.rounds.open_table(db, game)
    for seat in store.seats.of_game(db, game.id):
        if not seat.robot and seat.name != "Cem" and game.takes(seat.name):
            text = game.engine.write_orders(table, game.engine.stand_in(table, seat.name))
            submit(db, game, seat, game.round, text, f"Press of {seat.name}", "Thanks", by="seat")


def paths(home: Installation, game: str) -> list[str]:
    """The pages of a game."""
    with home.connection() as db:
        found, seats = store.games.existing(db, game), store.seats.of_game(db, game)
    public = [
        f"/p/{game}",
        f"/p/{game}/record.json",
        f"/p/{game}/join",
        f"/p/{game}/follow",
        f"/verify?game={game}",
    ]
    public += [
        f"/p/{game}/r{n}{end}"
        for n in range(1, found.round)
        for end in ("", ".txt", "/versions", "/try")
    ]
    public += [
        f"/api/v1/games/{game}",
        *(f"/api/v1/games/{game}/rounds/{n}" for n in range(found.round)),
    ]
    public += [f"/desk/game/{game}", f"/desk/game/{game}/change", f"/desk/game/{game}/run"]
    for seat in seats:
        link = home.path("seat", game, seat.name, seat.link_number)
        parts = ("", "/receipt", "/mail", "/notes", "/data", "/programs", "/r1", "?fill=nmr")
        public += [f"{link}{part}" for part in parts]
    return public


def helps(command: Any, *path: str) -> list[str]:
    """The help of a command and of all below it."""
    below = [
        line
        for name, one in getattr(command, "commands", {}).items()
        for line in helps(one, *path, name)
    ]
    return [" ".join([*path, "--help"]), *below]


def mirror(folder: Path, *, masked: bool) -> None:
    """Write all there is to see into a folder."""
    stream = random.Random(2026)
    with (
        TemporaryDirectory() as where,
        time_machine.travel(NOON, tick=False) as frozen_time,
        patch("gm.clock.boot", clock.now),
        patch("os.urandom", stream.randbytes),
        patch("random._urandom", stream.randbytes),
    ):
        home = open_installation(Path(where) / "house", {}, create=True)
        stream.seed(2026)  # however many were drawn to make the schema
        games = [
            play(home, frozen_time, variant, number) for variant in names() for number in (1, 2)
        ]
        with home.connection() as db:
            made = accounts.add_gm(db, "uli@example.org", "Uli", "en", clock.now())
            seating.renew_link(db, home.link_key, games[0], "Anna", clock.now())
            token = accounts.set_password(db, made, "correct horse battery", clock.now())
        tick(home)
        app = create_app(home)
        with app.test_request_context():
            cookie = session_cookie()
        fixed = [
            rule.rule
            for rule in app.url_map.iter_rules()
            if "GET" in (rule.methods or ()) and not rule.arguments
        ]
        fixed += [
            f"/rules/{variant}{end}" for variant in names() for end in ("", "/full", "/report")
        ]
        for path in [*sorted(fixed), *(path for game in games for path in paths(home, game))]:
            for language in ("de", "en"):
                web = app.test_client()
                web.set_cookie(cookie, token)
                answer = web.get(path + ("&" if "?" in path else "?") + f"lang={language}")
                head = f"{answer.status} {answer.mimetype} {answer.headers.get('Location', '')}"
                text = f"{head}\n{answer.get_data().decode(errors='replace')}"
                put(folder, f"pages-{language}", path, text.replace(where, "HOME"), masked=masked)
        for file in sorted(home.mail_folder.glob("*.eml")):
            put(folder, "mails", file.name, file.read_bytes().decode(), masked=masked)
        of_games = [f"{command} {game}" for command in OF_GAMES for game in games]
        for game in games:
            (Path(where) / game).write_bytes(
                CliRunner().invoke(main, ["--home", str(home.home), "export", game]).stdout_bytes
            )
        of_records = [f"{command} {where}/{game}" for command in OF_RECORDS for game in games]
        for command in [*COMMANDS, *of_games, *of_records, *helps(main)]:
            done = CliRunner().invoke(main, ["--home", str(home.home), *command.split()])
            put(
                folder,
                "commands",
                command.replace(where, ""),
                f"status {done.exit_code}\n{done.output.replace(where, 'HOME')}",
                masked=masked,
            )


def put(folder: Path, kind: str, name: str, text: str, *, masked: bool) -> None:
    """One file, under a name that every disk takes."""
    name, text = (MASKED.sub("X", part) for part in (name, text)) if masked else (name, text)
    (folder / kind).mkdir(parents=True, exist_ok=True)
    (folder / kind / re.sub(r"[^\w.=-]", "_", name)[:200]).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    mirror(Path(sys.argv[-1]), masked="--masked" in sys.argv)
