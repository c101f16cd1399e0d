"""The calendar file: the deadline of a game, in lines that every calendar program takes (as a
feed: player/test_settings.py).
"""

from typing import Any

import pytest
from icalendar import Calendar
from msgspec.structs import replace

from gm.installation import Installation
from gm.mail.ics import calendar
from gm.store.games import Game
from tests.dates import SUNDAY


def lines(installation: Installation, game: Game, language: str = "en") -> list[str]:
    data = calendar(installation, game, language, SUNDAY - 3600)
    assert data.endswith(b"END:VCALENDAR\r\n")
    return data.decode().split("\r\n")


def test_the_deadline_is_an_entry_that_ends_with_it(
    installation: Installation, ackerwinde: Game
) -> None:
    assert lines(installation, ackerwinde) == [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Bohnenpost//EN",
        "METHOD:PUBLISH",
        "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
        "X-PUBLISHED-TTL:PT1H",
        "X-WR-CALNAME:Ackerwinde",
        "BEGIN:VEVENT",
        "UID:ackerwinde.deadline@localhost",
        f"SEQUENCE:{ackerwinde.sequence}",
        "DTSTAMP:20261122T180000Z",
        "DTSTART:20261122T184500Z",
        "DTEND:20261122T190000Z",
        "SUMMARY:Ackerwinde: deadline",
        "DESCRIPTION:Until then your orders can be submitted. The link to your page ",
        " stands in the mails of the game.",
        "STATUS:CONFIRMED",
        "URL:http://localhost:8080/p/ackerwinde",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
    ]


@pytest.mark.parametrize(
    ("language", "summary"), [("en", "Ackerwinde: deadline"), ("de", "Ackerwinde: Abgabe")]
)
def test_it_is_told_in_the_readers_language(
    installation: Installation, ackerwinde: Game, language: str, summary: str
) -> None:
    assert f"SUMMARY:{summary}" in lines(installation, ackerwinde, language)


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({}, "CONFIRMED"),
        ({"status": "held"}, "CONFIRMED"),
        ({"status": "paused"}, "CANCELLED"),
        ({"deadline": None}, "CANCELLED"),
        ({"status": "finished", "deadline": None}, "CANCELLED"),
        ({"status": "open", "deadline": None, "round": 0, "round_at": None}, "CANCELLED"),
    ],
)
def test_there_is_always_one_entry_and_it_stands_while_a_deadline_comes(
    installation: Installation, ackerwinde: Game, changed: dict[str, Any], status: str
) -> None:
    entry: Any
    (entry,) = Calendar.from_ical(
        "\r\n".join(lines(installation, replace(ackerwinde, **changed)))
    ).events
    assert entry["STATUS"] == status
    assert entry["DTEND"].dt > entry["DTSTART"].dt


def test_who_has_no_turn_has_a_cancelled_entry(
    installation: Installation, ackerwinde: Game
) -> None:
    assert b"STATUS:CANCELLED" in calendar(installation, ackerwinde, "en", SUNDAY, has_turn=False)


def test_every_round_moves_the_same_entry_and_its_sequence_rises(
    installation: Installation, ackerwinde: Game
) -> None:
    moved = lines(
        installation, replace(ackerwinde, deadline=SUNDAY + 60, sequence=ackerwinde.sequence + 1)
    )
    assert set(moved) - set(lines(installation, ackerwinde)) == {
        "DTSTART:20261122T184600Z",
        "DTEND:20261122T190100Z",
        f"SEQUENCE:{ackerwinde.sequence + 1}",
    }
    assert "UID:ackerwinde.deadline@localhost" in lines(installation, replace(ackerwinde, round=2))


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("a;b", "a\\;b"),
        ("a,b", "a\\,b"),
        ("a\\b", "a\\\\b"),
        ("\\;,", "\\\\\\;\\,"),
        ("a:b", "a:b"),
    ],
)
def test_what_would_divide_a_value_is_marked(
    installation: Installation, ackerwinde: Game, name: str, written: str
) -> None:
    assert f"X-WR-CALNAME:{written}" in lines(installation, replace(ackerwinde, name=name))


@pytest.mark.parametrize("name", ["x" * 62, "x" * 63, "ü" * 31 + "x", "ü" * 32, "🫘" * 40])
def test_a_long_line_goes_on_in_the_next_and_splits_no_character(
    installation: Installation, ackerwinde: Game, name: str
) -> None:
    found = lines(installation, replace(ackerwinde, name=name))
    assert max(len(line.encode()) for line in found) <= 75
    fits = len(f"X-WR-CALNAME:{name}".encode()) <= 75
    assert (f"X-WR-CALNAME:{name}" in found) == fits
    assert Calendar.from_ical("\r\n".join(found))["X-WR-CALNAME"] == name


def test_a_private_game_is_led_to_with_its_spectators_key(
    installation: Installation, ackerwinde: Game
) -> None:
    data = "".join(lines(installation, replace(ackerwinde, listed=0))).replace(" ", "")
    assert f"/p/ackerwinde.{installation.token('spectators', 'ackerwinde')}" in data
