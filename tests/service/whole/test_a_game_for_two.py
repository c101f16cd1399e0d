"""A second game that exactly two play: every door keeps to it, and says so in words."""

from typing import Any

import pytest

from gm import clock, store
from gm.games import create
from gm.installation import Installation
from gm.store.db import Database
from tests.dates import EVERY_SUNDAY
from tests.steps import bohnenpost, words

TWO = "This game is for exactly 2 players."


@pytest.fixture
def erbse(duo: None, installation: Installation, db: Database) -> None:
    """A game of it that takes seats."""
    create.new_game(
        db,
        game="erbse",
        name="Erbse",
        variant="duo",
        house_rules={},
        gm=("Uli", "uli@example.org"),
        rule=EVERY_SUNDAY,
        now=clock.now(),
    )
    create.open_game(db, "erbse")


def seat(installation: Installation, name: str, status: int = 0) -> str:
    address = f"{name.lower()}@example.org"
    return bohnenpost(
        "game",
        "seat",
        "erbse",
        "--name",
        name,
        "--address",
        address,
        home=installation.home,
        status=status,
    ).output


def test_commands_keep_to_two_seats(erbse: None, installation: Installation, db: Database) -> None:
    seat(installation, "Anna")
    assert (
        f"{TWO} There is 1 now."
        in bohnenpost("game", "start", "erbse", home=installation.home, status=2).output
    )
    for number in (1, 3):
        said = bohnenpost(
            "game", "change", "erbse", "--seats", number, home=installation.home, status=2
        ).output
        assert TWO in said
    bohnenpost("game", "change", "erbse", "--seats", 0, home=installation.home)
    assert store.games.existing(db, "erbse").seats == 2
    seat(installation, "Bert")
    assert f"All seats are taken. {TWO}" in seat(installation, "Cem", status=2)
    bohnenpost("game", "start", "erbse", home=installation.home)
    assert store.games.existing(db, "erbse").status == "running"


def test_the_page_for_joining_and_programs_say_for_how_many_it_is(
    erbse: None, installation: Installation, web: Any
) -> None:
    page = words(web.get("/p/erbse/join?lang=en"))
    assert TWO in page
    assert "0 of 2 seats taken" in page
    assert web.get("/api/v1/games/erbse").json["max_seats"] == 2
    seat(installation, "Anna")
    seat(installation, "Bert")
    form = {"name": "Cem", "address": "cem@example.org", "language": "en", "whole": "yes"}
    refused = web.post("/p/erbse/join?lang=en", data=form)
    assert refused.status_code == 409
    assert f"All seats are taken. {TWO}" in words(refused)
