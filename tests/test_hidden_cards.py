"""A card that nobody has seen is in nothing that anybody can get while a game runs: of every
variant found by folder.
"""

from typing import Any

import pytest

from gm import clock, store
from gm.config import Config
from gm.games import create
from gm.installation import Installation
from gm.people import following, my_games
from gm.service import close_due, submit
from gm.store.db import Database, write
from rounds.engine.variant import find, names
from tests.dates import EVERY_SUNDAY
from tests.doors import doors, exchanged
from tests.steps import sign_in

CAST = ("Anna", "Bert", "Cem")


@pytest.mark.parametrize("variant", names())
def test_a_card_that_nobody_has_seen_changes_nothing_that_anybody_gets(
    variant: str,
    installation: Installation,
    db: Database,
    frozen_time: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two cards at the bottom of the draw pile are exchanged behind the back of a running game."""
    engine = find(variant)
    cast = CAST[: min(len(CAST), engine.seats[-1])]
    create.new_game(
        db,
        game="probe",
        name="Probe",
        variant=variant,
        house_rules={},
        gm=("Uli", "uli@example.org"),
        rule=EVERY_SUNDAY,
        now=clock.now(),
    )
    create.open_game(db, "probe")
    for name in cast:
        create.add_seat(
            db,
            installation.link_key,
            game="probe",
            name=name,
            address=f"{name.lower()}@example.org",
            language="de",
        )
    following.ask(db, store.games.existing(db, "probe"), "doerte@example.org", "en", clock.now())
    (asked,) = store.requests.followings_of(db, "doerte@example.org")
    following.confirm(db, asked, clock.now())
    create.start_game(db, "probe", clock.now())
    for is_last in (False, False, True):
        game = store.games.existing(db, "probe")
        table = store.rounds.open_table(db, game)
        for seat in store.seats.of_game(db, "probe"):
            if game.takes(seat.name):
                submit(
                    db,
                    game,
                    seat,
                    game.round,
                    engine.robot(engine.view(table, seat.name)),
                    by="seat",
                )
        if not is_last:
            assert game.deadline is not None
            frozen_time.move_to(game.deadline)
            assert close_due(db, Config(), game.deadline)
    with write(db):  # those that give way to a report are looked at as well
        db.execute("UPDATE mail SET withdrawn_at = NULL WHERE kind = 'receipt'")
    for name in cast:
        my_games.send_my_games(db, installation, f"{name.lower()}@example.org", clock.now())
    uli, game, inner = (
        sign_in(installation, db),
        store.games.existing(db, "probe"),
        store.rounds.chance(db, store.games.existing(db, "probe")),
    )
    cards, before = store.rounds.deck(game).shuffled(inner), store.rounds.open_table(db, game)
    last = len(cards) - 1
    other = max(place for place in range(last) if cards[place] != cards[last])

    def seen() -> dict[str, dict[str, bytes]]:
        return {
            name: dict(
                doors(
                    installation,
                    db,
                    uli,
                    "probe",
                    name,
                    ((("pass", "yes"),),),
                    ("pass", "1", "beans"),
                )
            )
            for name in cast
        }

    shown = seen()
    monkeypatch.setattr("gm.store.rounds._chance", lambda *_: exchanged(inner, other, last))
    assert store.rounds.open_table(db, game) != before  # they do lie otherwise now
    again = seen()
    assert [
        (name, door)
        for name in cast
        for door in shown[name]
        if again[name][door] != shown[name][door]
    ] == []
    found = {door.split()[0] for door in shown["Anna"]}
    assert {"start", "report", "receipt", "follow_report", "my_games"} <= found
    assert {"m", "z"} <= {door.split("/")[1] for door in found if door.startswith("/")}
