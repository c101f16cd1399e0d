"""Friends in one room: a game that is joined by name alone, without mail, and begins when they say
so.
"""

from gm import store
from gm.errors import Refusal
from gm.games import create
from gm.games.names import checked_player
from gm.store.db import Database, write
from gm.store.games import Game
from gm.store.seats import Seat
from gm.timetable.tempo import house_rules, preset

CURRENT = "tonight"
"""Key in `meta`: the game that was opened last."""
NAME = {"de": "Heute Abend", "en": "Tonight"}
GM_NAME = "Bohnenpost"
PAIR = 2


def opened(db: Database, variant: str, language: str, zone: str, now: int) -> Game:
    """The game of tonight; a new one if there is none, or if the last one is over and nobody has
    said yes to playing on; its players are not asked any more then. It is private, has no game
    master, and its rounds close when all orders are in, at the latest after an hour.
    """
    with write(db):
        last = current(db)
        if last is not None and (last.status != "finished" or _is_played_on(db, last)):
            return last
        if last is not None:  # two games at one table would be one too many
            store.games.update(db, last.id, {"asks_again": 0})
        count = 1
        while store.games.get(db, game_id := f"tonight-{count}"):
            count += 1
        rule, early_after = preset("tonight", variant, zone, now)
        create.new_game(
            db,
            game=game_id,
            name=NAME[language],
            variant=variant,
            house_rules=house_rules("tonight", variant),
            gm=(GM_NAME, ""),
            gm_language=language,
            rule=rule,
            early_after=early_after,
            listed=False,
            now=now,
        )
        store.meta.remember(db, CURRENT, game_id)
        return create.open_game(db, game_id)


def _is_played_on(db: Database, game: Game) -> bool:
    """True if somebody wants to play on after this game, and others may still say so."""
    following = store.games.next_of(db, game.id)
    return following is not None and following.waits_for_answers


def current(db: Database) -> Game | None:
    """The game of tonight, or the last one that went on from it; None if there was none."""
    game = store.games.get(db, store.meta.remembered(db, CURRENT) or "")
    while game is not None:
        following = store.games.next_of(db, game.id)
        if following is None or following.status == "draft" or following.is_called_off:
            break
        game = following
    return game


def sit_down(db: Database, key: bytes, game_id: str, name: str, language: str, now: int) -> Seat:
    """Give a seat to somebody known by name only. The game begins if that was the last seat.
    Raises Refusal for an odd or taken name, and if the game has begun or is full.
    """
    with write(db):
        name = checked_player(name)
        seat = create.take_seat(db, key, game_id, name, None, language, is_person=True)
        store.seats.update(db, game_id, seat.number, {"ready_at": now})
        most = store.games.existing(db, game_id).engine.seats[-1]
        if len(store.seats.of_game(db, game_id)) == most:
            create.begin(db, game_id, now)
    return seat


def begin(db: Database, key: bytes, game_id: str, now: int) -> None:
    """Begin, with robots up to the least number of seats. Raises Refusal without a person, or if
    the game has begun.
    """
    with write(db):
        game = store.games.in_status(db, game_id, "open")
        if not store.seats.of_game(db, game_id):
            raise Refusal("too_few", game=game_id)
        create.add_robots(db, key, game, least=least(game))
        create.begin(db, game_id, now)


def least(game: Game) -> int:
    """With how many seats a game at one table begins at least: nobody plays alone."""
    return max(PAIR, game.engine.seats[0])


def take_away(db: Database, game_id: str, name: str) -> None:
    """Take a seat away before the beginning; its link dies. Raises Refusal once it has begun."""
    with write(db):
        store.games.in_status(db, game_id, "open")
        for seat in store.seats.of_game(db, game_id):
            if seat.name == name:
                create.drop_seat(db, seat, "removed")
