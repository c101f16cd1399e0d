"""One farm's orders: what is checked, in which order, and the one text that says them (wordings:
test_notation.py).
"""

import pytest

from rounds.engine.farm import Farm, Stack
from rounds.engine.notation import Order, Refused
from rounds.family.events import Harvested
from rounds.family.orders import Harvest
from rounds.postal.events import Planted, Plowed
from rounds.postal.notation import Plant, Plow, Problem
from rounds.postal.orders import Progress, check, merged, preview, read_orders, write_orders
from rounds.postal.table import Table
from tests.postal_tables import table

AT = table("bush magic*2 climbing*3 mung", farm="bush*3 magic*2 - 2")


def checked(
    order: Order, at: Table = AT, progress: Progress | None = None
) -> tuple[Order, Progress, object]:
    found = check(at, "Anna", progress or Progress(at.farms[0]), order)
    assert not isinstance(found, Problem)
    return found


def problem(order: Order, at: Table = AT, progress: Progress | None = None) -> Problem:
    found = check(at, "Anna", progress or Progress(at.farms[0]), order)
    assert isinstance(found, Problem)
    return found


def test_an_order_is_spelled_out_with_cards_and_field() -> None:
    order, progress, event = checked(Plant(3))
    assert order == Plant(3, 3, "C")
    assert event == Planted("Anna", 3, "climbing", 3, 3, "C", 3)
    assert progress == Progress(
        Farm((Stack("bush", 3), Stack("magic", 2), Stack("climbing", 3)), 2), 3, 3
    )


def test_a_growing_variety_goes_on_its_field_though_another_is_free() -> None:
    assert checked(Plant(2, 1))[0] == Plant(2, 1, "B")


def test_clearing_leaves_the_position_where_it_was() -> None:
    _, progress, event = checked(Harvest("A"), progress=Progress(AT.farms[0], 3, 1))
    assert event == Harvested("Anna", "A", "bush", 3, 1)
    assert (progress.position, progress.taken, progress.farm.talers) == (3, 1, 3)


def test_a_plow_costs_three_talers_to_the_last_one() -> None:
    _, progress, event = checked(Plow("B"), table(farm="- magic*2 - 3"))
    assert event == Plowed("Anna", "B", "magic", 2, 3)
    assert progress.farm == Farm()


def test_the_cards_left_on_a_position_are_counted_for_this_seat_alone() -> None:
    progress = Progress(AT.farms[0], 3, 2)
    assert [progress.left(AT, position) for position in (1, 2, 3, 4)] == [1, 2, 1, 1]


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (Plant(0), Problem(code="RANGE", position=0, limit=4, hint="pass")),
        (Plant(5), Problem(code="RANGE", position=5, limit=4)),
        (Plant(12), Problem(code="RANGE", position=12, limit=4, hint="1 2")),
        (Plant(15), Problem(code="RANGE", position=15, limit=4)),
        (Plant(3, 0), Problem(code="COUNT", position=3, cards=0, variety="climbing", limit=3)),
        (Plant(3, 4), Problem(code="COUNT", position=3, cards=4, variety="climbing", limit=3)),
        (Plant(3, 1, "D"), Problem(code="BAD_FIELD", field="D")),
        (Plant(1, 1, "C"), Problem(code="DUPLICATE", position=1, variety="bush", field="A")),
        (
            Plant(4, 1, "B"),
            Problem(code="OCCUPIED", position=4, variety="magic", field="B", advice="other"),
        ),
        (Harvest("D"), Problem(code="BAD_FIELD", field="D")),
        (Harvest("C"), Problem(code="EMPTY_FIELD", field="C")),
        (Harvest("A", 2), Problem(code="PARTIAL_HARVEST", field="A", cards=2, limit=3, hint="HA")),
        (
            Harvest("B"),
            Problem(
                code="HARVEST_ZERO", field="B", variety="magic", cards=2, limit=3, advice="leave"
            ),
        ),
        (Plow("D"), Problem(code="BAD_FIELD", field="D")),
        (Plow("C"), Problem(code="EMPTY_FIELD", field="C")),
        (Plow("A"), Problem(code="PLOW_YIELDING", field="A", variety="bush", talers=1, hint="HA")),
        (Plow("B"), Problem(code="TALERS", field="B", talers=2, limit=3, advice="leave")),
    ],
)
def test_what_is_not_allowed_is_told_with_its_numbers(order: Order, expected: Problem) -> None:
    assert problem(order) == expected


def test_a_position_already_passed_is_closed_and_the_same_one_is_open() -> None:
    progress = Progress(AT.farms[0], 3, 1)
    assert problem(Plant(2), progress=progress) == Problem(code="ORDER", position=2, limit=3)
    assert checked(Plant(3), progress=progress)[0] == Plant(3, 2, "C")


def test_an_exhausted_position_has_no_cards_left() -> None:
    assert problem(Plant(3), progress=Progress(AT.farms[0], 3, 3)).code == "COUNT"


def test_every_order_is_judged_as_if_the_refused_ones_were_not_there() -> None:
    with pytest.raises(Refused) as caught:
        read_orders(AT, "Anna", "4>C HC 9\nHB zzz 3")
    assert [(p.code, p.order, p.place.line) for p in caught.value.problems] == [
        ("HARVEST_ZERO", 2, 1),  # the mung bean just planted
        ("RANGE", 3, 1),
        ("HARVEST_ZERO", 4, 2),
        ("WORD", 5, 2),
        ("ORDER", 6, 2),
    ]


def test_a_list_for_somebody_who_does_not_sit_here_is_an_error() -> None:
    with pytest.raises(ValueError, match="'Dörte'"):
        read_orders(AT, "Dörte", "pass")


def test_a_preview_shows_the_farm_after_each_order() -> None:
    steps = preview(AT, "Anna", read_orders(AT, "Anna", "HA 1 3x2"))
    farms = [step.farm for step in steps if step.farm]
    assert [(str(farm.fields[0]), farm.talers) for farm in farms] == [
        ("None", 3),
        (str(Stack("bush", 1)), 3),
        (str(Stack("bush", 1)), 3),
    ]
    assert [event.__class__ for step in steps for event in step.events] == [
        Harvested,
        Planted,
        Planted,
    ]
    assert preview(AT, "Anna", ()) == ()


def test_a_preview_of_what_is_not_allowed_is_refused_with_the_number_of_the_order() -> None:
    with pytest.raises(Refused) as caught:
        preview(AT, "Anna", (Harvest("A"), Harvest("A")))
    assert [(p.code, p.order) for p in caught.value.problems] == [("EMPTY_FIELD", 2)]


@pytest.mark.parametrize(
    ("orders", "text"),
    [
        ((), "pass"),
        ((Plant(1, 1, "A"),), "1>A"),
        ((Plant(3, 3, "C"),), "3>C"),
        ((Plant(3, 2, "C"),), "3x2>C"),
        ((Plant(3, 2, "C"), Plant(4, 1, "C")), "3x2>C 4>C"),
        ((Plant(3, 1, "C"), Harvest("A"), Plant(3, 1, "A")), "3x1>C HA 3x1>A"),
        ((Plant(3, 1, "C"), Harvest("A"), Plant(3, 2, "A")), "3x1>C HA 3>A"),
        ((Plow("B"), Harvest("A")), "PB HA"),
    ],
)
def test_the_canonical_text_names_a_number_only_where_cards_stay(
    orders: tuple[Order, ...], text: str
) -> None:
    assert write_orders(AT, orders) == text


def test_only_neighbours_of_one_position_on_one_field_become_one_order() -> None:
    one, other, clear = Plant(3, 1, "C"), Plant(3, 1, "B"), Harvest("A")
    assert merged([]) == ()
    assert merged([one, one, one]) == (Plant(3, 3, "C"),)
    assert merged([one, other, one]) == (one, other, one)
    assert merged([one, clear, one]) == (one, clear, one)
    assert merged([one, Plant(4, 1, "C")]) == (one, Plant(4, 1, "C"))
    assert merged([clear, clear]) == (clear, clear)
