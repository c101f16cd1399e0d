"""What happened, as records: the seam between the rules and the words (`events.txt` has one
macro for each).

Every event is stored as a JSON list: its name, then its values in the order they stand here, so
a new value comes last and has a default. What happens in every game stands here; each variant
adds its own, with words in its own templates.
"""

from typing import Any

from msgspec import Struct
from msgspec.structs import asdict


class Event(Struct, frozen=True, array_like=True):
    """Something that happened in a round."""

    @property
    def kind(self) -> str:
        """Its name, under which it is stored and its sentence is found."""
        return str(self.__struct_config__.tag)

    @property
    def named(self) -> dict[str, Any]:
        """Its values by name, with its own name in the key `event`."""
        return {"event": self.kind, **asdict(self)}


class Absent(Event, frozen=True, tag="absent"):
    """The seat sent nothing: what follows for it was ordered by the stand-in."""

    seat: str


class Ranked(Event, frozen=True, tag="ranked"):
    """The place of a seat in the final table; equal talers share the rank (P42). `talers`: the
    score that ranks go by, in talers or, where a game counts them, in parts of a taler.
    """

    seat: str
    rank: int
    talers: int
