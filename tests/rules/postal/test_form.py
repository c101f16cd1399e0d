"""The order form says the same as order text, and shows what was sent."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rounds.engine.variant import BadForm
from rounds.postal.form import fill_form, planner_data, read_form, sent_controls
from rounds.postal.orders import read_orders, write_orders
from rounds.postal.round import adjudicate, play
from tests.postal_tables import new_game, random_orders, table

AT = table("bush magic*2 climbing mung")


def text(**controls: str | list[str]) -> str:
    return read_form(
        AT,
        "Anna",
        {name: value if isinstance(value, list) else [value] for name, value in controls.items()},
    ).text


def test_cards_of_a_stack_that_go_to_one_field_are_one_order() -> None:
    assert text(to_2_1="B", to_2_2="B") == "2x2>B"
    assert text(to_2_1="", to_2_2="B") == text(to_2_1="B", to_2_2="") == "2x1>B"


def test_what_is_cleared_before_a_card_stands_before_it() -> None:
    assert text(to_2_1="A", to_2_2="A", pre_2_2=["PC", "HA"]) == "2x1>A HA PC 2x1>A"
    assert text(to_1_1="A", pre_end=["HA"]) == "1x1>A HA"


def test_an_untouched_form_is_no_pass() -> None:
    assert text() == text(to_1_1="", to_2_1="") == ""
    assert text(**{"pass": "yes"}) == "pass"
    assert text(to_1_1="A", **{"pass": "yes"}) == "pass 1x1>A"


def test_every_order_knows_the_control_it_came_from() -> None:
    form = read_form(
        AT, "Anna", {"to_2_1": ["A"], "to_2_2": ["A"], "pre_end": ["HA", "PB"], "to_1_1": ["B"]}
    )
    assert form.text == "1x1>B 2x2>A HA PB"
    assert form.controls == ("to_1_1", "to_2_1", "pre_end", "pre_end")


@pytest.mark.parametrize(
    "controls",
    [
        {"to_9_1": ["A"]},
        {"to_2_3": ["A"]},
        {"to_1_1": ["D"]},
        {"to_1_1": ["A", "B"]},
        {"pre_2_1": ["HA", "HA"]},
        {"pre_2_1": ["HA"] * 7},
        {"pre_2_1": ["XA"]},
        {"pass": ["no"]},
        {"talers": ["99"]},
        {"to_٢_1": ["A"]},
    ],
)
def test_what_the_page_does_not_offer_is_no_form(controls: dict[str, list[str]]) -> None:
    with pytest.raises(BadForm):
        read_form(AT, "Anna", controls)


def test_what_was_sent_is_shown_again() -> None:
    shown = sent_controls({"to_1_1": ["B"], "pre_2_1": ["HA", "PC"], "pass": ["yes"]})
    assert (shown.chosen, shown.ticked, shown.passed) == (
        {"to_1_1": "B"},
        {"pre_2_1": ("HA", "PC")},
        True,
    )


@given(st.integers(0, 2**32))
def test_any_legal_list_fits_the_form_and_ends_the_same(seed: int) -> None:
    rng = Random(seed)
    at = new_game(seed, ("Anna",))
    for _ in range(rng.randrange(6)):
        at, _ = adjudicate(at, {"Anna": random_orders(rng, at, "Anna")})
    orders = random_orders(rng, at, "Anna") or ()
    shown = fill_form(at, "Anna", orders)
    again = read_orders(at, "Anna", read_form(at, "Anna", shown.sent).text)
    assert play(at, "Anna", again)[0] == play(at, "Anna", orders)[0]
    assert shown.passed == (write_orders(at, orders) == "pass")


@pytest.mark.parametrize(
    ("orders", "chosen", "ticked"),
    [
        ("1>A", {"to_1_1": "A"}, {}),
        ("2>A", {"to_2_1": "A", "to_2_2": "A"}, {}),
        ("2x1>A", {"to_2_1": "A"}, {}),
        ("2x1>A HB 2x1>A", {"to_2_1": "A", "to_2_2": "A"}, {"pre_2_2": ("HB",)}),
        ("HB PC 1>A", {"to_1_1": "A"}, {"pre_1_1": ("HB", "PC")}),
        ("1>A HB", {"to_1_1": "A"}, {"pre_end": ("HB",)}),
        ("HB", {}, {"pre_end": ("HB",)}),
    ],
)
def test_a_list_is_shown_in_the_controls_that_say_it(
    orders: str, chosen: dict[str, str], ticked: dict[str, tuple[str, ...]]
) -> None:
    at = table("bush magic*2", farm="- mung*2 snap 3")
    shown = fill_form(at, "Anna", read_orders(at, "Anna", orders))
    assert (shown.chosen, shown.ticked, shown.passed) == (chosen, ticked, False)


def test_a_pass_is_shown_in_its_box_alone() -> None:
    shown = fill_form(AT, "Anna", ())
    assert (shown.chosen, shown.ticked, shown.passed) == ({}, {}, True)


def test_what_is_cleared_at_one_card_stands_in_the_order_of_the_page() -> None:
    assert text(pre_end=["PC", "PA", "HB", "HA"]) == "HA HB PA PC"


def test_several_controls_that_are_left_empty_say_nothing() -> None:
    assert text(pre_end=[], pre_1_1=[]) == ""
    assert sent_controls({"to_1_1": [], "pre_end": []}).chosen == {}


def test_the_planner_gets_what_its_seat_sees_and_what_the_stand_in_would_do() -> None:
    at = table("bush*2 mung", farm="bush*7 - snap 3", pile="princess " * 8, seats=("Anna", "Bert"))
    data = planner_data(at, "Anna")
    assert data["row"] == [{"bean": "bush", "cards": 2}, {"bean": "mung", "cards": 1}]
    assert data["fields"] == {
        "A": {"bean": "bush", "beans": 7},
        "B": {"bean": None, "beans": 0},
        "C": {"bean": "snap", "beans": 1},
    }
    assert (data["talers"], data["fee"], data["meters"]["princess"]) == (3, 3, [0, 2, 3, 4])
    assert data["absent"] == {
        "chosen": {"to_1_1": "A", "to_1_2": "A"},
        "ticked": {"pre_1_2": ("HA",)},
    }
    # nothing of the draw pile
    assert set(data) == {"row", "meters", "fields", "talers", "fee", "absent"}


def test_there_is_no_planner_for_somebody_who_does_not_sit_here() -> None:
    with pytest.raises(ValueError, match="'Dörte'"):
        planner_data(AT, "Dörte")
