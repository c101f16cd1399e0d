"""Closing a round: which cards are used, what is laid down, and the end of a game."""

import pytest
from msgspec.structs import replace

from rounds.engine.events import Absent, Ranked
from rounds.engine.farm import Farm, Stack
from rounds.engine.variant import Result
from rounds.family.events import FinalHarvest
from rounds.family.fields import final_events
from rounds.family.orders import Harvest
from rounds.postal.events import Cascaded, Discarded, Planted, Revealed
from rounds.postal.notation import Plant
from rounds.postal.orders import read_orders
from rounds.postal.round import adjudicate, lay_down, planted, play, ranks, result
from tests.postal_tables import CAST, new_game, table

PILE = "bush snap mung snake broad magic climbing princess"
LAST = table("", farm="bush*8 magic*2 - 2", seats=CAST, rounds=1)
OVER = replace(LAST, round=2)


def test_of_each_position_the_most_that_one_seat_planted_is_used() -> None:
    at = table("bush*3 magic*2 mung", pile=PILE, seats=("Anna", "Bert"))
    lists = {"Anna": read_orders(at, "Anna", "1x2 3"), "Bert": read_orders(at, "Bert", "1x1 2")}
    _, events = adjudicate(at, lists)
    assert [event.cards for event in events if isinstance(event, Discarded)] == [("bush",)]


def test_everything_happens_in_the_order_of_the_seats_then_of_the_row() -> None:
    at = table("bush magic", farm="- - - 0", pile=PILE, seats=("Bert", "Anna"))
    after, events = adjudicate(at, {"Anna": read_orders(at, "Anna", "2"), "Bert": None})
    assert events == (
        Absent("Bert"),
        Planted("Anna", 2, "magic", 1, 1, "A", 1),
        Discarded(("bush",)),
        Revealed(2, tuple(PILE.split())),
        Cascaded("bush", 1),
    )
    assert after.farms == (Farm(), Farm((Stack("magic", 1), None, None)))
    assert after.row[0] == Stack("bush", 2)
    assert (after.round, after.discard, after.draw_pile) == (2, (), ())


def test_nobody_at_the_table_lays_everything_down() -> None:
    _, events = adjudicate(table("bush*2 mung", pile=PILE, seats=()), {})
    assert events[0] == Discarded(("bush", "bush", "mung"))


def test_a_seat_about_which_nothing_is_said_is_an_error() -> None:
    with pytest.raises(KeyError, match="Bert"):
        adjudicate(table("bush", pile=PILE, seats=("Anna", "Bert")), {"Anna": ()})


def test_orders_of_strangers_change_nothing() -> None:
    at = table("bush", pile=PILE)
    assert adjudicate(at, {"Anna": (), "Dörte": (Plant(1, 1, "A"),)}) == adjudicate(
        at, {"Anna": ()}
    )


def test_the_last_round_deals_no_row_and_an_ended_game_is_not_played_on() -> None:
    at = new_game(1, CAST, rounds=1)
    after, events = adjudicate(at, dict.fromkeys(CAST, ()))
    assert (after.round, after.row, after.over) == (2, (), True)
    assert after.draw_pile == at.draw_pile
    assert not [event for event in events if isinstance(event, Revealed)]
    with pytest.raises(ValueError, match="round 2: the game ended with round 1"):
        adjudicate(after, dict.fromkeys(CAST, ()))


def test_an_empty_list_leaves_the_farm_as_it_is() -> None:
    at = table("bush", farm="bush*2 - - 1")
    assert play(at, "Anna", ()) == (at.farms[0], [])


def test_for_no_list_the_stand_in_plays_and_it_is_told() -> None:
    farm, events = play(table("bush", farm="bush*2 - - 1"), "Anna", None)
    assert farm == Farm((Stack("bush", 3), None, None), 1)
    assert events == [Absent("Anna"), Planted("Anna", 1, "bush", 1, 1, "A", 3)]


def test_what_was_planted_and_harvested_again_counts_as_planted() -> None:
    at = table("bush*3 magic", farm="bush*2 - - 0")
    _, events = play(at, "Anna", (Plant(1, 1, "A"), Harvest("A"), Plant(1, 2, "A")))
    assert planted(at, events) == [3, 0]
    assert planted(at, []) == [0, 0]


@pytest.mark.parametrize(
    ("order", "used", "laid", "pile"),
    [
        ("ascending", [0, 0, 0], "bush bush mung snap", "snap mung bush bush old"),
        ("descending", [0, 0, 0], "snap mung bush bush", "bush bush mung snap old"),
        ("ascending", [1, 0, 1], "bush mung", "mung bush old"),
        ("descending", [1, 0, 1], "mung bush", "bush mung old"),
        ("ascending", [2, 1, 1], "", "old"),
    ],
)
def test_what_nobody_used_is_laid_on_the_pile_in_the_order_of_the_house_rule(
    order: str, used: list[int], laid: str, pile: str
) -> None:
    at = table("bush*2 mung snap", discard="old", discard_order=order)
    assert lay_down(at, used) == (tuple(pile.split()), tuple(laid.split()))


def test_at_the_end_every_field_is_emptied_worthless_ones_too() -> None:
    events = final_events(OVER.by_seat, OVER.deck, result(OVER))
    assert [event for event in events if getattr(event, "seat", "") == "Bert"] == [
        FinalHarvest("Bert", "A", "bush", 8, 4),
        FinalHarvest("Bert", "B", "magic", 2, 0),
        Ranked("Bert", 1, 6),
    ]


def test_there_is_no_result_before_the_end() -> None:
    assert result(LAST) is None
    assert not [
        event
        for event in final_events(LAST.by_seat, LAST.deck, result(LAST))
        if isinstance(event, Ranked)
    ]


def test_the_result_counts_purse_and_fields() -> None:
    assert result(OVER) == Result(dict.fromkeys(CAST, 6), dict.fromkeys(CAST, 1))


@pytest.mark.parametrize(
    ("farm", "talers"),
    [
        ("- - - 0", 0),
        ("- - - 9", 9),
        ("bush*2 - - 1", 1),
        ("bush*3 - - 1", 2),
        ("bush*8 snap*9 mung*5 0", 12),
    ],
)
def test_a_farm_is_worth_its_purse_and_what_its_fields_would_earn(farm: str, talers: int) -> None:
    at = table(farm=farm)
    assert at.farms[0].worth(at.deck) == talers


@pytest.mark.parametrize(
    ("talers", "places"),
    [
        ([], []),
        ([5], [1]),
        ([3, 9], [2, 1]),
        ([9, 9, 3], [1, 1, 3]),
        ([9, 3, 3, 1], [1, 2, 2, 4]),
        ([0, 0, 0], [1, 1, 1]),
    ],
)
def test_equal_talers_share_a_rank_and_the_next_is_left_out(
    talers: list[int], places: list[int]
) -> None:
    names = ("Anna", "Bert", "Cem", "Dörte")
    assert ranks(dict(zip(names, talers, strict=False))) == dict(zip(names, places, strict=False))
