"""What happens on farms and with piles in several games."""

from rounds.engine.events import Event


class Harvested(Event, frozen=True, tag="harvested"):
    """A field was emptied for talers, or for nothing."""

    seat: str
    field: str
    variety: str
    beans: int
    talers: int


class FinalHarvest(Event, frozen=True, tag="final_harvest"):
    """At the end a field was emptied, for talers or for nothing."""

    seat: str
    field: str
    variety: str
    beans: int
    talers: int


class Bought(Event, frozen=True, tag="bought"):
    """The seat has its third field now, for `talers`."""

    seat: str
    talers: int


class Drew(Event, frozen=True, tag="drew"):
    """A seat drew cards to the back of its hand."""

    seat: str
    cards: int


class Revealed(Event, frozen=True, tag="revealed"):
    """Cards came from the draw pile and lie open, for this seat."""

    seat: str
    cards: tuple[str, ...]
