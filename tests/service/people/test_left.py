"""A player who leaves a running game: its masters hear of it until the seat is filled, and in a
game of two the other does.
"""

from typing import Any

import pytest

from gm import clock, store
from gm.games import lead
from gm.installation import Installation
from gm.people import joining, masters, seating
from gm.service import tick_mail
from gm.store.db import Database
from gm.store.games import Game
from tests.steps import bohnenpost, seat_game, sign_in, start


def leave(db: Database, name: str, game: str = "ackerwinde") -> None:
    seating.forget(db, seating.seat_named(db, game, name), clock.now())


def queued(db: Database, kind: str) -> list[str]:
    """Whom mails of a kind go to."""
    return [
        to
        for (to,) in db.execute(
            "SELECT address FROM mail WHERE kind = ? AND withdrawn_at IS NULL", [kind]
        )
    ]


@pytest.fixture
def uli(installation: Installation, db: Database, ackerwinde: Game) -> Any:
    """The game's master, signed in at the desk."""
    browser = sign_in(installation, db)
    masters.add_master(db, "ackerwinde", "uli@example.org")
    return browser


def test_the_masters_are_mailed_with_their_standby_list(
    installation: Installation, db: Database, uli: Any
) -> None:
    joining.stand_by(db, "emil@example.org", "Emil", "de", clock.now(), "uli@example.org")
    leave(db, "Cem")
    assert queued(db, "gone") == ["uli@example.org"]
    tick_mail(installation, clock.now())
    (file,) = installation.mail_folder.glob("*-gone-*.eml")
    text = file.read_text(encoding="utf-8")
    assert "Cem has left the game Ackerwinde." in text
    assert "Emil, emil@example.org" in text
    assert "/z/" not in text


def test_it_is_to_be_done_until_the_seat_is_filled_or_the_game_over(
    db: Database, installation: Installation, uli: Any
) -> None:
    said = "Cem has left; the stand-in plays until you give the seat to somebody."
    assert said not in uli.get("/desk?lang=en").text
    leave(db, "Cem")
    joining.stand_by(db, "emil@example.org", "Emil", "de", clock.now(), "uli@example.org")
    desk = uli.get("/desk?lang=en").text
    assert said in desk
    assert "Emil (emil@example.org)" in desk
    new = ("--player", "Emil", "--address", "emil@example.org", "--drop-orders")
    bohnenpost("game", "replace", "ackerwinde", "Cem", *new, home=installation.home)
    assert said not in uli.get("/desk?lang=en").text
    leave(db, "Cem")
    assert said in uli.get("/desk?lang=en").text
    lead.abort(db, "ackerwinde", "enough", clock.now())
    assert said not in uli.get("/desk?lang=en").text


def test_a_seat_that_its_master_took_away_is_nothing_to_be_done(db: Database, uli: Any) -> None:
    seating.remove_seat(db, "ackerwinde", "Cem", "", clock.now())
    assert store.seats.left(db, ["ackerwinde"]) == []
    assert queued(db, "gone") == []


@pytest.mark.parametrize("variant", ["postal", "duel"])
@pytest.mark.parametrize("by_gm", [False, True])
def test_in_a_game_of_two_the_other_is_told(
    installation: Installation, db: Database, variant: str, by_gm: bool
) -> None:
    seat_game(installation, "beinwell", players=("Anna", "Bert"), variant=variant)
    start(installation, "beinwell")
    if by_gm:
        seating.remove_seat(db, "beinwell", "Anna", "", clock.now())
    else:
        leave(db, "Anna", "beinwell")
    assert queued(db, "news") == ["bert@beinwell.example.org"]
    tick_mail(installation, clock.now())
    (file,) = installation.mail_folder.glob("*-news-seat2.eml")
    assert "nobody plays for Anna any more" in file.read_text(encoding="utf-8")


def test_in_a_larger_game_the_others_read_it_in_the_report(db: Database, ackerwinde: Game) -> None:
    leave(db, "Anna")
    assert queued(db, "news") == []
