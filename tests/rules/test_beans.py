"""What beans earn, and what a deck knows of itself."""

from dataclasses import FrozenInstanceError

import pytest

from rounds.engine.beans import Deck, Variety, talers_for
from tests.postal_tables import DECK

PRINTED = {
    "princess": (6, "0 2 3 4 4"),
    "mung": (8, "0 1 2 3 4 4"),
    "broad": (10, "0 1 1 2 3 4 4"),
    "magic": (12, "0 0 1 2 3 4 4"),
    "climbing": (14, "0 0 1 1 2 3 4 4"),
    "bush": (16, "0 0 1 1 2 2 3 4 4"),
    "snake": (16, "0 0 0 1 2 3 4 4"),
    "snap": (18, "0 0 1 1 1 2 2 3 4 4"),
}
"""Of each variety: its cards, and the talers for one bean, two, … up to one more than a full
field.
"""
FEW = Deck(
    (
        Variety("bush", 3, (3, 5, 7, 8)),
        Variety("mung", 1, (2, 3, 4, 5)),
        Variety("rare", 0, (1, 2, 3, 4)),
    )
)


@pytest.mark.parametrize("variety", PRINTED)
def test_the_printed_figures_are_paid(variety: str) -> None:
    cards, talers = PRINTED[variety]
    found = DECK[variety]
    assert found.cards == cards
    assert [found.talers(beans) for beans in range(1, found.full + 2)] == [
        int(paid) for paid in talers.split()
    ]


def test_a_tier_of_no_beans_is_no_tier() -> None:
    assert [talers_for((0, 2, 3, 4), beans) for beans in range(6)] == [0, 0, 2, 3, 4, 4]
    assert talers_for((0, 0, 0, 0), 99) == 0
    assert talers_for((), 99) == 0


def test_beans_beyond_the_last_tier_pay_no_more() -> None:
    assert talers_for((3, 6, 8, 9), 18) == talers_for((3, 6, 8, 9), 9) == 4


@pytest.mark.parametrize(
    ("variety", "first", "full"),
    [("princess", 2, 4), ("mung", 2, 5), ("bush", 3, 8), ("snap", 3, 9)],
)
def test_the_first_and_the_last_tier_are_known_by_their_beans(
    variety: str, first: int, full: int
) -> None:
    found = DECK[variety]
    assert (found.first, found.full) == (first, full)
    assert (found.talers(first - 1), found.talers(full - 1), found.talers(full)) == (0, 3, 4)
    assert found.talers(first) > 0


@pytest.mark.parametrize(
    ("variety", "beans", "following"),
    [
        ("bush", 0, (3, 1)),
        ("bush", 2, (1, 1)),
        ("bush", 3, (2, 2)),
        ("bush", 4, (1, 2)),
        ("bush", 7, (1, 4)),
        ("bush", 8, None),
        ("bush", 9, None),
        ("princess", 0, (2, 2)),
        ("princess", 1, (1, 2)),
        ("princess", 2, (1, 3)),
    ],
)
def test_the_next_tier_is_told_as_what_is_missing_and_what_it_pays(
    variety: str, beans: int, following: tuple[int, int] | None
) -> None:
    assert DECK[variety].next_tier(beans) == following


def test_a_deck_counts_its_cards_and_keeps_its_order() -> None:
    assert DECK.size == 100
    assert DECK.ids == tuple(PRINTED)
    assert FEW.size == 4
    assert FEW.base_order() == ("bush", "bush", "bush", "mung")


def test_an_empty_deck_has_no_cards() -> None:
    empty = Deck(())
    assert (
        empty.size,
        empty.ids,
        empty.base_order(),
        empty.counts(["bush"]),
        empty.faults([]),
    ) == (0, (), (), {}, [])


def test_a_variety_is_found_by_its_id_and_a_stranger_is_a_key_error() -> None:
    assert FEW["mung"].cards == 1
    with pytest.raises(KeyError):
        FEW["Mung"]


def test_the_counts_name_every_variety_in_order_and_nothing_else() -> None:
    assert list(FEW.counts(["mung", "bush", "bush"]).items()) == [
        ("bush", 2),
        ("mung", 1),
        ("rare", 0),
    ]
    assert FEW.counts([]) == {"bush": 0, "mung": 0, "rare": 0}
    assert FEW.counts(["cocoa"]) == {"bush": 0, "mung": 0, "rare": 0}


@pytest.mark.parametrize(
    ("cards", "notes"),
    [
        ("bush bush bush mung", []),
        ("mung bush bush bush", []),
        ("bush bush mung", ["2 bush instead of 3"]),
        ("bush bush bush bush mung", ["4 bush instead of 3"]),
        ("bush bush bush mung rare", ["1 rare instead of 0"]),
        ("bush bush bush cocoa", ["no variety is called 'cocoa'", "0 mung instead of 1"]),
        ("bush bush bush mung cocoa cocoa", ["no variety is called 'cocoa'"]),
        ("", ["0 bush instead of 3", "0 mung instead of 1"]),
    ],
)
def test_what_keeps_cards_from_being_the_deck_is_noted_once_each(
    cards: str, notes: list[str]
) -> None:
    assert FEW.faults(cards.split()) == notes


def test_decks_are_equal_by_their_varieties_and_never_change() -> None:
    assert Deck(FEW.varieties) == FEW
    assert Deck(FEW.varieties[:2]) != FEW
    assert hash(Deck(FEW.varieties)) == hash(FEW)
    with pytest.raises(FrozenInstanceError):
        FEW.varieties = ()  # type: ignore[misc]
