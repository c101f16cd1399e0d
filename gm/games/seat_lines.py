"""Seats as a game master writes them, a line each: `Anna <anna@example.org> en`, and for a robot
`Rosa (robot strong)`. Without a language a seat has that of the game. Rows of a spreadsheet and
lists of a mail program are read too.
"""

import re

from msgspec import Struct

from gm.errors import Refusal

MOST_SEATS = 100
"""Most seats that are given at once."""
PERSON = re.compile(r"(?P<name>[^<>]*?)\s*<(?P<address>[^<>]+)>(?:\s+(?P<language>\w+))?")
CELLS = re.compile(
    r"(?P<name>[^<>@\t;,]*?)\s*[\t;,]\s*(?P<address>[^<>\s;,]+@[^<>\s;,]+)"
    r"(?:\s*[\t;,]\s*(?P<language>\w+))?"
)
BETWEEN_PEOPLE = re.compile(r"(>(?:\s+\w+)?)\s*[;,]\s*")
QUOTED = re.compile(r'"[^"]*"')
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
        _read(place, part.strip())
        for place, line in enumerate(text.splitlines(), start=1)
        for part in BETWEEN_PEOPLE.sub("\\1\n", line).split("\n")
        if part.strip()
    ]
    if len(lines) > MOST_SEATS:
        raise Refusal("too_many_seats", most=MOST_SEATS)
    return lines


def addresses(text: str) -> list[str]:
    """The addresses in a text, with or without names, between blanks, commas or semicolons; what
    is none stands among them.
    """
    found: list[str] = []
    for part in re.split(r"[;,\n]", QUOTED.sub("", text)):
        for words, bracket, address in re.findall(r"([^<]*)(<?)([^>]*)>?", part):
            # before one in brackets stands a name, and what else has an @
            found += [word for word in words.split() if "@" in word or not bracket]
            found += [address.strip()] if bracket else address.split()
    return found


def _read(place: int, line: str) -> SeatLine:
    if robot := ROBOT.fullmatch(line):
        return SeatLine(place, line, robot["name"], strength=(robot["strength"] or "").lower())
    if person := PERSON.fullmatch(line) or CELLS.fullmatch(line):
        language = (person["language"] or "").lower()
        return SeatLine(place, line, person["name"], person["address"].strip(), language)
    return SeatLine(place, line, is_clear=False)
