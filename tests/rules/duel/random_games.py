"""Random lists of the duel, and its table beside the naive one."""

from collections import Counter
from random import Random

from rounds.duel import variant
from rounds.duel.table import AFTER, BEFORE, HouseRules, Table
from rounds.engine.farm import FIELDS, Stack
from tests.rules.duel.naive import METERS, Duel

SEATS = ("Anna", "Bert")


def rules(chance: Random) -> HouseRules:
    return HouseRules(
        start=chance.choice((1, 2)),
        three_fields=chance.random() < 0.3,
        discard=chance.choice(("after", "either")),
    )


def stacks(cards: list[str]) -> tuple[Stack, ...]:
    return tuple(Stack(variety, number) for variety, number in Counter(cards).items())


def same(table: Table, naive: Duel) -> None:
    """Both games stand alike, to the last card."""
    assert table.draw_pile == tuple(naive.pile)
    assert {seat: list(table.hand(seat)) for seat in SEATS} == naive.hands
    for seat in SEATS:
        assert table.farms[seat].talers == naive.talers[seat]
        fields = [Stack(field[0], len(field)) if field else None for field in naive.fields[seat]]
        assert list(table.farms[seat].fields) == fields
    assert (table.offer, table.row) == (stacks(naive.offer), stacks(naive.row))
    assert list(table.discard) == naive.discard[::-1]
    assert table.over == naive.over
    if not table.over:
        assert (table.turn, table.active, table.phase) == (
            naive.turn,
            naive.seat,
            AFTER if naive.after_reveal else BEFORE,
        )
    else:
        end = variant.result(table)
        assert end is not None
        assert (end.talers, end.ranks) == naive.result()


def guess(chance: Random, table: Table) -> str:
    """A list that may well be legal, in canonical words."""
    hand, fields = (
        len(table.hands[table.active]),
        FIELDS[: len(table.farms[table.active].fields) + chance.randrange(8) // 7],
    )
    lying = [stack.variety for stack in (table.offer if table.phase == BEFORE else table.row)]

    def on() -> str:
        return chance.choice(
            ("", *(f">{field}" for field in fields), *(f">{field}!" for field in fields))
        )

    def number() -> str:
        return chance.choice(("", "", "", "x1", "x2"))

    def some(names: list[str], most: int) -> list[str]:
        return [
            chance.choice(
                (
                    f"H{chance.choice(fields)}",
                    "buy",
                    *(f"{name}{number()}{on()}" for name in names * 3),
                )
            )
            for _ in range(chance.randrange(most + 1))
        ]

    if table.phase == AFTER:
        return (
            " ".join(chance.choice((some(lying, 3), ["match"], [*some(lying, 1), "match"])))
            or "pass"
        )
    words = some(lying, 2) + [f"D{name}{number()}" for name in lying if chance.random() < 0.3]
    cards = [
        f"{card}{on() or '>A!'}"
        for card in range(1, min(hand, chance.choice((1, 1, 2, 2, 2, 3))) + 1)
    ]
    if hand and chance.random() < 0.4:
        cards.insert(
            len(cards) if chance.random() < 0.8 else chance.randrange(len(cards) + 1),
            f"D{chance.randint(1, hand)}",
        )
    words += cards + (some(lying, 1) if chance.random() < 0.1 else [])
    if chance.random() < 0.5:
        words += [
            "then",
            *(
                chance.choice((["match"], some(list(METERS), 5), [*some(list(METERS), 3), "match"]))
                or ["pass"]
            ),
        ]
    return " ".join(words) or "pass"
