"""What the service relies on, for every variant found by folder: one test file, no list of variants."""

import json
from random import Random
from typing import Any

import msgspec
import pytest

from gm import seeds
from rounds.beans import DECK_LABEL
from rounds.events import Event
from rounds.notation import Refused
from rounds.record import read_record, replay, told
from rounds.shuffle import Chance, listed_chance
from rounds.variant import Variant, find, names

CAST = ("Anna", "Bert", "Cem")
ALL = [pytest.param(find(name), id=name) for name in names()]


def deck_of(variant: Variant, seed: int) -> list[str]:
    cards = list(seeds.deck(variant.name).base_order())
    Random(seed).shuffle(cards)
    return cards


def chance(variant: Variant, cards: list[str]) -> Chance:
    return listed_chance({DECK_LABEL: cards}, seeds.deck(variant.name))


def started(variant: Variant, cards: list[str]) -> Any:
    return variant.set_up(seeds.deck(variant.name), variant.house_rules(), CAST, chance(variant, cards))[0]


def texts(variant: Variant, table: Any) -> dict[str, str | None]:
    """Anna orders what a robot would, Bert passes, Cem is absent."""
    lists: dict[str, str | None] = {"Anna": None, "Bert": "pass", "Cem": None}
    lists["Anna"] = variant.robot(variant.view(table, "Anna"))
    return {seat: lists[seat] for seat in variant.awaited(table)}


def never(label: str, size: int) -> list[int]:
    raise AssertionError(f"{label} is drawn")


def closed(variant: Variant, table: Any) -> tuple[Any, tuple[Event, ...]]:
    lists = {s: None if t is None else variant.read_orders(table, s, t) for s, t in texts(variant, table).items()}
    after, events = variant.adjudicate(table, lists, never)
    again = variant.adjudicate(table, lists, never)
    assert (after, events) == again  # deterministic
    return after, events


def tables(variant: Variant, seed: int = 1) -> list[Any]:
    """All tables of one game, the end included."""
    found = [started(variant, deck_of(variant, seed))]
    while variant.awaited(found[-1]):
        found.append(closed(variant, found[-1])[0])
    return found


@pytest.mark.parametrize("variant", ALL)
def test_a_game_runs_through_its_rounds_and_ends(variant: Variant) -> None:
    game = tables(variant)
    rounds = len(game) - 1
    assert [variant.round_of(table) for table in game] == list(range(1, rounds + 2))
    assert [variant.result(table) is None for table in game] == [True] * rounds + [False]
    end = variant.result(game[-1])
    assert end is not None
    assert set(end.talers) == set(end.ranks) == set(CAST)
    for seat in CAST:
        assert end.ranks[seat] == 1 + sum(talers > end.talers[seat] for talers in end.talers.values())


@pytest.mark.parametrize("variant", ALL)
def test_the_stand_in_and_the_robot_play_legal_canonical_lists(variant: Variant) -> None:
    for table in tables(variant)[:-1]:
        for seat in variant.awaited(table):
            absent = variant.stand_in(table, seat)
            assert variant.read_orders(table, seat, variant.write_orders(table, absent)) == absent
            robot = variant.read_orders(table, seat, variant.robot(variant.view(table, seat)))
            assert len(variant.preview(table, seat, robot)) == len(robot)


@pytest.mark.parametrize("variant", ALL)
def test_orders_that_make_no_sense_are_refused_with_every_problem(variant: Variant) -> None:
    table = tables(variant)[0]
    for text, problems in (("", 1), ("what ever", 2), ("pass pass", 2), ("\x00", 1)):
        with pytest.raises(Refused) as caught:
            variant.read_orders(table, "Anna", text)
        assert len(caught.value.problems) == problems


@pytest.mark.parametrize("variant", ALL)
def test_a_stored_table_comes_back_and_holds_nothing_of_the_shuffle(variant: Variant) -> None:
    """The last two cards of a deck are never dealt: exchanging them must change no stored byte and no view."""
    cards = next(cards for seed in range(2, 99) if (cards := deck_of(variant, seed))[-1] != cards[-2])
    other = [*cards[:-2], cards[-1], cards[-2]]
    deck = seeds.deck(variant.name)
    here, there = started(variant, cards), started(variant, other)
    while True:
        assert variant.unpack(variant.pack(here), deck, chance(variant, cards)) == here
        assert variant.pack(here) == variant.pack(there)
        for seat in (None, *CAST):
            assert msgspec.json.encode(variant.view(here, seat)) == msgspec.json.encode(variant.view(there, seat))
        if not variant.awaited(here):
            break
        here, there = closed(variant, here)[0], closed(variant, there)[0]


@pytest.mark.parametrize("variant", ALL)
def test_events_survive_being_stored(variant: Variant) -> None:
    for table in tables(variant)[:-1]:
        _, events = closed(variant, table)
        assert variant.read_events(msgspec.json.encode(events)) == events


@pytest.mark.parametrize("variant", ALL)
def test_a_record_of_a_game_plays_the_same_game_again(variant: Variant) -> None:
    cards, deck = deck_of(variant, 3), seeds.deck(variant.name)
    table, rounds = started(variant, cards), []
    while variant.awaited(table):
        rounds.append({"orders": texts(variant, table)})
        table = closed(variant, table)[0]
    document = {
        "format": "bohnenpost/1", "variant": variant.name, "game": "contract", "seats": list(CAST), "house_rules": {},
        "deck": cards, "rounds": rounds,
    }  # fmt: skip
    record = read_record(json.dumps(document).encode())
    replayed = replay(record, variant, deck)
    assert replayed.result == variant.result(table)
    assert replayed.rounds[-1].after == table
    assert json.loads(json.dumps(told(record, replayed, variant)))["deck"] == cards


@pytest.mark.parametrize("variant", ALL)
def test_a_table_is_never_changed_in_place(variant: Variant) -> None:
    table = tables(variant)[0]
    before = variant.pack(table)
    closed(variant, table)
    assert variant.pack(table) == before
    with pytest.raises(AttributeError):
        table.round = 7
