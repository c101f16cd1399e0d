"""Calls: the same trades as a naive second matcher finds, in random calls."""

import os
from random import Random
from typing import Any

import pytest

from rounds.classic.call import Call
from rounds.classic.notation import Alternatives, Deal
from tests.rules.classic import naive

BEANS = ("blue", "chili", "stink", "soy", "red")
CAST = ("Anna", "Bert", "Cem", "Dörte", "Emil", "Fritz", "Gerda")
BLOCKS = 100 if os.environ.get("BOHNENPOST_SOAK") else 10
"""Of a hundred calls each."""


def one_call(random: Random) -> tuple[list[naive.Trade], list[naive.Trade]]:
    """The trades of a random call, as both matchers find them."""
    seats = list(CAST[: random.randint(3, 7)])
    first = random.randrange(len(seats))
    order = [*seats[first:], *seats[:first]]
    active = order if random.random() < 0.5 else order[:1]
    cards = {}
    for seat in seats:
        shown = {
            f"r{n}": random.choice(BEANS)
            for n in (1, 2)
            if seat in active and random.random() < 0.8
        }
        cards[seat] = shown | {
            f"h{n}": random.choice(BEANS) for n in range(1, random.randint(1, 7))
        }
    wishes = {seat: some_wishes(random, cards[seat], len(seats)) for seat in seats}
    call = Call(seats, order, active, cards)
    lists = {
        seat: [Alternatives(tuple(Deal(*way) for way in wish)) for wish in wishes[seat]]
        for seat in seats
    }
    found = [
        (trade.seats, (sorted(trade.cards[0]), sorted(trade.cards[1])))
        for trade in call.match(lists)
    ]
    return found, naive.trades(seats, order, active, cards, wishes)


def some_wishes(random: Random, cards: dict[str, str], seats: int) -> naive.Wishes:
    """Wishes of a seat, some of them for cards that are not there, as standing deals may be."""
    return [
        [some_deal(random, cards, seats) for _ in range(random.randint(1, 4))]
        for _ in range(random.randint(0, 6))
    ]


def some_deal(
    random: Random, cards: dict[str, str], seats: int
) -> tuple[tuple[str, ...], tuple[str, ...], int | None]:
    parts = [*cards, *cards.values(), *BEANS]
    give = tuple(dict.fromkeys(random.choices(parts, k=random.choice((0, 1, 1, 1, 2, 3)))))
    beans = {cards.get(part, part) for part in give}
    get = tuple(
        bean
        for bean in random.choices(BEANS, k=random.choice((0, 1, 1, 1, 2)) if give else 1)
        if bean not in beans
    )
    partner = random.randint(1, seats) if random.random() < 0.15 else None
    return give, tuple(sorted(get)), partner


@pytest.mark.parametrize("block", range(BLOCKS))
def test_a_call_gives_the_trades_of_the_naive_matcher(block: int) -> None:
    random, trades = Random(block), 0
    for _ in range(100):
        found, expected = one_call(random)
        assert found == expected
        trades += len(found)
    assert trades > 100  # else the calls say nothing


def test_equal_deals_are_matched_as_often_as_there_are_cards_for_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Seven seats with a hundred deals each: three of one variety for three of another, and the
    mirror of it.
    """
    matched, match_one = 0, Call._may_trade

    def counted(*pair: Any) -> bool:
        nonlocal matched
        matched += 1
        return match_one(*pair)

    monkeypatch.setattr(Call, "_may_trade", counted)
    hand = {f"h{number}": ("chili" if number < 7 else "red") for number in range(1, 13)}
    one, other = Deal(("chili",) * 3, ("red",) * 3, None), Deal(("red",) * 3, ("chili",) * 3, None)
    missing = Deal(("blue",), ("stink",), None)
    for wishes, trades, most in (
        # two equal ones each way
        ([Alternatives((deal,)) for deal in (one, other) for _ in range(50)], 14, 4),
        ([Alternatives((one, other) * 50)], 3, 1),
        ([Alternatives((missing,))] * 100, 0, 0),
        ([Alternatives((one, missing))] * 50, 0, 0),
        ([Alternatives((one, other))] * 50, 14, 144),
    ):
        matched = 0
        assert (
            len(
                Call(CAST, CAST, CAST, dict.fromkeys(CAST, hand)).match(dict.fromkeys(CAST, wishes))
            )
            == trades
        )
        assert matched <= 2 * 21 * most, wishes[0]
