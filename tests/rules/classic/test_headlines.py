"""What is told first of a round of the classic game: every kind is true in whole games, and said
in both languages.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from random import Random
from typing import Any

import pytest

from gm.rendering.dates import LANGUAGES
from gm.rendering.sentences import environment
from rounds.classic import variant as classic
from rounds.classic.events import Planted, RanOut, Traded
from rounds.classic.headlines import (
    MANY_CARDS,
    MANY_TRADES,
    MOST,
    Bazaar,
    BigGift,
    Busiest,
    Collected,
    Full,
    LastPlanting,
    NobodySent,
    NoTrade,
    RunOut,
)
from rounds.classic.table import HouseRules
from rounds.classic.view import View, scores
from rounds.engine.beans import talers_for
from rounds.engine.events import Absent, Event
from rounds.family.events import FinalHarvest, Harvested
from rounds.family.headlines import LeadShared, Led, Reaped, ThirdField, Won
from tests.rules.classic.random_games import CAST, chance, deck_of, some_list

HERE = import_module("rounds.classic.headlines")  # the package has the function under this name
KINDS = [
    kind
    for kind in vars(HERE).values()
    if isinstance(kind, type) and kind.__module__ == HERE.__name__
]
Told = tuple[View, tuple[Event, ...], View]


@cache
def played(seed: int) -> list[Told]:
    """A game for three to seven: of robots alone, or lists are theirs, of chance, or missing,
    sometimes all of a round.
    """
    random, players, rounds = Random(seed), 3 + seed % 5, list[Told]()
    rules = HouseRules(
        turns="single" if seed % 4 == 1 else "together", tie="far" if seed % 2 else "hand"
    )
    table, _ = classic.set_up(deck_of(players), rules, CAST[:players], chance(seed))
    while not classic.is_over(table):
        silent = random.random() < 0.05
        if seed % 7 == 0:
            texts: dict[str, str | None] = {
                seat: classic.robot(classic.view(table, seat)) for seat in table.seats
            }
        else:
            texts = {
                seat: None if silent else some_list(table, seat, random) for seat in table.seats
            }
        lists = {
            seat: None if text is None else classic.read_orders(table, seat, text)
            for seat, text in texts.items()
        }
        after, events = classic.adjudicate(table, lists, chance(seed))
        rounds.append((classic.view(table, None), events, classic.view(after, None)))
        table = after
    return rounds


def check(headline: Any, before: View, events: Sequence[Any], after: View) -> None:
    """That it is true, found out another way."""
    had, have = scores(before), scores(after)
    match headline:
        case Won(seats, talers, ahead, behind):
            assert after.over
            assert (
                [have[seat] for seat in seats]
                == [max(have.values())] * len(seats)
                == [talers] * len(seats)
            )
            assert {farm.seat for farm in after.ranking[: len(seats)]} == set(seats)
            assert sorted(have.values())[-len(seats) - len(behind)] == talers - ahead
            assert {have[seat] for seat in behind} <= {talers - ahead}
        case Led(seat, talers):
            assert have[seat] == talers > max(have[other] for other in have if other != seat)
            assert had[seat] <= max(had[other] for other in had if other != seat)
        case LeadShared(seats, talers):
            assert [seat for seat in have if have[seat] == talers] == list(seats)
            assert talers == max(have.values())
            assert set(seats) != {seat for seat in had if had[seat] == max(had.values())}
        case NobodySent():
            assert all(Absent(farm.seat) in events for farm in before.farms)
        case RunOut(times, of):
            assert (times, of) == (after.run_outs, after.last_run_out)
            assert before.run_outs < times
        case LastPlanting():
            assert (before.phase != "last", after.phase, after.over) == (True, "last", False)
        case _:
            check_deed(headline, before, events, after)


def check_deed(headline: Any, before: View, events: Sequence[Any], after: View) -> None:
    beanometers = {variety.id: variety.beanometer for variety in before.varieties}
    match headline:
        case ThirdField(seat):
            assert (len(before.farm(seat).fields), len(after.farm(seat).fields)) == (2, 3)
        case Reaped(seat, variety, beans, talers, absent):
            harvests = [event for event in events if isinstance(event, Harvested | FinalHarvest)]
            assert (seat, variety, beans) in {(e.seat, e.variety, e.beans) for e in harvests}
            assert talers == talers_for(beanometers[variety], beans)
            assert talers == max(talers_for(beanometers[e.variety], e.beans) for e in harvests)
            assert absent == (Absent(seat) in events)
        case Full(seat, variety, beans):
            assert talers_for(beanometers[variety], beans - 1) < talers_for(
                beanometers[variety], beans
            )
            assert talers_for(beanometers[variety], beans) == talers_for(beanometers[variety], 99)
            assert any(
                isinstance(e, Planted) and (e.seat, e.variety, e.beans) == (seat, variety, beans)
                for e in events
            )
        case _:
            check_trade(
                headline, before, [event for event in events if isinstance(event, Traded)], after
            )


def check_trade(headline: Any, before: View, trades: Sequence[Traded], after: View) -> None:
    came = {
        farm.seat: Counter(farm.received) - Counter(before.farm(farm.seat).received)
        for farm in after.farms
    }
    in_call = after.phase == "call"  # else what came lies already, or was planted
    match headline:
        case NoTrade():
            assert not trades
        case Bazaar(number, gifts):
            assert number == len(trades) >= MANY_TRADES
            assert number - gifts == sum(all(trade.cards) for trade in trades)
        case Collected(seat, variety, cards):
            assert cards == moved(trades, seat, variety)[1] >= MANY_CARDS
            assert not in_call or came[seat][variety] == cards
            assert cards == max(
                moved(trades, farm.seat, bean.id)[1]
                for farm in after.farms
                for bean in after.varieties
            )
        case Busiest(seat, gave, got):
            assert (gave, got) == moved(trades, seat)
            assert not in_call or came[seat].total() == got
            assert all(
                sum(moved(trades, farm.seat)) < gave + got
                for farm in after.farms
                if farm.seat != seat
            )
        case BigGift(seat, other, cards):
            assert (
                Traded((seat, other), (cards, ())) in trades
                or Traded((other, seat), ((), cards)) in trades
            )
            assert len(cards) >= MANY_CARDS
        case _:
            pytest.fail(f"{headline} is of no known kind")


def moved(trades: Sequence[Traded], seat: str, variety: str | None = None) -> tuple[int, int]:
    """How many cards, of a variety or of all, a seat gave and took."""
    numbers = [0, 0]
    for trade in trades:
        for one, cards in zip(trade.seats, trade.cards, strict=True):
            if seat in trade.seats:
                numbers[seat != one] += sum(variety in (None, card) for card in cards)
    return numbers[0], numbers[1]


@pytest.mark.long
def test_headlines_of_whole_games_are_true_three_at_most_and_never_two_about_one_seat() -> None:
    seen: Counter[type] = Counter()
    for seed in range(20):
        for before, events, after in played(seed):
            found = classic.headlines(before, events, after, ())
            assert len(found) <= MOST
            about = [headline.seat for headline in found if hasattr(headline, "seat")]
            assert len(about) == len(set(about))
            for headline in found:
                seen[type(headline)] += 1
                check(headline, before, events, after)
    assert set(seen) >= {*KINDS, LeadShared, Won} - {BigGift}


def test_what_happens_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other way round: with room enough for all, nothing that is worth a headline is left
    out.
    """
    monkeypatch.setattr(HERE, "MOST", 99)
    for seed in range(10):
        for before, events, after in played(seed):
            kinds = {type(headline) for headline in classic.headlines(before, events, after, ())}
            trades = [event for event in events if isinstance(event, Traded)]
            assert (Won in kinds) == after.over
            assert (Bazaar in kinds) == (len(trades) >= MANY_TRADES)
            assert (NoTrade in kinds) == (not trades and before.phase != "last")
            assert (RunOut in kinds) == any(
                isinstance(event, RanOut) for event in events
            ) or after.over
            leads = [
                [farm.seat for farm in seen.farms if farm.rank == 1] for seen in (after, before)
            ]
            assert (Led in kinds) == (
                len(leads[0]) == 1 and leads[0] != leads[1] and not after.over
            )


def test_a_gift_of_three_cards_is_told_with_who_gave_it() -> None:
    before, _, after = played(0)[0]
    cards = ("blue", "blue", "soy")
    for trade in (Traded(("Anna", "Bert"), (cards, ())), Traded(("Bert", "Anna"), ((), cards))):
        found = classic.headlines(before, (trade,), after, ())
        assert BigGift("Anna", "Bert", cards) in found
        check(found[0], before, (trade,), after)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_has_words(language: str) -> None:
    macros = environment(language).get_template("classic/headlines.txt").module
    for kind in KINDS:
        assert hasattr(macros, str(kind.__struct_config__.tag))  # type: ignore[attr-defined]


def test_a_headline_is_a_sentence() -> None:
    english, german = (environment(language).filters["headline"] for language in ("en", "de"))
    assert english(Bazaar(13, 6)) == "13 trades in one call, six of them gifts"
    assert german(Bazaar(4, 1)) == "Vier Geschäfte in einem Handel, eines davon geschenkt"
    assert german(Bazaar(3, 3)) == "Drei Geschenke in einem Handel"
    assert english(Collected("Dörte", "wax", 6)) == "Dörte collects six Wax beans"
    assert german(Busiest("Anna", 4, 3)) == "Am meisten tauscht Anna: vier Karten hin, drei her"
    assert german(Busiest("Anna", 0, 7)) == "Anna bekommt sieben Karten geschenkt"
    assert (
        german(BigGift("Anna", "Bert", ("blue", "blue", "soy")))
        == "Anna schenkt Bert drei Karten: Blaue und Soja"
    )
    assert english(RunOut(1, 3)) == "The draw pile has run out: 1 of 3 times"
