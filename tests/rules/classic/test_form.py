"""The form: what its controls say, what says a list, and what the page does not offer."""

from typing import Any

import pytest
from msgspec.structs import replace

from gm import seeds
from rounds.classic import variant
from rounds.classic.form import read_form
from rounds.classic.table import Table
from rounds.engine.notation import Refused
from rounds.engine.variant import BadForm, Controls
from rounds.family.forms import sent_controls
from tests.cases.classic import read_table


def table() -> Table:
    """Anna has four Blue on A and two Wax on B; two Soy lie before her; she holds three talers.
    Four play.
    """
    farm = {"fields": [["blue", 4], ["wax", 2]], "coins": ["soy"] * 3, "lying": ["soy", "soy"]}
    anna = {**farm, "hand": ["blue", "red", "chili", "soy"], "open": ["green", None]}
    return read_table({"given": {"players": 4, "seats": {"Anna": anna}}}, seeds.deck("classic"))


AT = table()


def said(at: Table = AT, **controls: Any) -> str:
    return read_form(
        at,
        "Anna",
        {name: (value,) if isinstance(value, str) else value for name, value in controls.items()},
    ).text


def filled(text: str, at: Table = AT) -> Controls:
    assert variant.form is not None
    return variant.form.fill(at, "Anna", variant.read_orders(at, "Anna", text))


def test_a_card_is_planted_and_before_it_harvested_what_else_grows_there() -> None:
    assert said(plant_1="A", plant_2="A", plant_h1="A", plant_h2="") == "HA 1>A 2>A HA h1>A"
    assert (
        said(buy="yes", plant_1="C", plant_2="C", plant_h1="A", plant_h2="C")
        == "buy 1>C 2>C h1>A HC h2>C"
    )
    assert said(first=("HB", "HA"), plant_1="A") == "HA HB 1>A"
    assert said(plant_1="C") == "1>C"  # the field is not there: the list is refused, at this card


def test_numbers_are_the_order_in_which_a_card_is_given_for_something() -> None:
    assert (
        said(want_h3_0="3", want_h3_soy="2", want_h3_wax="1", want_r1_red="4")
        == "r1=red h3=wax|h3=soy|h3=0"
    )
    # equal numbers: in the order of the page
    assert said(want_h3_soy="1", want_h3_wax="1") == "h3=wax|h3=soy"
    assert (
        said(take_blue="yes", keep="yes", special="r1+h4=red@2\n2blue=soy")
        == "0=blue\nr1+h4=red@2\n2blue=soy\nkeep"
    )


@pytest.mark.parametrize(("special", "order"), [("=chili", 2), ("|0", 2), ("@2", 2)])
def test_deals_as_text_are_never_read_into_the_order_before_them(special: str, order: int) -> None:
    sent = {"want_h3_soy": ("1",), "special": (special,)}
    of = read_form(replace(AT, phase="call"), "Anna", sent)
    assert of.controls == ("want_h3", "special")
    with pytest.raises(Refused) as caught:
        variant.read_orders(replace(AT, phase="call"), "Anna", of.text)
    assert [(problem.order, problem.code) for problem in caught.value.problems] == [(order, "WORD")]


def test_each_order_knows_its_control() -> None:
    text = "r1 + h4 = red, ?"
    sent = {
        "plant_1": ("A",),
        "want_h3_soy": ("1",),
        "take_wax": ("yes",),
        "special": (text,),
        "keep": ("yes",),
    }
    of = read_form(AT, "Anna", sent)
    assert of.text == f"HA 1>A h3=soy 0=wax\n{text}\nkeep"
    assert of.controls == (
        "plant_1",
        "plant_1",
        "want_h3",
        "take_wax",
        "special",
        "special",
        "keep",
    )
    assert read_form(AT, "Anna", {"text": ("auto 0=wax",)}).controls == ("text", "text")


@pytest.mark.parametrize(
    "text",
    [
        "HA 1>A 2>A HA h1>A HB h2>B r1=chili|0 h4=0 0=soy r1+h4=red@2 h3=red@3 keep",
        "buy 1>C 2>C h1>A h3=soy|wax",
        "HA HB 1>A 2>A HA h1>A h3=soy h3=wax",
        "HB 1>B 2>B h1>A",
    ],
)
def test_the_form_says_a_list_by_its_choices(text: str) -> None:
    orders, shown = variant.read_orders(AT, "Anna", text), filled(text)
    assert variant.read_orders(AT, "Anna", read_form(AT, "Anna", shown.sent).text) == orders
    assert sent_controls(shown.sent) == shown


def test_only_a_list_that_choices_cannot_say_is_shown_as_text() -> None:
    out_of_order = "HA 1>A 2>A HA h1>A 0=soy h3=0"
    assert filled(out_of_order).chosen == {"text": out_of_order}
    assert "text" not in filled("HA 1>A 2>A HA h1>A h3=0 0=soy").chosen
    call = replace(AT, phase="call")
    assert filled("pass", call) == Controls(passed=True)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("plant_1", ("D",)),
        ("plant_1", ("A", "B")),
        ("plant_3", ("A",)),
        ("plant_h3", ("A",)),
        ("want_h1_soy", ("1",)),
        ("want_r2_soy", ("1",)),
        ("want_h3_coffee", ("1",)),
        ("want_h3_soy", ("99",)),
        ("take_coffee", ("yes",)),
        ("first", ("HA", "HA")),
        ("first", ("PA",)),
        ("special", ("x" * 20000,)),
        ("keep", ("no",)),
    ],
)
def test_what_the_page_does_not_offer_is_no_form(name: str, values: tuple[str, ...]) -> None:
    with pytest.raises(BadForm):
        read_form(AT, "Anna", {name: values})


# --- the same deals again


def data(at: Table) -> dict[str, Any]:
    assert variant.form is not None
    return variant.form.data(at, "Anna")


def test_the_deals_of_last_time_are_known_by_the_cards_that_are_still_there() -> None:
    assert (data(AT)["last"], data(AT)["took"]) == ({}, [])
    lists = dict.fromkeys(AT.seats)
    work = "HA 1>A 2>A HA h1>A"
    orders = variant.read_orders(
        AT, "Anna", f"{work} r1=red|chili h2=wax|0 h4=blue 0=wax 0=soy r1+h4=red"
    )
    after, _ = variant.adjudicate(AT, lists | {"Anna": orders}, lambda _, cards: range(cards))
    assert data(after)["cards"] == {"r1": "green", "h1": "red", "h2": "chili", "h3": "soy"}
    assert data(after)["last"] == {"r1": ["red", "chili"], "h1": ["wax", "0"], "h3": ["blue"]}
    assert data(after)["took"] == ["wax", "soy"]
    assert variant.form is not None
    assert variant.form.data(after, "Bert")["last"] == {}
    passed, _ = variant.adjudicate(after, lists | {"Anna": ()}, lambda _, cards: range(cards))
    assert data(passed)["took"] == ["wax", "soy"]  # a pass leaves it
