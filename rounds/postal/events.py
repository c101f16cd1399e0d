"""What happens in the postal game. Fields are letters, positions count from 1."""

from rounds.engine.events import Absent, Event, Ranked
from rounds.family.events import FinalHarvest, Harvested


class Planted(Event, frozen=True, tag="planted"):
    """`cards` of the `lying` cards on a position went to a field, which then held `beans`."""

    seat: str
    position: int
    variety: str
    cards: int
    lying: int
    field: str
    beans: int


class Plowed(Event, frozen=True, tag="plowed"):
    """A field that earned nothing was emptied for a fee of `talers`."""

    seat: str
    field: str
    variety: str
    beans: int
    talers: int


class Discarded(Event, frozen=True, tag="discarded"):
    """Cards nobody used went on the discard pile, in the order they were laid down: the last one
    is the new top.
    """

    cards: tuple[str, ...]


class Revealed(Event, frozen=True, tag="revealed"):
    """Cards came from the draw pile, position 1 first."""

    round: int
    cards: tuple[str, ...]


class Cascaded(Event, frozen=True, tag="cascaded"):
    """The top of the discard pile moved onto a position of the new row."""

    variety: str
    position: int


AnyEvent = (
    Absent | Planted | Harvested | Plowed | Discarded | Revealed | Cascaded | FinalHarvest | Ranked
)
