"""The table of the postal game: what lies where, how it begins, how it is stored."""

from collections.abc import Sequence
from functools import cached_property
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from rounds.engine.beans import Deck
from rounds.engine.farm import Farm, Stack
from rounds.engine.shuffle import Chance
from rounds.postal.events import AnyEvent, Cascaded, Revealed

ROW = 8
PLOW_FEE = 3


class HouseRules(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The four options a game may set; they never change after the start."""

    rounds: Annotated[int, Meta(ge=1, le=12)] = 10
    """P44: a thirteenth round has no cards (T1)."""
    discard_order: Literal["ascending", "descending"] = "ascending"
    """P10: position 8, or position 1, ends on top of the discard pile."""
    nmr_empty: bool = False
    """P23: whether the stand-in plants on empty fields."""
    nmr_harvest: Literal["eager", "lazy"] = "eager"
    """P24: whether the stand-in harvests a field when it is full, or when a further bean comes."""


class Moment(Struct, frozen=True):
    """The open round, of how many; one more than all when the game is over."""

    round: int
    rounds: int


class Table(Struct, frozen=True, dict=True):
    """A position of the game. `round` is the one that waits for orders; past the last one the
    game is over, and the farms stand unharvested.
    """

    deck: Deck
    rules: HouseRules
    round: int
    row: tuple[Stack, ...]
    discard: tuple[str, ...]
    """Top first (P11)."""
    draw_pile: tuple[str, ...]
    """Top first. Hidden: `view` never shows it."""
    seats: tuple[str, ...]
    farms: tuple[Farm, ...]
    """In the order of `seats`."""

    def farm(self, seat: str) -> Farm:
        """The farm of this seat. Raises ValueError if nobody of that name sits here."""
        if seat not in self._places:
            raise ValueError(f"nobody called {seat!r} sits here")
        return self.farms[self._places[seat]]

    @cached_property
    def _places(self) -> dict[str, int]:
        """Where each seat stands, found once: a table may have thousands."""
        return {seat: place for place, seat in enumerate(self.seats)}

    @property
    def by_seat(self) -> dict[str, Farm]:
        """The farms by the names of their seats, in order."""
        return dict(zip(self.seats, self.farms, strict=True))

    @property
    def over(self) -> bool:
        """Whether all rounds are played."""
        return self.round > self.rules.rounds


class Packed(Struct, frozen=True, forbid_unknown_fields=True):
    """A table without deck and order of the draw pile, as it is stored."""

    rules: HouseRules
    round: int
    row: tuple[Stack, ...]
    discard: tuple[str, ...]
    draw_pile: int
    seats: tuple[str, ...]
    farms: tuple[Farm, ...]


def set_up(
    deck: Deck, rules: HouseRules, seats: Sequence[str], chance: Chance
) -> tuple[Table, tuple[AnyEvent, ...]]:
    """The first table, on a deck that is shuffled once."""
    return begin(deck, rules, seats, deck.shuffled(chance))


def begin(
    deck: Deck, rules: HouseRules, seats: Sequence[str], cards: Sequence[str]
) -> tuple[Table, tuple[AnyEvent, ...]]:
    """Empty farms, an empty discard pile (P12), and the first row. `cards`: at least eight a
    round, top first.
    """
    row, discard, events = deal(1, cards, ())
    farms = tuple(Farm() for _ in seats)
    return Table(deck, rules, 1, row, discard, tuple(cards[ROW:]), tuple(seats), farms), events


def deal(
    number: int, pile: Sequence[str], discard: tuple[str, ...]
) -> tuple[tuple[Stack, ...], tuple[str, ...], tuple[AnyEvent, ...]]:
    """Row, discard pile and events of the deal of a round: eight cards from `pile`, then the
    cascade.

    While the top of the discard pile is of a variety in the row it moves onto the lowest
    position of that variety (P13, P14); the first top card that does not match ends it (P15).
    """
    drawn = tuple(pile[:ROW])
    lowest = {variety: drawn.index(variety) for variety in drawn}
    counts = [1] * len(drawn)
    events: list[AnyEvent] = [Revealed(number, drawn)]
    moved = 0
    while moved < len(discard) and (position := lowest.get(discard[moved])) is not None:
        counts[position] += 1
        events.append(Cascaded(discard[moved], position + 1))
        moved += 1
    row = tuple(Stack(variety, cards) for variety, cards in zip(drawn, counts, strict=True))
    return row, discard[moved:], tuple(events)


def moment(table: Table) -> Moment:
    """Where the game stands."""
    return Moment(table.round, table.rules.rounds)


def awaited(table: Table) -> tuple[str, ...]:
    """All seats, until the game is over."""
    return () if table.over else table.seats


def pack(table: Table) -> bytes:
    """The table as JSON, with the size of the draw pile in place of its order."""
    return _encode(
        Packed(
            table.rules,
            table.round,
            table.row,
            table.discard,
            len(table.draw_pile),
            table.seats,
            table.farms,
        )
    )


def unpack(packed: bytes, deck: Deck, chance: Chance) -> Table:
    """The table again. Raises msgspec.MsgspecError for damaged bytes."""
    p, cards = _decode(packed), deck.shuffled(chance)
    pile = cards[len(cards) - p.draw_pile :]
    return Table(deck, p.rules, p.round, p.row, p.discard, pile, p.seats, p.farms)


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Packed).decode
