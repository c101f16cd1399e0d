"""What happens in the classic game. All of it is public but a proposal, which only its own seat
is shown.
"""

from rounds.engine.events import Absent, Event, Ranked
from rounds.family.events import Bought, Drew, FinalHarvest, Harvested, Revealed


class Planted(Event, frozen=True, tag="planted"):
    """A card went to a field, which then held `beans`. `card`: `2` of those that lay there, `h1`
    of the hand.
    """

    seat: str
    card: str
    variety: str
    field: str
    beans: int


class Proposed(Event, frozen=True, tag="proposed"):
    """What a seat offers, in alternatives: (what it gives, what it takes, with whom alone).
    Nothing has happened yet.
    """

    seat: str
    deals: tuple[tuple[tuple[str, ...], tuple[str, ...], str | None], ...]


class Wished(Proposed, frozen=True, tag="wished"):
    """The same where a list of a seat's own deals has a heading that says what they are."""


class Missed(Proposed, frozen=True, tag="missed"):
    """Own alternatives that came to nothing, and `why`, as far as the own list, cards and trades
    say: they found `nobody`, the card was `gone` in another deal, or it went for a `later` wish of
    the same list, the last perhaps as a `gift`; then `got`, from or to `other`.
    """

    why: str
    got: tuple[str, ...] = ()
    other: str = ""


class Crossed(Event, frozen=True, tag="crossed"):
    """Deals of two seats that found nobody, though each offered what the other asked for:
    `cards[0]` of the first of `seats`, `cards[1]` of the second.
    """

    seats: tuple[str, str]
    cards: tuple[tuple[str, ...], tuple[str, ...]]


class Stays(Event, frozen=True, tag="stays"):
    """The deals of a seat are to stay: `number` of its alternatives, those that name no single
    card, out of `of`. Nothing has happened yet.
    """

    seat: str
    number: int
    of: int


class Traded(Event, frozen=True, tag="traded"):
    """A deal was carried out: what the first of two seats gave, and what the second did, each in
    base order.
    """

    seats: tuple[str, str]
    cards: tuple[tuple[str, ...], tuple[str, ...]]


class RanOut(Event, frozen=True, tag="ran_out"):
    """The draw pile ran out for the `times`-th time."""

    times: int


class Reshuffled(Event, frozen=True, tag="shuffled_again"):
    """The discard pile was shuffled and is the draw pile now."""

    cards: int


AnyEvent = (
    Absent
    | Planted
    | Harvested
    | Bought
    | Proposed
    | Stays
    | Traded
    | Drew
    | Revealed
    | RanOut
    | Reshuffled
    | FinalHarvest
    | Ranked
)
