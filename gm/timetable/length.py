"""How long a game takes, from its first round to its last."""

from functools import cache, lru_cache

import msgspec
from msgspec import Struct

from gm import paths, seeds
from gm.calendar import Rule, coming
from gm.clock import DAY
from gm.store.games import Game
from rounds.engine.variant import find


class Length(Struct, frozen=True):
    """How long a game takes: rounds, and turns where people count those. `is_fixed`: every game
    takes so many; else it is a mean, and `fewest_turns` that of the fullest table. `seconds`: how
    long it lasts, None if rounds have no deadlines; `at_most`: rounds may be closed before theirs.
    """

    rounds: int
    turns: int | None
    is_fixed: bool
    seconds: int | None
    at_most: bool
    fewest_turns: int | None = None


class _Mean(Struct, frozen=True, forbid_unknown_fields=True):
    rounds: int
    turns: int
    fixed: bool = False


def length_of(game: Game, seats: int, now: int) -> Length | None:
    """How long a game with `seats` seats taken takes; None if nothing is known of it, or if it was
    ended early. Before it begins it may take as long as with these seats alone.
    """
    if game.aborted:
        return None
    waits = game.status in ("draft", "open")
    most, begins = (game.seats or seats, now) if waits else (seats, game.created_at)
    return length(
        game.variant, game.house_rules, game.schedule, game.early_after, (seats, most), begins
    )


def length(
    variant: str,
    house_rules: str,
    rule: Rule,
    early_after: int | None,
    seats: tuple[int, int],
    now: int,
) -> Length | None:
    """How long a game takes that begins now. `house_rules`: as JSON; `seats`: how many play at
    least and at most. Means hold for the usual rules alone; None also for rules that cannot be
    read.
    """
    return _length(variant, house_rules, rule, early_after, seats, now // DAY)


@lru_cache(1000)
def _length(
    variant: str,
    house_rules: str,
    rule: Rule,
    early_after: int | None,
    seats: tuple[int, int],
    day: int,
) -> Length | None:
    engine, means, fewest = find(variant), _means(variant), None
    try:
        rules = msgspec.json.decode(house_rules, type=engine.house_rules)
    except msgspec.MsgspecError:
        return None
    if (known := engine.length(rules)) is not None:
        rounds, turns, is_fixed = known, None, True
    elif means:
        mean, full = _nearest(means, seats[0]), _nearest(means, seats[1])
        rounds, turns, is_fixed, fewest = mean.rounds, mean.turns, mean.fixed, full.turns
        if not is_fixed and rules != engine.house_rules():
            return None
    else:
        return None
    last = ends_by(rule, rounds, day * DAY)
    seconds = None if last is None else last - day * DAY
    is_range = fewest is not None and turns is not None and fewest < turns
    at_most = is_range or early_after is not None or engine.closes_at_once
    return Length(rounds, turns, is_fixed, seconds, at_most, fewest if is_range else None)


def numbers(variant: str) -> tuple[Length, Length] | None:
    """The shortest and the longest game of the usual rules, by the number of players, without how
    long they last; None if nothing is known.
    """
    engine = find(variant)
    known = engine.length(engine.house_rules())
    if known is not None:
        return (Length(known, None, True, None, False),) * 2
    means = sorted(_means(variant).values(), key=lambda mean: mean.rounds)
    lengths = [Length(mean.rounds, mean.turns, mean.fixed, None, False) for mean in means]
    return (lengths[0], lengths[-1]) if lengths else None


def ends_by(rule: Rule, rounds: int | None, now: int) -> int | None:
    """The last deadline of a game with this number of rounds that begins now, if each takes all
    its time; None if that is not known.
    """
    deadlines = coming(rule, now, rounds or 0)
    return deadlines[-1] if rounds and len(deadlines) == rounds else None


def _nearest(means: dict[int, _Mean], seats: int) -> _Mean:
    return means[min(means, key=lambda number: abs(number - seats))]


@cache
def _means(variant: str) -> dict[int, _Mean]:
    """`seeds/<variant>/length.toml`, by the number of players; empty without one."""
    file = paths.of_game("seeds", variant) / "length.toml"
    rows = seeds.load(file) if file.is_file() else {}
    return {int(number): msgspec.convert(row, _Mean) for number, row in rows.items()}
