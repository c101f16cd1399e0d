"""The clock: whole UTC seconds, written one way, and a second clock that nobody sets."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
import time_machine

from gm import clock


@pytest.mark.parametrize(
    ("instant", "text"),
    [
        (0, "1970-01-01T00:00:00Z"),
        (-1, "1969-12-31T23:59:59Z"),
        (1795374000, "2026-11-22T19:00:00Z"),
        (1774745999, "2026-03-29T00:59:59Z"),  # the clocks in Berlin go forward in a second
        (1774746000, "2026-03-29T01:00:00Z"),
        (951782400, "2000-02-29T00:00:00Z"),
        (253402300799, "9999-12-31T23:59:59Z"),
    ],
)
def test_an_instant_is_written_in_utc_whatever_the_season(instant: int, text: str) -> None:
    assert clock.written(instant) == text


@pytest.fixture(params=["UTC", "Asia/Tokyo", "America/St_Johns"])
def zone(request: pytest.FixtureRequest) -> Iterator[None]:
    """A machine somewhere else."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", request.param)
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("zone")
def test_the_zone_of_the_machine_changes_nothing() -> None:
    assert clock.written(1795374000) == "2026-11-22T19:00:00Z"
    with time_machine.travel(datetime(2026, 11, 22, 19, 0, tzinfo=UTC), tick=False):
        assert clock.now() == 1795374000


@pytest.mark.parametrize("offset", [-11, 0, 1, 14])
def test_now_is_one_instant_in_every_zone(offset: int) -> None:
    moment = datetime(2026, 11, 22, 19, 0, 0, 999_999, tzinfo=UTC)
    with time_machine.travel(moment.astimezone(timezone(timedelta(hours=offset))), tick=False):
        assert clock.now() == 1795374000


def test_now_is_a_whole_number(frozen_time: Any) -> None:
    assert isinstance(clock.now(), int)
    assert clock.written(clock.now()) == "2026-11-20T12:00:00Z"


def test_the_second_clock_is_not_set_with_the_first() -> None:
    before = clock.boot()
    with time_machine.travel(datetime(2030, 1, 1, tzinfo=UTC), tick=False):
        assert clock.now() == 1893456000
    assert 0 <= before <= clock.boot()


def test_the_second_clock_is_the_one_of_the_machine() -> None:
    uptime = Path("/proc/uptime")
    if not uptime.exists():
        pytest.skip("this system tells no uptime")
    before, told, after = clock.boot(), float(uptime.read_text().split()[0]), clock.boot()
    assert before - 1 <= told <= after + 1


def test_the_start_of_the_machine_has_one_name() -> None:
    assert clock.boot_id() == clock.boot_id()
    assert clock.boot_id() == clock.boot_id().strip()


def test_an_hour_and_a_day_are_in_seconds() -> None:
    assert (clock.HOUR, clock.DAY) == (3600, 86400)
