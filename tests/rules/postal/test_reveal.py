"""A round step by step: every farm after each position, from events alone."""

from rounds.engine.farm import Stack
from rounds.family.events import Harvested
from rounds.postal.events import Planted
from rounds.postal.orders import read_orders
from rounds.postal.reveal import FEW_FARMS, reveal
from rounds.postal.round import adjudicate, result
from rounds.postal.view import view
from tests.postal_tables import new_game, random_game, table


def test_what_is_cleared_before_a_card_belongs_to_its_position_and_the_rest_comes_after_the_row() -> (
    None
):
    at = table("magic bush", farm="bush*3 - - 2", pile="mung " * 8, seats=("Anna", "Bert"))
    lists = {"Anna": read_orders(at, "Anna", "1>B HA 2>A PB"), "Bert": ()}
    _, events = adjudicate(at, lists)
    first, second, last = reveal(view(at, None), events)
    assert (first.position, first.variety, first.taken) == (
        1,
        "magic",
        (Planted("Anna", 1, "magic", 1, 1, "B", 1),),
    )
    assert (first.unused, second.unused) == (0, 0)
    anna, bert = second.farms
    assert anna.events == (
        Harvested("Anna", "A", "bush", 3, 1),
        Planted("Anna", 2, "bush", 1, 1, "A", 1),
    )
    assert (anna.fields, anna.talers, anna.earned) == (
        (Stack("bush", 1), Stack("magic", 1), None),
        3,
        1,
    )
    assert anna.changed == {"A"}
    assert (bert.events, bert.talers, bert.changed) == ((), 2, frozenset())
    assert (last.position, last.taken) == (None, ())
    assert last.farms[0].changed == {"B"}


def test_of_a_stack_it_is_told_how_much_nobody_took() -> None:
    at = table("climbing*3 mung", pile="snap " * 8, seats=("Anna", "Bert"))
    _, events = adjudicate(
        at, {"Anna": read_orders(at, "Anna", "1x1"), "Bert": read_orders(at, "Bert", "1x2>A")}
    )
    first, second = reveal(view(at, None), events)
    assert [(step.cards, step.unused) for step in (first, second)] == [(3, 1), (1, 1)]


def test_in_a_large_game_a_step_shows_the_farms_on_which_something_happens() -> None:
    at = new_game(1, tuple(f"Anna {number}" for number in range(FEW_FARMS + 1)))
    lists = {seat: read_orders(at, seat, "1" if seat == "Anna 3" else "pass") for seat in at.seats}
    _, events = adjudicate(at, lists)
    steps = reveal(view(at, None), events)
    assert [[farm.seat for farm in step.farms] for step in steps] == [["Anna 3"], *[[]] * 7]


def test_every_step_of_random_games_leads_to_the_farms_of_the_next_round() -> None:
    for seed in range(30):
        for before, _, after, events in random_game(seed):
            steps = reveal(view(before, None), events)
            assert [step.position for step in steps if step.position] == list(
                range(1, len(before.row) + 1)
            )
            end = result(after)
            for seat, farm in zip(after.seats, after.farms, strict=True):
                last = next(step for step in steps[-1].farms if step.seat == seat)
                assert last.talers == (end.talers[seat] if end else farm.talers)
                assert last.fields == ((None, None, None) if end else farm.fields)
