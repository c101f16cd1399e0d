"""What is told first of a list of the duel: every kind is true in whole games, and said in both
languages.
"""

from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from gm import seeds
from gm.rendering.dates import LANGUAGES
from gm.rendering.sentences import environment
from rounds.duel import variant as duel
from rounds.duel.events import Cascaded, Resigned
from rounds.duel.headlines import MOST, GaveUp, LastTurn, LeftMany, LeftNothing, Level, Slid
from rounds.duel.view import View, scores
from rounds.engine.events import Absent, Event
from rounds.family.events import Bought, FinalHarvest, Harvested
from rounds.family.headlines import Led, Reaped, ThirdField, Won

HERE = import_module("rounds.duel.headlines")  # the package has the function under this name
KINDS = [
    kind
    for kind in vars(HERE).values()
    if isinstance(kind, type) and kind.__module__ == HERE.__name__
]


def played(seed: int, *, resigns: bool = False) -> list[tuple[View, tuple[Event, ...], View]]:
    """A game of robots, of whom one is sometimes absent, or gives up in the middle."""
    rng, rounds = Random(seed), list[tuple[View, tuple[Event, ...], View]]()

    def chance(label: str, size: int) -> tuple[int, ...]:
        return tuple(Random(f"{seed} {label}").sample(range(size), size))

    table, _ = duel.set_up(seeds.deck("duel"), duel.house_rules(), ("Anna", "Bert"), chance)
    while not duel.is_over(table):
        (seat,) = duel.may_order(table)
        text = "resign" if resigns and len(rounds) == 20 else duel.robot(duel.view(table, seat))
        orders = None if rng.random() < 0.1 else duel.read_orders(table, seat, text)
        after, events = duel.adjudicate(table, {seat: orders}, chance)
        rounds.append((duel.view(table, None), events, duel.view(after, None)))
        table = after
    return rounds


def check(headline: Any, before: View, events: Sequence[Any], after: View) -> None:
    """That it is true, found out another way."""
    had, have = scores(before), scores(after)
    match headline:
        case Won(seats, talers, ahead, behind):
            assert after.over
            assert set(seats) == {farm.seat for farm in after.farms if farm.rank == 1}
            assert all(have[seat] == talers for seat in seats)
            assert all(have[seat] == talers - ahead for seat in behind)
        case GaveUp(seat, winner):
            assert Resigned(seat) in events
            assert seat != winner
        case Led(seat, talers):
            assert have[seat] == talers > min(have.values())
            assert had[seat] <= min(had[other] for other in had if other != seat)
        case Level(seats, talers):
            assert {have[seat] for seat in seats} == {talers}
            assert len(set(had.values())) == 2
        case _:
            check_deed(headline, events, after)


def check_deed(headline: Any, events: Sequence[Any], after: View) -> None:
    match headline:
        case ThirdField(seat):
            assert seat in {event.seat for event in events if isinstance(event, Bought)}
        case Reaped(seat, variety, beans, talers, absent):
            harvests = [event for event in events if isinstance(event, Harvested | FinalHarvest)]
            assert (seat, variety, beans, talers) in {
                (e.seat, e.variety, e.beans, e.talers) for e in harvests
            }
            assert talers == max(event.talers for event in harvests)
            assert absent == (Absent(seat) in events)
        case Slid(cards, varieties):
            (event,) = (event for event in events if isinstance(event, Cascaded))
            assert (cards, set(varieties)) == (len(event.cards), set(event.cards))
        case LastTurn(seat):
            assert (after.turn, after.active) == (after.turns, seat)
        case LeftMany(cards, other):
            assert cards == sum(stack.cards for stack in after.offer)
            assert other == after.active
        case LeftNothing(other):
            assert (after.offer, after.active) == ((), other)
        case _:
            pytest.fail(f"{headline} is of no known kind")


def test_headlines_of_whole_games_are_true_and_two_at_most() -> None:
    seen: Counter[type] = Counter()
    for seed in range(12):
        for before, events, after in played(seed, resigns=seed == 0):
            found = duel.headlines(before, events, after, ())
            assert len(found) <= MOST
            for headline in found:
                seen[type(headline)] += 1
                check(headline, before, events, after)
    assert set(seen) >= {Won, GaveUp, Led, Level, ThirdField, Reaped, Slid, LeftNothing}


def test_of_equal_talers_who_has_more_cards_wins_alone() -> None:
    before, events, over = played(1)[-1]
    level = replace(over, final=dict.fromkeys(("Anna", "Bert"), 7))
    assert [farm.rank for farm in level.standing] == [1, 2]
    winner, other = (farm.seat for farm in level.standing)
    headline = duel.headlines(before, events, level, ())[0]
    assert headline == Won((winner,), 7, 0, (other,))
    assert environment("en").filters["headline"](headline) == f"{winner} wins with seven talers"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_has_words(language: str) -> None:
    macros = environment(language).get_template("duel/headlines.txt").module
    for kind in KINDS:
        assert hasattr(macros, str(kind.__struct_config__.tag))  # type: ignore[attr-defined]


def test_a_headline_is_a_sentence() -> None:
    english, german = (environment(language).filters["headline"] for language in ("en", "de"))
    assert (
        english(Reaped("Anna", "blue", 4, 1, False)) == "Anna harvests four Blue beans: one taler"
    )
    assert (
        german(Reaped("Anna", "blue", 4, 1, True))
        == "Der Vertreter erntet für Anna vier Blaue Bohnen: ein Taler"
    )
    assert (
        english(Won(("Anna",), 6, 2, ("Bert",)))
        == "Anna wins with six talers, two talers ahead of Bert"
    )
    assert german(LeftMany(5, "Bert")) == "Für Bert bleiben fünf Karten"
