"""The rules alone: a round from its texts to its events, a heavy one, and what could have been made of a whole game."""

from collections.abc import Iterator
from functools import partial
from statistics import median
from typing import Any

from gm import seeds
from gm.bench.measure import Figure, Options, beside_loop, once, typically
from gm.paths import SEEDS
from rounds.events import Event
from rounds.record import read_record, replay
from rounds.shuffle import SECRET_BYTES, Chance, chance_of
from rounds.variant import Table, Variant, find, names

GAMES = 20
HEAVY = 60
"""Rounds of the usual game that a heavy one may last."""
SEATS = 5
"""Of a round that is compared with a phase of seven powers."""


def rounds(options: Options) -> Iterator[Figure]:
    """Parse, adjudicate and tell one round of each variant, against a phase of Diplomacy and a move of boardgame.io if they were
    measured.
    """
    for name in names():
        yield from _round(find(name), options)


def _round(variant: Variant, options: Options) -> Iterator[Figure]:
    number = min(max(options.seats, variant.seats[0]), variant.seats[-1])
    took, lists = _first_round(variant, number)
    for name, figure, peer, limit in (
        (f"a round of {number}", took, "diplomacy", 0.1 if number == SEATS else None),
        ("a seat's round", took / lists, "boardgame.io", 0.4),
    ):
        against = options.peers.get(peer)
        what = f"{variant.name}, parse, adjudicate, tell: {name}"
        yield Figure(what, figure, "us", peer, against, limit if against else None, "" if against else f"{peer}: not measured")


def _first_round(variant: Variant, seats: int) -> tuple[float, int]:
    """Microseconds of the first round of robots, from texts to events, and how many lists it has."""
    table, chance = _first_table(variant, seats, 1), _chance(1)
    texts = {seat: variant.robot(variant.view(table, seat)) for seat in variant.may_order(table)}

    def play() -> None:
        for _ in range(100):
            variant.adjudicate(table, {seat: variant.read_orders(table, seat, text) for seat, text in texts.items()}, chance)

    return typically(play).cpu / 100, len(texts)


def heavy(_: Options) -> Iterator[Figure]:
    """The last round of `seeds/<variant>/heavy.json`, where there is one, once its lists are read: against a round of as many
    seats of the usual game.
    """
    for variant in map(find, names()):
        file = SEEDS / variant.name / "heavy.json"
        if file.exists():
            record, usual = read_record(file.read_bytes()), find(seeds.default_variant())
            number, table = len(record.seats), replay(record, variant, seeds.deck(variant.name)).rounds[-1].before
            texts = record.rounds[-1].orders
            lists = {seat: None if text is None else variant.read_orders(table, seat, text) for seat, text in texts.items()}
            took = typically(partial(variant.adjudicate, table, lists, _chance(1))).cpu
            what = f"{variant.name}, a heavy round of {number}, adjudicated"
            yield Figure(what, took, "us", f"{usual.name}, a round of {number}", _first_round(usual, number)[0], HEAVY)


def hindsight(options: Options) -> Iterator[Figure]:
    """The optimum of finished games, with its orders, against their adjudication; and of each row alone, for one seat."""
    variant = find(seeds.default_variant())
    if variant.hindsight is None or variant.best_gain is None:
        return
    games, played, rows = [], [], []
    for seed in range(GAMES):
        tables, orders, happened = _whole_game(variant, options.seats, seed)
        played.append(once(partial(_adjudicate, variant, tables, orders, _chance(seed))).cpu / 1000)
        games.append(once(partial(variant.hindsight.find, tables, happened)).cpu / 1000)
        rows += [once(partial(variant.best_gain, table, table.seats[0])).cpu / 1000 for table in tables[:-1]]
    yield Figure("hindsight of a finished game, median of 20", median(games), "ms", "adjudicating it", median(played), 60)
    yield beside_loop("hindsight of a finished game, the longest of 20", max(games), "ms")
    yield beside_loop("the most a row could bring one farm, median", median(rows), "ms")
    yield beside_loop("the most a row could bring one farm, the longest", max(rows), "ms")


def robots(options: Options) -> Iterator[Figure]:
    """Of a thousand games for two of each variant those that its robot does not win against the stand-in."""
    for variant in map(find, names()):
        if 2 in variant.seats:
            games = min(options.games, 1000)
            lost = sum(not _robot_wins(variant, seed) for seed in range(games))
            yield Figure(f"{variant.name}: games a robot loses to the stand-in", lost, "games", "games", games, 0.15)


def _robot_wins(variant: Variant, seed: int) -> bool:
    """Whether the robot of one seat, or in every second game of the other, is alone in front."""
    table, chance = _first_table(variant, 2, seed), _chance(seed)
    robot = f"Seat{seed % 2}"
    while not variant.is_over(table):
        orders = dict.fromkeys(variant.may_order(table))
        if robot in orders:
            orders[robot] = variant.read_orders(table, robot, variant.robot(variant.view(table, robot)))
        table, _ = variant.adjudicate(table, orders, chance)
    end = variant.result(table)
    return end is not None and [seat for seat, rank in end.ranks.items() if rank == 1] == [robot]


def _first_table(variant: Variant, seats: int, seed: int) -> Table:
    deck, names = variant.deck_for(seeds.deck(variant.name), seats), [f"Seat{number}" for number in range(seats)]
    return variant.set_up(deck, variant.house_rules(), names, _chance(seed))[0]


def _chance(seed: int) -> Chance:
    return chance_of(f"bench-{seed}", bytes(SECRET_BYTES), {}, {})


def _whole_game(variant: Variant, seats: int, seed: int) -> tuple[list[Table], list[dict[str, Any]], list[tuple[Event, ...]]]:
    """The tables from the first to the last, the orders between them, and what happened."""
    tables, orders, happened = [_first_table(variant, seats, seed)], list[dict[str, Any]](), list[tuple[Event, ...]]()
    chance = _chance(seed)
    while not variant.is_over(table := tables[-1]):
        may = variant.may_order(table)
        orders.append({seat: variant.read_orders(table, seat, variant.robot(variant.view(table, seat))) for seat in may})
        table, events = variant.adjudicate(table, orders[-1], chance)
        tables.append(table)
        happened.append(events)
    return tables, orders, happened


def _adjudicate(variant: Variant, tables: list[Table], orders: list[dict[str, Any]], chance: Chance) -> None:
    for table, given in zip(tables, orders, strict=False):  # nothing is ordered at the last
        variant.adjudicate(table, given, chance)
