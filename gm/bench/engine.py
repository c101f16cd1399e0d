"""The rules alone: a round from its texts to its events, and what could have been made of a whole game."""

from collections.abc import Iterator
from statistics import median

from gm import seeds
from gm.bench import Line, Options
from gm.bench.clocks import once, typically
from rounds.shuffle import SECRET_BYTES, shuffled_deck
from rounds.variant import Table, Variant, find, names

GAMES = 20


def rounds(options: Options) -> Iterator[Line]:
    """Parse, adjudicate and tell one round."""
    variant = find(names()[0])
    table = _first_table(variant, options.seats, 1)
    texts = {seat: variant.robot(variant.view(table, seat)) for seat in variant.awaited(table)}

    def play() -> None:
        for _ in range(100):
            variant.adjudicate(table, {seat: variant.read_orders(table, seat, text) for seat, text in texts.items()})

    took = typically(play)
    note = "diplomacy and boardgame.io: not measured"
    yield Line("parse, adjudicate, tell: a seat's round", took.cpu / 100 / options.seats, "us", note=note)


def hindsight(options: Options) -> Iterator[Line]:
    """The optimum of finished games, with its orders."""
    variant = find(names()[0])
    if variant.hindsight is None:
        return
    took = []
    for seed in range(GAMES):
        tables = _whole_game(variant, options.seats, seed)
        took.append(once(lambda tables=tables: variant.hindsight(tables)).cpu / 1000)  # type: ignore[misc]
    yield Line("hindsight of a finished game, median of 20", median(took), "ms", limit=300)
    yield Line("hindsight of a finished game, the longest of 20", max(took), "ms")


def _first_table(variant: Variant, seats: int, seed: int) -> Table:
    deck = seeds.deck(variant.name)
    cards = shuffled_deck(f"bench-{seed}", bytes(SECRET_BYTES), {}, {}, deck)
    table, _ = variant.set_up(deck, variant.house_rules(), [f"Seat{number}" for number in range(seats)], cards)
    return table


def _whole_game(variant: Variant, seats: int, seed: int) -> list[Table]:
    tables = [_first_table(variant, seats, seed)]
    while awaited := variant.awaited(tables[-1]):
        table = tables[-1]
        orders = {seat: variant.read_orders(table, seat, variant.robot(variant.view(table, seat))) for seat in awaited}
        tables.append(variant.adjudicate(table, orders)[0])
    return tables
