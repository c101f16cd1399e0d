"""What happens in the duel. All of it is public: which cards a seat draws is no event."""

from rounds.engine.events import Absent, Event, Ranked
from rounds.engine.farm import Stack


class FromHand(Event, frozen=True, tag="from_hand"):
    """A card of the hand, by its number when the list was made, went to a field, which then held `beans`."""

    seat: str
    card: int
    variety: str
    field: str
    beans: int


class HandDiscarded(Event, frozen=True, tag="hand_discarded"):
    """A card of the hand went on top of the discard pile."""

    seat: str
    card: int
    variety: str


class Planted(Event, frozen=True, tag="planted"):
    """`cards` of the `lying` cards of a variety, on offer or in the row, went to a field, which then held `beans`."""

    seat: str
    variety: str
    cards: int
    lying: int
    field: str
    beans: int


class Discarded(Event, frozen=True, tag="discarded"):
    """`cards` of the `lying` cards of a variety on offer went on top of the discard pile."""

    seat: str
    variety: str
    cards: int
    lying: int


class Harvested(Event, frozen=True, tag="harvested"):
    """A field was emptied for talers, or for nothing."""

    seat: str
    field: str
    variety: str
    beans: int
    talers: int


class Bought(Event, frozen=True, tag="bought"):
    """The seat has its third field now, for `talers`."""

    seat: str
    talers: int


class Meant(Event, frozen=True, tag="meant"):
    """What is to be done after the reveal, as far as it goes: `match`, `plant`, `harvest`, `buy`, or `nothing`. It has not
    happened yet.
    """

    seat: str
    what: str
    variety: str = ""
    cards: int | None = None
    field: str | None = None
    clear: bool = False


class Revealed(Event, frozen=True, tag="revealed"):
    """Cards came from the draw pile for the row of the seat."""

    seat: str
    cards: tuple[str, ...]


class Cascaded(Event, frozen=True, tag="cascaded"):
    """Cards moved from the top of the discard pile into the row, in this order."""

    seat: str
    cards: tuple[str, ...]


class Offered(Event, frozen=True, tag="offered"):
    """The turn ends: what of the row is offered to the other seat."""

    seat: str
    stacks: tuple[Stack, ...]
    other: str


class Drew(Event, frozen=True, tag="drew"):
    """So many cards went to the back of the hand."""

    seat: str
    cards: int


class InShort(Event, frozen=True, tag="in_short"):
    """What was carried out of the list of this round, in orders."""

    seat: str
    orders: str


class Resigned(Event, frozen=True, tag="resigned"):
    """The seat gave up the game."""

    seat: str


class FinalHarvest(Event, frozen=True, tag="final_harvest"):
    """At the end a field was emptied, for talers or for nothing."""

    seat: str
    field: str
    variety: str
    beans: int
    talers: int


AnyEvent = (
    Absent | FromHand | HandDiscarded | Planted | Discarded | Harvested | Bought | Meant | Revealed | Cascaded | Offered | Drew
    | InShort | Resigned | FinalHarvest | Ranked
)  # fmt: skip
