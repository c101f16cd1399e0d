"""The table of the duel: what lies where, how it begins, how it is stored.

A hidden card is a number everywhere: its place in the shuffled deck.
"""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from rounds.engine.beans import Deck
from rounds.engine.events import Event
from rounds.engine.farm import Farm, Stack
from rounds.engine.shuffle import Chance
from rounds.engine.variant import stored
from rounds.family.hands import HiddenCards

DEALT = 5
"""Cards of each hand at the beginning (D4)."""
REVEALED, DRAWN = 3, 2
"""Cards of a turn that everybody sees (D31), and that only one seat sees (D37)."""
PRICE = 3
"""The price of the third field, in talers (D28)."""
BEFORE, AFTER = 1, 2
"""The phases of a turn: before and after the reveal."""


class HouseRules(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The three options a game may set; they never change after the start."""

    start: Literal[1, 2] = 1
    """D2: which seat begins."""
    three_fields: bool = False
    """D30: whether both have three fields from the start and none is for sale."""
    discard: Literal["after", "either"] = "after"
    """D17, D18: when one card of the hand may be discarded."""


class Moment(Struct, frozen=True):
    """Where the game stands: the turn, how many there are, and its phase."""

    turn: int
    turns: int
    phase: int


class Packed(Struct, frozen=True, forbid_unknown_fields=True):
    """The table as it is stored: all but what the shuffle decides."""

    rules: HouseRules
    seats: tuple[str, ...]
    round: int
    """Counts lists, from 1: a turn takes one or two (D50)."""
    turn: int
    phase: int
    hands: dict[str, tuple[int, ...]]
    """Places among `cards`, front first (D5)."""
    gone: int
    """How many of `cards` have left the draw pile."""
    offer: tuple[Stack, ...]
    """What the other seat left (D35)."""
    row: tuple[Stack, ...]
    discard: tuple[str, ...]
    """The discard pile, top first."""
    farms: dict[str, Farm]
    resigned: str | None = None


class Table(Packed, HiddenCards, frozen=True, kw_only=True):
    """A position of the game, with what is hidden. When the game is over the fields stand
    unharvested.
    """

    deck: Deck
    cards: tuple[str, ...]
    """All cards in the order in which they are drawn."""

    @property
    def active(self) -> str:
        """The seat whose turn it is."""
        return self.seats[(self.turn + self.rules.start) % 2]

    @property
    def over(self) -> bool:
        """Whether the last card was drawn (D38) or a seat has given up (D49)."""
        return self.gone == len(self.cards) or self.resigned is not None

    @property
    def moment(self) -> Moment:
        """Where the game stands."""
        turns = -((2 * DEALT - len(self.cards)) // (REVEALED + DRAWN))
        return Moment(self.turn, turns, self.phase)


def set_up(
    deck: Deck, rules: HouseRules, seats: Sequence[str], chance: Chance
) -> tuple[Table, tuple[Event, ...]]:
    """The first table, on a deck that is shuffled once; nothing is revealed (D6)."""
    return begin(deck, rules, seats, deck.shuffled(chance)), ()


def begin(deck: Deck, rules: HouseRules, seats: Sequence[str], cards: tuple[str, ...]) -> Table:
    """Cards are dealt one at a time, to who begins first (D4)."""
    first = rules.start - 1
    hands = {
        seat: tuple(range((place + first) % 2, 2 * DEALT, 2)) for place, seat in enumerate(seats)
    }
    fields = (None,) * (3 if rules.three_fields else 2)
    return Table(
        rules,
        tuple(seats),
        1,
        1,
        BEFORE,
        hands,
        2 * DEALT,
        (),
        (),
        (),
        {seat: Farm(fields) for seat in seats},
        deck=deck,
        cards=cards,
    )


def awaited(table: Table) -> tuple[str, ...]:
    """The one seat whose turn it is (D51)."""
    return () if table.over else (table.active,)


STORAGE = stored(
    Packed, Table, lambda kept, deck, chance: {"deck": deck, "cards": deck.shuffled(chance)}
)
