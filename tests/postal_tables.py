"""What many tests need: the cast, tables, random games. Anna orders, Bert passes, Cem is absent,
Dörte is not in this game.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from gm import seeds
from rounds.engine.beans import DECK_LABEL
from rounds.engine.farm import Farm
from rounds.engine.notation import Order, Orders
from rounds.engine.shuffle import Chance, listed_chance
from rounds.family.orders import Harvest
from rounds.postal.notation import Plant, Plow, Problem
from rounds.postal.orders import Progress, check, merged
from rounds.postal.round import adjudicate
from rounds.postal.table import HouseRules, Table, begin
from tests.cases.stacks import read_stacks

DECK = seeds.deck("postal")
CAST = ("Anna", "Bert", "Cem")
STRANGER = "Dörte"
ROW = "bush magic climbing*3 mung snap snake broad princess"


def shuffled(seed: int) -> tuple[str, ...]:
    """The deck in an order of a test's own."""
    cards = list(DECK.base_order())
    Random(seed).shuffle(cards)
    return tuple(cards)


def table(
    row: str = ROW,
    *,
    farm: str = "- - - 0",
    discard: str = "",
    pile: str = "",
    seats: tuple[str, ...] = ("Anna",),
    **rules: Any,
) -> Table:
    """A table from text: every seat has the same farm, fields and purse like `bush*3 - - 2`."""
    a, b, c, talers = farm.split()
    fields = read_stacks(f"{a} {b} {c}")
    farms = tuple(Farm((fields[0], fields[1], fields[2]), int(talers)) for _ in seats)
    stacks = tuple(stack for stack in read_stacks(row) if stack)
    return Table(
        DECK,
        HouseRules(**rules),
        1,
        stacks,
        tuple(discard.split()),
        tuple(pile.split()),
        seats,
        farms,
    )


def chance_with(cards: Sequence[str]) -> Chance:
    """The chance of a game whose deck lies in this order."""
    return listed_chance({DECK_LABEL: cards}, DECK)


def new_game(seed: int, seats: tuple[str, ...] = CAST, **rules: Any) -> Table:
    """The first table of a game with this shuffle."""
    start, _ = begin(DECK, HouseRules(**rules), seats, shuffled(seed))
    found: Table = start
    return found


def random_rules(rng: Random) -> dict[str, Any]:
    """Any house rules."""
    return {
        "rounds": rng.randint(1, 12),
        "discard_order": rng.choice(["ascending", "descending"]),
        "nmr_empty": rng.random() < 0.5,
        "nmr_harvest": rng.choice(["eager", "lazy"]),
    }


def random_order(rng: Random, at: Table) -> Order:
    """Any order, legal or not."""
    field = rng.choice("ABCD" if rng.random() < 0.1 else "ABC")
    kind = rng.random()
    if kind < 0.7:
        cards = rng.choice([None, 1, 1, 2, 3]) if rng.random() < 0.9 else 0
        return Plant(rng.randint(0, len(at.row) + 1), cards, rng.choice([None, field]))
    return Harvest(field) if kind < 0.9 else Plow(field)


def random_orders(rng: Random, at: Table, seat: str) -> Orders | None:
    """A legal list, or None for an absence."""
    if rng.random() < 0.15:
        return None
    progress, orders = Progress(at.farm(seat)), []
    for _ in range(rng.randint(0, 25)):
        checked = check(at, seat, progress, random_order(rng, at))
        if not isinstance(checked, Problem):
            order, progress, _ = checked
            orders.append(order)
    return merged(orders)


def random_game(seed: int) -> list[tuple[Table, dict[str, Orders | None], Table, tuple[Any, ...]]]:
    """A whole game of random legal lists: (before, lists, after, events) of every round."""
    rng = Random(seed)
    at = new_game(seed, tuple("ABCDEF"[: rng.randint(1, 6)]), **random_rules(rng))
    rounds = []
    while not at.over:
        lists = {seat: random_orders(rng, at, seat) for seat in at.seats}
        after, events = adjudicate(at, lists)
        rounds.append((at, lists, after, events))
        at = after
    return rounds
