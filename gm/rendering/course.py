"""The course of a game as a chart: talers after each round, and where the names go."""

from collections.abc import Sequence
from itertools import pairwise

from gm.rendering.reports import Report
from gm.rendering.turns import in_turns
from gm.store.games import Game


def course(
    game: Game, seats: Sequence[str], reports: Sequence[Report]
) -> list[tuple[str, list[int]]]:
    """Talers after each round by seat, or after each turn where a turn may take several rounds;
    empty before the first close and for variants without a ranking.
    """
    scores = game.engine.scores
    if len(reports) < 2 or scores is None:
        return []
    by_turn = [scores.of(parts[-1].after) for parts in reversed(in_turns(game, reports))]
    return [(seat, [after[seat] for after in by_turn]) for seat in seats]


def ticks(highest: int) -> list[int]:
    """Figures for the axis, from 0 in even steps: at most six, the last no lower than the
    highest value.
    """
    highest = max(highest, 1)
    step = next(
        step for step in (1, 2, 3, 4, 5, 6, 8, 10 * (1 + highest // 40)) if step * 4 >= highest
    )
    return list(range(0, highest + step, step))


def spread(wanted: Sequence[float], gap: float, top: float, bottom: float) -> list[float]:
    """Places for names as near as possible to `wanted`, in the same order, `gap` apart, between
    top and bottom.

    If they do not all fit, the gap shrinks.
    """
    gap = min(gap, (bottom - top) / max(len(wanted) - 1, 1))
    by_height = sorted(range(len(wanted)), key=lambda number: wanted[number])
    places = [min(max(wanted[number], top), bottom) for number in by_height]
    for above, below in pairwise(range(len(places))):
        places[below] = max(places[below], places[above] + gap)
    places[-1:] = [min(place, bottom) for place in places[-1:]]
    for below, above in pairwise(reversed(range(len(places)))):
        places[above] = min(places[above], places[below] - gap)
    return [place for _, place in sorted(zip(by_height, places, strict=True))]
