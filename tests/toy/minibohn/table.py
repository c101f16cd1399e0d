"""The table of minibohn: what lies where, how it begins, how it is stored.

A hidden card is a number everywhere: its place among all cards in the order in which they are
drawn.
"""

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from rounds.engine.beans import RESHUFFLE_LABEL, Deck
from rounds.engine.events import Event
from rounds.engine.farm import Farm
from rounds.engine.shuffle import Chance
from rounds.engine.variant import stored


class HouseRules(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The one option of the game."""

    hand: Annotated[int, Meta(ge=2, le=4)] = 3
    """So many cards each player is dealt."""


class Moment(Struct, frozen=True):
    """Where the game stands: the turn, and its phase: 1 before the reveal, 2 after it."""

    turn: int
    phase: int


class Packed(Struct, frozen=True, forbid_unknown_fields=True):
    """The table as it is stored: all but what the shuffle decides."""

    rules: HouseRules
    seats: tuple[str, ...]
    round: int
    """Counts lists, from 1. Every turn takes two."""
    hands: dict[str, tuple[int, ...]]
    """Places among `cards`, front first."""
    gone: int
    """So many of `cards` have left the draw pile."""
    revealed: str | None
    discard: tuple[str, ...]
    """Top first."""
    reshuffled: tuple[str, ...]
    """The discard pile that became the second draw pile, in base order; nothing before."""
    farms: dict[str, Farm]


class Table(Packed, frozen=True):
    """A position of the game, with what is hidden."""

    deck: Deck
    cards: tuple[str, ...]
    """All cards in the order in which they are drawn: the shuffled deck, then the second draw
    pile.
    """

    @property
    def moment(self) -> Moment:
        """Where the game stands."""
        return Moment((self.round + 1) // 2, 2 - self.round % 2)

    @property
    def active(self) -> str:
        """The seat whose turn it is."""
        return self.seats[(self.moment.turn - 1) % 2]

    @property
    def over(self) -> bool:
        """Whether the draw pile has run out for good."""
        return self.gone == len(self.cards)

    def hand(self, seat: str) -> tuple[str, ...]:
        """The hand of a seat: hidden from everybody else."""
        return tuple(self.cards[place] for place in self.hands[seat])


def set_up(
    deck: Deck, rules: HouseRules, seats: Sequence[str], chance: Chance
) -> tuple[Table, tuple[Event, ...]]:
    """Cards are dealt in turn, the first seat first; nothing is revealed."""
    dealt = 2 * rules.hand
    hands = {seat: tuple(range(place, dealt, 2)) for place, seat in enumerate(seats)}
    farms = {seat: Farm((None, None)) for seat in seats}
    return Table(
        rules, tuple(seats), 1, hands, dealt, None, (), (), farms, deck, deck.shuffled(chance)
    ), ()


def drawn(table: Table, chance: Chance) -> tuple[int, Table]:
    """The place of the next card, and the table without it. Was it the last one, the discard
    pile is shuffled, but only once.
    """
    place, table = table.gone, replace(table, gone=table.gone + 1)
    if table.over and table.discard and not table.reshuffled:
        pile = tuple(
            variety
            for variety, number in table.deck.counts(table.discard).items()
            for _ in range(number)
        )
        table = replace(
            table, cards=table.cards + shuffled(pile, chance), discard=(), reshuffled=pile
        )
    return place, table


def shuffled(pile: Sequence[str], chance: Chance) -> tuple[str, ...]:
    """The second draw pile, top first."""
    return tuple(pile[number] for number in chance(RESHUFFLE_LABEL.format(1), len(pile)))


def awaited(table: Table) -> tuple[str, ...]:
    """The one seat whose turn it is."""
    return () if table.over else (table.active,)


def must_order(table: Table) -> tuple[str, ...]:
    """The same before the reveal. After it a card is left as well by silence."""
    return awaited(table) if table.moment.phase == 1 else ()


def _drawn(kept: Packed, deck: Deck, chance: Chance) -> dict[str, Any]:
    second = shuffled(kept.reshuffled, chance) if kept.reshuffled else ()
    return {"deck": deck, "cards": deck.shuffled(chance) + second}


STORAGE = stored(Packed, Table, _drawn)
