"""Limits: how often is too often, for which machine, and when counting begins anew."""

import pytest
from flask import Flask

from gm.web import limits
from gm.web.limits import Limit, is_too_often, machine, new_limits


class Clock:
    """Seconds of our own."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


def times(limit: Limit, who: str, count: int) -> list[bool]:
    return [limit.is_reached(who) for _ in range(count)]


def test_so_many_are_allowed_and_one_more_is_too_many() -> None:
    assert times(Limit(3, 10, Clock()), "192.0.2.1", 5) == [False, False, False, True, True]


def test_where_nothing_is_allowed_the_first_is_too_many() -> None:
    assert times(Limit(0, 10, Clock()), "192.0.2.1", 1) == [True]


def test_every_machine_is_counted_by_itself() -> None:
    limit = Limit(1, 10, Clock())
    assert [
        limit.is_reached(who) for who in ("192.0.2.1", "192.0.2.2", "192.0.2.1", "192.0.2.2")
    ] == [False, False, True, True]


@pytest.mark.parametrize(
    ("later", "forgotten"), [(0.0, False), (9.999, False), (10.0, True), (3600.0, True)]
)
def test_with_the_next_window_counting_begins_anew(later: float, forgotten: bool) -> None:
    clock = Clock()
    limit = Limit(1, 10, clock)
    assert times(limit, "192.0.2.1", 2) == [False, True]
    clock.seconds += later
    assert limit.is_reached("192.0.2.1") is not forgotten


def test_more_machines_than_can_be_remembered_are_counted_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "MOST_KEYS", 3)
    limit = Limit(1, 10, Clock())
    assert times(limit, "one", 2) == [False, True]
    assert [limit.is_reached(who) for who in ("two", "three", "four")] == [False, False, False]
    assert times(limit, "one", 2) == [False, True]


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("127.0.0.1", "127.0.0.1"),
        ("::1", "::1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:DB8:1:2::7", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::7", "2001:db8:1:3::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("fe80::1%eth0", "fe80::/64"),
        ("unix:", ""),
        ("192.0.2.1:8080", "192.0.2.1"),
        ("", ""),
    ],
)
def test_a_machine_of_the_sixth_version_is_counted_as_its_network(
    address: str, counted: str
) -> None:
    assert machine(address) == counted


def test_every_process_has_limits_of_its_own() -> None:
    one, other = new_limits(), new_limits()
    assert {what: (limit.most, limit.seconds) for what, limit in one.items()} == {
        "guess": (100, 600),
        "form": (300, 600),
        "page": (1000, 600),
        "api": (600, 600),
        "mail": (20, 3600),
        "practice": (30, 3600),
        "practice_in_all": (20, 60),
    }
    assert times(one["mail"], "192.0.2.1", 21)[-1]
    assert not other["mail"].is_reached("192.0.2.1")


@pytest.mark.parametrize(
    ("address", "often"),
    [
        ("192.0.2.1", True),
        ("2001:db8::1", True),
        ("127.0.0.1", False),
        ("::1", False),
        ("::ffff:127.0.0.1", False),
    ],
)
def test_a_request_is_counted_unless_it_comes_from_this_machine(address: str, often: bool) -> None:
    app = Flask("a few pages")
    app.extensions["limits"] = {"page": Limit(1, 10, Clock()), "form": Limit(1, 10, Clock())}
    with app.test_request_context(environ_base={"REMOTE_ADDR": address}):
        assert [is_too_often("page") for _ in range(3)] == [False, often, often]
        assert not is_too_often("form")
