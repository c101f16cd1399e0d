"""The chances are exact: they equal counting every way the next cards can come."""

from itertools import combinations

import pytest

from rounds.postal.view import chances


@pytest.mark.parametrize(
    ("in_pile", "pile", "drawn"),
    [
        (0, 6, 3),
        (1, 6, 3),
        (2, 7, 4),
        (5, 9, 4),
        (6, 6, 3),
        (3, 4, 8),
        (2, 3, 1),
        (1, 2, 8),
        (1, 1, 8),
        (0, 0, 8),
    ],
)
def test_chances_equal_counting_every_draw(in_pile: int, pile: int, drawn: int) -> None:
    cards = [True] * in_pile + [False] * (pile - in_pile)
    draws = [sum(draw) for draw in combinations(cards, min(drawn, pile))]
    counted = tuple(sum(hits >= least for hits in draws) / len(draws) for least in (1, 2, 3))
    assert chances(in_pile, pile, drawn) == pytest.approx(counted)


def test_a_fresh_deck() -> None:
    one, two, three = chances(18, 100)
    assert one == pytest.approx(0.8085, abs=0.0001)
    assert 1 > one > two > three > 0
