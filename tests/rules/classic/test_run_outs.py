"""The draw pile runs out (1.6): while cards are drawn, while they are revealed, for the last
time, with nothing to shuffle.
"""

from typing import Any

import pytest

from gm import seeds
from rounds.classic import variant
from rounds.classic.events import RanOut, Reshuffled
from rounds.classic.table import Table
from rounds.engine.events import Event
from rounds.family.events import Drew, Revealed
from tests.cases.classic import read_table

LAST = 2
"""Run-outs of four players that are not the last one."""


def table(pile: str, discard: str = "", runs: int = 0, seats: Any = None, **given: Any) -> Table:
    """Four play with one call a turn: a draw pile from the top, a discard pile, so many run-outs
    before.
    """
    one_call = {"players": 4, "rules": {"calls": 1}, "seats": seats or {}, "runs": runs}
    return read_table(
        {"given": {**one_call, "pile": pile.split(), "discard": discard.split(), **given}},
        seeds.deck("classic"),
    )


def close(at: Table, **lists: str) -> tuple[Table, tuple[Event, ...]]:
    """The round is closed; later piles keep the base order."""
    orders = {
        seat: variant.read_orders(at, seat, lists[seat]) if seat in lists else None
        for seat in at.seats
    }
    return variant.adjudicate(at, orders, lambda _, size: range(size))


def pile_events(events: tuple[Event, ...]) -> list[str]:
    return [
        type(event).__name__
        for event in events
        if isinstance(event, Drew | RanOut | Reshuffled | Revealed)
    ]


def held(at: Table) -> list[str]:
    return [" ".join(at.hand(seat)) for seat in at.seats]


def shown(at: Table) -> list[str]:
    return [" ".join(card or "-" for card in at.open.get(seat, ())) for seat in at.active]


def test_while_drawing_the_new_pile_is_drawn_from_at_once() -> None:
    after, events = close(table("wax " * 4, "blue " * 30))
    assert held(after) == ["wax wax wax", "wax blue blue", "blue blue blue", "blue blue blue"]
    assert pile_events(events)[:4] == ["Drew", "RanOut", "Reshuffled", "Drew"]
    assert (after.run_outs, after.ending, len(after.draw_pile)) == (1, False, 30 - 8 - 8)


def test_while_revealing_the_new_pile_is_revealed_from_at_once() -> None:
    after, events = close(table("wax " * 13, "blue " * 9))
    assert shown(after) == ["wax blue", "blue blue", "blue blue", "blue blue"]
    assert pile_events(events)[4:7] == ["RanOut", "Reshuffled", "Revealed"]
    assert (after.run_outs, len(after.draw_pile)) == (1, 2)


def test_the_last_card_drawn_at_last_leaves_nothing_for_those_who_follow() -> None:
    """Nothing is revealed either; what lies is planted, and the game is over (K39, K42)."""
    lying = {"Anna": {"open": ["soy"]}}
    after, events = close(table("wax " * 4, "blue " * 30, LAST, lying))
    assert held(after) == ["wax wax wax", "wax", "", ""]
    assert pile_events(events) == ["Drew", "RanOut", "Drew"]
    assert (after.phase, after.turn, after.lying["Anna"]) == ("last", 1, ("soy",))
    end, events = close(after)
    assert (variant.is_over(end), pile_events(events), held(end)) == (True, [], held(after))


@pytest.mark.parametrize(
    ("cards", "open_cards"), [(13, ["wax"]), (14, ["wax wax"]), (15, ["wax wax", "wax"])]
)
def test_the_last_card_revealed_leaves_a_turn_to_be_played(
    cards: int, open_cards: list[str]
) -> None:
    """Those who follow have one open card or none; deals are made, and nothing is drawn after
    them (K40).
    """
    after, _ = close(table("wax " * cards, "blue " * 9, LAST))
    assert shown(after) == open_cards + [""] * (4 - len(open_cards))
    assert (after.phase, after.turn, after.ending) == ("field", 2, True)
    first = after.active[0]
    end, events = close(after, Anna="auto 0=wax", **{first: "auto r1=0"})
    assert pile_events(events) == []
    assert end.phase == "last"
    assert end.lying["Anna"] == ("wax",)


def test_with_nothing_to_shuffle_the_pile_is_made_when_a_card_is_needed() -> None:
    """The run-out counts once (K41): the last card was revealed, and what is harvested in that
    turn is drawn in it.
    """
    field = {"Bert": {"fields": [["blue", 9], None]}}
    empty, events = close(table("wax " * 20, seats=field))
    assert (pile_events(events)[-2:], empty.run_outs, empty.ending) == (
        ["RanOut", "Revealed"],
        1,
        False,
    )
    after, events = close(empty, Bert="HA auto")
    assert pile_events(events)[0] == "Reshuffled"
    assert after.run_outs == 2  # by the new pile
    assert empty.active[0] == "Bert"
    assert after.hand("Bert")[-3:] == ("blue", "blue", "blue")


def test_with_nothing_to_shuffle_then_either_it_is_as_after_a_last_run_out() -> None:
    after, events = close(table("wax " * 6))
    assert held(after) == ["wax wax wax", "wax wax wax", "", ""]
    assert pile_events(events) == ["Drew", "RanOut", "Drew"]
    assert (after.run_outs, after.ending, variant.is_over(after)) == (1, True, True)


def test_a_turn_in_which_no_card_can_be_revealed_is_not_played() -> None:
    """The last card was drawn by the last seat: the next turn begins, and there is nothing in it
    (K41).
    """
    after, events = close(table("wax " * 12, seats={"Anna": {"open": ["soy"]}}))
    assert pile_events(events) == ["Drew", "Drew", "Drew", "RanOut", "Drew"]
    assert (after.phase, after.turn, after.active[0]) == ("last", 2, "Bert")


def test_the_last_round_falls_away_if_nothing_lies() -> None:
    lying = close(table("wax " * 4, "blue", LAST, {"Anna": {"open": ["soy"]}}))[0]
    nothing = close(table("wax " * 4, "blue", LAST))[0]
    assert [variant.is_over(lying), variant.is_over(nothing)] == [False, True]
