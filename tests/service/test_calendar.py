"""Deadlines in local wall time, right over both changes of the clocks."""

from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo, available_timezones

import pytest

from gm import calendar
from gm.calendar import Rule, read_weekdays
from gm.errors import Refusal


def stamp(text: str, zone: str = "UTC", fold: int = 0) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold).timestamp())


def next_deadline(at: Rule, after: int) -> int:
    due = calendar.next_deadline(at, after)
    assert due is not None
    return due


def rule(
    days: tuple[int, ...] = (6,),
    at: str = "20:00",
    zone: str = "Europe/Berlin",
    weeks: int = 1,
    since: str = "2026-01-05",
) -> Rule:
    return Rule(days, time.fromisoformat(at), zone, weeks, date.fromisoformat(since))


def test_sunday_eight_stays_sunday_eight_in_summer_and_winter() -> None:
    assert next_deadline(rule(), stamp("2026-03-22T20:00", "Europe/Berlin")) == stamp(
        "2026-03-29T20:00", "Europe/Berlin"
    )
    assert next_deadline(rule(), stamp("2026-10-18T20:00", "Europe/Berlin")) == stamp(
        "2026-10-25T20:00", "Europe/Berlin"
    )
    spring = next_deadline(rule(), stamp("2026-03-22T20:00", "Europe/Berlin")) - stamp(
        "2026-03-22T20:00", "Europe/Berlin"
    )
    assert spring == 7 * 86400 - 3600


def test_a_time_that_is_skipped_is_moved_on() -> None:
    assert next_deadline(rule(at="02:30"), stamp("2026-03-28T12:00")) == stamp(
        "2026-03-29T03:30", "Europe/Berlin"
    )


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


def changes(zone: str, first: int, last: int) -> list[date]:
    """The days of these years on which the clocks of a zone change."""
    there = ZoneInfo(zone)
    days = [
        date(first, 1, 1) + timedelta(n)
        for n in range((date(last + 1, 1, 1) - date(first, 1, 1)).days)
    ]
    offsets = [datetime.combine(day, time(12), there).utcoffset() for day in days]
    return [
        day
        for day, before, after in zip(days[1:], offsets, offsets[1:], strict=False)
        if before != after
    ]


@pytest.mark.long
@pytest.mark.parametrize("part", range(6))
def test_every_zone_over_every_change_of_its_clocks_from_2024_to_2035(part: int) -> None:
    """Daily deadlines around each change: one a day, at the time on the wall, moved on in a gap,
    the first of two in a fold.
    """
    walked = 0
    for zone in sorted(available_timezones())[part::6]:
        there = ZoneInfo(zone)
        for day in changes(zone, 2024, 2035):
            for at in (
                time(0, 0),
                time(0, 30),
                time(1, 30),
                time(2, 30),
                time(3, 0),
                time(20, 0),
                time(23, 59),
            ):
                daily = Rule((0, 1, 2, 3, 4, 5, 6), at, zone, 1, date(2023, 1, 2))
                moment = int(datetime.combine(day - timedelta(3), time(12), UTC).timestamp())
                seen: list[int] = []
                while len(seen) < 5:
                    due = next_deadline(daily, moment)
                    assert due > moment
                    wall = datetime.fromtimestamp(due, UTC).astimezone(there)
                    meant = wall.replace(hour=at.hour, minute=at.minute, fold=0)
                    # a gap: the clock never showed that time, or the day before ran over midnight
                    if wall.time() != at:
                        near = [
                            datetime.combine(wall.date() - timedelta(n), at, there) for n in (0, 1)
                        ]
                        assert any(int(candidate.timestamp()) == due for candidate in near)
                    else:
                        assert int(meant.timestamp()) == due
                    seen.append(due)
                    moment = due
                assert all(86400 - 2 * 3600 <= b - a <= 2 * 86400 for a, b in pairwise(seen))
                walked += 1
    assert walked > 1000


def test_days_left_out_and_weeks_between() -> None:
    holidays = Rule(
        (6,),
        time(20),
        "Europe/Berlin",
        1,
        date(2026, 12, 1),
        left_out=(date(2026, 12, 27), date(2027, 1, 3)),
    )
    found = [
        datetime.fromtimestamp(at, UTC).date().isoformat()
        for at in calendar.coming(holidays, stamp("2026-12-10T00:00"), 4)
    ]
    assert found == ["2026-12-13", "2026-12-20", "2027-01-10", "2027-01-17"]


def test_a_round_lasts_its_shortest_length_at_least() -> None:
    weekly = Rule((6,), time(20), "Europe/Berlin", 1, date(2026, 11, 16), shortest=48)
    sunday = stamp("2026-11-22T20:00", "Europe/Berlin")
    assert calendar.deadline_of_round(weekly, sunday - 48 * 3600) == sunday
    assert calendar.deadline_of_round(weekly, sunday - 48 * 3600 + 1) == sunday + 7 * 86400


def test_by_hand_there_is_no_deadline() -> None:
    assert calendar.next_deadline(Rule((), time(20), "UTC", 1, date(2026, 1, 1)), 0) is None
    assert calendar.coming(Rule((), time(20), "UTC", 1, date(2026, 1, 1)), 0) == []


def test_a_calendar_without_a_day_in_four_hundred_ends_by_itself() -> None:
    never = Rule(
        (6,), time(20), "UTC", 52, date(2026, 1, 4), left_out=(date(2026, 1, 4), date(2027, 1, 3))
    )
    assert calendar.next_deadline(never, stamp("2026-01-01T00:00")) is None


@pytest.mark.parametrize(
    "words", [["sun;wed"], ["sonntag"], ["su"], ["sunx"], [""], ["mon", "tue wed"], ["wednes-day"]]
)
def test_a_word_that_is_no_weekday_is_refused_whole(words: list[str]) -> None:
    with pytest.raises(Refusal, match="bad_weekday"):
        read_weekdays(words)


def test_weekdays_are_read_from_three_letters_on() -> None:
    assert read_weekdays(["Sun", "wednesday", " THURS "]) == (2, 3, 6)
