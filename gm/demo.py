"""A game of one person against robots: that of `bohnenpost demo`, and those for practice."""

from datetime import UTC, datetime

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from gm import clock, seeds, store
from gm.calendar import Rule
from gm.clock import DAY
from gm.config import Config
from gm.deadline import closing
from gm.games import create
from gm.installation import Installation
from gm.links import new_practice_id
from gm.rendering.turns import turn_of
from gm.service import close_game, order_robots
from gm.store.db import Database, write
from gm.store.games import Game
from gm.store.seats import Seat

KEPT_SECONDS = DAY
"""How long a practice game is kept."""
TURNS = 2
"""After this many turns a practice game has shown what it is for, if its `demo.toml` names no other
number.
"""


class Bar(Struct, frozen=True):
    """What the bar on every page of the game says.

    `yours`: your orders are awaited; `thinking`: robots whose orders are; `ordered` of `awaited`
    seats have ordered. `has_button`: the round is closed by a button, not as soon as all have
    ordered; `close`: the path that it sends to.
    Of a practice game also `link`, the path of your page, `kept_until`, when it is forgotten, and
    `enough`: whether it has shown what it is for.
    """

    variant: str
    open: bool
    round: int
    yours: bool
    thinking: tuple[str, ...]
    ordered: int
    awaited: int
    has_button: bool
    close: str
    link: str = ""
    kept_until: int = 0
    enough: bool = False


def begin(
    db: Database,
    key: bytes,
    variant: str,
    language: str,
    now: int,
    *,
    practice_id: str = "",
    strength: str = "",
) -> Seat:
    """A started game of the variant as `seeds/<variant>/demo.toml` describes it, and the seat of
    the person in it. With `practice_id`, the id it gets, it is for practice: private, without
    addresses, and its rounds are closed by hand.

    Raises Refusal for a variant without a demo, or without robots of this strength.
    """
    plan = seeds.load(seeds.demo_file(variant))
    you, (gm, gm_address) = plan["you"], plan["gm"]
    rule = msgspec.convert(plan["rule"] | {"since": datetime.fromtimestamp(now, UTC).date()}, Rule)
    if practice_id:
        gm_address, rule = "", replace(rule, weekdays=())
    with write(db):
        game = create.new_game(
            db,
            game=practice_id or plan["game"],
            name=plan["name"],
            variant=variant,
            house_rules={},
            gm=(gm, gm_address),
            gm_language=language,
            rule=rule,
            listed=not practice_id,
            asks_again=False,
            now=now,
        )
        create.open_game(db, game.id)
        seat = create.add_seat(
            db,
            key,
            game=game.id,
            name=you["name"],
            address=None if practice_id else you["address"],
            language=language,
            by_hand=bool(practice_id),
        )
        for robot in plan["robots"]:
            create.add_seat(
                db,
                key,
                game=game.id,
                name=robot,
                address=None,
                language=language,
                robot=True,
                strength=strength,
            )
        create.start_game(db, game.id, now)
    return seat


def begin_practice(db: Database, home: Installation, variant: str, language: str) -> Seat | None:
    """A practice game, and the seat of the person in it; None if there are as many already as the
    settings allow. Raises Refusal for a variant without a demo.
    """
    now = clock.now()
    with write(db):
        store.games.forget_older(db, now - KEPT_SECONDS)
        if store.games.number_of_all(db) >= home.config.practice_games:
            return None
        you = begin(db, home.link_key, variant, language, now, practice_id=new_practice_id())
    go_on(db, home.config, you.game)
    return you


def forget_practice(home: Installation) -> None:
    """Delete the practice games that were begun more than `KEPT_SECONDS` ago."""
    with home.connection() as db, write(db):
        store.games.forget_older(db, clock.now() - KEPT_SECONDS)


def practice_bar(db: Database, game: Game, home: Installation) -> Bar:
    """How a practice game stands."""
    (you,) = store.seats.people(store.seats.of_game(db, game.id))
    link = home.path("seat", game.id, you.name, you.link_number)
    return replace(
        bar(db, game, f"{link}/close"),
        link=link,
        kept_until=game.created_at + KEPT_SECONDS,
        enough=has_shown_enough(db, game, game.round - 1),
    )


def has_shown_enough(db: Database, game: Game, number: int) -> bool:
    """Whether a practice game has shown what it is for, once round `number` is closed."""
    turns: int = seeds.load(seeds.demo_file(game.variant)).get("turns", TURNS)
    return game.status == "finished" or turn_of(db, game, number + 1) > turns


def bar(db: Database, game: Game, close: str) -> Bar:
    """How the game stands. `close`: the path of the button that closes a round."""
    newest = store.lists.newest(db, game.id, game.round)
    awaited = [
        seat for seat in store.seats.of_game(db, game.id) if game.is_open and game.awaits(seat.name)
    ]
    missing = [seat for seat in awaited if seat.number not in newest]
    return Bar(
        game.variant,
        game.is_open,
        game.round,
        yours=any(not seat.robot for seat in missing),
        thinking=tuple(seat.name for seat in missing if seat.robot),
        ordered=len(awaited) - len(missing),
        awaited=len(awaited),
        has_button=not game.closes_at_once,
        close=close,
    )


def make_due(db: Database, game_id: str, number: int, now: int) -> None:
    """Let the deadline of the open round be now, unless it is not round `number`."""
    with write(db):
        game = store.games.existing(db, game_id)
        if game.is_open and game.round == number:
            store.games.update(db, game.id, {"deadline": now})


def go_on(db: Database, config: Config, game_id: str) -> None:
    """Let the robots of a game order and its due rounds close, until it waits for its player."""
    while True:
        order_robots(db, game_id, clock.now())
        now = clock.now()  # not earlier than their lists, else the round would not be complete yet
        game = store.games.existing(db, game_id)
        if game.closes_at_once:
            closing.make_due(db, game_id, now)
        if close_game(db, config, game_id, now) is None:
            return
