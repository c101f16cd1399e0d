"""A house full of games in their first round, made quickly: nobody waits for its disk while it
is being furnished.
"""

from datetime import UTC, date, datetime, time
from pathlib import Path

from gm import clock, seeds, store
from gm.calendar import Rule
from gm.clock import DAY
from gm.games import create
from gm.installation import Installation, open_installation
from gm.service import submit
from gm.store.db import Database, write
from gm.store.games import Game
from tests.faster import without_disk

DAYS = 10 * DAY
SUNDAYS = Rule((6,), time(20, 0), "Europe/Berlin", 1, date(2026, 1, 5))


def furnish(folder: Path, number: int, seats: int, *, lists: bool = True) -> Installation:
    """An installation with so many games of so many seats, whose every seat has sent what a
    robot would.
    """
    installation = open_installation(folder / "house", {}, create=True)
    with installation.connection() as db, without_disk(db):
        for count in range(number):
            _start(installation, db, f"game-{count}", seats)
            if lists:
                order_all(db, f"game-{count}")
        with write(db):
            for mail in store.mails.all_not_sent(db):  # what came before is not measured
                store.mails.update(db, mail.id, {"written_at": 1, "sent_at": 1, "digest": "-"})
    return installation


def fall_due(installation: Installation, number: int) -> int:
    """Let the deadline of the first games, so many, be now, that of the others in some days;
    that instant.
    """
    now = int(datetime.now(UTC).timestamp())
    with installation.connection() as db, write(db):
        for game in store.games.all_games(db):
            deadline = now if number_of(game) < number else now + DAYS
            store.games.update(db, game.id, {"deadline": deadline, "scheduled_deadline": deadline})
            # the mails of a batch are those of its rounds
            for seat in store.seats.of_game(db, game.id):
                store.seats.update(db, game.id, seat.number, {"receipts": 0})
    return now


def number_of(game: Game) -> int:
    """The place of a game in the order they were made, from 0."""
    return int(game.id.removeprefix("game-"))


def _start(installation: Installation, db: Database, game: str, seats: int) -> None:
    create.new_game(
        db,
        game=game,
        name=game.capitalize(),
        variant=seeds.default_variant(),
        house_rules={},
        gm=("Uli", "uli@example.org"),
        rule=SUNDAYS,
        now=clock.now(),
    )
    create.open_game(db, game)
    for number in range(seats):
        language, address = ("de", "en")[number % 2], f"seat{number}@{game}.example.org"
        create.add_seat(
            db,
            installation.link_key,
            game=game,
            name=f"Seat{number}",
            address=address,
            language=language,
        )
    create.start_game(db, game, clock.now())


def order_all(db: Database, game_id: str) -> None:
    """Send for every awaited seat of a game what a robot would."""
    game = store.games.existing(db, game_id)
    table, rules = store.rounds.open_table(db, game), game.engine
    for seat in [seat for seat in store.seats.of_game(db, game_id) if game.awaits(seat.name)]:
        submit(db, game, seat, game.round, rules.robot(rules.view(table, seat.name)), by="seat")
