"""The table of La Isla Bohnita: ships and the island, and what depends on the number of players."""

from collections.abc import Iterator, Sequence
from typing import ClassVar, Literal

from rounds.classic import table as classic
from rounds.classic.notation import Language
from rounds.classic.table import HAND, LAST, STAIRCASE, Size, dealt, drawn_again
from rounds.engine.beans import Deck
from rounds.engine.farm import Farm, Stack
from rounds.engine.variant import stored, without
from rounds.isla.notation import LANGUAGE

TRADING, PIRATES = ("S", "T"), "X"
SHIPS = (*TRADING, PIRATES)
ROW = 4
"""Open cards in Bohnbay (I18)."""
SIZES = {
    3: Size(("cocoa",), 2, 3, 3, 2),
    **dict.fromkeys((4, 5), Size(("coffee",), 2, 3, 3, 3)),
    **dict.fromkeys((6, 7), Size(("cocoa", "garden"), 2, 3, 3, 3)),
}
"""K1, I3, I17."""
PRICES = {"C": 3, "T": 4, PIRATES: 2}
"""The third field, the second trading ship, the pirate ship (I3)."""
PRICE_OF_MANY = 3
"""What the second trading ship costs with six and seven players (I4)."""

Ships = dict[str, Stack | None]
"""Those of one seat, in the order S, T, X, each with its load."""


class HouseRules(classic.HouseRules, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Those of the classic game, and whether there are pirates."""

    pirates: Literal["on", "off"] = "on"
    """Whether the pirate ship is for sale."""


class Table(classic.Table, frozen=True, kw_only=True):
    """A position of the game, with what is hidden."""

    rules: HouseRules
    ships: dict[str, Ships]
    away: dict[str, dict[str, str]]
    """Per seat the harbour of each ship that lies in one (I21)."""
    bay: tuple[str, ...] = ()
    """The open cards of Bohnbay, first laid first (I18)."""
    language: ClassVar[Language] = LANGUAGE

    @property
    def size(self) -> Size:
        """What depends on the number of players."""
        return SIZES[len(self.seats)]

    @property
    def prices(self) -> dict[str, int]:
        """What is for sale in this game, and for how many talers."""
        few = PRICES if len(self.seats) < 6 else PRICES | {"T": PRICE_OF_MANY}
        return {what: few[what] for what in few if what != PIRATES or self.rules.pirates == "on"}

    def loads(self, seat: str, ships: Sequence[str] = SHIPS) -> Iterator[tuple[str, Stack]]:
        """The ships of a seat that carry something, with what they carry."""
        for ship, load in self.ships[seat].items():
            if load and ship in ships:
                yield ship, load


def deck_for(deck: Deck, seats: int) -> Deck:
    """The deck without the varieties that are left out with so many players (I1)."""
    return deck.without(SIZES[seats].left_out)


def begin(deck: Deck, rules: HouseRules, seats: Sequence[str], cards: tuple[str, ...]) -> Table:
    """Hands are dealt; nothing lies in Bohnbay, and nothing is revealed yet (I2, I16)."""
    sizes = STAIRCASE if rules.turns == "single" else (HAND,) * len(seats)
    return Table(
        **dealt(rules, seats, Farm((None, None)), sizes[: len(seats)]),
        ships={seat: {"S": None} for seat in seats},
        away={seat: {} for seat in seats},
        deck=deck,
        cards=cards,
    )


def awaited(table: Table) -> tuple[str, ...]:
    """Those of the classic game, in the last round also who has a loaded ship (I13)."""
    others = classic.awaited(table)
    return tuple(
        seat
        for seat in table.seats
        if seat in others or (table.phase == LAST and not table.over and any(table.loads(seat)))
    )


STORAGE = stored(without(Table, "deck", "cards"), Table, drawn_again)
