"""What happens in La Isla Bohnita besides what happens in the classic game. All of it is public."""

from rounds.classic import events as classic
from rounds.engine.events import Absent, Event, Ranked
from rounds.family import events as family
from rounds.family.events import Drew, FinalHarvest, Harvested, Revealed


class Bought(family.Bought, frozen=True, tag="bought"):
    """The seat has its third field C, its second trading ship T or its pirate ship X now."""

    what: str = "C"


class Loaded(Event, frozen=True, tag="loaded"):
    """A field was harvested on a ship, which has `now` beans."""

    seat: str
    field: str
    ship: str
    variety: str
    beans: int
    now: int


class Sold(Event, frozen=True, tag="sold"):
    """The load of a ship was sold."""

    seat: str
    ship: str
    variety: str
    beans: int
    talers: int


class Moved(Event, frozen=True, tag="moved_load"):
    """Beans went from ship to ship: `left` are those that stayed, `now` those on the other one."""

    seat: str
    ship: str
    to: str
    variety: str
    beans: int
    left: int
    now: int


class Sailed(Event, frozen=True, tag="sailed"):
    """A ship was sent to a harbour, for one of these varieties, the best first."""

    seat: str
    ship: str
    harbour: str
    wanted: tuple[str, ...]


class Holds(Event, frozen=True, tag="holds"):
    """The ships of the seat are not sold when they are attacked in this round."""

    seat: str


class Visited(Event, frozen=True, tag="visited"):
    """A ship came to a harbour and took so many cards, it has `now`; or it came too late for all
    that it wanted, and took none of a `variety` that is empty.
    """

    seat: str
    ship: str
    harbour: str
    variety: str
    cards: int
    now: int


class Raided(Event, frozen=True, tag="raided"):
    """Pirates attacked the `ship` of a `victim` with so many `beans`: sold for `talers`, or not,
    and the pirates took `cards`. Where nobody came, `victim` is empty.
    """

    seat: str
    harbour: str
    victim: str = ""
    ship: str = ""
    variety: str = ""
    beans: int = 0
    cards: int = 0
    talers: int = 0


class Laid(Event, frozen=True, tag="laid"):
    """Cards came from the draw pile to Bohnbay."""

    cards: tuple[str, ...]


AnyEvent = (
    Absent
    | classic.Planted
    | Harvested
    | Bought
    | Loaded
    | Sold
    | Moved
    | Sailed
    | Holds
    | Visited
    | Raided
    | Laid
    | classic.Proposed
    | classic.Stays
    | classic.Traded
    | Drew
    | Revealed
    | classic.RanOut
    | classic.Reshuffled
    | FinalHarvest
    | Ranked
)
