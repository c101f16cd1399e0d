"""What always holds (docs/rules/classic.md, part 2), in random games for three to seven, under all orders of turns."""

import os
from collections import Counter
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from gm import seeds
from rounds.beans import Deck
from rounds.classic import variant
from rounds.classic.events import RanOut, Reshuffled, Traded
from rounds.classic.table import FIELD, LAST, HouseRules, Table
from rounds.events import Event
from rounds.notation import Orders, Refused
from rounds.shuffle import Chance

CAST = ("Anna", "Bert", "Cem", "Dörte", "Emil", "Fritz", "Gerda")
GAMES = 500 if os.environ.get("BOHNENPOST_SOAK") else 4
"""For each number of players; the issue's number with BOHNENPOST_SOAK."""


def chance(seed: object) -> Chance:
    return lambda label, size: tuple(Random(f"{seed} {label}").sample(range(size), size))


def deck_of(players: int) -> Deck:
    return variant.deck_for(seeds.deck("classic"), players)


def all_cards(table: Table) -> Counter[str]:
    """Every card, wherever it is (T1)."""
    found = Counter(table.draw_pile) + Counter(table.discard)
    for seat in table.seats:
        found.update(table.hand(seat))
        found.update(table.lying[seat])
        found.update(table.received.get(seat, ()))
        found.update(card for card in table.open.get(seat, ()) if card)
        found.update(table.coins[seat])
        for grown in table.farms[seat].fields:
            found.update({grown.variety: grown.cards} if grown else {})
        assert len(table.coins[seat]) == table.farms[seat].talers
    return found


def some_list(table: Table, seat: str, random: Random) -> str | None:
    """A list: of the robot, of chance as far as it is legal, or none."""
    if random.random() < 0.2:
        return None
    if random.random() < 0.5:
        return variant.robot(variant.view(table, seat))
    beans, cards = table.deck.ids, list(variant.view(table, seat).cards)
    text = []
    for _ in range(random.randint(0, 6)):
        give = random.choice([*cards, *beans, "0"])
        ways = "|".join(random.choice([*beans, "0"]) for _ in range(random.randint(1, 3)))
        text.append(f"{give}={ways}{random.choice(['', '', '@1', '@2'])}")
    work = random.sample(["HA", "HB", "HC", "buy"], k=random.randint(0, 2)) if table.phase != "call" else []
    text = [*work, *(["auto"] if table.phase != "call" else []), *text, *random.choice([[], ["keep"]])]
    while text:
        try:
            variant.read_orders(table, seat, " ".join(text))
        except Refused as error:
            wrong = {problem.order for problem in error.problems if problem.order}
            if not wrong:
                return None
            text = [word for number, word in enumerate(text, start=1) if number not in wrong]
        else:
            return " ".join(text)
    return None if table.due(seat) else "pass"


def play(players: int, seed: int) -> list[tuple[Table, tuple[Event, ...], Table]]:
    """A random game, checked in every round."""
    random = Random(f"{players} {seed}")
    rules = HouseRules(turns=random.choice(("together", "single")), calls=random.choice((1, 2)))
    draw = chance((players, seed))
    table, _ = variant.set_up(deck_of(players), rules, CAST[:players], draw)
    rounds, whole = [], Counter(table.deck.base_order())
    while not variant.is_over(table):
        assert all_cards(table) == whole
        lists = {seat: read(table, seat, some_list(table, seat, random)) for seat in table.seats}
        after, events = variant.adjudicate(table, lists, draw)
        backwards = dict(reversed(lists.items()))
        assert variant.adjudicate(table, backwards, draw) == (after, events)  # T9
        check_trades(table, events)
        check_hands(table, after)
        rounds.append((table, events, after))
        table = after
    assert all_cards(table) == whole
    assert table.ending  # T5
    return rounds


def read(table: Table, seat: str, text: str | None) -> Orders | None:
    """Checked orders; canonical text read and written again is the same (T6)."""
    orders = variant.stand_in(table, seat) if text is None else variant.read_orders(table, seat, text)
    written = variant.write_orders(table, orders)
    assert variant.read_orders(table, seat, written) == orders
    return None if text is None else orders


def check_trades(table: Table, events: tuple[Event, ...]) -> None:
    """Every trade has an active seat (T3), and nobody gives what was not there when the turn began (T2)."""
    given: dict[str, Counter[str]] = {seat: Counter() for seat in table.seats}
    for event in events:
        if isinstance(event, Traded):
            assert set(event.seats) & set(table.active)
            for seat, cards in zip(event.seats, event.cards, strict=True):
                given[seat].update(cards)
    for seat, gone in given.items():
        assert not gone - Counter((*table.hand(seat), *filter(None, table.open.get(seat, ()))))


def check_hands(table: Table, after: Table) -> None:
    """A hand is the old hand with gaps, drawn cards behind it (T4)."""
    for seat in table.seats:
        old = [place for place in after.hands[seat] if place in table.hands[seat]]
        new = [place for place in after.hands[seat] if place not in table.hands[seat]]
        assert list(after.hands[seat]) == [*old, *new]
        assert old == sorted(old, key=table.hands[seat].index)
        assert all(place >= table.gone for place in new)


@pytest.mark.parametrize("players", range(3, 8))
def test_what_always_holds(players: int) -> None:
    trades = reshuffles = 0
    for seed in range(GAMES):
        events = [event for _, events, _ in play(players, seed) for event in events]
        trades += sum(isinstance(event, Traded) for event in events)
        reshuffles += sum(isinstance(event, Reshuffled) for event in events)
        assert sum(isinstance(event, RanOut) for event in events) <= (2 if players == 3 else 3)
    assert trades > 10 * GAMES
    assert reshuffles >= GAMES


def test_all_ends_occur() -> None:
    """The pile runs out for the last time while cards are drawn, and while they are revealed; the last planting may fall away."""
    kinds = set()
    for players in range(3, 8):
        for seed in range(GAMES):
            rounds = play(players, seed)
            last = rounds[-1][0]
            kinds.add("planting" if last.phase == LAST else "none")
            kinds.add("drawing" if not any(before.ending for before, _, _ in rounds if before.phase == FIELD) else "revealing")
    assert {"drawing", "revealing", "planting"} <= kinds


def test_nobody_sees_more_when_hidden_cards_change_places() -> None:
    """Two cards of other hands and of the pile exchanged: the view of a seat stays as it is (T8)."""
    random: Any = Random(8)
    for players in range(3, 8):
        for table, _, _ in play(players, 0)[:12]:
            seat = random.choice(table.seats)
            hidden = [place for place in range(len(table.cards)) if is_hidden(table, seat, place)]
            one, other = random.sample(hidden, 2)
            cards = list(table.cards)
            cards[one], cards[other] = cards[other], cards[one]
            assert variant.view(with_cards(table, tuple(cards)), seat) == variant.view(table, seat)


def is_hidden(table: Table, seat: str, place: int) -> bool:
    return place >= table.gone or any(place in table.hands[other] for other in table.seats if other != seat)


def with_cards(table: Table, cards: tuple[str, ...]) -> Table:
    return replace(table, cards=cards)
