"""How the open round of a game stands, from the rows of the database."""

from typing import Any

from gm import errors, store
from gm.store.db import Database
from gm.store.games import Game
from gm.timetable.standing import Standing


def standing(db: Database, game: Game) -> Standing:
    """The open round with its notes and the orders that count."""
    seats = [seat for seat in store.seats.of_game(db, game.id) if seat.removed_at is None]
    people = store.seats.people(seats)
    newest = store.lists.newest(db, game.id, game.round)
    closed = store.rounds.get(db, game.id, game.round - 1)
    before = closed.deadline if closed else None
    for note in store.notes.of_this_play(db, game.id, game.round - 1):
        before = note.old if note.kind in store.notes.CLOSED_EARLY else before
    return Standing(
        game,
        notes=tuple(store.notes.of_round(db, game.id, game.round)),
        people=tuple(newest.get(seat.number) for seat in people if game.awaits(seat.name)),
        robots=tuple(
            newest.get(seat.number) for seat in seats if seat.robot and game.awaits(seat.name)
        ),
        played=bool(seats if game.engine.closes_at_once else people),
        before=before,
    )


def moment(db: Database, game: Game) -> Any:
    """What `moment.txt` tells of a running game; None if its table cannot be read."""
    if not game.is_going:
        return None
    with errors.passed_over(f"where {game.id} stands"):
        return game.engine.moment(store.rounds.open_table(db, game))
    return None
