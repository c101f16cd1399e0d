"""Three fields and a purse: what is found on them, and that nothing is changed in place."""

import msgspec
import pytest

from rounds.engine.farm import FIELDS, Farm, FieldView, Stack
from tests.postal_tables import DECK

FULL = Farm((Stack("bush", 3), Stack("magic", 1), Stack("snap", 9)), 7)
GAP = Farm((Stack("bush", 3), None, None), 2)


def test_a_new_farm_has_three_empty_fields_and_no_taler() -> None:
    assert [Farm().at(field) for field in FIELDS] == [None, None, None]
    assert Farm().talers == 0


def test_a_field_is_found_by_its_letter() -> None:
    assert [FULL.at(field) for field in "ABC"] == [
        Stack("bush", 3),
        Stack("magic", 1),
        Stack("snap", 9),
    ]


@pytest.mark.parametrize("field", ["D", "a", "", "AB"])
def test_there_is_no_other_field(field: str) -> None:
    with pytest.raises(ValueError, match="not in tuple"):
        FULL.at(field)
    with pytest.raises(ValueError, match="not in tuple"):
        FULL.with_field(field, None)


@pytest.mark.parametrize(
    ("variety", "field"), [("bush", "A"), ("magic", "B"), ("snap", "C"), ("mung", None), ("", None)]
)
def test_a_variety_is_found_where_it_grows(variety: str, field: str | None) -> None:
    assert FULL.growing(variety) == field
    assert Farm().growing(variety) is None


def test_of_two_fields_alike_the_first_is_found() -> None:
    """No order leads to such a farm, but a damaged row may hold one."""
    assert Farm((None, Stack("bush", 2), Stack("bush", 2))).growing("bush") == "B"


@pytest.mark.parametrize(
    ("fields", "empty"),
    [
        ((None, None, None), "A"),
        ((Stack("bush", 1), None, None), "B"),
        ((Stack("bush", 1), Stack("mung", 1), None), "C"),
        ((None, Stack("mung", 1), None), "A"),
        ((Stack("bush", 1), Stack("mung", 1), Stack("snap", 1)), None),
    ],
)
def test_the_first_empty_field_is_the_lowest_letter(
    fields: tuple[Stack | None, Stack | None, Stack | None], empty: str | None
) -> None:
    assert Farm(fields).first_empty() == empty


@pytest.mark.parametrize("field", FIELDS)
def test_one_field_is_exchanged_and_the_others_stay(field: str) -> None:
    after = FULL.with_field(field, Stack("mung", 4))
    assert after.at(field) == Stack("mung", 4)
    assert [after.at(other) for other in FIELDS if other != field] == [
        FULL.at(other) for other in FIELDS if other != field
    ]
    assert after.talers == FULL.talers


@pytest.mark.parametrize(("talers", "purse"), [(4, 6), (0, 2), (-2, 0)])
def test_talers_are_added_to_the_purse_or_taken_from_it(talers: int, purse: int) -> None:
    assert GAP.with_field("A", None, talers) == Farm((None, None, None), purse)


def test_the_farm_before_stays_as_it_was() -> None:
    FULL.with_field("A", None, 3)
    assert FULL.at("A") == Stack("bush", 3)
    assert FULL.talers == 7
    with pytest.raises(AttributeError):
        FULL.talers = 9  # type: ignore[misc]


def test_a_farm_is_stored_as_short_json_and_comes_back() -> None:
    stored = msgspec.json.encode(GAP)
    assert stored == b'{"fields":[["bush",3],null,null],"talers":2}'
    assert msgspec.json.decode(stored, type=Farm) == GAP


@pytest.mark.parametrize(
    "stored",
    [
        b'{"fields":[null],"talers":0}',
        b'{"fields":[null,null,null,null],"talers":0}',
        b'{"fields":[["bush"],null,null],"talers":0}',
        b'{"fields":[["bush","3"],null,null],"talers":0}',
        b'{"fields":[null,null,null],"talers":1.5}',
    ],
)
def test_a_damaged_farm_is_not_read(stored: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(stored, type=Farm)


def test_a_farm_is_worth_its_purse_and_what_each_field_brings_worthless_ones_too() -> None:
    farm = Farm((Stack("bush", 3), None, Stack("snap", 1)), 2)
    assert list(farm.harvests(DECK)) == [("A", "bush", 3, 1), ("C", "snap", 1, 0)]
    assert farm.worth(DECK) == 3
    assert Farm((None, None), 4).worth(DECK) == 4


def test_fields_are_shown_with_what_they_earn_and_what_is_missing_for_more() -> None:
    assert Farm((Stack("bush", 3), None)).shown(DECK) == (
        FieldView("A", "bush", 3, 1, (2, 2)),
        FieldView("B", None, 0, 0, None),
    )
