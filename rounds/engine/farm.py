"""A farm: two or three fields, A, B and perhaps C, and a purse. What may be done to it is for
the variants to say.
"""

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from rounds.engine.beans import Deck

FIELDS = ("A", "B", "C")


class Stack(Struct, frozen=True, array_like=True):
    """Cards of one variety, on a field or on a position of a row. In JSON `["bush", 3]`."""

    variety: str
    cards: int

    def divided(self, talers: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Its cards when it is harvested: those that become coins, the topmost last, and those
        that are discarded.
        """
        return (self.variety,) * talers, (self.variety,) * (self.cards - talers)


class FieldView(Struct, frozen=True):
    """A field with what it would earn now, and the next tier: (beans missing, talers then), None
    when full or empty.
    """

    letter: str
    variety: str | None
    beans: int
    talers: int
    next_tier: tuple[int, int] | None


class FarmView(Struct, frozen=True):
    """A farm as it is shown: fields, purse, what the fields would earn now, and the place among
    all farms by the purse.
    """

    seat: str
    fields: tuple[FieldView, ...]
    talers: int
    on_fields: int
    rank: int

    @property
    def total(self) -> int:
        """Purse and fields together."""
        return self.talers + self.on_fields


class Farm(Struct, frozen=True):
    """What a seat has: its fields in the order A, B, C (None = empty), and talers."""

    fields: Annotated[tuple[Stack | None, ...], Meta(min_length=2, max_length=3)] = (
        None,
        None,
        None,
    )
    talers: int = 0

    def at(self, field: str) -> Stack | None:
        """What grows on the field with this letter. Raises ValueError if there is no such field."""
        return self.fields[FIELDS.index(field, 0, len(self.fields))]

    def growing(self, variety: str) -> str | None:
        """The first field on which the variety grows."""
        for stack in self.fields:
            if stack is not None and stack.variety == variety:
                return FIELDS[self.fields.index(stack)]
        return None

    def first_empty(self) -> str | None:
        """The first field with nothing on it (P52)."""
        return FIELDS[self.fields.index(None)] if None in self.fields else None

    def with_field(self, field: str, stack: Stack | None, talers: int = 0) -> "Farm":
        """The same farm with another content of one field and `talers` more (or, negative,
        fewer) in the purse.
        """
        place = FIELDS.index(field)
        fields = (*self.fields[:place], stack, *self.fields[place + 1 :])
        return replace(self, fields=fields, talers=self.talers + talers)

    def with_card(self, field: str, variety: str) -> "Farm":
        """The same farm with one more card of a variety on a field, where nothing else grows."""
        there = self.at(field)
        return self.with_field(field, Stack(variety, 1 + (there.cards if there else 0)))

    def harvests(self, deck: Deck) -> Iterator[tuple[str, str, int, int]]:
        """Each field that is not empty as if harvested now: (field, variety, beans, talers)."""
        for letter, grown in zip(FIELDS, self.fields, strict=False):
            if grown is not None:
                yield letter, grown.variety, grown.cards, deck[grown.variety].talers(grown.cards)

    def worth(self, deck: Deck) -> int:
        """The purse, and what the fields would earn now."""
        return self.talers + sum(talers for *_, talers in self.harvests(deck))

    def shown(self, deck: Deck) -> tuple[FieldView, ...]:
        """Its fields as they are shown, with their worth."""
        return tuple(
            _shown(deck, letter, grown) for letter, grown in zip(FIELDS, self.fields, strict=False)
        )


def _shown(deck: Deck, letter: str, grown: Stack | None) -> FieldView:
    if grown is None:
        return FieldView(letter, None, 0, 0, None)
    variety = deck[grown.variety]
    return FieldView(
        letter, variety.id, grown.cards, variety.talers(grown.cards), variety.next_tier(grown.cards)
    )
