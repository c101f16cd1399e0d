"""Seats as rows, whoever plays them; and links that open nothing any more."""

import pytest
from msgspec.structs import replace

from gm import store
from gm.clock import DAY
from gm.installation import Installation
from gm.store.db import Database, write
from gm.store.games import Game
from gm.store.seats import Played
from tests.dates import SUNDAY
from tests.steps import seat_game, start

ANNA = "anna@ackerwinde.example.org"


def test_seats_come_in_the_order_of_joining(db: Database, ackerwinde: Game) -> None:
    assert [(seat.number, seat.name) for seat in store.seats.of_game(db, "ackerwinde")] == [
        (1, "Anna"),
        (2, "Bert"),
        (3, "Cem"),
    ]
    with pytest.raises(LookupError, match="ackerwinde has no seat 4"):
        store.seats.numbered(db, "ackerwinde", 4)


def test_robots_take_seats_and_are_not_people(db: Database, ackerwinde: Game) -> None:
    with write(db):
        store.seats.update(db, "ackerwinde", 2, {"robot": 1, "address": None})
    assert store.seats.taken(db, ["ackerwinde"]) == {"ackerwinde": (3, 2)}
    assert [seat.name for seat in store.seats.people(store.seats.of_game(db, "ackerwinde"))] == [
        "Anna",
        "Cem",
    ]


def test_seats_of_an_address_are_found_however_it_is_spelled_in_games_that_are_not_over(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    seat_game(installation, "beinwell")
    with write(db):
        store.seats.update(db, "beinwell", 1, {"address": ANNA.upper()})
    assert [(seat.game, seat.name) for seat in store.seats.playing_at(db, ANNA)] == [
        ("ackerwinde", "Anna"),
        ("beinwell", "Anna"),
    ]
    with write(db):
        store.games.update(db, "ackerwinde", {"status": "finished", "deadline": None})
    assert [seat.game for seat in store.seats.playing_at(db, ANNA.title())] == ["beinwell"]


def test_each_link_of_a_seat_finds_it_and_no_other_kind_of_link_does(
    db: Database, ackerwinde: Game
) -> None:
    bert = store.seats.numbered(db, "ackerwinde", 2)
    assert store.seats.by_link(db, bert.link_hash) == bert
    assert store.seats.by_calendar(db, bert.calendar_hash) == bert
    assert store.seats.by_unsubscribe(db, bert.unsubscribe_hash) == bert
    assert (
        store.seats.by_link(db, bert.calendar_hash)
        is store.seats.by_calendar(db, bert.unsubscribe_hash)
        is None
    )


def test_a_seat_is_at_its_address_however_it_is_spelled_and_a_robot_at_none(
    db: Database, ackerwinde: Game
) -> None:
    anna = store.seats.numbered(db, "ackerwinde", 1)
    assert anna.is_at(ANNA.upper())
    assert not anna.is_at("bert@ackerwinde.example.org")
    assert not replace(anna, address=None).is_at("")


def test_who_took_over_a_seat_did_not_play_the_rounds_before(
    db: Database, ackerwinde: Game
) -> None:
    anna = store.seats.numbered(db, "ackerwinde", 1)
    heir = replace(anna, player="Dörte", player_since=SUNDAY)
    assert (anna.called, heir.called) == ("Anna", "Dörte")
    assert anna.was_played(0)
    assert [heir.was_played(at) for at in (SUNDAY - 1, SUNDAY, SUNDAY + 1)] == [False, False, True]


def test_who_plays_for_whom_depends_on_the_instant(db: Database, ackerwinde: Game) -> None:
    anna, bert, cem = store.seats.of_game(db, "ackerwinde")
    seats = [
        replace(anna, player="Dörte", player_since=SUNDAY),
        replace(bert, removed_at=SUNDAY + DAY),
        replace(cem, robot=1),
    ]
    robot = {"Cem": Played("robot")}
    assert store.seats.actual_players(seats, SUNDAY - 1) == robot
    assert store.seats.actual_players(seats, SUNDAY) == robot | {"Anna": Played("player", "Dörte")}
    assert store.seats.actual_players(seats, SUNDAY + DAY - 1).keys() == {"Anna", "Cem"}
    assert store.seats.actual_players(seats, SUNDAY + DAY) == store.seats.actual_players(seats)
    assert store.seats.actual_players(seats) == robot | {
        "Anna": Played("player", "Dörte"),
        "Bert": Played("stand_in"),
    }
    assert [seat.name for seat in store.seats.people(seats)] == ["Anna"]


def test_a_seat_is_removed_before_the_start(db: Database, installation: Installation) -> None:
    seat_game(installation)
    with write(db):
        store.seats.remove(db, "ackerwinde", 2)
    start(installation)
    assert [seat.name for seat in store.seats.of_game(db, "ackerwinde")] == ["Anna", "Cem"]


def test_what_is_known_of_a_dead_link_is_replaced_and_forgets_its_owner(
    db: Database, ackerwinde: Game
) -> None:
    anna = replace(store.seats.numbered(db, "ackerwinde", 1), player="Dörte", link_hash="h")
    with write(db):
        store.seats.bury(db, anna, "replaced", SUNDAY)
        number = store.seats.bury(db, anna, "removed", SUNDAY, " moved\n")
    found = store.seats.dead_link(db, number)
    assert found is not None
    assert found == store.seats.dead_link_by_hash(db, "h")
    assert (found.why, found.text, found.who) == ("removed", "moved", "Dörte")
    assert store.seats.dead_hashes(db) == {"h"}
    with write(db):
        store.seats.forget_who_had_links(db, "ackerwinde", "Anna")
    assert store.seats.dead_link(db, number) == replace(found, who="Anna")
    assert store.seats.dead_link_by_hash(db, "another") is None
