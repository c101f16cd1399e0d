"""What always holds (T1 to T11 of the rules), in random games against a second, naive engine
that shares nothing with ours.

A list is legal for both or for neither, and leads to the same table.
"""

import os
from collections import Counter
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from rounds.duel import variant
from rounds.duel.account import played
from rounds.duel.table import AFTER, Table
from rounds.engine.beans import Deck
from rounds.engine.notation import Orders, Refused
from tests.rules.duel.naive import METERS, Duel, Illegal
from tests.rules.duel.random_games import SEATS, guess, rules, same
from tests.rules.duel.tables import DECK

GAMES = 2000 if os.environ.get("BOHNENPOST_SOAK") else 30
TRIES = 20
PARTS = 10
"""So many tests share the games."""


def try_list(table: Table, naive: Duel, text: str) -> Orders | None:
    """The list, checked, if it is legal; both engines must agree about that."""
    try:
        trial = copied(naive)
        trial.play(text)
    except Illegal:
        with pytest.raises(Refused):
            variant.read_orders(table, table.active, text)
        return None
    return variant.read_orders(table, table.active, text)


def copied(naive: Duel) -> Duel:
    """The same game, to be played on without changing this one."""
    twin = Duel.__new__(Duel)
    for name, value in vars(naive).items():
        match value:
            case dict():
                value = {
                    key: [list(x) if isinstance(x, list) else x for x in v]
                    if isinstance(v, list)
                    else v
                    for key, v in value.items()
                }
            case list():
                value = list(value)
        setattr(twin, name, value)
    return twin


def fits(table: Table, orders: Orders) -> None:
    """T6 and T7: what is written is read again, and does the same as what was typed; the
    stand-in's list is silence.
    """
    seat = table.active
    written = variant.write_orders(table, orders)
    assert variant.read_orders(table, seat, written) == orders, written
    assert variant.write_orders(table, variant.read_orders(table, seat, written)) == written
    absent, spoken = (
        variant.stand_in(table, seat),
        variant.write_orders(table, variant.stand_in(table, seat)),
    )
    assert variant.read_orders(table, seat, spoken) == absent
    assert (
        variant.adjudicate(table, {seat: None}, _no)[0]
        == variant.adjudicate(table, {seat: absent}, _no)[0]
    )


def _no(label: str, size: int) -> Any:
    raise AssertionError("a round draws no chance")


def holds(before: Table, events: Any, after: Table) -> None:
    """T1, T3, T4, T5 and T11 of one round."""
    seat = before.active
    other = next(one for one in SEATS if one != seat)
    cards = Counter([*after.draw_pile, *after.discard, *after.hand(seat), *after.hand(other)])
    for stack in (
        *after.offer,
        *after.row,
        *(grown for farm in after.farms.values() for grown in farm.fields if grown),
    ):
        cards[stack.variety] += stack.cards
    spent = (
        0
        if after.rules.three_fields
        else 3 * sum(len(farm.fields) - 2 for farm in after.farms.values())
    )
    assert cards.total() + sum(farm.talers for farm in after.farms.values()) + spent == DECK.size
    assert all(cards[variety] <= METERS[variety][0] for variety in METERS)
    if after.phase == AFTER and after.row:
        assert not after.discard or after.discard[0] not in {stack.variety for stack in after.row}
        assert len(after.row) <= 3
    assert (after.hands[other], after.farms[other]) == (before.hands[other], before.farms[other])
    kept = [place for place in after.hands[seat] if place in before.hands[seat]]
    assert kept == [place for place in before.hands[seat] if place in kept]
    assert len(after.hands[seat]) <= 18
    in_two(before, events, after)


def in_two(before: Table, events: Any, after: Table) -> None:
    """T11: a turn in one list gives the same as its carried-out orders in two."""
    said = played(before, events)
    if " then " not in f" {said} ":
        return
    exact, _, rest = f" {said} ".partition(" then ")
    table = before
    for text in (exact.strip() or "pass", rest.strip()):
        orders = variant.read_orders(table, before.active, text)
        table, _ = variant.adjudicate(table, {before.active: orders}, _no)
    assert replace(table, round=after.round) == after


def unseen_is_unseen(table: Table, chance: Random) -> None:
    """T10: draw pile and the other hand are shuffled among each other, and a seat's view stays
    the same.
    """
    for seat in (*SEATS, None):
        hidden = [place for one in SEATS if one != seat for place in table.hands[one]] + list(
            range(table.gone, len(table.cards))
        )
        cards, moved = list(table.cards), chance.sample(hidden, len(hidden))
        for place, other in zip(hidden, moved, strict=True):
            cards[place] = table.cards[other]
        assert variant.view(replace(table, cards=tuple(cards)), seat) == variant.view(table, seat)


@pytest.mark.parametrize("part", range(PARTS))
def test_random_games_are_the_same_in_both_engines(part: int) -> None:
    for seed in range(part, GAMES, PARTS):
        play(Random(seed), DECK)


def a_list(
    table: Table, naive: Duel, chance: Random, *, gives_up: bool, is_calm: bool
) -> tuple[str | None, Orders | None]:
    """A list that both engines take, as text and checked; None for none. In a calm game fields
    grow until they are full.
    """
    if gives_up and chance.random() < 0.03:
        return "resign", variant.read_orders(table, table.active, "resign")
    if chance.random() < (0.85 if is_calm else 0.1):
        return None, None
    for _ in range(TRIES):
        text = guess(chance, table)
        if is_calm:
            text = text.replace("!", "").replace("HA", "").replace("HB", "").strip() or "pass"
        if (orders := try_list(table, naive, text)) is not None:
            return text, orders
    orders = variant.stand_in(table, table.active)
    return variant.write_orders(table, orders), orders


def play(chance: Random, deck: Deck) -> None:
    """One game, absences and resignations among its lists."""
    given = rules(chance)
    order = chance.sample(range(deck.size), deck.size)
    table = variant.set_up(deck, given, SEATS, lambda label, size: order)[0]
    naive = Duel(
        [deck.base_order()[place] for place in order],
        SEATS,
        {name: getattr(given, name) for name in given.__struct_fields__},
    )
    same(table, naive)
    gives_up, is_calm = chance.random() < 0.1, chance.random() < 0.4
    while not table.over:
        text, orders = a_list(table, naive, chance, gives_up=gives_up, is_calm=is_calm)
        naive.play(text)
        before = table
        table, events = variant.adjudicate(table, {table.active: orders}, _no)
        same(table, naive)
        holds(before, events, table)
        if chance.random() < 0.1:
            unseen_is_unseen(table, chance)
            fits(before, variant.stand_in(before, before.active) if orders is None else orders)
    if table.resigned is None:
        assert table.turn == 27
        assert 27 <= table.round - 1 <= 54
