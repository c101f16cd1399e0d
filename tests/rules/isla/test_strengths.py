"""How strong robots are: each beats the one before it more often than a fair game would."""

import pytest

from rounds.isla import variant
from tests.rules.played import CAST, chance, played_with

GAMES = 120


@pytest.mark.everything
@pytest.mark.parametrize(("weaker", "stronger"), [("weak", "medium"), ("medium", "strong")])
def test_a_stronger_robot_wins_more_often(weaker: str, stronger: str) -> None:
    """Two of each at a table of four, in turn at every seat: of 120 games 73 or more are won by
    chance once in a hundred times at most.
    """
    won = 0.0
    for seed in range(GAMES):
        strong = {CAST[(seed + n) % 4] for n in (0, 2)}

        def choose(table, seat, strong=strong):  # type: ignore[no-untyped-def]
            name = stronger if seat in strong else weaker
            return variant.robots[name](variant.view(table, seat))

        played = played_with(variant, chance((seed, weaker)), choose=choose, seats=CAST[:4])
        ranks = variant.result(played.rounds[-1].after).ranks  # type: ignore[union-attr]
        first = [seat for seat in ranks if ranks[seat] == 1]
        won += sum(seat in strong for seat in first) / len(first)
    assert won >= 73
