"""Time zones: only real names are taken, and one that another machine does not know takes no
page down but its own game's.
"""

import zoneinfo
from typing import Any

import pytest

from gm import store
from gm.calendar import read_zone
from gm.installation import Installation
from gm.service import tick
from gm.store.db import Database, write
from gm.store.games import Game
from tests.dates import SUNDAY
from tests.steps import bohnenpost, seat_game, sign_in, start

ODD = (
    "right/Europe/Berlin",
    "posix/Europe/Berlin",
    "localtime",
    "Factory",
    "posixrules",
    "europe/berlin",
    "../etc/passwd",
    "",
    "Berlin",
)


@pytest.mark.parametrize("zone", ODD)
def test_only_real_names_of_zones_are_taken(
    installation: Installation, ackerwinde: Game, zone: str
) -> None:
    who = ("--gm", "Uli", "--gm-address", "uli@example.org")
    for line in (
        ("game", "new", "beinwell", *who, "--on", "sun", "--zone", zone),
        ("game", "change", "ackerwinde", "--zone", zone),
        *([("game", "deadlines", "--on", "sun", "--show-in", zone)] if zone else []),
    ):
        assert "zone" in bohnenpost(*line, home=installation.home, status=2).output
    for good in ("Europe/Berlin", "UTC", "Asia/Kathmandu", "Europe/Kyiv"):
        bohnenpost("game", "deadlines", "--on", "sun", "--zone", good, home=installation.home)


UNKNOWN = {
    "zone": "UPDATE game SET rule = replace(rule, 'Europe/Berlin', 'Europe/Utopia') WHERE id = 'beinwell'"
}
UNKNOWN["variant"] = "UPDATE game SET variant = 'atlantis' WHERE id = 'beinwell'"


@pytest.mark.parametrize(("what", "name"), [("zone", "Europe/Utopia"), ("variant", "atlantis")])
def test_a_game_of_another_machine_is_unreadable_alone(
    installation: Installation,
    db: Database,
    ackerwinde: Game,
    frozen_time: Any,
    web: Any,
    what: str,
    name: str,
) -> None:
    seat_game(installation, "beinwell")
    start(installation, "beinwell")
    uli = sign_in(installation, db)
    for game in ("ackerwinde", "beinwell"):
        bohnenpost("game", "master", game, "uli@example.org", home=installation.home)
    with write(db):
        db.execute(UNKNOWN[what])
    for path in (
        "/",
        "/table",
        "/zine",
        "/opens",
        "/my-games",
        "/api/v1/games",
        "/p/ackerwinde",
        "/healthz",
    ):
        answer = web.get(path)
        assert answer.status_code == 200, path
        assert "beinwell" not in answer.text, path
    desk = uli.get("/desk?lang=en")
    assert desk.status_code == 200
    assert "beinwell" in desk.text
    assert name in desk.text
    listed = bohnenpost("game", "list", home=installation.home).output
    assert "ackerwinde" in listed
    found = bohnenpost("doctor", home=installation.home, status=1).output
    assert "beinwell" in found
    assert name in found
    frozen_time.move_to(SUNDAY)
    tick(installation)
    assert store.games.existing(db, "ackerwinde").round == 2
    for door in (installation.path("seat", "beinwell", "Anna", 1), "/p/beinwell"):
        answer = web.get(door)
        assert answer.status_code == 500
        assert "Traceback" not in answer.text
    assert name in bohnenpost("game", "show", "beinwell", home=installation.home, status=3).output


def test_every_zone_that_is_known_to_all_is_taken_and_can_be_used() -> None:
    for zone in zoneinfo.available_timezones() - {"Factory", "localtime"}:
        zoneinfo.ZoneInfo(read_zone(zone))
