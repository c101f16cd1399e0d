"""What happens in the duel. All of it is public: which cards a seat draws is no event."""

from rounds.engine.events import Absent, Event, Ranked
from rounds.engine.farm import Stack
from rounds.family.events import Bought, Drew, FinalHarvest, Harvested, Revealed


class FromHand(Event, frozen=True, tag="from_hand"):
    """A card of the hand, by its number when the list was made, went to a field, which then held
    `beans`.
    """

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
    """`cards` of the `lying` cards of a variety, on offer or in the row, went to a field, which
    then held `beans`.
    """

    seat: str
    variety: str
    cards: int
    lying: int
    field: str
    beans: int


class OfferDiscarded(Event, frozen=True, tag="discarded"):
    """`cards` of the `lying` cards of a variety on offer went on top of the discard pile."""

    seat: str
    variety: str
    cards: int
    lying: int


class Meant(Event, frozen=True, tag="meant"):
    """What is to be done after the reveal, as far as it goes: `match`, `plant`, `harvest`,
    `buy`, or `nothing`. It has not happened yet.
    """

    seat: str
    what: str
    variety: str = ""
    cards: int | None = None
    field: str | None = None
    clear: bool = False


class Cascaded(Event, frozen=True, tag="cascaded"):
    """Cards moved from the top of the discard pile into the row, in this order."""

    seat: str
    cards: tuple[str, ...]


class Offered(Event, frozen=True, tag="offered"):
    """The turn ends: what of the row is offered to the other seat."""

    seat: str
    stacks: tuple[Stack, ...]
    other: str


class InShort(Event, frozen=True, tag="in_short"):
    """What was carried out of the list of this round, in orders."""

    seat: str
    orders: str


class Resigned(Event, frozen=True, tag="resigned"):
    """The seat gave up the game."""

    seat: str


AnyEvent = (
    Absent
    | FromHand
    | HandDiscarded
    | Planted
    | OfferDiscarded
    | Harvested
    | Bought
    | Meant
    | Revealed
    | Cascaded
    | Offered
    | Drew
    | InShort
    | Resigned
    | FinalHarvest
    | Ranked
)
