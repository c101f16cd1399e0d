"""Varieties, their beanometers, and the deck a game is played with."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from msgspec import Meta, Struct

DECK_LABEL = "deck/main/0"
"""The label of the first shuffle of every game."""
RESHUFFLE_LABEL = "deck/main/{}"
"""The labels of piles that are shuffled later, numbered from 1."""
PILE_LABEL = "{}/main/0"
"""The label of the first shuffle of a pile of other cards, by its name."""


def talers_for(beanometer: Sequence[int], beans: int) -> int:
    """What `beans` of a field earn, harvested together: the highest tier reached (P2), 0 below
    the first.

    A tier of 0 beans is none (P1).
    """
    earned = 0
    for talers, needed in enumerate(beanometer, start=1):
        if 0 < needed <= beans:
            earned = talers
    return earned


@dataclass(frozen=True)
class Variety:
    """One kind of bean; `cards` is their number in the deck (P1).

    `beanometer[n-1]` beans of a field earn n talers; 0 if no number of beans does.
    """

    id: str
    cards: int
    beanometer: tuple[int, ...]

    def talers(self, beans: int) -> int:
        """What `beans` of a field earn, harvested together."""
        return talers_for(self.beanometer, beans)

    @property
    def full(self) -> int:
        """How many beans reach the last tier; a field with as many or more is full (P25)."""
        return max(self.beanometer)

    @property
    def first(self) -> int:
        """How many beans earn something for the first time."""
        return min(beans for beans in self.beanometer if beans)

    def next_tier(self, beans: int) -> tuple[int, int] | None:
        """(beans still missing, talers then) for the next tier above `beans`; None when full."""
        for talers, needed in enumerate(self.beanometer, start=1):
            if needed > beans:
                return needed - beans, talers
        return None


class PileCard(Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of card that is no bean: `cards` of it are in its pile, each pays `value` in the
    game's unit of scores.
    """

    id: str
    cards: Annotated[int, Meta(ge=1)]
    value: int


@dataclass(frozen=True)
class Deck:
    """The varieties of a game, in the order of the base order that is shuffled; and its piles of
    other cards by name, each in its base order.
    """

    varieties: tuple[Variety, ...]
    piles: Mapping[str, tuple[PileCard, ...]] = field(default_factory=dict, hash=False)
    by_id: dict[str, Variety] = field(init=False, repr=False, compare=False)
    ids: tuple[str, ...] = field(init=False, repr=False, compare=False)
    """The ids of all varieties, in base order."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_id", {variety.id: variety for variety in self.varieties})
        object.__setattr__(self, "ids", tuple(variety.id for variety in self.varieties))

    def __getitem__(self, variety: str) -> Variety:
        """The variety with this id. Raises KeyError for any other."""
        return self.by_id[variety]

    @property
    def size(self) -> int:
        """The number of cards."""
        return sum(variety.cards for variety in self.varieties)

    def base_order(self) -> tuple[str, ...]:
        """Every card once, variety by variety: what the shuffle's numbers point into."""
        return tuple(variety.id for variety in self.varieties for _ in range(variety.cards))

    def without(self, ids: Collection[str]) -> "Deck":
        """The deck without these varieties."""
        return Deck(tuple(one for one in self.varieties if one.id not in ids), self.piles)

    def pile(self, name: str) -> tuple[str, ...]:
        """Every card of a pile of other cards once, kind by kind."""
        return tuple(card.id for card in self.piles[name] for _ in range(card.cards))

    def order_of(self, label: str) -> tuple[str, ...]:
        """The kinds of cards that are shuffled under a label, in base order."""
        others = self.piles.get(label.partition("/")[0])
        return tuple(card.id for card in others) if others else self.ids

    def shuffled(self, chance: Callable[[str, int], Sequence[int]]) -> tuple[str, ...]:
        """Every card once, in the order that the chance of a game gives the first pile, top
        first.
        """
        base = self.base_order()
        return tuple(base[number] for number in chance(DECK_LABEL, len(base)))

    def counts(self, cards: Iterable[str]) -> dict[str, int]:
        """How many of each variety are among `cards`: all varieties, zeros too (P47)."""
        number = Counter(cards)
        return {variety.id: number[variety.id] for variety in self.varieties}

    def strangers(self, cards: Iterable[str]) -> list[str]:
        """What of `cards` is no card of this deck, one note each; empty if nothing is."""
        number = Counter(cards)
        notes = [f"no variety is called {name!r}" for name in number if name not in self.by_id]
        return notes + [
            f"{number[variety.id]} {variety.id} of {variety.cards}"
            for variety in self.varieties
            if number[variety.id] > variety.cards
        ]

    def faults(self, cards: Iterable[str]) -> list[str]:
        """What keeps `cards` from being this deck in some order, one note each; empty if nothing
        does.
        """
        number = Counter(cards)
        notes = [f"no variety is called {name!r}" for name in number if name not in self.by_id]
        notes += [
            f"{number[variety.id]} {variety.id} instead of {variety.cards}"
            for variety in self.varieties
            if number[variety.id] != variety.cards
        ]
        return notes


class VarietyView(Struct, frozen=True):
    """A variety where hands are hidden: cards in the game, how many of them the viewer does not
    see, beans for one taler, two, three, four (0: no such tier).
    """

    id: str
    cards: int
    unseen: int
    beanometer: tuple[int, ...]

    def talers(self, beans: int) -> int:
        """What a field of this many beans earns."""
        return talers_for(self.beanometer, beans)
