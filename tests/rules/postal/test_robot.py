"""The robot: always legal, the same for the same view, and no fool."""

import pytest
from msgspec.structs import replace

from rounds.engine.farm import Farm
from rounds.postal.orders import read_orders
from rounds.postal.robot import Temper, robot
from rounds.postal.round import adjudicate, play
from rounds.postal.table import Table
from rounds.postal.view import view
from tests.postal_tables import CAST, DECK, new_game, table


def orders(at: Table, seat: str = "Anna") -> str:
    text = robot(view(at, seat))
    read_orders(at, seat, text)  # legal
    return text


def last(row: str, farm: str) -> Table:
    """The last round with this row and farm."""
    return replace(table(row, farm=farm, pile="bush " * 12), round=10)


@pytest.mark.parametrize(
    ("row", "farm", "talers"),
    [
        ("", "- - - 0", 0),
        ("mung", "- - - 0", 0),  # a single bean earns nothing any more
        ("bush", "bush*2 - - 0", 1),
        ("bush", "bush*8 - - 0", 4),
        ("", "bush*3 snap*2 mung*5 0", 5),
        ("princess*2", "bush*2 - - 0", 2),
        ("princess*4", "bush*2 snap mung 3", 4),  # one field plowed for the fee
        ("princess*4", "bush*2 snap mung 2", 2),  # no taler for the fee
    ],
)
def test_in_the_last_round_it_takes_what_there_is(row: str, farm: str, talers: int) -> None:
    at = last(row, farm)
    assert play(at, "Anna", read_orders(at, "Anna", orders(at)))[0].talers == talers


def test_what_grows_is_planted_and_kept_while_more_may_come() -> None:
    assert orders(table("bush", farm="bush*4 - - 0", pile="snap " * 40)) == "1x1>A"


def test_a_field_is_harvested_before_its_next_bean_where_that_pays_twice() -> None:
    assert orders(table("bush", farm="bush*4 - - 0", pile="bush " * 40)) == "HA 1x1>A"


def test_it_never_plows_without_the_fee() -> None:
    assert "P" not in orders(last("princess*4", "bush*2 snap mung 2"))


def test_the_same_view_gives_the_same_orders() -> None:
    at = new_game(3)
    assert orders(at) == orders(at)


def test_robots_on_different_seats_have_tempers_of_their_own() -> None:
    tempers = [Temper(number, list(DECK.ids)) for number in range(4)]
    assert [temper.patience for temper in tempers] == [1, 2, 3, 1]
    assert len({tuple(temper.fondness.values()) for temper in tempers}) == 4
    assert all(0 <= fond < 1 for temper in tempers for fond in temper.fondness.values())


def test_robots_on_different_seats_play_differently() -> None:
    lists = {tuple(orders(new_game(seed), seat) for seat in CAST) for seed in range(4)}
    assert any(len(set(by_seat)) > 1 for by_seat in lists)


def test_alone_it_earns_more_than_a_seat_that_plants_all_it_can() -> None:
    """Over a whole game, and no thanks to luck with one deck."""
    gained = []
    for seed in (1, 2):
        at = new_game(seed, ("Anna", "Bert"), nmr_empty=True)
        while not at.over:
            at, _ = adjudicate(
                at, {"Anna": read_orders(at, "Anna", robot(view(at, "Anna"))), "Bert": None}
            )
        gained.append(at.farm("Anna").worth(at.deck) - at.farm("Bert").worth(at.deck))
    assert min(gained) > 0


def test_a_row_alone_it_never_makes_worse() -> None:
    for seed in range(5):
        at = replace(new_game(seed), round=10)
        assert play(at, "Anna", read_orders(at, "Anna", orders(at)))[0].worth(
            at.deck
        ) >= Farm().worth(at.deck)


def test_for_everybody_it_plays_no_seat() -> None:
    with pytest.raises(StopIteration):
        robot(view(table(), None))
