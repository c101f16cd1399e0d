"""A farm: three fields A, B, C and a purse. What may be done to it is for the variants to say."""

from msgspec import Struct
from msgspec.structs import replace

FIELDS = ("A", "B", "C")


class Stack(Struct, frozen=True, array_like=True):
    """So many cards of one variety: on a field, or on a position of a row. In JSON `["bush", 3]`."""

    variety: str
    cards: int


class Farm(Struct, frozen=True):
    """What a seat has: its fields in the order A, B, C (None = empty), and talers."""

    fields: tuple[Stack | None, Stack | None, Stack | None] = (None, None, None)
    talers: int = 0

    def at(self, field: str) -> Stack | None:
        """What grows on the field with this letter. Raises ValueError if there is no such field."""
        return self.fields[FIELDS.index(field)]

    def growing(self, variety: str) -> str | None:
        """The first field on which the variety grows."""
        for letter, stack in zip(FIELDS, self.fields, strict=True):
            if stack is not None and stack.variety == variety:
                return letter
        return None

    def first_empty(self) -> str | None:
        """The first field with nothing on it (P52)."""
        for letter, stack in zip(FIELDS, self.fields, strict=True):
            if stack is None:
                return letter
        return None

    def with_field(self, field: str, stack: Stack | None, talers: int = 0) -> "Farm":
        """The same farm with another content of one field and `talers` more (or, negative, fewer) in the purse."""
        fields = tuple(stack if letter == field else old for letter, old in zip(FIELDS, self.fields, strict=True))
        return replace(self, fields=fields, talers=self.talers + talers)
