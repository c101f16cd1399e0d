"""Turns: the rounds that one page tells of. In a game without turns that is each round."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import groupby

from msgspec.structs import replace

from gm import store
from gm.rendering.reports import Report, report
from gm.store.db import Database
from gm.store.games import Game


def turn_of(db: Database, game: Game, number: int) -> int:
    """The turn to which a round belongs, closed or open; its own number where there are none."""
    if game.engine.turn is None:
        return number
    return game.engine.turn(game.engine.moment(store.rounds.table_after(db, game, number - 1)))


def page_of(db: Database, game: Game, number: int) -> str:
    """The name of the page that tells of a closed round: `t/9`, or `r9` in a game without turns."""
    return f"t/{turn_of(db, game, number)}" if game.engine.turn else f"r{number}"


def parts_of(db: Database, game: Game, turn: int) -> list[Report]:
    """The closed rounds of a turn, in their order; none if it has not come so far."""
    closed = range(1, game.round)
    first = bisect_left(closed, turn, key=lambda number: turn_of(db, game, number))
    numbers = []
    for number in closed[first:]:
        if turn_of(db, game, number) != turn:
            break
        numbers.append(number)
    return [report(db, game, number) for number in numbers]


def whole(parts: Sequence[Report]) -> Report:
    """A turn as if it were one round: the last of its rounds, with the table before the first and
    what happened, was written and was noted in all of them.
    """
    return replace(
        parts[-1],
        moment=parts[0].moment,
        before=parts[0].before,
        events=tuple(event for part in parts for event in part.events),
        press=tuple(text for part in parts for text in part.press),
        notes=tuple(note for part in parts for note in part.notes),
    )


def in_turns(game: Game, reports: Iterable[Report]) -> list[list[Report]]:
    """Closed rounds, newest first, as lists of those of a turn, each in its order."""

    def turn(one: Report) -> int:
        return game.engine.turn(one.moment) if game.engine.turn and one.number else one.number

    return [[*reversed([*parts])] for _, parts in groupby(reports, key=turn)]
