"""What happens in the classic game. All of it is public but a proposal, which only its own seat is shown."""

from rounds.engine.events import Absent, Event, Ranked


class Planted(Event, frozen=True, tag="planted"):
    """A card went to a field, which then held `beans`. `card`: `2` of those that lay there, `h1` of the hand."""

    seat: str
    card: str
    variety: str
    field: str
    beans: int


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


class Proposed(Event, frozen=True, tag="proposed"):
    """What a seat would do, one way or another: (what it gives, what it takes, with whom alone). Nothing has happened yet."""

    seat: str
    deals: tuple[tuple[tuple[str, ...], tuple[str, ...], str | None], ...]


class Stays(Event, frozen=True, tag="stays"):
    """The deals of a seat are to stay: so many of all alternatives, those that name no single card. Nothing has happened yet."""

    seat: str
    number: int
    of: int


class Traded(Event, frozen=True, tag="traded"):
    """A deal was carried out: what the first of two seats gave, and what the second did, each in base order."""

    seats: tuple[str, str]
    cards: tuple[tuple[str, ...], tuple[str, ...]]


class Drew(Event, frozen=True, tag="drew"):
    """So many cards went to the back of the hand."""

    seat: str
    cards: int


class Revealed(Event, frozen=True, tag="revealed"):
    """Cards were laid open for a seat."""

    seat: str
    cards: tuple[str, ...]


class RanOut(Event, frozen=True, tag="ran_out"):
    """The draw pile ran out, for the so manieth time."""

    times: int


class Reshuffled(Event, frozen=True, tag="shuffled_again"):
    """The discard pile, so many cards, was shuffled and is the draw pile now."""

    cards: int


class FinalHarvest(Event, frozen=True, tag="final_harvest"):
    """At the end a field was emptied, for talers or for nothing."""

    seat: str
    field: str
    variety: str
    beans: int
    talers: int


AnyEvent = (
    Absent | Planted | Harvested | Bought | Proposed | Stays | Traded | Drew | Revealed | RanOut | Reshuffled | FinalHarvest
    | Ranked
)  # fmt: skip
