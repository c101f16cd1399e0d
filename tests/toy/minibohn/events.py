"""What happens in minibohn. All of it is public: what a player draws is no event."""

from rounds.engine.events import Absent, Event, Ranked


class Planted(Event, frozen=True, tag="planted"):
    """The card on this place of the hand went to a field, which then held `beans`."""

    seat: str
    card: int
    variety: str
    field: str
    beans: int


class Revealed(Event, frozen=True, tag="revealed"):
    """The top of the draw pile was laid open for the seat."""

    seat: str
    variety: str


class Taken(Event, frozen=True, tag="taken"):
    """The revealed card went to a field, which then held `beans`."""

    seat: str
    variety: str
    field: str
    beans: int


class Left(Event, frozen=True, tag="left"):
    """The revealed card went on the discard pile."""

    seat: str
    variety: str


class Reshuffled(Event, frozen=True, tag="reshuffled"):
    """The draw pile had run out: the discard pile, so many cards, was shuffled and takes its
    place.
    """

    cards: int


AnyEvent = Absent | Planted | Revealed | Taken | Left | Reshuffled | Ranked
