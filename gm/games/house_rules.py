"""The house rules of a variant: what may be set, and how it is read from text."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct, inspect

from gm.errors import Refusal
from rounds.engine.variant import ANY_NUMBER, Variant, find


class HouseRule(Struct, frozen=True):
    """A house rule as people write it: one of `values`, or without these a whole number from
    `least` to `most`.
    """

    key: str
    default: str
    values: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None

    @property
    def choices(self) -> str:
        """What may be written, in short."""
        return "|".join(self.values) or f"{self.least}…{self.most}"


def known(variant: str) -> tuple[HouseRule, ...]:
    """The house rules of a variant, in its order."""
    info = inspect.type_info(find(variant).house_rules)
    assert isinstance(info, inspect.StructType)
    return tuple(_rule(field) for field in info.fields)


def checked(variant: str, values: Mapping[str, Any]) -> Any:
    """House rules as the variant's own value. Raises Refusal naming an unknown key, or what a
    key may be.
    """
    kind, rules = find(variant).house_rules, {rule.key: rule for rule in known(variant)}
    for key, value in values.items():
        if key not in rules:
            raise Refusal("unknown_rule", key=key, rules=tuple(rules))
        try:
            msgspec.convert({key: value}, kind)
        except msgspec.ValidationError:
            raise Refusal("odd_rule", rule=rules[key], text=_written(value)) from None
    return msgspec.convert(dict(values), kind)


def read(pairs: Sequence[str]) -> dict[str, Any]:
    """House rules from KEY=VALUE: numbers and true or false as such, anything else as text.

    Raises Refusal for a word without `=`.
    """
    rules: dict[str, Any] = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals:
            raise Refusal("bad_pair", pair=pair)
        value: Any = {"true": True, "false": False}.get(text, text)
        rules[key] = int(text) if re.fullmatch(r"[0-9]{1,6}", text) else value
    return rules


def seat_limit(variant: str, wish: int | None) -> int | None:
    """The most seats of a game: as many as asked for, else as many as can play; None: any
    number.

    Raises Refusal if the variant cannot be played with that many.
    """
    seats = find(variant).seats
    if wish is None:
        return None if seats.stop == ANY_NUMBER.stop else seats[-1]
    if wish not in seats:
        raise Refusal("bad_limit", seats=seats, number=wish)
    return wish


def check_players(variant: Variant, number: int) -> None:
    """Raises Refusal unless this many can play."""
    if number not in variant.seats:
        raise Refusal("bad_table", seats=variant.seats, number=number)


def _rule(field: inspect.Field) -> HouseRule:
    kind, default = field.type, _written(field.default)
    if isinstance(kind, inspect.IntType):
        return HouseRule(field.name, default, least=kind.ge, most=kind.le)
    if isinstance(kind, inspect.LiteralType):
        return HouseRule(field.name, default, tuple(map(str, kind.values)))
    assert isinstance(kind, inspect.BoolType), "a house rule is a number, a word or a yes and no"
    return HouseRule(field.name, default, ("false", "true"))


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
