"""Seats as a game master writes them, a line each: `Anna <anna@example.org> en`, and for a robot
`Rosa (robot strong)`. Without a language a seat has that of the game.
"""

import re

from msgspec import Struct

from gm.errors import Refusal

MOST_SEATS = 100
"""Most seats that are given at once."""
PERSON = re.compile(r"(?P<name>[^<>]*?)\s*<(?P<address>[^<>]+)>(?:\s+(?P<language>\w+))?")
ROBOT = re.compile(r"(?P<name>.*?)\s*\((?i:robot|roboter)(?:\s+(?P<strength>\w+))?\)")


class SeatLine(Struct, frozen=True):
    """A seat to be given; `place` counts the lines from 1, `typed` is how it was written. Without
    an address a robot plays; `is_clear`: whether the line could be read.
    """

    place: int
    typed: str
    name: str = ""
    address: str | None = None
    language: str = ""
    strength: str = ""
    is_clear: bool = True


def read(text: str) -> list[SeatLine]:
    """The lines of a text, except empty ones. Raises Refusal for more than MOST_SEATS."""
    lines = [
        _read(place, line.strip())
        for place, line in enumerate(text.splitlines(), start=1)
        if line.strip()
    ]
    if len(lines) > MOST_SEATS:
        raise Refusal("too_many_seats", most=MOST_SEATS)
    return lines


def _read(place: int, line: str) -> SeatLine:
    if robot := ROBOT.fullmatch(line):
        return SeatLine(place, line, robot["name"], strength=(robot["strength"] or "").lower())
    if person := PERSON.fullmatch(line):
        language = (person["language"] or "").lower()
        return SeatLine(place, line, person["name"], person["address"].strip(), language)
    return SeatLine(place, line, is_clear=False)
