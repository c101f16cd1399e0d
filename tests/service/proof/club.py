"""A game with notes and an absent player, whose proofs are looked at."""

from typing import Any

import msgspec
import pytest

from gm import clock, store
from gm.games import create as game_setup
from gm.games import lead
from gm.games.orders import save_orders
from gm.installation import Installation
from gm.people import joining
from gm.proof.fairness import record_of
from gm.service import tick
from gm.store.db import Database
from tests.dates import EVERY_SUNDAY
from tests.steps import start

DAY = 24 * 3600


@pytest.fixture
def club(installation: Installation, db: Database) -> None:
    """A game of four rounds; Cem reads German."""
    game_setup.new_game(
        db,
        game="ackerwinde",
        name="Ackerwinde",
        variant="postal",
        house_rules={"rounds": 4},
        gm=("Uli", "uli@example.org"),
        rule=EVERY_SUNDAY,
        now=clock.now(),
    )
    game_setup.open_game(db, "ackerwinde")
    for name in ("Anna", "Bert", "Cem"):
        address = f"{name.lower()}@example.org"
        language = "de" if name == "Cem" else "en"
        seat = game_setup.add_seat(
            db,
            installation.link_key,
            game="ackerwinde",
            name=name,
            address=address,
            language=language,
            welcome=True,
        )
        joining.say_ready(db, seat, clock.now())
    start(installation)


def play(
    db: Database, installation: Installation, frozen_time: Any, rounds: int, *, notes: bool = True
) -> None:
    """Anna orders, Bert passes, Cem is absent; the GM comments and extends."""
    for _ in range(rounds):
        game = store.games.existing(db, "ackerwinde")
        anna, bert, _ = store.seats.of_game(db, "ackerwinde")
        save_orders(db, game, anna, "1>A" if game.round == 1 else "pass")
        save_orders(db, game, bert, "pass")
        if notes and game.round == 2:
            game_setup.comment(db, "ackerwinde", "Schön gemacht", clock.now())
            lead.extend(db, "ackerwinde", (game.deadline or 0) + DAY, "a fair", clock.now())
        tick(installation)  # the receipts go out
        frozen_time.move_to(store.games.existing(db, "ackerwinde").deadline)
        tick(installation)


def record_bytes(db: Database) -> bytes:
    return msgspec.json.encode(record_of(db, store.games.existing(db, "ackerwinde")))
