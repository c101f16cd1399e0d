"""What is played for a seat that sent nothing, in the players' own orders (whole rounds:
seeds/postal/cases/stand-in.toml).
"""

from typing import Any

import pytest

from rounds.family.orders import Harvest
from rounds.postal.orders import read_orders, write_orders
from rounds.postal.round import play
from rounds.postal.stand_in import stand_in
from tests.postal_tables import table


def played(row: str, farm: str, **rules: Any) -> str:
    at = table(row, farm=farm, **rules)
    return write_orders(at, stand_in(at, "Anna"))


@pytest.mark.parametrize(
    ("row", "farm", "orders"),
    [
        ("bush magic", "- - - 9", "pass"),  # P23
        ("bush magic", "bush - - 0", "1>A"),
        ("bush magic bush*2", "bush - magic 0", "1>A 2>C 3>A"),
        ("mung", "bush - magic 0", "pass"),
        ("bush", "bush*6 - - 0", "1>A"),  # three talers are not full
        ("bush", "bush*7 - - 0", "1>A HA"),
        ("mung", "bush*8 - - 0", "HA 1>A"),  # P25: full from the start
        ("mung", "bush*9 - - 0", "HA 1>A"),
        ("bush*3", "bush*7 - - 0", "1x1>A HA 1>A"),  # P26
        ("magic bush", "bush*8 magic - 0", "HA 1>B 2>A"),
        ("snap mung", "bush*8 magic*6 - 0", "HA HB 1>A 2>B"),  # P29: the lowest letter first
        ("snap mung", "- magic*6 bush*8 0", "HB HC 1>B 2>C"),
        ("magic bush", "bush*8 magic*6 mung 0", "HA HB 1>A 2>B"),
        ("mung", "snap*2 - - 9", "pass"),  # never plows
        ("", "bush*8 - - 0", "HA"),
        ("", "- - - 0", "pass"),
    ],
)
def test_what_grows_is_planted_what_is_full_harvested_and_the_next_bean_follows(
    row: str, farm: str, orders: str
) -> None:
    assert played(row, farm) == orders


@pytest.mark.parametrize(
    ("row", "farm", "orders"),
    [
        ("bush magic", "- - - 0", "1>A 2>B"),
        ("bush bush magic mung snap", "- - - 0", "1>A 2>A 3>B 4>C"),
        ("magic bush", "bush - - 0", "1>B 2>A"),
        ("magic*6 bush", "- - - 0", "1>A HA 2>A"),
        ("princess*9", "- - - 0", "1x4>A HA 1x4>A HA 1>A"),
    ],
)
def test_by_house_rule_empty_fields_wait_for_a_bean_too(row: str, farm: str, orders: str) -> None:
    assert played(row, farm, nmr_empty=True) == orders


@pytest.mark.parametrize(
    ("row", "farm", "orders"),
    [
        ("mung", "bush*8 - - 0", "pass"),
        ("bush", "bush*7 - - 0", "1>A"),
        ("bush", "bush*8 - - 0", "HA 1>A"),
        ("bush*2 mung", "bush*7 - - 0", "1x1>A HA 1>A"),
        ("princess*9", "princess - - 0", "1x3>A HA 1x4>A HA 1>A"),
    ],
)
def test_by_house_rule_a_full_field_waits_for_a_further_bean_of_its_own(
    row: str, farm: str, orders: str
) -> None:
    assert played(row, farm, nmr_harvest="lazy") == orders


def test_only_fields_of_four_talers_are_harvested_however_many_there_are() -> None:
    at = table("climbing", farm="bush*8 snap*8 mung*5 0")
    orders = stand_in(at, "Anna")
    assert [order for order in orders if isinstance(order, Harvest)] == [Harvest("A"), Harvest("C")]
    assert play(at, "Anna", None)[0].talers == 8


def test_its_list_is_one_that_a_player_could_have_sent() -> None:
    at = table("bush*5 mung*3 snap", farm="bush*7 mung*4 snap*9 0", nmr_empty=True)
    orders = stand_in(at, "Anna")
    assert read_orders(at, "Anna", write_orders(at, orders)) == orders


def test_for_somebody_who_does_not_sit_here_it_does_not_play() -> None:
    with pytest.raises(ValueError, match="'Dörte'"):
        stand_in(table(), "Dörte")
