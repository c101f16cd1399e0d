"""Luck in minibohn: the cards that were revealed for each player, and how many of them found a
field.
"""

from collections.abc import Sequence

from msgspec import Struct

from rounds.engine.events import Event

from .events import Revealed, Taken
from .round import result
from .table import Table


class Hindsight(Struct, frozen=True):
    """Per seat: (cards that were revealed, cards of them that were taken)."""

    seats: dict[str, tuple[int, int]]


def hindsight(tables: Sequence[Table], happened: Sequence[Sequence[Event]]) -> Hindsight:
    """Of a finished game. Raises ValueError if it is not over."""
    if result(tables[-1]) is None:
        raise ValueError("the game is not over")
    events = [event for round_ in happened for event in round_]

    def number(kind: type[Revealed] | type[Taken], seat: str) -> int:
        return sum(isinstance(event, kind) and event.seat == seat for event in events)

    return Hindsight(
        {seat: (number(Revealed, seat), number(Taken, seat)) for seat in tables[0].seats}
    )
