"""Who waits for the other player of a game for two can have them reminded."""

from typing import Any

import pytest

from gm import clock, store
from gm.clock import DAY
from gm.config import Config
from gm.games.reminding import remind_other
from gm.installation import Installation
from gm.mail import queue
from gm.service import close_due
from gm.store.db import Database, write
from gm.store.games import Game
from gm.store.seats import Seat
from tests.steps import seat_game, send, start, words


@pytest.fixture
def two(installation: Installation, db: Database) -> tuple[Seat, Seat]:
    """Who waits in a duel, and who is awaited."""
    seat_game(installation, "rainy", ("Anna", "Bert"), "duel")
    start(installation, "rainy")
    seats = store.seats.of_game(db, "rainy")
    awaited, waits = sorted(seats, key=lambda seat: not game_of(db).takes(seat.name))
    return waits, awaited


def game_of(db: Database) -> Game:
    return store.games.existing(db, "rainy")


def reminded(db: Database) -> list[int]:
    return [seat for (seat,) in db.execute("SELECT seat FROM mail WHERE kind = 'reminder'")]


def test_the_one_who_waits_has_a_button_for_one_mail_a_day(
    web: Any, installation: Installation, db: Database, two: tuple[Seat, Seat], frozen_time: Any
) -> None:
    waits, awaited = two
    link = installation.path("seat", "rainy", waits.name, 1)
    button = f"Remind {awaited.name}"
    assert button in words(web.get(f"{link}?lang=en"))
    for _ in range(2):
        assert send(web, f"{link}/remind?lang=en", [("whole", "yes")]).status_code == 303
    assert reminded(db) == [awaited.number]
    page = words(web.get(f"{link}?lang=en"))
    assert button not in page
    assert f"You can remind {awaited.name} again from Sat 21 November 2026, 13:00 CET on." in page
    frozen_time.shift(DAY)
    send(web, f"{link}/remind?lang=en", [("whole", "yes")])
    assert reminded(db) == [awaited.number] * 2


@pytest.mark.parametrize("why", ["no reminders", "robot", "deadline passed", "own turn"])
def test_nobody_is_reminded_who_wants_none_or_is_not_awaited(
    db: Database, two: tuple[Seat, Seat], why: str
) -> None:
    waits, awaited = two
    with write(db):
        if why == "no reminders":
            store.seats.update(db, "rainy", awaited.number, {"reminder_leads": "[]"})
        elif why == "robot":
            store.seats.update(db, "rainy", awaited.number, {"robot": 1, "address": None})
        elif why == "deadline passed":
            store.games.update(db, "rainy", {"deadline": clock.now()})
    asks = awaited if why == "own turn" else waits
    assert not remind_other(db, "rainy", asks, clock.now())
    assert reminded(db) == []


def test_in_a_game_for_more_than_two_nobody_is_reminded_by_others(
    web: Any, db: Database, link: dict[str, str], ackerwinde: Game
) -> None:
    assert send(web, f"{link['Anna']}/remind", [("whole", "yes")]).status_code == 303
    close_due(db, Config(), 0)
    assert reminded(db) == []


def test_the_button_does_not_tell_whether_the_other_player_wants_reminders(
    web: Any, installation: Installation, db: Database, two: tuple[Seat, Seat], frozen_time: Any
) -> None:
    waits, awaited = two
    link = installation.path("seat", "rainy", waits.name, 1)

    def pages() -> list[str]:
        shown = [words(web.get(f"{link}?lang=en"))]
        send(web, f"{link}/remind?lang=en", [("whole", "yes")])
        return [*shown, words(web.get(f"{link}?lang=en"))]

    with write(db):
        store.seats.update(db, "rainy", awaited.number, {"reminder_leads": "[]"})
    off = pages()
    assert reminded(db) == []
    with write(db):
        store.seats.update(db, "rainy", awaited.number, {"reminder_leads": "[7200]"})
        db.execute("DELETE FROM meta WHERE key LIKE 'reminder asked %'")
        by_itself = queue.Event(kind="reminder", lead=1, deadline=0)
        queue.put(db, "rainy", 1, by_itself, [awaited], clock.now())
    assert pages() == off
