"""The rules alone: a heavy round, and how well robots play."""

from collections.abc import Iterator
from functools import partial

from benchmarks.measure import Figure, seconds
from gm import seeds
from gm.paths import SEEDS
from rounds.engine.record import read_record, replay
from rounds.engine.shuffle import SECRET_BYTES, Chance, chance_of
from rounds.engine.variant import Table, Variant, find, names

GAMES = 1000


def heavy() -> Iterator[Figure]:
    """The last round of `seeds/<variant>/heavy.json`, where there is one, once its lists are
    read: against a round of as many seats of the usual game.
    """
    for variant in map(find, names()):
        file = SEEDS / variant.name / "heavy.json"
        if file.exists():
            record, usual = read_record(file.read_bytes()), find(seeds.default_variant())
            number, table = (
                len(record.seats),
                replay(record, variant, seeds.deck(variant.name)).rounds[-1].before,
            )
            texts = record.rounds[-1].orders
            lists = {
                seat: None if text is None else variant.read_orders(table, seat, text)
                for seat, text in texts.items()
            }
            took = seconds(partial(variant.adjudicate, table, lists, _chance(1))) * 1000
            against = f"a round of {number} in {usual.name}"
            yield Figure(
                f"{variant.name}, a heavy round of {number}",
                took,
                "ms",
                against,
                _first_round(usual, number) * 1000,
            )


def robots(games: int = GAMES) -> Iterator[Figure]:
    """Of so many games for two of each variant those that its robot does not win against the
    stand-in.
    """
    for variant in map(find, names()):
        if 2 in variant.seats:
            lost = sum(not _robot_wins(variant, seed) for seed in range(games))
            yield Figure(
                f"{variant.name}: games a robot loses to the stand-in",
                lost,
                "games",
                "all games",
                games,
            )


def _first_round(variant: Variant, seats: int) -> float:
    """Seconds of the first round of robots, from texts to events."""
    table, chance = _first_table(variant, seats, 1), _chance(1)
    texts = {seat: variant.robot(variant.view(table, seat)) for seat in variant.may_order(table)}

    def play() -> None:
        for _ in range(100):
            variant.adjudicate(
                table,
                {seat: variant.read_orders(table, seat, text) for seat, text in texts.items()},
                chance,
            )

    return seconds(play) / 100


def _robot_wins(variant: Variant, seed: int) -> bool:
    """Whether the robot of one seat, or in every second game of the other, is alone in front."""
    table, chance = _first_table(variant, 2, seed), _chance(seed)
    robot = f"Seat{seed % 2}"
    while not variant.is_over(table):
        orders = dict.fromkeys(variant.may_order(table))
        if robot in orders:
            orders[robot] = variant.read_orders(
                table, robot, variant.robot(variant.view(table, robot))
            )
        table, _ = variant.adjudicate(table, orders, chance)
    end = variant.result(table)
    return end is not None and [seat for seat, rank in end.ranks.items() if rank == 1] == [robot]


def _first_table(variant: Variant, seats: int, seed: int) -> Table:
    deck, names = (
        variant.deck_for(seeds.deck(variant.name), seats),
        [f"Seat{number}" for number in range(seats)],
    )
    return variant.set_up(deck, variant.house_rules(), names, _chance(seed))[0]


def _chance(seed: int) -> Chance:
    return chance_of(f"bench-{seed}", bytes(SECRET_BYTES), {}, {})
