"""Farms and varieties as they are shown."""

from msgspec import Struct

from rounds.beans import talers_for
from rounds.duel.play import worth
from rounds.duel.table import Table
from rounds.farm import FIELDS, Farm


class FieldView(Struct, frozen=True):
    """A field with what it would earn now, and the next tier: (beans missing, talers then), None when full or empty."""

    letter: str
    variety: str | None
    beans: int
    talers: int
    next_tier: tuple[int, int] | None


class FarmView(Struct, frozen=True):
    """A farm: fields, purse, what the fields would earn now, the place by the purse, and how many cards the hand has."""

    seat: str
    fields: tuple[FieldView, ...]
    talers: int
    on_fields: int
    rank: int
    hand: int

    @property
    def total(self) -> int:
        """Purse and fields together."""
        return self.talers + self.on_fields


class VarietyView(Struct, frozen=True):
    """A variety: cards in the game, how many of them the viewer does not see, beans for one, two, three and four talers."""

    id: str
    cards: int
    unseen: int
    beanometer: tuple[int, ...]

    def talers(self, beans: int) -> int:
        """What so many beans of a field earn."""
        return talers_for(self.beanometer, beans)


def farm_view(table: Table, seat: str, farm: Farm, rank: int) -> FarmView:
    """One farm with the worth of its fields."""
    fields = []
    for letter, grown in zip(FIELDS, farm.fields, strict=False):
        if grown is None:
            fields.append(FieldView(letter, None, 0, 0, None))
        else:
            variety = table.deck[grown.variety]
            fields.append(FieldView(letter, variety.id, grown.cards, variety.talers(grown.cards), variety.next_tier(grown.cards)))
    return FarmView(seat, tuple(fields), farm.talers, worth(table, farm) - farm.talers, rank, len(table.hands[seat]))
