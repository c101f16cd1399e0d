"""What a seat sees, and what a case that does not hold shows."""

from typing import Any

from rounds.duel import variant
from tests.cases import Case
from tests.cases.duel import CASES
from tests.rules.duel.tables import DECK, table


def no_chance(label: str, size: int) -> Any:
    raise AssertionError


def test_what_a_seat_drew_is_shown_to_it_alone_until_its_next_turn() -> None:
    before = variant.set_up(
        DECK, variant.house_rules(), ("Anna", "Bert"), lambda label, size: range(size)
    )[0]
    after, _ = variant.adjudicate(before, {"Anna": None}, no_chance)
    assert (
        variant.view(before, "Anna").drawn
        == variant.view(after, "Bert").drawn
        == variant.view(after, None).drawn
        == ()
    )
    assert variant.view(after, "Anna").drawn == after.hand("Anna")[-2:]
    again, _ = variant.adjudicate(
        after, {"Bert": variant.read_orders(after, "Bert", "1>A")}, no_chance
    )
    assert variant.view(again, "Anna").drawn == after.hand("Anna")[-2:]
    last, _ = variant.adjudicate(again, {"Bert": ()}, no_chance)
    assert variant.view(last, "Anna").drawn == ()
    assert variant.view(last, "Bert").drawn == last.hand("Bert")[-2:]


def test_a_resignation_ranks_whatever_the_talers() -> None:
    at = table(fields="soy*7 -", talers=9)
    after, events = variant.adjudicate(
        at, {"Anna": variant.read_orders(at, "Anna", "resign")}, no_chance
    )
    assert list(variant.scores.of(variant.view(after, None)).items()) == [("Bert", 0), ("Anna", 13)]  # type: ignore[union-attr]
    assert [event.kind for event in events] == [
        "resigned",
        "in_short",
        "final_harvest",
        "ranked",
        "ranked",
    ]
    assert variant.awaited(after) == ()


def test_a_case_that_does_not_hold_says_what_differs() -> None:
    body = {
        "kind": "list",
        "given": {
            "turn": 3,
            "phase": 1,
            "active": "Anna",
            "hands": {"Anna": "soy", "Bert": ""},
            "fields": {"Anna": "- -", "Bert": "- -"},
            "talers": {"Anna": 0, "Bert": 0},
            "offer": "",
            "row": "",
            "discard": "",
            "deck": "coffee wax red soy soy eyed",
        },
        "orders": "1>A",
        "expect": {"fields": "soy -", "row": "coffee wax red"},
    }
    assert CASES.check(Case("X.1", "a title", "", (), body), DECK) is None
    for changed, difference in (
        ({"expect": {"fields": "- soy"}}, "fields: expected - soy, found soy -"),
        ({"orders": "1>C"}, "refused: nothing expected, found [[1, 'BAD_FIELD']]"),
        (
            {"expect": {"refused": [[1, "THIRD"]]}},
            "refused: expected [[1, 'THIRD']], found nothing that this kind of case tells",
        ),
        (
            {"expect": {"nonsense": 1}},
            "nonsense: expected 1, found nothing that this kind of case tells",
        ),
    ):
        failure = CASES.check(Case("X.1", "a title", "", (), body | changed), DECK)
        assert failure is not None
        assert difference in failure.differences
        assert "hand: soy" in failure.before
