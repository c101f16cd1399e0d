"""A game of one person against robots: that of `bohnenpost demo`, and those for practice."""

from datetime import UTC, datetime

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from gm import seeds, store
from gm.calendar import Rule
from gm.games import create
from gm.store.db import Database, write
from gm.store.games import Game
from gm.store.seats import Seat


class Bar(Struct, frozen=True):
    """What the bar on every page of the game says.

    `yours`: your orders are awaited; `thinking`: robots whose orders are; `ordered` of `awaited`
    seats have ordered. `has_button`: the round is closed by a button, not as soon as all have
    ordered; `close`: the path that it sends to.
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


def begin(
    db: Database,
    key: bytes,
    variant: str,
    language: str,
    now: int,
    *,
    game_id: str = "",
    strength: str = "",
) -> Seat:
    """A started game of the variant as `seeds/<variant>/demo.toml` describes it, and the seat of
    the person in it. With `game_id` it is for practice: private, without addresses, and its rounds
    are closed by hand.

    Raises Refusal for a variant without a demo, or without robots of this strength.
    """
    plan = seeds.load(seeds.demo_file(variant))
    you, (gm, gm_address) = plan["you"], plan["gm"]
    rule = msgspec.convert(plan["rule"] | {"since": datetime.fromtimestamp(now, UTC).date()}, Rule)
    if game_id:
        gm_address, rule = "", replace(rule, weekdays=())
    with write(db):
        game = create.new_game(
            db,
            game=game_id or plan["game"],
            name=plan["name"],
            variant=variant,
            house_rules={},
            gm=(gm, gm_address),
            gm_language=language,
            rule=rule,
            listed=not game_id,
            asks_again=False,
            now=now,
        )
        create.open_game(db, game.id)
        seat = create.add_seat(
            db,
            key,
            game=game.id,
            name=you["name"],
            address=None if game_id else you["address"],
            language=language,
            by_hand=bool(game_id),
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
