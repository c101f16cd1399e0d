"""The form: what its controls say, what says a list, and what the page does not offer."""

import pytest

from rounds.duel import variant
from rounds.duel.form import read_form
from rounds.duel.table import Table
from rounds.engine.variant import BadForm, Controls
from rounds.family.forms import sent_controls
from tests.rules.duel.tables import table

BEFORE = table("soy red eyed", "blue*4 wax*2", offer="blue*3 soy", talers=3)
AFTER = table("soy", "blue*4 red*2", row="wax*3 red")


def said(at: Table, **controls: str) -> str:
    return read_form(at, "Anna", {name: (value,) for name, value in controls.items()}).text


def filled(at: Table, text: str) -> Controls:
    assert variant.form is not None
    return variant.form.fill(at, "Anna", variant.read_orders(at, "Anna", text))


def test_choices_become_a_list_in_the_order_of_the_turn() -> None:
    text = said(
        BEFORE,
        hand_1="A",
        offer_blue="A",
        number_blue="2",
        buy="yes",
        drop="3",
        hand_2="C",
        match="yes",
        want_chili="B",
    )
    assert text == "buy bluex2>A! Dblue Dsoy 1>A! 2>C! D3 then match chili>B!"
    assert said(BEFORE, plan="yes") == "Dblue Dsoy then pass"
    assert said(AFTER, row_wax="B", number_wax="2") == "waxx2>B!"
    assert said(AFTER) == "pass"


def test_what_is_written_as_text_is_all_that_counts_and_giving_up_stands_alone() -> None:
    assert said(BEFORE, text=" 1>A then match ", hand_1="B") == "1>A then match"
    assert said(BEFORE, resign="yes", hand_1="B") == "resign"


def test_each_order_knows_its_control() -> None:
    typed = read_form(BEFORE, "Anna", {"hand_1": ("A",), "first": ("HB", "HA"), "plan": ("yes",)})
    assert typed.text == "HA HB Dblue Dsoy 1>A! then pass"
    assert typed.controls == ("first", "first", "offer_blue", "offer_soy", "hand_1", "plan", "plan")


@pytest.mark.parametrize(
    "text",
    [
        "blue>A Dsoy HA 1>A HB 2>B D3",
        "HA buy blue>A Dsoy 1>C",
        "bluex2>A Dblue Dsoy HA 1>A then match chili>C!",
        "Dsoy Dblue HA 1>A",
        "HA HB Dblue Dsoy 1>A then pass",
        "bluex1>A HA blue>A Dsoy HB 1>B",
        "resign",
    ],
)
def test_the_form_says_any_list_by_its_choices_or_as_text(text: str) -> None:
    orders = variant.read_orders(BEFORE, "Anna", text)
    shown = filled(BEFORE, text)
    assert variant.read_orders(BEFORE, "Anna", read_form(BEFORE, "Anna", shown.sent).text) == orders
    assert sent_controls(shown.sent) == shown


def test_only_a_list_that_choices_cannot_say_is_shown_as_text() -> None:
    assert filled(BEFORE, "Dsoy Dblue HA 1>A").chosen == {"text": "Dsoy Dblue HA 1>A"}
    assert "text" not in filled(BEFORE, "HA 1>A").chosen
    assert filled(AFTER, "pass") == Controls(passed=True)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("hand_1", ("D",)),
        ("hand_1", ("A", "B")),
        ("hand_3", ("A",)),
        ("offer_wax", ("A",)),
        ("row_wax", ("A",)),
        ("drop", ("4",)),
        ("first", ("HA", "HA")),
        ("first", ("PA",)),
        ("plan", ("no",)),
        ("want_cocoa", ("A",)),
        ("number_blue", ("4",)),
    ],
)
def test_what_the_page_does_not_offer_is_no_form(name: str, values: tuple[str, ...]) -> None:
    with pytest.raises(BadForm):
        read_form(BEFORE, "Anna", {name: values})
