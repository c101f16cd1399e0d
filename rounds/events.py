"""What happened, as records: the seam between the rules and the words (`templates/**/events.txt` has one macro for each).

Every event is stored as a JSON list: its name, then its values in the order they stand here, so a new value comes last and has
a default. Seats are named, fields are letters, positions count from 1.
"""

from typing import Any

from msgspec import Struct
from msgspec.structs import asdict


class Event(Struct, frozen=True, array_like=True):
    """Something that happened in a round."""

    @property
    def named(self) -> dict[str, Any]:
        """The same for programs: every value by its name, the event's own in the key `event`."""
        return {"event": self.__struct_config__.tag, **asdict(self)}


class Absent(Event, frozen=True, tag="absent"):
    """No list was received from the seat: what follows for it was ordered by the stand-in."""

    seat: str


class Planted(Event, frozen=True, tag="planted"):
    """`cards` of the `lying` cards on a position went to a field, which then held `beans`."""

    seat: str
    position: int
    variety: str
    cards: int
    lying: int
    field: str
    beans: int


class Harvested(Event, frozen=True, tag="harvested"):
    """A field was emptied for talers."""

    seat: str
    field: str
    variety: str
    beans: int
    talers: int


class Plowed(Event, frozen=True, tag="plowed"):
    """A field that earned nothing was emptied for a fee of `talers`."""

    seat: str
    field: str
    variety: str
    beans: int
    talers: int


class Discarded(Event, frozen=True, tag="discarded"):
    """Cards nobody used went on the discard pile, in the order they were laid down: the last one is the new top."""

    cards: tuple[str, ...]


class Revealed(Event, frozen=True, tag="revealed"):
    """Cards came from the draw pile, position 1 first."""

    round: int
    cards: tuple[str, ...]


class Cascaded(Event, frozen=True, tag="cascaded"):
    """The top of the discard pile moved onto a position of the new row."""

    variety: str
    position: int


class FinalHarvest(Event, frozen=True, tag="final_harvest"):
    """After the last round a field was emptied, for `talers` or for nothing (P41)."""

    seat: str
    field: str
    variety: str
    beans: int
    talers: int


class Ranked(Event, frozen=True, tag="ranked"):
    """The place of a seat in the final table; equal talers share the rank (P42)."""

    seat: str
    rank: int
    talers: int


AnyEvent = Absent | Planted | Harvested | Plowed | Discarded | Revealed | Cascaded | FinalHarvest | Ranked

__all__ = [
    "Absent", "AnyEvent", "Cascaded", "Discarded", "Event", "FinalHarvest", "Harvested",
    "Planted", "Plowed", "Ranked", "Revealed",
]  # fmt: skip
