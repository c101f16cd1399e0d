"""The rules alone: a heavy round, and how well robots play."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from statistics import mean
from typing import Any

from benchmarks.measure import Figure, seconds
from gm import seeds
from gm.paths import SEEDS
from rounds.engine.notation import Orders
from rounds.engine.record import read_record, replay
from rounds.engine.shuffle import SECRET_BYTES, Chance, chance_of
from rounds.engine.variant import ANY_NUMBER, Table, Variant, find, names

GAMES = 1000
WRITTEN_BY = "make bench NAMES=lengths"
Robot = Callable[[Any], str]


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


def standing() -> Iterator[Figure]:
    """A round of five, from the texts of robots to events, in each game that stands on another:
    against one in that game.
    """
    for variant in map(find, names()):
        if variant.based_on:
            took, below = (_rounds(one) * 1000 for one in (variant, find(variant.based_on)))
            yield Figure(f"{variant.name}, a round of five", took, "ms", variant.based_on, below)


def robots(games: int = GAMES) -> Iterator[Figure]:
    """Of so many games for two of each variant those that its robot does not win against the
    stand-in; and where robots have strengths those of a fifth of them that one of the stronger
    wins against the weaker, against what it would win by luck.
    """
    for variant in map(find, names()):
        if 2 in variant.seats:
            lost = sum(not _wins(variant, 2, seed, variant.robot, None) for seed in range(games))
            yield Figure(
                f"{variant.name}: games a robot loses to the stand-in",
                lost,
                "games",
                "all games",
                games,
            )
        seats, fewer = max(2, variant.seats[0]), games // 5
        for (weaker, weak), (stronger, strong) in pairwise(variant.strengths.items()):
            won = sum(_wins(variant, seats, seed, strong, weak) for seed in range(fewer))
            name = f"{variant.name}: games {stronger} wins against {weaker}"
            yield Figure(name, won, "games", f"{fewer} games by luck", fewer / seats)


def lengths(games: int = GAMES) -> Iterator[Figure]:
    """How long a game is, for each number of players, where it is not known beforehand: rounds,
    against turns. Writes them to `seeds/<variant>/length.toml`.
    """
    for variant in map(find, names()):
        if variant.length(variant.house_rules()) is None and variant.seats != ANY_NUMBER:
            rows = []
            for seats in variant.seats:
                ends = [_last_table(variant, seats, seed) for seed in range(games // 5)]
                rounds = round(mean(table.round - 1 for table in ends))
                all_turns = [variant.moment(table).turn for table in ends]
                turns = round(mean(all_turns))
                fixed = ", fixed = true" if len({*all_turns}) == 1 else ""
                rows.append(f"{seats} = {{ rounds = {rounds}, turns = {turns}{fixed} }}\n")
                yield Figure(f"{variant.name}, a game of {seats}", rounds, "rounds", "turns", turns)
            head = f"# Mean length of games of robots, by number of players: {WRITTEN_BY}\n"
            file = SEEDS / variant.name / "length.toml"
            file.write_text(head + "".join(rows), encoding="utf-8")


def _last_table(variant: Variant, seats: int, seed: int) -> Table:
    table, chance = _first_table(variant, seats, seed), _chance(seed)
    while not variant.is_over(table):
        texts = {
            seat: variant.robot(variant.view(table, seat)) for seat in variant.may_order(table)
        }
        table = _closed(variant, table, texts, chance)
    return table


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


def _wins(variant: Variant, seats: int, seed: int, robot: Robot, others: Robot | None) -> bool:
    """Whether the robot of one seat, of each in turn, is alone in front; the others are left to
    the stand-in, if no robot plays them.
    """
    table, chance = _first_table(variant, seats, seed), _chance(seed)
    own = f"Seat{seed % seats}"
    while not variant.is_over(table):
        orders: dict[str, Orders | None] = dict.fromkeys(variant.may_order(table))
        for seat in orders:
            plays = robot if seat == own else others
            if plays:
                orders[seat] = variant.read_orders(table, seat, plays(variant.view(table, seat)))
        table, _ = variant.adjudicate(table, orders, chance)
    end = variant.result(table)
    return end is not None and [seat for seat, rank in end.ranks.items() if rank == 1] == [own]


def _rounds(variant: Variant) -> float:
    """Seconds of a round of five, over a whole game of robots."""
    table, chance = _first_table(variant, 5, 1), _chance(1)
    played = list[tuple[Table, dict[str, str]]]()
    while not variant.is_over(table):
        texts = {
            seat: variant.robot(variant.view(table, seat)) for seat in variant.may_order(table)
        }
        played.append((table, texts))
        table = _closed(variant, table, texts, chance)

    def again() -> None:
        for before, texts in played:
            _closed(variant, before, texts, chance)

    return seconds(again) / len(played)


def _closed(variant: Variant, table: Table, texts: dict[str, str], chance: Chance) -> Table:
    lists = {seat: variant.read_orders(table, seat, text) for seat, text in texts.items()}
    return variant.adjudicate(table, lists, chance)[0]


def _first_table(variant: Variant, seats: int, seed: int) -> Table:
    deck, names = (
        variant.deck_for(seeds.deck(variant.name), seats),
        [f"Seat{number}" for number in range(seats)],
    )
    return variant.set_up(deck, variant.house_rules(), names, _chance(seed))[0]


def _chance(seed: int) -> Chance:
    return chance_of(f"bench-{seed}", bytes(SECRET_BYTES), {}, {})
