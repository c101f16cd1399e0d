"""The table: how a round is dealt, which house rules there are, and what is stored of it."""

import json
from typing import Any

import msgspec
import pytest

from rounds.engine.farm import Farm, Stack
from rounds.postal.events import Cascaded, Revealed
from rounds.postal.table import ROW, HouseRules, Table, awaited, deal, pack, set_up, unpack
from tests.postal_tables import CAST, DECK, chance_with, new_game, shuffled

DRAWN = ["bush", "magic", "bush", "mung", "snap", "snake", "broad", "climbing"]


def dealt(discard: str) -> tuple[str, str, list[tuple[str, int]]]:
    row, left, events = deal(2, [*DRAWN, "princess"], tuple(discard.split()))
    moved = [(event.variety, event.position) for event in events if isinstance(event, Cascaded)]
    return " ".join(str(stack.cards) for stack in row), " ".join(left), moved


def test_eight_cards_are_revealed_one_on_each_position() -> None:
    row, left, events = deal(3, [*DRAWN, "princess"], ())
    assert row == tuple(Stack(variety, 1) for variety in DRAWN)
    assert left == ()
    assert events == (Revealed(3, tuple(DRAWN)),)


@pytest.mark.parametrize(
    ("discard", "row", "left", "moved"),
    [
        # P15: the first that does not match ends it
        ("princess bush", "1 1 1 1 1 1 1 1", "princess bush", []),
        ("bush", "2 1 1 1 1 1 1 1", "", [("bush", 1)]),
        # P14: always the lowest position
        ("bush bush bush", "4 1 1 1 1 1 1 1", "", [("bush", 1)] * 3),
        (
            "climbing magic princess magic",
            "1 2 1 1 1 1 1 2",
            "princess magic",
            [("climbing", 8), ("magic", 2)],
        ),
    ],
)
def test_the_cascade_moves_from_the_top_what_lies_in_the_row(
    discard: str, row: str, left: str, moved: list[tuple[str, int]]
) -> None:
    assert dealt(discard) == (row, left, moved)


def test_a_game_begins_with_empty_farms_and_the_first_eight_cards() -> None:
    cards = shuffled(4)
    table, events = set_up(DECK, HouseRules(), CAST, chance_with(cards))
    assert events == (Revealed(1, cards[:ROW]),)
    assert table.farms == (Farm(), Farm(), Farm())
    assert (table.seats, table.round, table.discard, table.draw_pile) == (CAST, 1, (), cards[ROW:])


def test_one_seat_alone_and_no_seat_at_all_can_be_set_up() -> None:
    assert new_game(1, ("Anna",)).farms == (Farm(),)
    assert awaited(new_game(1, ())) == ()


def test_a_farm_is_found_by_the_name_of_its_seat_and_no_other() -> None:
    table = new_game(1)
    own = msgspec.structs.replace(table, farms=(Farm(), Farm(talers=3), Farm()))
    assert own.farm("Bert").talers == 3
    for name in ("Dörte", "bert", ""):
        with pytest.raises(ValueError, match="sits here"):
            own.farm(name)


@pytest.mark.parametrize(("number", "over"), [(1, False), (10, False), (11, True)])
def test_the_game_is_over_when_the_last_round_is_played(number: int, over: bool) -> None:
    table = msgspec.structs.replace(new_game(1), round=number)
    assert (table.over, table.round) == (over, number)
    assert awaited(table) == (() if over else CAST)


@pytest.mark.parametrize("rounds", [1, 12])
def test_a_game_has_one_to_twelve_rounds(rounds: int) -> None:
    assert msgspec.convert({"rounds": rounds}, HouseRules).rounds == rounds


@pytest.mark.parametrize(
    "rules",
    [
        {"rounds": 0},
        {"rounds": 13},
        {"rounds": 10.5},
        {"rounds": "10"},
        {"rounds": True},
        {"discard_order": "random"},
        {"discard_order": None},
        {"nmr_empty": 1},
        {"nmr_harvest": "Eager"},
        {"speed": "fast"},
    ],
)
def test_house_rules_out_of_range_and_unknown_ones_are_refused(rules: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(rules, HouseRules)


def test_without_a_word_the_printed_rules_are_played() -> None:
    assert msgspec.convert({}, HouseRules) == HouseRules(
        rounds=10, discard_order="ascending", nmr_empty=False, nmr_harvest="eager"
    )


def packed(**changed: Any) -> bytes:
    return json.dumps(json.loads(pack(new_game(4))) | changed).encode()


def test_the_draw_pile_is_stored_as_a_number_and_comes_back_from_the_deck() -> None:
    table = new_game(4)
    stored = json.loads(pack(table))
    assert stored["draw_pile"] == 92
    assert "deck" not in stored
    assert unpack(pack(table), DECK, chance_with(shuffled(4))) == table


@pytest.mark.parametrize(("left", "pile"), [(92, 92), (1, 1), (0, 0)])
def test_as_many_cards_are_left_in_the_pile_as_were_stored(left: int, pile: int) -> None:
    table = unpack(packed(draw_pile=left), DECK, chance_with(shuffled(4)))
    assert table.draw_pile == shuffled(4)[100 - pile :]


@pytest.mark.parametrize(
    "damaged",
    [
        b"",
        b"{}",
        b"null",
        b"\xff\x00",
        pack(new_game(4))[:-1],
        packed(round="1"),
        packed(draw_pile=None),
        packed(speed=1),
        packed(rules={"rounds": 13}),
        packed(row=[["bush"]]),
        packed(farms=[{"fields": [None], "talers": 0}]),
    ],
)
def test_damaged_bytes_are_no_table(damaged: bytes) -> None:
    with pytest.raises(msgspec.MsgspecError):
        unpack(damaged, DECK, chance_with(shuffled(4)))


def test_a_table_keeps_who_sits_where_to_itself() -> None:
    table = new_game(4)
    table.farm("Anna")
    assert pack(table) == pack(new_game(4))
    assert table == new_game(4)
    assert isinstance(table, Table)
