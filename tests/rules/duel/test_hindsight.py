"""Luck and skill of a duel: what lay there, and whom it fitted at that moment, found out another
way over random games.
"""

from functools import cache
from random import Random
from typing import Any

import pytest

from rounds.duel import variant
from rounds.duel.hindsight import Held, Worth, hindsight, worth_of
from rounds.duel.table import begin
from rounds.engine.notation import Refused
from tests.rules.duel.naive import METERS
from tests.rules.duel.random_games import SEATS, guess, rules
from tests.rules.duel.tables import DECK, table

Fields = dict[str, list[Any]]
"""Of one seat: variety and beans of each field that grows something, by letter."""
GAMES = 12


@cache
def game(seed: int) -> tuple[list[Any], list[tuple[Any, ...]]]:
    """Random lists, and silence where one is not legal; every fourth game is given up. The
    tables, and what happened.
    """
    chance = Random(seed)
    cards = DECK.base_order()
    tables, happened = (
        [begin(DECK, rules(chance), SEATS, tuple(chance.sample(cards, len(cards))))],
        list[tuple[Any, ...]](),
    )
    while not tables[-1].over:
        at, seat = tables[-1], tables[-1].active
        try:
            orders = variant.read_orders(
                at,
                seat,
                "resign" if seed % 4 == 0 and len(happened) == seed + 20 else guess(chance, at),
            )
        except Refused:
            orders = None
        after, events = variant.adjudicate(at, {seat: orders}, lambda label, size: ())
        tables.append(after)
        happened.append(events)
    return tables, happened


def fitting(fields: Fields, cards: list[str]) -> Worth:
    """What would be planted, card by card: on the first field of the variety that is not full;
    are all full, anew.
    """
    fields, earned = {letter: list(field) for letter, field in fields.items()}, 0
    before, beans = value(fields), 0
    for card in cards:
        own = [field for _, field in sorted(fields.items()) if field[0] == card]
        if own:
            field = next((one for one in own if one[1] < METERS[card][4]), own[0])
            if field[1] >= METERS[card][4]:
                earned, field[1] = earned + 4, 0
            field[1] += 1
            beans += 1
    return Worth(beans, value(fields) + earned - before)


def value(fields: Fields) -> int:
    return sum(
        sum(beans >= tier for tier in METERS[variety][1:]) for variety, beans in fields.values()
    )


def told(tables: list[Any], happened: list[tuple[Any, ...]]) -> list[Held]:
    """The same out of events alone: fields are kept as they are told to change."""
    farms: dict[str, Fields] = {seat: {} for seat in SEATS}
    turns, offer, is_new = list[Held](), list[str](), True
    for at, events in zip(tables, happened, strict=False):
        seat = at.active
        fields = farms[seat]
        if is_new:
            turns.append(Held(seat, offer=fitting(fields, offer)))
            is_new = False
        for number, event in enumerate(events):
            match event.kind:
                case "planted" | "from_hand":
                    fields[event.field] = [event.variety, event.beans]
                case "harvested":
                    del fields[event.field]
                case "revealed":
                    cascade = next(
                        (one.cards for one in events[number:] if one.kind == "cascaded"), ()
                    )
                    by_stack = sorted((*event.cards, *cascade), key=event.cards.index)
                    turns[-1] = Held(seat, turns[-1].offer, fitting(fields, by_stack))
                case "offered":
                    offer, is_new = (
                        [stack.variety for stack in event.stacks for _ in range(stack.cards)],
                        True,
                    )
                    left = Worth() if len(turns) == 27 else fitting(fields, offer)
                    turns[-1] = Held(seat, turns[-1].offer, turns[-1].row, left)
    return turns


@pytest.mark.parametrize("seed", range(GAMES))
def test_what_every_turn_held_follows_from_what_happened(seed: int) -> None:
    tables, happened = game(seed)
    found = hindsight(tables, happened)
    assert list(found.turns) == told(tables, happened)
    for seat, total in zip(SEATS, found.seats, strict=True):
        own = [turn for turn in found.turns if turn.seat == seat]
        for what in ("offer", "row", "left"):
            assert getattr(total, what).beans == sum(getattr(turn, what).beans for turn in own)
            assert (
                getattr(total, what).talers == sum(getattr(turn, what).talers for turn in own) >= 0
            )


def test_random_games_hold_all_there_is_to_count() -> None:
    games = [hindsight(*game(seed)) for seed in range(GAMES)]
    assert {len(found.turns) == 27 for found in games} == {True, False}
    assert all(
        sum(getattr(held, what).talers for found in games for held in found.seats)
        for what in ("offer", "row", "left")
    )


@pytest.mark.parametrize(
    ("fields", "row", "beans", "talers"),
    [
        ("- -", "blue*3", 0, 0),  # nothing grows: nothing fits yet
        ("blue*3 -", "blue red", 1, 1),
        ("blue*3 -", "blue*3", 3, 2),
        ("blue*3 blue*5", "blue*3", 3, 2),  # the first field first
        ("red*5 wax", "red*2", 2, 1),  # full: harvested, and planted anew
        ("wax*3 soy", "wax*3 soy", 4, 2),
    ],
)
def test_cards_are_worth_what_match_makes_of_them(
    fields: str, row: str, beans: int, talers: int
) -> None:
    at = table("", fields, row=row)
    assert worth_of(at, "Anna", at.row) == Worth(beans, talers)
    assert worth_of(at, "Bert", at.row) == Worth()
    after, _ = variant.adjudicate(
        at, {"Anna": variant.read_orders(at, "Anna", "match")}, lambda label, size: ()
    )
    assert after.farms["Anna"].worth(DECK) - at.farms["Anna"].worth(DECK) == talers


def test_of_a_turn_in_one_list_the_row_is_counted_on_the_fields_of_its_moment() -> None:
    """The hand is planted before, the plan carried out after."""
    at = table("soy", "- -", pile="soy soy red wax wax coffee")
    after, events = variant.adjudicate(
        at, {"Anna": variant.read_orders(at, "Anna", "1>A then soy>A HA")}, lambda label, size: ()
    )
    over, last = variant.adjudicate(
        after, {"Bert": variant.read_orders(after, "Bert", "resign")}, lambda label, size: ()
    )
    found = hindsight([at, after, over], [events, last])
    assert found.turns == (Held("Anna", row=Worth(2, 1)), Held("Bert"))
    assert found.seats == found.turns


def test_what_lapses_with_the_last_turn_is_left_for_nobody() -> None:
    at = table("", "soy*3 -", pile="soy soy red wax")
    over, events = variant.adjudicate(
        at, {"Anna": variant.read_orders(at, "Anna", "then pass")}, lambda label, size: ()
    )
    assert [stack.cards for stack in over.offer] == [2, 1]
    assert hindsight([at, over], [events]).turns == (Held("Anna", row=Worth(2, 1)),)


def test_a_game_that_is_not_over_has_no_hindsight() -> None:
    with pytest.raises(ValueError, match="not over"):
        hindsight([table()], [])
