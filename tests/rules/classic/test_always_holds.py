"""What always holds (docs/rules/classic.md, part 2), in random games for three to seven, under
all orders of turns.

Most are played with few cards, where the draw pile runs out in every way within a few turns.
"""

import os
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from random import Random

import pytest
from msgspec.structs import astuple

from rounds.classic import variant
from rounds.classic.events import RanOut, Reshuffled, Traded
from rounds.classic.table import FIELD
from rounds.engine.events import Event
from rounds.family.events import Drew, Revealed
from tests.rules.classic.random_games import Played, chance, play, read, some_list

GAMES, SMALL = (500, 100) if os.environ.get("BOHNENPOST_SOAK") else (2, 5)
"""For each number of players: with the whole deck, and with few cards."""
RUN_OUTS = {
    "run-out in drawing",
    "run-out in revealing",
    "nothing to shuffle then",
    "shuffled when needed",
}
ENDS = {"drawing", "revealing", "nothing to shuffle"}


def run_outs(played: Played) -> Iterator[str]:
    """What happened to the draw pile in a round."""
    for number, event in enumerate(played.events):
        before, following = played.events[max(number - 1, 0)], played.events[number + 1 :]
        if isinstance(event, Reshuffled) and not isinstance(before, RanOut):
            yield "shuffled when needed"
        if isinstance(event, RanOut):
            taken = next(later for later in following if isinstance(later, Drew | Revealed))
            yield f"run-out in {'drawing' if isinstance(taken, Drew) else 'revealing'}"
            if event.times < played.before.size.run_outs and not isinstance(
                following[0], Reshuffled
            ):
                yield "nothing to shuffle then"


def end(rounds: tuple[Played, ...]) -> str:
    """What a game ended in."""
    last = rounds[-1].after
    if last.run_outs < last.size.run_outs:
        return "nothing to shuffle"
    return (
        "revealing"
        if any(one.before.ending for one in rounds if one.before.phase == FIELD)
        else "drawing"
    )


@pytest.mark.long
@pytest.mark.parametrize("players", range(3, 8))
def test_what_always_holds(players: int) -> None:
    kinds = Counter[type]()
    for seed in range(GAMES):
        rounds = play(players, seed, is_small=False)
        found = Counter(type(event) for played in rounds for event in played.events)
        assert found[RanOut] <= rounds[0].before.size.run_outs
        kinds += found
    assert kinds[Traded] > 10 * GAMES
    assert kinds[Reshuffled] >= GAMES


@pytest.mark.long
def test_the_pile_runs_out_and_games_end_in_every_way() -> None:
    kinds = set[str]()
    for players in range(3, 8):
        for seed in range(SMALL):
            rounds = play(players, seed, is_small=True)
            kinds |= {end(rounds), *(kind for played in rounds for kind in run_outs(played))}
    assert kinds == RUN_OUTS | ENDS


@pytest.mark.long
def test_reasons_hang_on_the_own_list_cards_and_trades_alone() -> None:
    """Where another list of somebody else leaves the own trades as they are, what came to nothing
    of the own deals is told in the same words.
    """
    random, told = Random(0), Counter[str]()
    for at, lists, events, after in map(astuple, play(5, 0, is_small=False)):
        for seat, other in permutations(at.seats, 2):
            changed = lists | {other: read(at, other, some_list(at, other, random))}
            then, happened = variant.adjudicate(at, changed, chance((5, 0)))
            if own_trades(seat, happened) == own_trades(seat, events):
                missed, again = (
                    variant.view(at, seat).missed(variant.view(now, seat), what)
                    for now, what in ((after, events), (then, happened))
                )
                assert missed == again
                told.update(one.why for one in missed if happened != events)
    assert {"nobody", "gone", "later", "gift"} <= {*told}


def own_trades(seat: str, events: tuple[Event, ...]) -> list[Traded]:
    return [event for event in events if isinstance(event, Traded) and seat in event.seats]
