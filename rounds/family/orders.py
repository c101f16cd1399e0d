"""Orders that are the same in several games, and those that were carried out."""

from msgspec import Struct

from rounds.engine.events import Event
from rounds.engine.farm import Farm
from rounds.engine.notation import Order


class Harvest(Struct, frozen=True):
    """Harvest a field. `cards` is read only to be refused: a field is harvested whole."""

    field: str
    cards: int | None = None


class Bare(Struct, frozen=True):
    """An order of one word, like `buy` or `pass`."""

    text: str


BUY, PASS = Bare("buy"), Bare("pass")


class Done(Struct, frozen=True):
    """An order that was carried out, exactly as it was, what happened, and the farm afterwards."""

    order: Order
    event: Event
    farm: Farm
