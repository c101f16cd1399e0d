"""The table of the classic game: what lies where, how it begins, how it is stored.

A hidden card is a number everywhere: its place among all cards in the order in which they are
drawn.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal, NamedTuple, TypeVar

from msgspec import Struct

from rounds.classic.notation import CLASSIC, Alternatives, Language
from rounds.engine.beans import RESHUFFLE_LABEL, Deck
from rounds.engine.farm import Farm
from rounds.engine.shuffle import Chance
from rounds.engine.variant import stored
from rounds.family.hands import HiddenCards

FIELD, CALL, LAST = "field", "call", "last"
"""The kinds of rounds: field work and deals; deals once more (K11); the last plantings (K42)."""
OPENED = 2
"""Cards that are revealed for each active seat (K8)."""


class Size(NamedTuple):
    """What depends on the number of players (K1, K4, K5): varieties left out, fields, price of a
    third, cards drawn, run-outs.
    """

    left_out: tuple[str, ...]
    fields: int
    price: int | None
    draws: int
    run_outs: int


SIZES = {
    3: Size(("cocoa",), 3, None, 3, 2),
    **dict.fromkeys((4, 5), Size(("coffee",), 2, 3, 3, 3)),
    **dict.fromkeys((6, 7), Size(("cocoa", "garden"), 2, 2, 4, 3)),
}
HAND = 5
STAIRCASE = (3, 4, 5, 6, 6, 6, 6)
"""The first hands of six and seven players who play one by one (K5)."""


class HouseRules(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The three options a game may set; they never change after the start."""

    turns: Literal["together", "single"] = "together"
    """K9: whether everybody is active in every turn, or one seat after the other."""
    calls: Literal[1, 2] = 2
    """K11: how often in a turn deals are matched."""
    tie: Literal["hand", "far"] = "hand"
    """K43: what decides between equal talers."""


class Moment(Struct, frozen=True):
    """Where the game stands: the turn, the kind of the round, and who is active if only one seat
    is.
    """

    turn: int
    phase: str
    active: str | None


class Packed(Struct, frozen=True, forbid_unknown_fields=True):
    """The table as it is stored: all but what the shuffle decides."""

    rules: HouseRules
    seats: tuple[str, ...]
    hands: dict[str, tuple[int, ...]]
    """Places among `cards`, front first (K14)."""
    gone: int
    """How many of `cards` have left the draw pile."""
    farms: dict[str, Farm]
    coins: dict[str, tuple[str, ...]]
    """The cards that are the talers of each seat, the topmost last (K18)."""
    open: dict[str, tuple[str | None, ...]]
    """`r1` and `r2` of each active seat; None for one that was traded."""
    lying: dict[str, tuple[str, ...]]
    received: dict[str, tuple[str, ...]] = {}
    """In this turn (K29)."""
    discard: tuple[str, ...] = ()
    """In base order: the order in which cards were discarded means nothing (K38)."""
    reshuffled: tuple[tuple[str, ...], ...] = ()
    """The discard piles that became draw piles, each in base order."""
    run_outs: int = 0
    ending: bool = False
    """Nothing is drawn or revealed any more."""
    round: int = 1
    """Counts lists: a turn takes one or two."""
    turn: int = 1
    phase: str = FIELD
    over: bool = False
    standing: dict[str, tuple[Alternatives, ...]] = {}
    """Deals that stay (K34)."""
    drawn: dict[str, int] = {}
    """How many cards were drawn at the end of the round before this one: the back of each hand."""
    deals: dict[str, str] = {}
    """In force in the round before this one: known to each seat alone until the game is over."""
    unmatched: dict[str, tuple[Alternatives, ...]] = {}
    """Those of them that found nobody."""
    offered: dict[str, tuple[tuple[int | str, tuple[str, ...]], ...]] = {}
    """What single cards were offered for, the last time that the seat offered any: a place among
    `cards`, the variety of an open card, or "0" for what was to be had for nothing. For the
    seat's own page, to say the same again.
    """


class Table(Packed, HiddenCards, frozen=True, kw_only=True):
    """A position of the game, with what is hidden. When the game is over the fields stand
    unharvested.
    """

    deck: Deck
    cards: tuple[str, ...]
    """All cards in the order in which they are drawn: the shuffled deck, then the piles that
    were shuffled later.
    """
    language: ClassVar[Language] = CLASSIC
    must_plant: ClassVar[int] = 1
    """Cards of the hand that an active seat must plant, if it has them (K15)."""

    @property
    def size(self) -> Size:
        """What depends on the number of players."""
        return SIZES[len(self.seats)]

    @property
    def round_order(self) -> tuple[str, ...]:
        """All seats from the one on that begins in this turn (K9)."""
        first = (self.turn - 1) % len(self.seats)
        return (*self.seats[first:], *self.seats[:first])

    @property
    def active(self) -> tuple[str, ...]:
        """The active seats in round order."""
        return self.round_order if self.rules.turns == "together" else self.round_order[:1]

    @property
    def moment(self) -> Moment:
        """Where the game stands."""
        return Moment(
            self.turn, self.phase, self.active[0] if self.rules.turns == "single" else None
        )

    def plants_hand(self, seat: str) -> bool:
        """Whether a seat plants cards of its hand in this round (K15, K42)."""
        return self.phase == FIELD and seat in self.active

    def draws(self, _: str) -> int:
        """How many cards a seat draws now (K36)."""
        return self.size.draws

    def due(self, seat: str) -> int:
        """How many cards must be planted in this round."""
        if self.phase == CALL:
            return 0
        hand = min(self.must_plant, len(self.hands[seat])) if self.plants_hand(seat) else 0
        return len(self.lying[seat]) + hand

    def trades(self, seat: str) -> bool:
        """Whether a seat has a card to trade in this round."""
        return self.phase != LAST and bool(self.hands[seat] or any(self.open.get(seat, ())))


T = TypeVar("T", bound=Table)
"""A table of this game, or of one that stands on it."""


def deck_for(deck: Deck, seats: int) -> Deck:
    """The deck without the varieties that are left out with so many players (K1)."""
    left_out = SIZES[seats].left_out
    return deck.without(left_out)


def hand_sizes(rules: HouseRules, seats: int) -> tuple[int, ...]:
    """How many cards each seat is dealt (K5)."""
    return STAIRCASE[:seats] if seats > 5 and rules.turns == "single" else (HAND,) * seats


def begin(deck: Deck, rules: HouseRules, seats: Sequence[str], cards: tuple[str, ...]) -> Table:
    """A whole hand at a time is dealt, seat by seat (K6); nothing is revealed yet."""
    farm = Farm((None,) * SIZES[len(seats)].fields)
    sizes = hand_sizes(rules, len(seats))
    return Table(**dealt(rules, seats, farm, sizes), deck=deck, cards=cards)


def dealt(
    rules: HouseRules, seats: Sequence[str], farm: Farm, sizes: Sequence[int]
) -> dict[str, Any]:
    """What a table begins with besides its cards: hands of these sizes, and the same farm for
    everybody.
    """
    hands, gone = dict[str, tuple[int, ...]](), 0
    for seat, size in zip(seats, sizes, strict=True):
        hands[seat] = tuple(range(gone, gone + size))
        gone += size
    nothing = dict[str, tuple[str, ...]].fromkeys(seats, ())
    return {
        "rules": rules,
        "seats": tuple(seats),
        "hands": hands,
        "gone": gone,
        "farms": dict.fromkeys(seats, farm),
        "coins": nothing,
        "open": {},
        "lying": nothing,
        "received": nothing,
    }


def awaited(table: Table) -> tuple[str, ...]:
    """Who has something to plant, or something to trade and no standing deals (K13)."""
    if table.over:
        return ()
    return tuple(
        seat
        for seat in table.seats
        if table.due(seat) or (table.trades(seat) and not table.standing.get(seat))
    )


def may_order(table: Table) -> tuple[str, ...]:
    """All seats, in every round (K13)."""
    return () if table.over else table.seats


def must_order(table: Table) -> tuple[str, ...]:
    """Who has something to plant (K45): who only does not trade has passed (K11)."""
    return () if table.over else tuple(seat for seat in table.seats if table.due(seat))


def shuffled(pile: Sequence[str], number: int, chance: Chance) -> tuple[str, ...]:
    """A discard pile in base order as the draw pile with this number, top first (K38)."""
    return tuple(pile[place] for place in chance(RESHUFFLE_LABEL.format(number), len(pile)))


def drawn_again(kept: Packed, deck: Deck, chance: Chance) -> dict[str, Any]:
    """What is not stored of a table, since the shuffle decides it."""
    cards = deck.shuffled(chance)
    for number, pile in enumerate(kept.reshuffled, start=1):
        cards += shuffled(pile, number, chance)
    return {"deck": deck, "cards": cards}


STORAGE = stored(Packed, Table, drawn_again)
