"""What happens in Mutabohn besides what happens in the classic game. All of it is public."""

from rounds.classic import events as classic
from rounds.engine.events import Absent, Event, Ranked
from rounds.family.events import Drew, FinalHarvest, Harvested, Revealed


class Planted(classic.Planted, frozen=True, tag="planted"):
    """A card went to a field. `had`: the variety that grew there, if the field mutated."""

    had: str | None = None


class Cashed(Event, frozen=True, tag="cashed"):
    """A bonus card was cashed, for hundredths of a taler, by what grows on a field (M16).
    `place`: 1 or 2, where it was.
    """

    seat: str
    code: str
    value: int
    field: str
    place: int


class Swapped(Event, frozen=True, tag="swapped"):
    """For a taler the bonus cards in these places were exchanged (M18)."""

    seat: str
    places: tuple[int, ...]


class Fined(Event, frozen=True, tag="fined"):
    """The seat had fewer than two cards to plant: a taler less at the end (M5)."""

    seat: str


class WillFeed(Event, frozen=True, tag="will_feed"):
    """These fields are fed if the pile runs out in this turn (M27)."""

    seat: str
    fields: str


class Fed(Event, frozen=True, tag="fed"):
    """A field was harvested for the pile (M27)."""

    seat: str
    field: str
    variety: str
    beans: int
    talers: int


AnyEvent = (
    Absent
    | Planted
    | Harvested
    | Cashed
    | Swapped
    | Fined
    | WillFeed
    | Fed
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
