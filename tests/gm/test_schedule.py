"""Deadlines in local wall time, right over both changes of the clocks."""

from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from gm.schedule import Rule, next_deadline


def stamp(text: str, zone: str = "UTC", fold: int = 0) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold).timestamp())


def rule(
    days: tuple[int, ...] = (6,), at: str = "20:00", zone: str = "Europe/Berlin", weeks: int = 1, since: str = "2026-01-05"
) -> Rule:
    return Rule(days, time.fromisoformat(at), zone, weeks, date.fromisoformat(since))


def test_sunday_eight_stays_sunday_eight_in_summer_and_winter() -> None:
    assert next_deadline(rule(), stamp("2026-03-22T20:00", "Europe/Berlin")) == stamp("2026-03-29T20:00", "Europe/Berlin")
    assert next_deadline(rule(), stamp("2026-10-18T20:00", "Europe/Berlin")) == stamp("2026-10-25T20:00", "Europe/Berlin")
    spring = next_deadline(rule(), stamp("2026-03-22T20:00", "Europe/Berlin")) - stamp("2026-03-22T20:00", "Europe/Berlin")
    assert spring == 7 * 86400 - 3600


def test_a_time_that_is_skipped_is_moved_on() -> None:
    assert next_deadline(rule(at="02:30"), stamp("2026-03-28T12:00")) == stamp("2026-03-29T03:30", "Europe/Berlin")


def test_a_time_that_comes_twice_is_taken_once_the_first_time() -> None:
    first = next_deadline(rule(at="02:30"), stamp("2026-10-24T12:00"))
    assert first == stamp("2026-10-25T02:30", "Europe/Berlin", fold=0)
    assert next_deadline(rule(at="02:30"), first) == stamp("2026-11-01T02:30", "Europe/Berlin")


def test_several_weekdays_and_every_other_week() -> None:
    both = rule(days=(2, 5), weeks=2, since="2026-11-16")
    found, at = [], stamp("2026-11-16T00:00")
    for _ in range(4):
        at = next_deadline(both, at)
        found.append(datetime.fromtimestamp(at, UTC).date().isoformat())
    assert found == ["2026-11-18", "2026-11-21", "2026-12-02", "2026-12-05"]


def test_a_deadline_is_later_than_the_moment_asked_for() -> None:
    sunday = stamp("2026-11-22T20:00", "Europe/Berlin")
    assert next_deadline(rule(), sunday - 1) == sunday
    assert next_deadline(rule(), sunday) == sunday + 7 * 86400


@pytest.mark.parametrize(
    "zone",
    ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Africa/Casablanca", "America/St_Johns",
     "Pacific/Chatham", "Europe/Dublin", "America/Sao_Paulo", "Asia/Tehran", "Pacific/Apia", "Antarctica/Troll"],
)  # fmt: skip
def test_every_day_has_one_deadline_over_every_change_of_the_clocks(zone: str) -> None:
    for at in ("00:00", "00:30", "02:30", "23:59"):
        daily = rule(days=(0, 1, 2, 3, 4, 5, 6), at=at, zone=zone, since="2023-12-25")
        moment, end, days = stamp("2024-01-01T12:00"), stamp("2027-01-01T12:00"), []
        while (moment := next_deadline(daily, moment)) < end:
            days.append(moment)
        gaps = {after - before for before, after in pairwise(days)}
        assert min(gaps) >= 86400 - 2 * 3600
        assert max(gaps) <= 86400 + 2 * 3600
        assert abs(len(days) - (datetime(2027, 1, 1, tzinfo=UTC) - datetime(2024, 1, 1, tzinfo=UTC)) / timedelta(1)) <= 1
