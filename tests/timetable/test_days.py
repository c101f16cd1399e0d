"""A day is a day of the calendar, also where the clocks change: the time of day stays."""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pytest
from msgspec.structs import replace

from gm import store
from gm.calendar import Rule, next_deadline, past_days
from gm.clock import HOUR
from gm.errors import Refusal
from gm.games import changes, several
from gm.installation import Installation
from gm.store.db import Database
from gm.store.games import Game
from gm.timetable import extending
from tests.dates import NOW
from tests.steps import bohnenpost, desk_act, seat_game, sign_in, start

CHANGES = {
    "Europe/Berlin": ("2026-10-25", "2027-03-28"),
    "Europe/Dublin": ("2026-10-25", "2027-03-28"),
    "America/New_York": ("2026-11-01", "2027-03-14"),
    "Australia/Lord_Howe": ("2026-10-04", "2027-04-04"),
    "Africa/Casablanca": ("2026-02-15", "2027-03-14"),
}
"""Days on which clocks change, in both directions."""


def instant(zone: str, wall: str) -> int:
    return int(datetime.fromisoformat(wall).replace(tzinfo=ZoneInfo(zone)).timestamp())


def wall(zone: str, at: int) -> datetime:
    return datetime.fromtimestamp(at, ZoneInfo(zone)).replace(tzinfo=None)


def with_deadline(game: Game, zone: str, at: int) -> Game:
    rule = msgspec.json.encode(replace(game.schedule, zone=zone)).decode()
    return replace(game, rule=rule, deadline=at, scheduled_deadline=at)


@pytest.mark.parametrize(
    ("zone", "day"), [(zone, day) for zone, days in CHANGES.items() for day in days]
)
@pytest.mark.parametrize("time", ["20:00:00", "00:00:00", "12:34:56"])
def test_the_time_of_day_stays_whatever_number_of_days_a_deadline_moves(
    ackerwinde: Game, zone: str, day: str, time: str
) -> None:
    regular = f"{date.fromisoformat(day) - timedelta(1)}T{time}"
    game = with_deadline(ackerwinde, zone, instant(zone, regular))
    assert wall(zone, instant(zone, regular)).isoformat() == regular
    for days in range(29):
        moved = extending.wished(game, days=days)
        assert wall(zone, moved) == datetime.fromisoformat(regular) + timedelta(days)
        if time.endswith(":00"):
            to = f"{wall(zone, moved):%Y-%m-%d}"
            assert extending.wished(game, to=to) == moved
            assert extending.wished(game, to=f"{to} {time[:5]}") == moved


@pytest.mark.parametrize(
    ("zone", "regular"),
    [
        ("Europe/Berlin", "2026-10-18T02:30"),
        ("Europe/Berlin", "2027-03-21T02:30"),
        ("Europe/Dublin", "2026-10-18T01:30"),
        ("America/New_York", "2027-03-07T02:30"),
        ("Australia/Lord_Howe", "2026-09-27T02:15"),
        ("Australia/Lord_Howe", "2027-03-28T01:45"),
        ("Africa/Casablanca", "2027-03-07T02:30"),
    ],
)
def test_an_hour_that_is_skipped_or_comes_twice_is_said(
    ackerwinde: Game, zone: str, regular: str
) -> None:
    game = with_deadline(ackerwinde, zone, instant(zone, regular))
    with pytest.raises(Refusal) as caught:
        extending.wished(game, days=7)
    assert (caught.value.code, caught.value.values["zone"]) == ("doubtful", zone)
    neighbours: Any = caught.value.values["neighbours"]
    assert len({*neighbours}) == 2


def move(door: str, installation: Installation, db: Database) -> None:
    if door == "command":
        bohnenpost("game", "extend", "acker", "--days", "7", home=installation.home)
    elif door == "desk":
        uli = sign_in(installation, db)
        assert (
            desk_act(uli, "extend", ("round", "1"), ("days", "7"), game="acker").status_code == 303
        )
    else:
        seen = {"acker": several.seen(store.games.existing(db, "acker"))}
        uli_asks = several.Sender("uli@example.org", "Uli")
        asked = several.Asked("later", days=7)
        several.ask(db, asked, seen, uli_asks, int(datetime.now(UTC).timestamp()), token="x")
        assert several.go_on(db, int(datetime.now(UTC).timestamp()))


@pytest.mark.parametrize("door", ["command", "desk", "act"])
def test_a_week_more_ends_at_the_same_hour_through_every_door(
    installation: Installation, db: Database, frozen_time: Any, door: str
) -> None:
    frozen_time.move_to(instant("Europe/Berlin", "2027-10-20T12:00"))
    seat_game(installation, "acker")
    start(installation, "acker")
    deadline = store.games.existing(db, "acker").deadline or 0
    assert wall("Europe/Berlin", deadline).isoformat() == "2027-10-24T20:00:00"
    move(door, installation, db)
    moved = store.games.existing(db, "acker").deadline or 0
    assert wall("Europe/Berlin", moved).isoformat() == "2027-10-31T20:00:00"


def test_twenty_eight_days_are_not_too_many_where_a_day_has_twenty_five_hours(
    installation: Installation, db: Database, frozen_time: Any
) -> None:
    frozen_time.move_to(instant("Europe/Berlin", "2027-10-20T12:00"))
    seat_game(installation, "acker")
    start(installation, "acker")
    bohnenpost("game", "extend", "acker", "--days", "28", home=installation.home)
    moved = store.games.existing(db, "acker").deadline or 0
    assert wall("Europe/Berlin", moved).isoformat() == "2027-11-21T20:00:00"


DAYS_OUT = [
    # hours, begins, days left out, ends
    (48, "2026-12-23T20:00", [], "2026-12-25T20:00"),
    (48, "2026-12-23T20:00", ["24", "25", "26"], "2026-12-28T20:00"),
    (48, "2026-12-23T20:00", ["26", "27"], "2026-12-25T20:00"),
    (48, "2026-12-24T15:00", ["24", "25"], "2026-12-28T15:00"),
    (1, "2026-12-24T23:30", ["25"], "2026-12-26T00:30"),
]


@pytest.mark.parametrize(("hours", "begins", "days", "ends"), DAYS_OUT)
def test_the_clock_of_a_game_without_a_calendar_stands_still_on_days_left_out(
    hours: int, begins: str, days: list[str], ends: str
) -> None:
    zone = "Europe/Berlin"
    left_out = tuple(date(2026, 12, int(day)) for day in days)
    rule = Rule((), datetime.min.time(), zone, 1, date.min, left_out, hours=hours)
    after = next_deadline(rule, instant(zone, begins)) or 0
    assert wall(zone, after).isoformat() == f"{ends}:00"


def test_days_left_out_keep_the_time_of_day_where_the_clocks_change() -> None:
    zone, days = "Europe/Berlin", [date(2026, 10, 24), date(2026, 10, 25)]
    ends = past_days(
        instant(zone, "2026-10-23T02:30"), instant(zone, "2026-10-24T02:30"), days, zone
    )
    assert wall(zone, ends).isoformat() == "2026-10-26T02:30:00"


def test_a_deadline_never_moves_onto_a_day_that_is_left_out_already(
    installation: Installation, db: Database
) -> None:
    seat_game(installation, "duell", ("Anna", "Bert"), "duel")
    changes.change(db, ["duell"], changes.Wish(hours=48), "", NOW)
    start(installation, "duell")
    zone = "Europe/Berlin"
    last = wall(zone, store.games.existing(db, "duell").deadline or 0).date()
    for day in (last + timedelta(1), last):
        changes.change(db, ["duell"], changes.Wish(more_left_out=(day,)), "", NOW)
    moved = store.games.existing(db, "duell").deadline or 0
    assert wall(zone, moved).date() == last + timedelta(2)


def test_a_holiday_holds_in_a_duel_and_is_put_back(
    installation: Installation, db: Database, frozen_time: Any
) -> None:
    seat_game(installation, "duell", ("Anna", "Bert"), "duel")
    changes.change(db, ["duell"], changes.Wish(hours=48), "", NOW)
    start(installation, "duell")
    before = store.games.existing(db, "duell").deadline or 0
    zone = "Europe/Berlin"
    days = tuple(wall(zone, NOW).date() + timedelta(ahead) for ahead in range(7))
    out = changes.Wish(more_left_out=days)
    assert changes.change(db, ["duell"], out, "Holiday week", NOW) == ["duell"]
    game = store.games.existing(db, "duell")
    assert wall(zone, game.deadline or 0) == wall(zone, before) + timedelta(7)
    assert len(store.mails.after(db, 0)) > 0
    after = next_deadline(game.schedule, NOW + 3 * HOUR) or 0
    assert wall(zone, after).date() > days[-1]
    changes.change(db, ["duell"], changes.Wish(put_back=days), "", NOW + HOUR)
    assert store.games.existing(db, "duell").deadline == before
