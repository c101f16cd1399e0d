"""What a seat, or everybody, may see; and what the record says of a round."""

import json

import msgspec
import pytest
from msgspec.structs import replace

from rounds.engine.farm import Farm, FieldView, Stack
from rounds.postal.orders import read_orders
from rounds.postal.round import adjudicate
from rounds.postal.view import VarietyView, farm_view, tell, view
from tests.postal_tables import CAST, DECK, new_game, table


def test_a_field_is_shown_with_its_worth_and_the_next_tier() -> None:
    at = table(farm="bush*3 snap*9 - 2")
    shown = farm_view(at, "Anna", at.farms[0], 1)
    assert shown.fields == (
        FieldView("A", "bush", 3, 1, (2, 2)),
        FieldView("B", "snap", 9, 4, None),
        FieldView("C", None, 0, 0, None),
    )
    assert (shown.talers, shown.on_fields, shown.total) == (2, 5, 7)


def test_an_empty_farm_is_worth_nothing() -> None:
    assert farm_view(table(), "Anna", Farm(), 1).total == 0


def test_while_the_game_runs_the_ranks_go_by_the_purse_alone() -> None:
    at = replace(
        new_game(1), farms=(Farm((Stack("bush", 8), None, None), 1), Farm(talers=2), Farm(talers=2))
    )
    shown = view(at, None)
    assert [(farm.seat, farm.rank) for farm in shown.farms] == [
        ("Anna", 3),
        ("Bert", 1),
        ("Cem", 1),
    ]
    assert [farm.seat for farm in shown.standing] == ["Bert", "Cem", "Anna"]
    assert (shown.final, shown.over) == (None, False)


def test_at_the_end_the_fields_count_and_the_talers_are_told() -> None:
    at = replace(
        new_game(1),
        round=11,
        farms=(Farm((Stack("bush", 8), None, None), 1), Farm(talers=2), Farm()),
    )
    shown = view(at, None)
    assert shown.final == {"Anna": 5, "Bert": 2, "Cem": 0}
    assert [(farm.seat, farm.rank, farm.talers) for farm in shown.standing] == [
        ("Anna", 1, 1),
        ("Bert", 2, 2),
        ("Cem", 3, 0),
    ]
    assert shown.over


def test_the_draw_pile_is_counted_and_never_listed() -> None:
    at = new_game(5)
    shown = view(at, "Anna")
    assert shown.draw_pile == sum(variety.in_draw_pile for variety in shown.varieties) == 92
    turned = replace(at, draw_pile=tuple(reversed(at.draw_pile)))
    assert msgspec.json.encode(view(turned, "Anna")) == msgspec.json.encode(shown)


def test_every_variety_is_counted_also_those_of_which_none_is_left() -> None:
    shown = view(table("bush", pile="bush bush snap"), None)
    assert [
        (variety.id, variety.in_draw_pile) for variety in shown.varieties if variety.in_draw_pile
    ] == [
        ("bush", 2),
        ("snap", 1),
    ]
    assert [variety.id for variety in shown.varieties] == list(DECK.ids)
    assert shown.variety("bush").chances == (1, 1, 0)
    assert shown.variety("mung") == VarietyView("mung", 8, 0, (2, 3, 4, 5), (0, 0, 0))


def test_an_empty_pile_promises_nothing() -> None:
    assert view(table("bush"), None).variety("bush").chances == (0, 0, 0)


def test_everybody_sees_the_same_but_for_whose_view_it_is() -> None:
    at = new_game(5)
    views = [view(at, seat) for seat in (None, *CAST)]
    assert [shown.seat for shown in views] == [None, *CAST]
    assert len({msgspec.json.encode(replace(shown, seat=None)) for shown in views}) == 1


def test_a_farm_and_a_variety_are_found_by_name() -> None:
    shown = view(new_game(5), None)
    assert shown.farm("Cem").seat == "Cem"
    assert [shown.variety("princess").talers(beans) for beans in (1, 2, 4, 9)] == [0, 2, 4, 4]
    for find in (shown.farm, shown.variety):
        with pytest.raises(StopIteration):
            find("Dörte")


def test_the_record_of_a_round_says_what_lay_there_and_what_was_done() -> None:
    at = table(
        "bush*2 magic",
        farm="bush*3 mung - 3",
        discard="snap",
        pile="bush " * 8,
        seats=("Anna", "Bert", "Cem"),
    )
    lists = {"Anna": read_orders(at, "Anna", "HA 1x1 PB"), "Bert": (), "Cem": None}
    after, events = adjudicate(at, lists)
    told = json.loads(json.dumps(tell(at, events, after)))
    assert told["row"] == [["bush", 2], ["magic", 1]]
    assert (told["discard"], told["unused"]) == (["snap"], ["magic"])
    assert told["draw_pile"] == dict.fromkeys(DECK.ids, 0) | {"bush": 8}
    assert told["farms"] == {
        "Anna": {
            "fields": [["bush", 1], None, None],
            "talers": 1,
            "orders": "HA 1x1>A PB",
            "absent": False,
        },
        "Bert": {
            "fields": [["bush", 3], ["mung", 1], None],
            "talers": 3,
            "orders": "pass",
            "absent": False,
        },
        "Cem": {
            "fields": [["bush", 5], ["mung", 1], None],
            "talers": 3,
            "orders": "1>A",
            "absent": True,
        },
    }


def test_the_record_of_the_last_round_shows_the_farms_before_the_final_harvest() -> None:
    at = table("bush", farm="bush*7 - - 0", rounds=1)
    after, events = adjudicate(at, {"Anna": read_orders(at, "Anna", "1")})
    own = tell(at, events, after)["farms"]["Anna"]
    assert (list(own["fields"]), own["talers"]) == ([["bush", 8], None, None], 0)
